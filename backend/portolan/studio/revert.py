"""Revert one release, or restore items as a release has them.

Items that have changed since stay unchanged. The earlier value of a page is the revision whose snapshot equals the
earlier release. For entries, menus, footers and rate cards, releases store the entered values.

The work happens in one transaction: restore, create a release, compare it with the earlier one. If an item differs, the
next try leaves it out. A trial does the same and rolls back, so its answer is exact.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

import orjson
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from wagtail.actions.move_page import MovePageAction
from wagtail.models import Page

from ..content.entered import EnteredKey, NotPossible, entered_keys, export_entered, restore
from ..content.export import snapshot_draft
from ..content.going_live import NotAlone, Waiver, require, waived
from ..content.items import DOCUMENT, PAGE, PICTURE, ItemKey
from ..content.page_rows import PAGE_KINDS, page_kinds
from ..content.site_records import SiteRoot, load_site_roots
from ..domain.problem_texts import say
from ..domain.problems import unpack_all
from ..releases.author import acting_as
from ..releases.change_sets import nothing_indexed
from ..releases.connection import connected_reader
from ..releases.create import create_release, digest_body
from ..releases.diff import name_of
from ..releases.entered import UNKNOWN, is_known, read_entered
from ..releases.models import PendingChange, Release, ReleaseItem
from ..releases.reader import Item, ItemId, ReleaseReader
from . import deleting
from .edit_urls import find_editables
from .models import DeletedPage
from .newest_release import newest_release
from .site_names import name_sites, site_name
from .uses import find_page_uses

_PLACE: Final = ("path", "parent", "changed")
"""Parts of a page's body that depend on its place and its publishing date."""
_MOST_REVISIONS: Final = 200
_FOLLOWS: Final = gettext_noop("Follows from the other changes")
_NOT_KEPT: Final = gettext_noop("The previous version is not stored: {}")


class Row(NamedTuple):
    """An item that the release changed, as editors know it."""

    title: str
    sites: str
    """Names of the sites."""
    said: str
    """Result, or the reason why the item stays unchanged."""
    edit_url: str
    """Empty if it cannot be edited in the studio."""


class Reverted(NamedTuple):
    release: int
    """The release that is reverted, or whose content is restored."""
    new: int | None
    """The new release with the earlier values; None for a trial or if nothing was reverted."""
    done: list[Row]
    left: list[Row]


Subject = tuple[str, str]
"""Items that are reverted together: ``page`` and an ID, a model and a key, or a kind and a key."""


@dataclass
class _Change:
    """Items of one subject, with their states before and after the release."""

    subject: Subject
    items: dict[ItemId, tuple[Item | None, Item | None]] = field(default_factory=dict)
    page: int | None = None
    entered: list[EnteredKey] = field(default_factory=list)
    how: str = ""


def revert(release: int, by: str, user: User | None = None, is_trial: bool = False) -> Reverted:
    """Revert a release. Raises NotPossible if it or its previous release is missing.

    ``by`` is the author of the new release, ``user`` that of the new page revisions.
    """
    reader = connected_reader()
    if not reader.exists(release):
        raise NotPossible(
            gettext("There is no release {release}. The newest is {newest}.").format(
                release=release, newest=reader.latest() or gettext("none")
            )
        )
    if not reader.exists(release - 1):
        raise NotPossible(
            gettext("Release {release} is the first one: there is no earlier release to restore.").format(
                release=release
            )
        )
    return _carry_out(_Attempt(reader, release, by, user), by, is_trial)


def restore_release(
    release: int, items: Collection[ItemId], by: str, user: User | None = None, is_trial: bool = False
) -> Reverted:
    """Restore items as a release has them, regardless of later changes.

    Raises NotPossible if the release is missing.
    """
    reader = connected_reader()
    if not reader.exists(release):
        raise NotPossible(
            gettext("There is no release {release}. The newest is {newest}.").format(
                release=release, newest=reader.latest() or gettext("none")
            )
        )
    return _carry_out(_Attempt(reader, release, by, user, items), by, is_trial)


def _carry_out(attempt: "_Attempt", by: str, is_trial: bool) -> Reverted:
    while True:
        undo = waived(Waiver.UNDO) if attempt.is_undo else nullcontext()
        with transaction.atomic(), nothing_indexed() if is_trial else nullcontext(), acting_as(by), undo:
            new, failed = attempt.run()
            if is_trial or failed:
                transaction.set_rollback(True)
        if not failed:
            return attempt.tell(None if is_trial else new)


