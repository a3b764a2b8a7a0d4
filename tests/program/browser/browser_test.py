# SPDX-License-Identifier: Apache-2.0
"""The HTML reports in a real browser: what a reader clicks and types, with scripts and without, light and
dark, wide and narrow; and strings that contain markup and scripts."""

import functools
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest

from browser import Browser
from pages import Pages
from program import SOURCE, run

# What Jenkins sends with files that builds leave (hudson.model.DirectoryBrowserSupport.CSP).
JENKINS = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';"
HOSTILE = ["<script>window.harmed = 1</script>", "<img src=x onerror='window.harmed = 1'>", "\"' onfocus=harmed=1 autofocus x='",
           "</pre></details></style></script><script>window.harmed = 1</script>", "javascript:window.harmed=1", "]]>-->",
           "a\u0000b\u202ec\ufffdd", "&lt;&#60;&amp", "x" * 20000]
PAGES = ("page.html", "full.html", "times.html", "compare.html")  # of one file each
VISIBLE = "const shown = selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()); "
GROUPS = VISIBLE + "return shown('.failure').length"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as Jenkins does."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", JENKINS)
        super().end_headers()

    def log_message(self, *_):
        pass


def hostile_stream():
    """A run in which each string takes its turn in every field."""
    with open(os.path.join(SOURCE, "tests/unit/reports/recorded.jsonl"), encoding="utf-8") as lines:
        header, *records, end = [json.loads(line) for line in lines]
    fixed = {"type", "verdict", "rung", "disposition", "diagnosis", "practice", "causes"}

    def spoiled(value, turn):
        if isinstance(value, str):
            return HOSTILE[turn % len(HOSTILE)]
        if isinstance(value, list):
            return [spoiled(one, turn + i) for i, one in enumerate(value)]
        if isinstance(value, dict):
            return {key: one if key in fixed else spoiled(one, turn + i) for i, (key, one) in enumerate(value.items())}
        return value

    for record in records:
        record |= {"snippet": "", "message": "", "known_reason": "", "file": "", "broken": [""],
                   "outcome": {"kind": "", "classes": [""], "dtype": "", "shape": [1], "digest": "", "values": ""}}
    spoilt = [spoiled(record, turn) for turn, record in enumerate(records)]
    for turn, record in enumerate(spoilt):  # a call has one record on an engine
        record["id"] += f" {turn}"
    for engine in header["engines"]:
        engine |= {"name": HOSTILE[0], "version": HOSTILE[1], "device": HOSTILE[2], "state": "unavailable: " + HOSTILE[3]}
    return [spoiled(header, 0) | {"engines": header["engines"]}, *spoilt, spoiled(end, 3)]


