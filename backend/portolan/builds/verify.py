"""Checking a build byte by byte: a flipped bit or a missing file is named before a visitor meets it."""

from pathlib import Path

from ..domain.redirects import NOT_IN_BUILDS, WILDCARD, own_path
from .integrity import find_damage
from .manifest import BuildError, Manifest, read_manifest
from .signing import NO_KEYS, Keys
from .store import ContentStore


def verify(root: Path, site: str, build: str, keys: Keys = NO_KEYS) -> list[str]:
    """What is wrong with a build, a line each, naming the URL path and the file; empty where it is whole."""
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
    return problems + _redirect_problems(manifest)


def _redirect_problems(manifest: Manifest) -> list[str]:
    """Redirects that lead to another one, or to nothing."""
    found = []
    for path, redirect in sorted(manifest.redirects.items()):
        own = None if redirect.target.endswith(WILDCARD) else own_path(redirect.target)
        if own is not None and manifest.file(own) is None and not own.startswith(NOT_IN_BUILDS):
            found.append(
                f"{manifest.site} {manifest.build} {path}: redirects to {redirect.target}, which the build lacks"
            )
    return found
