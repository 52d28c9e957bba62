import logging
from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from portolan.api.integration import email_validation
from portolan.domain.client_limits import ClientLimits

from ..conftest import assert_problem

EMAIL = "/api/integration/validation/email"
Get = Callable[..., HttpResponse]


def test_the_verdict_is_never_kept(get: Get) -> None:
    reply = get(EMAIL, Email_Validation="jo%40gmial.com")
    assert reply.json() == {"valid": True, "reason": "ok", "suggestion": "jo@gmail.com"}
    assert reply["Cache-Control"] == "no-store"
    assert "ETag" not in reply


@pytest.mark.parametrize(
    ("address", "reason"),
    [("директор@почта.рф", "ok"), ("a+b@c.example", "ok"), ("a b", "syntax"), ("", "syntax"), ("ä" * 321, "too-long")],
)
def test_the_header_is_percent_encoded(address: str, reason: str, get: Get) -> None:
    assert get(EMAIL, Email_Validation=quote(address, safe="")).json()["reason"] == reason


def test_what_needs_no_encoding_may_stand_as_it_is(get: Get) -> None:
    assert get(EMAIL, Email_Validation="jo+x@northwind.example").json()["reason"] == "ok"


@pytest.mark.parametrize("header", ["%ff%fe@northwind.example", "j\u00f6@northwind.example", "%C3%28@b.example"])
def test_what_is_no_encoded_text_is_refused(header: str, get: Get) -> None:
    problem = assert_problem(get(EMAIL, Email_Validation=header), 422, "invalid-value")
    assert [error["field"] for error in problem["errors"]] == ["header.Email-Validation"]


def test_without_an_address_there_is_nothing_to_say(get: Get) -> None:
    problem = assert_problem(get(EMAIL), 422, "invalid-value")
    assert [error["field"] for error in problem["errors"]] == ["header.Email-Validation"]


@pytest.mark.parametrize("size", [5000, 12_000])
def test_a_long_header_is_too_long(size: int, get: Get) -> None:
    assert get(EMAIL, Email_Validation="a" * size).json() == {"valid": False, "reason": "too-long", "suggestion": None}


def test_a_header_of_64_kb_is_refused(get: Get) -> None:
    assert_problem(get(EMAIL, Email_Validation="a" * 64_000), 431, "headers-too-large")


def test_the_eleventh_of_ten_a_minute_waits(get: Get, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=10, views=0, leads=0, lead_flood=0)
    assert {get(EMAIL, Email_Validation="a@b.example").status_code for _ in range(10)} == {200}
    reply = get(EMAIL, Email_Validation="a@b.example")
    assert_problem(reply, 429, "too-many-requests")
    assert int(reply["Retry-After"]) > 0


def test_no_error_and_no_log_tells_the_address(
    get: Get,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    canaries = ["canary@northwind.example", "canary@gmial.com", "no canary", "%ffcanary", "canary" * 100, "canar\u00ff"]
    loggers = [logging.getLogger(name) for name in ("django", "django.request", "django.server", "portolan", "ninja")]
    for logger in loggers:
        monkeypatch.setattr(logger, "level", logging.DEBUG)
        monkeypatch.setattr(logger, "propagate", True)

    def ask_all() -> None:
        for canary in canaries:
            header = canary if "\u00ff" in canary or canary.startswith("%") else quote(canary, safe="")
            for path in (EMAIL, EMAIL + "/", EMAIL + "x", "/api/nothing"):
                replies.append(get(path, Email_Validation=header))
            replies.append(get(EMAIL, "unknown.example", Email_Validation=header))
            replies.append(get(EMAIL, Email_Validation=header, Api_Version="v1"))

    replies: list[HttpResponse] = []
    with caplog.at_level(logging.DEBUG):
        ask_all()

        def fail(address: str) -> None:
            raise RuntimeError("it broke")

        monkeypatch.setattr(email_validation, "check_email", fail)
        ask_all()
        settings.CLIENT_LIMITS = ClientLimits(email=1, views=0, leads=0, lead_flood=0)
        ask_all()
    assert {reply.status_code for reply in replies} == {200, 400, 404, 422, 429, 500}
    assert "it broke" in caplog.text  # the failure is logged, without personal data
    for reply in replies:
        if reply.status_code != 200:
            assert "canar" not in reply.content.decode()
    output = capfd.readouterr()
    assert "canar" not in caplog.text + output.out + output.err
    for record in caplog.records:
        assert "canar" not in repr(record.args) + record.getMessage() + str(record.exc_text)
