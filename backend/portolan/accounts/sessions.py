"""The studio's sessions: Django's database sessions with a user and two limits.

A session ends two hours after the last request, and at the latest twelve hours after the sign-in.
"""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.http import HttpRequest
from django.utils import timezone

from .clients import network_of
from .models import StudioSession

LONGEST: Final = timedelta(hours=12)
IDLE: Final = timedelta(hours=2)
BEFORE_SIGN_IN: Final = timedelta(minutes=15)
"""Lifetime of a session before the sign-in is complete."""
_NOTED_EVERY: Final = timedelta(minutes=5)
"""Minimum time between two updates of a session's end."""

SIGNED_IN_AT: Final = "signed_in_at"
_NETWORK: Final = "network"


class SessionStore(DatabaseSessions):
    if TYPE_CHECKING:  # what Django's annotations leave out
        _session: dict[str, Any]

        def _get_session_from_db(self) -> StudioSession | None: ...
        def _get_or_create_session_key(self) -> str: ...

    @classmethod
    def get_model_class(cls) -> type[StudioSession]:
        return StudioSession

    def load(self) -> dict[str, Any]:
        row = self._get_session_from_db()
        if row is None:
            return {}
        now = timezone.now()
        until = min(now + IDLE, row.began_at + LONGEST)
        if row.user_id and until - row.expire_date > _NOTED_EVERY:
            StudioSession.objects.filter(pk=row.pk).update(expire_date=until)
        data: dict[str, Any] = self.decode(row.session_data)
        return data

    def create_model_instance(self, data: dict[str, Any]) -> StudioSession:
        began = self._began(data)
        user = data.get(SESSION_KEY)
        now = timezone.now()
        return StudioSession(
            session_key=self._get_or_create_session_key(),
            session_data=self.encode(data),
            expire_date=min(now + IDLE, began + LONGEST) if user else now + BEFORE_SIGN_IN,
            user_id=user,
            began_at=began,
            network=data.get(_NETWORK, ""),
        )

    def get_expiry_age(self, **_: Any) -> int:
        """Return the cookie's lifetime. The row may end earlier."""
        return max(0, int((self._began(self._session) + LONGEST - timezone.now()).total_seconds()))

    def _began(self, data: dict[str, Any]) -> datetime:
        at = data.get(SIGNED_IN_AT)
        return datetime.fromtimestamp(at, UTC) if at else timezone.now()


def connect() -> None:
    user_logged_in.connect(_begin, dispatch_uid="accounts.sessions")


def _begin(sender: Any, request: HttpRequest, **_: Any) -> None:
    """Store time and network of the sign-in. Django has already rotated the session's key."""
    request.session[SIGNED_IN_AT] = timezone.now().timestamp()
    request.session[_NETWORK] = network_of(request)
