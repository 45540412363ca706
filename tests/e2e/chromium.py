"""A headless Chromium, told what to do through a pair of pipes in the DevTools protocol.

https://chromedevtools.github.io/devtools-protocol/: JSON messages, each ended by a NUL. No socket, no network.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile

from harness import DEADLINE_S, wait_readable

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--remote-debugging-pipe", "--window-size=1100,900"]


class Chromium:
    """One browser with one page. `complaints` has what its console, its log and its scripts' failures said."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="catmouse-chromium-")
        to_read, self.commands = os.pipe()
        self.events, to_write = os.pipe()
        command = ["chromium", *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", *command], pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.received, self.count, self.session = b"", 0, None
        self.complaints, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(DEADLINE_S)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            os.close(self.commands)
            os.close(self.events)
            shutil.rmtree(self.folder, ignore_errors=True)

    def read_message(self):
        while b"\0" not in self.received:
            wait_readable(self.events, "a message of Chromium's")
            more = os.read(self.events, 1 << 20)
            assert more, "Chromium ended"
            self.received += more
        message, _, self.received = self.received.partition(b"\0")
        message = json.loads(message)
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append([argument.get("value") for argument in params["args"]])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"])
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        return message

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read_message()
            if answer.get("id") == self.count:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def open(self, path):
        """Until the page says that it is ready."""
        self.loaded = False
        self.call("Page.navigate", url=f"file://{path}")
        while not self.loaded:
            self.read_message()
        self.evaluate("""new Promise(done => { const look = () => document.documentElement.dataset.readyMs ?
                         done() : setTimeout(look, 5); look(); })""")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector):
        """A real click of the mouse on the middle of the element."""
        x, y = self.evaluate(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}}); const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def emulate(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
