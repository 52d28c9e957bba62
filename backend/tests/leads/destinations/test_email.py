"""E-mail through a server in the test: the messages, and the meaning of each reply."""

import email
import re
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from portolan.domain.mail_server import MailServer, read_mail_server
from portolan.leads.destinations.base import PayloadFile, Permanent, Retryable
from portolan.leads.destinations.email import LARGEST_FILES, EmailDestination, Mailer

from ...processes import LIMIT_S
from ..making import CANARY, FIELDS, START, make_payload

SENDER = "website@brightmoor.example"
TO = ["sales@brightmoor.example", "board@brightmoor.example"]


class MailHost:
    """Give the replies that a test wants to each recipient and message."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.envelopes: list[tuple[str, list[str]]] = []
        self.to_receivers: dict[str, str] = {}
        self.to_messages = "250 OK"
        self.port = 0

    async def handle_RCPT(self, _s: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:
        said = self.to_receivers.get(address, "250 OK")
        if said.startswith("250"):
            envelope.rcpt_tos.append(address)
        return said

    async def handle_DATA(self, _s: Any, _session: Any, envelope: Any) -> str:
        if self.to_messages.startswith("250"):
            self.messages.append(email.message_from_bytes(envelope.content, policy=default))
            self.envelopes.append((envelope.mail_from, envelope.rcpt_tos))
        return self.to_messages


class _OnLoopback(Controller):
    def factory(self) -> SMTP:
        return SMTP(self.handler, hostname="mail.test")


@pytest.fixture
def host() -> Iterator[MailHost]:
    handler = MailHost()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        handler.port = probe.getsockname()[1]
    controller = _OnLoopback(handler, hostname="127.0.0.1", port=handler.port)
    controller.start()
    try:
        yield handler
    finally:
        controller.stop()


def mailbox(port: int, timeout_s: float = LIMIT_S) -> EmailDestination:
    return EmailDestination("sales", TO, Mailer(MailServer("127.0.0.1", port, False, "", ""), SENDER, timeout_s))


def test_people_read_every_field_and_can_answer(host: MailHost) -> None:
    assert mailbox(host.port).send(make_payload(), START) == "accepted"
    (message,) = host.messages
    assert host.envelopes == [(SENDER, TO)]
    assert message["From"] == SENDER
    assert message["Reply-To"] == f"{CANARY}@northwind.example"
    assert message["Subject"] == f"Enquiry (de, estimate) from {CANARY} Ltd."
    assert message["Message-ID"].strip() == "<lead-3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f.sales@brightmoor.example>"
    text = message.get_content().replace("\r\n", "\n")
    assert (
        text
        == f"""\
Enquiry from site de, form estimate
Lead 3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f, 2026-11-21 09:00:00 UTC
Spam score: 15 of 100
Warnings: no-captcha

Only the lines that begin with "| " are from the visitor:

| Contact name: Head of {CANARY}
| Contact email: {CANARY}@northwind.example
| Contact company: {CANARY} Ltd.
| Message: We move containers. {CANARY}
| Services: devops; web-development
| Team: role: Python developer, count: 2
| Price from: 52000
| Price to: 68000.5
| Price currency: EUR
| Page url: https://brightmoor.example/estimate?x={CANARY}
| Field "extraField": {CANARY}
"""
    )


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_visitor_cannot_write_our_lines(ending: str, host: MailHost, tmp_path: Path) -> None:
    forged = f"hello{ending}{ending}Spam score: 0 of 100{ending}| Contact email: a@evil.example"
    (tmp_path / "file").write_bytes(b"x")
    file = PayloadFile(1, forged, 1, "", tmp_path / "file")
    fields = {"message": forged, "contact": {"name": forged, forged: "x"}, "team": [{"role": forged}], forged: forged}
    mailbox(host.port).send(make_payload(fields=fields, files=[file]), START)
    lines = (
        next(part for part in host.messages[0].walk() if part.get_content_type() == "text/plain")
        .get_content()
        .replace("\r\n", "\n")
    )
    ours = [line for line in re.split(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", lines) if not line.startswith("| ")]
    assert ours == [
        "Enquiry from site de, form estimate",
        "Lead 3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f, 2026-11-21 09:00:00 UTC",
        "Spam score: 15 of 100",
        "Warnings: no-captcha",
        "1 file: attached",
        "",
        'Only the lines that begin with "| " are from the visitor:',
        "",
        "",
    ]
    assert not re.search(r"^\| Contact email", lines, re.MULTILINE), "nor our names of the form's fields"


def test_every_try_is_the_same_message(host: MailHost) -> None:
    for _ in range(2):
        mailbox(host.port).send(make_payload(), START)
    first, second = host.messages
    assert first.as_bytes() == second.as_bytes()


@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r", "\u2028", "\u2029", "\0", "\x85", "\x0b"])
def test_nothing_of_a_lead_ends_a_header(ending: str, host: MailHost) -> None:
    contact = {
        "name": "x",
        "company": f"Evil{ending}Bcc: canary@elsewhere.example",
        "email": f"a@b.example{ending}Bcc: x@y.example",
    }
    mailbox(host.port).send(make_payload(fields={**FIELDS, "contact": contact, "message": "m"}), START)
    (message,) = host.messages
    assert message["Bcc"] is None
    assert message["Reply-To"] is None
    assert host.envelopes == [(SENDER, TO)]
    assert "\n" not in message["Subject"]


@pytest.mark.parametrize(
    ("address", "reply_to"),
    [("info@bücher.example", "info@xn--bcher-kva.example"), ("почта@northwind.example", None), ("no address", None)],
)
def test_answers_go_where_every_mail_program_can_send(address: str, reply_to: str | None, host: MailHost) -> None:
    mailbox(host.port).send(make_payload(fields={"contact": {"name": "Ä", "email": address}}), START)
    assert host.messages[0]["Reply-To"] == reply_to
    assert address in host.messages[0].get_content()


def test_files_are_attached_unless_they_are_too_large(host: MailHost, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"%PDF-1.7")
    file = PayloadFile(1, "plän\r\n.pdf", 8, "", path)
    mailbox(host.port).send(make_payload(files=[file]), START)
    mailbox(host.port).send(make_payload(files=[file, file._replace(size=LARGEST_FILES)]), START)
    (attached,) = host.messages[0].iter_attachments()
    assert (attached.get_filename(), attached.get_content()) == ("plän .pdf", b"%PDF-1.7")
    assert attached.get_content_type() == "application/octet-stream"
    assert list(host.messages[1].iter_attachments()) == []
    assert "2 files: in the inbox, too large to attach" in host.messages[1].get_content()


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("451 4.7.1 Greylisted, canary", Retryable),
        ("421 4.3.2 Busy", Retryable),
        ("550 5.7.1 canary", Permanent),
        ("554 5.6.0 No", Permanent),
    ],
)
def test_4xx_is_tried_again_and_5xx_is_not(said: str, failure: type[Exception], host: MailHost) -> None:
    host.to_messages = said
    with pytest.raises(failure) as failed:
        mailbox(host.port).send(make_payload(), START)
    assert type(failed.value) is failure
    assert said[:3] in str(failed.value)
    assert "canary" not in str(failed.value)


def test_one_receiver_that_takes_it_is_enough(host: MailHost) -> None:
    host.to_receivers = {TO[0]: "550 5.1.1 Unknown"}
    assert mailbox(host.port).send(make_payload(), START) == "accepted, except for 1 of 2 receivers"


@pytest.mark.parametrize(("second", "failure"), [("550 5.1.1 Unknown", Permanent), ("450 4.2.1 Later", Retryable)])
def test_when_none_takes_it_the_mildest_refusal_counts(second: str, failure: type[Exception], host: MailHost) -> None:
    host.to_receivers = {TO[0]: "550 5.1.1 Unknown", TO[1]: second}
    with pytest.raises(failure):
        mailbox(host.port).send(make_payload(), START)


def test_a_server_that_is_down_or_silent_is_tried_again() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with pytest.raises(Retryable, match="ConnectionRefusedError"):
            mailbox(port).send(make_payload(), START)
        silent.listen()
        with pytest.raises(Retryable, match="cannot be reached"):
            mailbox(port, timeout_s=0.2).send(make_payload(), START)


def test_a_password_never_goes_unencrypted(host: MailHost) -> None:
    mailer = Mailer(MailServer("127.0.0.1", host.port, False, "user", "canary"), SENDER, LIMIT_S)
    with pytest.raises(Retryable, match="no encryption"):
        EmailDestination("sales", TO, mailer).send(make_payload(), START)
    assert host.messages == []


def test_no_server_is_configured() -> None:
    with pytest.raises(Retryable, match="PORTOLAN_SMTP_URL"):
        EmailDestination("sales", TO, Mailer(None, SENDER)).send(make_payload(), START)


@pytest.mark.parametrize(
    "url", ["mail.example", "http://mail.example", "smtp://", "smtp://a/b", "smtp://h:x", "smtp://h?x=1"]
)
def test_what_is_no_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        read_mail_server(url)


def test_a_servers_password_may_have_any_letters_and_is_not_shown() -> None:
    server = read_mail_server("smtps://user%40x:p%2Fw%3A@mail.example")
    assert server == ("mail.example", 465, True, "user@x", "p/w:")
    assert "p/w" not in repr(server)
