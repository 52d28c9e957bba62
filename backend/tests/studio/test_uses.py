"""Before an item is removed, all its uses are listed at once, site by site."""

from datetime import date

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from wagtail.documents.models import Document

from portolan.content.models import (
    AboutPage,
    ArticlePage,
    FooterSettings,
    ListingPage,
    MenuSettings,
    Office,
    OfficeCategory,
    Redirect,
    ServicePage,
    SiteImage,
)
from portolan.releases.create import create_release
from portolan.studio.use_rows import UseRow, count_places, list_uses, with_copies, with_everything_below
from portolan_dev.contract.examples import PICTURES

pytestmark = pytest.mark.django_db
HOST = {"Host": "studio.localhost"}
NAMES = ("International", "United Kingdom", "Deutschland")


@pytest.fixture
def admin(client):
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@pytest.fixture
def about(homes, add_page):
    """A page that others link to. uk follows it, de has its own."""
    return add_page(homes["en"], AboutPage, "about-us", title="About us")


def text(page):
    link = f'<p><a linktype="page" id="{page.pk}">us</a></p>'
    return [{"type": "rich_text", "value": {"html": link}, "id": "t"}]


def link_to(page, title):
    return {"title": title, "page": page.pk, "anchor": "", "url": ""}


@pytest.fixture
def world(sites, homes, about, add_page):
    """In en, a page, the menu (uk inherits it) and the footer link to it. In uk, its own footer does. In de, its own
    footer and a page do, and that page is for the international one.
    """
    service = add_page(homes["en"], ServicePage, "web", title="Web", body=text(about))
    german = add_page(homes["de"], ServicePage, "netz", title="Netz", locale=sites["de"].locale, body=text(about))
    english = sites["en"].wagtail_site
    contact = [{"type": "link", "value": link_to(about, "Contact"), "id": "c"}]
    submenu = [{"title": "Who we are", "page": about.pk}]
    item = {"title": "Company", "key": "company", "theme": "text-links", "submenu": submenu}
    MenuSettings.objects.create(site=english, items=[{"type": "item", "value": item, "id": "i"}], contact=contact)
    for site in ("en", "uk"):
        group = {"title": "Company", "key": "company", "links": [link_to(about, "About")]}
        FooterSettings.objects.create(
            site=sites[site].wagtail_site,
            groups=[{"type": "group", "value": group, "id": "g"}],
            legal_links=[],
            offices_link=contact,
        )
    create_release("test", timezone.now().date())
    return {"service": service, "german": german}


def edit_url(page):
    return reverse("wagtailadmin_pages:edit", args=[page.pk])


def setting_url(model, site):
    row = apps.get_model("content", model).objects.get(site=site.wagtail_site_id)
    return reverse(f"wagtailsnippets_content_{model}:edit", args=[row.pk])


@pytest.mark.postgres
def test_all_that_links_to_a_page_and_would_lead_nowhere(about, world, sites):
    rows = list_uses(*with_everything_below(about))
    links = ("Company → About", "Contact")
    assert {row.title: (row.edit_url, row.places, row.breaks, row.sites) for row in rows if row.title != "Footer"} == {
        "“Web”": (edit_url(world["service"]), ("Block 1 (Text)",), True, NAMES[:2]),
        "“Netz”": (edit_url(world["german"]), ("Block 1 (Text)",), True, NAMES[2:]),
        "Header menu": (
            setting_url("menusettings", sites["en"]), ("Contact", "Company → Who we are"), True, NAMES[:2]
        ),
    }  # fmt: skip
    assert [row for row in rows if row.title == "Footer"] == [
        UseRow("Footer", setting_url("footersettings", sites[key]), links, True, (name,))
        for key, name in zip(("en", "uk"), NAMES, strict=False)
    ]
    assert count_places(rows) == 7


def test_without_its_copy_links_of_that_site_lead_to_the_international_page(about, world, sites):
    copy = about.get_translation(sites["uk"].locale)
    rows = list_uses(*with_everything_below(copy))
    assert {row.title for row in rows} == {"“Web”", "Header menu", "Footer"}
    assert {(row.breaks, row.sites) for row in rows} == {(False, ("United Kingdom",))}


def test_a_redirect_to_a_page_is_named_and_keeps_nobody_from_taking_it_down(about, world):
    Redirect.objects.create(source="/who-we-are", page=about)
    create_release("test", timezone.now().date())
    (row,) = [row for row in list_uses(*with_everything_below(about)) if row.title == "Redirect /who-we-are"]
    assert (row.places, row.breaks, set(row.sites)) == (("redirects to it",), False, {*NAMES})
    assert row.edit_url == reverse("wagtailsnippets_content_redirect:edit", args=[Redirect.objects.get().pk])


