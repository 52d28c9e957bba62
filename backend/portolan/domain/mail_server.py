"""Read a mail server from its URL."""

from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

_USUAL_PORTS: Final = {"smtp": 25, "smtps": 465}


class MailServer(NamedTuple):
    host: str
    port: int
    is_tls: bool
    """True for TLS from the first byte; else STARTTLS if the server supports it."""
    user: str
    password: str

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


def read_mail_server(url: str) -> MailServer:
    """Read a mail server's URL. Raise ValueError, without showing the password.

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
