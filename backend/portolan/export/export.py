"""Export the live sites: a tree for each, and configurations of static hosts."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from ..builds.hosts import read_hosts
from ..builds.live import read_live
from ..builds.manifest import BuildError, read_manifest
from ..builds.packs import Encoding
from ..builds.signing import NO_KEYS, Keys
from .answers import Answers, read_answers
from .caddy import caddy_site, caddy_sites
from .layout import Layout
from .netlify import find_excess, write_headers, write_redirects
from .nginx import nginx_maps, nginx_server, nginx_sites
from .sources import Media
from .tree import Exported, export_tree, exported_sites

if TYPE_CHECKING:
    from ..builds.object_store import ObjectStore

_FORMER: Final = ("redirects.nginx.conf", "redirects.caddy")
"""Suffixes of files that older versions wrote next to a tree."""
_DOCUMENT: Final = orjson.dumps({"path": "", "html": "", "build": ""})
"""Page data without a build: the page runtime loads the document, which redirects."""


class Export(NamedTuple):
    site: str
    folder: Path
    tree: Exported
    warnings: list[str]


def export_sites(
    root: Path,
    sites: Iterable[str],
    folder: Path,
    media: Media | None,
    layout: Layout,
    place: str,
    is_whole: bool = False,
    keys: Keys = NO_KEYS,
) -> Iterator[Export]:
    """Export live sites into ``folder``, one after the other.

    ``place``: the future path of that folder on the host.

    Raise BuildError if a site is not live, or a site's folder has files from other sources.
    """
    live, hosts = read_live(root).builds, read_hosts(root)
    for site in sites:
        if site not in live:
            raise BuildError(f"Site {site} is not live, so it cannot be exported. Publish it first.")
        manifest = read_manifest(root, site, live[site], keys=keys)
        answers = read_answers(manifest, hosts.sites[site], hosts.origins[site])
        own = dict(_own_files(answers))
        tree = export_tree(root, manifest, folder / site, layout, media, own, is_whole)
        _write(folder / f"{site}.nginx.maps.conf", nginx_maps(answers))
        _write(folder / f"{site}.nginx.server.conf", nginx_server(answers, f"{place}/{site}", layout))
        _write(folder / f"{site}.caddy", caddy_site(answers, f"{place}/{site}", layout))
        for ending in _FORMER:
            (folder / f"{site}.{ending}").unlink(missing_ok=True)
        yield Export(site, folder / site, tree, find_excess(answers))
    known = [(site, hosts.origins[site]) for site in exported_sites(folder) if site in hosts.origins]
    _write(folder / "nginx.conf", nginx_sites(((site, origin) for site, origin in known), place))
    _write(folder / "Caddyfile", caddy_sites(known, place))


class Upload(NamedTuple):
    site: str
    url: str
    tree: Exported
    warnings: list[str]


def upload_sites(
    root: Path,
    sites: Iterable[str],
    url: str,
    open_store: Callable[[str], "ObjectStore"],
    media: Media | None,
    layout: Layout,
    coding: Encoding | None,
    is_whole: bool = False,
    keys: Keys = NO_KEYS,
) -> Iterator[Upload]:
    """Export live sites into a store, one after the other.

    ``{site}`` in the URL becomes the site's key. Without it, each site gets a folder of that name. Raise BuildError if
    a site is not live.
    """
    from .bucket import Place, export_bucket, find_losses  # the client for stores is an extra

    live, hosts = read_live(root).builds, read_hosts(root)
    for site in sites:
        if site not in live:
            raise BuildError(f"Site {site} is not live, so it cannot be exported. Publish it first.")
        manifest = read_manifest(root, site, live[site], keys=keys)
        answers = read_answers(manifest, hosts.sites[site], hosts.origins[site])
        own = {name: data for name, data in _own_files(answers) if not name.startswith("_")}
        is_own = "{site}" in url
        place = Place(open_store(url.replace("{site}", site)), "" if is_own else f"{site}/", site)
        tree = export_bucket(root, manifest, place, answers, layout, media, own, coding, is_whole)
        at = place.objects.url if is_own else f"{place.objects.url.rstrip('/')}/{site}"
        yield Upload(site, at, tree, find_losses(answers))


def _own_files(answers: Answers) -> Iterator[tuple[str, bytes]]:
    yield "_headers", write_headers(answers).encode()
    yield "_redirects", write_redirects(answers).encode()
    for path, found in answers.data_redirects.items():
        if found.status == 200:
            yield path.removeprefix("/"), _DOCUMENT


def _write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
