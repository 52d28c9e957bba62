"""If the edge refuses a request, it sends a problem like the API's, and any page may read it."""

import orjson
import pytest

from portolan.domain.content_api import LARGEST_HEADERS
from portolan.edge.plain_replies import API_FAILED, API_UNAVAILABLE

from .conftest import Answer, Harbour, ask_app

OFFICES = "/api/content/offices"


def assert_problem(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    problem = orjson.loads(answer.body)
    assert set(problem) == {"type", "title", "status", "code", "detail", "errors"}
    assert (problem["status"], problem["code"]) == (status, code)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["api-version"] == "v5"
    assert answer.headers["content-language"] == "en"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "Retry-After" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/content/offices/%00",
        "/api/content/offices/%ff%fe",
        "/api/content/offices/%c0%ae%c0%ae",
        "/api/content/../content/offices",
        "/api/content/%2e%2e/offices",
        "/api/content/offices/..%5c..%5c",
        f"/api/content/offices/{'x' * 8192}",
    ],
)
def test_an_address_nothing_can_be_meant_by(harbour: Harbour, path: str) -> None:
    assert_problem(harbour.ask(path), 400, "bad-request")


@pytest.mark.parametrize("name", ["accept_language", "country_code", "page_key", "api_version", "x_anything"])
def test_headers_that_are_too_large_never_reach_it(harbour: Harbour, name: str) -> None:
    assert_problem(harbour.ask(OFFICES, **{name: "x" * 65_536}), 431, "headers-too-large")
    many = {f"x_{number}": "x" * 256 for number in range(LARGEST_HEADERS // 256)}
    assert_problem(harbour.ask(OFFICES, **many), 431, "headers-too-large")
    assert harbour.ask(OFFICES, **{name: "x" * (LARGEST_HEADERS // 2)}).status == 200


def test_a_body_of_no_known_length(harbour: Harbour) -> None:
    for length in ("-1", "many", "9" * 40):
        answer = harbour.ask("/api/integration/form-data", method="POST", content_length=length)
        assert_problem(answer, 413, "body-too-large")


def test_a_host_of_nobodys(harbour: Harbour) -> None:
    assert_problem(harbour.ask(OFFICES, "evil.example"), 421, "unknown-host")


@pytest.mark.parametrize(
    ("reply", "status", "code"), [(API_FAILED, 500, "internal-error"), (API_UNAVAILABLE, 503, "unavailable")]
)
def test_an_api_that_does_not_answer(reply, status, code) -> None:
    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        await reply.send(scope, b"", send)

    assert_problem(ask_app(app, OFFICES), status, code)
