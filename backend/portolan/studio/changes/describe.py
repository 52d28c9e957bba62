"""Describe a change set: its items by site, their changes and their problems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Model
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, pgettext
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.models import Comment, ModelLogEntry, Page

from ...content.change_sets.holding import is_overtaken, own_sites, sites_of, standings
from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.changes import keys_of
from ...content.items import ItemKey
from ...delivery_status.status import Pair
from ...domain.change_sets import State
from ...domain.problems import Problem
from ...releases.change_sets import say_overtaken
from ..authors import name_of
from ..problem_names import say_in_studio
from ..release_changes import ChangeRow, say_changes
from ..site_names import name_sites_after_on, site_name
from .checks import Checked

COMPANY: Final = gettext_noop("All sites together")
"""Heading of items that belong to several sites or to all."""


class CommentRow(NamedTuple):
    by: str
    text: str
    url: str


@dataclass
class Thing:
    """An item of a change set, for its screen."""

    item: ChangeSetItem
    title: str
    kind: str
    edit_url: str
    sites: str
    """Names of other sites that it changes."""
    below: str
    """Title of its new parent page; empty if it does not move."""
    where: str
    """Key of its site; empty for several or all."""
    is_gone: bool = False
    """True if it was deleted."""
    problems: list[str] = field(default_factory=list)
    conflict: str = ""
    compare_url: str = ""
    newer: bool = False
    """True if its draft is newer than the approved one."""
    changes: list[ChangeRow] = field(default_factory=list)
    comments: list[CommentRow] = field(default_factory=list)


class Group(NamedTuple):
    name: str
    things: list[Thing]


class Described(NamedTuple):
    groups: list[Group]
    follows: list[ChangeRow]
    """Changes that result from the items."""
    sites: str
    problem_count: int


def describe(change_set: ChangeSet, checked: Checked, user: Any, items: Sequence[ChangeSetItem]) -> Described:
    now = standings(items)
    comments = _comments(items)
    left = {_key_of(pair): pair for pair in checked.changes}
    problems: dict[ItemKey, list[Problem]] = {}
    for problem in checked.problems:
        problems.setdefault(ItemKey(*problem.subject[:3]), []).append(problem)
    finder = AdminURLFinder(user)
    parents = dict(Page.objects.filter(pk__in=[item.below for item in items]).values_list("pk", "title"))
    things: list[Thing] = []
    sites: set[str] = set()
    for item in items:
        thing = item.load()
        is_there = thing is not None and not item.is_gone()
        own: set[str] = own_sites(thing) if is_there else set()
        keys = keys_of(thing) if thing is not None else set()
        seen: set[str] = sites_of(thing, keys) if thing is not None and is_there else set()
        sites |= seen
        found = Thing(
            item,
            title=str(getattr(thing, "draft_title", "") or thing or item.title),
            kind=str(capfirst(thing._meta.verbose_name)) if isinstance(thing, Model) else gettext("Deleted"),
            edit_url=(finder.get_edit_url(thing) or "") if thing is not None else "",
            sites=name_sites_after_on(seen - own) if seen - own and own else "",
            below=parents.get(item.below or 0, ""),
            where=next(iter(own), "") if len(own) == 1 else "",
            is_gone=thing is None,
            changes=say_changes([left.pop(key) for key in sorted(keys) if key in left]),
            comments=comments.get(item.object_id, []) if isinstance(thing, Page) else [],
        )
        found.problems = say_in_studio([p for key in sorted(keys) for p in problems.pop(key, [])])
        if refused := checked.refused.get(item.pk):
            found.problems.insert(0, refused)
        state = now.get(item.pk)
        if change_set.holds and is_overtaken(item, state):
            found.conflict = say_overtaken(item)
            if isinstance(thing, Page) and state and state.live and state.draft:
                found.compare_url = reverse(
                    "wagtailadmin_pages:revisions_compare", args=[thing.pk, "live", item.approved or state.draft]
                )
        found.newer = bool(item.approved and state and state.draft != item.approved and change_set.pins)
        things.append(found)
    other = say_in_studio([p for rows in problems.values() for p in rows])
    if other and things:  # problems of items that change as a result
        things[0].problems += other
    problem_count = sum(bool(thing.problems) + bool(thing.conflict) for thing in things)
    return Described(
        _group(things),
        _follow(left),
        name_sites_after_on(sites) if sites else pgettext("behind “on”", "no site"),
        problem_count,
    )


def say_history(change_set: ChangeSet, words: Mapping[str, str]) -> list[tuple[Any, str, str]]:
    """Return the time, action and person of each step, newest first."""
    entries = ModelLogEntry.objects.for_instance(change_set).select_related("user").order_by("-timestamp")
    return [
        (entry.timestamp, gettext(words[entry.action]), name_of(entry.user) if entry.user else "")
        for entry in entries
        if entry.action in words
    ]


def say_where_it_stands(change_set: ChangeSet) -> str:
    """Describe the state of a change set. The template adds the times."""
    match change_set.at:
        case State.OPEN:
            return gettext("In preparation. You can add drafts; visitors see none of them.")
        case State.REVIEW:
            return gettext("Waiting for review.")
        case State.APPROVED:
            return gettext("Approved. Publish or schedule it to put it live.")
        case State.SCHEDULED:
            return gettext("Scheduled. It goes live automatically.")
        case State.FAILED:
            return gettext("Publishing failed at the scheduled time. Nothing went live.")
        case State.LIVE:
            return gettext("It went live as one release.")
        case State.REVERTED:
            return gettext("It was live and was reverted.")
        case State.DROPPED:
            return gettext("Closed without publishing. Its drafts are normal drafts again.")


def _group(things: Sequence[Thing]) -> list[Group]:
    """Group items by site, in the order of the site configuration, those of all sites first."""
    order = ["", *settings.SITES_REGISTRY.sites]
    by_site: dict[str, list[Thing]] = {}
    for thing in things:
        by_site.setdefault(thing.where, []).append(thing)
    return [
        Group(site_name(site) if site else gettext(COMPANY), by_site[site])
        for site in sorted(by_site, key=lambda site: order.index(site) if site in order else len(order))
    ]


def _key_of(pair: Pair) -> ItemKey:
    item = pair[0] or pair[1]
    assert item
    return ItemKey(item.site, item.kind, item.key)


def _follow(left: Mapping[ItemKey, Pair]) -> list[ChangeRow]:
    return [row for row in say_changes(left[key] for key in sorted(left)) if row.detail != gettext("Card")]


def _comments(items: Iterable[ChangeSetItem]) -> dict[str, list[CommentRow]]:
    """Return open comments by page ID, each with the URL of its field."""
    pages = [item.object_id for item in items if item.content_type.model_class() is Page]
    found: dict[str, list[CommentRow]] = {}
    rows = Comment.objects.filter(page_id__in=pages, resolved_at=None).select_related("user").order_by("created_at")
    for row in rows:
        url = f"{reverse('wagtailadmin_pages:edit', args=[row.page_id])}?comment={row.pk}"
        found.setdefault(str(row.page_id), []).append(CommentRow(name_of(row.user), row.text, url))
    return found
