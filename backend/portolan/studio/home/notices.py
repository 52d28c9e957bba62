"""Notices for administrators on the dashboard."""

from typing import NamedTuple

from django.utils.translation import gettext

from ...consent_records.checks import find_unasking_sites
from ...retention.guard import command_for, list_failed_checks


class Notice(NamedTuple):
    title: str
    text: str
    command: str = ""
    """The command to run; empty if there is none."""


def list_notices() -> list[Notice]:
    return [*_list_sites_without_consent(), *_list_failed_safety_checks()]


def _list_sites_without_consent() -> list[Notice]:
    """Return a notice about sites that do not ask for consent although the law requires it."""
    sites = find_unasking_sites()
    if not sites:
        return []
    names = ", ".join(f"{site.name} ({site.key})" for site in sites)
    return [
        Notice(
            gettext("Cookies are set without consent"),
            gettext(
                "{names}: the law there requires consent before cookies for statistics and advertising are set. The consent "
                "profile “spec” sets them before visitors choose. In the site configuration (sites.toml), set "
                'profile = "strict" (docs/privacy.md).'
            ).format(names=names),
        )
    ]


def _list_failed_safety_checks() -> list[Notice]:
    """Return notices about old data whose removal needs a person's confirmation."""
    return [
        Notice(
            gettext("Old data was not removed"),
            gettext(
                "The retention period of {overdue} {subject} is over, but they were not removed: {doubt}. "
                "Check the server's clock, then run this command. It asks before it removes data:"
            ).format(overdue=check.overdue, subject=check.subject, doubt=check.doubt),
            command_for(check.subject),
        )
        for check in list_failed_checks()
    ]
