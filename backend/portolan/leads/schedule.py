"""Schedule retries of deliveries (Standard Webhooks 1.0: ten tries in three days)."""

from collections.abc import Callable
from typing import Final

PAUSES_S: Final = (0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Before the first try, the second and so on."""
MOST_ATTEMPTS: Final = len(PAUSES_S)
JITTER: Final = 0.2
"""Random part of a pause, so that deliveries that failed together are not retried together."""
LONGEST_WISH_S: Final = 86_400
"""Longest ``Retry-After`` that is followed."""


def next_pause_s(attempts: int, retry_after_s: float | None, draw: Callable[[], float]) -> float | None:
    """Return seconds until the next try, or None after the last. ``draw`` returns numbers from 0 to 1.

    >>> next_pause_s(1, None, lambda: 0.5), next_pause_s(1, 60, lambda: 0.5), next_pause_s(10, None, lambda: 0.5)
    (5.0, 60, None)
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    pause = PAUSES_S[attempts] * (1 - JITTER + 2 * JITTER * draw())
    return max(pause, min(retry_after_s or 0, LONGEST_WISH_S))
