"""A menu, footer or rate card of an inheriting site takes over all texts but its own."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from portolan.content.export import export_items
from portolan.content.going_live import sites_going_live
from portolan.content.items import ItemKey
from portolan.content.local_versions import LocalVersion
from portolan.content.models import FooterSettings, HomePage, MenuSettings, Rate, RateCardSettings
from portolan.studio.local_versions.fill import fill_local_versions
from portolan.studio.local_versions.following import follow_again, states_of
from portolan.studio.site_settings.viewset import begin

pytestmark = pytest.mark.django_db

URL = "https://x.example"


def group(key: str, title: str, *links: str) -> dict[str, Any]:
    value = {"key": key, "title": title, "links": [{"title": link, "url": URL} for link in links or ("L",)]}
    return {"type": "group", "value": value}


def link(title: str) -> list[dict[str, Any]]:
    return [{"type": "link", "value": {"title": title, "page": None, "anchor": "", "url": URL}}]


def titles(footer: FooterSettings) -> dict[str, str]:
    return {each.value["key"]: each.value["title"] for each in footer.groups}


def states(own: Any, source: Any) -> dict[str, str]:
    row = LocalVersion.objects.of(own).get()
    found = states_of(row, fresh(source), fresh(own).get_latest_revision_as_object())
    return {path[-1]: str(state) for path, state in found.items()}


def fresh(row: Any) -> Any:
    return type(row)._default_manager.get(pk=row.pk)


def publish(row: Any, **values: Any) -> None:
    draft = fresh(row).get_latest_revision_as_object()
    for name, value in values.items():
        stream = draft._meta.get_field(name).stream_block
        setattr(draft, name, stream.to_python(value))
    draft.save_revision().publish()


def change(row: Any, **renamed: str | None) -> None:
    """Publish groups with new titles by key. ``None`` deletes a group; an unknown key adds one."""
    raw = [{**each} for each in fresh(row).get_latest_revision_as_object().groups.raw_data]
    known = {each["value"]["key"]: each for each in raw}
    for key, title in renamed.items():
        if title is None:
            raw.remove(known[key])
        elif key in known:
            known[key]["value"] = {**known[key]["value"], "title": title}
        else:
            raw.append(group(key, title))
    publish(row, groups=raw)


@pytest.fixture
def source(sites: Any) -> FooterSettings:
    groups = [group("services", "Services"), group("company", "Company")]
    return FooterSettings.objects.create(
        site=sites["en"].wagtail_site, groups=groups, legal_links=link("Imprint"), offices_link=link("Offices")
    )


@pytest.fixture
def own(source: FooterSettings) -> FooterSettings:
    footer = begin(FooterSettings, "uk")
    change(footer, company="Our firm")
    return fresh(footer)


def test_other_parts_follow_and_an_own_part_stays(source: FooterSettings, own: FooterSettings) -> None:
    change(source, services="What we do", company="About us", more="More")
    publish(source, legal_links=link("Legal notice"), offices_link=link("All offices"))
    own = fresh(own)
    assert titles(own) == {"services": "What we do", "company": "Our firm", "more": "More"}
    assert [each.value["title"] for each in (*own.legal_links, *own.offices_link)] == ["Legal notice", "All offices"]
    found = states(own, source)
    assert (found["groups services"], found["groups company"], found["offices_link"]) == (
        "follows",
        "changed",
        "follows",
    )
    body = export_items([ItemKey("uk", "footer", "main")])[ItemKey("uk", "footer", "main")]
    assert body
    assert [each["title"] for each in body["groups"]] == ["What we do", "Our firm", "More"]


def test_a_deleted_group_stays_deleted_and_a_draft_stays_a_draft(source: FooterSettings, own: FooterSettings) -> None:
    draft = fresh(own)
    draft.groups = draft.groups.stream_block.to_python([*draft.groups.raw_data, group("draft", "Draft")])
    draft.save_revision()
    change(source, services=None, company=None)
    own = fresh(own)
    assert (titles(own), own.has_unpublished_changes) == ({"company": "Our firm"}, True)
    assert titles(own.get_latest_revision_as_object()) == {"company": "Our firm", "draft": "Draft"}
    found = states(own, source)
    assert (found["groups company"], found["groups draft"], found.get("groups services")) == ("changed", "own", None)


def test_a_draft_follows_before_it_is_published(source: FooterSettings) -> None:
    footer = begin(FooterSettings, "uk")
    change(source, services="What we do")
    footer = fresh(footer)
    assert not footer.live
    assert titles(footer.get_latest_revision_as_object())["services"] == "What we do"
    assert set(states(footer, source).values()) == {"follows"}


def test_a_group_follows_again(source: FooterSettings, own: FooterSettings) -> None:
    row, path = LocalVersion.objects.of(own).get(), ("body", "groups company")
    follow_again(row, source, own, [path]).save_revision().publish()
    assert titles(fresh(own))["company"] == "Company"
    change(source, company="About us")
    assert titles(fresh(own))["company"] == "About us"


def test_a_list_that_would_become_too_long_is_reported(source: FooterSettings, own: FooterSettings) -> None:
    change(own, a="A", b="B")
    change(source, c="C", d="D")
    assert titles(fresh(own)).keys() == {"services", "company", "a", "b"}
    assert "5" in LocalVersion.objects.of(own).get().refused
    change(source, d=None)
    assert titles(fresh(own)).keys() == {"services", "company", "a", "b", "c"}
    assert LocalVersion.objects.of(own).get().refused == ""


def test_own_footers_from_before_change_by_choice_alone(source: FooterSettings, own: FooterSettings) -> None:
    LocalVersion.objects.all().delete()
    FooterSettings.objects.filter(pk=source.pk).update(groups=[group("services", "New"), group("company", "New")])
    before = export_items([ItemKey("uk", "footer", "main")])
    fill_local_versions()
    fill_local_versions()
    assert export_items([ItemKey("uk", "footer", "main")]) == before
    found = states(own, source)
    assert (found["groups services"], found["groups company"]) == ("changed", "changed")
    change(source, services="Newer")
    assert titles(fresh(own)) == {"services": "Services", "company": "Our firm"}


def test_a_footer_without_known_origin_has_own_texts_where_it_differs(source: FooterSettings, sites: Any) -> None:
    groups = [group("services", "Services"), group("company", "Our firm"), group("uk", "Britain")]
    own = FooterSettings.objects.create(site=sites["uk"].wagtail_site, groups=groups, offices_link=link("Offices"))
    found = states(own, source)
    assert (found["groups services"], found["groups company"], found["groups uk"]) == ("follows", "own", "own")
    change(source, services="What we do", company="About us")
    assert titles(fresh(own)) == {"services": "What we do", "company": "Our firm", "uk": "Britain"}


def test_links_to_the_same_page_of_two_sites_are_equal(sites: Any, homes: Any) -> None:
    def legal(site: str) -> list[dict[str, Any]]:
        return [{"type": "link", "value": {"title": "Home", "page": homes[site].pk, "anchor": "", "url": ""}}]

    HomePage.objects.filter(pk=homes["uk"].pk).update(translation_key=homes["en"].translation_key)
    source, own = (
        FooterSettings.objects.create(site=sites[site].wagtail_site, offices_link=legal(site)) for site in ("en", "uk")
    )
    assert states(own, source)["offices_link"] == "follows"


def test_rates_follow_row_by_row(sites: Any) -> None:
    rate = {"role": "back-end", "name": "Engineer", "seniority": "senior", "low": 7000, "high": 9000}
    source = RateCardSettings(site=sites["en"].wagtail_site, currency="EUR", start_now=5)
    source.rates = [Rate(**rate), Rate(**{**rate, "seniority": "lead", "sort_order": 1})]
    source.save()
    own = begin(RateCardSettings, "uk")
    draft = fresh(own).get_latest_revision_as_object()
    draft.currency = "GBP"
    lead = draft.rates.get(seniority="lead")
    lead.high = 12000
    draft.rates.add(lead)
    draft.save_revision().publish()
    ids = {each.seniority: each.pk for each in fresh(own).rates.all()}

    source = fresh(source)
    source.start_now = 10
    source.currency = "USD"
    rows = {each.seniority: each for each in source.rates.all()}
    rows["senior"].high, rows["lead"].high = 9500, 13000
    source.rates = [*rows.values(), Rate(**{**rate, "role": "tester", "sort_order": 2})]
    source.save_revision().publish()

    own = fresh(own)
    assert (own.currency, own.start_now) == ("GBP", 10)
    highest = {(each.role, each.seniority): each.high for each in own.rates.all()}
    assert highest == {("back-end", "senior"): 9500, ("back-end", "lead"): 12000, ("tester", "senior"): 9000}
    assert {each.pk for each in own.rates.all()} > set(ids.values()), "rows keep their IDs"
    found = states(own, source)
    assert (found["currency"], found["start_now"]) == ("changed", "follows")
    assert (found["rates back-end senior"], found["rates back-end lead"]) == ("follows", "changed")


def test_who_publishes_the_source_publishes_its_followers(source: FooterSettings, own: FooterSettings) -> None:
    assert sites_going_live(source) == {"en", "uk"}
    LocalVersion.objects.all().delete()
    assert sites_going_live(source) == {"en"}


def test_deleting_either_side_ends_it(source: FooterSettings, own: FooterSettings) -> None:
    source.delete()
    assert not LocalVersion.objects.exists()
    assert titles(fresh(own))["company"] == "Our firm"


@pytest.fixture
def editor(client: Client) -> Client:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(User.objects.create_superuser("ada", "ada@example.com", "x"))
    return client


def test_the_form_the_switch_and_the_comparison(editor: Client, source: FooterSettings, own: FooterSettings) -> None:
    change(source, company="About us")
    edit = reverse("wagtailsnippets_content_footersettings:edit", args=[own.pk])
    page = editor.get(edit).content.decode()
    told = json.loads(re.search(r'id="studio-inheritance" type="application/json">(.*?)</script>', page)[1])  # type: ignore[index]
    said = {each["path"][-1]: each for each in told["states"]}
    assert said["groups company"]["state"] == "changed"
    assert not said["groups company"]["isAdded"]
    assert f'"{said["groups company"]["place"]}"' in page.replace("&quot;", '"'), "the place is in the form"
    assert f'href="{told["compare"]}"' in page

    shown = editor.get(told["compare"]).content.decode()
    assert "Link groups, “Our firm”" in shown
    reply = editor.post(told["compare"], {"choice-body-groups company-title": "theirs"})
    assert reply.headers["Location"] == edit
    draft = fresh(own).get_latest_revision_as_object()
    assert (titles(draft)["company"], titles(fresh(own))["company"]) == ("About us", "Our firm")

    change(own, services="For you")
    answer = editor.post(told["url"], {"path": '["body", "groups services"]', "state": "follows"})
    assert answer.json() == {"state": "follows", "isChanged": True}
    assert titles(fresh(own).get_latest_revision_as_object())["services"] == "Services"


def test_choices_that_make_a_list_too_long_are_refused(
    editor: Client, source: FooterSettings, own: FooterSettings
) -> None:
    change(own, services=None, a="A", b="B", c="C", d="D")
    change(source, services="What we do")
    url = reverse("studio_local_version", args=["footersettings", own.pk])
    shown = editor.post(url, {"choice-body-groups services": "theirs"}, follow=True).content.decode()
    assert "more than 5 elements" in shown
    assert "services" not in titles(fresh(own).get_latest_revision_as_object())
    assert states(own, source)["groups services"] == "changed"


def test_only_editors_of_the_site_may_switch(client: Client, own: FooterSettings) -> None:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(User.objects.create_user("eve", "eve@example.com", "x"))
    url = reverse("studio_switch_inheritance", args=["footersettings", own.pk])
    assert client.post(url, {"path": '["body", "groups services"]', "state": "own"}).status_code in (302, 403)
    assert LocalVersion.objects.of(own).get().kept == []


def test_an_unknown_kind_is_refused(editor: Client, source: FooterSettings) -> None:
    for model, pk in (("user", 1), ("menusettings", 99), ("footersettings", source.pk)):
        assert editor.get(reverse("studio_local_version", args=[model, pk])).status_code == 404
    assert MenuSettings.objects.count() == 0
