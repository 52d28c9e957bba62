import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portolan.content.collections.offices import Office, OfficeTranslation
from portolan.content.pages.about import AboutPage
from portolan.content.pages.service import ServicePage
from portolan.content.pictures import SiteImage, publish_picture
from portolan.content.redirects import Redirect
from portolan.domain.problems import MissingPage, unpack_all
from portolan.releases import create
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release, ReleaseItem

from .conftest import SVG, World, rich_text

pytestmark = pytest.mark.django_db

OFFICE = (
    ("changed", "en", "office", "Dallas"),
    ("changed", "uk", "office", "Dallas"),
    ("changed", "de", "office", "Dallas"),
)


def edit_phone(world: World) -> None:
    world.office.phone = "+1 214-555-0199"
    world.office.save()


def rename_key(world: World) -> None:
    world.office.key = "fort-worth"
    world.office.save()


def translate_office(world: World) -> None:
    OfficeTranslation.objects.create(office=world.office, locale=world.sites["de"].locale, city="Dallas (Texas)")


def rename_category(world: World) -> None:
    world.office.category.name = "Head office"
    world.office.category.save()


def delete_office(world: World) -> None:
    world.office.delete()


def publish_text(world: World) -> None:
    page = world.page("web")
    page.body = rich_text("<p>Better words</p>")
    page.save_revision().publish()


def publish_override(world: World) -> None:
    from wagtail.actions.convert_alias import ConvertAliasPageAction

    page = world.page("copy")
    ConvertAliasPageAction(page).execute(skip_permission_checks=True)
    page.body = rich_text("<p>British words</p>")
    page.save_revision().publish()


def unpublish(world: World) -> None:
    world.page("web").unpublish()


def hide_copy(world: World) -> None:
    page = world.page("copy")
    page.hidden_here = True
    page.save()


def delete_page(world: World) -> None:
    world.page("about").delete()


def change_slug_of_folder(world: World) -> None:
    page = world.page("services")
    page.slug = "what-we-do"
    page.save_revision().publish()


def move_page(world: World) -> None:
    world.page("web").move(world.page("home"), "last-child")


def add_page(world: World) -> None:
    page = ServicePage(title="Mobile", slug="mobile")
    world.page("services").add_child(instance=page)
    page.save_revision().publish()


def add_redirect(world: World) -> None:
    Redirect.objects.create(site_id="de", source="/old", page=world.page("about"))


def add_redirect_of_all_sites(world: World) -> None:
    Redirect.objects.create(source="/old", status=410)


def replace_picture(world: World) -> None:
    world.picture.file = ContentFile(SVG.replace(b"8 8", b"16 8"), name="mark.svg")
    world.picture.save()
    publish_picture(world.picture)


def delete_picture(world: World) -> None:
    world.picture.delete()


CASES: list[tuple[Callable[[World], None], set[tuple[str, str, str, str]]]] = [
    (edit_phone, {*OFFICE}),
    (
        rename_key,
        {(change, site, "office", "Dallas") for change in ("added", "removed") for site in ("en", "uk", "de")},
    ),
    (translate_office, {("changed", "de", "office", "Dallas (Texas)")}),
    (rename_category, {*OFFICE}),
    (delete_office, {("removed", site, "office", "Dallas") for site in ("en", "uk", "de")}),
    (publish_text, {("changed", "en", "page", "/services/web"), ("changed", "uk", "page", "/services/web")}),
    (publish_override, {("changed", "uk", "page", "/services/web")}),
    (unpublish, {("removed", "en", "page", "/services/web"), ("removed", "uk", "page", "/services/web")}),
    (hide_copy, {("removed", "uk", "page", "/services/web")}),
    (delete_page, {("removed", "en", "page", "/about-us"), ("removed", "uk", "page", "/about-us")}),
    (change_slug_of_folder, {("changed", site, "page", "/what-we-do/web") for site in ("en", "uk")}),
    (move_page, {("changed", "en", "page", "/web"), ("changed", "uk", "page", "/web")}),
    (add_page, {("added", "en", "page", "/services/mobile"), ("added", "uk", "page", "/services/mobile")}),
    (add_redirect, {("added", "de", "redirect", "/old")}),
    (add_redirect_of_all_sites, {("added", site, "redirect", "/old") for site in ("en", "uk", "de")}),
    (replace_picture, {("changed", "", "picture", "mark.svg")}),
    (delete_picture, {("removed", "", "picture", "mark.svg")}),
]


