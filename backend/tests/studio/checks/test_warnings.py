"""Warnings are about visible text, one of each kind for a block."""

from typing import Any

import pytest

from portolan.content.items import PAGE, ItemKey
from portolan.content.pictures import SiteImage
from portolan.domain.problems import ChangedPicture, DummyText, ForeignText, ProblemDetail, Subject
from portolan.studio.checks.warnings import find_changed_pictures, find_warnings

SUBJECT = Subject("de", "page", "web", "Web", "/web")
ENGLISH = "We build the software that ports and clinics work with, and we run it for as long as it is needed."
FOREIGN = ForeignText("en", "de-DE")


def body(description: str = "", **block: Any) -> Any:
    return {
        "head": {"title": "Web", "description": description},
        "blocks": [{"type": "rich_text", "id": "b1", "tone": "navy", "anchor": None, **block}],
    }


@pytest.mark.parametrize(
    ("content", "details"),
    [
        (body(html={"$html": f"<p>{ENGLISH}</p>"}), [FOREIGN]),
        (body(cards=[{"title": "Häfen", "text": ENGLISH}]), [FOREIGN]),
        (body(ENGLISH), [FOREIGN]),
        (body(text="Lorem ipsum dolor sit amet"), [DummyText("Lorem ipsum")]),
        (body(text="TODO: Zahlen vom Vertrieb"), [DummyText("TODO")]),
        (body(text="Todo-Listen und was sie nützen"), []),
        (body(code={"$verbatim": ENGLISH}), []),
        (body(link={"$url": "https://x.example/the-way-that-we-work-and-what-we-do-for-you", "title": "Wie"}), []),
    ],
)
def test_what_is_warned_about(content: Any, details: list[ProblemDetail]) -> None:
    found = find_warnings(content, SUBJECT, "de-DE")
    assert [problem.detail for problem in found] == details
    assert all(problem.is_warning for problem in found)


def test_a_warning_knows_its_block_and_the_description_its_field() -> None:
    found = [problem.subject for problem in find_warnings(body(ENGLISH, text=ENGLISH), SUBJECT, "de-DE")]
    assert found[0].field == "head.description"
    assert found[1].block and (found[1].block.number, found[1].block.type) == (1, "rich_text")


@pytest.mark.django_db
def test_a_picture_that_pages_show_otherwise_is_warned_about_where_it_stands() -> None:
    def picture(title: str, *losses: str) -> dict[str, str]:
        row = SiteImage(title=title, file="originals/a.gif", width=8, height=4, losses=[*losses])
        SiteImage.objects.bulk_create([row])
        return {"$picture": str(row.pk), "alt": ""}

    plain, moving = picture("Plain"), picture("Waves", "motion")
    page = body(cards=[{"picture": plain}, {"picture": moving}, {"picture": moving}])
    bodies = {ItemKey("de", PAGE, "web"): page, ItemKey("de", "article", "web"): {"previewImage": moving}}
    found = find_changed_pictures(bodies, "Web")
    assert [problem.detail for problem in found] == [ChangedPicture("Waves", "motion")] * 2
    assert [problem.subject.block and problem.subject.block.number for problem in found] == [1, None]
    assert all(problem.is_warning for problem in found)
    assert find_changed_pictures({ItemKey("de", PAGE, "web"): body(picture=plain)}, "Web") == []
