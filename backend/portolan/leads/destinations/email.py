"""E-mail: send one message per lead. Values of leads are checked before they go into headers."""

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from email_validator import EmailSyntaxError, validate_email

from ...domain.mail_server import MailServer
from ...domain.moments import stamp
from ...observing.work_pulse import waiting
from .base import SEND_S, Payload, Permanent, Retryable
from .wording import QUOTED, find_value, list_lines, one_line

LARGEST_FILES: Final = 10 << 20
"""Total bytes of attached files. Above it, files are only listed."""
_LONGEST_SUBJECT: Final = 150


class Mailer:
    """Sends messages through one server. Raises Retryable or Permanent."""

    def __init__(self, server: MailServer | None, sender: str | None, timeout_s: float = SEND_S) -> None:
        self.sender = sender or ""
        self._server = server
        self._timeout_s = timeout_s

    def send(self, message: EmailMessage, to: Sequence[str]) -> str:
        with self._signed_in() as connection:
            refused = connection.send_message(message, self.sender, list(to))
        return f"accepted, except for {len(refused)} of {len(to)} receivers" if refused else "accepted"

    def try_server(self) -> None:
        """Sign in without sending a message."""
        with self._signed_in() as connection:
            connection.noop()

    @contextmanager
    def _signed_in(self) -> Iterator[smtplib.SMTP]:
        if self._server is None:
            raise Retryable("PORTOLAN_SMTP_URL is not set.")
        try:
            with waiting(), self._connect(self._server) as connection:
                yield connection
        except smtplib.SMTPRecipientsRefused as error:
            raise _because([code for code, _ in error.recipients.values()]) from None
        except smtplib.SMTPAuthenticationError as error:
            raise Retryable(f"The mail server does not accept the password ({error.smtp_code}).") from None
        except smtplib.SMTPResponseException as error:
            raise _because([error.smtp_code]) from None
        except smtplib.SMTPNotSupportedError:
            raise Retryable("The mail server supports no encryption, or no password.") from None
        except (smtplib.SMTPException, OSError) as error:
            raise Retryable(f"The mail server cannot be reached ({type(error).__name__}).") from None

    @contextmanager
    def _connect(self, server: MailServer) -> Iterator[smtplib.SMTP]:
        tls = ssl.create_default_context()
        connection = (
            smtplib.SMTP_SSL(server.host, server.port, timeout=self._timeout_s, context=tls)
            if server.is_tls
            else smtplib.SMTP(server.host, server.port, timeout=self._timeout_s)
        )
        with connection:
            connection.ehlo()
            # Passwords are always sent encrypted: without STARTTLS this raises.
            if not server.is_tls and (server.user or connection.has_extn("starttls")):
                connection.starttls(context=tls)
            if server.user:
                connection.login(server.user, server.password)
            yield connection


class EmailDestination:
    def __init__(self, name: str, to: Sequence[str], mailer: Mailer) -> None:
        self.name = name
        self._to = to
        self._mailer = mailer

    def send(self, payload: Payload, now: datetime) -> str:
        return self._mailer.send(self._build(payload), self._to)

    def _build(self, payload: Payload) -> EmailMessage:
        message = EmailMessage()
        who = find_value(payload, "contact.company") or find_value(payload, "contact.name")
        message["Subject"] = one_line(f"Enquiry ({payload.site}, {payload.form}) from {who}")[:_LONGEST_SUBJECT]
        message["From"] = self._mailer.sender
        message["To"] = ", ".join(self._to)
        reply_to = _answerable(find_value(payload, "contact.email"))
        if reply_to:
            message["Reply-To"] = reply_to
        message["Date"] = format_datetime(payload.created_at)
        # The same for each try, so that mail programs show a repeated message once.
        message["Message-ID"] = f"<lead-{payload.id}.{self.name}@{self._mailer.sender.partition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        attached = sum(file.size for file in payload.files) <= LARGEST_FILES
        message.set_content(_body(payload, attached))
        for file in payload.files if attached else ():
            data = file.path.read_bytes()
            message.add_attachment(data, maintype="application", subtype="octet-stream", filename=one_line(file.name))
        return message


def _body(payload: Payload, attached: bool) -> str:
    """Return the text of the mail: our lines first, then the visitor's lines, each with a mark."""
    lines = [
        f"Enquiry from site {payload.site}, form {payload.form}",
        f"Lead {payload.id}, {stamp(payload.created_at)}",
        f"Spam score: {payload.spam_score} of 100",
    ]
    if payload.flags:
        lines.append(f"Warnings: {', '.join(payload.flags)}")
    if count := len(payload.files):
        where = "attached" if attached else "in the inbox, too large to attach"
        lines.append(f"{count} file{'s' if count > 1 else ''}: {where}")
    lines += [
        "",
        f'Only the lines that begin with "{QUOTED}" are from the visitor:',
        "",
        *list_lines(payload),
    ]
    return "\n".join(lines) + "\n"


def _answerable(address: str) -> str | None:
    """Return the address in ASCII, or ``None`` if it is invalid or mail programs could not reply to it."""
    try:
        return validate_email(address, check_deliverability=False).ascii_email
    except EmailSyntaxError:
        return None


def _because(codes: Sequence[int]) -> Retryable | Permanent:
    """Return the error; codes 4xx are retryable. The server's message may contain addresses, so it is left out."""
    said = ", ".join(str(code) for code in sorted(set(codes)))
    if all(500 <= code < 600 for code in codes):
        return Permanent(f"The mail server rejected it ({said}).")
    return Retryable(f"The mail server asked to try again ({said}).")