class Reports(Pages):
    FIRST = "page.html"

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="html ")
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        with open(cls.folder / "hostile.jsonl", "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in hostile_stream())
        for name, stream in (("page", os.path.join(SOURCE, "tests/unit/reports/recorded.jsonl")), ("hostile", cls.folder / "hostile.jsonl")):
            made = run("report", str(stream), "--report", f"html={cls.folder / name}.html", "--report", f"html-dir={cls.folder / name}")
            assert made.returncode == 1, made.stderr
        cls.make_pages()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def make_pages(cls):
        """A run with earlier runs and times, times alone, and a comparison."""
        recorded, times = (os.path.join(SOURCE, "tests", "unit", part, "recorded.jsonl")
                           for part in ("reports", "reports/timing"))
        with open(recorded, encoding="utf-8") as lines:
            header, *records, end = [json.loads(line) for line in lines]
        for day, version, good in ((1, "2.11.0", True), (2, "2.12.0", False), (3, "2.13.0", False)):
            changed = [record | ({"engine": f"torch@{version}", "version": version} if "torch@" in record["engine"] else {})
                       | ({"verdict": "pass", "disposition": "as_expected"} if good else {}) for record in records]
            with open(cls.folder / f"{day}.jsonl", "w", encoding="utf-8") as out:
                out.writelines(json.dumps(line) + "\n" for line in
                               (header | {"run": f"run-of-day-{day}", "started": f"2024-04-0{day}T00:00:00Z"}, *changed, end))
            assert run("history", "add", str(cls.folder / f"{day}.jsonl"), "--db", str(cls.folder / "h.db")).returncode == 0
        full = run("report", recorded, times, "--history", "--db", str(cls.folder / "h.db"), "--report", f"html={cls.folder}/full.html",
                   "--report", f"html-dir={cls.folder}/full")
        assert full.returncode == 1, full.stderr
        timed = run("report", times, "--report", f"html={cls.folder}/times.html")
        assert timed.returncode == 0, timed.stderr
        compared = run("compare", "gather_elements", "-e", "reference", "--shrink-time", "1ms", "--html", f"{cls.folder}/compare.html")
        assert compared.returncode == 0, compared.stderr

    def test_it_asks_for_nothing_but_itself_and_logs_nothing(self):
        for page in PAGES:
            self.open(page)
            self.assertEqual(self.requests(), [(self.folder / page).as_uri()])
            self.assertEqual(self.messages(), [])
        self.open()
        self.assertEqual(self.browser.run("return document.querySelector('h1').innerText"),
                         "Failed 9 unexpected failures, 1 stale baseline entry, 19 calls judged, of them 8 failed (1 known); not judged: "
                         "2 open, 2 unsupported, 1 infra, 1 disputed")

    def test_hostile_strings_are_text(self):
        self.open("hostile.html")
        self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        self.browser.run("for (const e of document.querySelectorAll('button, summary, a')) e.focus()")
        self.assertIsNone(self.browser.run("return window.harmed ?? null"))
        self.assertEqual(self.browser.run("return document.scripts.length"), 1)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, iframe, object, [autofocus], [onfocus], [onerror]').length"), 0)
        self.assertEqual(self.browser.run("return [...document.links].filter(a => !a.getAttribute('href').startsWith('#')).length"), 0)
        self.assertIn(HOSTILE[0], self.browser.run("return document.body.textContent"))
        self.assertEqual(self.messages(), [])
        self.assertEqual(len(self.requests()), 1)

    def test_filters_are_kept_in_the_address(self):
        self.open()
        everything = self.browser.run(GROUPS)
        self.assertGreaterEqual(everything, 9)
        self.browser.run("document.querySelector('#q').focus()")
        self.browser.press(*"onnx.scatter")
        some = self.browser.run(GROUPS)
        self.assertEqual(some, 2)
        self.assertEqual(self.browser.run(VISIBLE + "return shown('.matrix tbody th').map(e => e.innerText)"), ["onnx.ScatterND"])
        address = self.browser.url()
        self.assertTrue(address.endswith("#?q=onnx.scatter"), address)
        self.browser.open(address)
        self.assertEqual(self.browser.run(GROUPS), some)
        self.browser.click("#clear")
        self.assertEqual(self.browser.run(GROUPS), everything)
        self.assertNotIn("#", self.browser.url())

    def test_filters_join(self):
        for fragment, groups in (("#?show=known", 1), ("#?show=new", 8), ("#?verdict=mismatch", 2),
                                 ("#?engine=torch%402.13.0&show=new", 4), ("#?engine=torch%402.13.0&verdict=crash", 1),
                                 ("#?q=shifted_back", 1), ("#?q=nothing+like+it", 0)):
            self.open(fragment=fragment)
            self.assertEqual(self.browser.run(GROUPS), groups, fragment)
        self.assertIn("0 of 9 groups", self.browser.run("return document.querySelector('#shown').innerText"))

    def test_a_link_to_a_case_opens_it(self):
        name = "case/torch.Tensor.scatter_/rule/range/breaks"
        self.open(fragment="#" + name)
        self.assert_is_in_view(name)
        self.open(fragment="#?q=onnx")  # which hides it
        self.browser.run("location.hash = arguments[0]", name)
        self.assert_is_in_view(name)

    def assert_is_in_view(self, name):
        top, bottom, opened = self.browser.run(
            "const e = document.getElementById(arguments[0]), box = e.getBoundingClientRect();"
            "return [box.top, box.top - innerHeight, e.open && e.checkVisibility()]", name)
        self.assertTrue(opened)
        self.assertGreaterEqual(top, 0)
        self.assertLess(bottom, 0)

    def test_from_the_matrix_down_to_a_cell(self):
        self.open()
        self.browser.click(".matrix tr[data-api='torch.Tensor.scatter_'] td.failed a")
        place = "#api\\/torch\\.Tensor\\.scatter_"
        self.assertTrue(self.browser.run("return document.querySelector(arguments[0]).open", place))
        self.assertIn("range", self.browser.run("return document.querySelector(arguments[0]).innerText", place))
        self.browser.click("#case\\/torch\\.Tensor\\.scatter_\\/doc\\/example-1 summary")
        self.assertIn("contributions: 7 from src[3,0], 9 from src[4,0]", self.browser.run("return document.querySelector(arguments[0]).innerText", place))

    def test_the_keyboard_is_enough(self):
        self.open()
        self.browser.press("/", *"torch")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "q")
        self.browser.press("Escape", "j")
        focus = "return document.activeElement.innerText"
        first = self.browser.run(focus)
        self.browser.press("j", "o")
        second = self.browser.run(focus)
        self.assertNotEqual(first, second)
        self.assertTrue(self.browser.run("return document.activeElement.parentElement.open"))
        self.browser.press("k")
        self.assertEqual(self.browser.run(focus), first)

    def test_a_command_is_copied(self):
        self.open()
        self.browser.devtools("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.browser.run("document.querySelector('.failure').open = true")
        self.browser.click(".failure .copy button")
        wanted = self.browser.run("return document.querySelector('.failure .copy pre').textContent")
        self.assertTrue(wanted.startswith("scatterproof run "), wanted)
        self.assertEqual(self.browser.run("return navigator.clipboard.readText()"), wanted)
        self.assertEqual(self.browser.run("return document.querySelector('.failure .copy button').innerText"), "Copied")

    def test_all_can_be_read_without_scripts(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        self.open()
        self.assertEqual(self.browser.run(VISIBLE + "return shown('form, button').length"), 0)
        self.browser.click(".failure summary")
        self.assertTrue(self.browser.run(VISIBLE + "return shown('.failure .story').length"))
        self.browser.click(".matrix tbody a")
        self.assertIn("api/", self.browser.url())
        name = "case/torch.Tensor.scatter_/rule/range/breaks"
        self.open(fragment="#" + name)
        self.assertTrue(self.browser.run("return document.getElementById(arguments[0]).checkVisibility()", name))

    def test_what_stands_beside_a_run_can_be_read_without_scripts(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        for page, selectors in (("full.html", (".past .spark", ".plot svg")), ("times.html", (".plot svg",)), ("compare.html", (".comparison td a",))):
            self.open(page)
            self.assertEqual(self.browser.run(VISIBLE + "return shown('form, button').length"), 0)
            for selector in selectors:
                self.assertGreater(self.browser.run(VISIBLE + "return shown(arguments[0]).length", selector), 0, selector)
        self.browser.click(".comparison td a")
        self.assertIn("#gather_elements/", self.browser.url())
        self.browser.click(".note summary")
        self.assertIn("torch.gather", self.browser.run(VISIBLE + "return shown('.note .body')[0].innerText"))

    def test_earlier_runs_are_drawn_and_told(self):
        self.open("full.html")
        row = "const tr = [...document.querySelectorAll('.past tbody tr')].find(e => e.innerText.includes(arguments[0]) && e.innerText.includes('torch@')); "
        words = self.browser.run(row + "return tr.lastElementChild.innerText", "torch.Tensor.scatter_")
        self.assertEqual(words, "Fails since run run-of-day-2 of 2024-04-02; did not in run run-of-day-1 of 2024-04-01. Failed in 3 of 4 runs.")
        title, told, good, bad = self.browser.run(
            row + "const svg = tr.querySelector('svg'); return ['title', 'desc', '.ok', '.bad'].map(s => svg.querySelector(s)).map(e => e.textContent || e.getAttribute('d'))",
            "torch.Tensor.scatter_")
        self.assertEqual(title, "failures in 3 of 4 runs; 4 of 6 calls in the last")
        self.assertEqual(told, "Failed calls by run: 2024-04-01 (2.11.0): 0 of 6, 2024-04-02 (2.12.0): 4 of 6, 2024-04-03 (2.13.0): 4 of 6, 2024-05-01: 4 of 6")
        self.assertEqual([good.count("M"), bad.count("M")], [4, 3])
        self.browser.click(".past a")
        self.assertRegex(self.browser.url(), "#run/run-of-day-[12]$")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('[id^=\"run/\"]')].length"), 4)
        self.open("full/api-torch.Tensor.scatter_.html")  # of the folder: the runs are on the index
        self.assertEqual(self.browser.run("return document.querySelector('.spark').nextElementSibling.getAttribute('href')"), "index.html#run/run-of-day-2")

    def test_times_are_drawn_for_whoever_sees_and_whoever_does_not(self):
        for page in ("full.html", "times.html"):
            self.open(page)
            told = self.browser.run("return [...document.querySelectorAll('.plot svg')].map(e => [e.getAttribute('role'), e.querySelector('title').textContent, e.querySelector('desc').textContent])")
            self.assertGreaterEqual(len(told), 5)
            self.assertTrue(all(role == "img" and title and text for role, title, text in told), told)
            self.assertIn("B1: times", [title for _, title, _ in told])
            self.assertIn("gather on openmp: share of the floor", [title for _, title, _ in told])
            marks = self.browser.run("return [...document.querySelectorAll('.plot path title')].map(e => e.textContent)")
            self.assertIn("torch@2.13.0: 150 ms / 152 ms / 154 ms", marks)
            self.assertIn("7.00 ms", self.browser.run("return document.querySelector('.numbers').textContent"))

    def test_letters_of_a_comparison_lead_to_what_each_did(self):
        self.open("compare.html")
        cells = self.browser.run(
            "const [head, ...rows] = document.querySelectorAll('.comparison tr'); const at = [...head.children].findIndex(e => e.innerText.startsWith('torch.gather'));"
            "return Object.fromEntries(rows.map(r => [r.children[0].querySelector('code')?.innerText ?? '', r.children[at].querySelector('b')?.innerText ?? '-']))")
        self.assertEqual(cells["index/negative"], "R")
        self.assertEqual(cells[""], "=")
        wrong = self.browser.run("return [...document.querySelectorAll('.comparison td')].filter(e => !/^(-|[^ ]+( \\d+)*)$/.test(e.textContent) || !e.title).map(e => e.outerHTML)")
        self.assertEqual(wrong, [])
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('.comparison td a')].filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length"), 0)
        self.browser.run("[...document.querySelectorAll('.comparison tr')].find(e => e.innerText.startsWith('index/negative')).querySelector('td a').click()")
        note = self.browser.run("const e = document.getElementById(location.hash.slice(1)); return [e.open, e.innerText]")
        self.assertTrue(note[0])
        self.assertIn("counts-from-end", note[1])
        self.assertIn("Write it portably:", note[1])

    def test_the_folder_is_readable_as_jenkins_serves_it(self):
        for name in ("page", "hostile", "full"):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.folder / name))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
            self.browser.log("browser")
            self.browser.open(f"http://127.0.0.1:{server.server_port}/index.html")
            self.assertEqual(self.browser.run("return getComputedStyle(document.querySelector('header')).borderLeftColor"), "rgb(164, 14, 38)")
            self.browser.click(".failure summary")
            self.browser.click(".failure .body a")
            self.assertIn("/api-", self.browser.url())
            self.assertIn("#case/", self.browser.url())
            self.assertEqual(self.browser.run("return document.querySelectorAll('script, style, [style]').length"), 0)
            self.browser.click("nav a")
            self.assertTrue(self.browser.url().endswith("/index.html"))
            self.assertEqual([text for text in self.messages() if "favicon" not in text], [])

    def test_text_stands_out(self):
        """WCAG 2 AA: 4.5 to 1, 3 to 1 for large text, of every element with text of its own, opened or
        not."""
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.open()
            self.assertGreater(self.browser.run(CONTRAST)[0], 200)
            self.assertEqual(self.browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"), scheme == "dark")
            for page in PAGES:
                self.open(page)
                self.assertEqual(self.browser.run(CONTRAST)[1], [], f"{page} {scheme}")

    def test_it_has_names_and_an_order(self):
        for page in (*PAGES, "page/index.html", "page/api-torch.gather.html", "full/index.html", "hostile.html"):
            self.open(page)
            wrong, levels = self.browser.run(NAMES)
            self.assertEqual(wrong, [], page)
            self.assertEqual(levels[0], 1)
            self.assertEqual(levels.count(1), 1)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1, levels)

    def test_the_focus_is_seen(self):
        self.open()
        kinds = set()
        for _ in range(16):
            self.browser.press("Tab")
            kind, style, width = self.browser.run(
                "const e = document.activeElement, s = getComputedStyle(e); return [e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)]")
            self.assertNotEqual(style, "none", kind)
            self.assertGreaterEqual(width, 2, kind)
            kinds.add(kind)
        self.assertLessEqual({"A", "INPUT", "SELECT", "BUTTON", "SUMMARY"}, kinds)

    def test_it_fits_a_telephone(self):
        self.browser.resize(390, 844)
        for page in (*PAGES, "page/index.html", "full/index.html", "hostile.html"):
            self.open(page)
            self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390, page)

    def test_paper_shows_failures(self):
        self.open()
        visible = "return document.querySelector('.failure .body').checkVisibility()"
        self.assertFalse(self.browser.run(visible))
        self.browser.devtools("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", media="")
        self.assertTrue(self.browser.run(visible))
        self.assertEqual(self.browser.run(VISIBLE + "return shown('form, nav, button').length"), 0)


