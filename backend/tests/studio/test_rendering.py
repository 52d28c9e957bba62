"""Editors see when, why and by whom each page was last rendered, and its links both ways."""

import shutil

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from portolan.content.models import MenuSettings
from portolan.studio.rendering import find_last_rendering

from .published import TITLE, publish, world

__all__ = ["publish", "world"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client):
    client.force_login(User.objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


def retitle(page, title: str) -> None:
    page.title = title
    page.save_revision().publish()


def show(admin, page) -> str:
    reply = admin.get(reverse("studio_rendering", args=[page.pk]))
    assert reply.status_code == 200
    return reply.content.decode()


def test_says_when_why_and_by_whom(admin, world, publish):
    publish("seed")
    retitle(world["service"], f"{TITLE} ٢")
    publish("Anna")
    shown = show(admin, world["service"])
    assert "The page itself was changed" in shown
    assert "Title" in shown
    assert f'<a href="{reverse("studio_release", args=[2])}">release 2</a> by <bdi>Anna</bdi>' in shown
    assert "All pages: the site had no readable earlier build" in shown
    assert f"<bdi>“{TITLE} ٢”</bdi>" in shown


def test_what_links_to_it_and_what_it_links_to_leads_to_their_edit_pages(admin, world, publish, sites):
    publish("seed")
    shown = show(admin, world["about"])
    menu = reverse(
        "wagtailsnippets_content_menusettings:edit",
        args=[MenuSettings.objects.get(site=sites["en"].wagtail_site_id).pk],
    )
    service, about = (reverse("wagtailadmin_pages:edit", args=[world[name].pk]) for name in ("service", "about"))
    assert f'<a href="{menu}"><bdi>Header menu</bdi></a>' in shown
    assert f'<a href="{service}"><bdi>“{TITLE}”</bdi></a>' in shown
    assert f'<a href="{about}"><bdi>“About us”</bdi></a>' in show(admin, world["service"])


def test_the_edit_page_says_it_in_a_line(admin, world, publish):
    publish("Anna")
    shown = admin.get(reverse("wagtailadmin_pages:edit", args=[world["service"].pk])).content.decode()
    assert reverse("studio_rendering", args=[world["service"].pk]) in shown
    assert "by <bdi>Anna</bdi>" in shown


def test_a_page_that_is_not_live_was_not_rendered(admin, world):
    assert "This page is not live" in show(admin, world["about"])
    assert find_last_rendering(world["about"]) is None


def test_without_a_journal_it_says_so(admin, world, publish, settings):
    publish("seed")
    shutil.rmtree(settings.BUILDS_DIR / "journal")
    assert find_last_rendering(world["about"]) == (None,)
    assert "without a render log" in show(admin, world["about"])


def test_only_for_who_may_edit_the_page(client, world):
    user = User.objects.create_user("guest", password="x")
    user.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    assert client.get(reverse("studio_rendering", args=[world["about"].pk])).status_code in (302, 403)
