"""The demo's leads are leads like any other, and recognisable."""

from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from portolan.config.project import ROOT
from portolan.fixtures.problems import FixtureError
from portolan.leads.file_store import FileStore
from portolan.leads.models import Delivery, Lead
from portolan.studio.leads.labels import FLAGS
from portolan_dev.seed.leads import FILE, load_leads

pytestmark = pytest.mark.django_db
DEMO = ROOT / "fixtures" / "demo"


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "leads")


def test_they_are_marked_and_are_of_every_site_and_state(store: FileStore) -> None:
    assert load_leads(DEMO, settings.SITE_ORIGINS, store) == Lead.objects.count() == 13
    leads = list(Lead.objects.all())
    assert all("demo" in lead.flags for lead in leads)
    assert {lead.site for lead in leads} == set(settings.SITES_REGISTRY.sites)
    assert {lead.state for lead in leads} == set(Lead.State.values)
    assert {flag for lead in leads for flag in lead.flags} <= set(FLAGS)
    assert all(lead.fields["contact"]["email"].endswith(".example") for lead in leads)


def test_their_past_fits_together(store: FileStore) -> None:
    load_leads(DEMO, settings.SITE_ORIGINS, store)
    held = Delivery.objects.filter(lead__state__in=("quarantined", "spam"))
    assert set(held.values_list("state", flat=True)) == {Delivery.State.HELD}
    assert not Delivery.objects.filter(state=Delivery.State.PENDING).exists()  # nothing is sent because of the demo
    deliveries = Delivery.objects.prefetch_related("history")
    assert any(delivery.attempts for delivery in deliveries)
    for delivery in deliveries:
        assert len(delivery.history.all()) == delivery.attempts
        assert all(attempt.at <= timezone.now() for attempt in delivery.history.all())


def test_their_files_are_where_the_rows_say(store: FileStore) -> None:
    load_leads(DEMO, settings.SITE_ORIGINS, store)
    (file,) = Lead.objects.get(files__isnull=False).files.all()
    assert len(store.path(file.path).read_bytes()) == file.size


def test_they_come_only_where_no_lead_is(store: FileStore) -> None:
    load_leads(DEMO, settings.SITE_ORIGINS, store)
    Lead.objects.exclude(pk=Lead.objects.first().pk).delete()
    assert load_leads(DEMO, settings.SITE_ORIGINS, store) == 0
    assert Lead.objects.count() == 1


def test_a_folder_may_have_none(store: FileStore, tmp_path: Path) -> None:
    assert load_leads(tmp_path, settings.SITE_ORIGINS, store) == 0


def test_an_entry_that_is_no_form_is_named(store: FileStore, tmp_path: Path) -> None:
    text = '[[leads]]\nsite = "de"\ndays_ago = 1\ncontact = { name = "Head of Operations" }\n'
    (tmp_path / FILE).write_text(text)
    with pytest.raises(FixtureError, match=r"leads\.toml: leads\.0\.contact\.email: Field required"):
        load_leads(tmp_path, settings.SITE_ORIGINS, store)
    assert not Lead.objects.exists()
