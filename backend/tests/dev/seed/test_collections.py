"""Collections: shared fields once, translations by site, read off the models."""

from pathlib import Path

import pytest

from portolan.content.collections.certificates import Certificate
from portolan.content.collections.cvs import Cv
from portolan.content.collections.facets import FacetValue
from portolan.content.collections.phones import Phone
from portolan.content.collections.reviews import Review
from portolan.content.collections.videos import InsightVideo
from portolan.content.pictures import SiteImage
from portolan_dev.seed.collections import FILES
from portolan_dev.seed.problems import FixtureError
from portolan_dev.seed.report import Outcome

from ...shared_content import ensure, shared
from .conftest import SMALL, find_problems, load_files, page, problems

pytestmark = pytest.mark.django_db

COLLECTIONS = {
    "collections/reviews.toml": """
[northwind]
company = "Northwind"
country = "gb"
score = 5
logo = "mark"
pages = ["/services/web", "/"]
[lumen]
company = "Lumen"
country = "de"
score = 4.5
""",
    "en/collections/reviews.toml": """
[northwind]
person = "Head of Traffic"
text = "Good."
[lumen]
person = "Medical Director"
role = "Clinical management"
text = "Very good."
""",
    "de/collections/reviews.toml": """
[northwind]
person = "Leitung Verkehr"
text = "Gut."
""",
    "collections/certificates.toml": """
[iso-27001]
issuer = "Plimsoll"
issued = 2024-05-01
number = "PA-1"
""",
    "en/collections/certificates.toml": '[iso-27001]\ntitle = "Information security"\n',
    "collections/cvs.toml": '[go-baku]\nseniority = "senior"\nyears = 9\ncountry = "az"\n',
    "en/collections/cvs.toml": """
[go-baku]
role = "Back-end developer"
summary = "Writes rules."
skills = ["Go", "SQL"]
languages = ["English (C1)"]
""",
    "collections/phones.toml": """
[london]
phone = "+44 20 7946 0700"
default = true
countries = ["ie", "gb"]
[berlin]
phone = "+49 30 23125 400"
countries = ["de"]
""",
    "collections/facets.toml": '[healthcare]\nfacet = "industry"\n[python]\nfacet = "technology"\n',
    "en/collections/facets.toml": '[healthcare]\nname = "Healthcare"\n[python]\nname = "Python"\n',
    "collections/videos.toml": '[tour]\nvideo_id = "aqz-KE-bpKQ"\ncover = "mark"\n',
    "en/collections/videos.toml": '[tour]\ntitle = "A tour"\n',
}


@pytest.fixture(autouse=True)
def collections(small_folder, write):
    write(COLLECTIONS)


@pytest.fixture
def loaded_collections(collections, registry):
    """The folder has been loaded: each test reads it, or changes it and loads it again."""
    ensure("loaded_collections")


@shared("loaded_collections", on="registry")
def make_loaded_collections(media: Path) -> None:
    load_files(SMALL | COLLECTIONS)


def test_shared_fields_and_translations_become_entries(loaded_collections):
    northwind, lumen = Review.objects.all()
    assert (northwind.key, northwind.company, northwind.country, northwind.score) == ("northwind", "Northwind", "gb", 5)
    assert northwind.logo == SiteImage.objects.get()
    translations = {row.locale.language_code: (row.person, row.text) for row in northwind.translations.all()}
    assert translations == {"en": ("Head of Traffic", "Good."), "de-de": ("Leitung Verkehr", "Gut.")}
    assert [place.page.specific for place in northwind.placements.all()] == [page("/services/web/"), page("/")]
    assert [row.locale.language_code for row in lumen.translations.all()] == ["en"]
    assert lumen.logo is None


def test_each_kind_of_field_has_its_value(loaded_collections):
    certificate = Certificate.objects.get()
    assert (str(certificate.issued), certificate.expires, certificate.number) == ("2024-05-01", None, "PA-1")
    assert Cv.objects.get().translations.get().skills == ["Go", "SQL"]
    assert [(phone.key, phone.is_default, phone.countries) for phone in Phone.objects.all()] == [
        ("london", True, ["gb", "ie"]),
        ("berlin", False, ["de"]),
    ]
    assert {(value.facet, value.key, str(value)) for value in FacetValue.objects.all()} == {
        ("industry", "healthcare", "Healthcare"),
        ("technology", "python", "Python"),
    }
    assert InsightVideo.objects.get().cover == SiteImage.objects.get()


def test_the_order_is_that_of_the_file(loaded_collections, load, root):
    file = root / "collections/reviews.toml"
    first, second = file.read_text().split("[lumen]")
    file.write_text(f"[lumen]{second}{first}")
    report = load()
    assert report.counts["reviews"] == {Outcome.CHANGED: 2}
    assert [review.key for review in Review.objects.all()] == ["lumen", "northwind"]


def test_a_second_run_changes_nothing(loaded_collections, load):
    rows = list(Review.objects.get(key="northwind").translations.values())
    report = load()
    assert not report.changed_anything(), report.counts
    assert report.counts["reviews"] == {Outcome.UNCHANGED: 2}
    assert list(Review.objects.get(key="northwind").translations.values()) == rows


@pytest.mark.parametrize(
    ("file", "old", "new", "kind"),
    [
        ("collections/reviews.toml", "score = 4.5", "score = 4", "reviews"),
        ("collections/reviews.toml", 'logo = "mark"', "", "reviews"),
        ("collections/reviews.toml", '["/services/web", "/"]', '["/"]', "reviews"),
        ("de/collections/reviews.toml", "Gut.", "Sehr gut.", "reviews"),
        ("en/collections/cvs.toml", '"Go", "SQL"', '"SQL", "Go"', "CVs"),
        ("collections/certificates.toml", "2024-05-01", "2024-05-02", "certificates"),
    ],
)
def test_a_changed_fixture_changes_its_entry_alone(loaded_collections, load, root, file, old, new, kind):
    text = (root / file).read_text()
    assert old in text
    (root / file).write_text(text.replace(old, new))
    report = load()
    assert {name: counts[Outcome.CHANGED] for name, counts in report.counts.items() if counts[Outcome.CHANGED]} == {
        kind: 1
    }
    assert not load().changed_anything()


