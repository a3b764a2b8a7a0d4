# SPDX-License-Identifier: Apache-2.0
"""Trouble from the machine and the user's files: closed and full descriptors, endless files."""

import os
import resource
import signal
import socket
import subprocess
import time
import unittest

import small_data
from fixture import Fixture
from program import PROGRAM, SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather")

CASES = ("torch.gather/doc/*", "--engine", "reference")


def in_shell(words, *args, env=None):
    """The program with redirections: `words` are the shell's, after the arguments."""
    return subprocess.run(["sh", "-c", f'"$@" {words}', "sh", PROGRAM, *args], text=True, capture_output=True, timeout=120,
                          env={**os.environ, "NO_COLOR": "1", **(env or {})})


class Descriptors(Fixture):
    def test_a_closed_one_is_no_files(self):
        for words in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            with self.subTest(words):
                jsonl = self.path("r.jsonl")
                result = in_shell(words, "run", *CASES, "--report", f"jsonl={jsonl}", "--report", "console=-")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual([line["type"] for line in stream(jsonl)], ["header", *["record"] * (len(stream(jsonl)) - 2), "end"])

    def test_a_full_stdout_is_said(self):
        for args in (("spec", "show", "torch.gather"), ("bench", "--list"), ("list",), ("run", *CASES)):
            with self.subTest(args):
                result = in_shell(">/dev/full", *args, env=small_data.EVERYTHING if args[0] == "bench" else None)
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertIn("on stdout could not be written completely" if args[0] == "run" else "stdout could not be written completely",
                              result.stderr)
                self.assertNotIn("bug", result.stderr)

    def test_nobody_who_reads_stdout_is_no_error(self):
        for args in (("list",), ("engines", "list", "--help"), ("spec", "show", "torch.gather")):
            with self.subTest(args):  # Python ignores SIGPIPE, and so does what it starts like this.
                reading, writing = os.pipe()
                os.close(reading)
                ended = subprocess.run([PROGRAM, *args], stdout=writing, stderr=subprocess.PIPE, timeout=120, restore_signals=False)
                os.close(writing)
                self.assertEqual((ended.returncode, ended.stderr), (128 + signal.SIGPIPE, b""))

    def test_every_report_that_cannot_be_written_is_named(self):
        nowhere = [os.path.join(self.folder, "none", name) for name in ("a.xml", "b.html")]
        good = self.write("good.jsonl", "as it was\n")
        result = run("run", *CASES, "--report", f"junit={nowhere[0]}", "--report", f"jsonl={good}", "--report", f"html={nowhere[1]}",
                     "--report", f"tap={self.path('new.tap')}")
        self.assertEqual(result.returncode, 4, result.stderr)
        for path in nowhere:
            self.assertIn(path, result.stderr)
        self.assertFalse(os.path.exists(self.path("new.tap")))
        with open(good, encoding="utf-8") as file:
            self.assertEqual(file.read(), "as it was\n")
        # A limit of file sizes counts as a full disk.
        reports = [self.path("a.xml"), self.path("b.html")]
        full = subprocess.run(["sh", "-c", 'ulimit -f 0; "$@"', "sh", PROGRAM, "run", *CASES, "--report", f"junit={reports[0]}",
                               "--report", f"html={reports[1]}"], text=True, capture_output=True, timeout=120)
        self.assertEqual(full.returncode, 4, full.stderr)
        self.assertIn(f"the reports {reports[0]} and {reports[1]} could not be written completely", full.stderr)
        self.assertEqual([path for path in reports if os.path.exists(path)], [])

    def test_a_full_stderr_stops_nothing(self):
        self.assertEqual(in_shell("2>/dev/full", "run", *CASES).returncode, 0)
        self.assertEqual(in_shell("2>/dev/full", "run", "torch.gather/doc/*", "--engine", "cmd:./none").returncode, 7)
        self.assertEqual(in_shell("2>/dev/full", "fuzz", "--api", "torch.gather", "--engine", "reference", "--cases", "20",
                                  "--save", self.path("found")).returncode, 0)


SLOW = """
import sys, time
sys.path.insert(0, {package!r})
from scatterproof_worker import Worker, Unsupported
worker = Worker(name="slow", version="1", device="cpu", dtypes=["i64"])
@worker.call("torch.gather")
def gather(input, dim, index):
    open({asked!r}, "w").close()
    time.sleep(30)
    raise Unsupported("only slow")
worker.serve()
"""


