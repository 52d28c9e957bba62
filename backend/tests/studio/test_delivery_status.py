"""Editors see the delivery of a publish: a blocked edge does not show it yet, and then it does."""

import asyncio
import html
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from wagtail.test.utils.form_data import nested_form_data, querydict_from_html, rich_text, streamfield

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.live import Pin, switch_live
from portolan.content.collections.phones import Phone
from portolan.content.models import LegalPage, MenuSettings, Redirect, ServicePage
from portolan.edge.app import Edge
from portolan.releases.author import acting_as
from portolan.releases.create import create_release
from portolan.releases.models import Release, Verification
from portolan.studio.checks import form as checked_form

from ..edge.conftest import echo
from ..edge.upstream import running
from .published import opening, publish, world

__all__ = ["publish", "world"]

pytestmark = pytest.mark.django_db


class ServedEdge:
    """An edge reached by HTTP, only for GET."""

    def __init__(self, builds: Path, media: Path) -> None:
        self._edge = Edge(builds, media, lambda: echo)
        self.port = 0

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[:-2]
        path = line.split(b" ")[1]
        headers = [(name.lower(), value.strip()) for name, _, value in (each.partition(b":") for each in lines)]
        scope = {
            "type": "http", "method": "GET", "scheme": "http", "path": path.decode(), "raw_path": path,
            "query_string": b"", "headers": headers, "extensions": {}, "client": ("127.0.0.1", 5000),
        }  # fmt: skip

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message) -> None:
            if message["type"] == "http.response.start":
                head = b"".join(b"%b: %b\r\n" % each for each in message["headers"])
                writer.write(b"HTTP/1.1 %d OK\r\nConnection: close\r\n%b\r\n" % (message["status"], head))
            else:
                writer.write(message["body"])

        await self._edge(scope, receive, send)
        writer.close()


@pytest.fixture
def edges(settings, tmp_path):
    """Return the edge that serves the live build, and one for de with a copied folder. ``catch_up`` copies new files."""
    builds, blocked = settings.BUILDS_DIR, tmp_path / "held"
    edge, late = ServedEdge(builds, tmp_path / "media"), ServedEdge(blocked, tmp_path / "media")
    with running(edge, late):
        registry = settings.SITES_REGISTRY
        ports = {key: (late if key == "de" else edge).port for key in registry.sites}
        settings.SITE_ORIGINS = {key: site.origin("local", ports[key]) for key, site in registry.sites.items()}

        def catch_up() -> None:
            shutil.copytree(builds, blocked, dirs_exist_ok=True)
            for folder, port in ((builds, edge.port), (blocked, late.port)):
                write_hosts(folder, build_hosts(registry, "local", port))

        yield catch_up


@pytest.fixture
def editor(client):
    user = User.objects.create_superuser("anna", password="x", first_name="Anna", last_name="Weber")
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    cache.clear()
    return client


@pytest.fixture
def page(world, homes, add_page, publish, edges):
    """A page of the German site: live, then published with another title, which de's own edge lacks."""
    page = add_page(homes["de"], ServicePage, "netz", title="Netz", body=[opening("Netz")])
    publish("seed")
    edges()
    with acting_as("Anna Weber"):
        page.title = "Netz und mehr"
        page.save_revision().publish()
    publish("publisher")
    return page


def look(editor) -> str:
    cache.clear()
    reply = editor.post(reverse("studio_look", args=[2]) + "?part=list")
    assert reply.status_code == 200
    return reply.content.decode()


def test_an_edge_that_is_blocked_is_not_yet_live_and_then_it_is(editor, page, edges, settings):
    shown = editor.get(reverse("studio_release", args=[2])).content.decode()
    assert "<bdi>Anna Weber</bdi></strong>" in shown
    assert "Netz<ins> und mehr</ins>" in shown
    assert f'href="{settings.SITE_ORIGINS["de"]}/netz"' in shown
    assert 'data-delivery-site="de" data-state="rendered"' in shown
    assert "Live on Deutschland. The site has not been checked yet." in shown
    assert "Live " in shown and " s after saving" in shown
    said = look(editor)
    assert 'data-delivery-site="de" data-state="rendered"' in said
    assert f"still shows the previous version of {settings.SITE_ORIGINS['de']}/netz." in said
    assert 'data-delivery-site="en"' not in said, "it does not concern the international site"
    edges()
    said = look(editor)
    assert 'data-delivery-site="de" data-state="verified"' in said
    assert "data-settled" in said
    verified = Verification.objects.get()
    assert (verified.release, verified.site, verified.verdict, verified.pages) == (2, "de", "same", 1)
    line = editor.post(f"{reverse('studio_follow')}?kind=page&site=de&key={page.translation_key}").content.decode()
    assert "<bdi>Deutschland</bdi>: live, verified" in line
    assert "“Netz und mehr” is live." in line
    assert Verification.objects.get().at == verified.at, "what is verified stays so, and since when"