@pytest.mark.parametrize(("edit", "expected"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_an_edit_changes_these_items_and_no_others(world, edit, expected):
    edit(world)
    release = world.snapshot()
    assert world.differences() == expected
    assert release.added + release.changed + release.removed == len(expected)
    assert not PendingChange.objects.exists()
    assert world.snapshot(full=True) is None, "freezing everything finds nothing more"


@pytest.mark.postgres
def test_nothing_pending_makes_no_release(world):
    assert world.snapshot() is None
    assert Release.objects.count() == 1


def test_an_edit_that_changes_nothing_makes_no_release_and_stays_no_longer_pending(world):
    world.office.save()
    assert PendingChange.objects.exists()
    assert world.snapshot() is None
    assert not PendingChange.objects.exists()


def test_a_page_that_is_published_again_as_it_was_keeps_the_time_of_its_last_change(world):
    before = world.page("web").last_published_at
    world.page("web").save_revision().publish()
    assert world.page("web").last_published_at > before
    assert world.snapshot() is None
    assert world.snapshot(full=True) is None
    assert not PendingChange.objects.exists()


def test_drafts_change_nothing(world):
    page = world.page("web")
    page.body = rich_text("<p>Not yet</p>")
    page.save_revision()
    assert not PendingChange.objects.exists()


@pytest.mark.postgres
def test_a_past_release_stays_as_it_was(world):
    reader = connected_reader()
    before = reader.items(1)
    edit_phone(world)
    delete_page(world)
    world.snapshot()
    assert reader.items(1) == before
    assert [item.since for item in ReleaseItem.objects.filter(kind="office", site="de").order_by("since")] == [1, 2]


@pytest.mark.postgres
def test_counts_and_author_are_kept_with_the_release(world):
    edit_phone(world)
    add_page(world)
    release = create.create_release("editor" * 40, date(2026, 11, 21))
    assert (release.added, release.changed, release.removed) == (2, 3, 0)
    assert len(release.created_by) == 150


@pytest.mark.parametrize(
    ("today", "fields"),
    [
        (date(2026, 11, 22), set()),
        (date(2027, 1, 1), {"year"}),
        (date(2027, 2, 1), {"age", "year"}),
    ],
)
def test_a_new_day_makes_a_release_only_where_a_figure_changes(world, today, fields):
    release = world.snapshot(today=today)
    reader = connected_reader()
    if not fields:
        assert release is None
        return
    ((before, after),) = reader.changes(1, 2)
    old, new = json.loads(before.body), json.loads(after.body)
    assert {name for name in old if old[name] != new[name]} == fields
    assert (new["year"], new["age"]) == ("2027", "20" if "age" in fields else "19")


@pytest.mark.postgres
def test_a_change_noted_during_the_export_is_in_the_next_release(world, monkeypatch):
    edit_phone(world)
    export = create.export_batch

    def export_and_edit(keys: Any) -> Any:
        exported = export(keys)
        monkeypatch.setattr(create, "export_batch", export)
        publish_text(world)
        return exported

    monkeypatch.setattr(create, "export_batch", export_and_edit)
    world.snapshot()
    assert world.differences() == {*OFFICE}
    assert PendingChange.objects.exists()
    world.snapshot()
    assert ("changed", "en", "page", "/services/web") in world.differences()


@pytest.mark.postgres
def test_of_two_creators_at_once_the_slower_one_starts_again(world, monkeypatch):
    """The slower one has exported the old phone. The faster one freezes the new phone before the slower one can commit."""
    edit_phone(world)
    export = create.export_batch

    def be_overtaken(keys: Any) -> Any:
        exported = export(keys)
        monkeypatch.setattr(create, "export_batch", export)
        world.office.phone = "+1 214-555-0100"
        world.office.save()
        assert create.create_release("quicker", date(2026, 11, 21)).number == 2
        return exported

    monkeypatch.setattr(create, "export_batch", be_overtaken)
    assert world.snapshot() is None, "the quicker one has frozen everything"
    item = connected_reader().item(2, "en", "office", "dallas")
    assert json.loads(item.body)["value"]["phone"] == "+1 214-555-0100"
    assert Release.objects.count() == 2


@pytest.mark.postgres
def test_a_creator_killed_before_its_commit_leaves_nothing_and_loses_nothing(world, monkeypatch):
    class Killed(BaseException):
        pass

    def die(*_: Any) -> None:
        raise Killed

    edit_phone(world)
    with monkeypatch.context() as patch:
        patch.setattr(create, "_settle", die)
        with pytest.raises(Killed):
            world.snapshot()
    assert Release.objects.count() == 1
    assert not ReleaseItem.objects.filter(since=2).exists()
    assert not ReleaseItem.objects.exclude(until=None).exists()
    world.snapshot()
    assert world.differences() == {*OFFICE}


def break_page(world: World) -> None:
    """Link to an unpublished page: only the export can detect it."""
    page = world.page("web")
    page.body = rich_text(f'<p><a linktype="page" id="{world.pages["services"]}">folder</a></p>')
    page.save_revision().publish()


def test_a_bad_page_keeps_its_last_good_state_and_holds_up_nobody(world):
    edit_phone(world)
    break_page(world)
    world.snapshot()
    assert world.differences() == {*OFFICE}
    waiting = {(change.site, change.kind): change.problem for change in PendingChange.objects.all()}
    assert set(waiting) == {("en", "page"), ("uk", "page")}
    item = ("en", "page", str(world.page("web").translation_key))
    (problem,) = unpack_all(waiting["en", "page"], item)
    assert (problem.item, problem.subject.path, problem.detail.code) == (item, "/services/web", MissingPage.code)


def test_a_bad_page_is_taken_once_it_is_fixed(world):
    break_page(world)
    assert world.snapshot() is None
    assert world.snapshot() is None, "it is tried again and again, and stays one entry"
    assert PendingChange.objects.count() == 2
    publish_text(world)
    world.snapshot()
    assert not PendingChange.objects.exists()
    assert ("changed", "en", "page", "/services/web") in world.differences()


def test_a_bad_page_is_taken_when_what_it_links_to_is_published(world):
    target = world.page("home").add_child(instance=AboutPage(title="Soon", slug="soon", live=False))
    page = world.page("web")
    page.body = rich_text(f'<p><a linktype="page" id="{target.pk}">about</a></p>')
    page.save_revision().publish()
    world.snapshot()
    assert PendingChange.objects.exclude(problem="").count() == 2
    target.save_revision().publish()
    world.snapshot()
    assert not PendingChange.objects.exists()


@pytest.mark.postgres
def test_a_full_release_notices_what_nobody_noted(world):
    Office.objects.filter(pk=world.office.pk).update(city="Austin")  # no signal
    assert world.snapshot() is None
    world.snapshot(full=True)
    assert {item[3] for item in world.differences()} == {"Austin"}


def test_a_full_release_names_bad_pages_too(world):
    break_page(world)
    PendingChange.objects.all().delete()
    assert world.snapshot(full=True) is None
    assert {change.site for change in PendingChange.objects.exclude(problem="")} == {"en", "uk"}


def test_the_cost_of_an_edit_does_not_grow_with_the_release(world):
    def queries() -> int:
        with CaptureQueriesContext(connection) as context:
            world.snapshot()
        return len(context)

    edit_phone(world)
    few = queries()
    body = create.snapshot({"path": "/x"})
    rows = [ReleaseItem(site="en", kind="page", key=str(n), digest="0", body=body, since=1) for n in range(2_000)]
    ReleaseItem.objects.bulk_create(rows)
    world.office.phone = "+1 214-555-0111"
    world.office.save()
    assert queries() == few


@pytest.mark.postgres
def test_equal_content_gives_equal_bytes():
    assert create.snapshot({"b": 1, "a": "é"}) == create.snapshot({"a": "é", "b": 1}) == '{"a":"é","b":1}'.encode()


def test_a_new_picture_is_frozen_when_its_files_are_made(world):
    image = SiteImage(title="New", file=ContentFile(SVG, name="new.svg"))
    image.save()
    assert world.snapshot() is None
    publish_picture(image)
    world.snapshot()
    assert world.differences() == {("added", "", "picture", "new.svg")}
