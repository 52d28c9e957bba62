"""Problems in the words of the studio: sites, pages and blocks by the names that editors know."""

from collections.abc import Iterable
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
    """``domain.problem_texts.Names``. Short-lived, because it caches the titles of pages."""

    def __init__(self) -> None:
        self._titles: dict[str, str | None] = {}

    def site(self, key: str) -> str:
        return site_name(key)

    def page(self, key: str) -> str | None:
        if key not in self._titles:
            self._titles[key] = _find_title(key)
        return self._titles[key]

    def block(self, type: str) -> str:
        return str(_LABELS.get(type) or PLAIN.block(type))

    def translate(self, text: str) -> str:
        return gettext(text)


def say_in_studio(problems: Iterable[Problem]) -> list[str]:
    """Each problem once: a page that follows another site's has that one's."""
    names = StudioNames()
    found: dict[Problem, str] = {}
    for problem in heirs_last(problems):
        found.setdefault(at_source(problem), say(problem, names))
    return list(found.values())


def heirs_last(problems: Iterable[Problem]) -> list[Problem]:
    """By place; those of sites that inherit from another after all others, because they are fixed there."""
    return sorted(in_order(problems), key=lambda problem: _find_source(problem.site) != problem.site)


def _find_title(key: str) -> str | None:
    try:
        pages = Page.objects.filter(translation_key=UUID(key)).order_by("pk")
    except ValueError:
        return None
    return pages.values_list("draft_title", flat=True).first()


def at_source(problem: Problem) -> Problem:
    """The same problem on the site whose content its site shows where it has none of its own: it is fixed there."""
    subject = problem.subject
    return problem._replace(subject=subject._replace(site=_find_source(subject.site)))


def _find_source(site: str) -> str:
    rules = settings.SITES_REGISTRY.sites.get(site)
    inherits: str | None = rules.inherits if rules else None
    return inherits or site