def test_the_message_after_publishing_follows_whatever_the_release_takes(
    editor, world, homes, add_page, publish, edges, monkeypatch
):
    monkeypatch.setattr(checked_form, "check_draft", lambda page: [])  # the made-up renderer draws no headings
    text = {"tone": "paper", "anchor": "", "anchor_title": ""}
    body = [{"type": "rich_text", "id": "a", "value": {**text, "html": "<p>Wir.</p>"}}]
    page = add_page(homes["de"], LegalPage, "netz", title="Netz", body=body)
    publish("seed")
    url = reverse("wagtailadmin_pages:edit", args=[page.pk])
    typed = streamfield([("rich_text", {**text, "html": rich_text("<p>Wir alle.</p>")})])
    sent = nested_form_data({"title": "Netz und mehr", "slug": "netz", "body": {**typed, "0-id": "a"}})
    form = {**sent, "comments-TOTAL_FORMS": 0, "comments-INITIAL_FORMS": 0, "action-publish": "action-publish"}
    answer = editor.post(url, form, headers={"Accept": "application/json"}).json()
    assert answer["success"], answer
    (message,) = answer["messages"]
    follow = html.unescape(re.search(r'data-url="([^"]+)"', message["html"])[1])

    def told() -> str:
        cache.clear()
        return editor.post(follow).content.decode()

    for said in (message["html"], told()):
        assert "“Netz und mehr” is saved and is going live." in said
        assert "data-settled" not in said
        assert "data-delivery-site" not in said, "no release has it yet"
    create_release("publisher", timezone.now().date())
    said = told()
    assert 'data-state="released"' in said and ": not live yet" in said and "going live" in said
    publish("publisher")
    said = told()
    assert "going live" in said and "is live." not in said, "its own edge is behind"
    edges()
    said = told()
    assert "“Netz und mehr” is live." in said and ": live, verified" in said and "data-settled" in said
    assert reverse("studio_release", args=[2]) in said
    assert "not yet" not in said and "on its way" not in said
    assert "View live" in said


def test_who_may_not_edit_a_thing_is_not_told_of_it(editor, page, client):
    address = f"{reverse('studio_follow')}?kind=page&site=de&key={page.translation_key}"
    assert editor.get(address).status_code == 405
    assert editor.post(f"{address[:-4]}0000").status_code in (403, 404)
    guest = User.objects.create_user("guest", password="x")
    guest.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(guest)
    assert client.post(address).status_code in (302, 403)


def test_an_entry_that_is_published_by_script_is_followed_too(editor, homes):
    phone = Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    url = f"/admin/snippets/content/phone/edit/{phone.pk}/"
    form = querydict_from_html(editor.get(url).content.decode(), form_id="w-editor-form")
    form["phone"], form["action-publish"] = "+1 214-555-0199", "action-publish"
    answer = editor.post(url, form, headers={"Accept": "application/json"}).json()
    assert answer["success"], answer
    assert "is saved and is going live." in answer["messages"][0]["html"]
    assert "?kind=phone&amp;key=us" in answer["messages"][0]["html"]
    assert Phone.objects.get().live_revision_id == answer["revision_id"]
    form["phone"] = ""
    refused = editor.post(url, form, headers={"Accept": "application/json"})
    assert refused.json()["success"] is False


def test_without_scripts_a_button_asks_and_a_site_that_is_away_is_said_to_be(editor, page, settings):
    settings.SITE_ORIGINS = {**settings.SITE_ORIGINS, "de": "http://de.localhost:1"}
    shown = editor.post(reverse("studio_look", args=[2]), follow=True).content.decode()
    assert 'data-delivery-site="de" data-state="rendered"' in shown
    assert "http://de.localhost:1/netz could not be checked: connecting failed" in shown
    assert editor.get(reverse("studio_look", args=[2])).status_code == 405


