"""Reports of errors: their place in the code, without personal data."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from portolan.observing.errors import report_errors, report_failure
from portolan.observing.request_id import current

CANARY = "anna@northwind.example"


class Kept(Transport):
    """Store the messages instead of sending them."""

    events: list[Any] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        Kept.events += [event for item in envelope.items if (event := item.get_event())]


@pytest.fixture
def told() -> Iterator[list[Any]]:
    Kept.events = []
    report_errors("https://key@sentry.example/1", "api", "staging", "1.2", Kept)
    yield Kept.events
    sentry_sdk.init()


def fail(body: str) -> None:
    local = f"a lead of {body}"
    raise ValueError(f"{local} cannot be stored")


def test_an_error_is_told_with_its_place_and_no_personal_data(told: list[Any]) -> None:
    log = logging.getLogger("portolan.test_errors")
    token = current.set("id-of-the-request")
    try:
        fail(CANARY)
    except ValueError:
        log.exception("A lead could not be stored", extra={"request": f"POST /?email={CANARY}", "body": CANARY})
    finally:
        current.reset(token)
    log.warning("no error")
    (event,) = told
    assert CANARY not in json.dumps(event, default=str)
    assert event["logentry"]["message"] == "A lead could not be stored"
    (exception,) = event["exception"]["values"]
    assert exception["type"] == "ValueError"
    assert exception["stacktrace"]["frames"][-1]["function"] == "fail"
    assert not {"request", "user", "breadcrumbs", "extra", "server_name"} & {*event}
    assert event["tags"] == {"role": "api", "request_id": "id-of-the-request"}
    assert (event["environment"], event["release"]) == ("staging", "1.2")


def test_a_failure_without_an_exception_is_told_too(told: list[Any]) -> None:
    report_failure("The disk is full.")
    assert [(event["message"], event["level"]) for event in told] == [("The disk is full.", "error")]
