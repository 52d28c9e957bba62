"""The score as a table: the weight of each sign, and the limit for quarantine."""

import pytest

from portolan.leads import flags
from portolan.leads.spam import MOST, WEIGHTS, find_signs, must_wait, score
from portolan.schemas.lead import LeadForm
from portolan.sites.destinations import LeadRules

THRESHOLD = LeadRules().quarantine_score


def form(**changes: object) -> LeadForm:
    values = {
        "contact": {"name": "Head of Operations", "email": "operations@northwind.example"},
        "pageUrl": "http://localhost:8000/contact-us",
        "privacyAccepted": True,
        "captchaToken": "no-token",
    }
    return LeadForm.model_validate({**values, **changes})


CONTACT = {"name": "Head of Operations", "email": "operations@northwind.example"}


@pytest.mark.parametrize(
    ("changes", "signs"),
    [
        ({}, []),
        ({"website": "https://x.example"}, ["honeypot"]),
        ({"website": "  "}, []),
        ({"secondsOpen": 1.9}, ["too-quick"]),
        ({"secondsOpen": 0}, ["too-quick"]),
        ({"secondsOpen": 2}, []),
        ({"message": "See https://a.example and www.b.example"}, []),
        ({"message": "HTTPS://a.example http://b.example www.c.example"}, ["links"]),
        ({"message": "<a href='x'>y</a>"}, ["link-markup"]),
        ({"message": "[URL=https://a.example]y[/URL]"}, ["link-markup"]),
        ({"message": "if a <b then"}, []),
        ({"contact": {**CONTACT, "name": "Win at https://a.example"}}, ["link-in-name"]),
        ({"contact": {**CONTACT, "company": "www.a.example"}}, ["link-in-name"]),
        ({"contact": {**CONTACT, "company": "a.example"}}, []),
        ({"contact": {**CONTACT, "phone": "+971 50 123 4567"}}, []),
        ({"contact": {**CONTACT, "phone": "call me after six"}}, ["odd-phone"]),
        ({"contact": {**CONTACT, "phone": "12"}}, ["odd-phone"]),
    ],
)
def test_signs_of_a_form(changes: dict[str, object], signs: list[str]) -> None:
    assert list(find_signs(form(**changes))) == signs


@pytest.mark.parametrize(
    ("found", "points", "waits"),
    [
        ([], 0, False),
        (["no-captcha"], 15, False),
        (["captcha-unanswered"], 0, False),
        (["no-captcha", "foreign-page"], 35, False),
        (["no-captcha", "links"], 40, False),
        (["too-quick", "no-captcha"], 50, False),
        (["too-quick", "links"], 60, True),
        (["honeypot"], 60, True),
        (["honeypot", "honeypot"], 60, True),
        (["link-in-name", "links"], 65, True),
        (["over-limit", "too-quick"], 65, True),
        (["a-flag-of-later"], 0, False),
        (list(WEIGHTS), MOST, True),
    ],
)
def test_points(found: list[str], points: int, waits: bool) -> None:
    assert score(found) == points
    assert must_wait(found, THRESHOLD) == waits


@pytest.mark.parametrize("is_over_limit", [False, True])
@pytest.mark.parametrize(
    "found",
    [
        [],  # a solved captcha
        ["no-captcha"],
        ["captcha-expired"],
        ["captcha-unreadable"],
        ["captcha-unanswered"],
        ["captcha-low-score"],
        ["captcha-reused"],
    ],
)
def test_over_the_limit_a_lead_waits_whatever_its_captcha_says(found: list[str], is_over_limit: bool) -> None:
    assert must_wait([*found, *["over-limit"] * is_over_limit], THRESHOLD) == is_over_limit


@pytest.mark.parametrize("flag", ["over-limit", "file-with-virus", "unchecked-file"])
def test_no_threshold_lets_it_go_unseen(flag: str) -> None:
    assert must_wait([flag], 101)


def test_every_flag_has_a_weight_and_only_the_honeypot_is_enough_alone() -> None:
    codes = {value for name, value in vars(flags).items() if name.isupper() and isinstance(value, str)}
    assert codes == set(WEIGHTS)
    assert [flag for flag, weight in WEIGHTS.items() if weight >= THRESHOLD] == ["honeypot"]
