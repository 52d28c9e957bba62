"""The live pointer: each site's build and content, and whether it is pinned.

Replacing this one file puts builds live.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, NamedTuple, Protocol

import orjson

from ..releases.reader import ALL_SITES, Blocked
from ..releases.release_view import pack_blocked, unpack_blocked
from .disk import make_folder, sync_folder, write_whole
from .file_lock import file_lock
from .manifest import BuildError, now_iso, read_head
from .sealed import number_of, read_number, require_believed, seal, write_out
from .signing import NO_KEYS, Keys

_WAS_LIVE: Final = "was-live.json"
_MOST_TRIES: Final = 20
"""Attempts at a switch while other machines are faster."""


class Pin(NamedTuple):
    """A pin: an editor put an earlier release live, and newer releases wait."""

    since: str
    """ISO time with offset."""
    by: str


class Installation(NamedTuple):
    """All sites together: they follow the newest release, or are pinned to one."""

    is_pinned: bool
    release: int
    """The live release; 0 before the first publish. A site that could not follow or is pinned alone may show
    another."""
    since: str
    """ISO time at which it began to follow or was pinned; empty if unknown."""
    by: str
    """Who pinned or resumed it; empty if it was never pinned."""


class SwitchedMeanwhile(BuildError):
    """Another machine has switched the pointer since this one read it."""

    def __init__(self) -> None:
        super().__init__(
            "A publisher on another machine has published meanwhile, so nothing of this publish went live. "
            "This machine takes over what is live, and tries again."
        )


class Shared(Protocol):
    """The store that other machines follow."""

    def switch(self, live: Mapping[str, Any]) -> None:
        """Put this pointer and all files that it needs into the store.

        Raise BuildError if that fails, and SwitchedMeanwhile if another machine was faster. The pointer here then
        stays.
        """
        ...

    def catch_up(self) -> None:
        """Put the live builds of other machines live here."""
        ...

    def is_behind(self) -> bool:
        """Return True if other machines use another ``hosts.json`` than this one."""
        ...


def live_file(root: Path) -> Path:
    """Return the path of the pointer. Each switch changes its inode and time."""
    return root / "live.json"


class LivePointer(NamedTuple):
    """The live state by site key. Everything is empty before the first publish."""

    builds: Mapping[str, str]
    """The build each site serves."""
    releases: Mapping[str, int]
    """The release whose content is live. It can be newer than the build's, because an edit that changes no file of a
    site makes no build of it.
    """
    blocked: Mapping[str, Blocked]
    """Blocked items, which an earlier release's state replaces. Sites without any are left out."""
    pins: Mapping[str, Pin]
    """Pinned sites: each alone, or all because the installation is pinned."""
    installation: Installation
    problems: Mapping[str, str]
    """Sites that could not follow, each with the reason as text."""
    withdrawn: Collection[str] = frozenset()
    """URL paths of documents that were deleted or restricted. Visitors get none of them, even if a page still links
    there."""
    number: int = 0
    """Grows with each switch. 0 if a version without numbers wrote the pointer."""


NOTHING_LIVE: Final = LivePointer({}, {}, {}, {}, Installation(False, 0, "", ""), {})


def mark_content(release: int, blocked: Blocked) -> str:
    """Return a mark of a site's content: its release and the blocked items."""
    if not blocked:
        return str(release)
    return f"{release}-{sha256(orjson.dumps(pack_blocked(blocked))).hexdigest()[:16]}"


def read_live(root: Path, keys: Keys = NO_KEYS, newest: int = 0) -> LivePointer:
    """Return the whole pointer, read at once so that its parts agree.

    Raise BuildError if it is damaged. If ``keys`` check signatures, also if it is not signed with one of them, or its
    number is below ``newest``.
    """
    return _pointer(root, _read(root, keys, newest))


def keep_was_live(root: Path, document: Mapping[str, Any]) -> None:
    """Store another machine's pointer for the publisher that makes its builds here."""
    make_folder(root)
    write_whole(str(root / _WAS_LIVE), orjson.dumps(document), 0o644)


