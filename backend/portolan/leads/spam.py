"""Rate how much a lead looks like spam, from 0 to 100. A lead with a high score waits in quarantine."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from ..domain.typed_numbers import plain_phone
from ..schemas.lead import LeadForm
from .flags import (
    CAPTCHA_EXPIRED,
    CAPTCHA_LOW_SCORE,
    CAPTCHA_REUSED,
    CAPTCHA_UNANSWERED,
    CAPTCHA_UNREADABLE,
    DEMO,
    FILE_WITH_VIRUS,
    FOREIGN_PAGE,
    HONEYPOT,
    LINK_IN_NAME,
    LINK_MARKUP,
    LINKS,
    MUST_BE_SEEN,
    NO_CAPTCHA,
    ODD_PHONE,
    OVER_LIMIT,
    TOO_QUICK,
    UNCHECKED_FILE,
)

MOST: Final = 100
QUICKEST_S: Final = 2
MOST_LINKS: Final = 2

WEIGHTS: Final[Mapping[str, int]] = {
    HONEYPOT: 60,
    LINK_IN_NAME: 40,
    LINK_MARKUP: 35,
    TOO_QUICK: 35,
    CAPTCHA_LOW_SCORE: 35,
    CAPTCHA_REUSED: 35,
    OVER_LIMIT: 30,
    LINKS: 25,
    FOREIGN_PAGE: 20,
    CAPTCHA_UNREADABLE: 20,
    NO_CAPTCHA: 15,  # browsers without scripts have none either
    CAPTCHA_EXPIRED: 5,
    CAPTCHA_UNANSWERED: 0,  # the provider's fault
    FILE_WITH_VIRUS: 0,  # not spam, but always in quarantine
    UNCHECKED_FILE: 0,
    ODD_PHONE: 0,  # people write "call me after six"
    DEMO: 0,
}
"""Weight of each flag. Only the honeypot is enough alone. Flags in ``MUST_BE_SEEN`` need no weight."""

_LINK: Final = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<a\s|\[url|\[link", re.IGNORECASE)


def score(flags: Collection[str]) -> int:
    return min(sum(WEIGHTS.get(flag, 0) for flag in set(flags)), MOST)


def must_wait(flags: Collection[str], threshold: int) -> bool:
    """Return whether a lead waits in quarantine until a person has checked it."""
    return score(flags) >= threshold or not MUST_BE_SEEN.isdisjoint(flags)


def find_signs(form: LeadForm) -> Iterator[str]:
    """Yield flags about the form's content."""
    message = form.message or ""
    if form.website.strip():
        yield HONEYPOT
    if form.seconds_open is not None and form.seconds_open < QUICKEST_S:
        yield TOO_QUICK
    if len(_LINK.findall(message)) > MOST_LINKS:
        yield LINKS
    if _MARKUP.search(message):
        yield LINK_MARKUP
    if any(_LINK.search(value or "") for value in _names(form)):
        yield LINK_IN_NAME
    if form.contact.phone and plain_phone(form.contact.phone) is None:
        yield ODD_PHONE


def _names(form: LeadForm) -> tuple[str | None, ...]:
    return form.contact.name, form.contact.company, form.contact.phone
