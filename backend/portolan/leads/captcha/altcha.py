"""ALTCHA: a proof of work in the visitor's browser. It uses only our server, and no storage of the browser."""

import base64
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import altcha
import orjson

from ..flags import CAPTCHA_EXPIRED, CAPTCHA_UNREADABLE
from ..records import UsedSolution
from .base import ACTION, Verdict, forged

VALID_FOR: Final = timedelta(minutes=10)
LONGEST_TOKEN: Final = 4000

_ALGORITHM: Final = "PBKDF2/SHA-256"
_COST: Final = 5000
"""Iterations per guess. A browser needs 256 guesses on average, the check needs one."""


class Altcha:
    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def make_challenge(self, site: str, now: datetime) -> dict[str, Any]:
        """Return a challenge for a form of that site, to be solved once within ten minutes."""
        challenge = altcha.create_challenge(
            _ALGORITHM,
            _COST,
            expires_at=now + VALID_FOR,
            data={"action": ACTION, "site": site},
            hmac_secret=self._secret,
        )
        made: dict[str, Any] = challenge.to_dict()
        return made

    def verify(self, token: str, site: str, now: datetime) -> Verdict:
        payload = _read(token)
        if payload is None:
            return Verdict(is_verified=False, flags=[CAPTCHA_UNREADABLE])
        parameters = payload.challenge.parameters
        expires_at = _read_expiry(parameters)
        if expires_at is None:
            raise forged("is not a solution of our challenge")
        if expires_at < now:
            return Verdict(is_verified=False, flags=[CAPTCHA_EXPIRED])
        result = altcha.verify_solution(payload, self._secret)
        if not result.verified and not result.expired:
            raise forged("is not a solution of our challenge")
        if result.expired:
            return Verdict(is_verified=False, flags=[CAPTCHA_EXPIRED])
        if parameters.data != {"action": ACTION, "site": site}:
            raise forged("was made for another form or site")
        return Verdict(is_verified=True, solution=UsedSolution(f"altcha:{parameters.nonce}", expires_at))


def _read(token: str) -> altcha.Payload | None:
    if len(token) > LONGEST_TOKEN:
        return None
    try:
        values = orjson.loads(base64.b64decode(token, validate=True))
        if not isinstance(values, Mapping):
            return None
        return altcha.Payload.from_dict(dict(values))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _read_expiry(parameters: altcha.ChallengeParameters) -> datetime | None:
    expires_at: object = parameters.expires_at
    if type(expires_at) is not int:
        return None
    try:
        return datetime.fromtimestamp(expires_at, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
