"""Find anchors that a draft removes although other items link to them. The publish checks would block the draft."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings

from ...content.items import FOOTER, MENU, PAGE
from ...domain.problems import MissingAnchor, Problem, Subject
from ...domain.references import Reference, find_anchors
from ...publisher.route_table import subject_of
from ...releases.reader import ItemId
from ..drawing import Drawing
from ..newest_release import newest_release


def find_lost_anchors(drawing: Drawing) -> list[Problem]:
    """Return one problem for each item and anchor. Nothing is read if the draft keeps all anchors."""
    page = drawing.page
    body = drawing.snapshot.page_body(page)
    released = newest_release()
    before = released and released.body(ItemId(page.site, PAGE, page.key))
    lost = _anchors(before["blocks"] if before else ()) - {*drawing.rendered.seen.own.ids} - _anchors(body["blocks"])
    if not lost or released is None:
        return []
    found = []
    for item in sorted(released.dependants(Reference(PAGE, page.key))):
        if (
            item.kind not in (PAGE, MENU, FOOTER)
            or not _leads_here(item, drawing)
            or item == (page.site, PAGE, page.key)
        ):
            continue
        for anchor in sorted(find_anchors(released.body(item), page.key) & lost):
            found.append(Problem(_subject(item, drawing), MissingAnchor(f"{page.path}#{anchor}")))
    return found


def _anchors(blocks: Iterable[dict[str, Any]]) -> set[str]:
    return {block["anchor"] for block in blocks if block.get("anchor")}


def _leads_here(item: ItemId, drawing: Drawing) -> bool:
    """Return whether the item's links to the page go to this site. A site without the page links to the default site."""
    page = drawing.page
    if item.site == page.site:
        return True
    is_default = page.site == settings.SITES_REGISTRY.company.default_site
    return is_default and drawing.routes.page(item.site, page.key) is None


def _subject(item: ItemId, drawing: Drawing) -> Subject:
    found = drawing.routes.page(item.site, item.key) if item.kind == PAGE else None
    return subject_of(found) if found else Subject(*item)
