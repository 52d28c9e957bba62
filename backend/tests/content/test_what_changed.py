"""The description of an edit in the version history."""

import json
from typing import Any

import pytest

from portolan.content.models import InterfaceWords, MenuSettings, Phone, RateCardSettings
from portolan.content.what_changed import say_changes


def menu(*items: tuple[str, str, list[str]]) -> dict[str, Any]:
    return {
        "items": json.dumps(
            [
                {
                    "type": "item",
                    "id": id,
                    "value": {
                        "title": title,
                        "submenu": [
                            {"type": "item", "id": f"{id}{place}", "value": {"title": sub}}
                            for place, sub in enumerate(below)
                        ],
                    },
                }
                for id, title, below in items
            ]
        )
    }


def rate(role: str, seniority: str, low: int) -> dict[str, object]:
    return {"pk": low, "role": role, "name": role.capitalize(), "seniority": seniority, "low": low, "high": low + 1000}


def word(text: Any) -> dict[str, Any]:
    return {"text": text, "base": ""}


@pytest.mark.parametrize(
    ("model", "before", "after", "said"),
    [
        (Phone, {"phone": "1", "live": True, "sort_order": 1}, {"phone": "1", "live": False, "sort_order": 2}, ""),
        (Phone, {"phone": "1", "countries": []}, {"phone": "2", "countries": ["gb"]}, "number, countries"),
        (MenuSettings, menu(("a", "Work", [])), menu(("a", "Jobs", [])), "menu items (“Jobs”)"),
        (MenuSettings, menu(("a", "Work", ["X", "Y"])), menu(("a", "Work", ["X", "Z"])), "menu items (“Z”)"),
        (MenuSettings, menu(("a", "Work", [])), menu(("a", "Work", []), ("b", "New", [])), "menu items (“New”)"),
        (MenuSettings, menu(("a", "Work", []), ("b", "Gone", [])), menu(("a", "Work", [])), "menu items (“Gone”)"),
        (MenuSettings, menu(("a", "A", []), ("b", "B", [])), menu(("b", "B", []), ("a", "A", [])), "menu items"),
        (RateCardSettings, {"rates": [{"pk": 1, "low": 2}]}, {"rates": [{"pk": None, "low": 2}]}, ""),
        (RateCardSettings, {"rates": [{"pk": 1, "low": 2}]}, {"rates": [{"pk": 1, "low": 3}]}, "rates"),
        (
            InterfaceWords,
            {"words": {"send": word("Los"), "back": word("Zurück"), "next": word("Weiter")}},
            {"words": {"send": word("Ab"), "next": word("Weiter"), "days": word({"one": "Tag", "other": "Tage"})}},
            "words (“Ab”, “Zurück”, “Tag”, “Tage”)",
        ),
        (
            RateCardSettings,
            {"rates": [rate("design", "senior", 4000), rate("design", "lead", 6000), rate("dev", "senior", 5000)]},
            {"rates": [rate("dev", "senior", 5000), rate("design", "senior", 4200), rate("qa", "junior", 3000)]},
            "rates (Design, senior: 4000–5000 → 4200–5200; Design, lead: 6000–7000 → none; Qa, junior: none → 3000–4000)",
        ),
    ],
)
def test_what_an_edit_changed(model: Any, before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    assert say_changes(model, before, after) == said
