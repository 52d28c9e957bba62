import pytest

from portolan.content.items import ItemKey
from portolan.releases.author import acting_as, current_author, name_authors
from portolan.releases.changes import note_changes
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        ([""], ""),
        (["Anna", "", "Anna"], "Anna"),
        (["Boris", "Anna", "Boris"], "Boris, Anna"),
        (["Anna", "Boris", "Chen"], "Anna and 2 others"),
    ],
)
def test_authors_in_one_line(names, said):
    assert name_authors(names) == said


def test_a_name_is_asked_for_when_it_is_needed_and_holds_for_its_block():
    asked = []
    with acting_as(lambda: asked.append(1) or "A" * 200):
        assert not asked
        assert current_author() == "A" * 150
        with acting_as("Boris"):
            assert current_author() == "Boris"
    assert current_author() == ""


@pytest.mark.django_db
def test_a_change_is_in_the_name_of_its_editor():
    with acting_as("Anna"):
        note_changes({ItemKey("en", "page", "x")})
    note_changes({ItemKey("en", "page", "y")})
    assert dict(PendingChange.objects.values_list("key", "by")) == {"x": "Anna", "y": ""}


def save_office(world, by, phone):
    with acting_as(by):
        world.office.phone = phone
        world.office.save()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_release_names_the_editors_whose_changes_it_holds(world):
    save_office(world, "Anna", "+1 214-555-0111")
    with acting_as("Boris"):
        world.page("web").save_revision().publish()  # as it was: nothing of it is in the release
    assert world.snapshot().created_by == "Anna"
    save_office(world, "", "+1 214-555-0112")
    assert world.snapshot().created_by == "test"


@pytest.mark.postgres
@pytest.mark.django_db
def test_what_is_blocked_keeps_all_who_had_a_part_in_it_until_a_release_takes_it(world):
    page = world.page("web")
    html = f'<p><a linktype="page" id="{world.pages["services"]}">folder</a></p>'
    with acting_as("Anna"):
        page.body = [{"type": "rich_text", "value": {"html": html}, "id": "t"}]
        page.save_revision().publish()
    assert world.snapshot() is None
    with acting_as("Boris"):
        page.title = "Web sites"
        page.save_revision().publish()
    assert world.snapshot() is None
    assert set(PendingChange.objects.exclude(problem="").values_list("site", "by")) == {
        (site, name) for site in ("en", "uk") for name in ("Anna", "Boris")
    }
    assert [item.site for item in connected_reader().blocked_changes()] == ["en", "uk"], "said once each"
    with acting_as("Boris"):
        page.body = []
        page.save_revision().publish()
    world.snapshot()
    assert Release.objects.first().created_by == "Anna, Boris"
    assert not PendingChange.objects.exists()
