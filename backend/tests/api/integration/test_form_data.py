import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client
from pytest_django import Settings

from portolan.api.integration import form_data
from portolan.domain.client_limits import ClientLimits
from portolan.leads import accept, refusals
from portolan.leads.models import Lead
from portolan.schemas.lead import LeadReceipt

from ...leads.conftest import GOOD_FILES, PDF, encode, stored_files
from ..conftest import assert_problem
from .conftest import FORM_DATA, HOSTS, Submit

pytestmark = pytest.mark.django_db


def test_a_form_is_stored_and_answered(submit: Submit) -> None:
    files = list(GOOD_FILES.items())[:5]
    reply = submit(files=[(f"attachments[{n}]", name, data) for n, (name, data) in enumerate(files)])
    assert reply.status_code == 201
    assert reply["Content-Type"] == "application/json"
    assert reply["Cache-Control"] == "no-store"
    lead = Lead.objects.get(pk=reply.json()["id"])
    assert reply.json() == {"id": str(lead.pk), "status": "received"}
    assert lead.site == "de"  # the page's language wins over Accept-Language
    assert [file.name for file in lead.files.all()] == [name for name, _ in files]


@pytest.mark.parametrize("value", [None, "", "app", "site, site"])
def test_it_has_to_say_who_integrates(value: str | None, submit: Submit) -> None:
    assert_problem(submit(Integration=value), 400, "integration-required")
    assert not Lead.objects.exists()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{}"),
        ("application/x-www-form-urlencoded", b"a=1"),
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=", b""),
        (f"multipart/form-data; boundary={'x' * 71}", b""),
        ("multipart/mixed; boundary=x", b""),
        ("", b""),
        ("x" * 9000, b""),
    ],
)
def test_it_has_to_be_multipart(content_type: str, body: bytes, submit: Submit) -> None:
    assert_problem(submit(body, content_type=content_type), 415, "no-multipart")


def test_a_compressed_body_is_refused(submit: Submit) -> None:
    assert_problem(submit(Content_Encoding="gzip"), 415, "no-multipart")


def test_a_body_that_ends_too_early_is_malformed(submit: Submit) -> None:
    assert_problem(submit(encode({"a": "1"})[:-8]), 400, "malformed-body")


def test_a_declared_size_is_believed_only_where_it_refuses(submit: Submit, client: Client) -> None:
    large = encode({}, [(f"attachments[{n}]", "a.txt", b"a" * (9 << 20)) for n in range(4)])
    assert_problem(submit(large), 413, "body-too-large")
    headers = {"Host": HOSTS["en"], "Integration": "site"}
    kind = "multipart/form-data; boundary=----boundary"
    for size in ("99999999999", "31457281", "9" * 5000):
        reply = client.generic("POST", FORM_DATA, b"", kind, headers=headers, CONTENT_LENGTH=size)
        assert_problem(reply, 413, "body-too-large")


@pytest.mark.parametrize(
    ("changes", "files", "status", "code", "field"),
    [
        ({"contact[email]": "no address"}, [], 422, "invalid-value", "contact[email]"),
        ({"message": "x" * 10_001}, [], 422, "invalid-value", "message"),
        ({"a[b][c][d][e][f]": "1"}, [], 422, "invalid-value", "a[b][c][d][e][f]"),
        ({"message[x]": "1"}, [], 422, "invalid-value", "message[x]"),
        ({}, [("attachments[0]", "a.txt", b"a" * ((10 << 20) + 1))], 413, "file-too-large", "attachments[0]"),
        ({}, [("attachments[0]", "a.exe", b"MZ")], 415, "unsupported-file", "attachments[0]"),
        ({}, [("attachments[0]", "a.pdf", b"MZ")], 415, "unsupported-file", "attachments[0]"),
        ({}, [(f"attachments[{n}]", "a.txt", b"a") for n in range(6)], 422, "invalid-value", "attachments[5]"),
    ],
)
def test_a_refusal_names_the_field(
    changes: dict[str, str | None], files: list[Any], status: int, code: str, field: str, submit: Submit, tmp_path: Path
) -> None:
    problem = assert_problem(submit(changes, files), status, code)
    assert [error["field"] for error in problem["errors"]] == [field]
    assert field in problem["detail"]
    assert not Lead.objects.exists()
    assert stored_files(tmp_path / "leads") == []


def test_a_key_makes_repeats_of_a_submission(submit: Submit) -> None:
    first = submit(Idempotency_Key="k")
    again = submit(Idempotency_Key="k")
    assert (again.status_code, again.content) == (201, first.content)
    assert_problem(submit({"message": "Another."}, Idempotency_Key="k"), 422, "idempotency-key-reused")
    assert submit(Idempotency_Key="x" * 255).content != first.content
    problem = assert_problem(submit(Idempotency_Key="x" * 256), 422, "invalid-value")
    assert problem["errors"][0]["field"] == "header.Idempotency-Key"


def test_a_form_that_was_refused_may_be_sent_again_under_its_key(submit: Submit) -> None:
    assert submit({"contact[email]": "no address"}, Idempotency_Key="k").status_code == 422
    assert submit(Idempotency_Key="k").status_code == 201


def test_who_sends_much_is_flagged_and_who_floods_is_refused(submit: Submit, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=2, lead_flood=4)
    replies = [submit({"message": f"{number}"}) for number in range(5)]
    assert [reply.status_code for reply in replies] == [201, 201, 201, 201, 429]
    leads = [Lead.objects.get(pk=reply.json()["id"]) for reply in replies[:4]]
    assert ["over-limit" in lead.flags for lead in leads] == [False, False, True, True]
    assert [lead.state for lead in leads] == ["open", "open", "quarantined", "quarantined"]
    assert_problem(replies[4], 429, "too-many-requests")
    assert int(replies[4]["Retry-After"]) > 0
    assert submit({"message": "a"}, address="203.0.113.8").status_code == 201


