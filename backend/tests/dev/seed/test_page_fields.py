"""The fields of page families, fields that translations share, and rate cards."""

from pathlib import Path

import pytest

from portolan.content.pages import ArticlePage, CaseStudyPage, ListingPage
from portolan.content.pictures import SiteImage
from portolan.content.rate_card import RateCardSettings
from portolan_dev.seed.problems import FixtureError
from portolan_dev.seed.report import Outcome

from ...shared_content import ensure, shared
from .conftest import SMALL, find_problems, load_files, page, problems

pytestmark = pytest.mark.django_db

CASE = """
title = "Lumen"
template = "case-study"
[fields]
client = "Lumen Clinics"
country = "gb"
industries = ["healthcare"]
technologies = ["python"]
lat = 51.5
lng = -0.1
rank = 1
pages = ["/services/web", "/"]
gallery = [{ picture = "mark", alt = "A ward" }]
summary = "One record for all clinics."
cover = { picture = "mark", alt = "The mark" }
results = [{ value = "26 min", caption = "saved for every doctor" }]
"""
TRANSLATION = """
title = "Lumen"
template = "case-study"
[fields]
gallery = [{ alt = "Eine Station" }]
summary = "Eine Akte für alle Kliniken."
cover = { alt = "Die Marke" }
results = [{ value = "26 min", caption = "weniger je Arzt" }]
"""
EVENT = """
title = "Fair"
template = "event"
[fields]
start = 2026-10-01
end = 2026-10-03
country = "de"
city = "{city}"
summary = "{city}, in October."
cover = {{ picture = "mark" }}
"""
LISTING = 'title = "{title}"\ntemplate = "listing"\n'
RATES = """
currency = "EUR"
[[rates]]
role = "back-end"
name = "Back-end developer"
seniority = "senior"
low = 8000
high = 9500
[[rates]]
role = "tester"
name = "Tester"
seniority = "middle"
low = 6000
high = 7000
"""


FILES = SMALL | {
    "collections/facets.toml": '[healthcare]\nfacet = "industry"\n[python]\nfacet = "technology"\n',
    "en/collections/facets.toml": '[healthcare]\nname = "Healthcare"\n[python]\nname = "Python"\n',
    "en/pages/project-cases.toml": LISTING.format(title="Projects"),
    "en/pages/project-cases/lumen.toml": CASE,
    "de/pages/project-cases.toml": LISTING.format(title="Projekte"),
    "de/pages/project-cases/lumen.toml": TRANSLATION,
    "en/pages/events.toml": LISTING.format(title="Events"),
    "en/pages/events/fair.toml": EVENT.format(city="Hamburg"),
    "en/rates.toml": RATES,
}


@pytest.fixture
def folder(write):
    write(FILES)


@pytest.fixture(autouse=True)
def loaded(folder, registry):
    """The folder has been loaded. Each test reads it, or changes it and loads it again."""
    ensure("loaded")


@shared("loaded", on="registry")
def make_loaded(media: Path) -> None:
    load_files(FILES)


def test_a_case_study_has_all_its_fields():
    case = page("/project-cases/lumen/")
    assert isinstance(case, CaseStudyPage)
    assert (case.client, case.country, case.lat, case.lng, case.rank) == ("Lumen Clinics", "gb", 51.5, -0.1, 1)
    assert [value.key for value in case.industries.all()] == ["healthcare"]
    assert [value.key for value in case.technologies.all()] == ["python"]
    assert [place.page.specific for place in case.placements.all()] == [page("/services/web/"), page("/")]
    assert (case.cover, case.cover_alt) == (SiteImage.objects.get(), "The mark")
    assert [block.value["alt"] for block in case.gallery] == ["A ward"]
    assert [(block.value["value"], block.value["caption"]) for block in case.results] == [
        ("26 min", "saved for every doctor")
    ]
    assert isinstance(page("/project-cases/"), ListingPage)
    assert str(page("/events/fair/").end) == "2026-10-03"


