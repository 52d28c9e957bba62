"""Tell editors which sites are pinned, because changes do not appear there."""

from collections.abc import Collection

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext

from ..builds.live import LivePointer, Pin, read_live
from ..builds.manifest import BuildError
from .moments import say_moment
from .site_names import site_name


def say_pins(among: Collection[str] = (), zone: str | None = None) -> str:
    """Describe pinned sites (default: all); empty if there are none.

    ``zone``: the time zone, if it is not the active one. A page's screens use the site's zone, but the next screen
    shows the message in the editor's.
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
    return gettext("Pinned: {where}. New changes are stored and go live when publishing is resumed.").format(
        where=where
    )


def read_pointer() -> LivePointer | None:
    """Return the live pointer, or ``None`` if it is damaged. The publisher reports that."""
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:
        return None


def _say(pin: Pin, zone: str | None) -> str:
    since = parse_datetime(pin.since)
    return gettext("since {time} (by {person})").format(
        time=say_moment(since, zone=zone) if since else pin.since, person=pin.by or gettext("unknown")
    )
