"""Role by site by action by URL: forbidden actions are hidden, and refused by their URL too."""

import re
from typing import NamedTuple

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Page

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.collections.offices import Office, OfficeCategory
from portolan.content.collections.reviews import Review, ReviewTranslation
from portolan.content.navigation.menu import MenuSettings
from portolan.content.pages.folder import FolderPage
from portolan.content.redirects import Redirect
from portolan.content.site_records import SiteRecord
from portolan.domain.roles import ALL_SITES, Action, Role, SiteRole, actions_of
from portolan.leads.models import Lead
from portolan.releases.create import create_release
from portolan.studio.permissions import sync_role_group

from ..shared_content import ensure, shared

pytestmark = pytest.mark.django_db
OWN, OTHER = "de", "en"


class World(NamedTuple):
    """Primary keys, by site where there is one for each."""

    home: dict[str, int]
    live: dict[str, int]
    draft: dict[str, int]
    review: dict[str, int]
    office: int
    redirect: dict[str, int]
    lead: dict[str, str]
    site: dict[str, int]


@pytest.fixture
def world(sites, settings):
    registry = settings.SITES_REGISTRY
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {key: registry.sites[key] for key in sites}})
    return ensure("role_studio")


@shared("role_studio", on="sites")
def make_world(media):
    records = {record.key: record for record in SiteRecord.objects.filter(key__in=(OWN, OTHER))}
    world = World({}, {}, {}, {}, 0, {}, {}, {})
    for key, record in records.items():
        home = record.wagtail_site.root_page
        world.home[key] = home.pk
        world.site[key] = MenuSettings.objects.create(site=record.wagtail_site, items=[], contact=[]).pk
        live = home.add_child(instance=FolderPage(title=f"Live {key}", slug="live"))
        live.save_revision().publish()
        world.live[key] = live.pk
        world.draft[key] = home.add_child(instance=FolderPage(title="Draft", slug="draft", live=False)).pk
        review = Review(key=f"review-{key}", company=f"Company {key}", country="de", score=5)
        review.translations = [
            ReviewTranslation(locale=record.locale, person=f"Person {key}", role="CEO", text="Good.")
        ]
        review.save()
        world.review[key] = review.pk
        world.redirect[key] = Redirect.objects.create(site=record, source="/old", address="/new").pk
        world.lead[key] = str(
            Lead.objects.create(site=key, form="contact", fields={"form": "contact"}, created_at=timezone.now()).pk
        )
    review = Review(key="review-both", company="Both", country="de", score=5)
    review.translations = [
        ReviewTranslation(locale=record.locale, person=f"Person of {key}", role="CEO", text="Good.")
        for key, record in records.items()
    ]
    review.save()
    world.review["both"] = review.pk
    hub = OfficeCategory.objects.create(key="hub", name="Hub", icon="map-pin")
    office = Office.objects.create(
        key="berlin", city="Berlin", country="de", address="Street 1", category=hub, lat=52.5, lng=13.4
    )
    world.redirect[ALL_SITES] = Redirect.objects.create(source="/older", address="/new").pk
    for role in Role:
        get_user_model().objects.create_user(role.value).groups.add(sync_role_group(SiteRole(role, OWN)))
    return world._replace(office=office.pk)


def as_somebody(client, name):
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(get_user_model().objects.get(username=name))
    return client


def is_allowed(reply):
    """A refusal redirects to the dashboard with a message or to the user's own page, or is a 404."""
    assert reply.status_code in (200, 302, 403, 404), reply.status_code
    return reply.status_code == 200


