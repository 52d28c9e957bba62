"""Tells editors what is on hold, because their changes do not appear there."""

from collections.abc import Collection

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext

from ..builds.live import Hold, LivePointer, read_live
from ..builds.manifest import BuildError
from .moments import say_moment
from .site_names import site_name


def say_holds(among: Collection[str] = (), zone: str | None = None) -> str:
    """Return a sentence about the installation's hold, or about those of these sites (default: all). Empty if there is none.

    ``zone``: whose time it names, if that is not the active one. On a page's screens the active zone is the site's, and the
    next screen, which shows the sentence, says the same in the editor's.
    """
    live = read_pointer()
    if live is None:
        return ""
    if live.installation.is_held:
        found = live.installation
        where = gettext("Every site shows release {release} {since}").format(
            release=found.release, since=_say(Hold(found.since, found.by), zone)
        )
    else:
        said: dict[str, list[str]] = {}
        for site, hold in live.holds.items():
            if not among or site in among:
                said.setdefault(
                    gettext("at release {release} {since}").format(release=live.releases[site], since=_say(hold, zone)),
                    [],
                ).append(site_name(site))
        where = "; ".join(
            ngettext("{sites} stays {how}", "{sites} stay {how}", len(sites)).format(sites=", ".join(sites), how=how)
            for how, sites in said.items()
        )
    if not where:
        return ""
    return gettext("Pinned: {where}. New changes are stored and go live when publishing is resumed.").format(
        where=where
    )


def read_pointer() -> LivePointer | None:
    """What is live; none where the pointer is damaged, which the publisher reports."""
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:
        return None


def _say(hold: Hold, zone: str | None) -> str:
    since = parse_datetime(hold.since)
    return gettext("since {time} (by {person})").format(
        time=say_moment(since, zone=zone) if since else hold.since, person=hold.by or gettext("unknown")
    )
