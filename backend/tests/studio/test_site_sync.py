from datetime import date

import pytest
from wagtail.models import Locale, Page, Site

from portolan.content.pages.home import HomePage
from portolan.content.site_records import SiteRecord
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange
from portolan.sites.registry import Registry
from portolan.studio.site_sync import SiteSyncError, sync_sites

pytestmark = pytest.mark.django_db
ITALIAN = {"language": "it-IT", "hreflang": ["it"], "og_locale": "it_IT", "name": "Italia", "country": "it"}


def sync(registry, environment="local", port=8000):
    return sync_sites(registry, environment, port)


def rows():
    records = SiteRecord.objects.select_related("wagtail_site", "locale")
    return {
        record.key: (record.wagtail_site.hostname, record.wagtail_site.port, record.locale.language_code)
        for record in records
    }


def home_of(key):
    return HomePage.objects.get(pk=SiteRecord.objects.get(key=key).wagtail_site.root_page_id)


def test_an_empty_studio_gets_every_site(registry_of):
    report = sync(registry_of("en", "uk", "de"))
    assert rows() == {
        "en": ("localhost", 8000, "en"),
        "uk": ("uk.localhost", 8000, "en-gb"),
        "de": ("de.localhost", 8000, "de-de"),
    }
    assert [line.split(":")[0] for line in report.changes] == ["en", "de", "uk"]
    assert Site.objects.get(is_default_site=True).record.key == "en"
    assert Site.objects.count() == 3, "Wagtail's own first site is gone"
    assert not Page.objects.filter(title__startswith="Welcome").exists()


def test_a_second_run_changes_nothing(registry_of):
    registry = registry_of("en", "uk", "de")
    sync(registry)
    before = list(Site.objects.order_by("pk").values()), list(Page.objects.order_by("pk").values())
    report = sync(registry)
    assert report == ([], [], set())
    assert before == (list(Site.objects.order_by("pk").values()), list(Page.objects.order_by("pk").values()))


def test_home_pages_are_drafts_of_one_translation_key_and_heirs_have_copies(registry_of):
    sync(registry_of("en", "uk", "de"))
    homes = {key: home_of(key) for key in ("en", "uk", "de")}
    assert not any(home.live for home in homes.values())
    assert len({home.translation_key for home in homes.values()}) == 1
    assert homes["uk"].alias_of_id == homes["en"].pk
    assert homes["de"].alias_of_id is None
    assert [home.slug for home in homes.values()] == ["en", "uk", "de"]


@pytest.mark.parametrize(
    ("environment", "port", "address"),
    [
        ("local", 9000, ("de.localhost", 9000, "de-de")),
        ("staging", 8000, ("de.staging.brightmoor.example", 443, "de-de")),
        ("production", 8000, ("brightmoor-de.example", 443, "de-de")),
    ],
)
def test_addresses_follow_the_environment(registry_of, environment, port, address):
    registry = registry_of("en", "de")
    sync(registry)
    report = sync(registry, environment, port)
    assert rows()["de"] == address
    assert any(line.startswith("de: ") for line in report.changes)


def test_a_new_language_keeps_the_pages(registry_of):
    sync(registry_of("en", "de"))
    home = home_of("de")
    report = sync(registry_of("en", "de", de={"language": "de-CH"}))
    assert rows()["de"][2] == "de-ch"
    assert home_of("de").pk == home.pk
    assert home_of("de").locale.language_code == "de-ch"
    assert "de: language de-de becomes de-ch" in report.changes


def test_sites_can_change_places(registry_of):
    registry = registry_of("en", "de", "fr")
    sync(registry)
    homes = {key: home_of(key).pk for key in ("de", "fr")}
    entries = registry.model_dump(mode="json")["sites"]
    swapped = {
        key: {name: entries[other][name] for name in ("language", "hreflang", "origins")}
        for key, other in (("de", "fr"), ("fr", "de"))
    }
    sync(registry_of("en", "de", "fr", **swapped))
    assert rows()["de"] == ("fr.localhost", 8000, "fr-fr")
    assert rows()["fr"] == ("de.localhost", 8000, "de-de")
    assert homes == {key: home_of(key).pk for key in ("de", "fr")}


