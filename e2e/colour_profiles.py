"""Small colour profiles (ICC, version 2) of which the meaning of each colour is known."""

import struct
from collections.abc import Iterable, Mapping
from typing import Final

D50: Final = (0.9642, 1.0, 0.8249)
_ADOBE_RGB: Final = {
    "r": (0.60974, 0.31111, 0.01947),
    "g": (0.20528, 0.62567, 0.06087),
    "b": (0.14919, 0.06322, 0.74457),
}
"""Primaries, adapted to D50."""


def adobe_rgb() -> bytes:
    curve = _curve(563 / 256)
    primaries = {f"{name}XYZ".encode(): _xyz(value) for name, value in _ADOBE_RGB.items()}
    return _profile(b"RGB ", b"XYZ ", primaries | {f"{name}TRC".encode(): curve for name in _ADOBE_RGB})


def linear_grey() -> bytes:
    """A grey of half the value has half the light."""
    return _profile(b"GRAY", b"XYZ ", {b"kTRC": _curve(1)})


def inks(labs: Mapping[tuple[int, int, int, int], tuple[int, int, int]]) -> bytes:
    """A CMYK profile. ``labs``: L (0 to 100), a and b of full inks; black for all others, and white for no ink."""
    labs = {(0, 0, 0, 0): (100, 0, 0), **labs}
    corners = [(c, m, y, k) for c in (0, 1) for m in (0, 1) for y in (0, 1) for k in (0, 1)]
    grid = b"".join(
        bytes((round(light * 2.55), a + 128, b + 128))
        for light, a, b in (labs.get(corner, (0, 0, 0)) for corner in corners)
    )
    head = b"mft1\0\0\0\0" + bytes((4, 3, 2, 0)) + struct.pack(">9i", *(65536 * (n in (0, 4, 8)) for n in range(9)))
    straight = bytes(range(256))
    return _profile(b"CMYK", b"Lab ", {b"A2B0": head + straight * 4 + grid + straight * 3}, b"prtr")


def _profile(space: bytes, pcs: bytes, tags: Mapping[bytes, bytes], kind: bytes = b"mntr") -> bytes:
    tags = {b"wtpt": _xyz(D50), **tags}
    begin = 128 + 4 + 12 * len(tags)
    table, body = struct.pack(">I", len(tags)), b""
    for name, data in tags.items():
        table += struct.pack(">4sII", name, begin + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    made_on = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
    head = struct.pack(">I4sI4s4s4s12s4s", begin + len(body), b"", 0x02400000, kind, space, pcs, made_on, b"acsp")
    return head.ljust(68, b"\0") + _fixed(D50) + b"\0" * 48 + table + body


def _fixed(values: Iterable[float]) -> bytes:
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def _xyz(value: Iterable[float]) -> bytes:
    return b"XYZ \0\0\0\0" + _fixed(value)


def _curve(gamma: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))