class _Attempt:
    def __init__(
        self, reader: ReleaseReader, release: int, by: str, user: User | None, only: Collection[ItemId] = ()
    ) -> None:
        """``only``: items to restore as ``release`` has them. If empty, all changes of ``release`` are reverted."""
        self._reader = reader
        self._release = release
        self._only = frozenset(only)
        self.is_undo = not only
        """True if this only restores content that visitors saw directly before the release."""
        self._then = release if only else release - 1
        """The release to restore from."""
        self._since = release
        """The release whose content must still be current."""
        self._by = by
        self._user = user
        self._today = date.today()  # noqa: DTZ011  (in the company's time zone)
        self._left: dict[Subject, str] = {}
        self._changes: dict[Subject, _Change] = {}
        self._followers: dict[ItemId, tuple[Item | None, Item | None]] = {}
        """Items that change because they show the reverted items or are below them."""
        self._titles: dict[ItemId, Any] = {}
        self._roots: Mapping[str, SiteRoot] = {}

    def run(self) -> tuple[int | None, bool]:
        """Try once. Return the new release, and whether an item failed and another try must leave it out."""
        create_release("publisher", self._today)  # keep others' pending changes out of our release
        if self._only:
            self._since = self._reader.latest() or self._release
        self._roots = load_site_roots()
        self._changes = self._find_changes()
        self._titles = find_editables([item for change in self._changes.values() for item in change.items])
        before = len(self._left)
        for change in self._changes.values():
            if change.subject not in self._left and (reason := self._why_not(change)):
                self._left[change.subject] = reason
        going = [change for change in self._in_order() if change.subject not in self._left]
        for change in going:
            with self._noting_failure(change):
                self._do(change)
        if len(self._left) > before and any(change.subject in self._left for change in going):
            return None, True
        flushed = self._reader.latest() or 0
        release = create_release(self._by, self._today) if going else None
        own = {item for change in going for item in change.items}
        differs = self._reader.changes(flushed, release.number) if release else []
        self._followers = {
            id: (before, after)
            for before, after in differs
            if (there := after or before) and (id := ItemId(there.site, there.kind, there.key)) not in own
        }
        failed = False
        for change in going:
            if problem := self._why_not_the_same(change):
                self._left[change.subject] = problem
                failed = True
        return release.number if release else None, failed

    def tell(self, new: int | None) -> Reverted:
        rows: dict[bool, list[Row]] = {True: [], False: []}
        for change in self._changes.values():
            reason = self._left.get(change.subject)
            titles = dict.fromkeys(self._title(item, pair) for item, pair in change.items.items())
            sites = name_sites(item.site for item in change.items)
            url = next((found.edit_url for item in change.items if (found := self._titles.get(item))), "")
            rows[reason is None].append(Row(", ".join(titles), sites, reason or change.how, url))
        named = find_editables(self._followers)
        for item, pair in self._followers.items():
            shown = pair[1] or pair[0]
            title = named[item].title if item in named else f"{item.kind} {name_of(shown) if shown else item.key}"
            rows[True].append(Row(title, name_sites([item.site]), gettext(_FOLLOWS), ""))
        return Reverted(self._release, new, rows[True], rows[False])

    # Find the changes ------------------------------------------------------------------------------------------------

    def _find_changes(self) -> dict[Subject, _Change]:
        pairs = {
            ItemId(there.site, there.kind, there.key): (before, after)
            for before, after in self._differences()
            if (there := after or before)
        }
        objects = entered_keys(ItemKey(*item) for item in pairs)
        known = {key for keys in objects.values() for key in keys}
        then, now = read_entered(known, self._then), read_entered(known, self._since)
        pages = self._pages({item for item in pairs if item.kind in PAGE_KINDS})
        edited: dict[ItemId, list[EnteredKey]] = {}
        for item, keys in ((ItemId(*key), keys) for key, keys in objects.items()):
            changed = [key for key in keys if then.get(key) != now.get(key)]
            edited[item] = changed or ([] if is_known(self._then) else keys[:1])
        together = _join(edited.values())
        found: dict[Subject, _Change] = {}
        for item, pair in pairs.items():
            page = pages.get(item)
            if edited.get(item):
                group = together[edited[item][0]]
                subject = (group[0].model, group[0].key)
                found.setdefault(subject, _Change(subject, entered=group)).items[item] = pair
            elif page is not None:
                subject = ("page", str(page))
                found.setdefault(subject, _Change(subject, page=page)).items[item] = pair
            else:
                subject = (item.kind, f"{item.site}/{item.key}" if item.site else item.key)
                found.setdefault(subject, _Change(subject)).items[item] = pair
        return found

    def _differences(self) -> Iterator[tuple[Item | None, Item | None]]:
        if not self._only:
            yield from self._reader.changes(self._then, self._since)
            return
        for id in sorted(self._only):
            before, after = (self._reader.item(release, *id) for release in (self._then, self._since))
            if not _is_same(before, after):
                yield before, after

    def _pages(self, items: set[ItemId]) -> dict[ItemId, int]:
        """Return the page ID of each item; for a live copy, that of its original if the original changed too."""
        rows = Page.objects.filter(translation_key__in={item.key for item in items})
        ids: dict[tuple[int, str], tuple[int, int | None]] = {
            (locale, str(key)): (pk, source)
            for locale, key, pk, source in rows.values_list("locale_id", "translation_key", "pk", "alias_of_id")
        }
        own = {item: ids[at] for item in items if (at := (self._roots[item.site].locale_id, item.key)) in ids}
        changed = {pk for pk, source in own.values() if source is None}
        return {item: source if source in changed else pk for item, (pk, source) in own.items()}

    def _in_order(self) -> list[_Change]:
        """Return entries first, because pages show their names, then pages from the top down."""
        depths = dict(
            Page.objects.filter(pk__in=[change.page for change in self._changes.values() if change.page]).values_list(
                "pk", "path"
            )
        )
        return sorted(
            self._changes.values(), key=lambda change: (change.page is not None, depths.get(change.page or 0, ""))
        )

    # Reasons to leave an item unchanged ------------------------------------------------------------------------------

    def _why_not(self, change: _Change) -> str:
        for item, (_, after) in change.items.items():
            current = self._reader.item(self._reader.latest() or 0, *item)
            if not _is_same(current, after):
                return self._say_changed_since(item)
        waiting = PendingChange.objects.filter(
            site__in={item.site for item in change.items}, key__in={item.key for item in change.items}
        )
        if any(ItemId(row.site, row.kind, row.key) in change.items for row in waiting):
            return gettext("Changed since, and not live yet.")
        if change.entered:
            return self._why_not_entered(change.entered)
        if change.page:
            return self._why_not_page(change, Page.objects.get(pk=change.page))
        kind = change.subject[0]
        if kind in (PICTURE, DOCUMENT):
            if all(before is None for before, _ in change.items.values()):
                return gettext("Uploaded files stay. Visitors see a file only where content uses it.")
            return gettext(_NOT_KEPT).format(
                gettext("replaced and deleted files are removed. Upload the previous file again.")
            )
        if kind in PAGE_KINDS:
            return gettext(_NOT_KEPT).format(gettext("the page was permanently deleted."))
        if kind == "figures":
            return gettext("Follows from the site configuration and the date.")
        return ""

    def _why_not_entered(self, keys: list[EnteredKey]) -> str:
        if not is_known(self._then):
            return gettext(_NOT_KEPT).format(
                gettext("the release is older than the stored values. Enter the values by hand.")
            )
        then, now = (read_entered(keys, release) for release in (self._then, self._since))
        if UNKNOWN in (*then.values(), *now.values()):
            return gettext(_NOT_KEPT).format(
                gettext("an editor was changing it when recording of values started. Enter the values by hand.")
            )
        current = {key: value for key, value in export_entered(keys).items() if value is not None}
        return "" if current == now else gettext("Changed since, in content that visitors do not see.")

    def _why_not_page(self, change: _Change, page: Page) -> str:
        made = self._reader.created_at(self._since)
        edited = page.latest_revision_created_at
        if page.has_unpublished_changes and (page.live or (edited and made and edited > made)):
            return gettext("It has an unpublished draft. Publish or discard the draft first.")
        if all(before for before, _ in change.items.values()):
            return ""
        snapshot = newest_release()
        assert snapshot
        gone = {item for item, (before, _) in change.items.items() if before is None and item.kind == PAGE}
        going = {item for other in self._changes.values() if other.subject not in self._left for item in other.items}
        uses = [use for use in find_page_uses(snapshot, settings.SITES_REGISTRY, gone) if use.breaks]
        stay = [use.item for use in uses if use.item not in going]
        if not stay:
            return ""
        named = find_editables(stay)
        titles = dict.fromkeys(
            f"{named[item].title if item in named else item.key} ({site_name(item.site)})" for item in stay
        )
        return gettext("New links to it since, in {names}. Change these first.").format(names=", ".join(titles))

    def _why_not_the_same(self, change: _Change) -> str:
        newest = self._reader.latest() or 0
        for item, (before, _) in change.items.items():
            problem = PendingChange.objects.filter(**item._asdict()).exclude(problem="").first()
            if problem:
                said = " ".join(map(say, unpack_all(problem.problem, (item.site, item.kind, item.key))))
                return gettext("The previous version could not be published: {said}").format(said=said)
            found = self._reader.item(newest, *item)
            if not _is_same(found, before):
                return gettext(
                    "The previous version cannot be restored exactly, because content that it shows stays unchanged."
                )
        return ""

    def _say_changed_since(self, item: ItemId) -> str:
        rows = ReleaseItem.objects.filter(**item._asdict())
        last = max(number for row in rows.values_list("since", "until") for number in row if number)
        release = Release.objects.filter(number=last).first()
        by = gettext(" by {person}").format(person=release.created_by) if release and release.created_by else ""
        return gettext("Changed since{by}, in release {last}.").format(by=by, last=last)

    @contextmanager
    def _noting_failure(self, change: _Change) -> Iterator[None]:
        try:
            with transaction.atomic():
                yield
        except (NotPossible, deleting.NotPossible) as error:
            self._left[change.subject] = str(error)
        except NotAlone as error:
            self._left[change.subject] = str(error)
        except PermissionDenied:
            self._left[change.subject] = gettext("You do not have the rights for this.")
        except ValidationError as error:
            self._left[change.subject] = " ".join(error.messages)

    # Restore ---------------------------------------------------------------------------------------------------------

    def _do(self, change: _Change) -> None:
        if change.entered:
            then = read_entered(change.entered, self._then)
            for key in reversed(change.entered):  # categories come before their offices
                if key in then:
                    restore(key, then[key], self._user)
            for key in change.entered:
                if key not in then:
                    restore(key, None, self._user)
            change.how = gettext("Restored") if then else gettext("Unpublished")
        elif change.page:
            self._put_page_back(change, change.page)
        else:
            change.how = gettext(_FOLLOWS)

    def _put_page_back(self, change: _Change, pk: int) -> None:
        page: Any = Page.objects.get(pk=pk).specific
        require(self._user, page)
        site = next(item.site for item in change.items if self._roots[item.site].locale_id == page.locale_id)
        before = {item.kind: pair[0] for item, pair in change.items.items() if item.site == site}
        bodies = {kind: orjson.loads(item.body) for kind, item in before.items() if item}
        after = {item.kind: pair[1] for item, pair in change.items.items() if item.site == site}
        if PAGE in before and before[PAGE] is None:
            self._take_down(change, page)
            return
        if after.get(PAGE) is None and PAGE in before:
            page = self._bring_back(page)
            change.how = gettext("Published again")
        else:
            change.how = gettext("Restored")
        if self._is_settled(change, page):
            change.how = gettext(_FOLLOWS) if PAGE in before and after.get(PAGE) else change.how
            return
        self._fill(page, before, bodies)
        self._put_in_place(Page.objects.get(pk=page.pk).specific, bodies.get(PAGE), site)

    def _take_down(self, change: _Change, page: Any) -> None:
        change.how = gettext("Unpublished")
        if page.alias_of_id:
            page.hidden_here = True
            page.save(update_fields=["hidden_here"], clean=False)
        else:
            page.unpublish(user=self._user)

    def _bring_back(self, page: Any) -> Any:
        """Restore a page from the trash or unhide it. Publishing follows."""
        if deleting.is_deleted(page):
            held = DeletedPage.objects.get(path=page.path[: 2 * Page.steplen])
            deleting.restore_page(held.together_with or held, self._user)
            page = Page.objects.get(pk=page.pk).specific
        if page.hidden_here:
            page.hidden_here = False
            page.save(update_fields=["hidden_here"], clean=False)
        return page

    def _is_settled(self, change: _Change, page: Any) -> bool:
        """Return whether other changes restored the page, as a move of its parent does."""
        if not page.live:
            return False
        bodies = snapshot_draft(page)
        own = {item: pair for item, pair in change.items.items() if ItemKey(*item) in bodies}
        return bool(own) and all(
            before is not None and digest_body(bodies[ItemKey(*item)]) == _digest_today(before)
            for item, (before, _) in own.items()
        )

    def _fill(self, page: Any, before: Mapping[str, Item | None], bodies: Mapping[str, Any]) -> None:
        if page.live and _is_like(page, before, bodies):
            return
        if page.alias_of_id:
            raise NotPossible(gettext("It is a live copy of another site's page, and that page stays unchanged."))
        for revision in page.revisions.order_by("-created_at", "-pk")[:_MOST_REVISIONS]:
            draft: Any = revision.as_object()
            if _is_like(draft, before, bodies):
                draft.go_live_at = None
                if draft.expire_at and draft.expire_at <= timezone.now():
                    draft.expire_at = None
                new = draft.save_revision(user=self._user, previous_revision=revision, log_action=True, clean=False)
                new.publish(user=self._user, previous_revision=revision, skip_permission_checks=True)
                return
        raise NotPossible(gettext(_NOT_KEPT).format(gettext("no revision of the page has the text of that release.")))

    def _put_in_place(self, page: Any, body: Any, site: str) -> None:
        if body is None or body["path"] == "/":
            return
        root = self._roots[site]
        above = root.root_url_path.rstrip("/") + body["path"].rpartition("/")[0] + "/"
        parent = page.get_parent()
        if parent.url_path == above:
            return
        if not page_kinds(parent.specific_class._meta.model_name) and _above(parent.url_path) == _above(above):
            folder = parent.specific  # the folder has no item: only its child pages show its address
            folder.slug = above.rstrip("/").rpartition("/")[2]
            folder.save_revision(user=self._user, log_action=True).publish(user=self._user, skip_permission_checks=True)
            return
        parent = Page.objects.filter(url_path=above, path__startswith=root.root_path).first()
        if parent is None:
            raise NotPossible(
                gettext("Its parent page ({path}) was deleted.").format(path=body["path"].rpartition("/")[0] or "/")
            )
        action = MovePageAction(page, parent.specific, pos="last-child", user=self._user)
        action.execute(skip_permission_checks=True)

    def _title(self, item: ItemId, pair: tuple[Item | None, Item | None]) -> str:
        found = self._titles.get(item)
        if found and found.title.strip("“”") != item.key:
            return str(found.title)
        shown = pair[1] or pair[0]
        assert shown
        return f"{item.kind.replace('_', ' ').capitalize()} {name_of(shown)}"


