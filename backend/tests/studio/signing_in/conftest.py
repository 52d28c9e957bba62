"""People who sign in, from addresses of one's choice, at times of one's choice."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pyotp
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

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
    user = User.objects.create_user("ada", password=PASSWORD)
    user.groups.add(sync_editors_group())
    return user


@pytest.fixture
def browser() -> Callable[..., Client]:
    """One at an address."""

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
