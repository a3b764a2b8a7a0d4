# SPDX-License-Identifier: Apache-2.0
"""The CUDA scaffold without a GPU: compiled with a stand-in for CUDA's runtime, including device memory, and
judged."""

import os
import re
import subprocess
import tempfile
import unittest

from program import SOURCE, run

FOLDER = os.path.join(SOURCE, "tests", "program", "plugin")


def for_the_stand_in(source):
    """Launches become loops, and the pointers handed to kernels are followed to where they lead."""

    def launch(match):
        kernel, blocks, threads, arguments = match.groups()
        pointers = re.sub(r",\s*(index|found|static_cast<[^;]*?\.data\))", r", reached(\1)", arguments)
        return f"for (StandInLaunch l({blocks}, {threads}); l.next();) {kernel}({pointers});"

    changed, count = re.subn(r"(\w+)<<<(\w+), (\w+)>>>\((.*?)\);", launch, source, flags=re.DOTALL)
    return '#include "cuda_stand_in.hpp"\n' + changed, count


class StandIn(unittest.TestCase):
    def test_the_scaffold_is_right(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "mine")
            self.assertEqual(run("engines", "new", "--lang", "cuda", folder).returncode, 0)
            with open(os.path.join(folder, "mine.cu"), encoding="utf-8") as file:
                text, launches = for_the_stand_in(file.read())
            self.assertEqual(launches, 3)
            source = os.path.join(folder, "mine.cpp")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            include = os.path.join(SOURCE, "engines", "plugin", "include")
            command = ["c++", "-std=c++17", "-shared", "-fPIC", f"-I{include}", f"-I{FOLDER}", source, "-o", "libmine.so"]
            built = subprocess.run(command, cwd=folder, text=True, capture_output=True)
            self.assertEqual(built.returncode, 0, built.stderr)
            result = run("run", "--engine", "so:./libmine.so", cwd=folder)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertGreater(int(result.stdout.split(" pass ")[0].split()[-1]), 50)


if __name__ == "__main__":
    unittest.main()