class HangingCalls(Fixture):
    HANGS = SLOW.replace("time.sleep(30)", "time.sleep(30 if index.ndim == 1 else 0)")

    def judge(self, *args):
        jsonl = self.path("r.jsonl")
        worker = self.write("hangs.py", self.HANGS.format(package=os.path.join(SOURCE, "engines", "workers", "python"), asked=self.path("asked")))
        result = run("run", "torch.gather/*", "--engine", f"cmd:'{worker_python()}' '{worker}'", "--timeout", "200ms", *args,
                     "--report", f"jsonl={jsonl}", "--report", "console=-")
        return result, *stream(jsonl)

    def test_are_skipped_after_three_time_outs(self):
        result, header, *records, end = self.judge()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual([one["verdict"] for one in records].count("timeout"), 3)
        (skipped,) = end["skipped"]
        self.assertEqual((skipped["api"], skipped["calls"]), ("torch.gather", header["planned"] - len(records)))
        self.assertGreater(skipped["calls"], 5)
        self.assertIn(f"skipped after 3 time-outs: {skipped['calls']} calls of torch.gather on slow", " ".join(result.stdout.split()))
        self.assertNotIn("whole", end)

    def test_that_are_expected_skip_no_others(self):
        known = self.write("known.yaml", "baseline:\n  - {case: 'torch.gather/*', engine: 'cmd:*', verdict: timeout, reason: known, since: 2026-01-01}\n")
        result, header, *records, end = self.judge("--baseline", known)
        self.assertEqual(len(records), header["planned"], result.stdout)
        self.assertGreater([one["verdict"] for one in records].count("timeout"), 3)
        self.assertNotIn("skipped", end)


