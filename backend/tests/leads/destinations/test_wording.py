from pathlib import Path
from typing import Any, get_args

import pytest

from portolan.leads.destinations.base import PayloadFile
from portolan.leads.destinations.wording import OURS, describe_payload, find_value, is_known
from portolan.sites.destinations import LeadValue

from ..making import make_payload


@pytest.mark.parametrize(
    ("fields", "path", "text"),
    [
        ({}, "site", "de"),
        ({}, "form", "estimate"),
        ({"message": "We move containers."}, "message", "We move containers."),
        ({"contact": {"company": "Brightmoor"}}, "contact.company", "Brightmoor"),
        ({"contact": {"name": "Anna"}}, "contact.company", ""),
        ({}, "contact.company", ""),
        ({"contact": "Anna"}, "contact.name", ""),
        ({"services": ["devops", "web-development"]}, "services", "devops; web-development"),
        ({"team": [{"role": "Tester", "count": 2}]}, "team", "role: Tester, count: 2"),
        ({"months": 12}, "months", "12"),
        ({"price": {"from": 0.5, "to": 52000.0}}, "price", "from: 0.5, to: 52000"),
        ({"price": {"from": 1234567.89, "to": 1e12}}, "price", "from: 1234567.89, to: 1000000000000"),
        # A visitor's fields with names of our fields.
        ({"id": "1"}, "id", "3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f"),
        ({"site": "en"}, "site", "de"),
        ({"form": "contact"}, "form", "estimate"),
        ({"files": "cv.pdf"}, "files", ""),
        ({"contact.name": "Anna"}, "contact.name", ""),
    ],
)
def test_a_value_is_told_in_words(fields: dict[str, Any], path: str, text: str) -> None:
    assert find_value(make_payload(fields=fields), path) == text


def test_a_webhook_keeps_our_values_apart_from_the_visitors() -> None:
    named = dict.fromkeys(("id", "site", "form", "createdAt", "flags", "spamScore", "captcha", "files", "isCut"), "x")
    payload = make_payload(fields=named)
    plain = describe_payload(make_payload(fields={}))
    assert describe_payload(payload) == {**plain, "fields": named}


def test_every_value_a_registry_can_name_is_ours_or_a_field_of_the_form() -> None:
    assert all(path in OURS or is_known(tuple(path.split("."))) for path in get_args(LeadValue))


def test_files_are_told_by_their_names() -> None:
    files = tuple(PayloadFile(id, f"{id}.pdf", 9, "0" * 64, Path(f"{id}.pdf")) for id in (1, 2))
    assert find_value(make_payload(files=files), "files") == "1.pdf, 2.pdf"
