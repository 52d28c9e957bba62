"""The announced consequences of a change match the real ones, on every site."""

import re
from html import unescape

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page

from portolan.content.models import FolderPage, ServicePage
from portolan.content.site_records import SiteRecord
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.studio.deleting import delete_page
from portolan.studio.use_rows import all_below_with_copies, with_copies, with_everything_below
from portolan.studio.what_follows import follow_move, follow_removal, follow_slug

from ..conftest import publish_page
from ..shared_content import ensure, shared

pytestmark = pytest.mark.django_db
NAMES = {"en": "International", "uk": "United Kingdom", "de": "Deutschland"}


@pytest.fixture
def editor(client):
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


def link_to(page):
    return [{"type": "rich_text", "value": {"html": f'<p><a linktype="page" id="{page.pk}">it</a></p>'}, "id": "t"}]


@pytest.fixture
def studio_tree(homes, media):
    """A folder with two pages on en. uk follows, with an override of one and its own page at /web. de translates."""
    return ensure("studio_tree")


@shared("studio_tree", on="sites")
def make_tree(media):
    roots = {record.key: record.wagtail_site.root_page.specific for record in SiteRecord.objects.all()}
    folder = publish_page(roots["en"], FolderPage, "services", title="Services")
    web = publish_page(folder, ServicePage, "web", title="Web")
    app = publish_page(folder, ServicePage, "app", title="App", body=link_to(web))
    ConvertAliasPageAction(app.aliases.get().specific).execute(skip_permission_checks=True)
    archive = publish_page(roots["en"], FolderPage, "archive", title="Archive")
    roots["en"].refresh_from_db()
    draft = roots["en"].add_child(instance=FolderPage(title="Drawer", slug="drawer", live=False))
    publish_page(roots["uk"], ServicePage, "what-we-do", title="Ours", locale=roots["uk"].locale)
    publish_page(
        roots["de"], ServicePage, "netz", title="Netz", locale=roots["de"].locale, translation_key=web.translation_key
    )
    found = {"home": roots["en"], "folder": folder, "web": web, "app": app, "archive": archive, "draft": draft}
    snapshot()
    return {name: page.pk for name, page in found.items()}


def snapshot():
    create_release("test", timezone.now().date())
    reader = connected_reader()
    return {(NAMES[page.site], page.title): page.path for page in reader.pages(reader.latest())}


def get(studio_tree, name):
    return Page.objects.get(pk=studio_tree[name]).specific


def rename(page, slug):
    page.slug = slug
    page.save_revision().publish()


def move(page, parent):
    page.move(parent, pos="last-child")


def delete(page):
    delete_page(page, get_user_model().objects.create_user("anna"))


def removal(collect):
    return lambda page: follow_removal(collect(page))


@pytest.mark.parametrize(
    ("look_ahead", "act", "names", "more", "number"),
    [
        (follow_slug, rename, ["web"], ["sites"], 2),
        (follow_slug, rename, ["folder"], ["offers"], 4),
        (follow_slug, rename, ["folder"], ["what-we-do"], 2),  # on uk a page has it
        (follow_slug, rename, ["app"], ["apps"], 1),  # on uk it has been overridden
        (follow_slug, rename, ["home"], ["en-home"], 0),
        (follow_slug, rename, ["archive"], ["attic"], 0),
        (follow_move, move, ["web", "archive"], [], 2),
        pytest.param(follow_move, move, ["folder", "archive"], [], 4, marks=pytest.mark.postgres),
        (follow_move, move, ["app", "archive"], [], 1),
        (follow_move, move, ["web", "home"], [], 2),
        (follow_move, move, ["web", "draft"], [], 1),  # uk lacks it
        (follow_move, move, ["web", "folder"], [], 0),
        (removal(with_copies), Page.unpublish, ["web"], [], 2),
        (removal(with_everything_below), delete, ["web"], [], 2),
        pytest.param(removal(with_everything_below), delete, ["folder"], [], 4, marks=pytest.mark.postgres),
    ],
)
def test_what_is_foreseen_is_what_happens(studio_tree, look_ahead, act, names, more, number):
    before = snapshot()
    found = look_ahead(*(get(studio_tree, name) for name in names), *more)
    act(*(get(studio_tree, name) for name in names), *more)
    after = snapshot()
    said = {(row.site, row.title): (row.before, row.after) for row in found.addresses}
    assert said == {key: (path, after.get(key)) for key, path in before.items() if after.get(key) != path}
    assert len(said) == found.total == number
    assert not found.problems


@pytest.mark.parametrize(
    ("collect", "names", "found"),
    [
        (with_copies, ["web"], ["en/web", "uk/web"]),
        (with_copies, ["web", "app", "folder"], ["en/app", "en/folder", "en/web", "uk/folder", "uk/web"]),
        (with_everything_below, ["folder", "web"], ["en/app", "en/folder", "en/web", "uk/app", "uk/folder", "uk/web"]),
        (all_below_with_copies, ["web"], []),
        (all_below_with_copies, ["folder"], ["en/app", "en/web", "uk/web"]),
        (all_below_with_copies, ["folder", "web"], ["en/app"]),
        (all_below_with_copies, ["folder", "archive"], ["en/app", "en/web", "uk/web"]),
        (all_below_with_copies, ["draft"], []),
    ],
)
def test_what_goes_with_pages_is_asked_of_all_at_once(
    studio_tree, collect, names, found, django_assert_max_num_queries
):
    pages = [get(studio_tree, name) for name in names]
    with django_assert_max_num_queries(3):
        rows = collect(*pages)
    sites = {record.wagtail_site.root_page.path: record.key for record in SiteRecord.objects.all()}
    slugs = dict(Page.objects.values_list("pk", "slug"))
    assert len(set(rows)) == len(rows)
    place = {row: next(key for path, key in sites.items() if row.path.startswith(path)) for row in rows}
    assert sorted(f"{place[row]}/{slugs[row.pk].replace('services', 'folder')}" for row in rows) == found