def test_a_translation_takes_the_shared_fields_and_keeps_its_texts():
    case = page("/project-cases/lumen/", "de")
    assert case.translation_key == page("/project-cases/lumen/").translation_key
    assert (case.client, case.country, case.rank) == ("Lumen Clinics", "gb", 1)
    assert [value.key for value in case.industries.all()] == ["healthcare"]
    assert [place.page.specific for place in case.placements.all()] == [page("/services/web/"), page("/")]
    assert (case.summary, case.cover, case.cover_alt) == (
        "Eine Akte für alle Kliniken.",
        SiteImage.objects.get(),
        "Die Marke",
    )
    assert [(block.value["image"].title, block.value["alt"]) for block in case.gallery] == [("Mark", "Eine Station")]


def test_a_live_copy_has_the_same_fields():
    original, copy = page("/project-cases/lumen/"), page("/project-cases/lumen/", "uk")
    assert (copy.alias_of_id, copy.live, copy.client) == (original.pk, True, "Lumen Clinics")
    assert [value.key for value in copy.industries.all()] == ["healthcare"]
    assert [place.page_id for place in copy.placements.all()] == [place.page_id for place in original.placements.all()]


def test_an_editor_finds_the_same_in_the_form_as_visitors_on_the_page():
    case = page("/project-cases/lumen/")
    latest = case.get_latest_revision_as_object()
    assert [value.key for value in latest.industries.all()] == ["healthcare"]
    assert [place.page_id for place in latest.placements.all()] == [place.page_id for place in case.placements.all()]
    assert (latest.client, latest.cover_id, len(latest.gallery)) == (case.client, case.cover_id, 1)


def test_a_second_run_changes_nothing(load):
    report = load()
    assert not report.changed_anything(), report.counts


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("rank = 1", "rank = 2", 2),
        ("rank = 1", "", 2),
        ('industries = ["healthcare"]', "", 2),
        ('["/services/web", "/"]', '["/"]', 2),
        ('summary = "One', 'summary = "A', 1),
        ('alt = "A ward"', 'alt = "Wards"', 1),
        ("26 min", "27 min", 1),
    ],
)
def test_a_changed_fact_changes_the_translation_too(load, root, old, new, changed):
    assert old in CASE
    (root / "en/pages/project-cases/lumen.toml").write_text(CASE.replace(old, new))
    assert load().counts["pages"][Outcome.CHANGED] == changed
    assert not load().changed_anything()


def test_an_override_of_an_heir_takes_the_shared_fields(load, write):
    write(
        {
            "uk/pages/events/fair.toml": 'title = "Fair"\ntemplate = "event"\n[fields]\ncity = "Leeds"\nsummary = "Leeds."\n'
        }
    )
    load()
    fair = page("/events/fair/", "uk")
    assert (fair.alias_of_id, str(fair.start), fair.city, fair.country) == (None, "2026-10-01", "Leeds", "de")
    assert fair.cover == SiteImage.objects.get()


def test_a_page_of_another_family_shares_no_fields(load, write):
    write(
        {
            "de/pages/events.toml": LISTING.format(title="Termine"),
            "de/pages/events/fair.toml": LISTING.format(title="Messe"),
        }
    )
    load()
    assert isinstance(page("/events/fair/", "de"), ListingPage)


def test_a_rate_card_is_filled(load):
    card = RateCardSettings.objects.get()
    assert (card.site.record.key, card.currency) == ("en", "EUR")
    assert [(rate.role, rate.seniority, rate.low, rate.high) for rate in card.rates.all()] == [
        ("back-end", "senior", 8000, 9500),
        ("tester", "middle", 6000, 7000),
    ]
    assert load().counts["rate cards"] == {Outcome.UNCHANGED: 1}


def test_rates_stand_in_the_order_of_the_file(load, write):
    head, first, second = RATES.split("[[rates]]")
    write({"en/rates.toml": f"{head}[[rates]]{second}[[rates]]{first}"})
    assert load().counts["rate cards"] == {Outcome.CHANGED: 1}
    assert [rate.role for rate in RateCardSettings.objects.get().rates.all()] == ["tester", "back-end"]