def read_was_live(root: Path) -> LivePointer:
    """Return the pointer of ``keep_was_live``; empty if it is missing or unreadable."""
    try:
        return _pointer(root, orjson.loads((root / _WAS_LIVE).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BuildError):
        return NOTHING_LIVE


def _pointer(root: Path, document: Mapping[str, Any]) -> LivePointer:
    builds = {str(site): str(build) for site, build in document["sites"].items()}
    known = document.get("releases", {})
    releases = {site: known.get(site) or read_head(root, site, build).release for site, build in builds.items()}
    pins = {site: Pin(**pin) for site, pin in document.get("holds", {}).items()}
    installation = _installation(document, builds, releases, pins)
    if installation.is_pinned:
        pins = dict.fromkeys(builds, Pin(installation.since, installation.by))
    return LivePointer(
        builds,
        releases,
        {site: unpack_blocked(rows) for site, rows in document.get("held", {}).items()},
        pins,
        installation,
        document.get("problems", {}),
        frozenset(document.get("withdrawn", ())),
        number_of(document),
    )


def switch_live(
    root: Path,
    builds: Mapping[str, str],
    release: int | None = None,
    blocked: Blocked | None = None,
    pin: Pin | None = None,
    whole: bool = False,
    problems: Mapping[str, str] | None = None,
    shared: Shared | None = None,
    withdrawn: Collection[str] | None = None,
    keys: Keys = NO_KEYS,
) -> None:
    """Put these builds live, all at once.

    Other sites keep theirs. On return the switch is on the disk.

    The files of the builds must be synced before.

    ``release``: the release shown, if it is newer than that of the builds.
    ``blocked``: blocked items, shown in an earlier state.

    ``pin``: pins these sites until ``resume``, and with ``whole`` the installation.
    ``problems``: why sites could not follow.

    ``shared``: the store that other machines follow.
    ``withdrawn``: documents to withhold; None keeps the earlier list.
    ``keys``: sign the pointer.

    Raise BuildError if a build's manifest is unreadable, SwitchedMeanwhile if one of these sites was switched
    meanwhile.
    """
    before = _read(root)["sites"] if release else {}
    heads = {site: read_head(root, site, build) for site, build in builds.items() if before.get(site) != build}

    def change(known: dict[str, Any]) -> dict[str, Any]:
        live = _pointer(root, known)
        rows = {site: pack_blocked(blocked_on(site, blocked or {})) for site in builds}
        shown = release or max((head.release for head in heads.values()), default=live.installation.release)
        alone = {} if live.installation.is_pinned else {site: each._asdict() for site, each in live.pins.items()}
        installation = live.installation
        if whole and pin:
            installation, alone = Installation(True, shown, pin.since, pin.by), {}
        elif pin:
            alone |= {site: pin._asdict() for site in builds}
        elif not installation.is_pinned:
            # If only some sites follow, another publisher may already show a newer release on others.
            newest = shown if whole else max(shown, installation.release)
            installation = installation._replace(release=newest, since=installation.since or now_iso())
        said = {**live.problems, **dict.fromkeys(builds, ""), **(problems or {})}
        return {
            "sites": {**known["sites"], **builds},
            "releases": {
                **known.get("releases", {}),
                **{site: release or heads[site].release for site in builds},
            },
            "held": {site: items for site, items in {**known.get("held", {}), **rows}.items() if items},
            "holds": alone,
            "installation": _pack_installation(installation),
            "problems": {site: problem for site, problem in said.items() if problem},
            "withdrawn": known.get("withdrawn", []) if withdrawn is None else sorted(withdrawn),
        }

    _change(root, change, shared, builds, keys)


def blocked_on(site: str, blocked: Blocked) -> Blocked:
    """Return the blocked items that a site shows."""
    return {id: release for id, release in blocked.items() if id.site in (site, ALL_SITES)}


def resume(
    root: Path, sites: Iterable[str] = (), by: str = "", shared: Shared | None = None, keys: Keys = NO_KEYS
) -> list[str]:
    """Unpin these sites, or the whole installation.

    Return the sites that were pinned.

    If the installation is pinned and only some sites are named, the other sites stay pinned one by one.
    """
    wanted = set(sites)
    ended: list[str] = []

    def change(known: dict[str, Any]) -> dict[str, Any] | None:
        nonlocal ended
        live = _pointer(root, known)
        ended = [site for site in live.pins if site in wanted or not wanted]
        if not ended and not (live.installation.is_pinned and not wanted):
            return None
        left = {site: pin._asdict() for site, pin in live.pins.items() if site not in ended}
        installation = live.installation
        if installation.is_pinned:
            installation = installation._replace(is_pinned=False, since=now_iso(), by=by)
        return {**known, "holds": left, "installation": _pack_installation(installation)}

    _change(root, change, shared, read_live(root).builds, keys)
    return ended


def forget_sites(root: Path, sites: Collection[str], shared: Shared | None = None, keys: Keys = NO_KEYS) -> None:
    """Remove deleted sites from the pointer."""

    def change(known: dict[str, Any]) -> dict[str, Any] | None:
        if not set(sites) & known["sites"].keys():
            return None
        parts = ("sites", "releases", "held", "holds", "problems")
        left = {
            part: {site: value for site, value in known.get(part, {}).items() if site not in sites} for part in parts
        }
        return {**known, **left}

    _change(root, change, shared, sites, keys)


def _change(
    root: Path,
    change: Callable[[dict[str, Any]], dict[str, Any] | None],
    shared: Shared | None,
    sites: Collection[str],
    keys: Keys,
) -> None:
    """Write the pointer that ``change`` makes of the present one, if it makes any.

    If another machine is faster, repeat with that machine's pointer, unless it differs for these ``sites``.
    """
    make_folder(root)
    before: dict[str, Any] | None = None
    for tries in range(1, _MOST_TRIES + 1):
        with _pointer_lock(root):
            known = _read(root)
            if before is not None and _shown(known, sites) != _shown(before, sites):
                raise SwitchedMeanwhile
            document = change(known)
            try:
                if document is not None:
                    _write(root, document, shared, keys, number_of(known))
                return
            except SwitchedMeanwhile:
                if shared is None or tries == _MOST_TRIES:
                    raise
        before = known
        shared.catch_up()


def _shown(document: Mapping[str, Any], sites: Collection[str]) -> list[Any]:
    """Return the state of these sites, and whether the installation is pinned."""
    parts = [document.get(part, {}) for part in ("sites", "releases", "held", "holds")]
    return [document.get("installation", {}).get("is_held"), [[part.get(site) for part in parts] for site in sites]]


def _installation(
    document: Mapping[str, Any], builds: Mapping[str, str], releases: Mapping[str, int], pins: Mapping[str, Pin]
) -> Installation:
    """Return the installation's state.

    Older versions stored only a pin for each site.
    """
    if "installation" in document:
        return _unpack_installation(document["installation"])
    release, same = max(releases.values(), default=0), set(pins.values())
    if builds and pins.keys() >= builds.keys() and len(same) == 1:
        return Installation(True, release, *same.pop())
    return Installation(False, release, str(document.get("switchedAt", "")), "")


def _pack_installation(installation: Installation) -> dict[str, Any]:
    """Return the values under the names that the previous version reads."""
    return {
        "is_held": installation.is_pinned,
        "release": installation.release,
        "since": installation.since,
        "by": installation.by,
    }


def _unpack_installation(stored: Mapping[str, Any]) -> Installation:
    """Return the stored state. Raise KeyError if a value is missing."""
    return Installation(stored["is_held"], stored["release"], stored["since"], stored["by"])


def read_switch(root: Path) -> str | None:
    """Return the shared pointer's last switch followed here, or None before it."""
    name = _read(root).get("switch")
    return None if name is None else str(name)


def follow_switch(root: Path, live: Mapping[str, Any], before: str | None) -> bool:
    """Put the pointer of another machine live here.

    Return False, unchanged, if ``before`` is not the last switch.
    """
    make_folder(root)
    with _pointer_lock(root):
        if read_switch(root) != before:
            return False
        _replace(root, live)
        return True


def reswitch(root: Path, shared: Shared | None, keys: Keys = NO_KEYS) -> None:
    """Write and sign the pointer again, with the present places of its files."""
    with _pointer_lock(root):
        known = _read(root)
        _write(root, known, shared, keys, number_of(known))


def read_live_number(root: Path, keys: Keys) -> int:
    """Return the live pointer's number; 0 if it is missing or ``keys`` refuse it."""
    try:
        return read_number(live_file(root).read_bytes(), keys)
    except FileNotFoundError:
        return 0


def _write(root: Path, document: Mapping[str, Any], shared: Shared | None, keys: Keys, before: int) -> None:
    live = {**document, "switchedAt": now_iso()}
    live.pop("switch", None)
    if shared:
        live["switch"] = token_hex(8)
    live = seal(orjson.loads(orjson.dumps(live, option=orjson.OPT_SORT_KEYS)), keys, before)
    if shared:
        shared.switch(live)
    _replace(root, live)


def _replace(root: Path, live: Mapping[str, Any]) -> None:
    write_whole(str(live_file(root)), write_out(live), 0o644, durable=True)
    sync_folder(root)


def _read(root: Path, keys: Keys = NO_KEYS, newest: int = 0) -> dict[str, Any]:
    try:
        data = live_file(root).read_bytes()
        document: dict[str, Any] = orjson.loads(data)
        for part in ("sites", "releases", "held", "holds", "installation", "problems"):
            dict(document[part] if part == "sites" else document.get(part, {}))
        if "installation" in document:
            _unpack_installation(document["installation"])
    except FileNotFoundError:
        return {"sites": {}}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{live_file(root)} is damaged ({error}), so sites that are not in memory cannot be served. A running "
            "publisher repairs it; `portolan publish --keep-going` repairs it now."
        ) from error
    require_believed(live_file(root), data, document, keys, newest)
    return document


def _pointer_lock(root: Path) -> AbstractContextManager[bool]:
    """Lock the pointer for one process at a time."""
    return file_lock(root / "live.lock")