def test_copies_that_stay_are_named_with_the_reason(studio_tree):
    (taken,) = follow_slug(get(studio_tree, "folder"), "what-we-do").staying
    assert taken == "The URL stays on United Kingdom, because “Ours” already has the new one there."
    (lacking,) = follow_move(get(studio_tree, "web"), get(studio_tree, "draft")).staying
    assert lacking == "The page stays in place on United Kingdom, because that site does not have the new parent page."


@pytest.mark.parametrize(
    ("slug", "problem"),
    [
        ("app", "“App” already has this URL"),
        ("Web", "cannot be part of a URL"),
        ("a/b", "cannot be part of a URL"),
        ("web", ""),
        ("", ""),
    ],
)
def test_an_address_that_is_taken_or_none_is_said_while_it_is_typed(studio_tree, slug, problem):
    found = follow_slug(get(studio_tree, "web"), slug)
    assert [problem in text for text in found.problems] == [True] * bool(problem)
    assert not found.total


def test_the_tree_of_another_site_publishes_it_nowhere(studio_tree, homes):
    found = follow_move(get(studio_tree, "web"), homes["de"])
    assert "Choose a page of International" in found.problems[0]
    assert found.addresses == [], "it stays where it is"


@pytest.mark.postgres
def test_links_and_translations_are_counted(studio_tree):
    found = follow_slug(get(studio_tree, "web"), "sites")
    assert (found.links.pages, found.links.menus, found.links.footers) == (2, 0, 0)
    assert found.link_sites == ["International", "United Kingdom"]
    assert found.translations == ["Deutschland"]


def test_before_the_first_release_nothing_follows(homes, add_page):
    page = add_page(homes["en"], ServicePage, "web")
    assert follow_slug(page, "sites").total == 0


def texts(reply):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", reply.content.decode())))


def ticked(action, studio_tree, *names):
    url = reverse("wagtail_bulk_action", args=["wagtailcore", "page", action])
    return f"{url}?{'&'.join(f'id={studio_tree[name]}' for name in names)}"


def test_the_move_s_confirmation_says_it(editor, studio_tree):
    url = reverse("wagtailadmin_pages:move_confirm", args=[studio_tree["folder"], studio_tree["archive"]])
    said = texts(editor.get(url))
    assert "“Services” moves below “Archive”, with 2 child pages." in said
    assert "4 URLs change on International, United Kingdom." in said
    assert "/services/web → /archive/services/web" in said
    assert "Links are updated automatically: on 2 pages (texts, buttons, lists)" in said
    assert "Translations on Deutschland keep their URLs." in said
    editor.post(url)
    assert Page.objects.get(pk=studio_tree["web"]).url_path == "/en/archive/services/web/"


def test_the_other_confirmations_say_it(editor, studio_tree):
    delete = texts(editor.get(reverse("wagtailadmin_pages:delete", args=[studio_tree["folder"]])))
    assert "4 URLs are removed on International, United Kingdom. Visitors see" in delete
    unpublish = texts(editor.get(reverse("wagtailadmin_pages:unpublish", args=[studio_tree["folder"]])))
    assert "With the child pages, 3 more URLs are removed on International, United Kingdom." in unpublish
    assert "4 URLs are removed" in texts(editor.get(ticked("delete", studio_tree, "folder")))
    assert "3 URLs are removed" in texts(editor.get(ticked("unpublish", studio_tree, "web", "app")))
    assert "Old URLs redirect to the new ones" in texts(editor.get(ticked("move", studio_tree, "web")))


@pytest.mark.postgres
def test_the_form_asks_while_the_address_is_typed(editor, studio_tree):
    form = editor.get(reverse("wagtailadmin_pages:edit", args=[studio_tree["web"]])).content.decode()
    assert "studio/page-address.js" in form
    url = reverse("studio_page_address", args=[studio_tree["web"]])
    assert url == reverse("wagtailadmin_pages:edit", args=[studio_tree["web"]]).replace("edit/", "address/")
    assert "2 URLs change" in texts(editor.get(url, {"slug": "sites"}))
    assert "already has this URL" in texts(editor.get(url, {"slug": "app"}))
    assert texts(editor.get(url, {"slug": "web"})).strip() == ""
    assert "“&lt;b&gt;” cannot be part" in editor.get(url, {"slug": "<b>"}).content.decode()


def test_who_may_not_edit_is_told_nothing(client, studio_tree):
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(get_user_model().objects.create_user("visitor", password="x"))
    reply = client.get(reverse("studio_page_address", args=[studio_tree["web"]]), {"slug": "sites"})
    assert reply.status_code in (302, 403)
