"""The redirects of a site's next build: former addresses of its pages, and what editors have written."""

from collections.abc import Collection, Iterable, Mapping

from ..domain.redirects import NOT_IN_BUILDS, Redirect, resolve_redirects
from ..releases.reader import ReleaseReader
from .route_table import RouteTable
from .snapshot import Change


def build_redirects(
    site: str, reader: ReleaseReader, routes: RouteTable, files: Collection[str]
) -> Mapping[str, Redirect]:
    """As the manifest has them. ``files``: URL paths of the site's files that are no pages.

    Former addresses are those of all releases, also of later ones than the one that is published: visitors who know them
    are to arrive as well.
    """

    def is_there(path: str) -> bool:
        return routes.at(site, path) is not None or path in files or path.startswith(NOT_IN_BUILDS)

    def path_of(key: str) -> str | None:
        page = routes.page(site, key)
        return page.path if page else None

    former = {path: path_of(key) for path, key in reader.former_addresses(site).items()}
    redirects, _ = resolve_redirects(is_there, former, ())
    return redirects


def may_differ(site: str, changes: Iterable[Change]) -> bool:
    """Whether the site's redirects may differ after the changes: only where pages come, go or move."""
    return any(
        change.item.site == site
        and change.item.kind == "page"
        and (change.before and change.before.path) != (change.after and change.after.path)
        for change in changes
    )
