"""Consent records in the studio, and the warning if a site shows no consent banner."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from portolan.consent_records.models import ConsentRecord
from portolan.domain.csv_files import read_csv
from portolan.studio.permissions import sync_editors_group

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]

STUDIO = {"Host": "studio.localhost"}


@pytest.fixture(autouse=True)
def records() -> None:
    for site, method in (("de", "accept"), ("ae", "reject")):
        ConsentRecord.objects.create(
            site=site,
            policy_version="2026-11-01",
            text_hash="0123456789abcdef" * 2,
            ad_storage=method == "accept",
            analytics_storage=method == "accept",
            method=method,
        )


def list_rows(reply: Any) -> list[dict[str, str]]:
    headings, *rows = read_csv(reply.getvalue().decode())
    return [dict(zip(headings.cells, row.cells, strict=True)) for row in rows]


def sign_in(client: Client, *codenames: str) -> Client:
    user = User.objects.create_user("reader")
    user.groups.add(sync_editors_group())
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return client


def test_superusers_see_the_records_and_can_take_them_along(admin_client: Client) -> None:
    page = admin_client.get(reverse("studio_consent"), headers=STUDIO).content.decode()
    assert page.count("0123456789abcdef0123456789abcdef") == 2
    reply = admin_client.get(reverse("studio_consent") + "?export=csv&site=de", headers=STUDIO)
    rows = list_rows(reply)
    assert [(row["Site"], row["Method"], row["Advertising"]) for row in rows] == [("de", "Accept", "True")]
    assert rows[0]["Time (UTC)"].endswith("+00:00")
    in_german = {**STUDIO, "Accept-Language": "de"}
    reply = admin_client.get(reverse("studio_consent") + "?export=csv&site=de", headers=in_german)
    (row,) = list_rows(reply)
    assert {"Website", "Werbung"} <= set(row), "also while it is being sent"


def test_nothing_there_changes_a_record(admin_client: Client) -> None:
    page = admin_client.get(reverse("studio_consent"), headers=STUDIO).content.decode()
    assert "/edit/" not in page.split("<main")[1]
    assert "/delete/" not in page.split("<main")[1]
    assert {permission.codename for permission in Permission.objects.filter(content_type__model="consentrecord")} == {
        "view_consentrecord"
    }


def test_editors_do_not_see_them_unless_they_are_given_the_permission(client: Client) -> None:
    reply = sign_in(client).get(reverse("studio_consent"), headers=STUDIO)
    assert reply.status_code == 302
    assert "Consent records" not in client.get("/admin/", headers=STUDIO).content.decode()


def test_whoever_has_the_permission_sees_them(client: Client) -> None:
    reply = sign_in(client, "view_consentrecord").get(reverse("studio_consent"), headers=STUDIO)
    assert reply.status_code == 200
    assert "0123456789abcdef0123456789abcdef" in reply.content.decode()


def test_the_permission_can_be_given_to_a_group(admin_client: Client) -> None:
    group = Group.objects.create(name="Data protection")
    page = admin_client.get(reverse("wagtailusers_groups:edit", args=[group.pk]), headers=STUDIO).content.decode()
    permission = Permission.objects.get(codename="view_consentrecord")
    assert f'value="{permission.pk}"' in page


def test_the_dashboard_names_sites_that_do_not_ask(admin_client: Client, settings: Settings) -> None:
    page = admin_client.get("/admin/", headers=STUDIO).content.decode()
    assert "Cookies are set without consent" in page
    assert "Deutschland (de)" in page
    raw = settings.SITES_REGISTRY.model_dump(mode="json")
    for site in raw["sites"].values():
        site["consent"]["profile"] = "strict"
    settings.SITES_REGISTRY = type(settings.SITES_REGISTRY).model_validate(raw)
    assert "Cookies are set" not in admin_client.get("/admin/", headers=STUDIO).content.decode()
