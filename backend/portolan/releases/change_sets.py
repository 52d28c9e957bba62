"""Publish a change set: all its drafts go live in one transaction and one release, or none of them.

A rehearsal is the same transaction, rolled back. Its result is the result that publishing would have.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django_tasks import task_backends
from django_tasks.backends.dummy import DummyBackend
from wagtail.actions.move_page import MovePageAction
from wagtail.actions.unpublish import UnpublishAction
from wagtail.actions.unpublish_page import UnpublishPageAction
from wagtail.models import Page

from ..content.change_sets.holding import find_overtaken, load_things
from ..content.change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from ..content.export import export_batch
from ..content.going_live import Waiver, waived
from ..content.items import ItemKey
from ..content.page_places import NotThere, why_not_move
from ..content.site_records import load_site_roots, site_roots_kept
from ..domain.change_sets import State
from ..domain.company_day import company_day
from ..domain.problem_texts import say
from ..domain.problems import Problem, unpack_all
from .author import acting_as
from .changes import gathering_changes
from .create import create_release
from .linking import find_linking_items
from .models import PendingChange, Release

_log: Final = logging.getLogger(__name__)
_TASKS: Final = "default"
"""Name of the backend that runs Wagtail's tasks."""


class NotReady(Exception):
    """The whole set failed to go live. ``reasons`` are sentences."""

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = list(reasons)
        super().__init__(" ".join(self.reasons))


@dataclass
class Rehearsal:
    """The result that publishing would have."""

    bodies: dict[ItemKey, Any] = field(default_factory=dict)
    """Bodies of the items; None for items that would be removed."""
    problems: list[Problem] = field(default_factory=list)
    """Problems of items that could not enter a release."""
    refused: dict[int, str] = field(default_factory=dict)
    """By change set item: why it could not be published at all, as a sentence."""

    def snapshot(self, keys: Iterable[ItemKey]) -> None:
        """Export these items as they are within the rehearsal's transaction."""
        exported = export_batch(keys)
        self.bodies = dict(exported.bodies)
        self.bodies |= export_batch(find_linking_items(self.bodies) - exported.problems.keys()).bodies
        problems = (problem for key in sorted(exported.problems) for problem in exported.problems[key])
        self.problems = list(dict.fromkeys(problems))


def rehearse(change_set: ChangeSet) -> Rehearsal:
    """Rehearse a change set. Nothing is changed, noted or published."""
    refused: dict[int, str] = {}
    found = rehearse_publishing(lambda: refused.update(apply_drafts(change_set)))
    found.refused = refused
    return found


def rehearse_draft(thing: Any) -> Rehearsal:
    """Rehearse the newest draft of one page, entry, menu or rate card."""

    def publish() -> None:
        if revision := thing.latest_revision:
            revision.content["go_live_at"] = None
            with transaction.atomic():
                revision.publish(skip_permission_checks=True)

    return rehearse_publishing(publish)


def rehearse_publishing(publish: Callable[[], None]) -> Rehearsal:
    """Return the content that would be live after calling ``publish``."""
    found = Rehearsal()
    with transaction.atomic(), site_roots_kept(), nothing_indexed():
        with gathering_changes() as gathered:
            publish()
        found.snapshot(gathered.values())
        transaction.set_rollback(True)
    return found


@contextmanager
def nothing_indexed() -> Iterator[None]:
    """Skip Wagtail's tasks after each save, in this thread only.

    The search index and the usage counts are most of the cost of a save. Items are independent of them, so a
    transaction that is rolled back can skip them.
    """
    usual = task_backends[_TASKS]
    task_backends[_TASKS] = DummyBackend(_TASKS, {})
    try:
        yield
    finally:
        task_backends[_TASKS] = usual


def apply_drafts(change_set: ChangeSet) -> dict[int, str]:
    """Publish all drafts that can be published. Return the reasons for the others, by item.

    Call it in a transaction that will be rolled back.
    """
    refused: dict[int, str] = {}
    items = _in_order(change_set)
    # Load all objects first, as they were before the drafts among them are published.
    load_things(item for item in items if item.what == ChangeSetItem.PUBLISH)
    for item in items:
        try:
            with transaction.atomic(), _saying(item):
                _apply(item, None, is_logged=False)
        except NotReady as error:
            refused[item.pk] = str(error)
    return refused


def put_live(change_set: ChangeSet, by: str, user: Any = None, states: Iterable[State] = (State.SCHEDULED,)) -> Release:
    """Publish a change set completely, and return its release. Raise NotReady, without any change, if this is
    impossible.

    ``by`` is the author of the release, ``user`` of the entries in the pages' histories. ``states``: states from which
    it may go live.
    """
    now = timezone.now()
    with transaction.atomic(), site_roots_kept():
        row = ChangeSet.objects.select_for_update().get(pk=change_set.pk)
        if row.at not in states:
            raise NotReady(["The change set has just been changed. Reload it and check it again."])
        if overtaken := find_overtaken(row.items.all()):
            raise NotReady(map(say_overtaken, overtaken))
        today = company_day(now, settings.SITES_REGISTRY.company.time_zone)
        create_release("publisher", today)  # earlier changes by others get their own release
        with acting_as(by), gathering_changes() as gathered, waived(Waiver.APPROVED):
            for item in _in_order(row):
                with _saying(item):
                    _apply(item, user)
        release = create_release(by, today, only=gathered, note=row.name)
        if problems := _find_problems(gathered):
            raise NotReady(dict.fromkeys(map(say, problems)))
        if release is None:
            raise NotReady(["All of it is already live."])
        row.state, row.live_at, row.release, row.said = State.LIVE.value, now, release.number, ""
        row.save()
        row.items.update(is_open=False)
    return release


