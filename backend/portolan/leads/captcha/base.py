"""Interface of captcha providers, and their verdict on a token."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from ..records import UsedSolution
from ..refusals import CAPTCHA_REFUSED, LeadRefused, refuse

ACTION: Final = "submit"
VERIFY_S: Final = 3
"""Seconds for a provider, because a visitor waits."""
_FIELD: Final = "captchaToken"


class Verdict(NamedTuple):
    is_verified: bool
    flags: Sequence[str] = ()
    solution: UsedSolution | None = None
    """The used solution, stored with the lead so that it cannot be used again."""


class CaptchaProvider(Protocol):
    def verify(self, token: str, site: str, now: datetime) -> Verdict:
        """Return the verdict on ``token``, which is not ``no-token``.

        Raise LeadRefused for proven abuse: a forged token, or one for another action or site.
        """
        ...


class NoCaptcha:
    def verify(self, token: str, site: str, now: datetime) -> Verdict:
        return Verdict(is_verified=False)


def forged(message: str) -> LeadRefused:
    return refuse(CAPTCHA_REFUSED, _FIELD, message)
