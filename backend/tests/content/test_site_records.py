import pytest

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
