"""Describe the health of a role for monitoring, and decide when it should get no traffic. Contains no private data."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from .words import say_count

Role = Literal["serve", "edge", "api", "studio", "publisher", "delivery"]
Loading = Literal["loading", "loaded", "failed"]
Database = Literal["fits", "older", "newer", "away", "damaged"]

LIVE_PATH: Final = "/-/live"
READY_PATH: Final = "/-/ready"
WELL_PATH: Final = "/-/well"
LONGEST_STAND_S: Final = 20
"""Seconds without progress after which the thread of a publisher or a delivery counts as hanging."""
LONGEST_ROUND_S: Final = 30 * 60
"""A publisher or delivery hangs if it has started no new round for this many seconds."""


class Queue(NamedTuple):
    size: int
    oldest_s: float | None
    """Age of the oldest entry; None if the queue is empty."""


class Health(NamedTuple):
    """Facts about a role. Facts that only other roles have are None."""

    role: Role
    version: str
    sites: int | None = None
    """Number of sites it serves."""
    release: int | None = None
    """The live release; None before the first publish."""
    pointer_age_s: float | None = None
    """Seconds since the live pointer was last written."""
    loading: Loading | None = None
    """State of loading Django."""
    database: Database | None = None
    queues: Mapping[str, Queue] = {}
    """``pendingChanges``: not yet in a release. ``outbox``: due deliveries. ``spool``: leads on disk."""
    silent: tuple[str, ...] = ()
    """Roles that failed to answer the last forwarded request, and stores that failed the last check."""
    bare: tuple[str, ...] = ()
    """Sites that were live and have no build to serve."""
    fallbacks: Mapping[str, str] = {}
    """Sites whose live build is damaged, each with the build shown instead; empty if there is no other build."""
    undeclared_proxy: bool = False
    """True if a proxy that is not in the settings forwards requests."""
    round_age_s: float | None = None
    """Seconds since a background role started its last round of work."""
    stands_s: float | None = None
    """Seconds without progress in its working thread."""
    folders: tuple[str, ...] = ()
    """One sentence for each group of unwritable folders."""
    refused: tuple[int, float] = (0, float("inf"))
    """Number of leads refused because of our own error, and seconds since the last one."""
    takes_leads: bool = True
    """True if a lead could be stored in the database or on the disk."""


_LOADING: Final = {
    "loading": "The application is starting.",
    "failed": "The application could not start. See the log for the reason.",
}
_DATABASE: Final = {
    "away": "The database is not reachable.",
    "damaged": "The database is damaged. `portolan doctor` shows the damage and the fix.",
    "older": "The database lacks migrations of this version. Run `portolan upgrade`.",
    "newer": "A newer version has upgraded the database. This version writes nothing. Replace it.",
}
UNDECLARED_PROXY: Final = (
    "A proxy that is not in PORTOLAN_TRUSTED_PROXIES forwards requests (the log names it). All its visitors count as one "
    "client and share one limit."
)
_REFUSES: Final = "Leads are refused: the database and the folder of leads are both unavailable."
REFUSALS_COUNT_S: Final = 600
"""Seconds for which a refused lead is reported."""
_STOPS: Final[Mapping[Role, tuple[str, ...]]] = {
    "serve": (),
    "edge": (),
    "api": ("older",),  # leads go to the spool while the database is unreachable; a newer database is readable
    "studio": ("away", "older", "newer", "damaged"),
    "publisher": ("away", "older", "newer", "damaged"),
    "delivery": ("away", "older", "newer", "damaged"),
}
"""States of the database in which a role should get no traffic."""
_REPAIRS: Final[tuple[Role, ...]] = ("api", "studio", "delivery")
"""Roles that stay ready while a site has no build: leads of other sites, and editors who repair the site, need them."""


def find_reasons(health: Health) -> tuple[list[str], list[str]]:
    """Return the reasons against readiness, and warnings that leave the role ready."""
    reasons: list[str] = []
    warnings: list[str] = []
    if health.sites == 0:
        reasons.append("No site has been published on this machine.")
    if health.bare:
        (warnings if health.role in _REPAIRS else reasons).append(_say_bare(health.bare))
    if health.loading in _LOADING:
        (warnings if health.role == "serve" else reasons).append(_LOADING[health.loading])
    if health.database in _DATABASE:
        (reasons if health.database in _STOPS[health.role] else warnings).append(_DATABASE[health.database])
    if hang := find_hang(health):
        reasons.append(hang)
    (reasons if health.role in ("publisher", "delivery") else warnings).extend(health.folders)
    if not health.takes_leads:
        (reasons if health.role == "api" else warnings).append(_REFUSES)
    count, ago_s = health.refused
    if ago_s < REFUSALS_COUNT_S:
        leads = say_count(count, "lead was", "leads were")
        warnings.append(f"{leads} refused because of an error here, the last one {ago_s:.0f} s ago.")
    warnings += [f"The {name} does not answer." for name in health.silent]
    warnings += [_say_fallback(site, build) for site, build in health.fallbacks.items()]
    if health.undeclared_proxy:
        warnings.append(UNDECLARED_PROXY)
    return reasons, warnings


def _say_bare(sites: Sequence[str]) -> str:
    verb = "has" if len(sites) == 1 else "have"
    return (
        f"Site {', '.join(sites)} {verb} nothing to serve, so visitors get an error. A running publisher puts live what was "
        "live last; `portolan publish --keep-going` does it now and says what is wrong."
    )


def _say_fallback(site: str, build: str) -> str:
    instead = (
        f"it shows build {build} instead"
        if build
        else "no earlier build is whole, so some addresses answer with an error"
    )
    return f"The live build of site {site} is damaged: {instead}. `portolan verify` names the files."


def find_hang(health: Health) -> str | None:
    """Return the reason to restart the process, or None."""
    if health.stands_s is not None and health.stands_s > LONGEST_STAND_S:
        return f"It has made no progress for {health.stands_s:.0f} s."
    if health.round_age_s is None or health.round_age_s <= LONGEST_ROUND_S:
        return None
    return f"It has started no new round for {say_count(round(health.round_age_s / 60), 'minute')}."


def describe_ready(health: Health) -> dict[str, Any]:
    """Return the JSON document of ``READY_PATH``. Fields that do not apply to the role are left out."""
    reasons, warnings = find_reasons(health)
    count, ago_s = health.refused
    known = {
        "sites": health.sites,
        "release": health.release,
        "pointerAgeSeconds": _rounded(health.pointer_age_s),
        "migrationsFit": None if health.database in (None, "away", "damaged") else health.database == "fits",
        "roundAgeSeconds": _rounded(health.round_age_s),
        "silent": list(health.silent) or None,
        "folders": list(health.folders) or None,
        "refusedLeads": {"count": count, "lastSecondsAgo": _rounded(ago_s)} if count else None,
        "queues": {
            name: {"count": queue.size, "oldestSeconds": _rounded(queue.oldest_s)}
            for name, queue in health.queues.items()
        }
        or None,
    }
    said = {
        "role": health.role,
        "version": health.version,
        "ready": not reasons,
        "well": not reasons and not warnings,
        "reasons": reasons,
        "warnings": warnings,
    }
    return said | {name: value for name, value in known.items() if value is not None}


def describe_live(health: Health) -> dict[str, Any]:
    hang = find_hang(health)
    return {"role": health.role, "version": health.version, "live": hang is None, "reasons": [hang] if hang else []}


def describe_well(health: Health) -> dict[str, Any]:
    """Return the JSON document for people and monitors. ``well`` is True if there is nothing to do."""
    said = describe_ready(health)
    return {name: said[name] for name in ("role", "version", "well", "reasons", "warnings")}


def describe(path: str, health: Health) -> tuple[int, dict[str, Any]]:
    """Return status and document of the response at one of the three paths."""
    kinds = {
        LIVE_PATH: ("live", describe_live),
        READY_PATH: ("ready", describe_ready),
        WELL_PATH: ("well", describe_well),
    }
    name, build = kinds[path]
    said = build(health)
    return (200 if said[name] else 503), said


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(max(seconds, 0), 1)
