"""HubSpot, by its forms API v3 (``/submissions/v3/integration/secure/submit``): a lead is a submission of a form.

HubSpot cannot detect repeats. If its reply is lost, the contact has the submission twice.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from ...outgoing.network import FetchError
from ...outgoing.post import Answer, Poster
from ...sites.destinations import Hubspot
from .base import SEND_S, Payload, Permanent, Retryable, read_retry_after
from .wording import find_value

API: Final = "https://api.hsforms.com/submissions/v3/integration/secure/submit"
_BACKDATED_AT_MOST: Final = timedelta(days=27)
"""HubSpot rejects submissions that are older than a month."""
_CONTACT: Final = "0-1"
_LONGEST_VALUE: Final = 10_000
_TO_BE_FIXED: Final = {
    401: "the access token is not accepted",
    403: "the access token lacks the scope `forms`",
    404: "the account has no such form",
}


class HubspotDestination:
    def __init__(self, rules: Hubspot, token: str, poster: Poster, send_s: float = SEND_S) -> None:
        self.name = rules.name
        self._rules = rules
        self._token = token
        self._poster = poster
        self._send_s = send_s

    def send(self, payload: Payload, now: datetime) -> str:
        body = json.dumps(self._build(payload, now), ensure_ascii=False).encode("utf-8", "replace")
        headers = {"content-type": "application/json", "authorization": f"Bearer {self._token}"}
        url = f"{API}/{self._rules.portal}/{self._rules.form}"
        try:
            answer = self._poster.post(url, body, headers, self._send_s)
        except FetchError as error:
            raise Retryable(str(error)) from None
        if answer.status == 200:
            return "returned 200"
        if answer.status in _TO_BE_FIXED:
            raise Retryable(f"HubSpot returned {answer.status}: {_TO_BE_FIXED[answer.status]}.")
        if answer.status == 400:
            raise Permanent(f"HubSpot rejected it (400): {', '.join(_error_types(answer)) or 'no reason given'}.")
        raise Retryable(f"HubSpot returned {answer.status}.", read_retry_after(answer.headers.get("retry-after"), now))

    def _build(self, payload: Payload, now: datetime) -> dict[str, Any]:
        values = {name: find_value(payload, path)[:_LONGEST_VALUE] for name, path in self._rules.fields.items()}
        built: dict[str, Any] = {
            "fields": [
                {"objectTypeId": _CONTACT, "name": name, "value": value} for name, value in values.items() if value
            ],
            "context": {"pageUri": find_value(payload, "pageUrl")},
        }
        if now - payload.created_at < _BACKDATED_AT_MOST:
            built["submittedAt"] = str(int(payload.created_at.timestamp() * 1000))
        if self._rules.consent_text and payload.fields.get("privacyAccepted"):
            built["legalConsentOptions"] = {
                "consent": {"consentToProcess": True, "text": self._rules.consent_text, "communications": []}
            }
        return built


def _error_types(answer: Answer) -> list[str]:
    """Return only the error codes, because the messages repeat the lead."""
    try:
        errors = json.loads(answer.body)["errors"]
        types = [error["errorType"] for error in errors if isinstance(error, Mapping)]
    except (ValueError, KeyError, TypeError):
        return []
    known = [kind for kind in types if isinstance(kind, str) and kind.replace("_", "").isupper() and len(kind) <= 60]
    return list(dict.fromkeys(known))
