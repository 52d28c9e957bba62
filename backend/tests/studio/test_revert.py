"""Reverting a release restores its changes, except items that an editor has changed since."""

import pytest
from click.testing import CliRunner
from django.contrib.auth import get_user_model
from django.utils import timezone
from wagtail.models import Page

from portolan.commands import releases as command_module
from portolan.content.collections.offices import Office, OfficeCategory, OfficeTranslation
from portolan.content.entered import NotPossible
from portolan.content.models import FolderPage, ServicePage
from portolan.content.navigation.menu import MenuSettings
from portolan.content.redirects import Redirect
from portolan.content.site_records import SiteRecord
from portolan.releases.author import acting_as
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.releases.entered import fill_entered
from portolan.releases.models import EnteredValue, PendingChange, Release
from portolan.studio.deleting import delete_page
from portolan.studio.revert import revert

from ..conftest import publish_page
from ..shared_content import ensure, shared

pytestmark = pytest.mark.django_db


def text(html):
    return [{"type": "rich_text", "value": {"html": f"<p>{html}</p>"}, "id": "text-1"}]


def link(page):
    return text(f'<a linktype="page" id="{page.pk}">There</a>')


class Studio:
    """A site with pages, an office, a menu and a live copy of each page on another site."""

    def __init__(self, homes, add_page, made):
        self.homes = homes
        self.add_page = add_page
        self.anna = get_user_model().objects.get(username="anna")
        self.hub = OfficeCategory.objects.get()
        self.services, self.web, self.other, self.spare = (Page.objects.get(pk=pk) for pk in made)

    def snapshot(self, by="ben"):
        return create_release(by, timezone.now().date())

    def state(self, release=None):
        """Return the content of a release: digests by item."""
        reader = connected_reader()
        return {item[:3]: item.digest for item in reader.items(release or reader.latest())}

    def page(self, name):
        return Page.objects.get(pk=getattr(self, name).pk).specific

    def write(self, name, html, publish=True, **values):
        page = self.page(name)
        page.body = text(html)
        for field, value in values.items():
            setattr(page, field, value)
        revision = page.save_revision()
        if publish:
            revision.publish()

    def menu(self, title, site="en"):
        fill_menu(site, title, self.page("web"), self.page("other"))

    def change(self, name):
        """Make one of the changes below and freeze it. Return the release."""
        with acting_as("Ben"):
            getattr(self, f"change_{name}")()
            release = self.snapshot()
        assert release
        return release.number

    def back(self, release, **given):
        return revert(release, "Anna", self.anna, **given)

    # Changes

    def change_text(self):
        self.write("web", "Second")

    def change_address(self):
        self.write("web", "First", slug="web-development")

    def change_address_of_the_page_above(self):
        services = self.page("services")
        services.slug = "what-we-do"
        services.save_revision().publish()

    def change_place(self):
        self.page("web").move(self.homes["en"], pos="last-child")

    def change_place_and_text(self):
        self.page("web").move(self.homes["en"], pos="last-child")
        self.write("web", "Elsewhere")

    def change_new_page(self):
        self.add_page(self.services, ServicePage, "new", title="New", body=text("New"))

    def change_new_page_that_another_links_to(self):
        new = self.add_page(self.services, ServicePage, "new", title="New", body=text("New"))
        page = self.page("other")
        page.body = link(new)
        page.save_revision().publish()

    def change_taken_down(self):
        self.page("spare").unpublish()

    def change_deleted_page(self):
        delete_page(self.page("spare"), self.anna)

    def change_hidden_copy(self):
        copy = self.page("spare").aliases.get().specific
        copy.hidden_here = True
        copy.save(update_fields=["hidden_here"], clean=False)

    def change_phone_number(self):
        office = Office.objects.get(key="dallas")
        office.phone = "+1 214-555-0999"
        office.save()

    def change_translation(self):
        office = Office.objects.get()
        row = office.translations.get()
        row.city = "Dallas, TX"
        office.translations = [row]
        office.save()

    def change_translation_deleted(self):
        office = Office.objects.get()
        office.translations = []
        office.save()

    def change_category(self):
        self.hub.name = "Head office"
        self.hub.save()

    def change_new_entry(self):
        Office.objects.create(
            key="austin", city="Austin", address="2 Pier", phone="+1 214-555-0141", country="us", lat=30.2, lng=-97.7,
            category=self.hub, sets=[],
        )  # fmt: skip

    def change_deleted_entry(self):
        Office.objects.get().delete()

    def change_menu(self):
        self.menu("What we do")

    def change_own_menu_of_an_heir(self):
        self.menu("In Britain", site="uk")

    def change_redirect(self):
        row = Redirect.objects.get(source="/offer")
        row.page, row.address = self.page("spare"), ""
        row.save()

    def change_new_redirect(self):
        Redirect.objects.create(source="/news", address="https://news.example.com", site_id="de")

    def change_deleted_redirect(self):
        Redirect.objects.get().delete()

    def change_everything(self):
        self.change_text()
        self.change_phone_number()
        self.change_menu()
        self.change_category()
        self.change_redirect()
        self.change_new_page()
        self.change_deleted_page()


