# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over the WebDriver protocol by Debian's chromedriver."""

import base64
import json
import re
import subprocess
import urllib.request

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--disable-background-networking", "--no-first-run"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007"}


class Browser:
    """One window. Errors of the protocol are RuntimeError."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if port := re.search(r"started successfully on port (\d+)", line):
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.address = f"http://127.0.0.1:{port[1]}/session"
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": ARGUMENTS},
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        session = self.send("", {"capabilities": {"alwaysMatch": capabilities}})
        self.address += "/" + session["sessionId"]

    def send(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def close(self):
        self.send("", method="DELETE")
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()

    def devtools(self, command, **parameters):
        return self.send("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url):
        """A fresh load, even where only the fragment differs."""
        self.send("/url", {"url": "about:blank"})
        self.send("/url", {"url": url})

    def url(self):
        return self.send("/url")

    def run(self, script, *arguments):
        """The result of the script, which is the body of a function. Works where the page's own scripts are
        off, too."""
        return self.send("/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        """Keys, one after the other, to whatever has the focus."""
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.send("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        found = self.send("/element", {"using": "css selector", "value": selector})[ELEMENT]
        self.send(f"/element/{found}/click", {})

    def log(self, kind):
        """What was logged since the last time: the console (`browser`), or the protocol's events
        (`performance`)."""
        return self.send("/se/log", {"type": kind})

    def resize(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=width < 500)

    def prefer(self, scheme):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.send("/screenshot")))