def test_sites_of_one_language_have_locales_of_their_own_whatever_comes_and_goes(registry_of):
    def registry(*keys):
        raw = registry_of("en", "fr").model_dump(mode="json")
        shop = raw["sites"].pop("fr") | {"language": "en-US", "group": "shops"}
        shops = {key: {**shop, "key": key, "origins": {"local": f"http://{key}.localhost"}} for key in keys}
        whole = {**raw, "groups": {"shops": {"alternates": False}}, "sites": raw["sites"] | shops}
        return Registry.model_validate(whole | {"environments": {"local": {"robots": "open"}}})

    def codes():
        return {key: code for key, (_, _, code) in rows().items()}

    sync(registry("boston", "austin"))
    assert codes() == {"en": "en", "boston": "en-us", "austin": "en-us-x-austin"}
    home = home_of("austin").pk
    report = sync(registry("austin", "boston"))
    assert codes() == {"en": "en", "austin": "en-us", "boston": "en-us-x-boston"}
    assert "boston: locale en-us becomes en-us-x-boston" in report.changes
    assert report.affected == set(), "what they are called in the studio is no content"
    sync(registry("boston", "dallas"))
    assert codes() == {"en": "en", "boston": "en-us", "dallas": "en-us-x-dallas", "austin": "x-removed-austin"}
    sync(registry("boston", "dallas", "austin"))
    assert codes() == {"en": "en", "boston": "en-us", "dallas": "en-us-x-dallas", "austin": "en-us-x-austin"}
    assert home_of("austin").pk == home
    assert len({home_of(key).translation_key for key in codes()}) == 1
    assert sync(registry("boston", "dallas", "austin")) == ([], [], set())


def test_a_removed_entry_is_reported_and_its_pages_are_kept(registry_of):
    sync(registry_of("en", "de"))
    home = home_of("de")
    report = sync(registry_of("en"))
    assert [line.split(":")[0] for line in report.leftovers] == ["de"]
    assert "stay in the studio" in report.leftovers[0]
    assert HomePage.objects.filter(pk=home.pk).exists()
    assert sync(registry_of("en")).changes == [], "said once, and reported each time"
    sync(registry_of("en", "de"))
    assert rows()["de"] == ("de.localhost", 8000, "de-de"), "putting the entry back brings the site back"


def test_a_renamed_key_is_refused_with_the_fix(registry_of):
    sync(registry_of("en", "de"))
    entry = registry_of("en", "de").model_dump(mode="json")["sites"]["de"]
    renamed = {name: entry[name] for name in ("language", "hreflang", "origins")}
    with pytest.raises(SiteSyncError, match="Restore the key 'de'"):
        sync(registry_of("en", "ger", ger=renamed))
    assert rows()["de"] == ("de.localhost", 8000, "de-de"), "nothing was changed"


def test_a_strange_site_with_pages_is_refused_with_the_fix(registry_of):
    sync(registry_of("en"))
    root = Page.get_first_root_node()
    strange = root.add_child(
        instance=HomePage(title="Old", slug="old", locale=Locale.objects.create(language_code="fr-fr"))
    )
    Site.objects.create(hostname="old.example", port=80, root_page=strange)
    with pytest.raises(SiteSyncError, match=r"old\.example:80 .* Move its pages"):
        sync(registry_of("en"))


def test_a_ninth_site_is_data_alone(registry_of, settings):
    """An entry and content are enough for its items to be in the next release."""
    settings.SITES_REGISTRY = registry_of("en", "de")
    sync(settings.SITES_REGISTRY)
    create_release("test", date(2026, 11, 21))
    settings.SITES_REGISTRY = registry_of("en", "de", "it", it=ITALIAN)
    settings.LANGUAGES = settings.WAGTAIL_CONTENT_LANGUAGES = [*settings.LANGUAGES, ("it-it", "Italiano")]
    report = sync(settings.SITES_REGISTRY)
    assert report.affected == {"it"}
    home = home_of("it")
    home.save_revision().publish()
    release = create_release("test", date(2026, 11, 21))
    items = {(item.site, item.kind) for item in connected_reader().items(release.number)}
    assert ("it", "page") in items
    assert not PendingChange.objects.exclude(problem="").filter(kind="page").exists()


def test_items_of_a_removed_site_leave_the_next_release(registry_of, settings):
    settings.SITES_REGISTRY = registry_of("en", "de")
    sync(settings.SITES_REGISTRY)
    home_of("de").save_revision().publish()
    first = create_release("test", date(2026, 11, 21))
    settings.SITES_REGISTRY = registry_of("en")
    sync(settings.SITES_REGISTRY)
    second = create_release("test", date(2026, 11, 21))
    reader = connected_reader()
    assert {item.site for item in reader.items(first.number)} == {"", "de"}
    assert {item.site for item in reader.items(second.number)} == {""}
