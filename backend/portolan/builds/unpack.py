"""Unpack data that may be damaged or foreign.

A few bytes can expand to gigabytes, so the size is limited.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Final

import brotli

from .packs import Encoding


def unpack(packed: bytes, encoding: Encoding, most: int) -> bytes | None:
    """Return the unpacked bytes, or None if damaged, incomplete or over ``most``."""
    return _UNPACK[encoding](packed, most)


def _unpack_brotli(packed: bytes, most: int) -> bytes | None:
    unpacking = brotli.Decompressor()
    try:
        plain: bytes = unpacking.process(packed, output_buffer_limit=most + 1)
        while len(plain) <= most and not unpacking.is_finished() and not unpacking.can_accept_more_data():
            plain += unpacking.process(b"", output_buffer_limit=most + 1 - len(plain))
    except brotli.error:
        return None
    return plain if unpacking.is_finished() and len(plain) <= most else None


def _unpack_gzip(packed: bytes, most: int) -> bytes | None:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        plain = unpacking.decompress(packed, most + 1)
        if not unpacking.eof and not unpacking.unconsumed_tail:
            plain += unpacking.flush()
    except zlib.error:
        return None
    return plain if unpacking.eof and len(plain) <= most else None


_UNPACK: Final[Mapping[Encoding, Callable[[bytes, int], bytes | None]]] = {
    "br": _unpack_brotli,
    "gzip": _unpack_gzip,
}
