"""The studio takes and shows the time of a page's site, and for entries the company's."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from wagtail.test.utils.form_data import querydict_from_html
from wagtail.users.models import UserProfile

from portolan.content.models import Phone
from portolan.content.pages.about import AboutPage
from portolan.publisher.outcome import write_outcome
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(homes: Any, add_page: Any) -> Any:
    return add_page(homes["de"], AboutPage, "ueber-uns")


def send(studio: Client, page: Any, go_live_at: str) -> Any:
    address = f"/admin/pages/{page.pk}/edit/"
    data = querydict_from_html(studio.get(address).content.decode(), form_id="page-edit-form")
    data["body-count"] = "0"
    data["go_live_at"] = go_live_at
    data["action-publish"] = "action-publish"
    return studio.post(address, data)


def test_nine_o_clock_on_a_german_page_is_nine_in_berlin_whoever_types_it(admin_client: Client, page: Any) -> None:
    editor = get_user_model().objects.get(username="admin")
    UserProfile.objects.update_or_create(user=editor, defaults={"current_time_zone": "America/New_York"})
    reply = send(admin_client, page, "2099-07-01T09:00:05")
    assert reply.status_code == 302, reply.context["form"].errors
    assert connected_reader().next_scheduled() == datetime(2099, 7, 1, 7, 0, 5, tzinfo=UTC)
    shown = admin_client.get(f"/admin/pages/{page.pk}/edit/").content.decode()
    assert 'value="2099-07-01T09:00:05"' in shown
    assert "Times are in the time zone of Berlin" in shown


@pytest.mark.parametrize("moment", ["2027-03-28T02:30", "2027-10-31T02:30"], ids=["never", "twice"])
def test_an_hour_that_the_clocks_leave_out_or_repeat_is_asked_about(
    admin_client: Client, page: Any, moment: str
) -> None:
    reply = send(admin_client, page, moment)
    assert reply.status_code == 200
    assert "Europe/Berlin" in str(reply.context["form"].errors["go_live_at"])
    assert connected_reader().next_scheduled() is None


def test_entries_go_by_the_company_s_time(admin_client: Client, homes: Any, settings: Any) -> None:
    company = settings.SITES_REGISTRY.company.model_copy(update={"time_zone": "Asia/Dubai"})
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"company": company})
    Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    phone = Phone.objects.create(key="gb", phone="+44 20 7946 0100", countries=["gb"])
    address = f"/admin/snippets/content/phone/edit/{phone.pk}/"
    opened = admin_client.get(address).content.decode()
    assert "Times are in the time zone of Dubai" in opened
    data = querydict_from_html(opened, form_id="w-editor-form")
    data["go_live_at"] = "2099-07-01T09:00"
    reply = admin_client.post(address, data.dict() | {"countries": ["gb"], "action-publish": "x"})
    assert reply.status_code == 302, reply.context["form"].errors
    assert connected_reader().next_scheduled() == datetime(2099, 7, 1, 5, tzinfo=UTC)


def test_what_belongs_to_no_single_page_is_told_in_the_editors_own_time(
    admin_client: Client, homes: Any, settings: Any
) -> None:
    editor = get_user_model().objects.get(username="admin")
    UserProfile.objects.update_or_create(user=editor, defaults={"current_time_zone": "Asia/Dubai"})
    write_outcome(settings.BUILDS_DIR, 1)
    Release.objects.create(number=1)
    Release.objects.update(created_at=datetime(2026, 11, 23, 9, 30, 5, tzinfo=UTC))
    PendingChange.objects.all().delete()
    for screen in ("/admin/", "/admin/releases/", "/admin/releases/1/", "/admin/releases/1/show-again/"):
        shown = admin_client.get(screen).content.decode()
        assert re.search(r"23 Nov 2026, 13:30(:05)? \+04</time>", shown), screen