REDIRECT, REVIEW, OFFICE = (f"wagtailsnippets_content_{model}" for model in ("redirect", "review", "office"))
ONE_SITE = {
    "explore": (Action.SEE, lambda world, site: reverse("wagtailadmin_explore", args=[world.home[site]])),
    "edit a page": (Action.TRANSLATE, lambda world, site: reverse("wagtailadmin_pages:edit", args=[world.live[site]])),
    "add a page": (Action.EDIT, lambda world, site: reverse("wagtailadmin_pages:add", args=["content", "folderpage", world.home[site]])),
    "delete a draft": (Action.EDIT, lambda world, site: reverse("wagtailadmin_pages:delete", args=[world.draft[site]])),
    "move a draft": (Action.EDIT, lambda world, site: reverse("wagtailadmin_pages:move", args=[world.draft[site]])),
    "copy a page": (Action.EDIT, lambda world, site: reverse("wagtailadmin_pages:copy", args=[world.live[site]])),
    "unpublish a page": (Action.PUBLISH, lambda world, site: reverse("wagtailadmin_pages:unpublish", args=[world.live[site]])),
    "delete a page": (Action.PUBLISH, lambda world, site: reverse("wagtailadmin_pages:delete", args=[world.live[site]])),
    "edit the menu": (Action.TRANSLATE, lambda world, site: reverse("wagtailsnippets_content_menusettings:edit", args=[world.site[site]])),
    "delete a review": (Action.PUBLISH, lambda world, site: reverse(f"{REVIEW}:delete", args=[world.review[site]])),
    "edit a redirect": (Action.EDIT, lambda world, site: reverse(f"{REDIRECT}:edit", args=[world.redirect[site]])),
    "delete a redirect": (Action.PUBLISH, lambda world, site: reverse(f"{REDIRECT}:delete", args=[world.redirect[site]])),
    "read a lead": (Action.SEE_LEADS, lambda world, site: reverse("studio_lead", args=[world.lead[site]])),
}  # fmt: skip
"""Screens for a site's own content."""
ANY_SITE = {
    "deleted pages": (Action.EDIT, lambda world: reverse("studio_deleted_pages")),
    "former addresses": (Action.SEE, lambda world: reverse("studio_former_addresses")),
    "reviews": (Action.SEE, lambda world: reverse(f"{REVIEW}:list")),
    "read a review": (Action.SEE, lambda world: reverse(f"{REVIEW}:inspect", args=[world.review["both"]])),
    "redirects": (Action.SEE, lambda world: reverse(f"{REDIRECT}:list")),
    "download redirects": (Action.SEE, lambda world: reverse("studio_redirects_export")),
    "upload redirects": (Action.PUBLISH, lambda world: reverse("studio_redirects_import")),
    "translate another's review": (
        Action.TRANSLATE,
        lambda world: reverse(f"{REVIEW}:edit", args=[world.review["en"]]),
    ),
    "translate an office": (Action.TRANSLATE, lambda world: reverse(f"{OFFICE}:edit", args=[world.office])),
    "leads": (Action.SEE_LEADS, lambda world: reverse("studio_leads")),
    "download leads": (Action.EXPORT_LEADS, lambda world: reverse("studio_leads_export")),
    "upload a picture": (Action.EDIT, lambda world: reverse("wagtailimages:add")),
    "users": (Action.ADMINISTER, lambda world: reverse("wagtailusers_users:index")),
}
"""Screens that a role on one site opens, with that site's content only."""
ALL_ALONE = {
    "delete what other sites show": lambda world: reverse(f"{REVIEW}:delete", args=[world.review["both"]]),
    "reorder what all sites show": lambda world: reverse(f"{REVIEW}:reorder", args=[world.review["de"]]),
    "delete an office": lambda world: reverse(f"{OFFICE}:delete", args=[world.office]),
    "add an office": lambda world: reverse(f"{OFFICE}:add"),
    "redirect all sites": lambda world: reverse(f"{REDIRECT}:edit", args=[world.redirect[ALL_SITES]]),
    "erase a person": lambda world: reverse("studio_leads_erase"),
    "sign-ins": lambda world: reverse("studio_sign_ins"),
    "consent records": lambda world: reverse("studio_consent"),
    "groups": lambda world: reverse("wagtailusers_groups:index"),
    "sites": lambda world: reverse("wagtailsites:index"),
    "go back to a release": lambda world: reverse("studio_show_again", args=[1]),
}
"""Screens that need a role on all sites."""


