"""Going back: puts an earlier release live again and holds it there. Nothing is rendered. The files of the earlier
build become a new build with the live one as its parent, so that open tabs of the later build still find their files.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..builds.live import Hold, read_live, switch_live
from ..builds.manifest import BuildError, BuildHead, list_builds, name_build, now_iso, read_manifest, write_manifest
from ..releases.reader import ItemId
from .build_inputs import copy_inputs, read_inputs


class WentBack(NamedTuple):
    release: int
    """The one whose content is live now."""
    builds: Mapping[str, BuildHead]
    """By site, the build whose files are live now. It is the build that was live before if the later releases changed
    nothing on the site."""
    changed: Collection[str]
    """Sites whose files differ from before."""


def go_back(root: Path, sites: Collection[str], by: str, release: int | None = None, build: str = "") -> WentBack:
    """Put live again what ``sites`` (default: all live ones) showed at a release, and hold it there. Without
    ``release``, it is the release before the last one that changed a file of these sites; ``build`` names a build of
    one site instead. The caller holds the ``publish_lock``. Raises BuildError and changes nothing if a site has no such
    build.
    """
    live = read_live(root).builds
    if not live:
        raise BuildError("No site is live yet, so there is nothing to go back to. Publish first.")
    if unknown := sorted(set(sites) - live.keys()):
        raise BuildError(f"Site {', '.join(unknown)} is not live, so nothing was changed on any site.")
    builds = {site: list_builds(root, site) for site in sites or live}
    current = {site: _find(site, live[site], heads) for site, heads in builds.items()}
    if build:
        chosen = {site: _find(site, build, heads) for site, heads in builds.items()}
        release = max(head.release for head in chosen.values())
    else:
        release = _choose_release(root, current, release)
        chosen = {site: _newest_until(release, current[site], heads) for site, heads in builds.items()}
    _go_live(root, chosen, current, release, by)
    return WentBack(release, chosen, [site for site in chosen if chosen[site] != current[site]])


def _choose_release(root: Path, current: Mapping[str, BuildHead], release: int | None) -> int:
    if release is None:
        return max(head.release for head in current.values()) - 1
    shown = read_live(root).releases
    if later := [site for site in current if shown[site] < release]:
        raise BuildError(
            f"Release {release} is newer than what is live on {', '.join(later)}, so nothing was changed. "
            "`portolan publish` goes forward."
        )
    return release


def _find(site: str, build: str, heads: list[BuildHead]) -> BuildHead:
    found = next((head for head in heads if head.build == build), None)
    if found is None:
        names = ", ".join(head.build for head in heads[:10])
        raise BuildError(f"Site {site} has no build {build}; nothing was changed. It has: {names or 'none'}.")
    return found


def _newest_until(release: int, current: BuildHead, heads: list[BuildHead]) -> BuildHead:
    """The build a site showed at a release: ``current`` itself if that is not of a later release."""
    if current.release <= release:
        return current
    before = (head for head in heads if head.number < current.number and head.release <= release)
    found = next(before, None)
    if found is None:
        raise BuildError(
            f"Site {current.site} has no build before {current.build} of release {release} or earlier, so nothing was "
            "changed on any site. Leave it out by naming the others with --site."
        )
    return found


def _go_live(
    root: Path, chosen: Mapping[str, BuildHead], current: Mapping[str, BuildHead], release: int, by: str
) -> None:
    created = now_iso()
    switched: dict[str, str] = {}
    held: dict[ItemId, int] = {}
    for site, head in chosen.items():
        name = head.build
        if head != current[site]:
            parent = read_manifest(root, site, current[site].build)
            name = name_build(created, head.release)
            write_manifest(root, replace(read_manifest(root, site, head.build), build=name, created=created), parent)
            copy_inputs(root, site, head.build, name)
        switched[site] = name
        inputs = read_inputs(root, site, name)
        held |= {id: at for id, at in inputs.held.items() if at <= release} if inputs else {}
    switch_live(root, switched, release, held, Hold(created, by))