def test_a_release_that_is_pinned_is_blocked_and_says_why(editor, page, settings):
    live = settings.BUILDS_DIR
    builds = [file.stem for file in (live / "manifests/de").glob("*.json")]
    earlier = next(build for build in builds if "-1-" in build)
    switch_live(live, {"de": earlier}, release=1, pin=Pin("2026-11-20T09:30:00+00:00", "Ben"))
    said = look(editor)
    assert 'data-delivery-site="de" data-state="blocked"' in said
    assert "(by Ben)" in said


def test_a_page_tells_its_version_history_and_can_be_as_it_was(editor, page, client):
    edit = editor.get(reverse("wagtailadmin_pages:edit", args=[page.pk])).content.decode()
    address = f"{reverse('studio_version_history')}?kind=page&site=de&key={page.translation_key}"
    assert address.replace("&", "&amp;") in edit
    assert "Current version live since" in edit
    shown = editor.get(f"{address}&release=1").content.decode()
    assert "by Anna Weber" in shown.replace("<bdi>", "").replace("</bdi>", "")
    assert "Restore the version of release 1" in shown
    assert "Netz<del> und mehr</del>" in shown
    said = editor.post(
        reverse("studio_restore_version", args=[1]) + f"?kind=page&site=de&key={page.translation_key}", follow=True
    ).content.decode()
    assert "The version of release 1 is restored by release 3." in said
    page.refresh_from_db()
    assert page.title == "Netz"
    subject = f"?kind=page&site=de&key={page.translation_key}"
    said = editor.post(reverse("studio_restore_version", args=[9]) + subject, follow=True).content.decode()
    assert "There is no release 9" in said
    guest = User.objects.create_user("guest", password="x")
    guest.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(guest)
    for url in (address, reverse("studio_releases"), reverse("studio_release", args=[2])):
        assert client.get(url).status_code in (302, 403), url
    reply = client.post(reverse("studio_restore_version", args=[2]) + f"?kind=page&site=de&key={page.translation_key}")
    assert reply.status_code in (302, 403)
    page.refresh_from_db()
    assert page.title == "Netz"


def test_an_entrys_header_leads_to_its_version_history_and_what_it_was_is_restored(editor, homes):
    snapshot = partial(create_release, "publisher", timezone.now().date())
    phone = Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    snapshot()
    with acting_as("Anna Weber"):
        phone.phone = "+1 214-555-0199"
        phone.save()
    snapshot()
    form = editor.get(f"/admin/snippets/content/phone/edit/{phone.pk}/").content.decode()
    address = f"{reverse('studio_version_history')}?kind=phone&key=us"
    assert form.count(address.replace("&", "&amp;")) == 2, "in the header, and beside its status"
    shown = editor.get(f"{address}&release=1").content.decode()
    assert "<bdi>Phone</bdi></a> <small>International" in shown
    assert "+1 214-555-<del>0199</del>" in shown and "+1 214-555-<ins>0140</ins>" in shown
    said = editor.post(reverse("studio_restore_version", args=[1]) + "?kind=phone&key=us", follow=True).content.decode()
    assert "The version of release 1 is restored by release 3." in said
    phone.refresh_from_db()
    assert phone.phone == "+1 214-555-0140"
    assert Release.objects.get(number=3).created_by == "Anna Weber"
    for wrong in ("kind=page&site=&key=x", "kind=menu&site=xx&key=main", "kind=nothing&site=en&key=x"):
        assert editor.get(f"{reverse('studio_version_history')}?{wrong}").status_code == 404, wrong


def test_menus_and_redirects_lead_to_their_lives_too(editor, homes):
    menu = MenuSettings.objects.create(
        site=homes["en"].get_site(), contact=[("link", {"title": "L", "url": "https://x.example"})]
    )
    rule = Redirect.objects.create(site_id="de", source="/alt", page=homes["de"])
    for row, of in ((menu, "kind=menu&amp;site=en&amp;key=main"), (rule, "kind=redirect&amp;site=de&amp;key=%2Falt")):
        form = editor.get(reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])).content.decode()
        assert f'href="{reverse("studio_version_history")}?{of}"' in form
        assert "Version history" in form