def test_repeats_refusals_and_partial_submissions_use_up_no_share(submit: Submit, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=1, lead_flood=0)
    assert submit({"contact[email]": "no address"}).status_code == 422
    assert submit({"begun": "true"}, Idempotency_Key="k").status_code == 201
    for _ in range(2):
        assert submit(Idempotency_Key="k").status_code == 201
    assert [lead.flags for lead in Lead.objects.all()] == [["no-captcha"]]
    assert submit({"message": "another"}).status_code == 201
    assert Lead.objects.filter(state="quarantined").count() == 1


def test_large_forms_use_up_more_of_the_flood_limit(submit: Submit, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=0, lead_flood=4)
    large = [("attachments[0]", "a.pdf", PDF + bytes(6 << 20))]
    statuses = [submit({"message": f"{number}"}, files=large).status_code for number in range(3)]
    assert statuses == [201, 201, 429]


def test_what_cannot_be_stored_is_to_be_sent_again(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(accept, "store_intake", full)
        reply = submit(Idempotency_Key="k")
        assert_problem(reply, 503, "unavailable")
        assert int(reply["Retry-After"]) > 0
    assert submit(Idempotency_Key="k").status_code == 201


def test_while_the_database_is_away_a_form_is_taken_and_said_to_wait(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(accept, "find_answer", away)
        reply = submit(Idempotency_Key="k")
    assert (reply.status_code, reply["Content-Type"]) == (202, "application/json")
    assert reply.json()["status"] == "received"
    assert submit(Idempotency_Key="k").json() == reply.json()
    assert not Lead.objects.exists()


def test_every_refusal_of_leads_has_a_problem_of_its_own() -> None:
    codes = {value for name, value in vars(refusals).items() if name.isupper() and isinstance(value, str)}
    assert codes == set(form_data._KINDS)


def test_the_document_has_every_field_as_it_is_sent() -> None:
    schema = form_data._BODY["content"]["multipart/form-data"]["schema"]
    assert {"form", "contact[name]", "price[from]", "adClick[type]", "pageUrl", "website"} <= set(schema["properties"])
    assert schema["required"] == ["contact[name]", "contact[email]", "pageUrl", "privacyAccepted", "captchaToken"]
    assert {"services[0]", "team[0][role]", "team[0][count]", "attachments[0]"} <= set(schema["properties"])
    assert schema["dependentRequired"]["price[to]"] == ["price[from]", "price[currency]"]
    names = schema["propertyNames"]["pattern"]
    for key in (*schema["properties"], "services[50]", "ключ", "a[b][c][d][e]"):
        assert re.search(names, key), key
    for key in ("", "a[]", "a[b", "[a]", "a[b][c][d][e][f]", "a\0"):
        assert not re.search(names, key), key


def test_the_documents_example_is_taken(submit: Submit) -> None:
    example = form_data._BODY["content"]["multipart/form-data"]["example"]
    fields = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in example.items()}
    assert submit(encode(fields)).status_code == 201


def test_no_log_tells_what_was_sent(
    submit: Submit,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("django", "django.request", "django.server", "django.db.backends", "portolan", "ninja"):
        logger = logging.getLogger(name)
        # Only debug mode logs SQL with its parameters. The product never uses it.
        monkeypatch.setattr(logger, "level", logging.DEBUG)
        monkeypatch.setattr(logger, "propagate", True)
    canary = {
        "contact[name]": "CANARY-name",
        "contact[email]": "canary-address@northwind.example",
        "contact[phone]": "CANARY-phone",
        "message": "CANARY-message",
        "captchaToken": "CANARY-token",
        "firstVisitUrl": "https://northwind.example/?CANARY-url",
        "other[0][x]": "CANARY-other",
    }
    cv = ("attachments[0]", "CANARY-file.pdf", PDF + b"CANARY-bytes")

    def send_all() -> None:
        for changes in (
            {},
            {"contact[email]": "CANARY no address"},
            {"months": "CANARY"},
            {"message": "CANARY\0"},
            {"pageUrl": "CANARY"},
        ):
            replies.append(submit({**canary, **changes}, [cv], Idempotency_Key="CANARY-key"))
        replies.append(submit({**canary, "message": "CANARY-other"}, [cv], Idempotency_Key="CANARY-key"))
        replies.append(submit(canary, [("attachments[0]", "CANARY.exe", b"CANARY")]))
        replies.append(submit(encode({**canary})[:-9]))

    replies: list[Any] = []
    with caplog.at_level(logging.DEBUG):
        send_all()

        error = DatabaseError("Failing row contains (CANARY)")

        def fail(*_: Any) -> None:
            raise error

        monkeypatch.setattr(accept, "find_answer", fail)
        send_all()

        def break_down(*_: Any, **__: Any) -> None:
            raise RuntimeError("it broke")

        monkeypatch.setattr(accept, "identify", break_down)
        send_all()
    assert {reply.status_code for reply in replies} == {201, 202, 400, 415, 422, 500}
    assert "it broke" in caplog.text
    output = capfd.readouterr()
    logged = caplog.text + output.out + output.err
    for record in caplog.records:
        logged += repr(record.args) + record.getMessage() + str(record.exc_text)
    assert "canary" not in logged.lower()
    for reply in replies:
        assert "canary" not in reply.content.decode().lower()


def test_a_receipt_is_what_the_contract_says(submit: Submit) -> None:
    assert LeadReceipt.model_validate_json(submit().content).status == "received"
    assert json.loads(submit().content)
