"""Describe the content of a preview, for its viewers and the list of links."""

from django.conf import settings
from django.utils.translation import gettext as _

from ...content.scheduling import say_moment_there
from ...domain.previews import Shown
from .overlay import load_entry, load_page, load_set, read_date


def say_shown(shown: Shown, subject: str) -> str:
    match shown:
        case Shown.PAGE:
            page = load_page(subject)
            return (
                _("The draft of “{}”").format(page.draft_title or page.title) if page else _("A page that was deleted")
            )
        case Shown.ENTRY:
            row = load_entry(subject)
            return _("The draft of “{}”").format(row) if row else _("A deleted entry")
        case Shown.CHANGE_SET:
            change_set = load_set(subject)
            return _("The change set “{}”").format(change_set) if change_set else _("A deleted change set")
        case Shown.DATE:
            zone = settings.SITES_REGISTRY.company.time_zone
            at = read_date(subject)
            return (
                _("All sites on {at} (time of {zone})").format(at=say_moment_there(at, zone), zone=zone) if at else ""
            )
        case Shown.RELEASE:
            return _("All sites in release {}").format(subject)
