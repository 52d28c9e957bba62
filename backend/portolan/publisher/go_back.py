"""Roll sites back to an earlier release, all with one switch.

A site whose files are those of the release keeps them. A site with a kept build of these files gets a copy. The copy's
parent is the live build, so that open tabs of the later build still find their files. Other sites are rendered from the
release.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ..builds.integrity import find_damaged
from ..builds.live import LivePointer, Pin, Shared, blocked_on, read_live, switch_live
from ..builds.manifest import (
    BuildError,
    BuildHead,
    File,
    Manifest,
    list_readable,
    manifest_path,
    name_build,
    now_iso,
    read_manifest,
    write_manifest,
)
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..domain.problems import Problem
from ..releases.reader import ItemId, ReleaseReader
from ..releases.release_view import ReleaseView, release_view_of
from .attempt import Attempt, Done, Follow, Means, Progress, known_release_views
from .build_inputs import BuildInputs, copy_inputs, read_inputs, write_inputs
from .journal import Entry, append_entry, entry_of
from .lookup import SiteLookup
from .plan import find_affected_pages
from .problem import PublishError, UsageError
from .publish_records import PublishRecord, append_record
from .redirects import build_redirects
from .shared_data import build_shared_data
from .site_build import LiveBuild, SiteBuild
from .snapshot import pages_of
from .translations import TranslationsOf, find_non_reciprocal
from .web_build import ingest_web_build
from .well_known import SITE_FILES, build_html_headers

_PAGE = "text/html"
_LATEST: Final = 30
"""Number of builds checked for having shown the release last."""
Origin = Literal["kept", "build", "rendered"]


class PathChanges(NamedTuple):
    """Pages of a site by their change, each a URL path."""

    changed: list[str]
    back: list[str]
    """Missing now, live afterwards."""
    gone: list[str]
    """Live now, missing afterwards."""

    @property
    def number(self) -> int:
        return sum(map(len, self))


class SiteBack(NamedTuple):
    """One site on its way to an earlier release."""

    site: str
    origin: Origin
    """``kept``: the live files are those of the release. ``build``: a kept build has them. ``rendered``: they were made
    from the release again, because no kept build has them."""
    build: str
    """The kept build with these files; empty if they were rendered."""
    created: str
    """Creation time of that build, ISO."""
    rendered: int
    """Number of rendered pages."""
    pages: PathChanges


class WentBack(NamedTuple):
    release: int
    """The release whose content is live now."""
    sites: list[SiteBack]
    seconds: float


class Target(NamedTuple):
    """The future live state of a site."""

    site: str
    origin: Origin
    found: LiveBuild
    made: SiteBuild | None = None
    """Set if the build was rendered."""


class WayBack:
    """The way to one release: ``find``, ``describe``, then ``switch``.

    The caller holds the ``publish_lock``.
    """

    def __init__(
        self,
        root: Path,
        means: Means,
        follow: Follow,
        release: int,
        shared: Shared | None = None,
        keys: Keys = NO_KEYS,
    ) -> None:
        """``means.live``: the live builds.

        ``shared``: the store that other machines follow. ``keys``: sign new builds.
        """
        self._keys = keys
        self._shared = shared
        self._root = root
        self._means = means
        self._live = means.live
        self._follow = follow
        self._release_view = release_view_of(means.reader, release)
        self._targets: list[Target] = []

    def find(self, sites: list[str], progress: Progress) -> None:
        """Find or render these sites in the state of the release.

        Raise UsageError or PublishError if that is impossible.
        """
        store, release = self._means.store, self._release_view.release
        bases = {
            site: base
            for site in sites
            if (base := find_base(self._root, store, site, release, self._release_view.mark, self._keys))
        }
        for base in bases.values():
            blocked = base.inputs.blocked if base.inputs else {}
            self._release_view = self._release_view.blocking({id: at for id, at in blocked.items() if at <= release})
        self._renew_redirects(bases)
        builds = {**self._live, **bases}
        means = self._means._replace(live=builds, release_views=known_release_views(builds, self._means.reader))
        standing = {site for site in bases if self._is_unchanged(site, bases[site], means)}
        rest = [site for site in sites if site not in standing]
        rendered = {build.site: build for build in self._render(rest, means, progress)} if rest else {}
        self._targets = [
            self._target(site, bases.get(site), None if site in standing else rendered[site]) for site in sites
        ]
        check_translations(self._targets, {site: live for site, live in self._live.items() if site not in sites})

    @property
    def release_view(self) -> ReleaseView:
        """The release view to show."""
        return self._release_view

    def describe(self) -> list[SiteBack]:
        """Return the changes on each site, in the order of ``find``."""
        return [self._describe(target) for target in self._targets]

    def switch(self, by: str, is_whole: bool) -> dict[str, LiveBuild]:
        """Put everything live at once and pin it. Return the new builds."""
        pin = Pin(now_iso(), by)
        rendered = [target.found.manifest for target in self._targets if target.origin == "rendered"]
        if rendered:
            self._means.store.sync({file.digest for manifest in rendered for file in manifest.files.values()})
        switched: dict[str, str] = {}
        new: dict[str, LiveBuild] = {}
        for target in self._targets:
            if target.origin != "kept":
                new[target.site] = self._write(target, pin)
            switched[target.site] = (new.get(target.site) or target.found).manifest.build
        switch_live(
            self._root,
            switched,
            self._release_view.release,
            self._release_view.blocked,
            pin,
            is_whole,
            shared=self._shared,
            keys=self._keys,
        )
        return new

    def _renew_redirects(self, bases: Mapping[str, LiveBuild]) -> None:
        """Add redirects for paths newer than the release, which visitors may know."""
        _, routes = self._follow(self._release_view)
        for site, base in bases.items():
            files = base.manifest.files
            found = build_redirects(site, self._means.reader, self._release_view, routes, self._means.addresses, files)
            base.manifest = replace(base.manifest, redirects=found.redirects)

    def _is_unchanged(self, site: str, base: LiveBuild, means: Means) -> bool:
        """Return True if a kept build is known to show the release view.

        A build of another web build cannot be planned by digest. It counts if no difference affects its site.
        """
        shown = means.release_views.get(site)
        if shown is None or base.inputs is None:
            return False
        if (shown.release, blocked_on(site, shown.blocked)) == (
            self._release_view.release,
            blocked_on(site, self._release_view.blocked),
        ):
            return True
        if base.inputs.web == means.web.hash:
            return False
        shared = self._shared_hash(site, shown)
        if shared is None or shared != self._shared_hash(site, self._release_view):
            return False
        snapshot, routes = self._follow(self._release_view)
        changes = pages_of(means.differences.between(shown, self._release_view))
        reached = find_affected_pages(changes, snapshot, routes)
        gone = any(change.item.site == site and change.before and not change.after for change in changes)
        return not gone and site not in reached.every and site not in reached.pages

    def _shared_hash(self, site: str, release_view: ReleaseView) -> str | None:
        snapshot, routes = self._follow(release_view)
        lookup = SiteLookup(site, snapshot, routes, self._means.addresses)
        shared = build_shared_data(site, snapshot, lookup, self._means.addresses)
        return None if isinstance(shared, Problem) else shared.hash

    def _render(self, sites: list[str], means: Means, progress: Progress) -> list[SiteBuild]:
        """Return the builds of these sites, each made from the nearest kept build."""
        if not means.web.hash:
            raise UsageError(
                f"No kept build has {', '.join(sites)} as at release {self._release_view.release}, so pages must be "
                "rendered, but there is no usable web build. No site was changed. Build the web, or go back to a "
                "release with a kept build."
            )
        snapshot, routes = self._follow(self._release_view)
        if empty := [site for site in sites if not routes.count(site)]:
            raise UsageError(
                f"Site {', '.join(empty)} has no page at release {self._release_view.release}. No site was changed. Name "
                "the other sites with --site, or choose a later release."
            )
        files = means.web_files or ingest_web_build(means.web, means.store)
        attempt = Attempt(means._replace(web_files=files), self._release_view, snapshot, routes, Done())
        means.pool.warm_up(attempt.plan(sites))
        for build in attempt.builds:
            found = build_redirects(
                build.site, means.reader, self._release_view, routes, means.addresses, {*SITE_FILES, *files}
            )
            build.redirects = found.redirects
        attempt.render(progress)
        if attempt.problems:
            raise PublishError(attempt.problems)
        return attempt.builds

    def _target(self, site: str, base: LiveBuild | None, build: SiteBuild | None) -> Target:
        """Return the target of a site. ``build``: None if ``base`` shows the release."""
        live = self._live.get(site)
        found = self._as_live(build) if build else base
        assert found
        if live and same_files(live.manifest, found.manifest):
            return Target(site, "kept", live)
        if base and same_files(base.manifest, found.manifest):
            return Target(site, "build", LiveBuild(base.manifest, found.inputs))
        assert build
        return Target(site, "rendered", found, build)

    def _as_live(self, build: SiteBuild) -> LiveBuild:
        build.keep_live_problems()
        headers = build_html_headers(self._means.web, self._means.addresses, build.site)
        manifest = build.manifest(now_iso(), self._release_view.release, self._means.web.hash, headers)
        return LiveBuild(manifest, build.inputs)

    def _describe(self, target: Target) -> SiteBack:
        live, found = self._live.get(target.site), target.found.manifest
        pages = compare_pages(live.manifest.files if live else {}, found.files)
        rendered = len(target.made.plan.render) + len(target.made.plan.splice) if target.made else 0
        return SiteBack(target.site, target.origin, found.build, found.created, rendered, pages)

    def _write(self, target: Target, pin: Pin) -> LiveBuild:
        live, found = self._live.get(target.site), target.found
        name = name_build(pin.since, found.manifest.release)
        manifest = replace(found.manifest, build=name, created=pin.since)
        manifest = write_manifest(self._root, manifest, live.manifest if live else None, keys=self._keys)
        assert found.inputs
        release_view = self._release_view
        inputs = replace(
            found.inputs, build=name, release=release_view.release, mark=release_view.mark, blocked=release_view.blocked
        )
        write_inputs(self._root, target.site, inputs)
        if target.made:
            entry = entry_of(target.made, pin.since, pin.by)._replace(build=name)
        else:
            entry = Entry(name, found.manifest.build, release_view.release, 0, pin.since, found.manifest.web, pin.by)
        append_entry(self._root, target.site, entry)
        return LiveBuild(manifest, inputs)


def choose_sites(pointer: LivePointer, sites: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the sites to roll back: the named ones, else all live ones."""
    if not pointer.builds:
        raise UsageError("No site is live yet. To put a release live and pin it, run `portolan publish --release N`.")
    if unknown := sorted(set(sites) - pointer.builds.keys()):
        raise UsageError(f"Site {', '.join(unknown)} is not live. No site was changed.")
    return [site for site in known if site in (set(sites) or pointer.builds.keys()) and site in pointer.builds]