@pytest.mark.parametrize("role", Role)
def test_every_address_is_open_to_whom_the_table_says(client, world, role):
    as_somebody(client, role.value)
    actions = actions_of(SiteRole(role, OWN))
    expected = {
        (name, site): site == OWN and action in actions
        for name, (action, _) in ONE_SITE.items()
        for site in (OWN, OTHER)
    }
    expected |= {(name, "any"): action in actions for name, (action, _) in ANY_SITE.items()}
    expected |= {(name, "all"): False for name in ALL_ALONE}
    found = {
        (name, site): is_allowed(client.get(url(world, site)))
        for name, (_, url) in ONE_SITE.items()
        for site in (OWN, OTHER)
    }
    found |= {(name, "any"): is_allowed(client.get(url(world))) for name, (_, url) in ANY_SITE.items()}
    found |= {(name, "all"): is_allowed(client.get(url(world))) for name, url in ALL_ALONE.items()}
    wrong = {key: is_open for key, is_open in found.items() if is_open != expected[key]}
    assert not wrong, f"{role}: open to whom they should not, or the other way round: {wrong}"


def menu_of(client):
    return client.get(reverse("wagtailadmin_home")).content.decode()


def test_what_one_may_not_do_is_not_shown(client, world):
    shown = menu_of(as_somebody(client, "lead-handler"))
    assert reverse("studio_leads") in shown
    for name in (
        "studio_deleted_pages",
        "studio_sign_ins",
        "wagtailusers_users:index",
        f"{REDIRECT}:list",
        "studio_releases",
    ):
        assert reverse(name) not in shown, name
    listed = client.get(reverse("studio_leads"), {"state": "all"}).content.decode()
    assert world.lead[OWN] in listed
    assert world.lead[OTHER] not in listed
    assert f'<option value="{OTHER}"' not in listed
    assert reverse("studio_leads_erase") not in listed
    listed = as_somebody(client, "publisher").get(reverse(f"{REVIEW}:list")).content.decode()
    assert reverse(f"{REVIEW}:delete", args=[world.review[OWN]]) in listed
    assert reverse(f"{REVIEW}:delete", args=[world.review["both"]]) not in listed
    assert ":reorder" not in listed
    listed = as_somebody(client, "reader").get(reverse(f"{REVIEW}:list")).content.decode()
    assert "Company de" in listed
    assert reverse(f"{REVIEW}:edit", args=[world.review[OWN]]) not in listed
    assert reverse(f"{REVIEW}:add") not in listed


def test_decisions_are_made_about_one_s_own_leads_alone(client, world):
    as_somebody(client, "lead-handler")
    client.post(reverse("studio_leads_decide"), {"decision": "done", "lead": [world.lead[OWN], world.lead[OTHER]]})
    assert {lead.site: lead.state for lead in Lead.objects.all()} == {OWN: "done", OTHER: "open"}


def rows_of(page):
    """Return the form's fields with their current values."""
    fields = dict.fromkeys(re.findall(r'<textarea[^>]*name="([^"]+)"', page), "")
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and "checkbox" not in tag:
            fields[name[1]] = value[1] if value else ""
    return fields


