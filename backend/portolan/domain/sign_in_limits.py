"""How often a password may be guessed, as rules over the times of what failed. Every lock ends by itself, soon, and none can be
kept up from elsewhere against a person whose network is known."""

import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple


class Whose(Enum):
    """Whose failures a rule counts."""

    NAME_FROM_CLIENT = auto()
    """Those of one name from one client. A sign-in that succeeds there forgives them."""
    CLIENT = auto()
    """Those of one client, whatever names it tried."""
    NAME = auto()
    """Those of one name, from wherever. Clients from which its owner has signed in lately are not held up."""


class SignInLimit(NamedTuple):
    whose: Whose
    failures: int
    """That many within the window, and the next try waits."""
    within_s: int


PASSWORD_LIMITS: Final = (
    SignInLimit(Whose.NAME_FROM_CLIENT, 5, 15 * 60),
    SignInLimit(Whose.CLIENT, 20, 15 * 60),
    SignInLimit(Whose.NAME, 30, 60 * 60),
)
CODE_LIMIT: Final = SignInLimit(Whose.NAME, 10, 60 * 60)
"""Wrong codes: whoever sends them knows the password, so nobody is let off. At that pace, guessing has one chance in three
of a hit after a year and a half."""


def wait_s(limit: SignInLimit, failed_at: Sequence[float], now: float) -> int:
    """Seconds until the next try; 0: now. ``failed_at``: the newest first, at least ``limit.failures`` of them where there are
    so many."""
    if len(failed_at) < limit.failures:
        return 0
    left = failed_at[limit.failures - 1] + limit.within_s - now
    return max(0, math.ceil(left))


def name_account(typed: str) -> str:
    """What tries of one name are counted by, whether or not there is such an account."""
    return typed.strip().casefold()[:150]
