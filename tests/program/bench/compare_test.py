# SPDX-License-Identifier: Apache-2.0
"""Google Benchmark's own compare.py reads what `bench --json` writes (Debian: libbenchmark-tools,
python3-scipy)."""

import importlib.util
import os
import subprocess
import sys
import tempfile

from program import run

COMPARE = "/usr/share/benchmark/compare.py"
ABSENT = 77  # ctest reports this exit code as skipped

if not os.path.exists(COMPARE) or not importlib.util.find_spec("scipy"):
    print("libbenchmark-tools or python3-scipy is not installed")
    sys.exit(ABSENT)

with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "google.json")
    bench = run("bench", "B8/gather/f32/i64/uniform/8", "--engine", "openmp", "--threads", "1", "--repetitions", "9",
                "--json", report)
    assert bench.returncode == 0, bench.stdout + bench.stderr
    compared = subprocess.run([sys.executable, COMPARE, "--no-color", "benchmarks", report, report], text=True,
                              capture_output=True, timeout=60)
    assert compared.returncode == 0, compared.stderr
    row = "B8/gather/f32/i64/uniform/8/openmp/torch.gather/1"
    lines = [line for line in compared.stdout.splitlines() if line.startswith(row)]
    assert len(lines) >= 9, compared.stdout
    assert any("+0.0000" in line for line in lines), compared.stdout
