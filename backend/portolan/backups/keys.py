"""Encryption of what a backup holds, by age (https://age-encryption.org): each file for one or more *recipients*, whose names
are public. Only an *identity*, the secret half, reads it, so that the machine that makes backups need not be able to.
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
_HOW: Final = "`portolan backup --new-key FILE` makes a pair."


class Keys(NamedTuple):
    """Without recipients nothing is encrypted; without identities nothing encrypted can be read."""

    recipients: tuple[str, ...] = ()
    identities: tuple["pyrage.x25519.Identity", ...] = ()


NO_KEYS: Final = Keys()


def read_keys(text: str, source: str) -> Keys:
    """Keys of either kind, with white space between; lines that begin with ``#`` are notes. ``source`` names where the text
    comes from. Raises BackupError, which never shows the text."""
    words = [word for line in text.splitlines() if not line.lstrip().startswith("#") for word in line.split()]
    if not words:
        raise BackupError(f"{source} has no key in it, so nothing could be encrypted or read by it. {_HOW}")
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
                f"{source} has something in it that is no key of age: one begins with {_RECIPIENT}… (encrypts) or "
                f"{_IDENTITY}… (reads too). {_HOW}"
            ) from None
    return Keys(tuple(dict.fromkeys(recipients)), tuple(identities))


def make_key() -> tuple[str, str]:
    """An identity and its recipient, as text."""
    identity = _age().x25519.Identity.generate()
    return str(identity), str(identity.to_public())


class _Counting:
    """A file object for age, which notes what passes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.failure: OSError | None = None
        """Age's own errors do not say what the disk said."""
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
    """What was read, and what was written."""

    sha256: str
    size: int
    stored_sha256: str
    stored_size: int


def encrypt(source: IO[bytes], copy: IO[bytes], keys: Keys) -> Passed:
    """In one pass, whatever the size. Without recipients it is copied as it is."""
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
    """``recipients``: whom it was encrypted for; nobody where it was not. Raises BackupError."""
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
            if getattr(error, "errno", None) is not None:  # of the disk
                raise
            raise BackupError(
                f"A file of the backup cannot be decrypted ({error}), though the key is the right one: it is damaged. "
                "`portolan backup TARGET --verify` lists what is; take an earlier backup (`--list`)."
            ) from None
        return Passed(plain.sha256, plain.size, stored.sha256, stored.size)


def require_fit(keys: Keys, recipients: Sequence[str]) -> None:
    """Raises BackupError in words where none of the keys reads what was encrypted for these recipients."""
    if not recipients or {str(each.to_public()) for each in keys.identities} & {*recipients}:
        return
    names = ", ".join(f"{each[:12]}…" for each in recipients)
    if not keys.identities:
        raise BackupError(
            f"This backup is encrypted for {names}, and no key was given that reads it. Give the secret one "
            f"({_IDENTITY}…) in a file (--key-file) or in PORTOLAN_BACKUP_KEY."
        )
    own = ", ".join(f"{str(each.to_public())[:12]}…" for each in keys.identities)
    raise BackupError(
        f"The key that was given is another one: it reads what is encrypted for {own}, and this backup is for {names}. "
        "Nothing was changed. Give the key that belongs to this backup."
    )


def _age() -> Any:
    try:
        import pyrage
    except ModuleNotFoundError:
        raise BackupError(f"Encrypted backups need {say_not_installed('pyrage', 'encryption')}.") from None
    return pyrage
