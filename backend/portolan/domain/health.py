"""What a role says of itself to whoever watches it, and when it should get no traffic. Nothing private stands in it."""

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
"""A publisher or a delivery that has begun nothing new for so long hangs."""


class Queue(NamedTuple):
    size: int
    oldest_s: float | None
    """How long the oldest one waits; None where there is none."""


class Health(NamedTuple):
    """Facts about a role. What it does not know, because it has nothing to do with it, is None."""

    role: Role
    version: str
    sites: int | None = None
    """How many it serves."""
    release: int | None = None
    """That is live; None before the first publish."""
    pointer_age_s: float | None = None
    """How long ago the live pointer was last written."""
    loading: Loading | None = None
    """Of Django."""
    database: Database | None = None
    queues: Mapping[str, Queue] = {}
    """``pendingChanges`` no release holds yet, due deliveries in the ``outbox``, leads in the ``spool``."""
    silent: tuple[str, ...] = ()
    """Roles that did not answer when something was last passed on to them, and stores that did not when last asked."""
    bare: tuple[str, ...] = ()
    """Sites that were live and have no build to serve."""
    fallbacks: Mapping[str, str] = {}
    """Sites whose live build is damaged, and the build that each shows instead; empty where it has no other."""
    undeclared_proxy: bool = False
    """Whether requests are passed on by somebody whom the settings do not name."""
    round_age_s: float | None = None
    """How long ago a role that serves nobody began its last round of work."""
    stands_s: float | None = None
    """Seconds for which its working thread has made no progress."""
    folders: tuple[str, ...] = ()
    """One sentence for each group of unwritable folders."""
    refused: tuple[int, float] = (0, float("inf"))
    """Number of leads refused because of our own error, and seconds since the last one."""
    takes_leads: bool = True
    """True if a lead could be stored in the database or on the disk."""


_LOADING: Final = {
    "loading": "It is being loaded.",
    "failed": "It could not be started; its log says why.",
}
_DATABASE: Final = {
    "away": "The database does not answer.",
    "damaged": "The database is damaged. `portolan doctor` names what is, and what to do.",
    "older": "The database lacks migrations of this version: `portolan upgrade`.",
    "newer": "A newer version has upgraded the database: this one writes nothing until it is replaced.",
}
UNDECLARED_PROXY: Final = (
    "Requests are passed on by a proxy that PORTOLAN_TRUSTED_PROXIES does not name (the log says which): all its visitors "
    "count as one client, and are refused together."
)
_REFUSES: Final = "Leads are refused: neither the database nor the folder of leads can take them."
REFUSALS_COUNT_S: Final = 600
"""Seconds for which a refused lead is reported."""
_STOPS: Final[Mapping[Role, tuple[str, ...]]] = {
    "serve": (),
    "edge": (),
    "api": ("older",),  # while the database is away leads go to the spool, and a newer one can be read
    "studio": ("away", "older", "newer", "damaged"),
    "publisher": ("away", "older", "newer", "damaged"),
    "delivery": ("away", "older", "newer", "damaged"),
}
"""States of the database in which a role should get no traffic."""
_REPAIRS: Final[tuple[Role, ...]] = ("api", "studio", "delivery")
"""Roles that stay ready while a site has no build to serve: leads of other sites, and editors who repair it, need them."""


def find_reasons(health: Health) -> tuple[list[str], list[str]]:
    """Why the role is not ready, and what is to be warned about although it is."""
    reasons: list[str] = []
    warnings: list[str] = []
    if health.sites == 0:
        reasons.append("Nothing is published here yet.")
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
    """Why the process should be started again."""
    if health.stands_s is not None and health.stands_s > LONGEST_STAND_S:
        return f"Its work has stood still for {health.stands_s:.0f} s."
    if health.round_age_s is None or health.round_age_s <= LONGEST_ROUND_S:
        return None
    return f"It has begun nothing new for {say_count(round(health.round_age_s / 60), 'minute')}."


def describe_ready(health: Health) -> dict[str, Any]:
    """As JSON. A field is left out where the role knows nothing of it."""
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
    """Return the health as JSON, for people and monitors. ``well`` is True if there is nothing to do."""
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
