"""Entries and menus have drafts, a history and a schedule: from the form to the content of a snapshot."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Revision
from wagtail.test.utils.form_data import querydict_from_html

from portolan.content.drafts import FIRST_KEPT
from portolan.content.export import all_item_keys, export_items
from portolan.content.items import ItemKey
from portolan.content.models import FooterSettings, MenuSettings, Phone, Redirect
from portolan.releases.models import Moment, PendingChange
from portolan.releases.schedule import run_schedule
from portolan.studio.scheduled import find_scheduled

KEY = ItemKey("en", "phone", "gb")


@pytest.fixture
def phone(sites: Any) -> Phone:
    """Return a phone entry as the previous version stored it: live, and without a revision."""
    Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    phone = Phone.objects.create(key="gb", phone="+44 20 7946 0100", countries=["gb"])
    PendingChange.objects.all().delete()
    return phone


def send(client: Client, address: str, publish: bool = False, **changes: Any) -> Any:
    """Send the form data of an entry."""
    data = querydict_from_html(client.get(address).content.decode(), form_id="w-editor-form")
    for name, value in changes.items():
        data[name] = value
    if publish:
        data["action-publish"] = "action-publish"
    reply = client.post(address, data)
    assert reply.status_code == 302, reply.context["form"].errors
    return reply


def edit_url(row: Any) -> str:
    return reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])


def frozen() -> str:
    body = export_items([KEY])[KEY]
    return body["value"]["phone"] if body else ""


@pytest.mark.postgres
def test_a_draft_changes_nothing_until_it_is_published_and_can_be_reverted(admin_client: Client, phone: Phone) -> None:
    send(admin_client, edit_url(phone), phone="+44 20 7946 0199")
    assert not PendingChange.objects.exists(), "a draft is nothing that a release has to hold"
    assert frozen() == "+44 20 7946 0100"
    assert "+44 20 7946 0199" in admin_client.get(edit_url(phone)).content.decode()

    send(admin_client, edit_url(phone), publish=True)
    assert {KEY} <= {ItemKey(*row) for row in PendingChange.objects.values_list("site", "kind", "key")}
    assert frozen() == "+44 20 7946 0199"
    assert "Changed" not in (history := read_history(admin_client, phone))
    assert "The version before" in history
    assert "Edited: number" in history, "and not only that it was"

    first = Revision.objects.for_instance(phone).earliest("created_at")
    revert = reverse(phone.snippet_viewset.get_url_name("revisions_revert"), args=[phone.pk, first.pk])
    compare = reverse(phone.snippet_viewset.get_url_name("revisions_compare"), args=[phone.pk, first.pk, "latest"])
    assert "7946 0199" in admin_client.get(compare).content.decode()
    data = querydict_from_html(admin_client.get(revert).content.decode(), form_id="w-editor-form")
    data["action-publish"] = "action-publish"
    assert admin_client.post(edit_url(phone), data).status_code == 302
    assert frozen() == "+44 20 7946 0100"


def read_history(client: Client, row: Any) -> str:
    return client.get(reverse(row.snippet_viewset.get_url_name("history"), args=[row.pk])).content.decode()


@pytest.mark.postgres
def test_a_draft_of_something_live_goes_live_at_its_time(admin_client: Client, phone: Phone) -> None:
    later = timezone.now().replace(microsecond=0) + timedelta(days=2)
    send(
        admin_client,
        edit_url(phone),
        publish=True,
        phone="+44 20 7946 0199",
        go_live_at=timezone.localtime(later, timezone.zoneinfo.ZoneInfo("Europe/London")).strftime("%Y-%m-%dT%H:%M:%S"),
    )
    assert frozen() == "+44 20 7946 0100", "what is live stays until then, also of a row that had no revision"
    (row,) = find_scheduled(phone_editor(admin_client), timezone.now())
    assert (row.at, row.kind, row.replaces, row.is_page) == (later, "Phone", True, False)
    assert run_schedule(timezone.now()) == []
    assert frozen() == "+44 20 7946 0100"
    Revision.objects.exclude(approved_go_live_at=None).update(approved_go_live_at=timezone.now())
    content = Revision.objects.exclude(approved_go_live_at=None).get()
    content.content["go_live_at"] = None
    content.save()
    PendingChange.objects.all().delete()
    assert run_schedule(timezone.now()) == []
    assert frozen() == "+44 20 7946 0199"
    assert PendingChange.objects.filter(kind="phone", key="gb").exists()


def phone_editor(client: Client) -> Any:
    from django.contrib.auth import get_user

    return get_user(client)  # type: ignore[arg-type]


@pytest.mark.postgres
def test_what_expires_is_taken_off_and_says_so(phone: Phone) -> None:
    phone.expire_at = timezone.now() + timedelta(hours=1)
    phone.save()
    redirect = Redirect.objects.create(source="/old", address="https://x.example", expire_at=phone.expire_at)
    assert set(Moment.objects.values_list("kind", flat=True)) == {"phone", "redirect"}
    assert ItemKey("en", "redirect", "/old") in all_item_keys()
    then = phone.expire_at + timedelta(seconds=1)
    assert run_schedule(then) == []
    phone.refresh_from_db()
    redirect.refresh_from_db()
    assert (phone.live, phone.expired, redirect.live) == (False, True, False)
    assert frozen() == ""
    assert ItemKey("en", "redirect", "/old") not in all_item_keys()
    assert not Moment.objects.exists()


def test_a_new_entry_is_on_no_site_until_it_is_published(admin_client: Client, phone: Phone) -> None:
    new = {"key": "fr", "phone": "+33 1 70 18 99 00", "is_default": "on", "countries": "fr"}
    assert admin_client.post("/admin/snippets/content/phone/add/", new).status_code == 302
    assert not PendingChange.objects.exists()
    added = Phone.objects.get(key="fr")
    key = ItemKey("en", "phone", "fr")
    assert (added.live, export_items([key])[key], key in all_item_keys()) == (False, None, False)
    assert Phone.objects.get(is_default=True).key == "us", "a draft takes the mark from nobody"
    added.get_latest_revision().publish()
    assert Phone.objects.get(is_default=True).key == "fr"
    assert export_items([key])[key]


def test_the_order_and_the_key_are_the_row_s(phone: Phone) -> None:
    draft = Phone.objects.get(pk=phone.pk)
    draft.phone = "+44 20 7946 0199"
    revision = draft.save_revision()
    Phone.objects.filter(pk=phone.pk).update(sort_order=7)
    Revision.objects.get(pk=revision.pk).publish()
    phone.refresh_from_db()
    assert (phone.phone, phone.sort_order, phone.live_revision_id) == ("+44 20 7946 0199", 7, revision.pk)


def test_what_offers_no_way_back_stays(admin_client: Client, phone: Phone, sites: Any) -> None:
    menu = MenuSettings.objects.create(site=sites["en"].wagtail_site)
    for row, words in ((Phone.objects.get(key="us"), "it is the default number"), (menu, "has no other to inherit")):
        unpublish = reverse(row.snippet_viewset.get_url_name("unpublish"), args=[row.pk])  # type: ignore[attr-defined]
        assert words in admin_client.post(unpublish, follow=True).content.decode()
        row.refresh_from_db()
        assert row.live


def link(title: str) -> list[dict[str, Any]]:
    return [{"type": "link", "value": {"title": title, "url": "https://x.example"}, "id": "c1"}]


@pytest.mark.postgres
def test_a_site_begins_its_own_as_a_copy_and_gives_it_up_again(admin_client: Client, sites: Any) -> None:
    MenuSettings.objects.create(site=sites["en"].wagtail_site, contact=link("Write to us"))
    key = ItemKey("uk", "menu", "main")
    PendingChange.objects.all().delete()
    listed = admin_client.get("/admin/menus/").content.decode()
    assert "inherited from International" in listed
    reply = admin_client.post("/admin/menus/begin/uk/")
    own = MenuSettings.objects.get(site=sites["uk"].wagtail_site)
    assert reply.url == edit_url(own)
    assert (own.live, own.contact[0].value["title"]) == (False, "Write to us")
    assert not PendingChange.objects.exists()

    draft = own.get_latest_revision_as_object()
    draft.contact = [("link", {"title": "Ring us", "page": None, "anchor": "", "url": "https://x.example"})]
    draft.save_revision().publish()
    body = export_items([key])[key]
    assert body and body["contact"]["title"] == "Ring us"
    listed = admin_client.get("/admin/menus/").content.decode()
    assert "own version" in listed
    admin_client.post(reverse("wagtailsnippets_content_menusettings:unpublish", args=[own.pk]))
    body = export_items([key])[key]
    assert body and body["contact"]["title"] == "Write to us"


def test_a_site_s_footer_is_for_those_who_may_edit_that_site(client: Client, sites: Any) -> None:
    from django.contrib.auth.models import Group, Permission, User
    from wagtail.models import GroupSitePermission

    ours, theirs = (
        FooterSettings.objects.create(site=sites[key].wagtail_site, legal_links=link("L")) for key in ("de", "uk")
    )
    group = Group.objects.create(name="Germany")
    group.permissions.add(Permission.objects.get(codename="access_admin"))
    for action in ("change", "publish"):
        permission = Permission.objects.get(codename=f"{action}_footersettings")
        GroupSitePermission.objects.create(group=group, site=sites["de"].wagtail_site, permission=permission)
    editor = User.objects.create_user("greta", password="x")
    editor.groups.add(group)
    client.force_login(editor)
    listed = client.get("/admin/footers/").content.decode()
    assert ('data-site-setting="de"' in listed, 'data-site-setting="uk"' in listed) == (True, False)
    form = client.get(edit_url(ours)).content.decode()
    assert 'name="action-publish"' in form
    revision = theirs.save_revision()
    views: dict[str, list[Any]] = {
        **{view: [] for view in ("edit", "history", "unpublish", "lock", "unlock", "preview_on_edit")},
        **{view: [revision.pk] for view in ("revisions_view", "revisions_revert", "revisions_unschedule")},
        "revisions_compare": [revision.pk, "latest"],
    }
    for view, more in views.items():
        address = reverse(f"wagtailsnippets_content_footersettings:{view}", args=[theirs.pk, *more])
        assert client.get(address, follow=True).redirect_chain, f"{view} of another site is refused"
    assert client.post("/admin/footers/begin/en/").status_code == 404


def test_redirects_have_a_short_address(admin_client: Client, sites: Any) -> None:
    assert admin_client.get("/admin/redirects/").status_code == 200
    assert admin_client.get("/admin/snippets/content/redirect/add/?source=x").url == "/admin/redirects/add/?source=x"


def test_a_draft_that_refers_to_what_is_gone_still_opens(admin_client: Client, sites: Any) -> None:
    from portolan.content.models import Office, OfficeCategory

    hub, lab = (OfficeCategory.objects.create(key=key, name=key, icon="code") for key in ("hub", "lab"))
    place = {"city": "Dallas", "address": "1 Main St", "country": "us", "lat": 1, "lng": 1}
    office = Office.objects.create(key="dallas", phone="+1 214-555-0140", category=hub, **place)
    office.category = lab
    office.save_revision()
    lab.delete()
    assert Office.objects.get().get_latest_revision_as_object().category == hub
    assert admin_client.get(edit_url(office)).status_code == 200


def test_the_first_edit_keeps_what_was_there(phone: Phone) -> None:
    from wagtail.models import ModelLogEntry

    phone.phone = "+44 20 7946 0199"
    phone.save_revision(log_action=True)
    phone.save_revision(log_action=True)
    first, *rest = Revision.objects.for_instance(phone).order_by("created_at", "pk")
    assert (first.content["phone"], len(rest)) == ("+44 20 7946 0100", 2)
    assert ModelLogEntry.objects.filter(action=FIRST_KEPT, content_changed=True).count() == 1, "it can be gone back to"
    assert Phone.objects.get(pk=phone.pk).live_revision == first


def test_dates_in_a_table() -> None:
    at = datetime(2026, 12, 3, 9, tzinfo=UTC)
    hour = timedelta(hours=1)
    for live, start, end, shown in [
        (True, None, None, True), (False, None, None, False), (True, at, None, True), (True, at + hour, None, False),
        (True, None, at, False), (True, None, at + hour, True), (False, at - hour, at + hour, False),
    ]:  # fmt: skip
        row = Phone(live=live, go_live_at=start, expire_at=end)
        assert row.is_shown(at) == shown, (live, start, end)
