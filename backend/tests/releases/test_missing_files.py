"""Media that is missing at the snapshot is kept and named as a problem. The problem ends when the media is back."""

from datetime import date

import pytest
from click.testing import CliRunner
from django.core.files.base import ContentFile
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.commands import releases as command_module
from portolan.commands.publish_watch import BlockedTries
from portolan.commands.release_making import snapshot_pending
from portolan.commands.release_worker import DjangoReleaseWorker
from portolan.config.env import env
from portolan.content.pages.legal import LegalPage
from portolan.content.pictures import SiteImage
from portolan.domain.problem_texts import say_each
from portolan.domain.problems import MissingFile, Problem, Subject
from portolan.releases import create
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release, ReleaseItem

from .conftest import SVG, TODAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(world, add_page):
    """Make a document and a page that offers it, both yet to be released."""
    document = Document.objects.create(title="Checklist", file=ContentFile(b"%PDF-1.4 one", name="list.pdf"))
    value = {"title": "List", "document": document.pk, "link_title": "Take it"}
    page = add_page(
        world.page("home"), LegalPage, "list", title="List", body=[{"type": "download", "value": value, "id": "1"}]
    )
    world.pages["list"] = page.pk
    return document


def names(kind):
    return set(ReleaseItem.objects.filter(kind=kind, until=None).values_list("site", "key"))


def try_again():
    """Try again as the publisher does after a pause, and `portolan publish` at once."""
    snapshot_pending(connected_reader(), DjangoReleaseWorker(), env().registry, TODAY, blocked_too=True)


def test_freezing_all_of_it_without_media_forgets_nothing_and_names_what_is_missing(world, document, media):
    world.snapshot()
    before = names("page"), names("document")
    media.rename(media.with_name("elsewhere"))
    assert world.snapshot(full=True) is None
    assert (names("page"), names("document")) == before
    said = "\n".join(say_each(change.problem for change in connected_reader().blocked_changes()))
    assert "Document “Checklist”: its file (documents/list.pdf) cannot be read" in said
    assert "en, “List” (/list)" in said
    media.with_name("elsewhere").rename(media)
    try_again()
    assert not PendingChange.objects.exists()


def test_what_a_release_could_not_take_is_taken_when_its_file_is_back(world, document, media):
    media.rename(media.with_name("elsewhere"))
    world.snapshot()
    assert names("document") == set()
    blocked = {(change.kind, change.site) for change in connected_reader().blocked_changes()}
    assert blocked == {("document", ""), ("page", "en"), ("page", "uk")}
    try_again()
    assert {(change.kind, change.site) for change in connected_reader().blocked_changes()} == blocked, "still away"
    media.with_name("elsewhere").rename(media)
    try_again()
    assert names("document") == {("", str(document.pk))}
    assert ("added", "en", "page", "/list") in world.differences()
    assert connected_reader().blocked_changes() == []


def test_a_picture_whose_original_is_gone_before_its_files_were_made_is_named(world, media):
    picture = SiteImage(title="Lost", file=ContentFile(SVG, name="lost.svg"))
    picture.save()
    SiteImage.objects.update(published={})
    world.snapshot()
    assert connected_reader().blocked_changes() == [], "its files are being made"
    picture.file.storage.delete(picture.file.name)
    world.snapshot(full=True)
    (blocked,) = connected_reader().blocked_changes()
    assert (blocked.kind, blocked.key) == ("picture", str(picture.pk))
    assert blocked.problem == Problem(Subject("", "picture", str(picture.pk), "Lost"), MissingFile(picture.file.name))


def test_a_deleted_document_is_gone(world, document):
    world.snapshot()
    document.delete()
    world.snapshot()
    assert names("document") == set()


@pytest.fixture
def refresh(monkeypatch, tmp_path):
    monkeypatch.setattr(command_module, "open_reader", lambda url: connected_reader())

    def call(*arguments):
        done = CliRunner().invoke(command_module.command, ["refresh", *arguments])
        return done.exit_code, done.output

    return call


def change_without_the_studio(world):
    """Change it like a restored database or a script."""
    world.page("web").__class__.objects.filter(pk=world.pages["web"]).update(title="Otherwise")
    world.office.__class__.objects.update(phone="+1 214-555-0199")
    assert not PendingChange.objects.exists()


def test_refresh_finds_what_nobody_noted(world, refresh):
    change_without_the_studio(world)
    code, output = refresh()
    assert code == 0
    assert "Release 2: 0 added, 4 changed, 0 removed." in output  # the page, and the office on three sites
    assert refresh() == (0, "Nothing changed: the newest release matches the studio's content.\n")


def test_refresh_of_some_leaves_the_rest(world, refresh):
    change_without_the_studio(world)
    assert "1 changed" in refresh("--site", "de", "--kind", "office")[1]
    assert world.differences() == {("changed", "de", "office", "Dallas")}
    assert "1 changed" in refresh("--kind", "page")[1]


@pytest.mark.parametrize(
    ("option", "words"), [("--site", "There is no site 'xx'"), ("--kind", "There is no kind 'xx'")]
)
def test_refresh_of_what_there_is_not_is_refused(world, refresh, option, words):
    code, output = refresh(option, "xx")
    assert code == 1
    assert words in output
    assert "Nothing changed" in output


def test_refresh_names_what_it_could_not_take(world, document, media, refresh):
    media.rename(media.with_name("elsewhere"))
    code, output = refresh()
    assert code == 1
    assert "Not in the release: Document “Checklist”" in output


def test_a_release_of_nothing_is_none(sites):
    Page.objects.filter(depth__gt=1).update(live=False)
    assert create.create_release("test", date(2026, 11, 21)) is None
    assert not Release.objects.exists()


def test_pauses_between_tries_grow_and_begin_anew_with_another_problem():
    now = 0.0
    tries = BlockedTries(lambda: now)
    assert tries.is_due()
    moments = []
    for second in range(500):
        now = float(second)
        if tries.is_due():
            moments.append(second)
        tries.note(["Checklist is missing"])
    assert moments == [0, 10, 40, 100, 400]
    tries.note(["Another is missing"])
    assert not tries.is_due()
    now += 10
    assert tries.is_due()