def put_due_live(now: datetime) -> list[str]:
    """Publish change sets that are due. A set that fails waits for its owner, who is notified. Return a sentence for
    each failure."""
    failed = []
    due = ChangeSet.objects.filter(state=State.SCHEDULED.value, go_live_at__lte=now).order_by("go_live_at", "pk")
    for change_set in due.select_related("approved_by", "owner"):
        who = change_set.approved_by or change_set.owner
        try:
            put_live(change_set, (who.get_full_name() or who.get_username()) if who else "publisher", who)
        except NotReady as error:
            if _fail(change_set, error.reasons):
                failed.append(f"The change set “{change_set}” could not go live: {error} Its owner is notified.")
    return failed


def say_overtaken(item: ChangeSetItem) -> str:
    if item.is_gone():
        return gettext("“{title}” was deleted.").format(title=item.title)
    return gettext("“{title}” was published elsewhere after it was added.").format(title=item.title)


def _fail(change_set: ChangeSet, reasons: list[str]) -> bool:
    with transaction.atomic():
        failed = ChangeSet.objects.filter(pk=change_set.pk, state=State.SCHEDULED.value)
        if not failed.update(state=State.FAILED.value, said=" ".join(reasons)):
            return False  # its schedule was cancelled meanwhile
        said = (
            f"The change set “{change_set}” could not go live as scheduled. Nothing of it is live. {' '.join(reasons)}"
        )
        people = {person.pk for person in (change_set.owner, change_set.approved_by) if person}
        ChangeSetNotice.objects.bulk_create(
            ChangeSetNotice(change_set=change_set, to_id=id, said=said) for id in sorted(people)
        )
    return True


def _in_order(change_set: ChangeSet) -> list[ChangeSetItem]:
    """Return the items in order: publish before unpublish, entries before the pages that show them, pages from the top
    down.

    The last rule is needed because URLs contain the slugs of the pages above.
    """
    items = list(change_set.items.select_related("content_type"))
    pages = [item.object_id for item in items if item.content_type.model_class() is Page]
    paths: Mapping[str, str] = {
        str(pk): path for pk, path in Page.objects.filter(pk__in=pages).values_list("pk", "path")
    }
    return sorted(
        items,
        key=lambda item: (
            item.what == ChangeSetItem.UNPUBLISH,
            item.object_id in pages and item.content_type.model_class() is Page,
            paths.get(item.object_id, ""),
            item.pk,
        ),
    )


def _apply(item: ChangeSetItem, user: Any, is_logged: bool = True) -> None:
    thing = item.load()
    if thing is None or item.is_gone():
        raise NotReady([gettext("“{title}” was deleted.").format(title=item.title)])
    if item.what == ChangeSetItem.UNPUBLISH:
        if thing.live:
            action = UnpublishPageAction if isinstance(thing, Page) else UnpublishAction
            action(thing, user=user).execute(skip_permission_checks=True)
        return
    if item.what == ChangeSetItem.PUBLISH:
        _publish(item, thing, user, is_logged)
    if item.below:
        _move(item, user)


def _publish(item: ChangeSetItem, thing: Any, user: Any, is_logged: bool) -> None:
    revision = item.revision()
    if revision is None:
        raise NotReady([gettext("The draft of “{title}” does not exist.").format(title=item.title)])
    revision.content["go_live_at"] = None  # the set's schedule applies
    revision.publish(user=user, log_action=is_logged, skip_permission_checks=True)


def _move(item: ChangeSetItem, user: Any) -> None:
    page = Page.objects.get(pk=item.object_id).specific  # an earlier item may have moved it
    parent = Page.objects.filter(pk=item.below).first()
    roots = load_site_roots().values()
    if parent is None or not any(parent.path.startswith(root.root_path) for root in roots):
        raise NotReady([gettext("The target page for moving “{title}” does not exist.").format(title=item.title)])
    if reason := why_not_move(page, parent):
        raise NotReady([reason])
    if page.get_parent().pk != parent.pk:
        MovePageAction(page, parent.specific, pos="last-child", user=user).execute(skip_permission_checks=True)


@contextmanager
def _saying(item: ChangeSetItem) -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, NotReady):  # a database error is not a problem of one item
        raise
    except (ValidationError, NotThere) as error:
        reason = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        raise NotReady(
            [gettext("“{title}” cannot be published: {reason}").format(title=item.title, reason=reason)]
        ) from error
    except Exception as error:
        _log.exception("An item of a change set could not be published")
        raise NotReady(
            [gettext("“{title}” cannot be published: {reason}").format(title=item.title, reason=repr(error))]
        ) from error


def _find_problems(gathered: Mapping[int, ItemKey]) -> list[Problem]:
    """Return the problems of the set's items that could not enter a release."""
    keys = set(gathered.values())
    refused = PendingChange.objects.exclude(problem="").filter(kind__in={key.kind for key in keys})
    found: list[Problem] = []
    for row in refused:
        key = ItemKey(row.site, row.kind, row.key)
        if key in keys:
            found += unpack_all(row.problem, key)
    return list(dict.fromkeys(found))
