"""Responses of the edge for a site's files, by kinds of paths.

Each host's configuration is written from them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from ..builds.hosts import ServedSite
from ..builds.manifest import Manifest
from ..domain.redirects import GONE, WILDCARD, Redirect, own_path, spellings
from ..domain.routes import OFFLINE_PAGE, page_data_path
from ..edge.common_headers import find_missing
from ..edge.headers import NOINDEX, REVALIDATE, build_site_headers
from ..edge.media import MEDIA_TYPES, media_headers
from ..edge.site_files import FAILED_PAGE, NOT_FOUND_PAGE

Named = list[tuple[str, str]]
"""Headers by name."""

ERROR_PAGES: Final = (NOT_FOUND_PAGE, FAILED_PAGE, OFFLINE_PAGE)
BY_PREFIX: Final = ("/assets/", "/page-data/")
"""Files in these folders have generated names. All other files are listed one by one in the configuration."""
WORKER_FOLDER: Final = "/assets/partytown-"


class Answers(NamedTuple):
    """Responses of one site. The headers are without content types."""

    site: str
    page: Named
    error: Named
    data: Named
    asset: Named
    sandbox: Named
    worker: Named
    missing: Named
    """Of redirects, and of the text sent for a missing file that is not a page."""
    pages: list[str]
    files: dict[str, str]
    """Content types of the files outside ``BY_PREFIX``, by path."""
    types: dict[str, str]
    """Content types below ``BY_PREFIX``, by extension."""
    media: list[tuple[tuple[str, ...], dict[str, str], Named]]
    """Extensions, their content types, and headers. The last row is for all other files."""
    redirects: Mapping[str, Redirect]
    data_redirects: dict[str, Redirect]
    """Redirects of page data, by its path. Status 200 with an empty target makes the page runtime load the document."""


def read_answers(manifest: Manifest, served: ServedSite, origin: str) -> Answers:
    https = origin.startswith("https:")
    headers = build_site_headers(served.lang, served.noindex, https, manifest.html_headers, served.worker_sources)
    page, data = _named(headers.page), _named(headers.data)
    closed = [_one(NOINDEX)] if served.noindex else []
    noindex = [] if closed else [("x-robots-tag", "noindex")]
    files = {path: file.content_type for path, file in manifest.every_file() if not path.startswith(BY_PREFIX)}
    pages = sorted(path for path, type in files.items() if _is_html(type) and path not in ERROR_PAGES)
    return Answers(
        manifest.site,
        page=page,
        error=[*page, *noindex],
        data=data,
        asset=_named(headers.of_asset("file")),
        sandbox=_named(headers.of_asset("sandbox")),
        worker=_named(headers.of_asset("worker")),
        missing=[("cache-control", REVALIDATE.decode()), *_named(find_missing(frozenset(), b"text/plain", https))],
        pages=pages,
        files={path: type for path, type in sorted(files.items()) if not _is_html(type)},
        types=_types(manifest),
        media=_media(closed),
        redirects={each: redirect for path, redirect in manifest.redirects.items() for each in spellings(path)},
        data_redirects=dict(_data_redirects(manifest, {*pages})),
    )


def _types(manifest: Manifest) -> dict[str, str]:
    """Return content types by extension.

    If an extension has several, the most frequent wins.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path, file in manifest.every_file():
        name = path.rpartition("/")[2]
        if path.startswith(BY_PREFIX) and "." in name:
            counts[name.rpartition(".")[2]][file.content_type] += 1
    return {ending: found.most_common(1)[0][0] for ending, found in sorted(counts.items())}


def _media(closed: Named) -> list[tuple[tuple[str, ...], dict[str, str], Named]]:
    groups: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    for ending, type in MEDIA_TYPES.items():
        named = [pair for pair in _named(media_headers(ending)) if pair[0] != "content-type"]
        groups.setdefault(tuple(named), {})[ending.removeprefix(".")] = type.decode()
    others = [pair for pair in _named(media_headers("")) if pair[0] != "content-type"]
    found = [(tuple(sorted(types)), types, [*named, *closed]) for named, types in groups.items()]
    return [*found, ((), {}, [*others, *closed])]


def _data_redirects(manifest: Manifest, pages: set[str]) -> Iterable[tuple[str, Redirect]]:
    for path, redirect in sorted(manifest.redirects.items()):
        if path.endswith(WILDCARD):
            continue
        if redirect.status == GONE:
            yield page_data_path(path), redirect
        elif redirect.target == own_path(redirect.target) and redirect.target in pages:
            yield page_data_path(path), Redirect(redirect.status, page_data_path(redirect.target))
        else:
            yield page_data_path(path), Redirect(200, "")


def _is_html(content_type: str) -> bool:
    return content_type.startswith("text/html")


def _named(headers: Iterable[tuple[bytes, bytes]]) -> Named:
    return [_one(header) for header in headers]


def _one(header: tuple[bytes, bytes]) -> tuple[str, str]:
    return header[0].decode("ascii"), header[1].decode("latin-1")
