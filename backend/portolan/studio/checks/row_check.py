"""Check a draft of an entry, menu, footer or rate card as a publish would.

Make a snapshot for each site that shows it, render one page of each site, and run the publish checks. Redirects are
checked in their own form.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.conf import settings

from ...content.collections.base import Entry
from ...content.drafts import Drafted
from ...content.errors import SnapshotError
from ...content.export import examine_unsaved
from ...content.items import PAGE, ItemKey
from ...content.site_setting import SiteSetting
from ...domain.problems import Problem, in_order
from ...publisher.problem import UsageError
from ..drawing import draw, lay_over_newest
from ..preview_place import find_places
from .draft_check import judge
from .language_warnings import find_language_warnings

_MOST_DRAWN: Final = 8
"""The most pages to render, one for each site."""


def check_row(row: Drafted) -> list[Problem]:
    """Return the problems and warnings of the row in memory, on all sites."""
    if not isinstance(row, Entry | SiteSetting):
        return []
    draft = examine_unsaved(row)
    if draft.problems:
        return in_order(draft.problems)
    items, found = draft.bodies, [*draft.warnings, *_check_languages(draft.bodies, str(row))]
    try:
        for place in _find_places(row, items)[:_MOST_DRAWN]:
            found += _judge(place, items)
    except UsageError:
        pass  # nobody can draw here, and that is for the dashboard to say
    return in_order(dict.fromkeys(found))


def _check_languages(items: Mapping[ItemKey, Any], title: str) -> Iterable[Problem]:
    registry = settings.SITES_REGISTRY
    for key, body in items.items():
        if key.site in registry.sites and body is not None:
            site, source = registry.sites[key.site], registry.default_site
            yield from find_language_warnings(key, body, title, site, source)


def _find_places(row: Entry | SiteSetting, items: Mapping[ItemKey, Any]) -> list[ItemKey]:
    snapshot = lay_over_newest(items)
    return find_places(row, items, snapshot) if snapshot else []


def _judge(place: ItemKey, items: Mapping[ItemKey, Any]) -> Iterable[Problem]:
    """Return the problems of the draft, and those of the page that only the draft causes."""
    found = _draw_and_judge(place, items)
    others = [problem for problem in found if ItemKey(*problem.item) not in items]
    known = set(_draw_and_judge(place, {})) if others else set()
    return [problem for problem in found if problem not in known or problem not in others]


def _draw_and_judge(place: ItemKey, items: Mapping[ItemKey, Any]) -> list[Problem]:
    wanted = {place, *items}
    try:
        found = judge(draw(items, place))
    except SnapshotError as error:
        found = error.problems
    return [problem for problem in found if ItemKey(*problem.item) in wanted or problem.subject.kind == PAGE]