LUMEN = "en/pages/project-cases/lumen.toml"
BAD = [
    (LUMEN, "rank = 1", "rang = 1", f"{LUMEN}: fields.rang: is not a known key; there are"),
    (LUMEN, 'client = "Lumen Clinics"', "", f"{LUMEN}: fields.client: is missing; add it"),
    (LUMEN, 'client = "Lumen Clinics"', 'client = "{foo}"', f"{LUMEN}: fields.client: {{foo}} stands for nothing"),
    (LUMEN, '["python"]', '["pyhton"]', f"{LUMEN}: fields.technologies: 'pyhton' is none of the technologies in coll"),
    (LUMEN, '["python"]', '["healthcare"]', f"{LUMEN}: fields.technologies: 'healthcare' is none of the technologies"),
    (LUMEN, '["python"]', '"python"', f"{LUMEN}: fields.technologies: must be a list of keys"),
    (LUMEN, '"/services/web"', '"/wob"', f"{LUMEN}: fields.pages: the default site has no page /wob"),
    (LUMEN, "lng = -0.1", "", f"{LUMEN}: fields.lng: A place needs both"),
    (LUMEN, "lat = 51.5", "lat = 151", f"{LUMEN}: fields.lat: Ensure this value is less than"),
    (
        LUMEN,
        'cover = { picture = "mark"',
        'cover = { picture = "nark"',
        f"{LUMEN}: fields.cover.picture: there is no pict",
    ),
    (
        LUMEN,
        'cover = { picture = "mark", alt = "The mark" }',
        'cover = "mark"',
        f"{LUMEN}: fields.cover: must be written as",
    ),
    (LUMEN, "caption =", "kaption =", f"{LUMEN}: fields.results.0.kaption: is not a known key"),
    (LUMEN, '"saved for every doctor"', '""', f"{LUMEN}: fields.results.0.caption:"),
    (
        LUMEN,
        '[{ value = "26 min", caption = "saved for every doctor" }]',
        '"26 min"',
        f"{LUMEN}: fields.results: must be a",
    ),
    (LUMEN, "[fields]", "[felder]", f"{LUMEN}: felder: is not a known key"),
    (
        "de/pages/project-cases/lumen.toml",
        'cover = { alt = "Die Marke" }',
        "",
        "de/pages/project-cases/lumen.toml: fields.cov",
    ),
    (
        "de/pages/project-cases/lumen.toml",
        'gallery = [{ alt = "Eine Station" }]',
        "",
        "de/pages/project-cases/lumen.toml: f",
    ),
    (
        "de/pages/project-cases/lumen.toml",
        "summary",
        "sumary",
        "de/pages/project-cases/lumen.toml: fields.sumary: is not a",
    ),
    (
        "en/pages/events/fair.toml",
        "2026-10-03",
        "2025-10-03",
        "en/pages/events/fair.toml: fields.end: The event ends before",
    ),
    ("en/pages/events/fair.toml", "2026-10-03", '"soon"', "en/pages/events/fair.toml: fields.end:"),
    ("en/rates.toml", "currency", "curency", "en/rates.toml: curency: is not a known key; there are"),
    ("en/rates.toml", '"EUR"', '"XXX"', "en/rates.toml: currency: Value 'XXX'"),
    ("en/rates.toml", "high = 7000", "high = 70", "en/rates.toml: rates.1.high: This is less than"),
    ("en/rates.toml", "low = 8000", "", "en/rates.toml: rates.0.low: is missing; add it"),
    ("en/rates.toml", "low = 8000", "lo = 8000", "en/rates.toml: rates.0.lo: is not a known key"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), BAD, ids=[f"{old}: {new}"[:60] for _, old, new, _ in BAD])
def test_what_is_wrong_is_named_with_file_and_place(load, root, file, old, new, expected):
    found = find_problems(load, root / file, old, new)
    assert [line for line in found if line.startswith(expected)], found


def test_families_without_fields_have_none(load, root):
    (root / "en/pages/services/web.toml").write_text(
        'title = "Web"\ntemplate = "service"\n[fields]\ndate = 2026-01-01\n'
    )
    with pytest.raises(FixtureError) as error:
        load()
    assert problems(error) == ["en/pages/services/web.toml: fields.date: is not a known key; there are none here"]


def test_an_article_is_dated(load, write):
    article = 'title = "News"\ntemplate = "article"\n[fields]\ndate = {date}\nsummary = "x"\npreview = {{ picture = "mark" }}\n'
    write(
        {
            "en/pages/company/insights.toml": LISTING.format(title="Insights"),
            "en/pages/company/insights/one.toml": article.format(date="2026-03-01"),
        }
    )
    load()
    found = ArticlePage.objects.get(locale__language_code="en")
    assert (str(found.date), found.preview, found.preview_alt) == ("2026-03-01", SiteImage.objects.get(), "")
