"""Remarks are about what visitors read, one of each kind for a block."""

from typing import Any

import pytest

from portolan.domain.problems import DummyText, Flaw, ForeignText, Subject
from portolan.studio.checks.remarks import find_remarks

SUBJECT = Subject("de", "page", "web", "Web", "/web")
ENGLISH = "We build the software that ports and clinics work with, and we run it for as long as it is needed."
FOREIGN = ForeignText("en", "de-DE")


def body(description: str = "", **block: Any) -> Any:
    return {
        "head": {"title": "Web", "description": description},
        "blocks": [{"type": "rich_text", "id": "b1", "tone": "navy", "anchor": None, **block}],
    }


@pytest.mark.parametrize(
    ("content", "flaws"),
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
def test_what_is_remarked(content: Any, flaws: list[Flaw]) -> None:
    found = find_remarks(content, SUBJECT, "de-DE")
    assert [problem.flaw for problem in found] == flaws
    assert all(problem.is_remark for problem in found)


def test_a_remark_knows_its_block_and_the_description_its_field() -> None:
    found = [problem.subject for problem in find_remarks(body(ENGLISH, text=ENGLISH), SUBJECT, "de-DE")]
    assert found[0].field == "head.description"
    assert found[1].block and (found[1].block.number, found[1].block.type) == (1, "rich_text")
