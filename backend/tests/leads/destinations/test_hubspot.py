"""HubSpot's forms API v3, with a server that follows its documentation: secure submit, errors by ``errorType``."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from portolan.leads.destinations.base import Permanent, Retryable
from portolan.leads.destinations.hubspot import HubspotDestination
from portolan.sites.destinations import Hubspot

from ..making import CANARY, FIELDS, START, make_payload
from ..receiver import Receiver, Reply, Request, receiving

FORM = "0f5d0f3a-7c1e-4d8a-9f0b-5e2d7c4a1b6f"
TOKEN = "pat-na1-canary"
OPTIONS: dict[str, Any] = {
    "name": "hubspot",
    "kind": "hubspot",
    "portal": 1234567,
    "form": FORM,
    "secret_env": "HUBSPOT_TOKEN",
}
DEFINED = {"email", "firstname", "phone", "company", "message", "services"}


class Portal:
    """That server's reaction to a submission."""

    def __call__(self, request: Request) -> Reply:
        if request.path != f"/submissions/v3/integration/secure/submit/1234567/{FORM}":
            return self.error(404, "FORM_NOT_FOUND", "Not found")
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return self.error(401, "INVALID_AUTHENTICATION", "Authentication credentials not found")
        if request.headers.get("content-type") != "application/json":
            return Reply(415)
        body = request.json
        if not set(body) <= {"submittedAt", "fields", "context", "legalConsentOptions", "skipValidation"}:
            return self.error(400, "INVALID_JSON", "Unrecognized field")
        if not re.fullmatch(r"\d{13}", body.get("submittedAt", "0" * 13)):
            return self.error(400, "INVALID_SUBMITTED_AT", "submittedAt")
        for field in body["fields"]:
            assert set(field) == {"objectTypeId", "name", "value"}
            assert field["objectTypeId"] == "0-1"
            assert isinstance(field["value"], str)
            if field["name"] not in DEFINED:
                return self.error(400, "FIELD_NOT_IN_FORM_DEFINITION", f"Error in 'fields.{field['name']}'")
            if field["name"] == "email" and field["value"].endswith("@refused.example"):
                return self.error(400, "BLOCKED_EMAIL", f"Error in 'fields.email'. {field['value']} is blocked")
        return Reply(200, {"Content-Type": "application/json"}, b'{"inlineMessage":"Thanks for submitting the form."}')

    def error(self, status: int, kind: str, message: str) -> Reply:
        document = {
            "status": "error",
            "message": f"The request is not valid {CANARY}",
            "correlationId": "8c5e",
            "errors": [{"message": message, "errorType": kind}],
        }
        return Reply(status, {"Content-Type": "application/json"}, json.dumps(document).encode())


@pytest.fixture
def api() -> Iterator[Receiver]:
    with receiving("api.hsforms.com") as receiver:
        receiver.answer = Portal()
        yield receiver


def hubspot(api: Receiver, token: str = TOKEN, **options: Any) -> HubspotDestination:
    return HubspotDestination(Hubspot(**{**OPTIONS, **options}), token, api.poster(), send_s=5)


def values(request: Request) -> dict[str, str]:
    return {field["name"]: field["value"] for field in request.json["fields"]}


def test_a_lead_is_a_submission(api: Receiver) -> None:
    fields = {"email": "contact.email", "firstname": "contact.name", "phone": "contact.phone", "services": "services"}
    assert hubspot(api, fields=fields).send(make_payload(), START) == "returned 200"
    (request,) = api.taken
    assert values(request) == {
        "email": f"{CANARY}@northwind.example",
        "firstname": f"Head of {CANARY}",
        "services": "devops; web-development",
    }
    assert request.json["context"] == {"pageUri": FIELDS["pageUrl"]}
    assert request.json["submittedAt"] == str(int(START.timestamp() * 1000))
    assert "legalConsentOptions" not in request.json


def test_consent_is_told_where_the_account_records_it(api: Receiver) -> None:
    hubspot(api, consent_text="I agree.").send(make_payload(), START)
    assert api.taken[0].json["legalConsentOptions"] == {
        "consent": {"consentToProcess": True, "text": "I agree.", "communications": []}
    }


def test_an_old_lead_is_not_backdated_further_than_it_takes(api: Receiver) -> None:
    hubspot(api).send(make_payload(), START + timedelta(days=28))
    assert "submittedAt" not in api.taken[0].json


@pytest.mark.parametrize(
    ("options", "changes", "kind"),
    [
        ({"fields": {"email": "contact.email", "budget": "price"}}, {}, "FIELD_NOT_IN_FORM_DEFINITION"),
        ({}, {"contact": {"name": "x", "email": "canary@refused.example"}}, "BLOCKED_EMAIL"),
    ],
)
def test_what_the_form_refuses_is_given_up_with_its_code_and_no_word_of_the_lead(
    options: dict[str, Any], changes: dict[str, Any], kind: str, api: Receiver
) -> None:
    with pytest.raises(Permanent) as refused:
        hubspot(api, **options).send(make_payload(fields={**FIELDS, **changes}), START)
    assert refused.value.reason == f"HubSpot rejected it (400): {kind}."


@pytest.mark.parametrize(
    ("options", "token", "words"),
    [({}, "pat-other", "401: the access token"), ({"portal": 2}, TOKEN, "404: the account has no such form")],
)
def test_what_an_operator_can_fix_is_tried_again(
    options: dict[str, Any], token: str, words: str, api: Receiver
) -> None:
    with pytest.raises(Retryable) as failed:
        hubspot(api, token, **options).send(make_payload(), START)
    assert words in failed.value.reason
    assert "pat-" not in failed.value.reason


@pytest.mark.parametrize(("status", "retry_after"), [(429, 10), (500, None), (502, None)])
def test_a_busy_or_broken_one_is_tried_again(status: int, retry_after: int | None, api: Receiver) -> None:
    api.answer = lambda _: Reply(status, {"Retry-After": "10"} if retry_after else {}, b"<html>" + CANARY.encode())
    with pytest.raises(Retryable) as failed:
        hubspot(api).send(make_payload(), START)
    assert failed.value.retry_after_s == retry_after
    assert CANARY not in failed.value.reason


@pytest.mark.parametrize("body", [b"", b"[]", b'{"errors":[1]}', b'{"errors":[{"errorType":"canary words"}]}'])
def test_an_error_it_does_not_explain_is_one_all_the_same(body: bytes, api: Receiver) -> None:
    api.answer = lambda _: Reply(400, {}, body)
    with pytest.raises(Permanent, match="no reason given"):
        hubspot(api).send(make_payload(), START)