def test_links_among_pages_that_go_together_are_none(about, world, homes, add_page):
    inner = add_page(homes["en"], ServicePage, "outer", title="Outer")
    create_release("test", timezone.now().date())
    alone = list_uses(*with_copies(about))
    together = list_uses(*with_everything_below(about), *with_everything_below(world["service"]), inner)
    assert "“Web”" in {row.title for row in alone}
    assert "“Web”" not in {row.title for row in together}


def test_a_page_s_confirmations_list_them(admin, about, world):
    for view in ("delete", "unpublish"):
        page = admin.get(reverse(f"wagtailadmin_pages:{view}", args=[about.pk])).content.decode()
        assert "Links that are removed" in page
        assert edit_url(world["service"]) in page
        assert "Company → Who we are" in page
    many = f"{reverse('wagtail_bulk_action', args=['wagtailcore', 'page', 'delete'])}?id={about.pk}"
    assert "Company → Who we are" in admin.get(many).content.decode()
    many = f"{reverse('wagtail_bulk_action', args=['wagtailcore', 'page', 'unpublish'])}?id={about.pk}"
    assert "Company → Who we are" in admin.get(many).content.decode()


@pytest.fixture
def office(sites, homes, add_page):
    category = OfficeCategory.objects.create(key="hub", name="Hub", icon="anchor")
    office = Office.objects.create(
        key="berlin", city="Berlin", address="1 Pier", phone="+49 30 5550140", country="de", lat=52.5, lng=13.4,
        category=category, sets=["de"],
    )  # fmt: skip
    blocks = [{"type": "offices", "value": {"title": "Offices"}, "id": "o"}]
    add_page(homes["en"], AboutPage, "about-us", title="About us", body=blocks)
    create_release("test", timezone.now().date())
    return office


@pytest.mark.postgres
def test_an_office_stands_in_the_footers_of_its_sets_and_in_blocks(admin, office):
    """Wagtail's index counts none of these."""
    rows = list_uses(office)
    assert {(row.title, row.places, row.sites) for row in rows} == {
        ("Every page's header and footer", ("office sets: de",), ("International", "Deutschland")),
        ("“About us”", ("Block 1 (Offices)",), NAMES[:2]),
    }
    assert count_places(rows) == 4
    assert not any(row.breaks for row in rows)
    usage = reverse("wagtailsnippets_content_office:usage", args=[office.pk])
    assert "In 4 places" in admin.get(reverse("wagtailsnippets_content_office:edit", args=[office.pk])).content.decode()
    assert "“About us”" in admin.get(usage).content.decode()
    deletion = admin.get(reverse("wagtailsnippets_content_office:delete", args=[office.pk])).content.decode()
    assert "Updated automatically" in deletion
    assert "“About us”" in deletion


def test_usage_is_for_people_of_the_studio(client, office):
    url = reverse("wagtailsnippets_content_office:usage", args=[office.pk])
    assert client.get(url, headers=HOST).status_code == 302
    client.force_login(get_user_model().objects.create_user("visitor", password="x"))
    assert client.get(url, headers=HOST).status_code in (302, 403)


def test_lists_that_show_a_page_are_named_and_follow_by_themselves(homes, add_page):
    listing = add_page(homes["de"], ListingPage, "insights", title="Insights", locale=homes["de"].locale)
    teasers = [{"type": "news_list", "value": {"title": "News"}, "id": "n"}]
    listing.body = teasers
    listing.save_revision().publish()
    made = [SiteImage(title="P", file="p.png", width=2560, height=1600, published=PICTURES["2"])]
    picture = SiteImage.objects.bulk_create(made)[0]
    article = add_page(
        listing,
        ArticlePage,
        "one",
        title="One",
        summary="One.",
        date=date(2026, 3, 1),
        preview=picture,
        locale=homes["de"].locale,
    )
    create_release("test", timezone.now().date())
    rows = list_uses(article)
    assert [(row.title, row.places, row.breaks) for row in rows] == [("“Insights”", ("Block 1 (News)",), False)]
    assert list_uses(*with_everything_below(listing)) == []


def test_a_document_whose_address_was_typed_into_a_footer_is_used_there(sites, homes):
    document = Document.objects.create(title="Data", file="documents/data.pdf")
    link = {"title": "Data", "page": None, "anchor": "", "url": "/media/documents/data.pdf"}
    links = [{"type": "link", "value": link, "id": "l"}]
    FooterSettings.objects.create(site=sites["de"].wagtail_site, personal_data=links, offices_link=links)
    create_release("test", timezone.now().date())
    (row,) = list_uses(document)
    assert (row.places, row.breaks, row.sites) == (("Data",), True, ("Deutschland",))