def test_translations_that_went_away_are_taken_away(loaded_collections, load, root):
    (root / "de/collections/reviews.toml").unlink()
    load()
    assert [row.locale.language_code for row in Review.objects.get(key="northwind").translations.all()] == ["en"]


def test_the_default_phone_can_move_up_and_down(loaded_collections, load, root):
    file = root / "collections/phones.toml"
    file.write_text(file.read_text().replace("default = true\n", "").replace("400", '400"\ndefault = true #'))
    load()
    assert [(phone.key, phone.is_default) for phone in Phone.objects.all()] == [("london", False), ("berlin", True)]
    file.write_text(COLLECTIONS["collections/phones.toml"])
    load()
    assert [(phone.key, phone.is_default) for phone in Phone.objects.all()] == [("london", True), ("berlin", False)]


def test_what_a_person_edited_is_kept(loaded_collections, load, admin_user):
    from wagtail.log_actions import log

    review = Review.objects.get(key="lumen")
    review.score = 1
    review.save()
    log(instance=review, action="wagtail.edit", user=admin_user)
    assert load().counts["reviews"] == {Outcome.UNCHANGED: 1, Outcome.KEPT: 1}
    assert Review.objects.get(key="lumen").score == 1


BAD = [
    (
        "collections/reviews.toml",
        "score = 5",
        "skore = 5",
        "collections/reviews.toml: northwind.skore: is not a known key",
    ),
    ("collections/reviews.toml", "score = 5", "", "collections/reviews.toml: northwind.score: is missing; add it"),
    ("collections/reviews.toml", "score = 5", "score = 7", "collections/reviews.toml: northwind.score: Value 7"),
    ("collections/reviews.toml", "score = 5", 'score = "much"', "collections/reviews.toml: northwind.score:"),
    ("collections/reviews.toml", '"gb"', '"xx"', "collections/reviews.toml: northwind.country:"),
    (
        "collections/reviews.toml",
        '"mark"',
        '"nark"',
        "collections/reviews.toml: northwind.logo: there is no picture 'nark'",
    ),
    (
        "collections/reviews.toml",
        '"/services/web"',
        '"/services/wob"',
        "collections/reviews.toml: northwind.pages: the default site has no page /services/wob",
    ),
    (
        "collections/reviews.toml",
        '["/services/web", "/"]',
        '"/"',
        "collections/reviews.toml: northwind.pages: must be a list",
    ),
    ("collections/reviews.toml", "[northwind]", "", "collections/reviews.toml: company: stands outside of an entry"),
    (
        "collections/reviews.toml",
        "[lumen]",
        '[tessel]\ncompany = "Tessel"\ncountry = "gb"\nscore = 5\n[lumen]',
        "collections/reviews.toml: tessel: no site has a translation of it",
    ),
    (
        "en/collections/reviews.toml",
        "[lumen]",
        "[loomen]",
        "en/collections/reviews.toml: loomen: there is no such entry",
    ),
    (
        "en/collections/reviews.toml",
        "Very good.",
        "{foo}",
        "en/collections/reviews.toml: lumen.text: {foo} stands for nothing",
    ),
    (
        "en/collections/reviews.toml",
        'text = "Good."',
        "",
        "en/collections/reviews.toml: northwind.text: is missing; add it",
    ),
    (
        "en/collections/reviews.toml",
        "text =",
        "txet =",
        "en/collections/reviews.toml: northwind.txet: is not a known key",
    ),
    ("collections/certificates.toml", "2024-05-01", '"May"', "collections/certificates.toml: iso-27001.issued:"),
    (
        "collections/phones.toml",
        '"de"',
        '"gb"',
        "collections/phones.toml: berlin.countries: Visitors of a country see one",
    ),
    (
        "collections/phones.toml",
        "default = true",
        "is_default = true",
        "collections/phones.toml: london.is_default: is not a",
    ),
    ("collections/facets.toml", '"industry"', '"trade"', "collections/facets.toml: healthcare.facet: Value 'trade'"),
    ("collections/facets.toml", "[python]", "[python", "collections/facets.toml: is not valid TOML"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), BAD, ids=[words[:70] for *_, words in BAD])
def test_what_is_wrong_is_named_with_file_and_place(load, root, file, old, new, expected):
    found = find_problems(load, root / file, old, new)
    assert [line for line in found if line.startswith(expected)], found
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "file", ["collections/testimonials.toml", "en/collections/testimonials.toml", "en/menus.toml", "collection.toml"]
)
def test_a_file_that_nothing_reads_is_named(load, write, file):
    write({file: "[x]"})
    with pytest.raises(FixtureError) as error:
        load()
    assert [line[: len(file) + 20] for line in problems(error)] == [f"{file}: is read by nothing"]


def test_a_bad_entry_holds_up_no_other(load, root):
    (root / "collections/reviews.toml").write_text(COLLECTIONS["collections/reviews.toml"].replace("4.5", "9"))
    with pytest.raises(FixtureError):
        load()
    assert [review.key for review in Review.objects.all()] == ["northwind"]


def test_every_collection_has_a_file_of_its_kind():
    assert sorted(FILES) == ["certificates", "cvs", "facets", "phones", "reviews", "shorts", "videos"]
