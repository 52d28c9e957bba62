"""Choose the compressed copies that a client accepts, and their order (RFC 9110, section 12.5.3)."""

from functools import lru_cache
from typing import Final

from ..builds.packs import Encoding

Coding = Encoding | None
"""None is the uncompressed file."""

_OURS: Final[dict[str, Coding]] = {"br": "br", "gzip": "gzip", "x-gzip": "gzip", "identity": None}
_SMALLEST_FIRST: Final[tuple[Coding, ...]] = ("br", "gzip", None)
_REMEMBERED_BYTES: Final = 100
_LONGEST_HEADER: Final = 1000
"""Browsers send about thirty bytes. Longer headers get the uncompressed file."""


def accepted_codings(header: bytes) -> tuple[Coding, ...]:
    """Return the codings that an ``Accept-Encoding`` header accepts: by weight, then by size.

    The uncompressed file is always included, because it is better than no reply.

    >>> accepted_codings(b"gzip, deflate, br")
    ('br', 'gzip', None)
    >>> accepted_codings(b"br;q=0.5, gzip;q=0.9, identity;q=0")
    ('gzip', 'br', None)
    """
    if len(header) > _LONGEST_HEADER:
        return (None,)
    # Only short headers are cached: browsers repeat them, and invented ones must not fill the memory.
    return _remembered(header) if len(header) <= _REMEMBERED_BYTES else _accepted(header)


def _accepted(header: bytes) -> tuple[Coding, ...]:
    weights: dict[Coding, float] = {}
    rest = 0.0
    for part in header.decode("latin-1").lower().split(","):
        name, _, parameters = part.partition(";")
        name = name.strip()
        weight = _weight(parameters)
        if name == "*":
            rest = weight
        elif name in _OURS:
            weights[_OURS[name]] = weight
    ordered = [coding for coding in _SMALLEST_FIRST if coding is None or weights.get(coding, rest) > 0]
    # An uncompressed file that the header does not name comes after every accepted copy.
    plain = weights.get(None, 0.0)
    ordered.sort(key=lambda c: (-(plain if c is None else weights.get(c, rest)), _SMALLEST_FIRST.index(c)))
    return tuple(ordered)


_remembered = lru_cache(maxsize=1024)(_accepted)


def _weight(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value.strip()), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
