"""How large a request to the studio may be, by user."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from portolan.studio.permissions import sync_editors_group
from portolan.studio.request_bodies import BEFORE_SIGN_IN, SIGNED_IN, StudioBodies, _is_editor

PART = b"x" * (1 << 20)


def post(
    size: int,
    signed_in: bool,
    declared: bool = True,
    host: str = "studio.localhost:8000",
    path: str = "/admin/login/",
    language: str = "",
) -> tuple[int, int, bytes]:
    """Return the status of a post of that size, the number of bytes read, and the reply."""
    headers = [(b"host", host.encode()), (b"accept-language", language.encode())]
    headers.append((b"content-length", b"%d" % size) if declared else (b"transfer-encoding", b"chunked"))
    left, read, sent = size, 0, []
    asked: list[Mapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        nonlocal left, read
        part = PART[:left]
        left -= len(part)
        read += len(part)
        return {"type": "http.request", "body": part, "more_body": left > 0}

    async def send(message: Any) -> None:
        sent.append(message)

    async def django(scope: Any, receive: Any, send: Any) -> None:
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"taken"})

    async def is_signed_in(scope: Any) -> bool:
        asked.append(scope)
        return signed_in

    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    asyncio.run(StudioBodies(django, is_signed_in)(scope, receive, send))
    assert size > BEFORE_SIGN_IN or not declared or not asked  # an ordinary form needs no query
    assert not sent[-1].get("more_body")
    return sent[0]["status"], read, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("declared", [True, False])
def test_little_before_signing_in_and_much_after(declared: bool) -> None:
    for size, signed_in, status in (
        (BEFORE_SIGN_IN, False, 200),
        (BEFORE_SIGN_IN + 1, False, 413),
        (400 << 20, False, 413),
        (BEFORE_SIGN_IN + 1, True, 200),
        (SIGNED_IN, True, 200),
        (SIGNED_IN + 1, True, 413),
    ):
        assert post(size, signed_in, declared)[0] == status


def test_nothing_of_what_is_too_much_is_read_before_signing_in() -> None:
    status, read, said = post(400 << 20, signed_in=False)
    assert (status, read) == (413, 0)
    assert b"signed in" in said
    assert post(400 << 20, signed_in=False, declared=False)[1] <= len(PART)


@pytest.mark.parametrize(
    ("language", "said"), [("de-CH,de;q=0.9", b"Melden Sie sich"), ("fr,en;q=0.1", b"Sign in first")]
)
def test_a_refusal_speaks_the_browsers_language(language: str, said: bytes) -> None:
    page = post(400 << 20, signed_in=False, language=language)[2]
    assert said in page and b'<html lang="%s">' % language[:2].replace("fr", "en").encode() in page


def test_an_editor_is_told_how_much_it_may_be_once_the_browser_has_sent_it() -> None:
    status, read, said = post(40 << 20, signed_in=True)
    assert (status, read) == (413, 40 << 20)
    assert b"25 MiB" in said


def test_the_api_has_bounds_of_its_own_on_every_host() -> None:
    assert post(1 << 20, False, path="/api/integration/form-data")[0] == 200
    assert post(1 << 20, False, host="localhost:8000", path="/__form")[0] == 200
    assert post(1 << 20, False, host="STUDIO.localhost:8000", path="/__form")[0] == 413


@pytest.mark.django_db
def test_a_cookie_alone_is_no_sign_in(client: Client) -> None:
    user = User.objects.create_user("mira")
    client.force_login(user)
    key = client.session.session_key
    assert key
    assert not _is_editor(key)  # signed in, but without access to the studio
    user.groups.add(sync_editors_group())
    assert _is_editor(key)
    assert not _is_editor("z" * 32)
    user.set_password("another")
    user.save()
    assert not _is_editor(key)
    user.is_active = False
    user.save()
    assert not _is_editor(key)
