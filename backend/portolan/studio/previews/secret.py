"""Create and check the secrets in preview host names, which give access to a preview."""

import secrets
from base64 import b32encode
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.utils import timezone
from django.utils.crypto import salted_hmac

from ...domain.previews import SECRET_LENGTH, Shown
from ...retention.guard import Rule, remove_overdue
from .models import Preview

OWN_LIFETIME: Final = timedelta(hours=12)
"""Lifetime of a preview in the studio, no longer than a session."""
_RENEWED_BEFORE: Final = timedelta(hours=4)
_KEPT_AFTER: Final = timedelta(days=90)
_SALT: Final = "portolan.studio.previews"


def make_link(shown: Shown, subject: str, site: str, path: str, note: str, days: int, by: Any) -> tuple[Preview, str]:
    """Create a link for people without an account. Return it with its secret, which cannot be read later."""
    _forget_old()
    secret = _spell(secrets.token_bytes(17))
    row = _make(secret, shown, subject, site, path, by, timezone.now() + timedelta(days=days), is_link=True, note=note)
    return row, secret


def own_secret(shown: Shown, subject: str, by: Any) -> str:
    """Return the secret of a user's own preview. It stays the same for some hours, so that browsers use their cache."""
    now = timezone.now()
    known = Preview.objects.filter(shown=shown, subject=subject, made_by=by, is_link=False, revoked_at=None)
    if row := known.filter(ends_at__gt=now + _RENEWED_BEFORE).order_by("-pk").first():
        return _own(row.shown, row.subject, by.pk, row.ends_at)
    _forget_old()
    ends_at = (now + OWN_LIFETIME).replace(microsecond=0)
    secret = _own(shown, subject, by.pk, ends_at)
    _make(secret, shown, subject, "", "/", by, ends_at, is_link=False, note="")
    return secret


def find_preview(secret: str) -> Preview | None:
    """Return the preview of a secret, open or not. A preview in the studio ends when its user is deactivated."""
    row = Preview.objects.filter(secret=_hash(secret)).select_related("made_by").first()
    if row and not row.is_link and not (row.made_by and row.made_by.is_active):
        return None
    return row


def _make(
    secret: str, shown: Shown, subject: str, site: str, path: str, by: Any, ends_at: datetime, is_link: bool, note: str
) -> Preview:
    row, _ = Preview.objects.get_or_create(
        secret=_hash(secret),
        defaults={
            "shown": shown.value,
            "subject": subject,
            "site": site,
            "path": path,
            "note": note,
            "is_link": is_link,
            "made_by": by,
            "ends_at": ends_at,
        },
    )
    return row


def _own(shown: str, subject: str, user: int, ends_at: datetime) -> str:
    """Derive the secret from the studio's key, so that it need not be stored."""
    said = f"{shown} {subject} {user} {ends_at.isoformat()}"
    return _spell(salted_hmac(_SALT, said, algorithm="sha256").digest())


def _spell(data: bytes) -> str:
    return b32encode(data).decode().lower()[:SECRET_LENGTH]


def _hash(secret: str) -> str:
    """Hash the secret. A fast hash is safe, because the secret has 130 random bits."""
    return sha256(secret.encode()).hexdigest()


def _forget_old() -> None:
    now = timezone.now()
    Preview.objects.filter(is_link=False, ends_at__lt=now).delete()
    remove_overdue(old_links(now), now)


def old_links(now: datetime) -> Rule:
    """Return the rule for links that expired long ago, with their comments."""
    links = Preview.objects.filter(is_link=True)
    old = links.filter(ends_at__lt=now - _KEPT_AFTER)

    def remove() -> int:
        count = old.count()
        old.delete()
        return count

    return Rule("preview links", old.count, links.count, remove)