def test_translations_of_other_sites_and_what_all_share_stay_as_they_are(client, world):
    """A forged form has more fields than the shown one."""
    as_somebody(client, "publisher")
    url = reverse(f"{REVIEW}:edit", args=[world.review["both"]])
    page = client.get(url).content.decode()
    assert "Person of de" in page
    assert "Person of en" not in page
    review = Review.objects.get(pk=world.review["both"])
    own, other = (review.translations.get(locale__record__key=key) for key in (OWN, OTHER))
    row = {
        "translations-0-id": own.pk,
        "translations-0-locale": own.locale_id,
        "translations-0-role": "CEO",
        "translations-0-text": "Gut.",
    }
    form = {
        **rows_of(page), **row, "translations-0-person": "Neu", "company": "Taken over", "score": "1", "country": "pl", "action-publish": "action-publish",
        "translations-TOTAL_FORMS": "2", "translations-INITIAL_FORMS": "1", "translations-1-id": other.pk,
        "translations-1-locale": other.locale_id, "translations-1-person": "Stolen", "translations-1-text": "x",
    }  # fmt: skip
    client.post(url, form)
    assert sorted(review.translations.values_list("person", flat=True)) == ["Person of de", "Person of en"]
    client.post(
        url,
        {name: value for name, value in form.items() if not name.startswith("translations-1")}
        | {"translations-TOTAL_FORMS": "1"},
    )
    review.refresh_from_db()
    assert sorted(review.translations.values_list("person", flat=True)) == ["Neu", "Person of en"]
    assert (review.company, review.score, review.country) == ("Both", 5, "de")


def test_who_publishes_for_one_site_leaves_what_others_changed_a_draft(client, world):
    """A user for all sites has changed shared content and another site's words. A publisher of one site may publish
    neither.
    """
    review = Review.objects.get(pk=world.review["both"])
    draft = review.get_latest_revision_as_object() if review.latest_revision_id else review
    draft.company = "Renamed"
    rows = list(draft.translations.all())
    for row in rows:
        if row.locale.record.key == OTHER:
            row.person = "Other words"
    draft.translations.set(rows)
    draft.save_revision()
    own = review.translations.get(locale__record__key=OWN)

    def state():
        live = Review.objects.get(pk=review.pk)
        newest = live.get_latest_revision_as_object()
        return [
            (each.company, sorted(row.person for row in each.translations.all()), each.has_unpublished_changes)
            for each in (live, newest)
        ]

    as_somebody(client, "publisher")
    url = reverse(f"{REVIEW}:edit", args=[review.pk])

    def publish(person):
        form = {
            **rows_of(client.get(url).content.decode()), "translations-TOTAL_FORMS": "1", "translations-INITIAL_FORMS": "1",
            "translations-0-id": own.pk, "translations-0-locale": own.locale_id, "translations-0-person": person,
            "translations-0-role": "CEO", "translations-0-text": "Gut.", "action-publish": "action-publish",
        }  # fmt: skip
        reply = client.post(url, form)
        assert reply.status_code == 302
        return " ".join(map(str, get_messages(reply.wsgi_request)))

    said = publish("Neu")
    assert (
        "Changes by others stay a draft until an editor publishes the entry for all sites: company, translations (International)."
        in said
    )
    assert state() == [
        ("Both", ["Neu", "Person of en"], True),
        ("Renamed", ["Neu", "Other words"], True),
    ]
    client.force_login(get_user_model().objects.create_superuser("chief"))
    Review.objects.get(pk=review.pk).get_latest_revision().publish()
    assert state()[0] == ("Renamed", ["Neu", "Other words"], False)
    assert {row.pk for row in review.translations.all()} >= {own.pk}, "the rows are those that were"
    as_somebody(client, "publisher")
    assert "stay a draft" not in publish("Neuer")
    assert state()[0] == ("Renamed", ["Neuer", "Other words"], False)


def test_a_draft_that_is_on_no_site_yet_is_published_by_who_may_publish_all_of_it(client, world):
    Review.objects.filter(pk=world.review["both"]).update(live=False)
    Review.objects.filter(pk=world.review[OWN]).update(live=False)
    as_somebody(client, "publisher")
    for key, may in (("both", False), (OWN, True)):
        form = client.get(reverse(f"{REVIEW}:edit", args=[world.review[key]])).content.decode()
        assert ('name="action-publish"' in form) == may, key
    own = Review.objects.get(pk=world.review["both"]).translations.get(locale__record__key=OWN)
    url = reverse(f"{REVIEW}:edit", args=[world.review["both"]])
    form = {
        **rows_of(client.get(url).content.decode()), "translations-TOTAL_FORMS": "1", "translations-INITIAL_FORMS": "1",
        "translations-0-id": own.pk, "translations-0-locale": own.locale_id, "translations-0-person": "Neu",
        "translations-0-role": "CEO", "translations-0-text": "Gut.", "action-publish": "action-publish",
    }  # fmt: skip
    client.post(url, form)
    assert not Review.objects.get(pk=world.review["both"]).live, "what is sent all the same is a draft"