CHANGES = sorted(name.removeprefix("change_") for name in vars(Studio) if name.startswith("change_"))


@shared("edited_studio", on="sites")
def make_studio(media):
    get_user_model().objects.create_superuser("anna", password="x", first_name="Anna")
    home = SiteRecord.objects.get(key="en").wagtail_site.root_page
    services = publish_page(home, FolderPage, "services")
    web = publish_page(services, ServicePage, "web", title="Web", body=text("First"))
    other = publish_page(home, ServicePage, "other", title="Other", body=text("Else"))
    spare = publish_page(home, ServicePage, "spare", title="Spare", body=text("Spare"))
    office = Office.objects.create(
        key="dallas", city="Dallas", address="1 Pier", phone="+1 214-555-0140", country="us", lat=32.7, lng=-96.8,
        category=OfficeCategory.objects.create(key="hub", name="Hub", icon="anchor"), sets=["default"],
    )  # fmt: skip
    german = SiteRecord.objects.get(key="de").locale
    OfficeTranslation.objects.create(office=office, locale=german, city="Dallas (Texas)")
    fill_menu("en", "Services", web, other)
    Redirect.objects.create(source="/offer", page=web)
    create_release("ben", timezone.now().date())
    return [page.pk for page in (services, web, other, spare)]


def fill_menu(site, title, page, contact):
    row = MenuSettings.for_site(SiteRecord.objects.get(key=site).wagtail_site)
    row.contact = [("link", {"title": "Contact us", "page": contact})]
    row.items = [("item", {"title": title, "key": "services", "page": page, "theme": "text-links", "submenu": []})]
    row.save()


@pytest.fixture
def edited_studio(homes, add_page, media):
    return Studio(homes, add_page, ensure("edited_studio"))


ON_BOTH = [pytest.param("everything", marks=pytest.mark.postgres)]
"""Databases differ in reading and writing, and "everything" has all of it."""


@pytest.mark.parametrize("change", [*(name for name in CHANGES if name != "everything"), *ON_BOTH])
def test_what_a_release_changed_is_as_before(edited_studio, change):
    before = edited_studio.state()
    release = edited_studio.change(change)
    assert edited_studio.state() != before
    found = edited_studio.back(release)
    assert found.left == []
    assert found.new == release + 1
    assert edited_studio.state() == before
    made = Release.objects.get(number=found.new)
    assert made.created_by == "Anna"
    assert list(PendingChange.objects.values_list("key", "problem")) == []


@pytest.mark.parametrize("change", ON_BOTH)
def test_a_trial_says_the_same_and_changes_nothing(edited_studio, change):
    release = edited_studio.change(change)
    before, revisions = edited_studio.state(), Page.objects.get(pk=edited_studio.web.pk).revisions.count()
    trial = edited_studio.back(release, is_trial=True)
    assert edited_studio.state() == before
    assert Page.objects.get(pk=edited_studio.web.pk).revisions.count() == revisions
    assert Release.objects.first().number == release
    assert trial == edited_studio.back(release)._replace(new=None)


@pytest.mark.parametrize("change", ["everything", "hidden_copy"])
def test_it_can_be_reverted_in_turn(edited_studio, change):
    release = edited_studio.change(change)
    after = edited_studio.state()
    edited_studio.back(edited_studio.back(release).new)
    assert edited_studio.state() == after


@pytest.mark.postgres
def test_what_was_changed_since_is_left_alone(edited_studio):
    release = edited_studio.change("everything")
    with acting_as("Clara"):
        edited_studio.write("web", "Third")
        later = edited_studio.snapshot().number
    found = edited_studio.back(release)
    (left,) = found.left
    assert left.title == "“Web”"
    assert left.said == f"Changed since by Clara, in release {later}."
    assert left.sites == "International, United Kingdom"
    assert "Third" in str(edited_studio.page("web").body.raw_data)
    assert {row.title for row in found.done} >= {"Office “Dallas”", "Header menu", "“New”", "“Spare”"}


def test_what_was_changed_since_and_is_not_frozen_yet_is_left_alone(edited_studio):
    release = edited_studio.change("phone_number")
    office = Office.objects.get()
    office.phone = "+1 214-555-0777"
    office.save()
    (left,) = edited_studio.back(release).left
    assert left.said == f"Changed since by publisher, in release {release + 1}."
    assert Office.objects.get().phone == "+1 214-555-0777"


def test_a_page_that_came_since_moves_with_the_one_above_it(edited_studio):
    release = edited_studio.change("address_of_the_page_above")
    edited_studio.add_page(edited_studio.page("services"), ServicePage, "newer", title="Newer", body=text("Newer"))
    edited_studio.snapshot()
    found = edited_studio.back(release)
    assert found.left == []
    assert ("“Newer”", "Follows from the other changes") in {(row.title, row.said) for row in found.done}
    assert ServicePage.objects.get(slug="newer", alias_of=None).url_path.endswith("/services/newer/")


