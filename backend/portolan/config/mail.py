"""Configure e-mail that Wagtail sends about comments to subscribers.

It is sent while the editor waits, so a slow mail server costs a few seconds and no save. Important e-mail is sent by
``studio.changes.mail``.
"""

from typing import Any, Final

from django.core.mail.backends.smtp import EmailBackend

from ..domain.mail_server import MailServer

_PATIENCE_S: Final = 5
_NONE: Final = "django.core.mail.backends.dummy.EmailBackend"


class QuietBackend(EmailBackend):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "fail_silently": True})


def describe_mail(server: MailServer | None, sender: str | None) -> dict[str, Any]:
    """Return Django's mail settings; e-mail is off if server or sender is missing."""
    if server is None or not sender:
        return {"EMAIL_BACKEND": _NONE}
    return {
        "EMAIL_BACKEND": f"{__name__}.QuietBackend",
        "EMAIL_HOST": server.host,
        "EMAIL_PORT": server.port,
        "EMAIL_HOST_USER": server.user,
        "EMAIL_HOST_PASSWORD": server.password,
        "EMAIL_USE_SSL": server.is_tls,
        "EMAIL_USE_TLS": not server.is_tls and bool(server.user),  # a password is never sent unencrypted
        "EMAIL_TIMEOUT": _PATIENCE_S,
        "DEFAULT_FROM_EMAIL": sender,
    }
