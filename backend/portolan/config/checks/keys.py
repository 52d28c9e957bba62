"""Check keys in files and in the environment."""

from base64 import urlsafe_b64decode
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import ValidationInfo

if TYPE_CHECKING:
    from ...builds.signing import Keys

_KEY_BYTES: Final = 32


def is_key_file(value: Path | None, info: ValidationInfo) -> Path | None:
    """Check a key file at the start, because a server with an unusable key would serve nothing."""
    if value is not None:
        is_private = info.field_name == "signing_key_file"
        load_keys_once(value if is_private else None, None if is_private else value)
    return value


@lru_cache(maxsize=4)
def load_keys_once(signing: Path | None, trusted: Path | None) -> "Keys":
    from ...builds.signing import load_keys

    return load_keys(signing, trusted)


def are_keys_of_leads(value: str) -> str:
    for number, key in enumerate(value.split(), 1):
        try:
            whole = len(urlsafe_b64decode(key)) == _KEY_BYTES
        except ValueError:
            whole = False
        if not whole:
            raise ValueError(f"number {number} is not a key. Create one: `portolan leads new-key`")
    return value
