"""A page that a site follows can be hidden there, without its own version."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from portolan.content.models import ServicePage
from portolan.releases.models import PendingChange
from portolan.studio.permissions import sync_editors_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client):
    user = get_user_model().objects.create_user("somebody", password="x")
    user.groups.add(sync_editors_group())
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@pytest.fixture
def source(homes, add_page):
    return add_page(homes["en"], ServicePage, "web", title="Web")


@pytest.fixture
def copy(source, live_copy):
    return live_copy(source, "uk")


def toggle(editor, page):
    return editor.post(reverse("studio_toggle_hidden", args=[page.pk]))


def test_is_hidden_and_shown_again_with_a_button(editor, copy):
    url = reverse("wagtailadmin_pages:edit", args=[copy.pk])
    assert "Hide on this site" in editor.get(url).content.decode()
    assert toggle(editor, copy).url == url
    copy.refresh_from_db()
    assert copy.hidden_here
    assert copy.alias_of_id
    assert "Show on this site" in editor.get(url).content.decode()
    toggle(editor, copy)
    copy.refresh_from_db()
    assert not copy.hidden_here


def test_goes_live_like_any_edit_and_stays_on_other_sites(editor, source, copy):
    PendingChange.objects.all().delete()
    toggle(editor, copy)
    assert ("uk", str(copy.translation_key)) in PendingChange.objects.values_list("site", "key")
    source.refresh_from_db()
    assert not source.hidden_here


def test_stays_hidden_when_the_source_changes(editor, source, copy):
    toggle(editor, copy)
    source.title = "Changed"
    source.save_revision().publish()
    copy.refresh_from_db()
    assert (copy.title, copy.hidden_here) == ("Changed", True)


def test_a_page_with_a_form_of_its_own_is_hidden_there(editor, source):
    assert toggle(editor, source).status_code == 404


def test_looking_changes_nothing(editor, copy):
    assert editor.get(reverse("studio_toggle_hidden", args=[copy.pk])).status_code == 405


def test_who_may_not_publish_may_not_hide(client, copy):
    visitor = get_user_model().objects.create_user("visitor", password="x")
    client.force_login(visitor)
    client.post(reverse("studio_toggle_hidden", args=[copy.pk]), headers={"Host": "studio.localhost"})
    copy.refresh_from_db()
    assert not copy.hidden_here


def test_says_that_it_is_hidden_and_not_that_it_is_live(editor, homes, copy):
    toggle(editor, copy)
    form = editor.get(reverse("wagtailadmin_pages:edit", args=[copy.pk])).content.decode()
    assert "Hidden on this site" in form
    assert "Visit the live page" not in form
    assert ">\n                        Live\n" not in form
    row = editor.get(reverse("wagtailadmin_explore", args=[homes["uk"].pk])).content.decode()
    assert "hidden on this site" in row
    assert "Visit the live page" not in row.partition("listing")[2].partition(copy.title)[2].partition("</tr>")[0]


def test_a_page_of_its_own_says_so_too(editor, source):
    source.hidden_here = True
    source.save_revision().publish()
    assert "Hidden on this site" in editor.get(reverse("wagtailadmin_pages:edit", args=[source.pk])).content.decode()
    assert source.url is None