def _join(groups: Iterable[list[EnteredKey]]) -> dict[EnteredKey, list[EnteredKey]]:
    """Merge groups that share a key. Return the whole group of each key."""
    joined: dict[EnteredKey, list[EnteredKey]] = {}
    for group in groups:
        whole = list(dict.fromkeys(other for key in group for other in joined.get(key, [key])))
        joined |= dict.fromkeys(whole, whole)
    return joined


def _is_same(one: Item | None, other: Item | None) -> bool:
    """Compare two items. One may have an older format."""
    if one is None or other is None:
        return one is other
    return one.digest == other.digest or _digest_today(one) == _digest_today(other)


def _digest_today(item: Item) -> str:
    return digest_body(orjson.loads(item.body))


def _above(url_path: str) -> str:
    return url_path.rstrip("/").rpartition("/")[0]


def _is_like(page: Any, before: Mapping[str, Item | None], bodies: Mapping[str, Any]) -> bool:
    """Return whether a snapshot of the page has these bodies, wherever it is in the tree."""
    snapshots = {key.kind: body for key, body in snapshot_draft(page).items()}
    body = bodies.get(PAGE)
    if body is not None and body["path"] != "/" and page.slug != body["path"].rpartition("/")[2]:
        return False
    return all(_content(snapshots.get(kind)) == _content(bodies.get(kind)) for kind in before)


def _content(body: Any) -> Any:
    if body is None:
        return None
    return orjson.loads(orjson.dumps({name: value for name, value in body.items() if name not in _PLACE}))
