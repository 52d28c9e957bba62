"""The history of publishing in the studio, for users who may publish everywhere."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from portolan.builds.edge_reports import append_report
from portolan.builds.manifest import now_iso
from portolan.content.models import ServicePage
from portolan.publisher.journal import Entry, append_entry
from portolan.publisher.publish_records import PublishRecord, append_record
from portolan.publisher.reasons import Cause, Reason
from portolan.releases.author import acting_as
from portolan.releases.create import create_release
from portolan.releases.reader import ItemId
from portolan.studio.permissions import sync_editors_group

pytestmark = pytest.mark.django_db

BUILD = "20261124-100000-2-aa"


@pytest.fixture
def user(client):
    user = get_user_model().objects.create_user("anna", password="x")
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return user


@pytest.fixture
def published(homes, add_page, settings):
    """Ben's edit of a page is live on the international site, and an edge has it."""
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    create_release("seed", timezone.now().date())
    with acting_as("Ben"):
        page.title = "Web and more"
        page.save_revision().publish()
        create_release("test", timezone.now().date())
    root, at = settings.BUILDS_DIR, now_iso()
    stages = {"freeze": 10.0, "plan": 5.0, "render": 85.0}
    append_record(root, PublishRecord(at, 2, 1, {"en": BUILD}, stages, saved=at))
    reason = Reason(Cause.PAGE, ItemId("en", "page", str(page.translation_key)))
    append_entry(root, "en", Entry(BUILD, "", 2, 1, at, "web", pages={"/web": (reason,)}))
    append_report(root, "edge-1", {"en": BUILD})
    return at


def test_lists_who_published_what_and_tells_of_each_why_and_how_long(client, user, published):
    user.groups.add(sync_editors_group())
    listed = client.get(reverse("studio_history")).content.decode()
    assert "Ben" in listed and "1 rendered" in listed and reverse("studio_history_publish", args=[published]) in listed
    shown = client.get(reverse("studio_history_publish", args=[published])).content.decode()
    assert "edge-1" in shown and "85 %" in shown and "/web:" in shown
    assert "The page itself was changed" in shown and "Title" in shown


def test_says_what_failed(client, user, published, settings):
    user.groups.add(sync_editors_group())
    append_record(settings.BUILDS_DIR, PublishRecord(at := now_iso(), 0, failure="The disk is full."))
    assert "The disk is full." in client.get(reverse("studio_history")).content.decode()
    assert "Nothing went live: The disk is full." in (
        client.get(reverse("studio_history_publish", args=[at])).content.decode()
    )
    assert client.get(reverse("studio_history_publish", args=["2020-01-01"])).status_code == 404


def test_is_for_those_who_may_publish_everywhere(client, user, published):
    for name, args in (("studio_history", []), ("studio_history_publish", [published])):
        assert client.get(reverse(name, args=args)).status_code in (302, 403)
