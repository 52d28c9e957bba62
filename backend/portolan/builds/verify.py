"""Check a build byte by byte, before a visitor meets damage."""

from collections.abc import Iterable
from pathlib import Path

import orjson

from ..domain.redirects import NOT_IN_BUILDS, WILDCARD, own_path
from ..domain.routes import page_data_path, page_of_data
from .integrity import find_damage, read_whole
from .manifest import BuildError, Manifest, read_manifest
from .signing import NO_KEYS, Keys
from .store import ContentStore


def verify(root: Path, site: str, build: str, keys: Keys = NO_KEYS) -> list[str]:
    """Return the problems of a build, one line each with the URL path and the file."""
    try:
        manifest = read_manifest(root, site, build, keys=keys)
    except BuildError as error:
        return [str(error)]
    store = ContentStore(root)
    problems: list[str] = []
    checked: dict[str, list[str]] = {}
    for path, file in sorted(manifest.every_file()):
        if file.digest not in checked:
            checked[file.digest] = [each.what for each in find_damage(store, file)]
        problems += [f"{site} {build} {path}: {problem}" for problem in checked[file.digest]]
    return [*problems, *_page_data_problems(manifest, store), *_redirect_problems(manifest)]


def _page_data_problems(manifest: Manifest, store: ContentStore) -> Iterable[str]:
    """Yield pages without page data or with another page's.

    A link would then show the wrong page.
    """
    where = f"{manifest.site} {manifest.build}"
    if not any(map(page_of_data, manifest.files)):
        return  # not a build of the publisher
    for path, file in sorted(manifest.files.items()):
        page = page_of_data(path)
        if page is not None:
            data = read_whole(store, file)
            shown = None if data is None else _read_path(data)
            if shown is not None and shown != page:
                yield f"{where} {path}: has the data of {shown} instead of {page}"
        elif _is_page(path, file.content_type) and page_data_path(path) not in manifest.files:
            yield f"{where} {path}: has no page data at {page_data_path(path)}"


def _is_page(path: str, content_type: str) -> bool:
    """Return True for a page. Files added by a company have an extension."""
    return content_type.startswith("text/html") and "." not in path


def _read_path(data: bytes) -> str | None:
    """Return the path in page data.

    None if it is unreadable, which means another program wrote it.
    """
    try:
        return str(orjson.loads(data)["path"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None


def _redirect_problems(manifest: Manifest) -> list[str]:
    """Return redirects to other redirects or to missing paths."""
    found = []
    for path, redirect in sorted(manifest.redirects.items()):
        own = None if redirect.target.endswith(WILDCARD) else own_path(redirect.target)
        if own is not None and manifest.file(own) is None and not own.startswith(NOT_IN_BUILDS):
            found.append(
                f"{manifest.site} {manifest.build} {path}: redirects to {redirect.target}, which the build lacks"
            )
    return found
