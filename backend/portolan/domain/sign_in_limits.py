"""Limit guesses of passwords and codes, from the times of failed attempts.

Each lock ends soon by itself. An attacker elsewhere cannot lock out a person whose network is known.
"""

import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple


class Whose(Enum):
    """The failures that a rule counts."""

    NAME_FROM_CLIENT = auto()
    """Failures of one name from one client. A successful sign-in there resets them."""
    CLIENT = auto()
    """Failures of one client, with any name."""
    NAME = auto()
    """Failures of one name, from all clients. Clients from which its owner recently signed in are exempt."""


class SignInLimit(NamedTuple):
    whose: Whose
    failures: int
    """After this many failures within the window, the next attempt must wait."""
    within_s: int


PASSWORD_LIMITS: Final = (
    SignInLimit(Whose.NAME_FROM_CLIENT, 5, 15 * 60),
    SignInLimit(Whose.CLIENT, 20, 15 * 60),
    SignInLimit(Whose.NAME, 30, 60 * 60),
)
CODE_LIMIT: Final = SignInLimit(Whose.NAME, 10, 60 * 60)
"""For wrong codes. There are no exceptions, because the sender already knows the password. At this rate, guessing
succeeds with a probability of one third in a year and a half."""


def wait_s(limit: SignInLimit, failed_at: Sequence[float], now: float) -> int:
    """Return the seconds until the next attempt; 0 means now.

    ``failed_at``: the newest first; at least ``limit.failures`` times if there are as many.
    """
    if len(failed_at) < limit.failures:
        return 0
    left = failed_at[limit.failures - 1] + limit.within_s - now
    return max(0, math.ceil(left))


def name_account(typed: str) -> str:
    """Return the key that counts attempts for a name, whether or not the account exists."""
    return typed.strip().casefold()[:150]
