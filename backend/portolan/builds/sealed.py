"""`live.json` and `hosts.json`: numbered, and signed where the publisher has a key. Who can write there can then make none,
and put none back: a number never falls, also where an earlier build goes live again.
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
    """The document with a number above ``before``, signed where ``keys`` can. Numbers go by the clock, so that a machine that
    has lost its own goes on with higher ones."""
    plain = {name: value for name, value in document.items() if name not in (_NUMBER, _SIGNATURE)}
    plain[_NUMBER] = max(before + 1, time.time_ns() // 1_000_000)
    sealed: dict[str, Any] = orjson.loads(keys.seal(orjson.dumps(plain)))
    return sealed


def write_out(document: Mapping[str, Any]) -> bytes:
    """The bytes of a document, on whatever machine: those that were signed, where it is. People can read the others."""
    option = 0 if _SIGNATURE in document else orjson.OPT_INDENT_2
    return orjson.dumps(document, option=option) + b"\n"


def number_of(document: Mapping[str, Any]) -> int:
    """0 where it was written by a version without numbers."""
    number = document.get(_NUMBER, 0)
    return number if isinstance(number, int) else 0


def without_seal(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in (_NUMBER, _SIGNATURE)}


def require_believed(file: Path | str, data: bytes, document: Mapping[str, Any], keys: Keys, newest: int) -> None:
    """Raises BuildError where ``keys`` are to be gone by and the document is not theirs, or older than ``newest``."""
    if not keys.checks:
        return
    if problem := keys.find_problem(data):
        raise BuildError(
            f"{file} is refused: {problem}. Where the publisher's key is new, `portolan sign` there signs what it has; otherwise "
            "somebody else has written it: look who can."
        )
    require_newer(file, number_of(document), keys, newest)


def require_newer(file: Path | str, number: int, keys: Keys, newest: int) -> None:
    """Raises BuildError where ``keys`` are to be gone by and this is not the newest one there was."""
    if keys.checks and number < newest:
        raise BuildError(
            f"{file} is refused: it is an older one (number {number}) than what was live before (number {newest}), so somebody "
            "has put it back. Look who can write there. `portolan rollback` goes back; `portolan publish` or `portolan sign` "
            "where the publisher is writes a newer one."
        )


def read_number(data: bytes, keys: Keys = NO_KEYS) -> int:
    """Of the document in a file; 0 where it is damaged, or ``keys`` do not believe it."""
    try:
        return 0 if keys.find_problem(data) else number_of(orjson.loads(data))
    except (ValueError, AttributeError):
        return 0
