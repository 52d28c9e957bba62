"""A mail server by its address."""

from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

_USUAL_PORTS: Final = {"smtp": 25, "smtps": 465}


class MailServer(NamedTuple):
    host: str
    port: int
    is_tls: bool
    """From the first byte; else STARTTLS, where the server has it."""
    user: str
    password: str

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


def read_mail_server(url: str) -> MailServer:
    """Raises ValueError, and never shows the password.

    >>> read_mail_server("smtp://mail.example:587")
    MailServer(mail.example:587)
    """
    parts = urlsplit(url)
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise ValueError("write smtp://user:password@host:port or smtps://…")
    return MailServer(
        parts.hostname,
        parts.port or _USUAL_PORTS[parts.scheme],
        parts.scheme == "smtps",
        unquote(parts.username or ""),
        unquote(parts.password or ""),
    )
