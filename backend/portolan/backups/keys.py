"""Encrypt backups by age (https://age-encryption.org).

Each file is encrypted for one or more *recipients*, which are public keys. Only an *identity*, the secret key, decrypts
it. The machine that creates backups needs none.
"""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from ..domain.words import say_not_installed
from .problem import BackupError

if TYPE_CHECKING:
    import pyrage

_RECIPIENT: Final = "age1"
_IDENTITY: Final = "AGE-SECRET-KEY-1"
_HOW: Final = "Create a pair: `portolan backup --new-key FILE`"


class Keys(NamedTuple):
    """Recipients are needed to encrypt, identities to decrypt."""

    recipients: tuple[str, ...] = ()
    identities: tuple["pyrage.x25519.Identity", ...] = ()


NO_KEYS: Final = Keys()


def read_keys(text: str, source: str) -> Keys:
    """Return the keys of either kind in ``text``, separated by white space. Lines that begin with ``#`` are comments.

    ``source``: where the text is from. Raise BackupError, which never shows the text.
    """
    words = [word for line in text.splitlines() if not line.lstrip().startswith("#") for word in line.split()]
    if not words:
        raise BackupError(f"{source} has no key. Nothing can be encrypted or decrypted. {_HOW}")
    age = _age()
    recipients: list[str] = []
    identities = []
    for word in words:
        try:
            if word.upper().startswith(_IDENTITY):
                identity = age.x25519.Identity.from_str(word)
                identities.append(identity)
                recipients.append(str(identity.to_public()))
            else:
                recipients.append(str(age.x25519.Recipient.from_str(word)))
        except (age.IdentityError, age.RecipientError):
            raise BackupError(
                f"{source} has a text that is not an age key. Keys begin with {_RECIPIENT}… (encrypts) or "
                f"{_IDENTITY}… (also decrypts). {_HOW}"
            ) from None
    return Keys(tuple(dict.fromkeys(recipients)), tuple(identities))


def make_key() -> tuple[str, str]:
    """Return a new identity and its recipient as text."""
    identity = _age().x25519.Identity.generate()
    return str(identity), str(identity.to_public())


class _Counting:
    """A file object for age that counts and hashes the bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.failure: OSError | None = None
        """The disk's error, because age's errors do not include it."""
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def read(self, size: int = -1) -> bytes:
        try:
            return self._note(self._file.read(size))
        except OSError as error:
            self.failure = error
            raise

    def write(self, data: bytes) -> int:
        self._note(data)
        try:
            return self._file.write(data)
        except OSError as error:
            self.failure = error
            raise

    def flush(self) -> None:
        self._file.flush()

    def _note(self, data: bytes) -> bytes:
        self._digest.update(data)
        self.size += len(data)
        return data


class Passed(NamedTuple):
    """Digests and sizes of the bytes that were read and written."""

    sha256: str
    size: int
    stored_sha256: str
    stored_size: int


def encrypt(source: IO[bytes], copy: IO[bytes], keys: Keys) -> Passed:
    """Encrypt in one pass. Without recipients, copy the file unchanged."""
    plain, stored = _Counting(source), _Counting(copy)
    if keys.recipients:
        age = _age()
        try:
            age.encrypt_io(plain, stored, [age.x25519.Recipient.from_str(each) for each in keys.recipients])
        except age.EncryptError:
            raise stored.failure or plain.failure or BackupError("A file cannot be encrypted.") from None
    else:
        shutil.copyfileobj(plain, stored, 1 << 20)
    return Passed(plain.sha256, plain.size, stored.sha256, stored.size)


def decrypt(source: Path, copy: IO[bytes], keys: Keys, recipients: Sequence[str]) -> Passed:
    """Decrypt a file. ``recipients``: of its encryption; empty if it is not encrypted. Raise BackupError."""
    with source.open("rb") as file:
        stored, plain = _Counting(file), _Counting(copy)
        if not recipients:
            shutil.copyfileobj(stored, plain, 1 << 20)
            return Passed(plain.sha256, plain.size, stored.sha256, stored.size)
        require_fit(keys, recipients)
        age = _age()
        try:
            age.decrypt_io(stored, plain, list(keys.identities))
        except (age.DecryptError, OSError) as error:
            if getattr(error, "errno", None) is not None:  # an error of the disk
                raise
            raise BackupError(
                f"A file of the backup is damaged: the key matches, but the file cannot be decrypted ({error}). "
                "Use an earlier backup (`--list`). List damaged files: `portolan backup TARGET --verify`"
            ) from None
        return Passed(plain.sha256, plain.size, stored.sha256, stored.size)


def require_fit(keys: Keys, recipients: Sequence[str]) -> None:
    """Raise BackupError if no key decrypts files for these recipients."""
    if not recipients or {str(each.to_public()) for each in keys.identities} & {*recipients}:
        return
    names = ", ".join(f"{each[:12]}…" for each in recipients)
    if not keys.identities:
        raise BackupError(
            f"This backup is encrypted for {names}. Give its secret key "
            f"({_IDENTITY}…) in a file (--key-file) or in PORTOLAN_BACKUP_KEY."
        )
    own = ", ".join(f"{str(each.to_public())[:12]}…" for each in keys.identities)
    raise BackupError(
        f"This key does not match: it is for {own}, but the backup is for {names}. "
        "Nothing changed. Give the key of this backup."
    )


def _age() -> Any:
    try:
        import pyrage
    except ModuleNotFoundError:
        raise BackupError(f"Encrypted backups need {say_not_installed('pyrage', 'encryption')}.") from None
    return pyrage
