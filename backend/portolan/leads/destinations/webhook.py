"""Webhook: send signed messages by https (Standard Webhooks 1.0)."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from ...outgoing.network import FetchError
from ...outgoing.post import Answer, Poster
from .base import SEND_S, Closed, Payload, Retryable, read_retry_after
from .wording import describe_payload

_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = range(24, 65)


def read_secrets(text: str) -> list[bytes]:
    """Return the secrets of ``whsec_…``, or of several with spaces. Raise ValueError without showing a secret."""
    secrets = []
    for part in text.split():
        try:
            secret = base64.b64decode(part.removeprefix(_PREFIX), validate=True)
        except binascii.Error:
            secret = b""
        if not part.startswith(_PREFIX) or len(secret) not in _SECRET_BYTES:
            raise ValueError(f"write {_PREFIX} and 24 to 64 random bytes in Base64")
        secrets.append(secret)
    if not secrets:
        raise ValueError("is empty")
    return secrets


def sign(secrets: Sequence[bytes], id: str, timestamp: int, body: bytes) -> str:
    """Return ``webhook-signature``: a signature for each secret, so that receivers can change theirs at any time."""
    signed = b"%s.%d.%s" % (id.encode(), timestamp, body)
    digests = (hmac.digest(secret, signed, hashlib.sha256) for secret in secrets)
    return " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)


def post_signed(
    poster: Poster,
    url: str,
    secrets: Sequence[bytes],
    id: str,
    kind: str,
    data: Mapping[str, Any],
    now: datetime,
    send_s: float = SEND_S,
) -> Answer:
    """Send one message. Raise FetchError."""
    timestamp = int(now.timestamp())
    message = {"type": kind, "timestamp": now.isoformat(), "data": data}
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(secrets, id, timestamp, body),
    }
    return poster.post(url, body, headers, send_s)


class WebhookDestination:
    def __init__(self, name: str, url: str, secrets: Sequence[bytes], poster: Poster, send_s: float = SEND_S) -> None:
        self.name = name
        self._url = url
        self._secrets = secrets
        self._poster = poster
        self._send_s = send_s

    def send(self, payload: Payload, now: datetime) -> str:
        id = f"lead_{payload.id}"  # the same for each try, so that receivers recognise repeats
        data = describe_payload(payload)
        try:
            answer = post_signed(self._poster, self._url, self._secrets, id, "lead.received", data, now, self._send_s)
        except FetchError as error:
            raise Retryable(str(error)) from None
        if 200 <= answer.status < 300:
            return f"returned {answer.status}"
        if answer.status == 410:
            raise Closed("The receiver accepts no leads (410). To send leads to it again, run `portolan leads reopen`.")
        if 300 <= answer.status < 400:
            raise Retryable(f"The receiver redirects ({answer.status}), which is not followed. Correct its URL.")
        raise Retryable(
            f"The receiver returned {answer.status}.", read_retry_after(answer.headers.get("retry-after"), now)
        )
