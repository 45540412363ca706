;;; catmouse.el --- Cat and Mouse puzzles: verdicts, moves, play  -*- lexical-binding: t; -*-

;; Author: The catmouse authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: games, tools
;; URL: https://example.org/catmouse
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A mode for files of Cat and Mouse puzzles (*.catmouse), whose language
;; server is `cmclient lsp'.  With eglot or lsp-mode, faults are shown where
;; they are, repairs are code actions, and ElDoc tells who wins and ranks the
;; moves where point is.
;;
;;   (require 'catmouse)
;;   (add-hook 'catmouse-mode-hook #'eglot-ensure)
;;
;; or, with lsp-mode, `catmouse-lsp' in that hook.
;;
;; `catmouse-play' plays the puzzle at point against best play.

;;; Code:

(require 'eglot)
(require 'js)
(require 'seq)
(require 'subr-x)

(defgroup catmouse nil
  "Cat and Mouse puzzles."
  :group 'games)

(defcustom catmouse-program '("cmclient" "lsp")
  "The language server: a program and its arguments."
  :type '(repeat string))

;;;###autoload
(define-derived-mode catmouse-mode js-mode "Catmouse"
  "Major mode for Cat and Mouse puzzles.")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.catmouse\\(?:\\.json\\)?\\'" . catmouse-mode))

(defun catmouse--contact (&optional _interactive)
  "The server as eglot wants it."
  catmouse-program)

(add-to-list 'eglot-server-programs '(catmouse-mode . catmouse--contact))

;; lsp-mode is loaded by those who ask for it.
(declare-function lsp-deferred "ext:lsp-mode")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(defvar lsp-language-id-configuration)

;;;###autoload
(defun catmouse-lsp ()
  "Start lsp-mode in this buffer, instead of eglot."
  (require 'lsp-mode)
  (unless (assq 'catmouse-mode lsp-language-id-configuration)
    (push '(catmouse-mode . "catmouse") lsp-language-id-configuration)
    (lsp-register-client
     (make-lsp-client :new-connection (lsp-stdio-connection (lambda () catmouse-program))
                      :activation-fn (lambda (_file mode) (eq mode 'catmouse-mode))
                      :add-on? t
                      :server-id 'catmouse)))
  (lsp-deferred))

;;; Asking

(defun catmouse--value (outcome plies)
  "Words for OUTCOME in PLIES, which is nil where nobody forces the end."
  (let ((who (if (equal outcome "mouse") "Mouse" "Cat")))
    (cond ((equal outcome "draw") "Draw")
          ((null plies) (concat who " wins: the game has no end"))
          ((zerop plies) (concat who " has won"))
          (t (format "%s wins in %d %s" who plies (if (= plies 1) "ply" "plies"))))))

(defun catmouse--place (node cols)
  "Words for NODE; a row and a column where COLS is a grid's width."
  (if cols (format "%d:%d" (/ node cols) (% node cols)) (number-to-string node)))

(defun catmouse--ask (server command arguments)
  "Have SERVER run COMMAND with the map ARGUMENTS."
  (jsonrpc-request server :workspace/executeCommand
                   (list :command (concat "catmouse." command) :arguments (vector arguments))))

(defun catmouse--here ()
  "The puzzle at point, as commands take it; the server is told of the last edits."
  (eglot--signal-textDocument/didChange)
  (let ((position (eglot--TextDocumentPositionParams)))
    (list :uri (plist-get (plist-get position :textDocument) :uri)
          :position (plist-get position :position))))

(defun catmouse--server ()
  "The server of this buffer, or an error."
  (or (eglot-current-server) (user-error "No server runs here: M-x eglot starts one")))

;;;###autoload
(defun catmouse-solve ()
  "Say who wins the puzzle at point."
  (interactive)
  (let ((start (plist-get (catmouse--ask (catmouse--server) "solve" (catmouse--here)) :start)))
    (message "%s" (catmouse--value (plist-get start :outcome) (plist-get start :plies)))))

;;; Playing

(defvar-local catmouse--game nil "The game of a play buffer, a property list.")

(defvar catmouse-play-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'catmouse-play-move)
    (define-key map "u" #'catmouse-play-undo)
    (define-key map "s" #'catmouse-play-swap)
    map)
  "Keys of a play buffer.")

(define-derived-mode catmouse-play-mode special-mode "Catmouse-Play"
  "Play a puzzle: RET moves, the best reply follows, u takes back, s changes sides.")

(defun catmouse--get (key)
  "KEY of the game."
  (plist-get catmouse--game key))

(defun catmouse--set (key value)
  "Set KEY of the game to VALUE."
  (setq catmouse--game (plist-put catmouse--game key value)))

(defun catmouse--other (side)
  "The other player than SIDE."
  (if (equal side "mouse") "cat" "mouse"))

(defun catmouse--query (state)
  "Ask about STATE, and keep the answer, which is returned."
  (let* ((arguments (append (catmouse--get :where) (list :state state)))
         (answer (catmouse--ask (catmouse--get :server) "query" arguments)))
    (catmouse--set :answer answer)
    answer))

(defun catmouse--upto-p (one other)
  "Is the position ONE before OTHER, or there?"
  (let ((line (plist-get one :line)) (other-line (plist-get other :line)))
    (or (< line other-line)
        (and (= line other-line) (<= (plist-get one :character) (plist-get other :character))))))

(defun catmouse--board (server where)
  "Rows of the grid at WHERE, from SERVER, without players; nil for a graph."
  (let* ((position (plist-get where :position))
         (outline (jsonrpc-request server :textDocument/documentSymbol
                                   (list :textDocument (list :uri (plist-get where :uri)))))
         (holds (lambda (symbol)
                  (let ((range (plist-get symbol :range)))
                    (and (catmouse--upto-p (plist-get range :start) position)
                         (catmouse--upto-p position (plist-get range :end))))))
         (puzzle (seq-find holds outline)))
    (when (and puzzle (string-prefix-p "grid" (plist-get puzzle :name)))
      (mapcar (lambda (row)
                (replace-regexp-in-string "[MC]" "." (plist-get row :detail)))
              (plist-get puzzle :children)))))

(defun catmouse--insert-board (state cols)
  "Insert the board, if there is one, in STATE; it has COLS columns."
  (seq-do-indexed
   (lambda (row index)
     (let ((cells (copy-sequence row)))
       (pcase-dolist (`(,player . ,letter) '((:mouse . ?M) (:cat . ?C)))
         (let ((node (plist-get state player)))
           (when (= (/ node cols) index)
             (aset cells (% node cols) letter))))
       (seq-do-indexed
        (lambda (cell column)
          (insert (propertize (char-to-string cell) 'catmouse-cell (+ (* index cols) column))))
        cells)
       (insert "\n")))
   (catmouse--get :board))
  (when (catmouse--get :board)
    (insert "\n")))