def test_somebody_s_draft_is_left_alone(edited_studio):
    release = edited_studio.change("text")
    edited_studio.write("web", "A draft of mine", publish=False)
    (left,) = edited_studio.back(release).left
    assert left.said == "It has an unpublished draft. Publish or discard the draft first."
    assert "A draft of mine" in str(edited_studio.page("web").get_latest_revision_as_object().body.raw_data)


def test_a_new_page_that_others_link_to_since_stays(edited_studio):
    release = edited_studio.change("new_page")
    page = edited_studio.page("other")
    page.body = link(ServicePage.objects.get(slug="new", alias_of=None))
    page.save_revision().publish()
    edited_studio.snapshot()
    (left,) = edited_studio.back(release).left
    assert left.title == "“New”"
    assert (
        left.said == "New links to it since, in “Other” (International), “Other” (United Kingdom). Change these first."
    )
    assert ServicePage.objects.get(slug="new", alias_of=None).live


def test_the_revision_shows_who_took_it_back(edited_studio):
    release = edited_studio.change("text")
    edited_studio.back(release)
    page = edited_studio.page("web")
    assert page.latest_revision.user == edited_studio.anna
    assert "First" in str(page.body.raw_data)
    assert page.revisions.count() == 3
    assert not page.has_unpublished_changes


def test_a_text_that_no_revision_has_any_more_is_not_made_up(edited_studio):
    release = edited_studio.change("text")
    page = edited_studio.page("web")
    page.revisions.exclude(pk=page.latest_revision_id).delete()
    (left,) = edited_studio.back(release).left
    assert left.said == "The previous version is not stored: no revision of the page has the text of that release."


def test_a_page_whose_address_is_taken_is_left(edited_studio):
    release = edited_studio.change("address")
    edited_studio.add_page(edited_studio.page("services"), ServicePage, "web", title="Newer", body=text("Newer"))
    edited_studio.snapshot()
    found = edited_studio.back(release)
    assert [row.title for row in found.left] == ["“Web”"]
    assert edited_studio.page("web").slug == "web-development"


def test_what_only_follows_from_something_left_alone_is_left_too(edited_studio):
    release = edited_studio.change("category")
    office = Office.objects.get()
    office.phone = "+1 214-555-0777"
    office.save()
    edited_studio.snapshot()
    found = edited_studio.back(release)
    assert not found.done
    assert OfficeCategory.objects.get().name == "Head office"


@pytest.mark.parametrize(("release", "message"), [(99, "There is no release 99"), (1, "Release 1 is the first one")])
def test_says_what_cannot_be_reverted(edited_studio, release, message):
    with pytest.raises(NotPossible, match=message):
        edited_studio.back(release)


def test_a_release_of_an_older_version_has_no_notes_of_entries(edited_studio):
    """Its pages can be reverted all the same."""
    release = edited_studio.change("everything")
    EnteredValue.objects.all().delete()
    fill_entered()
    found = edited_studio.back(release)
    assert {row.title for row in found.left} == {"Office “Dallas”", "Header menu", "Redirect /offer"}
    assert all("older than the stored values" in row.said for row in found.left)
    assert "First" in str(edited_studio.page("web").body.raw_data)


def test_notes_begin_with_what_is_entered_and_not_with_what_is_being_edited(edited_studio):
    EnteredValue.objects.all().delete()
    office = Office.objects.get()
    office.phone = "+1 214-555-0777"
    office.save()
    fill_entered()
    release = edited_studio.snapshot().number
    (left,) = edited_studio.back(release).left
    assert "an editor was changing it when recording of values started" in left.said
    again = edited_studio.change("phone_number")
    assert edited_studio.back(again).left == []
    assert Office.objects.get().phone == "+1 214-555-0777"


def test_a_change_that_nothing_of_remains_makes_no_release(edited_studio):
    release = edited_studio.change("text")
    edited_studio.write("web", "Third")
    newest = edited_studio.snapshot().number
    assert edited_studio.back(release).new is None
    assert Release.objects.first().number == newest


def test_the_command_says_what_it_would_do_and_does_it(edited_studio):
    release = edited_studio.change("text")
    edited_studio.write("other", "Later")
    before = edited_studio.snapshot().number

    def run(*arguments):
        found = CliRunner().invoke(command_module.command, ["revert", *arguments])
        return found.exit_code, found.output

    code, output = run(str(release), "--dry-run")
    assert code == 0
    assert "reverted  “Web”  International, United Kingdom  Restored" in output
    assert f"Nothing changed. To revert: `portolan releases revert {release}`" in output
    assert Release.objects.first().number == before
    code, output = run(str(release))
    assert code == 0
    assert f"Release {before + 1} reverts them." in output
    code, output = run(str(release))
    assert code == 1
    assert "skipped  “Web”" in output
    assert "Nothing changed: no release was created." in output
    code, output = run("99")
    assert code == 1
    assert "There is no release 99." in output
