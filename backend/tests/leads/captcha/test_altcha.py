"""The embedded captcha: who passes, who is refused, and who is only flagged."""

import base64
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import altcha
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portolan.leads.accept import accept_lead
from portolan.leads.captcha import altcha as ours
from portolan.leads.captcha.open import open_altcha
from portolan.leads.file_store import FileStore
from portolan.leads.housekeeping import remove_leftovers
from portolan.leads.models import Answer, CaptchaSolution, Lead
from portolan.leads.refusals import LeadRefused

from ...api.integration.conftest import HOSTS
from ..conftest import PDF, post, stored_files

PATH = "/__captcha"


@pytest.fixture(autouse=True)
def easy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "_COST", 1)


def solve(challenge: dict[str, Any]) -> dict[str, Any]:
    made = altcha.Challenge.from_dict(challenge)
    solution = altcha.solve_challenge(made)
    assert solution is not None
    return altcha.Payload(made, solution).to_dict()


def encode(payload: object) -> str:
    return base64.b64encode(json.dumps(payload).encode()).decode()


def challenge(site: str = "de", minutes: float = 0) -> dict[str, Any]:
    return open_altcha().make_challenge(site, timezone.now() + timedelta(minutes=minutes))


def token(site: str = "de") -> str:
    return encode(solve(challenge(site)))


def refused(value: str, name: str | None = None) -> str:
    with pytest.raises(LeadRefused) as refusal:
        accept_lead(post({"captchaToken": value}, [("attachments[0]", "cv.pdf", PDF)], name=name))
    assert refusal.value.code == "captcha-refused"
    (problem,) = refusal.value.errors
    assert problem.field == "captchaToken"
    return problem.message


@pytest.mark.django_db
class TestOne:
    def test_a_solution_is_verified_and_noted(self) -> None:
        accept_lead(post({"captchaToken": token()}))
        lead = Lead.objects.get()
        assert (lead.captcha_status, lead.flags, lead.spam_score) == ("verified", [], 0)
        assert CaptchaSolution.objects.count() == 1

    @pytest.mark.postgres
    def test_a_solution_is_used_once(self, leads_dir: Any) -> None:
        used = token()
        accept_lead(post({"captchaToken": used}, name="first"))
        assert "used before" in refused(used, "second")
        assert Lead.objects.count() == Answer.objects.count() == 1
        assert stored_files(leads_dir) == []

    def test_a_repeat_comes_with_its_used_solution_and_gets_its_answer(self) -> None:
        used = token()
        first = accept_lead(post({"captchaToken": used}, name="k"))
        assert accept_lead(post({"captchaToken": used}, name="k")) == first

    def test_another_sites_solution_is_refused(self) -> None:
        assert "another form or site" in refused(token("en"))

    def test_another_actions_solution_is_refused(self) -> None:
        made = altcha.create_challenge(
            "PBKDF2/SHA-256",
            1,
            expires_at=timezone.now() + timedelta(minutes=5),
            data={"action": "login", "site": "de"},
            hmac_secret=open_altcha()._secret,
        )
        assert "another form or site" in refused(encode(solve(made.to_dict())))

    @pytest.mark.parametrize("change", ["signature", "expiry", "data", "cost", "no signature", "other secret"])
    def test_what_is_forged_is_refused(self, change: str) -> None:
        payload = solve(challenge())
        parameters = payload["challenge"]["parameters"]
        match change:
            case "signature":
                payload["challenge"]["signature"] = "0" * 64
            case "expiry":
                parameters["expiresAt"] += 600
            case "data":
                parameters["data"]["site"] = "de "
            case "cost":
                parameters["cost"] = 2
            case "no signature":
                payload["challenge"]["signature"] = None
            case "other secret":
                payload = solve(ours.Altcha(b"x" * 32).make_challenge("de", timezone.now()))
        assert "not a solution of our challenge" in refused(encode(payload))
        assert not Lead.objects.exists()

    def test_a_challenge_that_was_not_solved_is_refused(self) -> None:
        payload = solve(challenge())
        payload["solution"]["counter"] += 1
        assert "not a solution" in refused(encode(payload))

    def test_what_was_solved_too_long_ago_is_flagged(self) -> None:
        accept_lead(post({"captchaToken": encode(solve(challenge(minutes=-11)))}))
        lead = Lead.objects.get()
        assert (lead.captcha_status, lead.flags, lead.state) == ("unverified", ["captcha-expired"], "open")
        assert not CaptchaSolution.objects.exists()

    @pytest.mark.parametrize(
        "value",
        [
            "abc",
            "ä",
            "e30=",
            encode([]),
            encode({"challenge": [], "solution": {}}),
            encode("x"),
            "A" * 9000,
            encode({"challenge": {"parameters": {}}}),
        ],
    )
    def test_what_nobody_can_read_is_flagged_like_no_token(self, value: str) -> None:
        accept_lead(post({"captchaToken": value}))
        assert Lead.objects.get().flags == ["captcha-unreadable"]

    @pytest.mark.parametrize("value", [None, 1.5, "soon", 10**30, -(10**30), True, [1]])
    def test_a_time_that_is_none_is_forged(self, value: object) -> None:
        payload = solve(challenge())
        payload["challenge"]["parameters"]["expiresAt"] = value
        refused(encode(payload))

    @pytest.mark.postgres
    def test_used_solutions_are_forgotten_when_they_are_no_good_any_more(self, leads_dir: Any) -> None:
        accept_lead(post({"captchaToken": token()}))
        CaptchaSolution.objects.create(key="old", expires_at=timezone.now() - timedelta(seconds=1))
        remove_leftovers(FileStore(leads_dir))
        assert [solution.pk.split(":")[0] for solution in CaptchaSolution.objects.all()] == ["altcha"]

    def test_checking_takes_a_few_milliseconds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()
        payload = encode(solve(challenge()))
        now, began = timezone.now(), time.thread_time()
        for _ in range(10):
            open_altcha().verify(payload, "de", now)
        assert time.thread_time() - began < 0.5


