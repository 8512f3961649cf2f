# SPDX-License-Identifier: MIT
"""Drives Debian's chromium by its driver, over the WebDriver protocol."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
WAIT_SECONDS = 60  # until something counts as lost: a guard, and never a measurement
MISSING = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Refused(AssertionError):
    """What the browser says of a command that it could not do."""


class Browser:
    """One window of a headless browser, closed by `close`."""

    def __init__(self, width=1280, height=800, dark=False):
        self.folder = tempfile.TemporaryDirectory()
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": self.folder.name})
        self.session = None
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}/profile",
                     f"--window-size={width},{height}"]
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL"}}
        self.wait(self.is_up, "the driver to start")
        made = self.post("/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{made['sessionId']}"
        self.show_as(width, height, dark)

    def is_up(self):
        try:
            return self.call("GET", "/status")["ready"]
        except OSError:
            return False

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as wrong:
            raise Refused(json.load(wrong)["value"]["message"]) from None

    def post(self, path, body):
        return self.call("POST", (self.session or "") + path, body)

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, url):
        self.post("/url", {"url": url})

    def run(self, script, *arguments):
        """Returns what the body of a JavaScript function returns."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def run_module(self, script):
        """Returns what the body of an asynchronous function returns, which may import modules."""
        return self.post("/execute/async", {"args": [], "script": (
            "const done = arguments[0]; (async () => {" + script + "})()"
            ".then(done, (problem) => done('failed: ' + problem.stack));")})

    def find(self, selector):
        found = self.post("/element", {"using": "css selector", "value": selector})
        return f"/element/{found[ELEMENT]}"

    def click(self, selector):
        self.post(self.find(selector) + "/click", {})

    def type(self, selector, text):
        """Types into an element; keys without a letter are those of WebDriver, such as \\ue014."""
        self.post(self.find(selector) + "/value", {"text": text})

    def press(self, *chords):
        """Presses keys where the focus is; the keys of a chord, such as control and s, together."""
        steps = []
        for chord in chords:
            steps += [{"type": "keyDown", "value": key} for key in chord]
            steps += [{"type": "keyUp", "value": key} for key in reversed(chord)]
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def show_as(self, width, height, dark=False):
        """Gives the window a size, and the page light or dark colours."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def enter(self, selector, text):
        """Replaces the text of a field and leaves it, as the tab key does."""
        self.run("document.querySelector(arguments[0]).select()", selector)
        self.type(selector, "\ue003" + text + "\ue004")

    def choose(self, selector, value):
        self.change(selector, value, "change")

    def slide(self, selector, value):
        self.change(selector, value, "input")

    def change(self, selector, value, event):
        self.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                 "field.dispatchEvent(new Event(arguments[2], {bubbles: true}))",
                 selector, value, event)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def wait(self, holds, what):
        """Waits until a function returns something true, and returns that. An element that is not
        there yet, or is just replaced, is waited for."""
        end = time.monotonic() + WAIT_SECONDS
        refusal = ""
        while time.monotonic() < end:
            try:
                if value := holds():
                    return value
            except Refused as refused:
                refusal = f": {refused}"
            time.sleep(0.05)
        raise AssertionError(f"waited {WAIT_SECONDS} s for {what}{refusal}")

    def errors(self):
        """Returns the errors and warnings of the console since the last call."""
        logged = self.post("/se/log", {"type": "browser"})
        return [entry["message"] for entry in logged if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def close(self):
        if self.session:
            self.call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()
        self.folder.cleanup()
