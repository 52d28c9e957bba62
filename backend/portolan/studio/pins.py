"""Tells editors what is pinned, because their changes do not appear there."""

from collections.abc import Collection

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext

from ..builds.live import LivePointer, Pin, read_live
from ..builds.manifest import BuildError
from .moments import say_moment
from .site_names import site_name


def say_pins(among: Collection[str] = (), zone: str | None = None) -> str:
    """Return a sentence about the installation's hold, or about those of these sites (default: all). Empty if there is none.

    ``zone``: whose time it names, if that is not the active one. On a page's screens the active zone is the site's, and the
    next screen, which shows the sentence, says the same in the editor's.
    """
    live = read_pointer()
    if live is None:
        return ""
    if live.installation.is_pinned:
        found = live.installation
        where = gettext("Every site shows release {release} {since}").format(
            release=found.release, since=_say(Pin(found.since, found.by), zone)
        )
    else:
        said: dict[str, list[str]] = {}
        for site, pin in live.pins.items():
            if not among or site in among:
                said.setdefault(
                    gettext("at release {release} {since}").format(release=live.releases[site], since=_say(pin, zone)),
                    [],
                ).append(site_name(site))
        where = "; ".join(
            ngettext("{sites} stays {how}", "{sites} stay {how}", len(sites)).format(sites=", ".join(sites), how=how)
            for how, sites in said.items()
        )
    if not where:
        return ""
    return gettext(
        "Pinned: {where}. What is published meanwhile is kept, and goes live once somebody ends that."
    ).format(where=where)


def read_pointer() -> LivePointer | None:
    """What is live; none where the pointer is damaged, which the publisher reports."""
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:
        return None


def _say(pin: Pin, zone: str | None) -> str:
    since = parse_datetime(pin.since)
    return gettext("since {time} (by {person})").format(
        time=say_moment(since, zone=zone) if since else pin.since, person=pin.by or gettext("nobody known")
    )
