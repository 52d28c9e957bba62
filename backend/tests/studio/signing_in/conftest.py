"""Users who sign in, from chosen IP addresses at chosen times."""

import hashlib
import json
import os
import struct
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pyotp
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestedCredentialData

from portolan.accounts import endings
from portolan.accounts.models import SecondFactor
from portolan.studio.permissions import sync_editors_group

LOGIN = "/admin/login/"
PASSWORD = "correct horse battery"


class Clock:
    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **how_long: float) -> None:
        self.now += timedelta(**how_long)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


@pytest.fixture(autouse=True)
def no_tidying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "_next_at", float("inf"))


@pytest.fixture
def ada(db: None) -> User:
    user = User.objects.create_user("ada", "ada@brightmoor.example", PASSWORD)
    user.groups.add(sync_editors_group())
    return user


@pytest.fixture
def browser() -> Callable[..., Client]:
    """Return a browser with an IP address."""

    def make(address: str = "192.0.2.7") -> Client:
        return Client(headers={"host": "studio.localhost:8000"}, REMOTE_ADDR=address)

    return make


def sign_in(client: Client, password: str = PASSWORD, name: str = "ada", **more: Any) -> Any:
    return client.post(LOGIN, {"username": name, "password": password, **more})


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def add_app(user: User) -> pyotp.TOTP:
    app = pyotp.TOTP(pyotp.random_base32())
    SecondFactor.objects.create(user=user, kind=SecondFactor.Kind.APP, name="Authenticator app", secret=app.secret)
    return app


class Passkey:
    """Passkey of a device with or without a counter."""

    def __init__(self, user: User, counts: bool = False) -> None:
        self._key, self._id = ec.generate_private_key(ec.SECP256R1()), os.urandom(32)
        self._counts, self._uses = counts, 0
        public = ES256.from_cryptography_key(self._key.public_key())
        SecondFactor.objects.create(
            user=user,
            kind=SecondFactor.Kind.PASSKEY,
            name="Passkey",
            secret=bytes(AttestedCredentialData.create(Aaguid.NONE, self._id, public)).hex(),
            credential=hashlib.sha256(self._id).hexdigest(),
        )

    def answer(self, question: dict[str, Any], origin: str = "http://studio.localhost:8000") -> dict[str, Any]:
        self._uses += 1
        told = json.dumps({"type": "webauthn.get", "challenge": question["challenge"], "origin": origin}).encode()
        seen_and_verified = 0b101
        count = struct.pack(">BI", seen_and_verified, self._uses if self._counts else 0)
        device = hashlib.sha256(question["rpId"].encode()).digest() + count
        signature = self._key.sign(device + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        name = websafe_encode(self._id)
        parts = {"clientDataJSON": told, "authenticatorData": device, "signature": signature}
        response = {part: websafe_encode(value) for part, value in parts.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def use(self, client: Client, door: str = "/admin/login/passkey/", then: str = "") -> Any:
        """Request a challenge at a URL and answer it there."""
        answer = self.answer(client.post(f"{door}question/").json())
        return client.post(f"{door}answer/{then}", answer, content_type="application/json")


def pass_quarter_of_an_hour(client: Client) -> None:
    """Set the time of the last password check back, so that it is too old."""
    session = client.session
    session["confirmed_at"] = 0.0
    session.save()