def choose_release(reader: ReleaseReader, current: Mapping[str, LiveBuild | None], release: int | None) -> int:
    """Return the named release, else the one before the last change of these sites."""
    if release is None:
        if damaged := sorted(site for site, live in current.items() if live is None):
            raise UsageError(
                f"The live build of {', '.join(damaged)} is damaged, so the previous release is unknown. Name a "
                "release with --release; `portolan releases list` shows all."
            )
        release = max(live.manifest.release for live in current.values() if live) - 1
    if not reader.exists(release):
        raise UsageError(
            f"There is no release {release}. No site was changed. The newest is {reader.latest()}; "
            "`portolan releases list` shows all."
        )
    return release


def find_base(
    root: Path, store: ContentStore, site: str, release: int, mark: str, keys: Keys = NO_KEYS
) -> LiveBuild | None:
    """Return an intact build to start from.

    It is the kept build that showed this release last, else the newest one up to it. It has its inputs. Damaged
    builds are skipped. None if all are damaged or newer. ``mark``: the release's mark.
    """
    heads = [head for head in list_readable(root, site) if head.release <= release]
    for head in sorted(heads, key=lambda head: head.number, reverse=True)[:_LATEST]:
        inputs = read_inputs(root, site, head.build)
        if (
            inputs
            and (inputs.release, inputs.mark) == (release, mark)
            and (found := _load(root, store, head, inputs, keys))
        ):
            return found
    for head in sorted(heads, key=lambda head: (head.release, head.number), reverse=True):
        inputs = read_inputs(root, site, head.build)
        if inputs and (found := _load(root, store, head, inputs, keys)):
            return found
    return None


