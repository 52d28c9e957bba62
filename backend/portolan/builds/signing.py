"""The publisher's Ed25519 signatures.

An intruder with write access can store files, but cannot make a build of them.

The cryptography package is loaded only if keys are configured.
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
"""Prefix of signed bytes, because the same key may sign other things elsewhere."""
_SEAL: Final = re.compile(rb',"signature":"([0-9a-f]{16}):([A-Za-z0-9+/]{86}==)"$')
_PUBLIC: Final = re.compile(rb"-----BEGIN PUBLIC KEY-----.+?-----END PUBLIC KEY-----", re.DOTALL)


class KeyFileError(ValueError):
    """A key file is unusable. The message has the reason and the remedy."""


class Keys:
    """The key that this machine signs with, and the public keys it trusts.

    Without keys, it trusts everything.
    """

    def __init__(self, signing: "Ed25519PrivateKey | None" = None, trusted: "Sequence[Ed25519PublicKey]" = ()) -> None:
        """A signing machine also trusts its own key."""
        self._signing = signing
        own = [signing.public_key()] if signing else []
        self._trusted = {name_key(key): key for key in (*own, *trusted)}

    def believing_all(self) -> "Keys":
        """Return the same keys without checks, to sign unsigned files."""
        keys = Keys(self._signing)
        keys._trusted = {}
        return keys

    @property
    def can_sign(self) -> bool:
        return self._signing is not None

    @property
    def checks(self) -> bool:
        """Return True if files must be signed."""
        return bool(self._trusted)

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the trusted keys."""
        return tuple(self._trusted)

    def seal(self, document: bytes) -> bytes:
        """Return a JSON object with its signature; unchanged without a signing key."""
        if self._signing is None:
            return document
        body = document[:-1]
        signature = b64encode(self._signing.sign(_ABOUT + body))
        name = name_key(self._signing.public_key()).encode()
        return b'%s,"signature":"%s:%s"}' % (body, name, signature)

    def find_problem(self, document: bytes) -> str | None:
        """Return why a JSON object is refused, or None if it is trusted.

        Without keys, everything is.
        """
        if not self._trusted:
            return None
        body = document.rstrip()[:-1]
        found = _SEAL.search(body)
        if found is None:
            return "it is not signed"
        key = self._trusted.get(found[1].decode())
        if key is None:
            return f"it is signed with the key {found[1].decode()}, which is not a trusted key of the publisher"
        from cryptography.exceptions import InvalidSignature

        try:
            key.verify(b64decode(found[2]), _ABOUT + body[: found.start()])
        except InvalidSignature:
            return "it differs from the signed content"
        return None


NO_KEYS: Final = Keys()


def load_keys(signing: Path | None, trusted: Path | None) -> Keys:
    """Load a private key and the trusted public keys, all in PEM. Raise KeyFileError."""
    if signing is None and trusted is None:
        return NO_KEYS
    return Keys(_load_private(signing) if signing else None, _load_public(trusted) if trusted else ())


def name_key(key: "Ed25519PublicKey") -> str:
    """Return a short name of a key. It is made from the public half."""
    return sha256(key.public_bytes_raw()).hexdigest()[:16]


def _load_private(file: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _read(file)
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise KeyFileError(_say(file, "has no readable private key", "-out")) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(_say(file, "has a key of another type than Ed25519", "-out"))
    return key


def _load_public(file: Path) -> "list[Ed25519PublicKey]":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    found: list[Ed25519PublicKey] = []
    for block in _PUBLIC.findall(_read(file)):
        try:
            key = load_pem_public_key(block)
        except ValueError as error:
            raise KeyFileError(_say(file, "has an unreadable public key", "-pubout -out")) from error
        if not isinstance(key, Ed25519PublicKey):
            raise KeyFileError(_say(file, "has a public key of another type than Ed25519", "-pubout -out"))
        found.append(key)
    if not found:
        raise KeyFileError(_say(file, "has no public key", "-pubout -out"))
    return found


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise KeyFileError(
            f"{file} cannot be read ({error.strerror}). Correct the setting or the permissions."
        ) from error


def _say(file: Path, what: str, option: str) -> str:
    make = "genpkey -algorithm ed25519" if option == "-out" else "pkey -in PRIVATE_KEY"
    return f"{file} {what}. To make one, run `openssl {make} {option} {file.name}`."
