;;; catmouse-tests.el --- The mode in a real Emacs  -*- lexical-binding: t; -*-
;; Run by tests/lsp/test_emacs.py, which says where the programs are.

(require 'ert)
(require 'flymake)
(require 'jsonrpc)
(require 'catmouse)

(setq eglot-sync-connect 300
      eglot-connect-timeout 300
      jsonrpc-default-request-timeout 300
      eglot-autoshutdown t
      eglot-send-changes-idle-time 0
      flymake-no-changes-timeout nil)

(defun catmouse-tests--await (what condition)
  "Wait until CONDITION, or fail with WHAT."
  (with-timeout (300 (ert-fail (format "waited too long for %s" what)))
    (while (not (funcall condition))
      (accept-process-output nil 0.01))))

(defmacro catmouse-tests--with (text &rest body)
  "Run BODY in a file of TEXT that eglot serves."
  (declare (indent 1))
  `(let* ((file (make-temp-file "catmouse" nil ".catmouse" ,text))
          (buffer (find-file-noselect file)))
     (unwind-protect
         (with-current-buffer buffer
           (should (eq major-mode 'catmouse-mode))
           (apply #'eglot--connect (eglot--guess-contact))
           (eglot--maybe-activate-editing-mode)
           ,@body)
       (with-current-buffer buffer
         (when (eglot-current-server) (eglot-shutdown (eglot-current-server)))
         (set-buffer-modified-p nil)
         (kill-buffer))
       (delete-file file))))

(defun catmouse-tests--diagnostics ()
  (flymake-start)
  (flymake-diagnostics))

(ert-deftest catmouse-shows-faults-and-mends-them ()
  (catmouse-tests--with "[[1,2],\n[0,2],\n  [1]]\n"
    (catmouse-tests--await "diagnostics" #'catmouse-tests--diagnostics)
    (let ((fault (car (flymake-diagnostics))))
      (should (= (flymake-diagnostic-beg fault) 5))
      (should (string-match-p "node" (flymake-diagnostic-text fault))))
    (goto-char 5)
    (let ((action (seq-find (lambda (action) (eq (plist-get action :isPreferred) t))
                            (eglot-code-actions 5 6))))
      (should (equal (plist-get action :title) "Add 0 to the list of 2"))
      (eglot--apply-workspace-edit (plist-get action :edit)))
    (should (equal (buffer-string) "[[1,2],\n[0,2],\n  [1,0]]\n"))
    (should (equal (catmouse-solve) "Mouse wins in 1 ply"))))

(ert-deftest catmouse-eldoc-shows-the-verdict ()
  (catmouse-tests--with "[[1,2],[0,2],[0,1]]\n"
    (goto-char 1)
    (let ((shown "solving"))
      (while (string-match-p "solving" shown) ; for longer on a slow machine
        (setq shown nil)
        (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
        (catmouse-tests--await "a hover" (lambda () shown)))
      (should (string-match-p "Mouse wins in 1 ply" shown)))))

(ert-deftest catmouse-plays ()
  (catmouse-tests--with "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]\n"
    (catmouse-play)
    (with-current-buffer "*catmouse*"
      (should (string-prefix-p "Mouse at 1, cat at 2, you are the mouse.\nDraw, mouse to move.\n" (buffer-string)))
      (catmouse-play-move)
      (should (string-prefix-p "Mouse at 3, cat at 5" (buffer-string)))
      (catmouse-play-undo)
      (should (string-prefix-p "Mouse at 1, cat at 2" (buffer-string)))
      (should-error (catmouse-play-undo) :type 'user-error)
      (kill-buffer))))

(ert-deftest catmouse-plays-no-puzzle-with-faults ()
  (catmouse-tests--with "[[1,2],[0,2],[1]]\n"
    (should-error (catmouse-play))
    (should-not (get-buffer "*catmouse*"))))

(ert-deftest catmouse-tells-what-was-thrown-away ()
  (catmouse-tests--with "{\"grid\": [\"####F\",\"#C...\",\"M....\"], \"catJump\": 1, \"mouseJump\": 2}\n"
    (catmouse-play)
    (with-current-buffer "*catmouse*"
      (should (string-prefix-p "####F\n#C...\nM....\n\nMouse at 2:0, cat at 1:1" (buffer-string)))
      (goto-char (point-min))
      (should-error (catmouse-play-move) :type 'user-error)
      (forward-line 2)
      (forward-char 2)
      (catmouse-play-move)
      (should (string-prefix-p "####F\n#C...\n..M..\n\nMouse at 2:2, cat at 1:1" (buffer-string)))
      (should-not (string-match-p "threw" (buffer-string)))
      (catmouse-play-undo)
      (goto-char (point-max))
      (forward-line -3)
      (catmouse-play-move)
      (should (string-match-p "That threw away a win in 5\\." (buffer-string)))
      (kill-buffer))))
;;; catmouse-tests.el ends here
