# SPDX-License-Identifier: Apache-2.0
"""`site`: whole without results, links that lead somewhere, and results that are kept and shown."""

import html
import html.parser
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
import urllib.parse

import small_data
from fixture import Fixture
from program import PROGRAM, SOURCE, run, worker_python

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter_add_", "numpy/numpy.take_along_axis", "jax/jax.numpy.ndarray.at.updates")

MEGABYTE = 1_000_000
HOSTILE = "<script>window.harmed = 1</script><img src=x onerror=harmed=1>"


# In an engine's Python: executes code over arguments, and prints what the last line gives. What numpy makes
# is converted before that. jax executes it twice, once under jax.jit.
EXECUTE = """
import functools, json, sys
import numpy as np
engine, lines, given = json.load(sys.stdin)
library = __import__({"jax": "jax.numpy"}.get(engine, engine))
make = {"jax": lambda value: library.numpy.array(value), "numpy": np.array, "paddle": lambda value: library.to_tensor(value),
        "torch": lambda value: library.tensor(value)}[engine]
def tensor(value):
    return make(np.array(value, int))
def execute(**arguments):
    scope = {engine: library, **arguments}
    exec("\\n".join(lines[:-1]), scope)
    if engine != "jax":
        scope.update({name: make(value) for name, value in scope.items() if isinstance(value, np.ndarray) and engine != "numpy"})
    return eval(lines[-1], scope)
tensors = {name: tensor(value) for name, value in given.items() if name not in ("dim", "axis")}
if engine in ("torch", "paddle") and "np." in "".join(lines):
    tensors = {name: np.array(value, int) for name, value in given.items() if name not in ("dim", "axis")}
numbers = {name: value for name, value in given.items() if name in ("dim", "axis")}
results = [execute(**tensors, **numbers)]
if engine == "jax":
    results.append(library.jit(functools.partial(execute, **numbers))(**tensors))
written = next(iter(tensors.values()))
print(json.dumps([(written if result is None else result).tolist() for result in results]))
"""


