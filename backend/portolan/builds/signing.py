"""Signatures of the publisher (Ed25519): whoever can write to a disk or a store can put files there, and cannot make a build
of them. The package that computes them is loaded only where keys are given.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_ABOUT: Final = b"portolan signs\n"
"""Before what is signed: the same key may sign other things elsewhere."""
_SEAL: Final = re.compile(rb',"signature":"([0-9a-f]{16}):([A-Za-z0-9+/]{86}==)"$')
_PUBLIC: Final = re.compile(rb"-----BEGIN PUBLIC KEY-----.+?-----END PUBLIC KEY-----", re.DOTALL)


class KeyFileError(ValueError):
    """A file of keys cannot be used; the message says why and what to do."""


class Keys:
    """What this machine signs with, and whose signatures it believes. Without any, nothing is signed and nothing checked."""

    def __init__(self, signing: "Ed25519PrivateKey | None" = None, trusted: "Sequence[Ed25519PublicKey]" = ()) -> None:
        """Whoever signs believes its own signatures too."""
        self._signing = signing
        own = [signing.public_key()] if signing else []
        self._trusted = {name_key(key): key for key in (*own, *trusted)}

    def believing_all(self) -> "Keys":
        """The same, for who is to sign what is not signed yet."""
        keys = Keys(self._signing)
        keys._trusted = {}
        return keys

    @property
    def can_sign(self) -> bool:
        return self._signing is not None

    @property
    def checks(self) -> bool:
        """Whether what is read has to be signed."""
        return bool(self._trusted)

    @property
    def names(self) -> Sequence[str]:
        """Of the keys that are believed."""
        return tuple(self._trusted)

    def seal(self, document: bytes) -> bytes:
        """A JSON object with its signature as the last member, or as it is where this machine signs nothing."""
        if self._signing is None:
            return document
        body = document[:-1]
        signature = b64encode(self._signing.sign(_ABOUT + body))
        name = name_key(self._signing.public_key()).encode()
        return b'%s,"signature":"%s:%s"}' % (body, name, signature)

    def find_problem(self, document: bytes) -> str | None:
        """Why a JSON object is not to be believed; none where it is, and where no key is known here."""
        if not self._trusted:
            return None
        body = document.rstrip()[:-1]
        found = _SEAL.search(body)
        if found is None:
            return "it is not signed"
        key = self._trusted.get(found[1].decode())
        if key is None:
            return f"it is signed with the key {found[1].decode()}, which is none of the publisher's known here"
        from cryptography.exceptions import InvalidSignature

        try:
            key.verify(b64decode(found[2]), _ABOUT + body[: found.start()])
        except InvalidSignature:
            return "it is not what the publisher has signed"
        return None


NO_KEYS: Final = Keys()


def load_keys(signing: Path | None, trusted: Path | None) -> Keys:
    """``signing``: a private key, ``trusted``: one public key or several, all in PEM. Raises KeyFileError."""
    if signing is None and trusted is None:
        return NO_KEYS
    return Keys(_load_private(signing) if signing else None, _load_public(trusted) if trusted else ())


def name_key(key: "Ed25519PublicKey") -> str:
    """A short name of a key, which shows nothing of its private half."""
    return sha256(key.public_bytes_raw()).hexdigest()[:16]


def _load_private(file: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _read(file)
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise KeyFileError(_say(file, "has no private key that can be read", "-out")) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(_say(file, "has a key of another kind than Ed25519", "-out"))
    return key


def _load_public(file: Path) -> "list[Ed25519PublicKey]":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    found: list[Ed25519PublicKey] = []
    for block in _PUBLIC.findall(_read(file)):
        try:
            key = load_pem_public_key(block)
        except ValueError as error:
            raise KeyFileError(_say(file, "has a public key that cannot be read", "-pubout -out")) from error
        if not isinstance(key, Ed25519PublicKey):
            raise KeyFileError(_say(file, "has a public key of another kind than Ed25519", "-pubout -out"))
        found.append(key)
    if not found:
        raise KeyFileError(_say(file, "has no public key", "-pubout -out"))
    return found


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise KeyFileError(f"{file} cannot be read ({error.strerror}). Correct the setting, or its rights.") from error


def _say(file: Path, what: str, option: str) -> str:
    make = "genpkey -algorithm ed25519" if option == "-out" else "pkey -in PRIVATE_KEY"
    return f"{file} {what}. `openssl {make} {option} {file.name}` makes one."
