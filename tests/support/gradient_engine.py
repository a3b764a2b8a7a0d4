# SPDX-License-Identifier: Apache-2.0
"""The engine of gradient_worker.py."""

import os
import shlex

from program import worker_python

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gradient_worker.py")


def gradient_engine(way):
    """For --engine. `right`, `last` (a place that is read twice gets the last cotangent alone), `none`,
    `refused`, `wide`, `forward`, `other`, `varies`, `echo`, `doubled` and `bent`: see there."""
    return f"cmd:{shlex.quote(worker_python())} {shlex.quote(WORKER)} {way}"
