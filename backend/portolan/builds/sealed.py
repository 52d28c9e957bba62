"""`live.json` and `hosts.json`: numbered, and signed if the publisher has a key.

This keeps an intruder with write access from forging a file or restoring an old one. Numbers only grow, even if an
earlier build goes live again.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from .manifest import BuildError
from .signing import NO_KEYS, Keys

_NUMBER: Final = "number"
_SIGNATURE: Final = "signature"


def seal(document: Mapping[str, Any], keys: Keys, before: int = 0) -> dict[str, Any]:
    """Return the document with a number above ``before``, signed if ``keys`` can.

    Numbers follow the clock, so that a machine that has lost its number continues with a higher one.
    """
    plain = {name: value for name, value in document.items() if name not in (_NUMBER, _SIGNATURE)}
    plain[_NUMBER] = max(before + 1, time.time_ns() // 1_000_000)
    sealed: dict[str, Any] = orjson.loads(keys.seal(orjson.dumps(plain)))
    return sealed


def write_out(document: Mapping[str, Any]) -> bytes:
    """Return the document's bytes: exactly as signed, else indented for people."""
    option = 0 if _SIGNATURE in document else orjson.OPT_INDENT_2
    return orjson.dumps(document, option=option) + b"\n"


def number_of(document: Mapping[str, Any]) -> int:
    """Return the document's number; 0 if a version without numbers wrote it."""
    number = document.get(_NUMBER, 0)
    return number if isinstance(number, int) else 0


def without_seal(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in (_NUMBER, _SIGNATURE)}


def require_believed(file: Path | str, data: bytes, document: Mapping[str, Any], keys: Keys, newest: int) -> None:
    """Raise BuildError if a document lacks a signature or is below ``newest``.

    Without trusted keys, every document passes.
    """
    if not keys.checks:
        return
    if problem := keys.find_problem(data):
        raise BuildError(
            f"{file} is refused: {problem}. If the publisher's key is new, run `portolan sign` there. Otherwise someone "
            "else has written the file: check who can write there."
        )
    require_newer(file, number_of(document), keys, newest)


def require_newer(file: Path | str, number: int, keys: Keys, newest: int) -> None:
    """Raise BuildError if signatures are checked and ``number`` is below ``newest``."""
    if keys.checks and number < newest:
        raise BuildError(
            f"{file} is refused: it is older (number {number}) than the last live one (number {newest}), so someone "
            "has put it back. Check who can write there. To go back on purpose, run `portolan rollback`. To write a "
            "newer file, run `portolan publish` or `portolan sign` at the publisher."
        )


def read_number(data: bytes, keys: Keys = NO_KEYS) -> int:
    """Return the number in a file; 0 if it is damaged or not trusted by ``keys``."""
    try:
        return 0 if keys.find_problem(data) else number_of(orjson.loads(data))
    except (ValueError, AttributeError):
        return 0
