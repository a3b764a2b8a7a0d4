# SPDX-License-Identifier: Apache-2.0
"""As in_turn.hpp: what takes too long for every day is tested in shares, and whole in the nightly preset."""

import os
import time

NIGHTLY_TRIALS = 1_000_000
TURNS = 4  # days of a round, in which each test is executed (tests/tree/plan), as in in_turn.hpp


def share_of(day, shares):
    """Another one in each round for a test that takes its turn, and another one each day of a round for one
    that does not."""
    return (day // TURNS + day % TURNS) % shares


def share_of_today(shares):
    """Days are those of UTC."""
    return share_of(int(time.time()) // 86_400, shares)


def is_in_turn(number, shares):
    """Whether the item with this number is in today's share, of `shares`; or all are tested today."""
    return int(os.environ.get("SCATTERPROOF_TRIALS") or 0) >= NIGHTLY_TRIALS or number % shares == share_of_today(shares)
