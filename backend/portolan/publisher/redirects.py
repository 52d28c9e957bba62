"""Redirects of a site's next build: its pages' former URLs, and editors' own."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

import orjson

from ..domain.problems import BlockedChange, CircularRedirect, DeadRedirect, Problem, ProblemDetail, Subject
from ..domain.redirects import GONE, NOT_IN_BUILDS, Redirect, Rule, RuleProblem, resolve_redirects
from ..domain.snapshot_bodies import RedirectBody
from ..releases.reader import ReleaseReader
from ..releases.release_view import ReleaseView
from .addresses import Addresses
from .route_table import RouteTable
from .snapshot import Change

REDIRECT: Final = "redirect"
"""Kind of the items with editors' redirects."""


class SiteRedirects(NamedTuple):
    redirects: Mapping[str, Redirect]
    """As in the manifest."""
    left_out: Sequence[BlockedChange]
    """Redirects that cannot be followed."""


def build_redirects(
    site: str,
    reader: ReleaseReader,
    release_view: ReleaseView,
    routes: RouteTable,
    addresses: Addresses,
    files: Collection[str],
    before: Mapping[str, Redirect] | None = None,
) -> SiteRedirects:
    """Return the redirects.

    ``files``: URL paths of the site's files other than pages. ``before``: the live build's redirects, if nothing that
    they depend on has changed.

    Former URLs include those of later releases, because visitors may know them.
    """
    default = addresses.registry.default_site.key

    def find_page(key: str) -> str | None:
        page = routes.page(site, key) or routes.page(default, key)
        return page and (page.path if page.site == site else addresses.url(page.site, page.path))

    rules = [
        Rule(source, answer_of(body, find_page)) for source, body in read_redirects(site, reader, release_view).items()
    ]
    if before is not None and all(rule.source in before or routes.at(site, rule.source) for rule in rules):
        return SiteRedirects(before, ())

    def is_there(path: str) -> bool:
        return routes.at(site, path) is not None or path in files or path.startswith(NOT_IN_BUILDS)

    def path_of(key: str) -> str | None:
        page = routes.page(site, key)
        return page.path if page else None

    former = {path: path_of(last.key) for path, last in reader.former_addresses(site).items()}
    redirects, problems = resolve_redirects(is_there, former, rules)
    return SiteRedirects(redirects, [_left_out(site, rule, release_view) for rule in problems])


def may_differ(site: str, changes: Iterable[Change], addresses: Addresses) -> bool:
    """Return True if the changes may affect the site's redirects.

    They do if a page is added, moved or removed, or a rule edited.
    """
    sites = (site, addresses.registry.default_site.key)
    return any(
        (change.item.kind == "page" and (change.before and change.before.path) != (change.after and change.after.path))
        or change.item.kind == REDIRECT
        for change in changes
        if change.item.site in sites
    )


def read_redirects(site: str, reader: ReleaseReader, release_view: ReleaseView) -> Mapping[str, RedirectBody]:
    """Return the editors' redirects of a site by URL path."""
    items = reader.with_blocked(release_view.blocked).collection(release_view.release, site, REDIRECT)
    return {item.key: orjson.loads(item.body) for item in items}


def answer_of(body: RedirectBody, find_page: Callable[[str], str | None]) -> Redirect:
    """Return the response of an editor's redirect.

    ``find_page`` returns a page's URL by its translation key.
    """
    if body["page"] is None:
        return Redirect(body["status"], body["address"])
    href = find_page(body["page"])
    if href is None:
        return Redirect(GONE, "")
    return Redirect(body["status"], f"{href}#{quote(body['anchor'])}" if body["anchor"] else href)


def _left_out(site: str, rule: RuleProblem, release_view: ReleaseView) -> BlockedChange:
    detail: ProblemDetail = CircularRedirect(rule.target) if rule.what == "loop" else DeadRedirect(rule.target)
    problem = Problem(Subject(site, REDIRECT, rule.source, rule.source), detail)
    return BlockedChange(site, REDIRECT, rule.source, rule.source, release_view.release, False, problem)
