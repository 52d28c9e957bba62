"""Sites on which visitors would see a change, and the message for people who may not put it live alone."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from wagtail.actions.create_alias import CreatePageAliasAction
from wagtail.models import Page

from portolan.content.change_sets.models import ChangeSet, ChangeSetItem
from portolan.content.going_live import NotAlone, may_publish, sites_going_live
from portolan.content.models import MenuSettings, Office, Redirect, Review
from portolan.content.site_records import SiteRecord
from portolan.domain.roles import parse_site_role
from portolan.studio.permissions import sync_role_group
from portolan.studio.redirects.csv_file import import_plan, plan_import

from .screens import every_api_action
from .world import World

pytestmark = pytest.mark.django_db


def person(*roles: str) -> Any:
    user = get_user_model().objects.get(username="owner")
    user.groups.set([sync_role_group(parse_site_role(role)) for role in roles])
    return get_user_model().objects.get(pk=user.pk)


def sign_in(client: Client, *roles: str) -> Any:
    user = person(*roles)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(user)
    return user


def wants_review(*sites: str) -> None:
    SiteRecord.objects.filter(key__in=sites).update(is_reviewed=True)


def with_text(entry: Any, site: str, field: str) -> Any:
    """Return a draft of the entry with another text on one site."""
    draft = type(entry).objects.get(pk=entry.pk)
    rows = list(draft.translations.all())
    for row in rows:
        if row.locale.record.key == site:
            setattr(row, field, "Other words")
    draft.translations.set(rows)
    return draft


def test_the_sites_on_which_visitors_would_see_a_change(live_world: World) -> None:
    page = {name: Page.objects.get(pk=id).specific for name, id in live_world.pages.items()}
    menus = {str(row.site.record.key): row for row in MenuSettings.objects.all()}
    review = Review.objects.get(pk=live_world.rows["review"][0])
    shared = Review.objects.get(pk=review.pk)
    shared.company = "Other"
    moved = Redirect.objects.get(site="de")
    moved.site_id = "en"
    found = {
        "a page": sites_going_live(page["de"]),
        "one that is inherited": sites_going_live(page["en"]),
        "its copy": sites_going_live(page["copy"]),
        "a menu": sites_going_live(menus["de"]),
        "one that is inherited too": sites_going_live(menus["en"]),
        "a translation": sites_going_live(review, with_text(review, "de", "person")),
        "one that is inherited, too": sites_going_live(review, with_text(review, "en", "person")),
        "what sites share": sites_going_live(review, shared),
        "what every site shows": sites_going_live(Office.objects.get()),
        "a redirect that moves": sites_going_live(Redirect.objects.get(site="de"), moved),
        "a redirect of all": sites_going_live(Redirect.objects.get(site=None)),
    }
    every = {"en", "uk", "de"}
    assert found == {
        "a page": {"de"},
        "one that is inherited": {"en", "uk"},
        "its copy": {"uk"},
        "a menu": {"de"},
        "one that is inherited too": {"en", "uk"},
        "a translation": {"de"},
        "one that is inherited, too": {"en", "uk"},
        "what sites share": every,
        "what every site shows": every,
        "a redirect that moves": {"en", "de"},
        "a redirect of all": every,
    }


def test_who_publishes_for_one_site_publishes_an_entry_s_own_words_alone(live_world: World) -> None:
    review, user = Review.objects.get(pk=live_world.rows["review"][0]), person("editor", "publisher:de")
    assert may_publish(user, review, with_text(review, "de", "person"))
    assert not may_publish(user, review, with_text(review, "en", "person"))
    shared = Review.objects.get(pk=review.pk)
    shared.company = "Other"
    assert not may_publish(user, review, shared)


def test_a_heir_that_is_reviewed_is_asked(live_world: World) -> None:
    wants_review("uk")
    user = person("publisher")
    assert not Page.objects.get(pk=live_world.pages["en"]).specific.permissions_for_user(user).can_publish()
    assert (
        not Page.objects.get(pk=live_world.pages["en-home"]).specific.permissions_for_user(user).can_publish_subpage()
    )
    assert Page.objects.get(pk=live_world.pages["de"]).specific.permissions_for_user(user).can_publish()


def test_redirects_of_a_file_wait_for_their_reviewer(live_world: World) -> None:
    wants_review("de")
    user = person("publisher")
    text = "site,from,to,answer,note\nde,/a,https://example.com/a,,\nen,/a,https://example.com/a,,\nde,/old,https://example.com/b,,\n"
    # The German redirect already has a draft in a change set.
    assert [line.state for line in plan_import(text, user).lines] == ["new", "new", "wrong"]
    ChangeSetItem.objects.filter(change_set=live_world.sets["redirect"]).delete()
    before = Redirect.objects.get(site="de", source="/old").snapshot()
    done = import_plan(text, plan_import(text, user).mark, user)
    assert done and done.change_set
    rows = {(row.site_id, row.source): row for row in Redirect.objects.all()}
    assert not rows["de", "/a"].live
    assert rows["en", "/a"].live
    assert rows["de", "/old"].snapshot() == before
    assert {item.load() for item in done.change_set.items.all()} == {rows["de", "/a"], rows["de", "/old"]}
    assert rows["de", "/old"].latest_revision.as_object().address == "https://example.com/b"


def test_redirects_of_a_file_are_for_sites_where_one_may_publish(live_world: World) -> None:
    text = "site,from,to\nde,/a,https://example.com/a\nen,/a,https://example.com/a\n"
    assert [line.state for line in plan_import(text, person("editor", "publisher:en")).lines] == ["wrong", "new"]


def test_an_earlier_version_is_not_restored_alone(client: Client, live_world: World) -> None:
    wants_review("de")
    sign_in(client, "publisher")
    key = Page.objects.get(pk=live_world.pages["de-edited"]).translation_key
    subject = f"?kind=page&site=de&key={key}"
    shown = client.get(reverse("studio_version_history") + subject + "&release=1").content.decode()
    assert "Deutschland: changes require a review." in shown
    reply = client.post(reverse("studio_restore_version", args=[1]) + subject)
    assert "Nothing was restored. Deutschland" in " ".join(map(str, get_messages(reply.wsgi_request)))


def test_what_a_site_inherits_is_not_restored_from_there(client: Client, live_world: World) -> None:
    """The British site inherits the international menu."""
    sign_in(client, "publisher:uk")
    before = MenuSettings.objects.get(site__record__key="en").latest_revision_id
    client.post(reverse("studio_restore_version", args=[1]) + "?kind=menu&site=uk&key=main")
    assert MenuSettings.objects.get(site__record__key="en").latest_revision_id == before


def test_a_set_with_another_site_s_words_is_not_published(client: Client, live_world: World) -> None:
    sign_in(client, "editor", "publisher:en")
    url = reverse("studio_change_set_step", args=[live_world.sets["review"], "publish"])
    client.post(url)
    assert ChangeSet.objects.get(pk=live_world.sets["review"]).state == "open"
    assert Review.objects.get(pk=live_world.rows["review"][0]).company != "Another"


def test_wagtail_s_own_actions_are_asked_too(live_world: World) -> None:
    """Views in later versions of Wagtail will call them, some without checking rights."""
    user = person("editor", "publisher:en")
    page, parent = (Page.objects.get(pk=live_world.pages[name]).specific for name in ("en", "de-home"))
    for action in (
        CreatePageAliasAction(page, parent=parent, update_slug="alias", user=user),
        Page.objects.get(pk=live_world.pages["de"]).latest_revision,
    ):
        with pytest.raises(NotAlone):
            if isinstance(action, CreatePageAliasAction):
                action.execute(skip_permission_checks=True)
            else:
                action.publish(user=user, skip_permission_checks=True)


@pytest.mark.parametrize("action", every_api_action())
def test_wagtail_s_api_does_nothing_with_pages(client: Client, live_world: World, action: str) -> None:
    sign_in(client, "publisher")
    url = reverse("wagtailadmin_api:pages:action", args=[live_world.pages["de"], action])
    assert client.post(url, {}, content_type="application/json").status_code == 404