def executed(engine, lines, given):
    done = subprocess.run([worker_python(engine), "-c", EXECUTE], input=json.dumps([engine, lines, given]), text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{lines}\n{given}\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


ROWS = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
GATHERS = [dict(input=ROWS, dim=1, index=[[3, 0], [2, 2]]), dict(input=ROWS, dim=-2, index=[[2], [0]]), dict(input=ROWS, dim=0, index=[[2, 0, 1, 1]])]
SCATTERS = [dict(self=ROWS, dim=1, index=[[3, 0], [2, 1]], src=[[-1, -2, -3], [-4, -5, -6], [-7, -8, -9]]), dict(self=ROWS, dim=-2, index=[[2], [0]], src=[[-1], [-2]])]
# Calls in which APIs of one family part, by pair.
PORTS = {
    "torch.gather-to-numpy.take_along_axis": GATHERS,
    "torch.gather-to-jax.numpy.take_along_axis": GATHERS,
    "torch.scatter-to-numpy.put_along_axis": SCATTERS,
    "torch.scatter-to-jax.numpy.put_along_axis": SCATTERS,
    "torch.scatter_add-to-paddle.put_along_axis": SCATTERS,
    "numpy.take_along_axis-to-torch.gather": [dict(arr=ROWS, axis=1, indices=[[-1, 0]]), dict(arr=ROWS, axis=-2, indices=[[-3], [1]]),
                                              dict(arr=[[1], [2]], axis=0, indices=[[0, -1, 1]])],
    "numpy.put_along_axis-to-torch.Tensor.scatter_": [dict(arr=ROWS, axis=1, indices=[[-1, 0]], values=[[-1], [-2], [-3]]),
                                                      dict(arr=ROWS, axis=-2, indices=[[-1], [0]], values=-5)],
}


class Page(html.parser.HTMLParser):
    """The ids, links and elements of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.files, self.elements, self.text = [], [], [], set(), ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.add(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        self.files += [attrs[name] for name in ("src",) if name in attrs]
        if tag == "link":
            self.files.append(attrs["href"])

    def handle_data(self, data):
        self.text += data


class Site:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.pages = {path.name: Page(path) for path in self.folder.glob("*.html")}

    def broken(self):
        """Links and files that do not exist, or that are not relative; ids that are there twice."""
        wrong = []
        for name, page in self.pages.items():
            wrong += [f"{name}: the id {one} twice" for one in set(page.ids) if page.ids.count(one) > 1]
            wrong += [f"{name}: {one}" for one in page.files if not (self.folder / one).is_file()]
            for link in page.links:
                if link.startswith(("https://", "http://")):
                    continue
                file, _, place = link.partition("#")
                target = self.pages.get(urllib.parse.unquote(file) or name)
                if target is None or (place and place not in target.ids):
                    wrong.append(f"{name}: {link}")
        return wrong

    def size(self):
        return sum(path.stat().st_size for path in self.folder.iterdir())


def site(*words, data=None):
    started = time.monotonic()
    made = run("site", *words, env=data, timeout=900)
    print(f"site: {time.monotonic() - started:.1f} s", flush=True)
    return made


class TheWholeSite(unittest.TestCase):
    """Of all that is shipped."""

    @classmethod
    def setUpClass(cls):
        place = small_data.tempfile.TemporaryDirectory(prefix="site ")
        cls.addClassCleanup(place.cleanup)
        cls.made = site(os.path.join(place.name, "pages"), data=small_data.EVERYTHING)
        cls.site = Site(os.path.join(place.name, "pages"))
        print(f"{len(cls.site.pages)} pages, {cls.site.size() / MEGABYTE:.1f} MB")

    def test_it_is_made(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        self.assertIn(f"{len(self.site.pages)} pages: ", self.made.stdout)

    def test_every_link_leads_somewhere(self):
        self.assertEqual(self.site.broken()[:20], [])

    def test_shipped_results_are_few_and_shown(self):
        kept = pathlib.Path(small_data.SOURCE, "engines/results")
        self.assertLess(sum(path.stat().st_size for path in kept.iterdir()), 1.5 * MEGABYTE)
        self.assertIn("torch@2.13.0", self.site.pages["api-torch.gather.html"].text)
        releases = [one for one in self.site.pages["api-onnx.GatherElements.html"].ids if one.startswith("run-onnx~40")]
        self.assertGreater(len(releases), 1)  # release by release

    def test_it_fits_a_static_host(self):
        self.assertLess(self.site.size(), 30 * MEGABYTE)

    def test_every_api_has_a_page_that_the_index_names(self):
        listed = run("spec", "list", env=small_data.EVERYTHING).stdout.splitlines()
        apis = {line.split()[0] for line in listed if line.strip()}
        self.assertGreater(len(apis), 100)
        for api in apis:
            self.assertIn(f"api-{api}.html", self.site.pages)
            self.assertIn(f"api-{api}.html", self.site.pages["index.html"].links)

    def test_every_finding_and_claim_has_a_place(self):
        findings = [name for name in self.site.pages if name.startswith("finding-")]
        self.assertGreater(len(findings), 100)
        self.assertEqual(set(findings) - set(self.site.pages["findings.html"].links), set())
        self.assertIn("claims-onnx_exporters.html#EX-01", self.site.pages["claims.html"].links)
        self.assertIn("EX-01", self.site.pages["claims-onnx_exporters.html"].ids)

    def test_a_porter_is_there_in_two_clicks(self):
        self.assertIn("api-torch.scatter_add.html", self.site.pages["index.html"].links)
        pair = "pair-torch.scatter_add-to-jax.numpy.ndarray.at.add.html"
        self.assertIn(pair, self.site.pages["api-torch.scatter_add.html"].links)
        self.assertIn("new_data.at[new_index].add(new_updates)", self.site.pages[pair].text)
        self.assertIn("differences", self.site.pages[pair].ids)

    def test_every_difference_has_a_call(self):
        """Of two families, on the pages of the APIs."""
        page = self.site.pages["pair-torch.scatter_add-to-jax.numpy.ndarray.at.add.html"]
        self.assertIn("index/below", page.ids)
        for api in ("torch.scatter_add", "jax.numpy.ndarray.at.add"):
            self.assertIn(f"api-{api}.html", page.links)
            text = (self.site.folder / f"api-{api}.html").read_text(encoding="utf-8")
            row = re.search(r'<tr id="class-index/below">.*?\n', text)[0]
            self.assertRegex(html.unescape(row), re.escape(f"<code>{api}(") + r".*-\d+.*</code>")

    def test_every_difference_of_twins_has_an_example(self):
        """On the page of the pair, or on that of the first API, which has all kinds of calls."""
        page = self.site.pages["pair-torch.gather-to-numpy.take_along_axis.html"]
        kinds = {one for one in page.ids if "/" in one and not one.startswith("example-")}
        self.assertGreater(len(kinds), 8)
        examples = {one.removeprefix("example-") for one in page.ids if one.startswith("example-")}
        self.assertIn("index/smaller", examples)
        self.assertEqual({one.removeprefix("#example-") for one in page.links if one.startswith("#example-")}, examples)
        self.assertIn("api-torch.gather.html", page.links)
        there = {one.removeprefix("class-") for one in self.site.pages["api-torch.gather.html"].ids if one.startswith("class-")}
        self.assertEqual(kinds - there, set())

    def test_what_no_porter_needs_is_named(self):
        """Where the document promises nothing, and no engine gives a result, there is no row."""
        text = (self.site.folder / "pair-torch.gather-to-numpy.take_along_axis.html").read_text(encoding="utf-8")
        self.assertIn('<code id="index/below">', text)
        self.assertIn('<tr id="index/smaller">', text)
        back = (self.site.folder / "pair-numpy.take_along_axis-to-torch.gather.html").read_text(encoding="utf-8")
        self.assertIn('<tr id="index/smaller">', back)  # numpy promises a refusal

    def test_names_of_one_meaning_tell_their_classes_once(self):
        page = self.site.pages["api-torch.Tensor.scatter_.html"]
        self.assertIn("api-torch.scatter.html#classes", page.links)
        self.assertEqual([one for one in page.ids if one.startswith("class-")], [])
        self.assertIn("class-index/below", self.site.pages["api-torch.scatter.html"].ids)

    def test_names_of_one_meaning_tell_their_cases_once(self):
        """Each case is on the page of its name, or of the name that this page names."""
        cases = {api: {one for one in self.site.pages[f"api-{api}.html"].ids if one.startswith("case-")} for api in ("torch.scatter", "torch.Tensor.scatter_")}
        self.assertGreater(len(cases["torch.scatter"]), 50)
        self.assertIn("api-torch.scatter.html#all-cases", self.site.pages["api-torch.Tensor.scatter_.html"].links)
        listed = run("list", "torch.Tensor.scatter_/*", env=small_data.EVERYTHING).stdout.split()
        ids = {f"case-{one.partition('/')[2]}" for one in listed if one.startswith("torch.Tensor.scatter_/") and "/formula/" not in one}
        self.assertGreater(len(ids), 50)
        self.assertEqual(ids - cases["torch.scatter"] - cases["torch.Tensor.scatter_"], set())

    def test_from_framework_to_framework(self):
        page = self.site.pages["from-torch-to-jax.html"]
        self.assertIn("from-torch-to-jax.html", self.site.pages["index.html"].links)
        self.assertIn("pair-torch.scatter_add-to-jax.numpy.ndarray.at.add.html", page.links)
        self.assertIn("torch.scatter_add", page.ids)
        frameworks = len(os.listdir(os.path.join(SOURCE, "spec/data/ops")))
        self.assertEqual(len([name for name in self.site.pages if name.startswith("from-")]), frameworks * (frameworks - 1))

    def test_the_pages_that_other_commands_name_are_there(self):
        said = run("show", "torch.scatter_add([1.], 0, [0, 0], [2., 3.])", "--snippet", "mlx", env=small_data.EVERYTHING)
        pages = re.findall(r"DIR/(pair-\S+[.]html)", said.stderr)
        self.assertTrue(pages, said.stdout + said.stderr)
        for page in pages:
            self.assertIn(page, self.site.pages)

    def code(self, pair):
        """The call of a pair, and the lines that write it with the other API."""
        text = (self.site.folder / f"pair-{pair}.html").read_text(encoding="utf-8")
        first, *lines = html.unescape(re.search(r'id="how".*?<pre>(.*?)</pre>', text, re.S)[1]).splitlines()
        return first.removeprefix("# ").replace(", reduce=reduce", ""), lines

    def test_the_code_of_a_page_gives_what_the_call_gives(self):
        """Each framework executes its own call. What is wanted first is written here by hand."""
        call, code = self.code("torch.scatter_add-to-numpy.add.at")
        given = dict(self=[[1, 2, 3], [4, 5, 6]], dim=1, index=[[0, 0], [2, 1]], src=[[10, 20, 7], [30, 40, 7]])
        wanted = [[31, 2, 3], [4, 45, 36]]
        self.assertEqual(executed("torch", [call], given), [wanted])
        self.assertEqual(executed("numpy", code, given), [wanted])
        for pair, calls in PORTS.items():
            first, second = pair.split("-to-")
            call, code = self.code(pair)
            for given in calls:
                wanted = executed(first.partition(".")[0], [call], given)
                for result in executed(second.partition(".")[0], code, given):
                    self.assertEqual([result], wanted, (pair, given, code))

    def test_the_code_for_jax_takes_an_empty_index(self):
        for name in ("add", "add.tuple"):
            _, code = self.code(f"torch.scatter_add-to-jax.numpy.ndarray.at.{name}")
            self.assertIn('# jax.jit needs static_argnames=["dim"]', code)
            for given in (dict(self=[1, 2], dim=0, index=[], src=7), dict(self=[[1, 2]], dim=0, index=[[0]], src=[[7, 8], [9, 10]])):
                wanted = executed("torch", ["torch.scatter_add(self, dim, index, src)"], given)
                self.assertEqual(executed("jax", code, given), wanted + wanted, code)

    def test_words_are_those_of_the_other_api(self):
        def code(pair):
            return self.site.pages[f"pair-{pair}.html"].text
        self.assertIn('reduction={"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}[reduce]', code("torch.scatter_reduce-to-onnx.ScatterElements"))
        self.assertIn("overwrite=False", code("torch.Tensor.index_add_-to-paddle.scatter"))
        self.assertIn("# if dim is 0", code("torch.Tensor.index_add_-to-paddle.scatter"))
        self.assertIn('# 64-bit dtypes need jax.config.update("jax_enable_x64", True)', code("torch.scatter_reduce-to-jax.numpy.ndarray.at.add.tuple"))
        self.assertIn("# if include_self is True", code("torch.scatter_reduce-to-jax.numpy.ndarray.at.add.tuple"))
        self.assertIn("np.broadcast_arrays(*indices)", code("jax.numpy.ndarray.at.min.tuple-to-mindspore.ops.tensor_scatter_min"))

    def test_what_the_code_settles_is_no_difference(self):
        """It cuts the updates, whatever jax does with larger ones. Of one family, the row says so."""
        page = self.site.pages["pair-torch.scatter_add-to-jax.numpy.ndarray.at.add.tuple.html"]
        self.assertIn("updates/repeatable", page.ids)
        self.assertNotIn("updates/larger", page.ids)
        text = (self.site.folder / "pair-torch.gather-to-numpy.take_along_axis.html").read_text(encoding="utf-8")
        self.assertIn("The code above does it.", re.search(r'<tr id="index/smaller">.*?\n', text)[0])

    def test_a_number_is_no_twin_of_a_tensor(self):
        self.assertNotIn("pair-torch.scatter_add-to-tinygrad.Tensor.scatter.value.html", self.site.pages)

    def test_it_asks_nobody_else(self):
        """The one style sheet and the one script lie in the folder; no page needs more."""
        for name, page in self.site.pages.items():
            self.assertEqual(page.files, ["scatterproof.css", "scatterproof.js"], name)
            self.assertFalse(page.elements & {"img", "iframe", "object", "style"}, name)


class ResultsOfEngines(Fixture):
    def test_without_results_it_says_what_is_missing(self):
        os.mkdir(self.path("none"))
        made = site(self.path("pages"), "--results", self.path("none"))
        self.assertEqual(made.returncode, 0, made.stderr)
        pages = Site(self.path("pages"))
        self.assertEqual(pages.broken(), [])
        self.assertIn("No results of engines are kept", pages.pages["index.html"].text)
        self.assertIn("scatterproof run 'torch.gather/*' -e torch", pages.pages["api-torch.gather.html"].text)
        self.assertIn("refuses the call", pages.pages["pair-torch.gather-to-numpy.take_along_axis.html"].text)

    def kept(self):
        """Results of the reference engine, as the site keeps them, and what made them."""
        os.mkdir(self.path("none"))
        ran = run("run", "torch.gather/*", "-e", "reference", "--report", f"jsonl={self.path('run.jsonl')}")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        compared = run("compare", "gather_elements", "-e", "reference", "-e", "openmp", "--shrink-time", "1ms", "--json", self.path("now.json"))
        self.assertEqual(compared.returncode, 0, compared.stderr)
        made = site(self.path("pages"), "--results", self.path("none"), "--run", self.path("run.jsonl"), "--compare", self.path("now.json"),
                    "--keep", self.path("kept"))
        self.assertEqual(made.returncode, 0, made.stderr)
        return sorted(os.listdir(self.path("kept")))

    def test_results_are_kept_and_make_the_same_site(self):
        names = self.kept()
        self.assertEqual([name.split("@")[0] for name in names], ["openmp", "reference"])
        with open(self.path(f"kept/{names[1]}"), encoding="utf-8") as file:
            kept = json.load(file)
        self.assertGreater(kept["apis"]["torch.gather"]["verdicts"]["pass"], 10)
        self.assertTrue(kept["apis"]["torch.gather"]["rules"]["index-in-range"].startswith("enforced"))
        self.assertIn("index/negative", kept["apis"]["torch.gather"]["classes"])
        page = Site(self.path("pages")).pages["api-torch.gather.html"]
        self.assertIn("enforced", page.text)
        self.assertIn("breaks-index-in-range", page.ids)
        self.assertIn("runs", page.ids)
        again = site(self.path("again"), "--results", self.path("kept"))
        self.assertEqual(again.returncode, 0, again.stderr)
        for name in ("api-torch.gather.html", "figures.html"):
            self.assertEqual(pathlib.Path(self.path(f"again/{name}")).read_text(), pathlib.Path(self.path(f"pages/{name}")).read_text())

    def test_hostile_results_are_text(self):
        os.mkdir(self.path("kept"))
        self.write("kept/evil.json", json.dumps({
            "type": "kept results", "engine": HOSTILE, "release": HOSTILE, "device": HOSTILE, "date": HOSTILE,
            "apis": {"torch.gather": {"verdicts": {HOSTILE: 1}, "rules": {HOSTILE: HOSTILE}, "failures": [[HOSTILE, HOSTILE, HOSTILE]],
                                      "classes": {"index/negative": [[HOSTILE, 1, False]]}}}}))
        made = site(self.path("pages"), "--results", self.path("kept"))
        self.assertEqual(made.returncode, 0, made.stderr)
        pages = Site(self.path("pages"))
        self.assertEqual(pages.broken(), [])
        self.assertIn(HOSTILE, pages.pages["api-torch.gather.html"].text)
        self.assertFalse({"img"} & pages.pages["api-torch.gather.html"].elements)

    def test_mistakes_are_named(self):
        for text in ("", "{}", "[1]", '{"type": "kept results"}', '{"type": "else", "apis": {}}'):
            self.write("kept/bad.json", text)
            made = site(self.path("pages"), "--results", self.path("kept"))
            self.assertEqual(made.returncode, 4, text)
            self.assertIn("bad.json: error: this file does not keep results", made.stderr)
        self.write("other/mine.txt", "mine")
        made = site(self.path("other"))
        self.assertEqual(made.returncode, 4)
        self.assertIn("holds files that are not part of a site", made.stderr)
        made = site(self.path("pages"), "--compare", self.write("wrong.json", "{}"))
        self.assertEqual(made.returncode, 4)
        self.assertIn("wrong.json: error: this is not a comparison", made.stderr)

    def test_it_can_be_interrupted(self):
        started = subprocess.Popen([PROGRAM, "site", self.path("pages")], stderr=subprocess.PIPE, text=True)
        line = started.stderr.readline()  # it is at work
        started.send_signal(signal.SIGINT)
        _, rest = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 2, line + rest)
        self.assertIn("interrupted: the site is not whole", rest)
        self.assertFalse(os.path.exists(self.path("pages/index.html")), "it looks whole")

    def test_an_earlier_site_is_replaced(self):
        os.makedirs(self.path("pages"))
        self.write("pages/old.html", "old")
        self.write("pages/report-files.txt", "old.html\n")
        made = site(self.path("pages"))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertFalse(os.path.exists(self.path("pages/old.html")))
        with open(self.path("pages/report-files.txt"), encoding="utf-8") as listed:
            names = listed.read().split()
        self.assertEqual(sorted([*names, "report-files.txt"]), sorted(os.listdir(self.path("pages"))))


if __name__ == "__main__":
    unittest.main()
