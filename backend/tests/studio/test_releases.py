"""Releases in the studio: their changes, and going back and reverting, for users who may publish everywhere."""

import re
from uuid import NAMESPACE_DNS, uuid5

import orjson
import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.urls import reverse
from django.utils import timezone
from wagtail.models import GroupPagePermission

from portolan.builds.live import Pin, switch_live
from portolan.builds.manifest import Manifest, write_manifest
from portolan.content.models import ServicePage
from portolan.releases.author import acting_as
from portolan.releases.create import create_release
from portolan.releases.live_requests import settle, waiting_request
from portolan.releases.models import LiveRequest, Release, ReleaseItem
from portolan.studio import releases
from portolan.studio.permissions import sync_editors_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client):
    user = get_user_model().objects.create_user("anna", password="x", first_name="Anna")
    user.groups.add(sync_editors_group())
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@pytest.fixture
def page(homes, add_page):
    """A page of release 1. Release 2 has another title. en shows 2 and de shows 1."""
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    snapshot()
    with acting_as("Ben"):
        page.title = "Web and more"
        page.save_revision().publish()
        snapshot()
    return ServicePage.objects.get(pk=page.pk)


def snapshot():
    return create_release("test", timezone.now().date())


@pytest.fixture
def live(settings, page):
    root = settings.BUILDS_DIR
    for site, release in (("en", 2), ("de", 1)):
        manifest = Manifest(
            site=site,
            build="a",
            release=release,
            web="w",
            created="2026-11-20T09:30:00+00:00",
            html_headers={},
            files={},
        )
        write_manifest(root, manifest, None)
        switch_live(root, {site: "a"})
    return root


@pytest.fixture
def publisher(monkeypatch):
    """Reply to requests with ``problem``. None means that the publisher stays silent."""

    class Publisher:
        problem: str | None = ""

    def wait(id):
        if Publisher.problem is not None:
            settle(id, Publisher.problem)
        return LiveRequest.objects.get(pk=id)

    monkeypatch.setattr(releases, "_wait_for", wait)
    return Publisher


def text_of(reply):
    return reply.content.decode()


def test_lists_who_published_what_and_where_visitors_see_it(editor, live):
    listed = text_of(editor.get(reverse("studio_releases")))
    assert "Ben" in listed
    assert "“Web and more”" in listed
    assert "seen on International" in listed
    assert "seen on Deutschland" in listed
    assert "items on all sites together" in listed


def test_a_release_says_what_it_changed_on_which_sites(editor, page):
    shown = text_of(editor.get(reverse("studio_release", args=[2])))
    assert "International, United Kingdom" in shown
    assert "Web<ins> and more</ins>" in shown
    assert "It is not live yet." not in shown, "the delivery status says so, and goes on saying what is true"
    first = text_of(editor.get(reverse("studio_release", args=[1])))
    assert "This is the first stored release" in first
    assert reverse("studio_revert", args=[1]) not in first
    assert editor.get(reverse("studio_release", args=[9])).status_code == 404


@pytest.mark.parametrize(
    ("pages", "blocks", "told"),
    [(12, 7, 12), (60, 7, 13), (350, 0, 100), (600, 0, 100)],
    ids=[
        "few enough for all",
        "a page more than has 100 blocks",
        "without blocks: the page counts as one",
        "so many that not all are read",
    ],
)
def test_a_release_of_very_many_blocks_tells_those_that_come_first_and_how_many_are_left(
    editor, page, pages, blocks, told
):
    newest = Release.objects.create(number=3, created_by="Ben", added=pages)
    ReleaseItem.objects.bulk_create(
        ReleaseItem(
            site="de", kind="page", key=str(uuid5(NAMESPACE_DNS, f"{number}")), digest=f"{number}", since=3,
            body=orjson.dumps({
                "path": f"/new-{number}", "title": f"New {number}", "template": "service", "anchors": [],
                "blocks": [{"type": "hero", "id": f"{block}", "title": f"Block {block}"} for block in range(blocks)],
            }),
        )
        for number in range(pages)
    )  # fmt: skip
    shown = text_of(editor.get(reverse("studio_release", args=[newest.number])))
    assert len(set(re.findall(r"<ins>/new-\d+", shown))) == told
    assert shown.count("<ins>Block ") == told * blocks
    assert (f"And {pages - told} more." in shown) == (told < pages)


def test_shows_what_would_change_before_it_is_done(editor, live, publisher):
    preview = text_of(editor.get(reverse("studio_show_again", args=[1])))
    assert "Web<del> and more</del>" in preview
    assert "No changes on Deutschland" in preview
    assert not LiveRequest.objects.exists()


