"""Webhooks by Standard Webhooks 1.0, with a receiver that checks with their library."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from standardwebhooks import Webhook

from portolan.leads.destinations.base import Closed, PayloadFile, Retryable
from portolan.leads.destinations.webhook import WebhookDestination, read_secrets
from portolan.leads.destinations.wording import LARGEST_MESSAGE
from portolan.leads.models import LeadFile
from portolan.outgoing.post import Poster

from ...processes import LIMIT_S
from ..making import CANARY, FIELDS, START, make_payload
from ..receiver import CRM, Receiver, Reply, receiving

SECRET = b"0123456789abcdef0123456789abcdef"
OLD_SECRET = b"an older secret of theirs, longer"


def whsec(secret: bytes) -> str:
    return f"whsec_{base64.b64encode(secret).decode()}"


@pytest.fixture
def crm() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def webhook(crm: Receiver, secrets: str = whsec(SECRET), send_s: float = LIMIT_S) -> WebhookDestination:
    return WebhookDestination("crm", f"https://{CRM}/leads?x=1", read_secrets(secrets), crm.poster(), send_s)


def test_the_message_can_be_verified_and_tells_the_lead(crm: Receiver) -> None:
    assert webhook(crm).send(make_payload(), START) == "returned 200"
    (request,) = crm.requests
    assert request.path == "/leads?x=1"
    id, timestamp = request.headers["webhook-id"], request.headers["webhook-timestamp"]
    assert (id, timestamp) == ("lead_3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f", str(int(START.timestamp())))
    assert request.headers["webhook-signature"] == Webhook(whsec(SECRET)).sign(id, START, request.body.decode())
    assert request.headers["content-type"] == "application/json"
    message = request.json
    assert message["type"] == "lead.received"
    data = message["data"]
    assert (data["id"], data["site"], data["form"], data["spamScore"], data["flags"], data["isCut"]) == (
        "3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f",
        "de",
        "estimate",
        15,
        ["no-captcha"],
        False,
    )
    assert data["fields"]["contact"] == FIELDS["contact"]
    assert data["fields"]["extraField"] == CANARY
    assert not {"privacyAccepted", "secondsOpen", "captchaToken", "website"} & set(data["fields"])


def test_every_try_has_the_same_id_and_its_own_time(crm: Receiver) -> None:
    for later in (0, 300):
        webhook(crm).send(make_payload(), START + timedelta(seconds=later))
    ids = {request.headers["webhook-id"] for request in crm.requests}
    assert len(ids) == 1
    assert len({request.headers["webhook-timestamp"] for request in crm.requests}) == 2


def test_while_a_secret_changes_both_sign(crm: Receiver) -> None:
    webhook(crm, f"{whsec(SECRET)} {whsec(OLD_SECRET)}").send(make_payload(), START)
    (request,) = crm.requests
    assert request.headers["webhook-signature"].split() == [
        Webhook(whsec(secret)).sign(request.headers["webhook-id"], START, request.body.decode())
        for secret in (SECRET, OLD_SECRET)
    ]


def test_files_are_named_by_their_ids(crm: Receiver) -> None:
    file = PayloadFile(7, "plan.pdf", 12, "ab" * 32, LeadFile(path="x").path)  # type: ignore[arg-type]
    webhook(crm).send(make_payload(files=[file]), START)
    assert crm.requests[0].json["data"]["files"] == [{"id": 7, "name": "plan.pdf", "size": 12, "sha256": "ab" * 32}]


@pytest.mark.parametrize(
    "fields",
    [
        {**FIELDS, "message": "ä" * 10_000},
        {**FIELDS, **{f"field{number}": "x" * 10_000 for number in range(190)}},
        {**FIELDS, **{"k" * 190 + str(number): "x" for number in range(190)}},
        {**FIELDS, "message": "\ud800"},
    ],
)
def test_a_message_is_never_longer_than_receivers_take(fields: dict[str, object], crm: Receiver) -> None:
    webhook(crm).send(make_payload(fields=fields), START)
    body = crm.requests[0].body
    assert len(body) <= LARGEST_MESSAGE
    data = json.loads(body)["data"]
    assert data["fields"]["contact"]["email"] == f"{CANARY}@northwind.example"
    assert data["isCut"] == (fields["message"] != "\ud800")


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_a_success(status: int, crm: Receiver) -> None:
    crm.answer = lambda _: Reply(status)
    assert webhook(crm).send(make_payload(), START) == f"returned {status}"


@pytest.mark.parametrize("status", [301, 302, 307, 308, 304, 400, 401, 404, 422, 429, 500, 502, 503, 504])
def test_anything_else_is_tried_again_and_no_redirect_followed(status: int, crm: Receiver) -> None:
    crm.answer = lambda _: Reply(status, {"Location": f"https://{CRM}/other", "Retry-After": "120"}, CANARY.encode())
    with pytest.raises(Retryable) as failed:
        webhook(crm).send(make_payload(), START)
    assert str(status) in failed.value.reason
    assert CANARY not in failed.value.reason
    assert len(crm.requests) == 1
    if status >= 400:
        assert failed.value.retry_after_s == 120


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("Sat, 21 Nov 2026 09:02:00 GMT", 120), ("Sat, 21 Nov 2026 08:00:00 GMT", 0), ("soon", None), ("-5", None)],
)
def test_retry_after_may_be_a_date(value: str, seconds: float | None, crm: Receiver) -> None:
    crm.answer = lambda _: Reply(503, {"Retry-After": value})
    with pytest.raises(Retryable) as failed:
        webhook(crm).send(make_payload(), START)
    assert failed.value.retry_after_s == seconds


def test_gone_closes_the_destination(crm: Receiver) -> None:
    crm.answer = lambda _: Reply(410)
    with pytest.raises(Closed, match="reopen"):
        webhook(crm).send(make_payload(), START)


def test_who_hangs_is_not_waited_for(crm: Receiver) -> None:
    crm.answer = lambda _: Reply(after_s=3600)
    with pytest.raises(Retryable, match="did not respond within"):
        webhook(crm, send_s=0.3).send(make_payload(), START)


def test_a_private_address_is_not_sent_to(crm: Receiver) -> None:
    inside = WebhookDestination("crm", "https://localhost/leads", [SECRET], Poster())
    with pytest.raises(Retryable, match="not a public address"):
        inside.send(make_payload(), START)


@pytest.mark.parametrize(
    "text",
    ["", "CANARY", "whsec_CANARY", whsec(b"x" * 23), whsec(b"x" * 65), whsec(SECRET)[6:], f"{whsec(SECRET)} CANARY"],
)
def test_what_is_no_secret_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_secrets(text)
    assert "CANARY" not in repr(refused.value)
