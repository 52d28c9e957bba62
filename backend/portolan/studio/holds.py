"""Tells editors which sites are on hold, because their changes do not appear there."""

from collections.abc import Collection

from django.conf import settings
from django.utils.dateparse import parse_datetime

from ..builds.live import read_live
from ..builds.manifest import BuildError
from .site_names import site_name


def say_holds(among: Collection[str] = ()) -> str:
    """Which of these sites (default: all) are on hold, since when, by whom, and how to resume them; empty if none
    is."""
    try:
        live = read_live(settings.BUILDS_DIR)
    except BuildError:  # the publisher reports it
        return ""
    said: dict[str, list[str]] = {}
    for site, hold in live.holds.items():
        if among and site not in among:
            continue
        since = parse_datetime(hold.since)
        moment = f"{since:%-d %B %Y, %H:%M} UTC" if since else hold.since
        said.setdefault(f"at release {live.releases[site]} since {moment} (by {hold.by})", []).append(site_name(site))
    if not said:
        return ""
    known = settings.SITES_REGISTRY.sites
    where = "; ".join(
        f"{'Every site' if len(sites) == len(known) else ', '.join(sites)} stays {how}" for how, sites in said.items()
    )
    return f"On hold: {where}. What is published goes live there once whoever runs the studio ends that (“portolan resume”)."