@pytest.mark.django_db
class TestChallenge:
    def test_it_is_the_sites_own_and_good_for_ten_minutes(self, client: Client) -> None:
        reply = client.get(PATH, headers={"Host": HOSTS["ae"]})
        assert (reply.status_code, reply["Cache-Control"], reply["Content-Type"]) == (
            200,
            "no-store",
            "application/json",
        )
        parameters = reply.json()["parameters"]
        assert parameters["data"] == {"action": "submit", "site": "ae"}
        assert 590 <= parameters["expiresAt"] - timezone.now().timestamp() <= 600
        assert open_altcha().verify(encode(solve(reply.json())), "ae", timezone.now()).is_verified

    def test_each_is_another(self, client: Client) -> None:
        nonces = {client.get(PATH, headers={"Host": HOSTS["en"]}).json()["parameters"]["nonce"] for _ in range(5)}
        assert len(nonces) == 5

    def test_there_is_none_where_another_captcha_is_configured(self, client: Client, settings: Settings) -> None:
        registry = settings.SITES_REGISTRY
        settings.SITES_REGISTRY = registry.model_copy(
            update={"captcha": registry.captcha.model_copy(update={"provider": "none"})}
        )
        assert client.get(PATH, headers={"Host": HOSTS["en"]}).status_code == 404

    def test_it_is_only_read_and_only_on_sites(self, client: Client) -> None:
        assert client.post(PATH, headers={"Host": HOSTS["en"]}).status_code == 405
        studio = "studio.localhost:8000"
        assert client.get(PATH, headers={"Host": studio}).status_code == 421


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("many_connections")
def test_of_many_uses_at_once_one_is_a_lead() -> None:
    used = token()
    gate = threading.Barrier(30)

    def one(number: int) -> str:
        gate.wait()
        try:
            accept_lead(post({"captchaToken": used}, name=f"{number}"))
        except LeadRefused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "stored"

    with ThreadPoolExecutor(30) as pool:
        outcomes = list(pool.map(one, range(30)))
    assert outcomes.count("stored") == 1
    assert outcomes.count("captcha-refused") == 29
    assert Lead.objects.count() == Answer.objects.count() == 1
