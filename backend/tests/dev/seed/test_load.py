import json
from pathlib import Path

import pytest
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content.collections.offices import Office
from portolan.content.navigation.footer import FooterSettings
from portolan.content.navigation.menu import MenuSettings
from portolan.content.pages import AboutPage, HomePage, ServicePage
from portolan.content.pages.folder import FolderPage
from portolan.content.pictures import SiteImage
from portolan_dev.seed.load import count_entries, load_fixtures, read_demo
from portolan_dev.seed.problems import FixtureError
from portolan_dev.seed.report import Outcome, SeedReport

from ...shared_content import ensure, shared
from .conftest import FOLDER, PAGE, SVG, find_problems, load_files, page, problems

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


@pytest.fixture
def loaded_folder(folder, registry):
    """The folder has been loaded: each test reads it, or changes it and loads it again."""
    ensure("loaded_folder")


@shared("loaded_folder", on="registry")
def make_loaded_folder(media: Path) -> None:
    load_files(FOLDER)


def test_pages_are_published_with_all_they_hold(loaded_folder):
    home = page("/")
    assert isinstance(home, HomePage)
    assert home.live
    assert home.live_revision is not None
    assert (home.seo_title, home.search_description[:4]) == ("Home of the company", "What")
    (hero,) = home.body
    assert hero.value["actions"][0]["page"].specific == page("/about-us/")
    assert hero.value["picture"]["image"] == SiteImage.objects.get()
    assert SiteImage.objects.get().published["vector"].endswith("/mark.svg")
    about = page("/about-us/")
    assert isinstance(about, AboutPage)
    assert f'<a linktype="page" id="{about.pk}" anchor="offices">our offices</a>' in about.body[0].value["html"].source


def test_folders_on_the_way_are_made(loaded_folder):
    assert isinstance(page("/services/"), FolderPage)
    assert isinstance(page("/services/web/"), ServicePage)
    assert page("/services/").live


def test_the_tree_is_sound(loaded_folder, load, folder):
    assert Page.find_problems() == ([], [], [], [], [])
    (folder / "en/pages/services/more.toml").write_text(PAGE.format(title="More", template="service"), encoding="utf-8")
    (folder / "en/pages/contact-us.toml").write_text(PAGE.format(title="Us", template="contact"), encoding="utf-8")
    load()
    assert Page.find_problems() == ([], [], [], [], [])
    assert page("/contact-us/", "uk").live


def test_the_same_path_on_two_sites_is_a_translation(loaded_folder):
    assert page("/services/web/").translation_key == page("/services/web/", "de").translation_key
    assert page("/services/").translation_key == page("/services/", "de").translation_key


def test_an_heir_has_live_copies_but_for_its_overrides(loaded_folder):
    web, about = page("/services/web/", "uk"), page("/about-us/", "uk")
    assert (web.live, web.alias_of_id) == (True, page("/services/web/").pk)
    assert (about.live, about.alias_of_id, about.title) == (True, None, "About us in Britain")
    assert page("/", "uk").live
    assert page("/", "uk").alias_of_id == page("/").pk


def test_a_link_to_a_page_the_site_lacks_leads_to_the_default_sites(loaded_folder):
    assert page("/", "de").body[0].value["actions"][0]["page"].specific == page("/about-us/")


def test_offices_menus_and_footers_are_filled(loaded_folder):
    office = Office.objects.get()
    assert (office.city, office.phone, office.category.name) == ("Dallas", "+1 214-555-0140", "Hub")
    assert [(text.locale.language_code, text.city) for text in office.translations.all()] == [
        ("de-de", "Dallas (Texas)")
    ]
    menu = MenuSettings.objects.get()
    assert menu.site.record.key == "en"
    assert menu.items[0].value["submenu"][0]["page"].specific == page("/services/web/")
    footer = FooterSettings.objects.get()
    assert footer.groups[0].value["links"][1]["region"] == "cis"
    assert footer.offices_link[0].value["anchor"] == "offices"


def test_a_second_run_changes_nothing(loaded_folder, load):
    before = json.dumps(list(Page.objects.order_by("pk").values()), default=str)
    report = load()
    assert not report.changed_anything(), report.counts
    assert json.dumps(list(Page.objects.order_by("pk").values()), default=str) == before


def test_a_changed_fixture_changes_its_page_alone(loaded_folder, load, folder):
    (folder / "de/pages/services/web.toml").write_text(PAGE.format(title="Neu", template="service"), encoding="utf-8")
    report = load()
    assert report.counts["pages"] == {Outcome.CHANGED: 1, Outcome.UNCHANGED: 6}
    assert page("/services/web/", "de").title == "Neu"


