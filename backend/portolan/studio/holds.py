"""Tells editors what is on hold, because their changes do not appear there."""

from collections.abc import Collection

from django.conf import settings
from django.utils.dateparse import parse_datetime

from ..builds.live import Hold, LivePointer, read_live
from ..builds.manifest import BuildError
from .site_names import site_name


def say_holds(among: Collection[str] = ()) -> str:
    """Whether the installation is on hold, else which of these sites (default: all) are: at which release, since when,
    by whom, and how that ends. Empty if nothing is."""
    live = read_pointer()
    if live is None:
        return ""
    if live.installation.is_held:
        found = live.installation
        where = f"Every site shows release {found.release} {_say(Hold(found.since, found.by))}"
    else:
        said: dict[str, list[str]] = {}
        for site, hold in live.holds.items():
            if not among or site in among:
                said.setdefault(f"at release {live.releases[site]} {_say(hold)}", []).append(site_name(site))
        where = "; ".join(
            f"{', '.join(sites)} {'stays' if len(sites) == 1 else 'stay'} {how}" for how, sites in said.items()
        )
    if not where:
        return ""
    return f"On hold: {where}. What is published meanwhile is kept, and goes live once somebody ends that."


def read_pointer() -> LivePointer | None:
    """What is live; none where the pointer is damaged, which the publisher reports."""
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:
        return None


def _say(hold: Hold) -> str:
    since = parse_datetime(hold.since)
    return f"since {f'{since:%-d %B %Y, %H:%M} UTC' if since else hold.since} (by {hold.by or 'nobody known'})"