def _load(root: Path, store: ContentStore, head: BuildHead, inputs: BuildInputs, keys: Keys) -> LiveBuild | None:
    """Return the build, or None if a file of it is missing or damaged."""
    try:
        manifest = read_manifest(root, head.site, head.build, keys=keys)
    except BuildError:
        return None
    files = manifest.files.values()
    is_whole = all(store.keep(file.digest) for file in files) and find_damaged(store, files) is None
    return LiveBuild(manifest, inputs) if is_whole else None


def check_translations(targets: Iterable[Target], others: Mapping[str, LiveBuild]) -> None:
    """Raise UsageError if pages and translations would not link to each other."""
    going = {target.site: target.found for target in targets}
    every = {site: TranslationsOf(live.inputs.pages) for site, live in {**others, **going}.items() if live.inputs}
    found = [pair for pair in find_non_reciprocal(every) if pair.site in going or pair.other in going]
    if found:
        first = found[0]
        raise UsageError(
            f"No site was changed: page {first.path} of {first.site} and page {first.other_path} of "
            f"{first.other} would not link to each other as translations"
            f"{f', nor would {len(found) - 1} more pairs' if len(found) > 1 else ''}. "
            "Go back on all sites together, without --site."
        )


def same_files(old: Manifest, new: Manifest) -> bool:
    """Return True if visitors get the same responses from both."""
    return (old.web, old.html_headers, old.files, old.redirects) == (
        new.web,
        new.html_headers,
        new.files,
        new.redirects,
    )


