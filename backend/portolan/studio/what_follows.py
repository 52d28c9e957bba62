"""Describe the effects of a planned change of pages.

The screens to move, unpublish and delete show it, and the form shows it next to the address.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from wagtail.models import Page

from ..content.items import PAGE
from ..publisher.redirects import read_redirects
from ..publisher.snapshot import Snapshot
from ..releases.connection import connected_reader
from ..releases.reader import ItemId
from .consequences import AddressChange, Conflict, Consequences, Known, foresee
from .newest_release import newest_release
from .planned_changes import Plan, plan_move, plan_removal, plan_slug
from .site_names import site_name
from .use_rows import PlacedPage
from .uses import LinkCounts, count_links

_MOST_ROWS: Final = 200
"""The most addresses to list. Counts include all."""


class AddressRow(NamedTuple):
    site: str
    """Name of the site."""
    title: str
    before: str
    after: str | None


class RedirectEndRow(NamedTuple):
    site: str
    """Name of the site."""
    path: str
    led_to: str


class WhatFollows(NamedTuple):
    problems: list[str]
    """Reasons why it cannot go live."""
    total: int
    """Number of changed or removed addresses of live pages."""
    addresses: list[AddressRow]
    """The first addresses."""
    sites: list[str]
    """Names of their sites."""
    is_gone: bool
    """True if the pages are removed; False if they move."""
    redirected: int
    """Number of removed addresses with an editor's redirect."""
    lost: int
    """Number of other addresses that redirected to removed pages."""
    links: LinkCounts
    """Links to moved pages."""
    link_sites: list[str]
    """Names of the sites with these links."""
    ends: list[RedirectEndRow]
    staying: list[str]
    """Live copies that stay, with the reasons."""
    translations: list[str]
    """Names of sites with unchanged translations."""


def show_address(request: HttpRequest, page_id: int) -> HttpResponse:
    """Show the effects of the slug that the editor is typing, for the form."""
    page = get_object_or_404(Page, pk=page_id)
    assert isinstance(request.user, User)
    if not page.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    found = follow_slug(page, request.GET.get("slug", "").strip())
    return render(request, "studio/what_follows.html", {"found": found, "is_form": True})


def follow_slug(page: Page, slug: str) -> WhatFollows:
    return _tell(plan_slug(page, slug))


def follow_move(page: Page, parent: Page) -> WhatFollows:
    return _tell(plan_move(page, parent))


def follow_removal(pages: Iterable[Page | PlacedPage]) -> WhatFollows:
    """Describe the effects of unpublishing or deleting these pages."""
    return _tell(plan_removal(pages))


def _tell(plan: Plan) -> WhatFollows:
    found, links = _look_up(plan)
    is_gone = any(change.after is None for change in found.changes)
    return WhatFollows(
        problems=[*plan.problems, *dict.fromkeys(map(_say_conflict, found.conflicts))],
        total=len(found.changes),
        addresses=[_row(change) for change in found.changes[:_MOST_ROWS]],
        sites=_names(change.page.site for change in found.changes),
        is_gone=is_gone,
        redirected=sum(change.leads_to is not None for change in found.changes) if is_gone else 0,
        lost=found.lost,
        links=links,
        link_sites=_names(links.sites),
        ends=[RedirectEndRow(site_name(end.site), end.path, end.led_to) for end in found.redirect_ends],
        staying=list(plan.staying),
        translations=_names(page.site for page in found.translations),
    )


def _look_up(plan: Plan) -> tuple[Consequences, LinkCounts]:
    release = newest_release() if plan.pages else None
    if release is None:
        return Consequences(), LinkCounts()
    sites = {id.site for id in plan.pages}
    default = settings.SITES_REGISTRY.company.default_site
    live = {*release.pages({*sites, default}), *release.translations({id.key for id in plan.pages})}
    known = {site: _read_known(release, site) for site in sites}
    found = foresee(live, plan.pages, known, default, settings.SITE_ORIGINS)
    moved = [ItemId(change.page.site, PAGE, change.page.key) for change in found.changes if change.after]
    return found, count_links(release, settings.SITES_REGISTRY, moved)


def _read_known(release: Snapshot, site: str) -> Known:
    reader = connected_reader()
    former = {path: last.key for path, last in reader.former_addresses(site).items()}
    return Known(former, read_redirects(site, reader, release.release_view))


def _row(change: AddressChange) -> AddressRow:
    return AddressRow(site_name(change.page.site), change.page.title, change.page.path, change.after)


def _names(sites: Iterable[str]) -> list[str]:
    """Return the names of sites, in the order of `sites.toml`, each once."""
    order = list(settings.SITES_REGISTRY.sites)
    return [site_name(site) for site in sorted(set(sites), key=lambda site: order.index(site))]


def _say_conflict(conflict: Conflict) -> str:
    where = gettext("{path} on {site_name}").format(path=conflict.path, site_name=site_name(conflict.site))
    if not conflict.other:
        return gettext(
            "A page cannot have the URL {where}. Use lower-case letters, digits and hyphens, and avoid URLs that "
            "the product uses."
        ).format(where=where)
    return gettext("“{other}” is live at {where}. Change the URL of “{other}” and publish it first.").format(
        other=conflict.other, where=where
    )
