"""Pages of the studio run without inline scripts and styles (`e2e` tests it in a browser)."""

import re
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from portolan.content.models import LegalPage

pytestmark = pytest.mark.django_db

HOST: Final = {"Host": "studio.localhost"}
SCRIPT: Final = re.compile(r"<script\b([^>]*)>")
HANDLER: Final = re.compile(r"""<[^>]*\son[a-z]+=["']""")


def read(client: Client, address: str) -> tuple[str, dict[str, str]]:
    reply = client.get(address, headers=HOST)
    assert reply.status_code == 200
    policy = dict(part.split(" ", 1) for part in reply["Content-Security-Policy"].split("; "))
    return reply.content.decode(), policy


@pytest.fixture
def addresses(homes: Any, add_page: Any) -> list[str]:
    """URLs of forms with a text, a choice of pages and images, dates, lists of entries, and of a list with filters by
    date.
    """
    page = add_page(homes["en"], LegalPage, "terms", title="Terms")
    return [
        reverse("wagtailadmin_home"),
        reverse("wagtailadmin_pages:edit", args=[page.pk]),
        reverse("wagtailsnippets_content_certificate:add"),
        reverse("wagtailadmin_reports:aging_pages"),
        reverse("wagtailimages:add"),
    ]


def test_no_page_has_a_script_or_style_of_its_own(admin_client: Client, addresses: list[str]) -> None:
    for address in addresses:
        html, policy = read(admin_client, address)
        inline = [tag for tag in SCRIPT.findall(html) if " src=" not in tag and "application/json" not in tag]
        assert inline == [], address
        assert "<style" not in html, address
        assert HANDLER.search(html) is None, address
        assert "unsafe-inline" not in policy["script-src"] + policy["style-src"]
        assert policy["default-src"] == "'none'"


def test_what_is_to_be_started_stands_there_as_data(admin_client: Client, addresses: list[str]) -> None:
    html = "".join(read(admin_client, address)[0] for address in addresses)
    started = {*re.findall(r'data-studio-start[^>]*>\{"start": "(\w+)"', html)}
    assert {"ImageChooser", "InlinePanel", "initDateChooser"} <= started


def test_each_answer_has_a_nonce_of_its_own_for_styles_that_a_script_makes(admin_client: Client) -> None:
    nonces = set()
    for _ in range(2):
        html, policy = read(admin_client, reverse("wagtailadmin_home"))
        (nonce,) = re.findall(r'nonce="([^"]+)"', html)
        assert policy["style-src"] == f"'self' 'nonce-{nonce}'"
        assert nonce not in policy["script-src"]
        nonces.add(nonce)
    assert len(nonces) == 2


def test_where_nobody_is_signed_in_no_script_makes_markup_and_none_is_wagtail_s(client: Client) -> None:
    """Wagtail's styles are inline, and would be refused."""
    invited = reverse("studio_choose_password", args=["MQ", "used-up"])
    for address in (reverse("wagtailadmin_login"), invited):
        html, policy = read(client, address)
        assert policy["require-trusted-types-for"] == "'script'"
        assert policy["trusted-types"] == "'none'"
        assert (policy["script-src"], policy["style-src"]) == ("'self'", "'self'")
        assert re.findall(r'<script src="[^"]*/(?:studio/)?([\w-]+)(?:\.\w+)?\.js"', html) == ["passkey", "sent-once"]
        assert "data-icon-url" not in html


def test_the_steps_of_signing_in_are_such_screens_too(admin_client: Client) -> None:
    session = admin_client.session
    confirmed = datetime.now(UTC).timestamp()
    session["confirmed_at"] = confirmed
    session.save()
    html, policy = read(admin_client, reverse("studio_set_up"))
    assert policy["trusted-types"] == "'none'"
    assert "<svg" in html  # the code that an app reads is drawn on the server
