# SPDX-License-Identifier: Apache-2.0
"""Tests of pages in a real browser. A class makes them in `folder` and has a `browser`."""

import json
import unittest


class Pages(unittest.TestCase):
    FIRST = "index.html"

    def setUp(self):
        self.browser.resize(1280, 900)
        self.browser.prefer("light")
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)

    def open(self, name=None, fragment=""):
        self.browser.log("browser"), self.browser.log("performance")
        self.browser.open((self.folder / (name or self.FIRST)).as_uri() + fragment)

    def messages(self):
        """What the browser has logged since the last call."""
        return [entry["message"] for entry in self.browser.log("browser")]

    def requests(self):
        """What it has asked for, likewise."""
        events = [json.loads(entry["message"])["message"] for entry in self.browser.log("performance")]
        sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [url.split("#")[0] for url in sent if url != "about:blank"]
