from collections.abc import Callable, Mapping

import pytest
from wagtail.models import Page
from wagtail.signals import page_published

from portolan.content import site_records
from portolan.content.pages.home import HomePage
from portolan.content.pages.legal import LegalPage
from portolan.content.site_records import SiteRecord, load_site_roots, site_roots_kept

pytestmark = pytest.mark.django_db


def test_roots_say_where_a_sites_pages_are(sites, homes):
    roots = load_site_roots()
    assert {key: root.root_path for key, root in roots.items()} == {key: home.path for key, home in homes.items()}
    assert roots["de"].locale_id == sites["de"].locale_id


def test_rows_of_a_removed_site_are_passed_over(sites):
    SiteRecord.objects.filter(key="de").update(key="nl")
    assert sorted(load_site_roots()) == ["en", "uk"]


def test_many_saves_ask_once(sites, django_assert_num_queries):
    with django_assert_num_queries(1), site_roots_kept():
        assert load_site_roots() == load_site_roots()
    with django_assert_num_queries(1):
        load_site_roots()


def test_publishing_a_page_reads_them_once(
    homes: Mapping[str, HomePage], add_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = site_records._read_site_roots, list[object]()
    monkeypatch.setattr(site_records, "_read_site_roots", lambda: reads.append(1) or read())
    page = add_page(homes["en"], LegalPage, "terms")
    reads.clear()
    page.save_revision().publish()
    assert len(reads) == 1, "with the live copy of another site"


def test_a_home_page_that_is_published_with_another_slug_changes_its_root_at_once(
    homes: Mapping[str, HomePage],
) -> None:
    seen = list[str]()

    def look(**_: object) -> None:
        seen.append(load_site_roots()["en"].root_url_path)

    page_published.connect(look)
    try:
        homes["en"].slug = "world"
        homes["en"].save_revision().publish()
    finally:
        page_published.disconnect(look)
    assert "/world/" in seen