def test_asks_the_publisher_and_says_what_became_of_it(editor, live, publisher):
    url = reverse("studio_show_again", args=[1])
    assert "Every site now shows release 1" in text_of(editor.post(url, follow=True))
    asked = LiveRequest.objects.get()
    assert (asked.release, asked.by) == (1, "Anna")
    publisher.problem = "Site ae has no page at release 1."
    said = text_of(editor.post(url, follow=True))
    assert "Visitors see the same as before. Site ae has no page at release 1." in said
    publisher.problem = None
    said = text_of(editor.post(url, follow=True))
    assert "The request is stored" in said
    assert "Anna requested" in said
    assert waiting_request().release == 1


def test_resumes_from_the_dashboard(editor, live, publisher):
    switch_live(live, {"en": "a"}, pin=Pin("2026-11-20T09:30:00+00:00", "Ben"), whole=True)
    dashboard = text_of(editor.get("/admin/"))
    assert "Every site shows release 2 since 20 Nov 2026, 09:30 GMT (by Ben)." in dashboard
    assert reverse("studio_resume") in dashboard
    assert 'name="csrfmiddlewaretoken"' in dashboard.partition(reverse("studio_resume"))[2].partition("</form>")[0]
    assert editor.get(reverse("studio_resume")).status_code == 405
    said = text_of(editor.post(reverse("studio_resume"), follow=True))
    assert "The sites show the newest release again." in said
    assert LiveRequest.objects.get().release is None


def test_reverts_after_saying_what(editor, page):
    url = reverse("studio_revert", args=[2])
    asked = text_of(editor.get(url))
    assert "Revert 1 change" in asked
    assert "Restored" in asked
    assert Release.objects.count() == 2
    said = text_of(editor.post(url, follow=True))
    assert "Release 2 is reverted by release 3." in said
    page.refresh_from_db()
    assert page.title == "Web"
    assert Release.objects.first().created_by == "Anna"
    again = text_of(editor.post(url, follow=True))
    assert "Nothing was reverted" in again
    said = text_of(editor.get(reverse("studio_revert", args=[1]), follow=True))
    assert "Release 1 is the first one" in said


def test_old_addresses_lead_to_the_new_ones(editor, page):
    for rest in ("", "2/", "2/revert/"):
        reply = editor.get(f"/admin/reports/releases/{rest}")
        assert (reply.status_code, reply["Location"]) == (301, f"/admin/releases/{rest}")


def test_who_may_not_publish_everywhere_sees_what_concerns_their_sites_and_goes_no_way_back(
    client, homes, live, add_page
):
    add_page(homes["uk"], ServicePage, "web-uk", title="Web in Britain")
    snapshot()
    switch_live(live, {"en": "a"}, pin=Pin("2026-11-20T09:30:00+00:00", "Ben"), whole=True)
    group = Group.objects.create(name="Germans")
    group.permissions.add(Permission.objects.get(codename="access_admin"))
    publish = Permission.objects.get(content_type__app_label="wagtailcore", codename="publish_page")
    GroupPagePermission.objects.create(group=group, page=homes["de"], permission=publish)
    user = get_user_model().objects.create_user("dora", password="x")
    user.groups.add(group)
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    dashboard = text_of(client.get("/admin/"))
    assert "Every site shows release 2" in dashboard
    assert reverse("studio_resume") not in dashboard
    listed = text_of(client.get(reverse("studio_releases")))
    assert reverse("studio_release", args=[1]) in listed
    assert reverse("studio_release", args=[3]) not in listed
    shown = text_of(client.get(reverse("studio_release", args=[1])))
    assert reverse("studio_show_again", args=[1]) not in shown
    assert reverse("studio_revert", args=[1]) not in shown
    for url in (
        reverse("studio_release", args=[3]),
        reverse("studio_look", args=[3]),
        reverse("studio_show_again", args=[1]),
        reverse("studio_revert", args=[2]),
        reverse("studio_resume"),
    ):
        assert client.post(url).status_code in (302, 403), url
    assert not LiveRequest.objects.exists()
    assert Release.objects.count() == 3


@pytest.mark.parametrize("method", ["get", "post"])
def test_reverting_too_much_is_left_to_the_command(admin_client, live, monkeypatch, method):
    """Every other save would wait for it."""
    monkeypatch.setattr(releases, "_MOST_REVERTED", 0)
    before = Release.objects.count()
    address = reverse("studio_revert", args=[2])
    reply = getattr(admin_client, method)(address, follow=True, headers={"Host": "studio.localhost"})
    assert "portolan releases revert 2" in reply.content.decode()
    assert Release.objects.count() == before