(defun catmouse--draw ()
  "Show the game."
  (let* ((answer (catmouse--get :answer))
         (state (plist-get answer :state))
         (cols (plist-get answer :cols))
         (inhibit-read-only t))
    (erase-buffer)
    (catmouse--insert-board state cols)
    (insert (format "Mouse at %s, cat at %s, you are the %s.\n"
                    (catmouse--place (plist-get state :mouse) cols)
                    (catmouse--place (plist-get state :cat) cols)
                    (catmouse--get :side))
            (catmouse--value (plist-get answer :outcome) (plist-get answer :plies))
            (if (eq (plist-get answer :over) t) "." (format ", %s to move." (plist-get state :turn)))
            "\n")
    (when (catmouse--get :note)
      (insert (catmouse--get :note) "\n"))
    (seq-do (lambda (move)
              (insert (propertize
                       (format "  to %-6s %s\n" (catmouse--place (plist-get move :to) cols)
                               (catmouse--value (plist-get move :outcome) (plist-get move :plies)))
                       'catmouse-node (plist-get move :to))))
            (plist-get answer :moves))
    (insert "\nRET moves, u takes back, s changes sides, q closes.\n")
    (goto-char (point-min))
    (when-let ((first (next-single-property-change (point-min) 'catmouse-node)))
      (goto-char first))))

(defun catmouse--judge (before mover after)
  "What MOVER gave away between the answers BEFORE and AFTER, or nil."
  (let ((plies (plist-get before :plies)))
    (cond ((and (equal (plist-get before :outcome) mover)
                (not (equal (plist-get after :outcome) mover)))
           (if plies (format "That threw away a win in %d." plies) "That threw away a win."))
          ((and (equal (plist-get before :outcome) "draw")
                (equal (plist-get after :outcome) (catmouse--other mover)))
           "That threw away a draw."))))

(defun catmouse--go (node)
  "Move whoever is to move to NODE, then the opponent as is best."
  (let* ((before (catmouse--get :answer))
         (state (plist-get before :state))
         (mover (plist-get state :turn))
         (next (plist-put (copy-sequence state) (intern (concat ":" mover)) node)))
    (catmouse--set :past (cons (cons state (catmouse--get :note)) (catmouse--get :past)))
    (let ((after (catmouse--query (plist-put next :turn (catmouse--other mover)))))
      (when (equal mover (catmouse--get :side))
        (catmouse--set :note (catmouse--judge before mover after))))
    (catmouse--reply)))

(defun catmouse--reply ()
  "Let the opponent move where it is to move, and show what is then."
  (let* ((answer (catmouse--get :answer))
         (best (plist-get answer :best)))
    (if (and best (not (eq (plist-get answer :over) t))
             (not (equal (plist-get (plist-get answer :state) :turn) (catmouse--get :side))))
        (catmouse--go best)
      (catmouse--draw))))

(defun catmouse-play-move ()
  "Make the move to the cell at point, or the one on this line."
  (interactive)
  (let ((node (or (get-text-property (point) 'catmouse-cell)
                  (get-text-property (line-beginning-position) 'catmouse-node))))
    (if (seq-some (lambda (move) (eql (plist-get move :to) node))
                  (plist-get (catmouse--get :answer) :moves))
        (catmouse--go node)
      (user-error "No such move"))))

(defun catmouse-play-undo ()
  "Take your last move back."
  (interactive)
  (let ((past (catmouse--get :past)) last)
    (while (and past (not (and last (equal (plist-get (car last) :turn) (catmouse--get :side)))))
      (setq last (pop past)))
    (unless last (user-error "Nothing to take back"))
    (catmouse--set :past past)
    (catmouse--set :note (cdr last))
    (catmouse--query (car last))
    (catmouse--draw)))

(defun catmouse-play-swap ()
  "Change sides."
  (interactive)
  (catmouse--set :side (catmouse--other (catmouse--get :side)))
  (catmouse--reply))

;;;###autoload
(defun catmouse-play ()
  "Play the puzzle at point against best play, as the mouse at first."
  (interactive)
  (let* ((server (catmouse--server))
         (where (catmouse--here))
         (board (catmouse--board server where))
         (answer (catmouse--ask server "query" where)))
    (pop-to-buffer (get-buffer-create "*catmouse*"))
    (catmouse-play-mode)
    (setq catmouse--game (list :server server :where where :side "mouse" :past nil :note nil
                               :board board :answer answer))
    (catmouse--draw)))

(provide 'catmouse)
;;; catmouse.el ends here
