"""Find case studies placed on a page that has no block to show them."""

from collections.abc import Iterator
from typing import Any

from ...content.items import PAGE
from ...content.pages.base import SitePage
from ...content.pages.case_study import CaseStudyPage
from ...domain.problems import Problem, Subject, UnseenPlacement
from ...releases.reader import ItemId
from ..newest_release import newest_release


def find_unseen_placements(page: SitePage, subject: Subject) -> Iterator[Problem]:
    """Yield a warning for each page that does not show the case study placed on it."""
    if not isinstance(page, CaseStudyPage):
        return
    placed = [str(row.page.translation_key) for row in page.placements.all() if row.page_id]
    release = newest_release() if placed else None
    for key in placed:
        body = release.body(ItemId(subject.site, PAGE, key)) if release else None
        if release and not _shows_placed(body and body["blocks"]):
            yield Problem(subject._replace(field="placements"), UnseenPlacement(key))


def _shows_placed(part: Any) -> bool:
    if isinstance(part, list):
        return any(map(_shows_placed, part))
    if not isinstance(part, dict):
        return False
    is_list = part.get("$items") == CaseStudyPage.card_kind() and part.get("choose") == ["placed"]
    return is_list or any(map(_shows_placed, part.values()))