CONTRAST = """
const rgb = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
function behind(e) {
  const ground = e.closest('svg')?.querySelector('.ground');
  if (ground) return rgb(getComputedStyle(ground).fill);
  for (; e; e = e.parentElement) {
    const colour = rgb(getComputedStyle(e).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
}
const poor = [];
let checked = 0;
for (const e of document.querySelectorAll('body *')) {
  if (['SCRIPT', 'STYLE'].includes(e.tagName) || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  const style = getComputedStyle(e), size = parseFloat(style.fontSize);
  if (e.closest('title, desc')) continue;  // said, not shown
  const [a, b] = [light(rgb(e.closest('svg') ? style.fill : style.color)), light(behind(e))].sort((x, y) => y - x);
  const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  ++checked;
  if ((a + .05) / (b + .05) < needed) poor.push(`${e.tagName}.${e.className}: ${style.color} on ${behind(e)}: ${((a + .05) / (b + .05)).toFixed(2)}`);
}
return [checked, poor];
"""

NAMES = """
const wrong = [];
const say = (what, e) => wrong.push(what + ': ' + e.outerHTML.slice(0, 100));
if (!document.documentElement.lang || !document.title) wrong.push('language or title');
if (document.querySelectorAll('main').length !== 1) wrong.push('main');
for (const e of document.querySelectorAll('input, select')) if (!e.labels.length) say('no label', e);
for (const e of document.querySelectorAll('a, button, summary')) if (!e.textContent.trim()) say('no name', e);
for (const e of document.querySelectorAll('th')) if (!e.scope) say('no scope', e);
for (const e of document.querySelectorAll('[aria-labelledby]')) if (!document.getElementById(e.getAttribute('aria-labelledby'))) say('no such label', e);
for (const e of document.querySelectorAll('svg')) if (e.getAttribute('role') !== 'img' || !e.querySelector('title')?.textContent) say('no name', e);
for (const e of document.querySelectorAll('.matrix:not(.comparison) tbody td')) if (e.innerText && !/^[FKWPOU] \\d/.test(e.innerText)) say('no letter', e);
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
if (new Set(ids).size !== ids.length) wrong.push('an id twice');
return [wrong, [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => Number(e.tagName[1]))];
"""

if __name__ == "__main__":
    sys.exit(unittest.main())
