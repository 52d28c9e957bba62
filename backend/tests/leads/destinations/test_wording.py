from pathlib import Path
from typing import Any

import pytest

from portolan.leads.destinations.base import PayloadFile
from portolan.leads.destinations.wording import find_value

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
        ({"newsletter": True}, "newsletter", "yes"),
    ],
)
def test_a_value_is_told_in_words(fields: dict[str, Any], path: str, text: str) -> None:
    assert find_value(make_payload(fields=fields), path) == text


def test_files_are_told_by_their_names() -> None:
    files = tuple(PayloadFile(id, f"{id}.pdf", 9, "0" * 64, Path(f"{id}.pdf")) for id in (1, 2))
    assert find_value(make_payload(files=files), "files") == "1.pdf, 2.pdf"
