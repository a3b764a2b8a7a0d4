# SPDX-License-Identifier: Apache-2.0
"""The site in a real browser: found in two clicks, with scripts and without, light and dark, wide and narrow,
on paper, by keyboard; from disk, and from a host that forbids scripts."""

import functools
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest

import small_data
from browser import Browser
from browser_test import CONTRAST, HOSTILE, NAMES, VISIBLE, Quiet
from pages import Pages
from program import run

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter_add_", "numpy/numpy.take_along_axis", "jax/jax.numpy.ndarray.at.updates")

PAIR = "pair-torch.scatter_add-to-jax.numpy.ndarray.at.add.html"
TWINS = "pair-torch.gather-to-numpy.take_along_axis.html"
PAGES = ("index.html", "api-torch.gather.html", "api-torch.scatter_add.html", PAIR, TWINS, "from-torch-to-jax.html", "findings.html", "finding-F12.html", "claims.html",
         "figures.html")
ITEMS = VISIBLE + "return shown('.searched li').length"


class TheSite(Pages):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="site ")
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name) / "pages"
        words = {"type": "kept results", "engine": HOSTILE[0], "release": HOSTILE[1], "device": HOSTILE[2], "date": HOSTILE[3], "apis": {
            "torch.gather": {"verdicts": {HOSTILE[3]: 1}, "rules": {"index-in-range": HOSTILE[0], HOSTILE[4]: HOSTILE[2]},
                             "failures": [[HOSTILE[0], HOSTILE[1], HOSTILE[2]]],
                             "classes": {"index/negative": [[HOSTILE[0], 1, False]]}}}}
        kept = pathlib.Path(place.name) / "kept"
        kept.mkdir()
        (kept / "evil.json").write_text(json.dumps(words), encoding="utf-8")
        ran = run("run", "torch.gather/*", "-e", "reference", "--report", f"jsonl={place.name}/run.jsonl")
        assert ran.returncode == 0, ran.stderr
        made = run("site", str(cls.folder), "--results", str(kept), "--run", f"{place.name}/run.jsonl", timeout=900)
        assert made.returncode == 0, made.stderr
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def at(self, name):
        self.assertEqual(self.browser.url().split("#")[0], (self.folder / name).as_uri())

    def click_on(self, text, within="main"):
        self.assertTrue(self.browser.run("const a = [...document.querySelectorAll(arguments[0] + ' a')].find(e => e.innerText === arguments[1]); "
                                         "a?.click(); return Boolean(a)", within, text), text)

    def test_a_porter_is_there_in_two_clicks(self):
        for scripts in (True, False):
            self.browser.devtools("Emulation.setScriptExecutionDisabled", value=not scripts)
            self.open()
            self.click_on("torch.scatter_add")
            self.at("api-torch.scatter_add.html")
            self.click_on("jax.numpy.ndarray.at.add")
            self.at(PAIR)
            self.assertIn("new_data.at[new_index].add(new_updates)", self.browser.run("return document.querySelector('pre').innerText"))

    def test_it_asks_for_nothing_but_its_own_files_and_logs_nothing(self):
        own = [(self.folder / name).as_uri() for name in ("scatterproof.css", "scatterproof.js")]
        for page in PAGES:
            self.open(page)
            self.assertEqual(sorted(self.requests()), sorted([(self.folder / page).as_uri(), *own]))
            self.assertEqual(self.messages(), [], page)

    def test_search_is_kept_in_the_address(self):
        self.open()
        everything = self.browser.run(ITEMS)
        self.browser.press("/", *"scatter_add jax")
        some = self.browser.run(ITEMS)
        self.assertLess(some, everything)
        self.assertGreater(some, 0)
        self.assertIn("torch.scatter_add", self.browser.run(VISIBLE + "return shown('.searched li').map(e => e.innerText).join()"))
        self.assertIn(f"{some} of {everything}", self.browser.run("return document.querySelector('#shown').innerText"))
        address = self.browser.url()
        self.assertTrue(address.endswith("#?q=scatter_add%20jax"), address)
        self.browser.open(address)
        self.assertEqual(self.browser.run(ITEMS), some)
        self.browser.press("/", "Enter")
        self.assertIn("/api-", self.browser.url())

    def test_all_can_be_read_without_scripts(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        for page in PAGES:
            self.open(page)
            self.assertEqual(self.browser.run(VISIBLE + "return shown('form, button').length"), 0, page)
            self.assertGreater(self.browser.run(VISIBLE + "return shown('main h1').length"), 0, page)

    def test_a_permalink_opens_its_place(self):
        self.open("api-torch.gather.html", "#all-cases")
        self.assertTrue(self.browser.run("return document.getElementById('all-cases').open"))
        self.open(TWINS, "#example-index/smaller")
        self.assertTrue(self.browser.run("return document.getElementById('example-index/smaller').open"))
        self.open(TWINS)
        self.browser.click("#differences a")
        self.assertTrue(self.browser.url().endswith("#differences"))
        self.assertTrue(self.browser.run("return document.getElementById('index/smaller').tagName === 'TR'"))

    def test_hostile_results_are_text(self):
        self.open("api-torch.gather.html")
        self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        self.browser.run("for (const e of document.querySelectorAll('button, summary, a')) e.focus()")
        self.assertIsNone(self.browser.run("return window.harmed ?? null"))
        self.assertEqual(self.browser.run("return document.scripts.length"), 1)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, iframe, object, [autofocus], [onfocus], [onerror]').length"), 0)
        self.assertIn(HOSTILE[0], self.browser.run("return document.body.textContent"))

    def test_a_host_may_forbid_scripts(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.browser.open(f"http://127.0.0.1:{server.server_port}/index.html")
        self.assertEqual(self.browser.run("return getComputedStyle(document.querySelector('header')).borderLeftStyle"), "solid")
        self.click_on("torch.gather")
        self.assertTrue(self.browser.url().endswith("/api-torch.gather.html"))

    def test_text_stands_out(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            for page in PAGES:
                self.open(page)
                checked, poor = self.browser.run(CONTRAST)
                self.assertGreater(checked, 5)
                self.assertEqual(poor, [], f"{page} {scheme}")

    def test_it_has_names_and_an_order(self):
        for page in PAGES:
            self.open(page)
            wrong, levels = self.browser.run(NAMES)
            self.assertEqual(wrong, [], page)
            self.assertEqual((levels[0], levels.count(1)), (1, 1), page)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1, page)

    def test_it_fits_a_telephone(self):
        self.browser.resize(390, 844)
        for page in PAGES:
            self.open(page)
            self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390, page)

    def test_the_keyboard_is_enough(self):
        self.open(TWINS)
        kinds = set()
        for _ in range(40):  # through the whole page
            self.browser.press("Tab")
            if self.browser.run("return document.activeElement === document.body"):
                break
            kind, style, width = self.browser.run(
                "const e = document.activeElement, s = getComputedStyle(e); return [e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)]")
            self.assertNotEqual(style, "none", kind)
            self.assertGreaterEqual(width, 2, kind)
            kinds.add(kind)
        self.assertLessEqual({"A", "DIV", "SUMMARY"}, kinds)  # a table scrolls by keys

    def test_paper_shows_examples_and_no_navigation(self):
        self.open(TWINS)
        visible = "return document.querySelector('.fold > div').checkVisibility()"
        self.assertFalse(self.browser.run(visible))
        self.browser.devtools("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", media="")
        self.assertTrue(self.browser.run(visible))
        self.assertEqual(self.browser.run(VISIBLE + "return shown('form, nav, button').length"), 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
