# SPDX-License-Identifier: Apache-2.0
"""Every fault, by name."""

import answer_faults  # noqa: F401  registers its faults, as the next two
import process_faults  # noqa: F401
import reply_faults  # noqa: F401
from faults import AT_START, FAULTS

__all__ = ["AT_START", "FAULTS"]
