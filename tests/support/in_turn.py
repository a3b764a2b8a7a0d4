# SPDX-License-Identifier: Apache-2.0
"""As in_turn.hpp: what takes too long for every day is tested in shares, and whole in the nightly preset."""

import os
import time

NIGHTLY_TRIALS = 1_000_000


def share_of_today(shares):
    """Shifted after each round of an even number of shares, so that a test that runs every second day meets
    all of them."""
    day = int(time.time()) // 86_400
    return (day + (0 if shares % 2 else day // shares)) % shares


def is_in_turn(number, shares):
    """Whether the item with this number is in today's share (days of UTC), of `shares`; or all are tested
    today."""
    return int(os.environ.get("SCATTERPROOF_TRIALS") or 0) >= NIGHTLY_TRIALS or number % shares == share_of_today(shares)