def test_what_a_person_edited_is_kept(loaded_folder, load, folder, admin_user):
    about = page("/about-us/")
    about.title = "By hand"
    about.save_revision(user=admin_user, log_action=True).publish(user=admin_user)
    report = load()
    assert report.counts["pages"][Outcome.KEPT] == 1
    assert page("/about-us/").title == "By hand"


def test_a_replaced_picture_keeps_its_place(loaded_folder, load, folder):
    before = SiteImage.objects.get()
    (folder / "pictures/mark.svg").write_text(SVG.replace("8 8", "16 8"), encoding="utf-8")
    assert load().counts["pictures"] == {Outcome.CHANGED: 1}
    after = SiteImage.objects.get()
    assert (after.pk, after.width) == (before.pk, 16)
    assert after.published["vector"] != before.published["vector"]


def test_a_picture_is_known_again_where_the_storage_gave_it_another_name(loaded_folder, load):
    SiteImage.objects.all().delete()
    load()
    (again,) = SiteImage.objects.all()
    assert not again.file.name.endswith("/mark.svg")
    assert load().counts["pictures"] == {Outcome.UNCHANGED: 1}


BAD = [
    ("en/pages/home.toml", 'title = "Home"', "titel = 1", ["en/pages/home.toml: titel: is not a known key"]),
    ("en/pages/home.toml", 'template = "home"', "", ["en/pages/home.toml: template: is missing; add it"]),
    ("en/pages/home.toml", "title =", "title", ["en/pages/home.toml: is not valid TOML"]),
    (
        "en/pages/about-us.toml",
        'template = "about"',
        'template = "abaut"',
        ["en/pages/about-us.toml: template: there is no such family; choose one of home"],
    ),
    (
        "en/pages/home.toml",
        'page = "/about-us"',
        'page = "/nowhere"',
        ["en/pages/home.toml: blocks.0.actions.0.page: there is no page /nowhere"],
    ),
    (
        "en/pages/about-us.toml",
        '<a page="/about-us#offices">',
        '<a page="/gone">',
        ["en/pages/about-us.toml: blocks.0.html: there is no page /gone"],
    ),
    (
        "en/pages/home.toml",
        'picture = "mark"',
        'picture = "nark"',
        ["en/pages/home.toml: blocks.0.picture.picture: there is no picture 'nark' in pictures.toml"],
    ),
    (
        "en/pages/home.toml",
        'type = "hero"',
        'type = "heroo"',
        ["en/pages/home.toml: blocks.0.type: 'heroo' is no block; choose one of"],
    ),
    (
        "en/pages/home.toml",
        'title = "Home"\nactions',
        'title = "Home"\ncolour = 1\nactions',
        ["en/pages/home.toml: blocks.0.colour: is not a known key; there are"],
    ),
    (
        "en/pages/home.toml",
        'title = "Home"\nactions',
        'title = "{foo}"\nactions',
        ["en/pages/home.toml: blocks.0.title: {foo} stands for nothing"],
    ),
    (
        "en/pages/home.toml",
        'title = "Home of the company"',
        'title = "Home"',
        ["en/pages/home.toml: head.title: This has 4 characters. Use 10 to 60"],
    ),
    ("offices.toml", '"+1 214-555-0140"', '"214"', ["offices.toml: offices.0.phone: Write the number"]),
    (
        "offices.toml",
        'category = "hub"',
        'category = "hup"',
        ["offices.toml: offices.0.category: there is no category"],
    ),
    ("offices.toml", "city.de", "city.xx", ["offices.toml: offices.0.city.xx: the registry has no site of this key"]),
    ("offices.toml", 'icon = "anchor"', 'icon = "wheel"', ["offices.toml: categories.hub.icon: Value 'wheel' is not"]),
    (
        "en/menu.toml",
        'page = "/services/web"',
        'page = "/services/wob"',
        ["en/menu.toml: items.0.submenu.0.page: there is no page /services/wob"],
    ),
    ("en/footer.toml", "[offices_link]", "[office_link]", ["en/footer.toml: office_link: is not a known key"]),
    ("pictures.toml", "pictures/mark.svg", "pictures/mork.svg", ["pictures.toml: pictures.mark.file: cannot be read"]),
    (
        "pictures.toml",
        "[pictures.mark]",
        f"[pictures.{'m' * 41}]",
        [f"pictures.toml: pictures.{'m' * 41}: uploads are"],
    ),
    ("pictures/mark.svg", SVG, "no drawing", ["pictures.toml: pictures.mark.file:"]),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), BAD, ids=[words[0][:60] for *_, words in BAD])