class OneStreamOneRun(Fixture):
    def test_a_second_run_is_refused(self):
        jsonl, asked = self.path("r.jsonl"), self.path("asked")
        worker = self.write("slow.py", SLOW.format(package=os.path.join(SOURCE, "engines", "workers", "python"), asked=asked))
        first = subprocess.Popen([PROGRAM, "run", "torch.gather/*", "--engine", f"cmd:'{worker_python()}' '{worker}'", "--timeout", "60",
                                  "--report", f"jsonl={jsonl}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 60
            while not os.path.exists(asked):
                self.assertIsNone(first.poll())
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)
            with open(jsonl, encoding="utf-8") as file:
                before = file.read()
            for args in (("--report", f"jsonl={jsonl}"), ("--resume", jsonl)):
                second = run("run", *CASES, *args)
                self.assertEqual(second.returncode, 4, second.stdout + second.stderr)
                self.assertIn(f"{jsonl}: error: another run, or another report of this one, is writing this file", second.stderr)
            with open(jsonl, encoding="utf-8") as file:
                self.assertEqual(file.read(), before)
        finally:
            first.kill()
            first.wait()
        self.assertEqual(run("run", *CASES, "--report", f"jsonl={jsonl}").returncode, 0)

    def test_two_names_of_one_file(self):
        jsonl = self.path("r.jsonl")
        again = os.path.join(self.folder, ".", "r.jsonl")
        result = run("run", *CASES, "--report", f"jsonl={jsonl}", "--report", f"junit={again}")
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn("another report of this one", result.stderr)


class TheStateFolder(Fixture):
    def check(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Summary: as expected", result.stdout)
        # A slow run says what it does.
        self.assertRegex(result.stderr, r"\A(reading specs and cases \.\.\.\n)?warning: [^\n]*\n\Z")

    def test_that_cannot_be_made_is_a_warning(self):
        self.check(run("run", *CASES, env={"XDG_STATE_HOME": self.write("file", "")}))

    def test_that_is_full_is_a_warning(self):
        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.check(subprocess.run([PROGRAM, "run", *CASES], text=True, capture_output=True, timeout=120, preexec_fn=no_room,
                                  env={**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": self.folder}))


    def test_holds_ten_runs(self):
        for _ in range(12):
            self.assertEqual(run("run", "torch.gather/doc/example", "--engine", "reference", env={"XDG_STATE_HOME": self.folder}).returncode, 0)
        kept = os.listdir(self.path("scatterproof/runs"))
        self.assertEqual(len([name for name in kept if name.endswith(".jsonl")]), 10, kept)


class ALimitOfFileSizes(Fixture):
    """`ulimit -f`: a process that writes more gets SIGXFSZ, which ends it unless it handles the signal."""

    def limited(self, *args, size=100):
        with open(self.path("out"), "w", encoding="utf-8") as out:
            return subprocess.run([PROGRAM, *args], stdout=out if args[0] in ("list", "spec") else subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=120, cwd=self.folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
                                  env={**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": self.path("state")})

    def test_is_an_error_of_whoever_writes(self):
        jsonl = self.path("whole.jsonl")
        run("run", *CASES, "--report", f"jsonl={jsonl}")
        for args, words in ((("run", *CASES, "--report", "jsonl=r.jsonl"), "the report r.jsonl could not be written completely"),
                            (("list",), "stdout could not be written completely"), (("spec", "show", "torch.gather"), "stdout could not be written completely"),
                            (("report", jsonl, "--report", "html=r.html"), "the report r.html could not be written completely"),
                            (("history", "add", jsonl, "--db", "h.db"), "h.db: error: the history cannot be opened: the file cannot be read or written whole")):
            with self.subTest(args):
                result = self.limited(*args)
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertIn(words, result.stderr)

    def test_leaves_no_half_of_a_saved_case(self):
        result = self.limited("fuzz", "--api", "torch.gather", "--engine", "faulty:dropped-tail", "--cases", "500", "--save", "found")
        self.assertEqual(result.returncode, 1, result.stderr)
        left = [os.path.join(folder, name) for folder, _, names in os.walk(self.path("found")) for name in names]
        self.assertEqual(left, [])

    def test_is_met_by_other_programs_as_always(self):
        worker = self.write("w.sh", "#!/bin/sh\nhead -c 1000 /dev/zero > large\necho ended with $? >&2\n")
        os.chmod(worker, 0o755)
        result = self.limited("run", *CASES[:1], "--engine", f"cmd:'{worker}'")
        self.assertIn("ended with 153", result.stderr)  # 128 and SIGXFSZ


class Installing(Fixture):
    """A framework from a package index that does not answer."""

    def processes(self):
        """Those that have this test's folder in their command line."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read()
            except OSError:  # it has ended
                continue
            if self.folder.encode() in words:
                found.append(words.replace(b"\0", b" ").decode())
        return found

    def test_what_it_started_ends_when_it_is_killed(self):
        index = socket.create_server(("127.0.0.1", 0))
        index.settimeout(120)
        self.addCleanup(index.close)
        for number in (signal.SIGTERM, signal.SIGKILL):
            command = [PROGRAM, "engines", "install", "numpy", "--", "--index-url", f"http://127.0.0.1:{index.getsockname()[1]}/simple", "--no-cache-dir",
                       "--timeout", "300"]
            installing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                          env={**os.environ, "SCATTERPROOF_ENGINES": self.path("engines"), "PIP_FIND_LINKS": ""})
            self.addCleanup(installing.kill)
            connection, _ = index.accept()  # pip waits for an answer now
            self.addCleanup(connection.close)
            installing.send_signal(number)
            self.assertEqual(installing.wait(), -number)
            until = time.monotonic() + 10
            while left := self.processes():
                self.assertLess(time.monotonic(), until, left)
                time.sleep(0.05)


class FilesThatAreNone(Fixture):
    def assert_error(self, result, *words):
        self.assertLess(len(result.stderr), 2500)
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_a_loop_of_links(self):
        loop = self.path("l.yaml")
        os.symlink(loop, loop)
        for args in (("run", loop), ("report", loop), ("run", "--baseline", loop)):
            self.assert_error(run(*args), f"cannot open '{loop}': Too many levels of symbolic links")

    def test_streams_without_end(self):
        for args in (("report", "/dev/zero"), ("run", *CASES, "--resume", "/dev/zero")):
            self.assert_error(run(*args), "/dev/zero: error: this is not a regular file")
        self.assert_error(run("report", self.folder), f"{self.folder}: error: this is a folder, not a file")

    def test_a_line_without_end(self):
        with open(self.path("zeros"), "wb") as file:
            file.truncate(1 << 40)
        self.assert_error(run("report", self.path("zeros")), f"{self.path('zeros')}:1:1: error: the line is longer than")

    def test_a_pipe_is_a_stream(self):
        jsonl = self.path("r.jsonl")
        run("run", *CASES, "--report", f"jsonl={jsonl}")
        piped = subprocess.run(["sh", "-c", f'cat "$2" | "$1" report /dev/stdin', "sh", PROGRAM, jsonl], text=True, capture_output=True)
        self.assertEqual(piped.returncode, 0, piped.stderr)

    def test_many_bad_lines_are_counted(self):
        jsonl = self.path("r.jsonl")
        run("run", *CASES, "--report", f"jsonl={jsonl}")
        with open(jsonl, encoding="utf-8") as file:
            header = file.readline()
        self.write("bad.jsonl", header + "nonsense\n" * 10_000)
        result = run("report", self.path("bad.jsonl"))
        self.assertLess(len(result.stderr.splitlines()), 20)
        self.assert_error(result, "bad.jsonl:2:1: error: not a line of JSON", "and 9990 more lines")


if __name__ == "__main__":
    unittest.main()
