"""Every kind of production reply, by the rules of MDN's HTTP Observatory and some stricter ones."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import pytest

from portolan.consent_records.checks import GRANTED_UNASKED

from ..processes import LIMIT_S
from .answers import ASKED, ROOT
from .rules import Answer, judge, read_policy

pytestmark = pytest.mark.one_worker  # all of them read production's replies

STATUS: Final = {
    "missing page": 404,
    "redirect": 301,
    "missing media": 404,
    "wrong method": 405,
    "address that is none": 400,
    "unknown host": 421,
    "API": 404,
    "API's missing address": 404,
    "form from elsewhere": 403,
    "proxy's refusal": 403,
    "studio": 302,
    "studio's missing address": 302,
}
"""Replies with a status other than 200. The API lacks a release here."""
PAGES: Final = ("page of a first visit",)


class Production(NamedTuple):
    answers: Mapping[str, Answer]
    complaints: list[str]


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Production:
    folder = tmp_path_factory.mktemp("production")
    paths = os.pathsep.join([str(ROOT / "backend"), str(ROOT)])
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("PORTOLAN_", "DJANGO_", "DATABASE"))
    }
    said = subprocess.run(
        [sys.executable, "-m", "tests.observatory.answers", str(folder)],
        env={**own, "PYTHONPATH": paths},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert said.returncode == 0, said.stderr[-4000:]
    found: dict[str, Any] = json.loads(said.stdout)
    answers = {
        what: Answer(answer["status"], [(name, value) for name, value in answer["headers"]], answer["body"])
        for what, answer in found["answers"].items()
    }
    return Production(answers, found["complaints"])


def failing(production: Production, is_well: Callable[[Answer], object]) -> list[str]:
    return [what for what, answer in production.answers.items() if not is_well(answer)]


def test_each_is_the_answer_that_is_meant(production: Production) -> None:
    assert {what: answer.status for what, answer in production.answers.items()} == {
        what: STATUS.get(what, 200) for what in ASKED
    }


def test_a_page_has_135_points_and_nothing_less_than_a_plus(production: Production) -> None:
    judged = {what: judge(answer) for what, answer in production.answers.items()}
    assert {what: judged[what].points for what in PAGES if judged[what].score != 135} == {}
    assert {what: found for what, found in judged.items() if found.grade != "A+"} == {}


def test_browsers_are_held_to_https_by_every_answer(production: Production) -> None:
    wanted = "max-age=63072000; includeSubDomains"
    assert failing(production, lambda answer: answer.all("strict-transport-security") == [wanted]) == []


def test_no_answer_can_be_framed_guessed_or_named_to_others(production: Production) -> None:
    assert failing(production, lambda answer: answer.all("x-content-type-options") == ["nosniff"]) == []
    assert failing(production, lambda answer: len(answer.all("referrer-policy")) == 1) == []
    assert failing(production, lambda answer: read_policy(answer).get("frame-ancestors")) == []
    assert failing(production, lambda answer: read_policy(answer)["default-src"] == ["'none'"]) == []


def test_every_text_says_its_letters(production: Production) -> None:
    def says(answer: Answer) -> bool:
        type = answer.one("content-type")
        return not type.startswith(("text/html", "text/plain", "text/css")) or "charset=utf-8" in type

    assert failing(production, lambda answer: answer.one("content-type") or answer.body == "") == []
    assert failing(production, says) == []


def test_cookies_are_for_https_for_this_host_and_for_no_other_site(production: Production) -> None:
    cookies = {
        cookie.partition("=")[0]: cookie
        for answer in production.answers.values()
        for cookie in answer.all("set-cookie")
    }
    assert {*cookies} == {"country_code", "__Host-csrftoken"}
    for cookie in cookies.values():
        assert "; Secure" in cookie
        assert re.search(r"; SameSite=Lax\b", cookie)
        assert "; Path=/" in cookie
        assert "Domain" not in cookie


def test_the_studio_is_stored_by_nobody(production: Production) -> None:
    assert "no-store" in production.answers["studio's login"].one("cache-control")


def test_django_s_own_checks_of_a_deployment_find_nothing(production: Production) -> None:
    assert [said for said in production.complaints if GRANTED_UNASKED not in said] == []


@pytest.mark.parametrize(
    ("changed", "points"),
    [
        ({"content-security-policy": ""}, {"policy": -25, "frames": -20}),
        ({"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}, {"policy": 0, "frames": -20}),
        ({"content-security-policy": "default-src 'self'; frame-ancestors 'none'"}, {"policy": 5}),
        ({"content-security-policy": "default-src *; frame-ancestors 'none'"}, {"policy": -20}),
        (
            {"content-security-policy": "default-src 'none'; script-src 'unsafe-eval'; frame-ancestors 'self'"},
            {"policy": -10},
        ),
        ({"content-security-policy": "default-src 'none'; img-src http:; frame-ancestors 'self'"}, {"policy": -10}),
        ({"set-cookie": "session=1; SameSite=Lax"}, {"cookies": -40}),
        ({"set-cookie": "sessionid=1; Secure"}, {"cookies": -30}),
        ({"set-cookie": "csrftoken=1; Secure"}, {"cookies": -20}),
        ({"set-cookie": "c=1; Secure"}, {"cookies": 0}),
        ({"set-cookie": "c=1; Secure; SameSite=Lax"}, {"cookies": 5}),
        ({"referrer-policy": "unsafe-url"}, {"referrer": -5}),
        ({"strict-transport-security": ""}, {"https": -20}),
        ({"strict-transport-security": "max-age=60"}, {"https": -10}),
        ({"x-content-type-options": ""}, {"types": -5}),
        ({"cross-origin-resource-policy": "same-origin"}, {"resource": 10}),
        ({"access-control-allow-origin": "https://x", "access-control-allow-credentials": "true"}, {"origins": -50}),
    ],
)
def test_the_rules_tell_good_from_bad(changed: dict[str, str], points: dict[str, int]) -> None:
    good = {
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "same-origin",
        "strict-transport-security": "max-age=63072000",
        "x-content-type-options": "nosniff",
    }
    found = judge(Answer(200, [(name, value) for name, value in {**good, **changed}.items() if value], ""))
    assert {name: found.points[name] for name in points} == points
    assert judge(Answer(200, [*good.items()], "")).score == 120


@pytest.mark.parametrize(
    ("body", "points"),
    [
        ("<script>1</script>", 0),
        ('<script src="/a.js"></script>', 0),
        ('<script src="/a.js" integrity="sha384-x"></script>', 5),
        ('<script src="https://x.example/a.js"></script>', -5),
    ],
)
def test_scripts_of_others_need_a_digest(body: str, points: int) -> None:
    assert judge(Answer(200, [("content-type", "text/html")], body)).points["integrity"] == points
