# SPDX-License-Identifier: Apache-2.0
"""What the settings of a checkout may do before the user approves them, and after."""

import os
import unittest

import small_data
from fixture import Fixture
from program import run

small_data.use("torch/torch.gather")


class Trust(Fixture):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("repository/.git"))
        self.here = self.path("repository")
        self.state = {"XDG_STATE_HOME": self.path("state")}

    def settings(self, text):
        return self.write("repository/scatterproof.yaml", text)

    def command(self, *words, **env):
        return run(*words, cwd=self.here, env={**self.state, **env})

    def marked(self):
        """Whether the program that the settings name has run, since this was asked last."""
        path = self.path("repository/mark")
        was = os.path.exists(path)
        if was:
            os.remove(path)
        return was

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def name_a_program(self):
        self.settings("commands:\n  run: {engine: 'cmd:touch mark'}\n")

    def test_a_program_is_not_started_before_its_file_is_approved(self):
        self.name_a_program()
        words = ("run", "torch.gather/doc/*")
        self.assert_refused(self.command(*words), "scatterproof.yaml:2:17: error: option 'engine' starts a program: cmd:touch mark",
                            "`scatterproof trust`")
        self.assertFalse(self.marked())
        approved = self.command("trust")
        self.assertEqual(approved.returncode, 0, approved.stderr)
        self.assertIn("scatterproof.yaml:2: run --engine starts a program: cmd:touch mark", approved.stdout)
        result = self.command(*words)
        self.assertTrue(self.marked(), result.stderr)
        self.assertEqual(result.stderr.splitlines()[0], "note: cmd:touch mark from scatterproof.yaml:2")

    def test_a_file_that_changed_is_another_file(self):
        self.name_a_program()
        self.command("trust")
        self.assertIn("repository/scatterproof.yaml", self.command("trust", "--list").stdout)
        with open(self.path("repository/scatterproof.yaml"), "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.assertEqual(self.command("trust", "--list").stdout, "")
        self.assert_refused(self.command("run", "torch.gather/doc/*"), "starts a program")
        self.assertFalse(self.marked())

    def test_an_approval_can_be_taken_back(self):
        self.name_a_program()
        self.command("trust")
        self.assertIn("is no longer approved", self.command("trust", "--revoke").stdout)
        self.assertIn("was not approved", self.command("trust", "--revoke").stdout)
        self.assert_refused(self.command("run", "torch.gather/doc/*"), "starts a program")

    def test_ci_approves_everything_by_a_variable(self):
        self.name_a_program()
        self.command("run", "torch.gather/doc/*", SCATTERPROOF_TRUST="1")
        self.assertTrue(self.marked())
        self.command("run", "torch.gather/doc/*", SCATTERPROOF_TRUST="0")
        self.assertFalse(self.marked())

    def test_commands_that_judge_nothing_never_start_programs_of_a_file(self):
        for command in ("list", "spec coverage", "spec documents"):
            self.settings(f"commands: {{{command}: {{engine: 'cmd:touch mark'}}}}\n")
            for environment in ({}, {"SCATTERPROOF_TRUST": "1"}):
                self.assert_refused(self.command(*command.split(), **environment), f"option 'engine' of {command} names a program")
            self.assertFalse(self.marked())

    def test_what_is_typed_needs_no_approval(self):
        self.name_a_program()
        self.assertEqual(self.command("run", "torch.gather/doc/*", "-e", "reference").returncode, 0)
        self.assertEqual(self.command("list", "torch.gather/doc/*").returncode, 0)
        self.assertEqual(self.command("run", "--show-config").returncode, 0)
        self.assertFalse(self.marked())

    def test_nothing_is_written_outside_of_the_repository(self):
        os.symlink(self.path("victim"), self.path("repository/link"))
        for place in ("../victim", self.path("victim"), "link", ".git/hooks/pre-commit"):
            self.settings(f"commands: {{run: {{engine: reference, report: ['html={place}']}}}}\n")
            self.assert_refused(self.command("run", "torch.gather/doc/*"), "is outside of the repository")
            self.assertFalse(os.path.exists(self.path("victim")))
        self.settings("commands: {run: {engine: reference, report: [html=page.html]}}\n")
        self.assertEqual(self.command("run", "torch.gather/doc/*").returncode, 0)

    def test_a_server_is_not_asked(self):
        self.settings("commands: {history list: {db: 'postgresql://localhost:1/x'}}\n")
        self.assert_refused(self.command("history", "list"), "option 'db' connects to a server")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to another user")
    def test_a_file_of_another_user_is_not_taken(self):
        path = self.settings("commands: {run: {seed: 7}}\n")
        os.chown(path, 12345, -1)
        self.assert_refused(self.command("run", "--show-config"), "it belongs to another user", "--config scatterproof.yaml")
        self.assertEqual(self.command("run", "--show-config", "--config", "scatterproof.yaml").returncode, 0)

    def test_a_file_that_others_can_write_to_is_not_taken(self):
        path = self.settings("commands: {run: {seed: 7}}\n")
        os.chmod(path, 0o646)
        self.assert_refused(self.command("run", "--show-config"), "every user can write to it")
        self.assert_refused(self.command("trust"), "every user can write to it")

    def test_a_damaged_list_is_named(self):
        self.name_a_program()
        os.makedirs(self.path("state/scatterproof"))
        self.write("state/scatterproof/trusted.json", "[1")
        self.assert_refused(self.command("run", "torch.gather/doc/*"), "trusted.json", "damaged")


unittest.main()
