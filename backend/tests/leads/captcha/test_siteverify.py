"""reCAPTCHA v3 and Turnstile, with servers that reply as theirs do."""

import json
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.utils import timezone
from pytest_django import Settings

from portolan.leads.accept import accept_lead
from portolan.leads.captcha import siteverify
from portolan.leads.captcha.base import NoCaptcha
from portolan.leads.captcha.open import open_captcha
from portolan.leads.captcha.siteverify import RECAPTCHA, TURNSTILE, SiteVerify
from portolan.leads.models import Lead
from portolan.leads.refusals import LeadRefused

from ...processes import LIMIT_S
from ..conftest import post
from ..receiver import Receiver, Reply, receiving

GOOD = {"success": True, "action": "submit", "hostname": "de.localhost", "score": 0.9}
TOKEN = "03AGdBq2canary"


@pytest.fixture
def provider() -> Iterator[Receiver]:
    with receiving("www.google.com", "challenges.cloudflare.com") as receiver:
        yield receiver


def verify(
    provider: Receiver,
    answer: Any,
    url: str = RECAPTCHA,
    status: int = 200,
    after_s: float = 0,
    verify_s: float = LIMIT_S,
) -> tuple[bool, list[str]]:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    provider.answer = lambda _: Reply(status, {}, body, after_s)
    hosts = {"de": {"de.localhost"}, "en": {"localhost"}}
    checked = SiteVerify(url, "secret", hosts, 0.5, provider.poster(), verify_s)
    verdict = checked.verify(TOKEN, "de", timezone.now())
    assert (verdict.solution is not None) == (isinstance(answer, dict) and answer["success"])
    return verdict.is_verified, list(verdict.flags)


@pytest.mark.parametrize("url", [RECAPTCHA, TURNSTILE])
def test_a_good_token_is_verified(url: str, provider: Receiver) -> None:
    assert verify(provider, GOOD, url) == (True, [])
    sent = {name: values[0] for name, values in parse_qs(provider.requests[0].body.decode()).items()}
    assert (sent["secret"], sent["response"]) == ("secret", TOKEN)
    assert ("idempotency_key" in sent) == (url == TURNSTILE)
    assert "remoteip" not in sent


def test_a_low_score_is_a_flag(provider: Receiver) -> None:
    assert verify(provider, {**GOOD, "score": 0.4}) == (False, ["captcha-low-score"])
    assert verify(provider, {**GOOD, "score": 0.5}) == (True, [])


@pytest.mark.parametrize(
    "answer",
    [
        {**GOOD, "action": "login"},
        {**GOOD, "hostname": "localhost"},
        {**GOOD, "hostname": "evil.example"},
        {**GOOD, "hostname": None},
        {"success": False, "error-codes": ["invalid-input-response"]},
    ],
)
def test_what_is_proven_abuse_is_refused(answer: dict[str, Any], provider: Receiver) -> None:
    with pytest.raises(LeadRefused) as refused:
        verify(provider, answer)
    assert refused.value.code == "captcha-refused"


@pytest.mark.parametrize(
    ("answer", "flag"),
    [
        ({"success": False, "error-codes": ["timeout-or-duplicate"]}, "captcha-expired"),
        ({"success": False, "error-codes": ["invalid-input-secret"]}, "captcha-unanswered"),
        ({"success": False, "error-codes": ["internal-error"]}, "captcha-unanswered"),
        ({"success": False}, "captcha-unanswered"),
        (b"<html>", "captcha-unanswered"),
        (b"[]", "captcha-unanswered"),
    ],
)
def test_what_proves_nothing_is_a_flag(answer: Any, flag: str, provider: Receiver) -> None:
    assert verify(provider, answer) == (False, [flag])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_provider_in_trouble_costs_no_lead(status: int, provider: Receiver) -> None:
    assert verify(provider, b"", status=status) == (False, ["captcha-unanswered"])


def test_a_provider_that_does_not_answer_is_waited_for_three_seconds(
    provider: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    assert siteverify.VERIFY_S == 3
    with caplog.at_level(logging.DEBUG):
        assert verify(provider, b"", after_s=3600, verify_s=0.2) == (False, ["captcha-unanswered"])
    assert "did not respond within" in caplog.text
    assert TOKEN not in caplog.text


@pytest.mark.django_db
class TestTaking:
    @pytest.fixture(autouse=True)
    def turnstile(self, provider: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        registry = settings.SITES_REGISTRY
        entry = {"provider": "turnstile", "site_key": "0x4AAAAAAA", "secret_env": "TURNSTILE_SECRET"}
        captcha = type(registry.captcha).model_validate(entry)
        settings.SITES_REGISTRY = registry.model_copy(update={"captcha": captcha})
        settings.SECRETS = {"TURNSTILE_SECRET": "secret"}
        monkeypatch.setattr(siteverify, "Poster", provider.poster)
        provider.answer = lambda _: Reply(200, {}, json.dumps(GOOD).encode())

    def test_a_token_opens_one_door(self) -> None:
        accept_lead(post({"captchaToken": TOKEN}, name="a"))
        assert Lead.objects.get().captcha_status == "verified"
        with pytest.raises(LeadRefused):
            accept_lead(post({"captchaToken": TOKEN}, name="b"))
        assert Lead.objects.count() == 1

    def test_no_token_asks_nobody(self, provider: Receiver) -> None:
        accept_lead(post())
        assert provider.requests == []
        assert Lead.objects.get().flags == ["no-captcha"]

    def test_while_the_provider_is_down_every_lead_is_stored(self, provider: Receiver) -> None:
        provider.answer = lambda _: Reply(503)
        for number in range(5):
            accept_lead(post({"captchaToken": f"{TOKEN}{number}"}, name=f"{number}"))
        assert {(lead.captcha_status, lead.state, *lead.flags) for lead in Lead.objects.all()} == {
            ("unverified", "open", "captcha-unanswered")
        }
        assert Lead.objects.count() == 5

    def test_without_its_secret_leads_are_taken_and_the_log_says_so(
        self, settings: Settings, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.SECRETS = {}
        accept_lead(post({"captchaToken": TOKEN}))
        assert Lead.objects.get().captcha_status == "unverified"
        assert "TURNSTILE_SECRET is not set" in caplog.text


@pytest.mark.django_db
def test_without_a_captcha_nothing_is_asked_and_nothing_flagged(settings: Settings) -> None:
    registry = settings.SITES_REGISTRY
    captcha = registry.captcha.model_copy(update={"provider": "none"})
    settings.SITES_REGISTRY = registry.model_copy(update={"captcha": captcha})
    assert isinstance(open_captcha(settings.SITES_REGISTRY, {}), NoCaptcha)
    accept_lead(post(name="a"))
    accept_lead(post({"captchaToken": "whatever"}, name="b"))
    assert [(lead.flags, lead.captcha_status) for lead in Lead.objects.all()] == [([], "unverified")] * 2
