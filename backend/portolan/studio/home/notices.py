"""What an administrator has to see to: a line each, because nobody else can do anything about them."""

from typing import Final, NamedTuple

from ...consent_records.checks import find_unasking_sites
from ...retention.check import list_doubts

_COMMANDS: Final = {"leads": "portolan leads purge", "consent records": "portolan consent purge"}


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
            "Cookies are granted before anybody has agreed",
            f"{names}: the law of {'these countries' if len(sites) > 1 else 'this country'} wants visitors asked before "
            "cookies for statistics and advertising are set, and the consent profile “spec” does not ask first. It is "
            'put right in the registry, by profile = "strict" (docs/privacy.md).',
        )
    ]


def _say_not_erased() -> list[Notice]:
    """Personal data whose time seems to be over, and which nobody has let go yet."""
    return [
        Notice(
            "Old personal data was not erased",
            f"{check.overdue} {check.subject} are older than they are kept, and did not go by themselves: {check.doubt}. "
            "Look at the server's clock, then run this command, which asks first:",
            _COMMANDS[check.subject],
        )
        for check in list_doubts()
    ]
