"""A page is reported as live only once it is."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone
from wagtail.test.utils.form_data import querydict_from_html

from portolan.builds.live import Installation, LivePointer, Pin
from portolan.content.models import ServicePage
from portolan.domain.problems import BlockedChange, DeadLink, Problem, Subject
from portolan.publisher.outcome import write_outcome
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, Release
from portolan.studio import pins, publishing

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(homes, add_page):
    return add_page(homes["en"], ServicePage, "web", title="Web")


@pytest.fixture
def publish(page, rf, admin_user, settings, monkeypatch):
    """``publish(outcome)``: the publisher is awake, and its first look ends with ``outcome``."""

    def run(outcome=None) -> list[tuple[str, str]]:
        def wake():
            if outcome:
                release = create_release("test", timezone.now().date()) or Release.objects.first()
                outcome(release.number)

        monkeypatch.setattr(publishing, "wake_publisher", wake)
        request = rf.post("/admin/", headers={"Host": "studio.localhost"})
        request.user = admin_user
        request.session = {}
        from django.contrib.messages.storage.fallback import FallbackStorage

        request._messages = FallbackStorage(request)
        PendingChange.objects.create(site="en", kind="page", key=str(page.translation_key))
        reply = publishing.say_published(request, page)
        assert reply.status_code == 302
        assert reply.url == reverse("wagtailadmin_pages:edit", args=[page.pk]), "the editor stays in the form"
        return [(message.level_tag, str(message)) for message in get_messages(request)]

    return run


def test_it_is_live_once_it_is(publish, settings):
    ((level, text),) = publish(lambda number: write_outcome(settings.BUILDS_DIR, number))
    assert level == "success"
    assert "“Web” is live." in text
    assert "View live" in text


def test_it_is_on_its_way_while_nobody_knows(publish):
    ((level, text),) = publish()
    assert level == "info"
    assert "“Web” is saved and is going live." in text


def test_what_the_publish_checks_refused_is_no_success(publish, settings, page):
    item = ("en", "page", str(page.translation_key))
    blocked = BlockedChange(*item, "Web", 1, True, Problem(Subject(*item, "Web", "/web"), DeadLink("/gone")))
    ((level, text),) = publish(lambda number: write_outcome(settings.BUILDS_DIR, number, blocked=[blocked]))
    assert level == "warning"
    assert "“Web” is saved, but visitors do not see this version yet." in text
    assert "links to /gone, where there is no page" in text
    assert "View live" not in text


def test_what_no_release_can_take_is_no_success(publish, page):
    page.body = [("hero", {"title": "{foo}"})]
    page.save()
    ((level, text),) = publish()
    assert level == "warning"
    assert "“Web” is saved, but visitors see the previous version" in text


def test_a_failing_publisher_is_no_success(publish, settings):
    ((level, text),) = publish(lambda number: write_outcome(settings.BUILDS_DIR, 0, failure="The disk is full."))
    assert level == "warning"
    assert "publishing fails at the moment" in text


def test_a_pinned_site_is_no_success(publish, settings, monkeypatch):
    since = {"en": Pin("2026-11-20T09:30:00+00:00", "operator")}
    live = LivePointer({}, {"en": 7}, {}, since, Installation(False, 9, "", ""), {})
    monkeypatch.setattr(pins, "read_live", lambda root: live)
    with timezone.override("Europe/Berlin"):  # as on the screens of a German page
        ((level, text),) = publish(lambda number: write_outcome(settings.BUILDS_DIR, number))
    assert level == "warning"
    assert "stays at release 7 since 20 Nov 2026, 09:30 GMT" in text, "the editor's time, as on the next screen"


@pytest.mark.parametrize("is_live", [True, False])
def test_a_page_scheduled_for_later_is_said_to_go_live_then(homes, add_page, admin_client, is_live):
    page = add_page(homes["de"], ServicePage, "web", title="Web")
    if not is_live:
        page.unpublish()
    address = reverse("wagtailadmin_pages:edit", args=[page.pk])
    data = querydict_from_html(admin_client.get(address).content.decode(), form_id="page-edit-form")
    data["body-count"], data["go_live_at"], data["action-publish"] = "0", "2099-12-01T09:00", "action-publish"
    reply = admin_client.post(address, data)
    assert reply.status_code == 302, reply.context["form"].errors
    (message,) = get_messages(reply.wsgi_request)
    assert "“Web” goes live on 1 Dec 2099, 09:00 in Berlin." in str(message)
    assert reverse("studio_scheduled") in str(message)


def test_pages_ticked_in_a_list_are_not_said_to_be_live(admin_client, page):
    url = f"/admin/bulk/wagtailcore/page/publish/?id={page.pk}&next=/admin/"
    reply = admin_client.post(url, headers={"Host": "studio.localhost"}, follow=True)
    assert "1 page is saved and is going live." in reply.content.decode()
