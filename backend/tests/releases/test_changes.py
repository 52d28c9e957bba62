import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from wagtail.signals import post_page_move

from portolan.content.items import ItemKey
from portolan.releases import changes
from portolan.releases.changes import note_changes
from portolan.releases.models import PendingChange
from portolan.releases.wake import WakeListener

from ..processes import LIMIT_S

KEY = ItemKey("en", "page", "x")


def noted() -> set[tuple[str, str]]:
    return set(PendingChange.objects.values_list("site", "kind"))


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_change_and_its_edit_are_kept_or_lost_together(world):
    class Refused(Exception):
        pass

    with pytest.raises(Refused), transaction.atomic():
        world.office.phone = "+1 214-555-0199"
        world.office.save()
        assert noted() == {("en", "office"), ("uk", "office"), ("de", "office")}
        raise Refused
    assert noted() == set()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_transaction_wakes_once_however_much_it_changes(world, django_capture_on_commit_callbacks):
    connection.run_on_commit.clear()  # left from making the world
    with django_capture_on_commit_callbacks() as callbacks:
        world.office.save()
        world.office.category.save()
        note_changes({KEY})
    assert callbacks.count(changes._wake) == 1


@pytest.mark.django_db
def test_nothing_changed_wakes_nobody(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        note_changes(())
    assert callbacks == []


@pytest.mark.django_db
def test_the_publisher_hears_of_a_commit(settings, django_capture_on_commit_callbacks):
    with WakeListener(settings.WAKE_SOCKET) as listener:
        with django_capture_on_commit_callbacks(execute=True):
            note_changes({KEY})
            assert not listener.wait(0), "not before the commit"
        assert listener.wait(LIMIT_S)


@pytest.mark.django_db
def test_an_edit_succeeds_where_nobody_publishes(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        note_changes({KEY})
    assert PendingChange.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_rolled_back_savepoint_wakes_for_what_stays(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        try:
            with transaction.atomic():
                note_changes({KEY})
                raise ValueError
        except ValueError:
            pass
        note_changes({KEY})
    assert callbacks.count(changes._wake) == 1


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_new_slug_is_noted_for_all_below_inside_its_transaction(world):
    """Wagtail's signal comes after the commit. A process killed in between would miss the pages below."""
    with transaction.atomic():
        page = world.page("services")
        page.slug = "what-we-do"
        page.save_revision().publish()
        below = ItemKey("en", "page", str(world.page("web").translation_key))
        assert PendingChange.objects.filter(**below._asdict()).exists()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_move_that_is_not_ended_is_neither_made_nor_noted(world):
    """Wagtail's signal comes last. Here it simulates a process that dies right then."""

    def die(**_: object) -> None:
        raise RuntimeError("killed")

    before = world.page("web").url_path
    post_page_move.connect(die)
    try:
        with pytest.raises(RuntimeError):
            world.page("web").move(world.page("home"), "last-child")
    finally:
        post_page_move.disconnect(die)
    assert world.page("web").url_path == before
    moved = ItemKey("en", "page", str(world.page("web").translation_key))
    assert not PendingChange.objects.filter(**moved._asdict()).exists()
    world.page("web").move(world.page("home"), "last-child")
    assert PendingChange.objects.filter(**moved._asdict()).exists()


@pytest.mark.django_db
def test_models_that_no_item_knows_cost_no_query(django_assert_num_queries):
    user = get_user_model().objects.create(username="somebody")
    with django_assert_num_queries(1):
        user.save()


@pytest.mark.django_db
def test_drafts_and_bookkeeping_note_nothing(world):
    page = world.page("web")
    page.title = "Another title"
    page.save_revision()
    page.save(update_fields=["latest_revision", "has_unpublished_changes", "draft_title"])
    assert noted() == set()