def compare_pages(before: Mapping[str, File], after: Mapping[str, File]) -> PathChanges:
    """Return the changes of a site's pages between two sets of files."""
    old, new = ({path: file for path, file in files.items() if _is_page(file)} for files in (before, after))
    return PathChanges(
        sorted(path for path in old.keys() & new.keys() if old[path].digest != new[path].digest),
        sorted(new.keys() - old.keys()),
        sorted(old.keys() - new.keys()),
    )


def _is_page(file: File) -> bool:
    return file.content_type.startswith(_PAGE)


def go_to_build(
    root: Path, site: str, build: str, by: str, shared: Shared | None = None, keys: Keys = NO_KEYS
) -> BuildHead:
    """Put the files of a kept build live again on its site, and pin that site alone.

    Works without the database and the web build. The caller holds the ``publish_lock``. Raise BuildError, without a
    change, if the build is missing or damaged.
    """
    pointer = read_live(root)
    live = pointer.builds
    if site not in live:
        raise BuildError(f"Site {site} is not live. No site was changed.")
    heads = list_readable(root, site)
    chosen = next((head for head in heads if head.build == build), None)
    if chosen is None and manifest_path(root, site, build).exists():
        raise _refusal(root, site, build, heads, keys, "its manifest is unreadable")
    if chosen is None:
        names = ", ".join(head.build for head in heads[:10])
        raise BuildError(f"Site {site} has no build {build}. Nothing was changed. Its builds: {names or 'none'}.")
    manifest = _read_whole(root, chosen, heads, keys)
    created, name = now_iso(), chosen.build
    if build != live[site]:
        name = name_build(created, chosen.release)
        try:
            parent: Manifest | None = read_manifest(root, site, live[site], keys=keys)
        except BuildError:  # the live build may be the damaged one; the files of its open tabs are then lost
            parent = None
        write_manifest(root, replace(manifest, build=name, created=created), parent, keys=keys)
        copy_inputs(root, site, build, name)
        append_entry(root, site, Entry(name, build, chosen.release, 0, created, chosen.web, by))
    inputs = read_inputs(root, site, name)
    blocked: Mapping[ItemId, int] = (
        {id: at for id, at in inputs.blocked.items() if at <= chosen.release} if inputs else {}
    )
    switch_live(root, {site: name}, chosen.release, blocked, Pin(created, by), shared=shared, keys=keys)
    new = {site: name} if name != live[site] else {}
    append_record(root, PublishRecord(now_iso(), chosen.release, pointer.releases[site], new, by=by))
    return chosen


def _read_whole(root: Path, chosen: BuildHead, heads: Iterable[BuildHead], keys: Keys) -> Manifest:
    """Return the manifest.

    Raise BuildError, naming an intact build, if this one is damaged.
    """
    try:
        manifest = read_manifest(root, chosen.site, chosen.build, keys=keys)
        damage = find_damaged(ContentStore(root), manifest.files.values())
        if damage is None:
            return manifest
        reason = damage.what
    except BuildError as error:
        reason = str(error)
    raise _refusal(root, chosen.site, chosen.build, heads, keys, reason)


def _refusal(root: Path, site: str, build: str, heads: Iterable[BuildHead], keys: Keys, reason: str) -> BuildError:
    whole = next((head.build for head in heads if head.build != build and _is_whole(root, head, keys)), None)
    instead = (
        f"To put an intact build live, run `portolan rollback --site {site} --to {whole}`."
        if whole
        else "No kept build of the site is intact."
    )
    return BuildError(
        f"Build {build} of site {site} is damaged: {reason.rstrip('.')}. Nothing was changed. {instead} To render an "
        f"earlier release again, run `portolan rollback --site {site} --release N`."
    )


def _is_whole(root: Path, head: BuildHead, keys: Keys) -> bool:
    try:
        manifest = read_manifest(root, head.site, head.build, keys=keys)
    except BuildError:
        return False
    return find_damaged(ContentStore(root), manifest.files.values()) is None
