"""Check pages that are published together and may link to each other.

Pages with problems are left out. Because others may link to them, the rest is checked again until no problem is left.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from typing import NamedTuple

from wagtail.models import Page

from ...content.pages.base import SitePage
from ...domain.problems import Problem
from ...releases.change_sets import rehearse_publishing
from .draft_check import check_together
from .form_problems import FormProblem, place


class Sifted(NamedTuple):
    good: list[Page]
    blocked: list[tuple[SitePage, list[FormProblem]]]
    """Each with its problems."""


def sift(pages: Iterable[Page]) -> Sifted:
    """Split the pages into those that can go live together and those with problems."""
    good, blocked = list(pages), []
    while good:
        refused = _find_refused(good)
        if not refused:
            break
        blocked += [(page.specific, place(refused[page.pk], page.specific)) for page in good if page.pk in refused]
        good = [page for page in good if page.pk not in refused]
    return Sifted(good, blocked)


def _find_refused(pages: Collection[Page]) -> dict[int, list[Problem]]:
    """Return the problems of the pages by ID. Copies on other sites have the problems of their page."""
    found = rehearse_publishing(partial(_publish, [page.pk for page in pages]))
    by_key: dict[str, list[Problem]] = defaultdict(list)
    for problem in dict.fromkeys([*found.problems, *check_together(found.bodies)]):
        by_key[problem.subject.key].append(problem)
    refused = {}
    for page in pages:
        anywhere = by_key.get(str(page.translation_key), [])
        if own := [problem for problem in anywhere if problem.site == _site_of(page)] or anywhere:
            refused[page.pk] = own
    return refused


def _site_of(page: Page) -> str:
    record = getattr(page.locale, "record", None)
    return record.key if record else ""


def _publish(ids: Iterable[int]) -> None:
    for page in Page.objects.filter(pk__in=ids).order_by("path"):
        revision = page.get_latest_revision() or page.specific.save_revision()
        revision.publish(skip_permission_checks=True)
