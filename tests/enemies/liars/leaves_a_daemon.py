# SPDX-License-Identifier: Apache-2.0
"""leaves_a_daemon: right everywhere, and starts a process that would live on."""

import subprocess

from honest import Honest, serve

subprocess.Popen(["/bin/sleep", "3600.25"], start_new_session=True)
serve(Honest())
