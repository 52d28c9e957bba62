"""A missing page removes the links to it. Only the smallest part that the rest can spare is cut."""

from typing import Any

import pytest

from portolan.content.blocks import BLOCKS
from portolan.content.blocks.base import SiteBlock
from portolan.content.lost_links import drop_lost_links
from portolan.content.snapshot_checks import CheckLookup, check_navigation, check_page
from portolan.domain.problems import LostLink, Subject
from portolan.domain.references import find_references
from portolan_dev.contract.examples import DOCUMENTS, PAGE_KEYS, PICTURES

PAGE = Subject("en", "page", "web")
LOOKUP = CheckLookup(frozenset({"there"}), {}, {}, frozenset({"gone"}))


def link(key: str, title: str = "Go") -> dict[str, Any]:
    return {"$page": key, "title": title}


def item(to: str | None = None, *submenu: dict[str, Any], theme: str = "text-links") -> dict[str, Any]:
    return {
        "key": "k",
        "title": "T",
        "to": to and link(to),
        "submenu": [*submenu],
        "parentLink": None,
        "options": {"theme": theme},
    }


def entry(to: str | None = None, *links: str) -> dict[str, Any]:
    return {
        "title": "T",
        "description": "",
        "url": to and link(to),
        "img": None,
        "linkList": [link(key) for key in links],
        "contentType": None,
        "videos": [],
    }


def menu(*items: dict[str, Any], contact: str = "there") -> dict[str, Any]:
    return {"items": [*items], "contact": link(contact, "Write")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(menu(item("gone"), item("there")), menu(item("there")), id="an entry goes"),
        pytest.param(menu(item("gone")), menu(), id="the last entry goes"),
        pytest.param(
            menu(item("gone", entry("there"))), menu(item(None, entry("there"))), id="a sub-menu keeps its title"
        ),
        pytest.param(
            menu(item("there", entry("gone"))), menu(item("there")), id="a sub-menu without links goes, its page stays"
        ),
        pytest.param(menu(item(None, entry("gone"))), menu(), id="a title alone is no entry"),
        pytest.param(
            menu(item(None, entry("gone", "gone", "there"), theme="tabs")),
            menu(item(None, entry(None, "there"), theme="tabs")),
            id="a tab keeps its other links",
        ),
        pytest.param(
            menu(item("there"), contact="gone"),
            {**menu(item("there")), "contact": {"$url": "/", "title": "Write"}},
            id="the button leads home",
        ),
    ],
)
def test_menus(body: dict[str, Any], expected: dict[str, Any]) -> None:
    subject = Subject("en", "menu", "main")
    reduced = drop_lost_links("menu", body, subject, LOOKUP)
    assert reduced.body == expected
    assert {warning.detail for warning in reduced.warnings} == {LostLink("gone")}
    assert check_navigation(reduced.body, subject, LOOKUP) == []


def test_a_footer_loses_links_groups_and_legal_links_that_lead_nowhere() -> None:
    def group(*keys: str) -> dict[str, Any]:
        return {
            "key": "k",
            "title": "T",
            "links": [{"link": link(key), "region": None, "target": None} for key in keys],
        }

    subject = Subject("en", "footer", "main")
    body = {
        "groups": [group("gone"), group("gone", "there")],
        "legal_links": [link("gone")],
        "offices_link": link("gone", "Offices"),
        "personal_data": link("gone"),
    }
    reduced = drop_lost_links("footer", body, subject, LOOKUP).body
    assert reduced == {
        "groups": [group("there")],
        "legal_links": [],
        "offices_link": {"$url": "/", "title": "Offices"},
        "personal_data": None,
    }
    assert check_navigation(reduced, subject, LOOKUP) == []


def page(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": "Web",
        "head": {"title": "Web", "description": ""},
        "anchors": [{"anchor": block["anchor"], "title": "A"} for block in blocks if block.get("anchor")],
        "blocks": [*blocks],
    }


def text(html: str) -> dict[str, Any]:
    return {"type": "rich_text", "id": "t", "anchor": None, "tone": "paper", "html": {"$html": html}}


def test_in_a_text_the_words_stay() -> None:
    body = page(
        text('<p><a data-page="gone" data-anchor="x">our <b>team</b></a>, <a data-page="there">us</a></p>'),
        text('<p><a href="https://a.example">a</a></p>'),
    )
    reduced = drop_lost_links("page", body, PAGE, LOOKUP)
    assert [block["html"]["$html"] for block in reduced.body["blocks"]] == [
        '<p>our <b>team</b>, <a data-page="there">us</a></p>',
        '<p><a href="https://a.example">a</a></p>',
    ]
    (warning,) = reduced.warnings
    assert (warning.subject.block, warning.subject.field) == (("t", 1, "rich_text"), "html")


@pytest.mark.parametrize(
    ("block", "raw"),
    [
        pytest.param(block, raw, id=f"{block.type_name()}.{name}")
        for block in BLOCKS
        for name, raw in block.EXAMPLES.items()
    ],
)
def test_every_block_can_be_shown_without_its_links_or_goes(block: type[SiteBlock], raw: dict[str, Any]) -> None:
    lookup = CheckLookup(frozenset(), PICTURES, DOCUMENTS, frozenset(PAGE_KEYS.values()))
    frozen = block().snapshot({**raw, "anchor": "here"}, "b", PAGE_KEYS)
    reduced = drop_lost_links("page", page(frozen), PAGE, lookup).body
    assert check_page(reduced, PAGE, lookup) == []
    assert len(reduced["anchors"]) == len(reduced["blocks"]), "the anchor menu names what is there"
    if block.type_name() in ("contact_form", "estimate"):
        assert "{'$url': '/', 'title': 'Privacy policy'}" in str(reduced["blocks"]), "no site loses its forms"
    if not any(reference.kind == "page" for reference in find_references(frozen)):
        assert reduced["blocks"] == [frozen]
