"""The visibility, name and owner of a change set, and moves that wait for a review."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from wagtail.models import Page

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from portolan.content.models import (
    CaseStudyPage,
    FacetValue,
    FolderPage,
    MenuSettings,
    ServicePage,
    SiteImage,
    SiteRecord,
)
from portolan.domain.change_sets import State, Step
from portolan.domain.roles import Role, SiteRole
from portolan.releases.create import create_release
from portolan.studio.changes.seeing import sets_seen_by
from portolan.studio.changes.steps import mark_of, take_step
from portolan.studio.permissions import sync_role_group
from portolan_dev.contract.examples import PICTURES

pytestmark = pytest.mark.django_db


def _person(name: str, *roles: SiteRole) -> User:
    user = User.objects.create_user(name, first_name=name.title())
    user.groups.add(*(sync_role_group(role) for role in roles))
    return user


def _anew(user: User) -> User:
    return User.objects.get(pk=user.pk)


@pytest.fixture
def pages(homes: Any, add_page: Any) -> dict[str, Any]:
    made = {
        slug: add_page(homes["de"], page_type, slug, title=slug.title(), locale=homes["de"].locale)
        for slug, page_type in (("web", ServicePage), ("cloud", FolderPage))
    }
    create_release("test", date(2026, 11, 24))
    return made


@pytest.fixture
def kai(client: Client) -> User:
    user = _person("kai", SiteRole(Role.PUBLISHER, "de"))
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return user


def test_a_set_is_seen_on_one_of_its_sites(pages: Any, sites: Any, homes: Any, kai: User, client: Client) -> None:
    uma = _person("uma", SiteRole(Role.EDITOR, "uk"))
    sets = {name: ChangeSet.objects.create(name=name) for name in ("page", "menu", "empty", "both")}
    add(sets["page"], pages["web"])
    add(sets["menu"], MenuSettings.objects.create(site=sites["uk"].wagtail_site, items=[], contact=[]))
    add(sets["both"], pages["cloud"])
    add(sets["both"], Page.objects.get(pk=homes["uk"].pk).specific)
    own = ChangeSet.objects.create(name="own", owner=uma)
    add(own, homes["de"])

    def seen(user: User) -> set[str]:
        return {row.name for row in sets_seen_by(_anew(user))}

    assert seen(kai) == {"page", "empty", "both", "own"}
    assert seen(uma) == {"menu", "empty", "both", "own"}
    assert seen(_person("rae", SiteRole(Role.LEAD_HANDLER, "de"))) == set()
    assert client.get(f"/admin/changes/{sets['page'].pk}/").status_code == 200
    assert client.get(f"/admin/changes/{sets['menu'].pk}/").status_code == 404
    assert client.post(f"/admin/changes/{sets['menu'].pk}/drop/").status_code == 404
    assert ">menu<" not in client.get("/admin/changes/").content.decode()


def test_a_set_gets_another_name_a_note_and_an_owner_who_is_told(pages: Any, kai: User, client: Client) -> None:
    eva = _person("eva", SiteRole(Role.EDITOR, "de"))
    row = ChangeSet.objects.create(name="Sprnig", owner=kai)
    url = f"/admin/changes/{row.pk}/details/"
    assert "Eva" in client.get(url).content.decode()
    client.post(url, {"name": "Spring", "note": "Prices of 2027", "owner": eva.pk})
    row.refresh_from_db()
    assert (row.name, row.note, row.owner) == ("Spring", "Prices of 2027", eva)
    assert [(notice.to, notice.said) for notice in ChangeSetNotice.objects.all()] == [
        (eva, "Kai has assigned the change set “Spring” to you.")
    ]
    shown = client.get(f"/admin/changes/{row.pk}/").content.decode()
    assert "Prices of 2027" in shown and "Assigned" in shown
    ChangeSet.objects.filter(pk=row.pk).update(state=State.REVIEW.value)
    assert client.post(url, {"name": "x"}).status_code == 302
    row.refresh_from_db()
    assert row.name == "Spring"


def test_where_a_reviewer_publishes_a_live_page_moves_with_a_change_set(pages: Any, kai: User, client: Client) -> None:
    page, parent = pages["web"], pages["cloud"]
    address = f"/admin/pages/{page.pk}/move/{parent.pk}/confirm/"
    assert client.get(address).status_code == 200
    SiteRecord.objects.filter(key="de").update(is_reviewed=True)
    planned = f"/admin/changes/move/{page.pk}/{parent.pk}/"
    assert client.get(address).url == client.post(address).url == planned
    many = client.post(
        f"/admin/bulk/wagtailcore/page/move/?id={page.pk}", {"chooser": parent.pk, "move_applied": "on"}, follow=True
    )
    assert "Nothing was moved" in many.content.decode()
    assert "with a change set" in client.get(planned).content.decode()
    answer = client.post(planned, {"name": "Order"})
    row = ChangeSet.objects.get()
    assert answer.url == f"/admin/changes/{row.pk}/"
    shown = client.get(answer.url).content.decode()
    assert "moves below “Cloud”" in shown and 'data-to-fix="' not in shown
    page.refresh_from_db()
    assert page.get_parent().pk != parent.pk
    pub = _person("pub", SiteRole(Role.PUBLISHER, "de"))
    take_step(row, Step.SEND, _anew(kai))
    row.refresh_from_db()
    take_step(row, Step.APPROVE, pub, mark_of(row.items.all()))
    take_step(row, Step.PUBLISH, _anew(pub))
    page.refresh_from_db()
    assert page.get_parent().pk == parent.pk and page.url_path.endswith("/cloud/web/")


@pytest.mark.parametrize("obstacle", ["slug", "below itself", "gone"])
def test_a_planned_move_that_became_impossible_is_marked(
    obstacle: str, pages: Any, homes: Any, add_page: Any, kai: User, client: Client
) -> None:
    row = ChangeSet.objects.create(name="Order", owner=kai)
    page = pages["web"] if obstacle == "slug" else pages["cloud"]
    item = add(row, page, kai, ChangeSetItem.MOVE)
    below = pages["cloud"]
    if obstacle == "slug":
        add_page(below, ServicePage, "web", title="Other", locale=homes["de"].locale)
    elif obstacle == "below itself":
        below = add_page(page, FolderPage, "inner", title="Inner", locale=homes["de"].locale)
    ChangeSetItem.objects.filter(pk=item.pk).update(below=987654 if obstacle == "gone" else below.pk)
    said = {"slug": "already has this URL", "below itself": "below itself", "gone": "does not exist"}
    shown = client.get(f"/admin/changes/{row.pk}/").content.decode()
    assert said[obstacle] in shown and 'data-to-fix="1"' in shown


def test_ticked_pages_are_assigned_with_their_set(pages: Any, kai: User, client: Client) -> None:
    eva = _person("eva", SiteRole(Role.EDITOR, "de"))
    url = f"/admin/bulk/wagtailcore/page/add_to_change_set/?id={pages['web'].pk}&id={pages['cloud'].pk}"
    assert "Assign to" in client.get(url).content.decode()
    client.post(url, {"name": "Order", "owner": eva.pk})
    row = ChangeSet.objects.get()
    assert (row.owner, row.items.count(), [notice.to for notice in row.notices.all()]) == (eva, 2, [eva])


def test_ticked_case_studies_are_found_by_other_facet_values(
    pages: Any, homes: Any, add_page: Any, kai: User, client: Client
) -> None:
    ports, banks = (FacetValue.objects.create(facet="industry", key=key, sort_order=0) for key in ("ports", "banks"))
    made = [SiteImage(title="P", file="p.png", width=2560, height=1600, published=PICTURES["2"])]
    words = {"title": "Case", "summary": "One.", "client": "Lumen", "country": "de"}
    case = add_page(homes["de"], CaseStudyPage, "case", cover=SiteImage.objects.bulk_create(made)[0], **words)
    case.industries.add(banks)
    case.save_revision().publish()
    url = f"/admin/bulk/wagtailcore/page/set_facets/?id={case.pk}&id={pages['web'].pk}"
    asked = client.get(url).content.decode()
    assert "Add these facets" in asked and "or they are live copies or other page types" in asked
    assert "Choose facets to add or remove" in client.post(url, {"name": "Ports"}).content.decode()
    client.post(url, {"name": "Ports", "given": [ports.pk], "taken": [banks.pk]})
    row = ChangeSet.objects.get()
    case = CaseStudyPage.objects.get(pk=case.pk)
    assert [item.object_id for item in row.items.all()] == [str(case.pk)]
    assert [value.key for value in case.industries.all()] == ["banks"], "nothing is live yet"
    assert [value.key for value in case.get_latest_revision_as_object().industries.all()] == ["ports"]