def test_a_mistake_in_what_all_sites_share_is_said_to_who_cannot_fix_it(client, world):
    Review.objects.filter(pk=world.review["both"]).update(country="zz")
    as_somebody(client, "publisher")
    url = reverse(f"{REVIEW}:edit", args=[world.review["both"]])
    own = Review.objects.get(pk=world.review["both"]).translations.get(locale__record__key=OWN)
    form = {
        **rows_of(client.get(url).content.decode()), "translations-TOTAL_FORMS": "1", "translations-INITIAL_FORMS": "1",
        "translations-0-id": own.pk, "translations-0-locale": own.locale_id, "translations-0-person": "Neu",
        "translations-0-role": "CEO", "translations-0-text": "Gut.", "action-publish": "action-publish",
    }  # fmt: skip
    reply = client.post(url, form)
    assert reply.status_code == 200
    assert "A shared field of this entry has an error" in reply.content.decode()


def test_redirects_are_made_for_one_s_own_sites(client, world, sites):
    as_somebody(client, "publisher")
    url = reverse(f"{REDIRECT}:add")
    for site, is_made in ((OTHER, False), ("", False), (OWN, True)):
        client.post(
            url,
            {
                "site": site,
                "source": "/from",
                "status": "301",
                "address": "https://b.example/",
                "page": "",
                "anchor": "",
                "note": "",
                "action-publish": "action-publish",
            },
        )
        assert Redirect.objects.filter(source="/from").exists() == is_made, site
    text = "site,from,to\nen,/a,https://b.example/\nall,/c,https://b.example/\nde,/e,https://b.example/\n"
    planned = client.post(reverse("studio_redirects_import"), {"text": text}).content.decode()
    assert planned.count("You may not change redirects of this site") == 2


PREVIEWS = {
    "page": Action.TRANSLATE,
    "set": Action.TRANSLATE,
    "date": Action.TRANSLATE,
    "release": Action.SEE,
}
"""The right needed for each preview."""


@pytest.mark.parametrize("role", list(Role))
def test_previews_are_for_who_may_see_what_they_show(client, world, role):
    held = SiteRole(role, OWN)
    user = get_user_model().objects.create_user("p")
    user.groups.add(sync_role_group(held))
    client.force_login(user)
    create_release("test", timezone.now().date())
    spring = ChangeSet.objects.create(name="Spring")
    add(spring, Page.objects.get(pk=world.home[OWN]))
    host = {"Host": "studio.localhost"}
    for shown, field, subject in (
        ("page", "subject", world.home[OWN]),
        ("set", "change_set", spring.pk),
        ("date", "at", "2030-12-03T09:00:00+00:00"),
        ("release", "release", 1),
    ):
        may_look = PREVIEWS[shown] in actions_of(held)
        looked = client.get("/admin/preview/", {"shown": shown, field: subject}, headers=host)
        assert (looked.status_code == 200) is may_look, shown
        link = {"shown": shown, "subject": subject, "site": OWN, "path": "/", "note": "x", "days": 3}
        made = client.post("/admin/preview/share/", link, headers=host)
        may_share = may_look and shown in ("page", "set")  # a date and a release show all sites
        assert (made.status_code == 200) is may_share, shown
    others = client.get("/admin/preview/", {"shown": "page", "subject": world.home[OTHER]}, headers=host)
    assert others.status_code != 200
