"""Describe problems with the names of sites, pages and blocks in the studio."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext
from wagtail.models import Page

from ..content.fields import INSTANCES
from ..domain.problem_texts import PLAIN, say
from ..domain.problems import Problem, in_order
from .site_names import site_name

_LABELS: Final = {type: block.label for type, block in INSTANCES.items()}


class StudioNames:
    """Implements ``domain.problem_texts.Names``. It caches titles, so use it for one request only."""

    def __init__(self) -> None:
        self._titles: dict[str, str | None] = {}

    def site(self, key: str) -> str:
        return site_name(key)

    def page(self, key: str) -> str | None:
        self.know_pages([key])
        return self._titles[key]

    def know_pages(self, keys: Iterable[str]) -> None:
        """Load the titles of many pages at once."""
        if wanted := {key for key in keys if key not in self._titles}:
            self._titles |= dict.fromkeys(wanted) | _find_titles(wanted)

    def block(self, type: str) -> str:
        return str(_LABELS.get(type) or PLAIN.block(type))

    def translate(self, text: str) -> str:
        return gettext(text)


def say_in_studio(problems: Iterable[Problem]) -> list[str]:
    """Describe each problem once. Live copies have the problem of their source."""
    names = StudioNames()
    found: dict[Problem, str] = {}
    for problem in heirs_last(problems):
        found.setdefault(at_source(problem), say(problem, names))
    return list(found.values())


def heirs_last(problems: Iterable[Problem]) -> list[Problem]:
    """Sort by place. Problems of inheriting sites are last, because they are fixed at the source."""
    return sorted(in_order(problems), key=lambda problem: _find_source(problem.site) != problem.site)


def _find_titles(keys: Iterable[str]) -> dict[str, str]:
    """Return the titles of pages in their first language. Unknown keys are left out."""
    by_key: dict[UUID, str] = {}
    for key in keys:
        with suppress(ValueError):
            by_key[UUID(key)] = key
    rows = Page.objects.filter(translation_key__in=by_key).order_by("-pk").values_list("translation_key", "draft_title")
    return {by_key[key]: title for key, title in rows} if by_key else {}


def at_source(problem: Problem) -> Problem:
    """Return the problem on the site that the content is inherited from, where it is fixed."""
    subject = problem.subject
    return problem._replace(subject=subject._replace(site=_find_source(subject.site)))


def _find_source(site: str) -> str:
    rules = settings.SITES_REGISTRY.sites.get(site)
    inherits: str | None = rules.inherits if rules else None
    return inherits or site
