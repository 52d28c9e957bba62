"""What an administrator has to see to: a line each, because nobody else can do anything about them."""

from typing import NamedTuple

from django.utils.translation import gettext

from ...consent_records.checks import find_unasking_sites
from ...retention.guard import command_for, list_failed_checks


class Notice(NamedTuple):
    title: str
    text: str
    command: str = ""
    """What to run; empty where it is no command that helps."""


def list_notices() -> list[Notice]:
    return [*_say_unasked(), *_say_not_erased()]


def _say_unasked() -> list[Notice]:
    """Sites that do not ask their visitors for consent although the law requires it."""
    sites = find_unasking_sites()
    if not sites:
        return []
    names = ", ".join(f"{site.name} ({site.key})" for site in sites)
    return [
        Notice(
            gettext("Cookies are granted before anybody has agreed"),
            gettext(
                "{names}: the law there wants visitors asked before "
                "cookies for statistics and advertising are set, and the consent profile “spec” does not ask first. It is "
                'put right in the registry, by profile = "strict" (docs/privacy.md).'
            ).format(names=names),
        )
    ]


def _say_not_erased() -> list[Notice]:
    """Return notices about data whose retention time seems to be over, and which waits for a person's confirmation."""
    return [
        Notice(
            gettext("Old data was not removed"),
            gettext(
                "{overdue} {subject} are older than they are kept, and were not removed: {doubt}. "
                "Check the server's clock, then run this command, which asks first:"
            ).format(overdue=check.overdue, subject=check.subject, doubt=check.doubt),
            command_for(check.subject),
        )
        for check in list_failed_checks()
    ]
