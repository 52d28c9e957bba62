import pytest
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page

from portolan.content.pages.folder import FolderPage
from portolan.content.pages.home import HomePage
from portolan.content.pages.service import ServicePage
from portolan.content.site_records import SiteRecord
from portolan.studio.inheritance import copied_at_the_end
from portolan.studio.site_sync import sync_sites

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(registry_of, settings) -> HomePage:
    settings.SITES_REGISTRY = registry_of("en", "uk", "de")
    sync_sites(settings.SITES_REGISTRY, "local", 8000)
    page = HomePage.objects.get(slug="en")
    page.save_revision().publish()
    return page


def copies(page: Page) -> dict[str, bool]:
    """Return by site whether the page there is a live copy."""
    keys = dict(SiteRecord.objects.values_list("locale_id", "key"))
    return {keys[copy.locale_id]: copy.live and copy.alias_of_id == page.pk for copy in page.get_translations()}


def test_a_page_published_for_the_first_time_appears_on_heirs_alone(home, add_page):
    page = add_page(home, ServicePage, "web")
    assert copies(page) == {"uk": True}


def test_a_draft_appears_nowhere(home):
    home.refresh_from_db()
    page = home.add_child(instance=ServicePage(title="Web", slug="web", live=False))
    page.save_revision()
    assert copies(page) == {}


def test_folders_above_come_along(home, add_page):
    home.refresh_from_db()
    folder = home.add_child(instance=FolderPage(title="Services", slug="services", live=False))
    page = add_page(folder, ServicePage, "web")
    assert page.get_translations().get().url_path == "/uk/services/web/"


def test_publishing_again_makes_no_second_copy(home, add_page):
    page = add_page(home, ServicePage, "web")
    page.title = "Web development"
    page.save_revision().publish()
    (copy,) = page.get_translations()
    assert copy.title == "Web development"


def test_a_local_version_is_no_live_copy_and_keeps_its_own_content(home, add_page):
    page = add_page(home, ServicePage, "web")
    local = page.get_translations().get().specific
    ConvertAliasPageAction(local).execute(skip_permission_checks=True)
    local.title = "Web in Britain"
    local.save_revision().publish()
    page.title = "Web development"
    page.save_revision().publish()
    assert page.get_translations().get().title == "Web in Britain"
    assert copies(page) == {"uk": False}


def rename(page: Page, slug: str) -> None:
    page = page.specific_class.objects.get(pk=page.pk)
    page.slug = slug
    page.save_revision().publish()


def test_a_copy_follows_to_a_new_address_with_all_below_it(home, add_page):
    folder = add_page(home, FolderPage, "services")
    page = add_page(folder, ServicePage, "web")
    rename(folder, "what-we-do")
    rename(page, "sites")
    assert page.get_translations().get().url_path == "/uk/what-we-do/sites/"
    assert copies(page) == {"uk": True}


def test_a_copy_keeps_its_address_where_another_page_has_the_new_one(home, add_page):
    page = add_page(home, ServicePage, "web")
    uk = HomePage.objects.get(slug="uk")
    add_page(uk, ServicePage, "sites")
    rename(page, "sites")
    assert page.get_translations().get().url_path == "/uk/web/"


def test_a_copy_moves_with_its_source(home, add_page):
    folder = add_page(home, FolderPage, "services")
    page = add_page(home, ServicePage, "web")
    page.move(folder, pos="last-child")
    assert page.get_translations().get().url_path == "/uk/services/web/"
    page = ServicePage.objects.get(pk=page.pk)
    home.refresh_from_db()
    page.move(home, pos="last-child")
    assert page.get_translations().get().url_path == "/uk/web/"


def test_an_override_stays_where_it_is(home, add_page):
    folder = add_page(home, FolderPage, "services")
    page = add_page(home, ServicePage, "web")
    ConvertAliasPageAction(page.get_translations().get().specific).execute(skip_permission_checks=True)
    page.move(folder, pos="last-child")
    rename(page, "sites")
    assert page.get_translations().get().url_path == "/uk/web/"


def test_many_pages_are_copied_when_the_last_is_published(home, add_page):
    with copied_at_the_end():
        folder = add_page(home, FolderPage, "services")
        page = add_page(folder, ServicePage, "web")
        assert copies(page) == {}
    assert copies(page) == {"uk": True}
    assert page.get_translations().get().url_path == "/uk/services/web/"


def test_pages_that_were_not_kept_are_not_copied(home, add_page):
    with pytest.raises(RuntimeError), copied_at_the_end():
        page = add_page(home, ServicePage, "web")
        raise RuntimeError
    assert copies(page) == {}
