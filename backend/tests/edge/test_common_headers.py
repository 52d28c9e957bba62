"""The headers of every answer, from any source."""

from typing import Any

import pytest

from portolan.edge.common_headers import CommonHeaders, find_missing

from .conftest import EN, Harbour, ask_app

ALL = frozenset(
    (
        b"x-content-type-options",
        b"referrer-policy",
        b"cross-origin-resource-policy",
        b"content-security-policy",
        b"strict-transport-security",
    )
)
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("type", "policy", "origin"),
    [
        (b"text/plain; charset=utf-8", NOTHING, "same-origin"),
        (b"text/html", NOTHING, "same-origin"),
        (b"", NOTHING, "same-origin"),
        (b"image/png", NOTHING, "cross-origin"),
    ],
)
def test_what_is_missing_follows_from_the_kind(type: bytes, policy: str, origin: str) -> None:
    found = {name.decode(): value.decode() for name, value in find_missing(frozenset(), type, https=True)}
    assert policy in found["content-security-policy"]
    assert found["cross-origin-resource-policy"] == origin
    assert {name.encode() for name in found} == {*ALL, b"x-frame-options"}


def test_what_an_answer_says_itself_stays() -> None:
    assert find_missing(ALL, b"text/html", https=True) == []
    # The policy says who may frame a page. The older header would repeat it, differently.
    assert find_missing(ALL - {b"strict-transport-security"}, b"text/html", https=False) == []


def test_names_are_the_same_in_any_case() -> None:
    async def django(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"Content-Type", b"text/html"), (b"Content-Security-Policy", b"default-src 'self'")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    answer = ask_app(CommonHeaders(django, lambda scope: False))
    assert answer.headers["Content-Security-Policy"] == "default-src 'self'"
    assert "content-security-policy" not in answer.headers
    assert answer.headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert "strict-transport-security" not in answer.headers


def test_an_edge_knows_whether_visitors_come_by_https(harbour: Harbour) -> None:
    app = CommonHeaders(harbour.edge, harbour.edge.is_https)
    assert "strict-transport-security" not in ask_app(app, "/nowhere.png", EN).headers
    assert "strict-transport-security" in ask_app(app, "/nowhere.png", EN, scheme="https").headers
    # A proxy in front ends TLS, and forwards requests of unknown hosts by http too.
    harbour.edge._sites.by_https = True
    assert "strict-transport-security" in ask_app(app, "/", "elsewhere.example").headers
