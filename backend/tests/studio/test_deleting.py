"""Deleting a page removes it from the sites. The trash keeps it, and editors can restore it."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Page
from wagtail.search.index import insert_or_update_object

from portolan.content.models import FolderPage, ServicePage
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.retention.guard import remove_overdue
from portolan.retention.models import RetentionCheck
from portolan.studio.bin import old_pages
from portolan.studio.deleting import delete_page
from portolan.studio.models import DeletedPage
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
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    create_release("test", timezone.now().date())
    return page


def released():
    create_release("test", timezone.now().date())
    reader = connected_reader()
    return {(item.site, item.key, item.digest) for item in reader.items(reader.latest()) if item.kind == "page"}


def delete(client, page):
    return client.post(reverse("wagtailadmin_pages:delete", args=[page.pk]), follow=True)


def restore(client, page):
    held = Page.objects.get(pk=page.pk).get_parent()
    return client.post(reverse("studio_restore_page", args=[held.pk]), follow=True)


@pytest.mark.postgres
def test_a_deleted_page_is_gone_from_all_sites_and_comes_back_whole(editor, page):
    before = released()
    copy = page.aliases.get()
    revisions = page.revisions.count()
    assert "can be restored" in delete(editor, page).content.decode()
    assert {key for _, key, _ in before - released()} == {str(page.translation_key)}
    assert {site for site, *_ in released()} == {"en", "uk", "de"}, "home pages stay"
    listed = editor.get(reverse("studio_deleted_pages")).content.decode()
    assert "<td>Web</td>" in listed
    assert re.search(r"GMT</time>, Anna</td>", listed)
    assert "is restored to its previous place" in restore(editor, page).content.decode()
    assert released() == before
    again = ServicePage.objects.get(pk=page.pk)
    assert (again.live, again.revisions.count(), again.aliases.get()) == (True, revisions, copy)
    assert not DeletedPage.objects.exists()


def test_pages_below_and_their_copies_go_and_come_along(editor, homes, add_page):
    folder = add_page(homes["en"], FolderPage, "services", title="Services")
    add_page(folder, ServicePage, "web", title="Web")
    before = released()
    folder.refresh_from_db()
    user = get_user_model().objects.create_superuser("root", password="x")
    editor.force_login(user)
    delete(editor, folder)
    assert len(before - released()) == 2, "on en and on uk"
    restore(editor, folder)
    assert released() == before


def test_what_is_deleted_on_an_heir_alone_stays_away_there(editor, page):
    copy = page.aliases.get()
    delete(editor, copy)
    assert "uk" not in {site for site, key, _ in released() if key == str(page.translation_key)}
    page.save_revision().publish()
    assert "uk" not in {site for site, key, _ in released() if key == str(page.translation_key)}
    restore(editor, copy)
    assert "uk" in {site for site, key, _ in released() if key == str(page.translation_key)}


def test_its_address_is_free_and_a_page_that_took_it_is_named(editor, page, homes, add_page):
    delete(editor, page)
    add_page(homes["en"], ServicePage, "web", title="Another")
    assert "now has the URL" in restore(editor, page).content.decode()
    assert DeletedPage.objects.exists()


def test_below_a_deleted_page_nothing_is_restored(editor, homes, add_page):
    folder = add_page(homes["en"], FolderPage, "services", title="Services")
    web = add_page(folder, ServicePage, "web", title="Web")
    delete(editor, web)
    delete(editor, Page.objects.get(pk=folder.pk))
    assert "Restore the parent page first" in restore(editor, web).content.decode()


def test_many_at_once_can_be_restored_too(editor, page, homes, add_page):
    other = add_page(homes["en"], ServicePage, "app", title="App")
    url = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "delete"])
    editor.post(f"{url}?id={page.pk}&id={other.pk}&next=/admin/")
    assert DeletedPage.objects.filter(together_with=None).count() == 2
    assert Page.objects.filter(pk__in=[page.pk, other.pk]).count() == 2


def test_no_site_loses_its_home_page(client, homes):
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    assert "is the home page of a site" in delete(client, homes["de"]).content.decode()
    assert Page.objects.filter(pk=homes["de"].pk, depth=2).exists()


def test_it_is_gone_from_tree_and_choosers_and_nobody_edits_it(editor, page, homes):
    insert_or_update_object(page)  # in the index of the search, which is otherwise written after the transaction
    edit = reverse("wagtailadmin_pages:edit", args=[page.pk])

    def shown():
        tree = editor.get(reverse("wagtailadmin_explore", args=[homes["en"].pk])).content.decode()
        below = editor.get(reverse("wagtailadmin_choose_page_child", args=[page.get_parent().pk])).json()["html"]
        found = editor.get(reverse("wagtailadmin_choose_page_search") + "?q=Web").content.decode()
        return [edit in tree, *(f'data-id="{page.pk}"' in html for html in (below, found))]

    assert shown() == [True, True, True]
    delete(editor, page)
    page.refresh_from_db()
    assert shown() == [False, False, False]
    assert editor.get(edit).url == reverse("studio_deleted_pages")


def test_who_may_not_delete_deletes_nothing(client, page):
    client.force_login(get_user_model().objects.create_user("visitor", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    delete(client, page)
    assert not DeletedPage.objects.exists()


def test_deleted_pages_go_for_good_after_thirty_days(editor, homes, add_page):
    old, new = (add_page(homes["en"], FolderPage, slug, title=slug.title()) for slug in ("old", "new"))
    add_page(old, ServicePage, "inner", title="Inner")
    anna = get_user_model().objects.get()
    for page in (old, new):
        delete_page(page, anna)
    now = timezone.now()
    aged = DeletedPage.objects.filter(title="Old")
    aged_count = aged.update(deleted_at=now - timedelta(days=31))
    assert "Pages are permanently deleted after 30 days" in editor.get(reverse("studio_deleted_pages")).content.decode()
    held = set(DeletedPage.objects.exclude(pk__in=aged).values_list("pk", flat=True))
    assert remove_overdue(old_pages(now), now) == aged_count > 0
    assert set(DeletedPage.objects.values_list("pk", flat=True)) == held
    assert not Page.objects.filter(slug__in=["old", "inner"]).exists()
    assert Page.objects.filter(slug="new").exists()
    assert remove_overdue(old_pages(now), now) == 0


def test_a_clock_that_jumps_lets_no_page_go_until_somebody_confirms_it(editor, page):
    delete(editor, page)
    remove_overdue(old_pages(timezone.now()), timezone.now())
    DeletedPage.objects.update(deleted_at=timezone.now() - timedelta(days=40))
    RetentionCheck.objects.update(seen_at=timezone.now() - timedelta(days=60))
    assert remove_overdue(old_pages(timezone.now()), timezone.now()) == 0
    shown = editor.get(reverse("studio_deleted_pages")).content.decode()
    assert "were not deleted automatically: the clock shows" in shown
    assert "1 older pages" in shown or "2 older pages" in shown
    assert editor.post(reverse("studio_empty_deleted_pages")).status_code == 302
    assert DeletedPage.objects.exists(), "who publishes on some sites alone confirms nothing"
    editor.force_login(get_user_model().objects.create_superuser("root"))
    editor.post(reverse("studio_empty_deleted_pages"))
    assert not DeletedPage.objects.exists()
