"""Wagtail's own e-mail: sent by the mail server of leads. A failure must not break a save."""

import pytest
from django.core.mail import EmailMessage, get_connection

from portolan.config.mail import describe_mail
from portolan.domain.mail_server import read_mail_server


@pytest.mark.parametrize(
    ("url", "is_tls", "is_starttls"),
    [
        ("smtps://anna:secret@mail.example", True, False),
        ("smtp://anna:secret@mail.example:587", False, True),
        ("smtp://localhost", False, False),
    ],
)
def test_a_password_never_goes_unencrypted(url, is_tls, is_starttls):
    found = describe_mail(read_mail_server(url), "studio@example.com")
    assert (found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (is_tls, is_starttls)
    assert found["DEFAULT_FROM_EMAIL"] == "studio@example.com"


def test_without_a_server_or_a_sender_it_goes_nowhere():
    nowhere = {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    assert describe_mail(None, "studio@example.com") == describe_mail(read_mail_server("smtp://x"), None) == nowhere


def test_a_server_that_is_away_costs_no_save(settings):
    for name, value in describe_mail(read_mail_server("smtp://127.0.0.1:1"), "studio@example.com").items():
        setattr(settings, name, value)
    assert get_connection(settings.EMAIL_BACKEND).send_messages(
        [EmailMessage("A comment", "", to=["a@example.com"])]
    ) in (0, None)