def test_a_bad_fixture_is_named_with_file_and_field(loaded_folder, load, folder, file, old, new, expected):
    found = find_problems(load, folder / file, old, new)
    for words in expected:
        assert [line for line in found if line.startswith(words)], found


def test_a_folder_of_no_site_is_named(load, folder):
    (folder / "nl" / "pages").mkdir(parents=True)
    with pytest.raises(FixtureError) as error:
        load()
    assert problems(error) == ["nl: the registry has no site of this key (it has en, uk, de); rename the folder"]


def test_a_bad_page_holds_up_no_other(load, folder):
    file = folder / "en/pages/about-us.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("<h2>", "<h2>{foo}"), encoding="utf-8")
    with pytest.raises(FixtureError):
        load()
    assert page("/services/web/").live
    assert not page("/about-us/").live


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("pictures.toml", "", ["pictures.toml: pictures: is missing; begin each with [pictures.NAME], or write pictures = {} for none"]),
        ("offices.toml", "", [
            "offices.toml: categories: is missing; begin each with [categories.NAME], or write categories = {} for none",
            "offices.toml: offices: is missing; begin each with [[offices]], or write offices = [] for none",
        ]),
        ("offices.toml", "offices = [1]\n[categories]\n", ["offices.toml: offices.0: must be written as [[offices]]"]),
        ("pictures.toml", "[pictures]\nmark = 1", ["pictures.toml: pictures.mark: must be written as [pictures.NAME]"]),
        ("pictures.toml", '[pictures.mark]\nfile = "pictures/mark.svg"', ["pictures.toml: pictures.mark.title: is missing; add it"]),
        ("pictures.toml", '[pictures.mark]\ngenerated = true', ["pictures.toml: pictures.mark.file: cannot be read ('file'); add the file"]),
    ],
)  # fmt: skip
def test_what_a_file_lacks_is_said(load, folder, file, text, expected):
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(FixtureError) as error:
        load()
    assert set(expected) <= set(problems(error))


def test_documents_are_offered_by_the_name_of_their_file(load, folder):
    (folder / "documents").mkdir()
    (folder / "documents/list.pdf").write_bytes(b"%PDF-1.4 list")
    block = '[[blocks]]\ntype = "download"\ntitle = "List"\ndocument = "{}"\nlink_title = "Take it"\n'
    about = folder / "en/pages/about-us.toml"
    about.write_text(about.read_text(encoding="utf-8") + block.format("list"), encoding="utf-8")
    load()
    document = Document.objects.get()
    assert page("/about-us/").body[1].value["document"] == document
    assert (document.filename, document.file_size, document.file_hash) == (
        "list.pdf", 13, "39ad8c957f6dfeeb6b3081e3dea654ed5e6abaf2",
    )  # fmt: skip
    assert not load().changed_anything()
    about.write_text(about.read_text(encoding="utf-8").replace('"list"', '"lost"'), encoding="utf-8")
    with pytest.raises(FixtureError) as error:
        load()
    (problem,) = problems(error)
    assert problem.startswith("en/pages/about-us.toml: blocks.1.document: there is no document 'lost' in documents/")


GENERATED = '[pictures.mark]\nfile = "pictures/drawn.svg"\ntitle = "Mark"\ngenerated = true\n'


def test_a_generated_picture_is_drawn_first(load, folder):
    (folder / "pictures.toml").write_text(GENERATED, encoding="utf-8")
    (folder / "draw.py").write_text(
        f"import pathlib, sys\npathlib.Path(sys.argv[-1], 'drawn.svg').write_text({SVG!r})", encoding="utf-8"
    )
    load()
    assert SiteImage.objects.get().file.name.endswith("/mark.svg")


def test_a_picture_that_cannot_be_drawn_is_named(load, folder):
    (folder / "pictures.toml").write_text(GENERATED, encoding="utf-8")
    (folder / "draw.py").write_text("raise SystemExit('no ink')", encoding="utf-8")
    with pytest.raises(FixtureError) as error:
        load()
    assert "pictures.toml: draw.py could not draw those marked generated: no ink" in problems(error)


def test_progress_is_told_as_often_as_was_announced(load, folder, registry):
    steps = []
    fixtures = read_demo(folder, registry)
    load_fixtures(fixtures, registry, folder / "draw.py", SeedReport(lambda kind, name: steps.append((kind, name))))
    assert len(steps) == count_entries(fixtures)
