"""Chromium over its debugging pipe, with the network off: pages from file:, keys, pointers, pictures; and the counts of
a test in Chromium."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

counts = {"passed": 0, "failed": 0}


def check(what, found, expected):
    counts["passed" if found == expected else "failed"] += 1
    if found != expected:
        print(f"{what}:\n  found    {found!r}\n  expected {expected!r}")


def finish():
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    sys.exit(counts["failed"] != 0)


class Browser:
    def __init__(self, extra=()):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        self.profile = tempfile.mkdtemp(prefix="wb-chromium-")
        to_read, self.to = os.pipe()
        self.out, to_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_write, True)

        def place():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.profile, *extra, "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.answers = {}
        self.events = []
        self.condition = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        rest = b""
        while True:
            piece = os.read(self.out, 1 << 20)
            if not piece:
                return
            *whole, rest = (rest + piece).split(b"\0")
            with self.condition:
                for text in whole:
                    m = json.loads(text)
                    if "id" in m:
                        self.answers[m["id"]] = m
                    else:
                        self.events.append(m)
                self.condition.notify_all()

    def call(self, method, session=None, timeout=60, **parameters):
        self.number += 1
        n = self.number
        m = {"id": n, "method": method, "params": parameters}
        if session:
            m["sessionId"] = session
        os.write(self.to, json.dumps(m).encode() + b"\0")
        with self.condition:
            if not self.condition.wait_for(lambda: n in self.answers, timeout):
                raise TimeoutError(method)
            answer = self.answers.pop(n)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def processor(self):
        """Seconds of the processor of each process by number."""
        return {p["id"]: p["cpuTime"] for p in self.call("SystemInfo.getProcessInfo")["processInfo"] if p["type"] == "renderer"}

    def page(self, width=1280, height=800, ratio=1, touch=False, features=(), before=""):
        return Page(self, width, height, ratio, touch, features, before)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A tab. Whatever it asks of the network, says on the console as an error, or throws, is in `complaints`."""

    def __init__(self, browser, width, height, ratio, touch, features, before):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                  mobile=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        if features:
            self.call("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features])
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    @property
    def complaints(self):
        found = []
        with self.browser.condition:
            events = [e for e in self.browser.events if e.get("sessionId") == self.session]
        for e in events:
            p = e["params"]
            if e["method"] == "Runtime.exceptionThrown":
                d = p["exceptionDetails"]
                found.append("exception: " + d.get("exception", {}).get("description", d["text"]))
            elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning"):
                found.append("console: " + str([a.get("value", a.get("description")) for a in p["args"]]))
            elif e["method"] == "Log.entryAdded" and p["entry"]["level"] == "error":
                found.append("log: " + p["entry"]["text"])
            elif e["method"] == "Network.requestWillBeSent" and p["request"]["url"].split(":")[0] not in (
                    "file", "blob", "data", "about"):
                found.append("request: " + p["request"]["url"])
        return found

    def open(self, url):
        self.call("Page.navigate", url=url)

    def evaluate(self, script):
        r = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"].get("exception", {}).get("description", "?"))
        return r["result"].get("value")

    def wait(self, condition, seconds=30):
        """Wait in the page until an expression holds."""
        return self.evaluate(
            f"new Promise((yes, no) => {{ const end = performance.now() + {seconds * 1000}; const look = () => {{ let v; "
            f"try {{ v = ({condition}); }} catch (e) {{ v = null; }} if (v) yes(v); else if (performance.now() > end) "
            f"no(new Error('waited for: ' + {json.dumps(condition)} + '; the page says: ' + "
            f"(document.getElementById('say') || {{}}).textContent)); else setTimeout(look, 10); }}; look(); }})")

    NAMED = {"Enter": ("Enter", 13), "Esc": ("Escape", 27), "Tab": ("Tab", 9), "Backspace": ("Backspace", 8),
             "Up": ("ArrowUp", 38), "Down": ("ArrowDown", 40), "Left": ("ArrowLeft", 37), "Right": ("ArrowRight", 39),
             "Home": ("Home", 36), "End": ("End", 35), "PageUp": ("PageUp", 33), "PageDown": ("PageDown", 34),
             "F1": ("F1", 112), "F10": ("F10", 121)}

    def key(self, name, modifiers=0):
        if name.startswith("S-"):
            name, modifiers = name[2:], modifiers | 8
        key, code = self.NAMED.get(name, (" " if name == "Space" else name, 0))
        text = key if len(key) == 1 and not modifiers & 7 else "\r" if key == "Enter" and not modifiers & 7 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, windowsVirtualKeyCode=code,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers, windowsVirtualKeyCode=code)

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
