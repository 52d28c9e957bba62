"""A case study placed on a page without a matching block shows a warning in its form."""

from datetime import date
from typing import Any

import pytest

from portolan.content.models import CaseStudyPage, ServicePage
from portolan.content.pages.case_study import CaseStudyPlacement
from portolan.domain.problems import Subject, UnseenPlacement
from portolan.releases.create import create_release
from portolan.studio.checks.placements import find_unseen_placements

pytestmark = pytest.mark.django_db


def teasers(source: str) -> list[dict[str, Any]]:
    return [{"type": "project_teasers", "value": {"title": "Ours", "source": source}, "id": "t"}]


@pytest.mark.parametrize(
    ("body", "is_live", "is_unseen"),
    [
        (teasers("placed"), True, False),
        (teasers("top"), True, True),
        ([], True, True),
        (teasers("placed"), False, True),
    ],
    ids=["a block shows it", "a block shows others", "no block", "the page is not live"],
)
def test_where_it_is_not_seen(homes: Any, add_page: Any, body: Any, is_live: bool, is_unseen: bool) -> None:
    service = add_page(homes["en"], ServicePage, "web", title="Web", body=body)
    if not is_live:
        service.unpublish()
    create_release("test", date(2026, 11, 27))
    case = CaseStudyPage(title="Case", slug="case")
    case.placements = [CaseStudyPlacement(page=service)]
    found = list(find_unseen_placements(case, Subject("en", "page", "k")))
    assert [problem.detail for problem in found] == [UnseenPlacement(str(service.translation_key))] * is_unseen
    assert all(problem.is_warning for problem in found)


def test_other_pages_have_none(homes: Any, add_page: Any) -> None:
    assert list(find_unseen_placements(add_page(homes["en"], ServicePage, "web"), Subject("en"))) == []
