"""Differences in the words of editors."""

import pytest
from django.core.files.base import ContentFile
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.studio.block_changes import Comparison, name_fields

pytestmark = pytest.mark.django_db

GONE = "00000000-0000-4000-8000-000000000001"
HERO = {"id": "h", "type": "hero", "title": "Web", "text": "We build sites", "picture": None}
TEXT = {"id": "t", "type": "rich_text", "html": {"$html": "<p>One &amp; two</p><p>Three</p>"}}


def page(*blocks, **fields):
    return {"path": "/web", "changed": "2026-01-01", "blocks": list(blocks), **fields}


def told(before, after):
    return [
        (block.title, block.how, [(row.field, str(row.before), str(row.after)) for row in block.fields])
        for block in Comparison().compare(before, after)
    ]


def rate(role, seniority, low):
    return {"role": role, "name": role.capitalize(), "seniority": seniority, "low": low, "high": low + 1000}


def card(*rates):
    return {"order": 0, "value": {"currency": "EUR", "rates": [*rates], "services": []}}


def test_a_price_names_role_and_seniority():
    before = card(rate("design", "senior", 4000), rate("dev", "lead", 6000))
    after = card(rate("qa", "junior", 3000), rate("design", "senior", 4200), rate("dev", "lead", 6000))
    assert told(before, after) == [
        (
            "",
            "",
            [
                ("Rates › Design, senior › from", "<del>4000</del>", "<ins>4200</ins>"),
                ("Rates › Design, senior › to", "<del>5000</del>", "<ins>5200</ins>"),
                ("Rates › Qa, junior", "", "<ins>3000–4000</ins>"),
            ],
        )
    ]
    assert name_fields(before, after) == ["Rates › Design, senior › from"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            page(HERO, title="Web"),
            page(HERO, title="Web and more", changed="2026-02-02"),
            [("", "", [("Title", "Web", "Web<ins> and more</ins>")])],
        ),
        (
            page(HERO),
            page({**HERO, "title": "Web <b>"}),
            [("Hero: Web <b>", "", [("Title", "Web", "Web<ins> &lt;b&gt;</ins>")])],
        ),
        (
            page(HERO, TEXT),
            page(HERO),
            [("Text", "Removed", [("Text", "<del>One &amp; two\nThree</del>", "")])],
        ),
        (
            page(HERO, TEXT),
            page(TEXT, HERO),
            [("", "", [("Order of the blocks", "<del>Hero, Text</del>", "<ins>Text, Hero</ins>")])],
        ),
        (
            page(TEXT),
            page({**TEXT, "html": {"$html": "<p>One &amp; <b>two</b></p><p>Three</p>"}}),
            [
                (
                    "Text",
                    "",
                    [("Text", "One &amp; two\nThree<del> (formatting changed)</del>", "One &amp; two\nThree")],
                )
            ],
        ),
        (
            {"order": 1, "value": {"phone": "1 2", "opened": None, "open": True}},
            {"order": 1, "value": {"phone": "1 3", "opened": None, "open": False}},
            [("", "", [("Phone", "1 <del>2</del>", "1 <ins>3</ins>"), ("Open", "<del>Yes</del>", "<ins>No</ins>")])],
        ),
        (
            {"value": {"url": {"$page": GONE, "title": "Us"}}},
            {"value": {"url": {"$url": "https://a.example", "title": "Us"}}},
            [("", "", [("Url", "Us → <del>“a page that was deleted”</del>", "Us → <ins>https://a.example</ins>")])],
        ),
        (
            None,
            page(HERO),
            [
                ("", "", [("Path", "", "<ins>/web</ins>")]),
                ("Hero: Web", "New", [("Title", "", "<ins>Web</ins>"), ("Text", "", "<ins>We build sites</ins>")]),
            ],
        ),
        (page(HERO), page(HERO), []),
    ],
)
def test_a_difference_is_told_by_block_and_field(before, after, expected):
    assert told(before, after) == expected


def test_what_differs_has_a_few_words():
    assert name_fields(page(HERO, TEXT), page({**HERO, "title": "Us"})) == ["Hero", "Text"]
    assert name_fields({"value": {"phone": "1"}}, {"value": {"phone": "2"}}) == ["Phone"]


def test_what_many_bodies_name_is_looked_up_at_once(media, django_assert_num_queries):
    documents = [Document.objects.create(title=f"File {n}", file=ContentFile(b"x", name=f"{n}.pdf")) for n in range(3)]
    root = Page.objects.get(depth=1)
    to_root = {"$html": f'<p><a data-page="{root.translation_key}">Up</a> <a data-page="/path">On</a></p>'}
    links = [{"$document": str(document.pk), "title": ""} for document in documents]
    bodies = [{"value": {"links": [link, {"$page": GONE}], "text": to_root}} for link in links]
    bodies.append({"value": {"links": [{"$document": "999", "title": ""}]}})
    comparison = Comparison()
    with django_assert_num_queries(2):
        comparison.know(bodies)
        rows = [row for body in bodies for block in comparison.compare(None, body) for row in block.fields]
    said = [str(row.after) for row in rows]
    assert said[0] == "<ins>Document “File 0”, → “a page that was deleted”</ins>"
    assert said[1] == f"<ins>Up (→ {root.draft_title}) On (→ /path)</ins>"
    assert said[6] == "<ins>Document “deleted since”</ins>"
    assert len(said) == 7
