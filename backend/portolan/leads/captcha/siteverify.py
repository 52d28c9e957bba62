"""reCAPTCHA v3 and Turnstile: verify a token at their servers, by the same protocol."""

import hashlib
import logging
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import orjson

from ...outgoing.network import FetchError
from ...outgoing.post import Poster
from ..flags import CAPTCHA_EXPIRED, CAPTCHA_LOW_SCORE, CAPTCHA_UNANSWERED
from ..records import UsedSolution
from .base import ACTION, VERIFY_S, Verdict, forged

RECAPTCHA: Final = "https://www.google.com/recaptcha/api/siteverify"
TURNSTILE: Final = "https://challenges.cloudflare.com/turnstile/v0/siteverify"

_REMEMBERED_FOR: Final = timedelta(minutes=10)
"""Longer than any token is valid."""
_OURS: Final = frozenset({"missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"})
_LATE: Final = "timeout-or-duplicate"

_log = logging.getLogger(__name__)


class SiteVerify:
    def __init__(
        self,
        url: str,
        secret: str,
        hosts: Mapping[str, Collection[str]],
        lowest_score: float = 0,
        poster: Poster | None = None,
        verify_s: float = VERIFY_S,
    ) -> None:
        """``hosts``: host names of each site. The last two arguments are for tests."""
        self._url = url
        self._secret = secret
        self._hosts = hosts
        self._lowest_score = lowest_score
        self._poster = poster or Poster()
        self._verify_s = verify_s

    def verify(self, token: str, site: str, now: datetime) -> Verdict:
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        answer = self._ask(token, digest)
        if answer is None:
            return Verdict(is_verified=False, flags=[CAPTCHA_UNANSWERED])
        if answer.get("success") is not True:
            codes = set(map(str, answer.get("error-codes") or ()))
            if not codes or codes & _OURS:
                _log.error("The captcha provider rejected our request (%s).", ", ".join(sorted(codes)) or "?")
                return Verdict(is_verified=False, flags=[CAPTCHA_UNANSWERED])
            if _LATE in codes:  # too late or used before: only our own table can tell
                return Verdict(is_verified=False, flags=[CAPTCHA_EXPIRED])
            raise forged("is not a valid captcha token")
        # Turnstile omits the action if its widget has none.
        if answer.get("action", ACTION) != ACTION:
            raise forged("was made for another action")
        if answer.get("hostname") not in self._hosts.get(site, ()):
            raise forged("was made for another site")
        score = answer.get("score")
        is_low = isinstance(score, int | float) and score < self._lowest_score
        solution = UsedSolution(f"token:{digest.hex()}", now + _REMEMBERED_FOR)
        return Verdict(not is_low, [CAPTCHA_LOW_SCORE] if is_low else [], solution)

    def _ask(self, token: str, digest: bytes) -> dict[str, Any] | None:
        question = {"secret": self._secret, "response": token}
        if self._url == TURNSTILE:
            question["idempotency_key"] = str(UUID(bytes=digest[:16], version=4))  # a request may be repeated
        body = urlencode(question, errors="replace").encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        try:
            answer = self._poster.post(self._url, body, headers, self._verify_s)
        except FetchError as error:
            _log.warning("A captcha was not verified: %s", error)
            return None
        if answer.status >= 500 or answer.status in (408, 429):
            _log.warning("A captcha was not verified: its provider returned %s", answer.status)
            return None
        try:
            values = orjson.loads(answer.body)
        except ValueError:
            return None
        return values if isinstance(values, dict) else None
