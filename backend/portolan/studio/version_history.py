"""Show the version history of an item, and restore a version.

The history lists every release that the page, entry, setting or redirect was in, with its changes.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Max, Model, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.widgets.button import Button
from wagtail.models import Page
from wagtail.permissions import policy_registry

from ..content.changes import keys_of
from ..content.collections import COLLECTIONS
from ..content.entered import NotPossible
from ..content.export import SETTINGS
from ..content.going_live import why_not
from ..content.items import PAGE, REDIRECT
from ..content.may import sites_with
from ..content.page_rows import PAGE_KINDS
from ..content.redirects import Redirect, find_redirect
from ..content.site_records import load_site_roots
from ..delivery_status.status import Pair
from ..publisher.history import History
from ..releases.connection import connected_reader
from ..releases.formats import raise_body
from ..releases.models import PendingChange, Release, ReleaseItem
from ..releases.reader import Item, ItemId, ReleaseInfo
from ..releases.verifications import read_answers
from ..rights.held import right_on
from .authors import name_of, name_person
from .block_changes import name_fields
from .edit_urls import find_editables
from .release_changes import name_thing, say_changes
from .release_rights import may_publish_everywhere, may_see_release
from .releases import find_release
from .revert import restore_release
from .site_names import name_sites, site_name
from .use_rows import list_page_items
from .version_history_urls import find_version_history_url

_A_PAGE: Final = 20
_MOST_NAMED: Final = 4
"""The most changed blocks and fields to name."""


class Version(NamedTuple):
    """The change that one release made to the item."""

    release: ReleaseInfo
    by: str
    what: str
    sites: str
    """Names of the sites on which it changed; empty for an item of one site."""
    is_now: bool
    """True if the newest content is that of this release."""
    is_there: bool
    """True if the item exists in this release."""
    release_url: str
    """Empty if the user may not see the release."""


class _Subject(NamedTuple):
    kind: str
    key: str
    site: str
    """Empty for an entry, which belongs to all sites."""
    thing: Any
    """The page, entry or setting; None if it was deleted."""
    why_not: str
    """Reason why the user cannot restore a version, which would be live at once; empty if they can."""


class _VersionHistory:
    """The states of an item in all releases."""

    def __init__(self, subject: _Subject) -> None:
        kinds = PAGE_KINDS if subject.kind == PAGE else [subject.kind]
        rows = ReleaseItem.objects.filter(kind__in=kinds, key=subject.key).order_by("since")
        if subject.site:
            rows = rows.filter(site=subject.site)
        self._states: dict[ItemId, list[ReleaseItem]] = {}
        for row in rows:
            self._states.setdefault(ItemId(row.site, row.kind, row.key), []).append(row)
        self.items = list(self._states)
        known = {number for row in rows for number in (row.since, row.until) if number}
        kept = Release.objects.order_by("number").values_list("number", flat=True).first() or 0
        self.numbers = sorted((number for number in known if number >= kept), reverse=True)

    def at(self, release: int) -> dict[ItemId, Item | None]:
        return {id: self._item(id, release) for id in self.items}

    def change(self, release: int) -> list[Pair]:
        """Return the changes of one release."""
        return self.difference(release - 1, release)

    def difference(self, older: int, newer: int) -> list[Pair]:
        before, after = self.at(older), self.at(newer)
        pairs = ((before[id], after[id]) for id in self.items)
        return [pair for pair in pairs if (pair[0] and pair[0].digest) != (pair[1] and pair[1].digest)]

    def _item(self, id: ItemId, release: int) -> Item | None:
        for row in self._states[id]:
            if row.since <= release and (row.until is None or release < row.until):
                return Item(*id, row.digest, raise_body(row.kind, row.format, bytes(row.body)))
        return None


def show_version_history(request: HttpRequest) -> HttpResponse:
    """Show all releases of the item, and the changes of the one in the parameter ``release``."""
    subject = find_subject(request)
    history = _VersionHistory(subject)
    page = Paginator(history.numbers, _A_PAGE).get_page(request.GET.get("p"))
    releases = {release.number: release for release in _releases(page)}
    newest = history.numbers[0] if history.numbers else 0
    title, edit_url = _name(history, subject)
    chosen = _choose(request, history)
    context: dict[str, Any] = {
        "title": title,
        "edit_url": edit_url,
        "site": site_name(subject.site) if subject.site else "",
        "address": find_version_history_url(_id_of(subject)),
        "versions": [_tell(history, releases[number], newest, request) for number in page if number in releases],
        "page": page,
        "count": len(history.numbers),
        "now": _tell_now(history, subject, newest),
        "rendering_url": _rendering_url(subject),
        "chosen": chosen,
    }
    if chosen:
        before = next((number for number in history.numbers if number < chosen), None)
        is_earlier = chosen != newest and any(history.at(chosen).values()) and any(history.at(newest).values())
        context |= {
            "changes": say_changes(history.change(chosen)),
            "before": before,
            "after": min((number for number in history.numbers if number > chosen), default=None),
            "since_then": say_changes(history.difference(newest, chosen)) if chosen != newest else [],
            "may_enter": is_earlier and not subject.why_not,
            "why_not": subject.why_not if is_earlier else "",
        }
    return render(request, "studio/version_history.html", context)


@require_POST
def restore(request: HttpRequest, number: int) -> HttpResponse:
    """Restore the item as a release has it, as a new save."""
    subject = find_subject(request)
    assert isinstance(request.user, User)
    history = _VersionHistory(subject)
    address = find_version_history_url(_id_of(subject))
    if subject.why_not:
        messages.error(request, gettext("Nothing was restored. {why}").format(why=subject.why_not))
        return redirect(address)
    if not any(history.at(number).values()):
        messages.error(
            request,
            gettext("This item is not in release {number}. Choose another release to restore it from.").format(
                number=number
            ),
        )
        return redirect(address)
    try:
        found = restore_release(number, history.items, name_of(request.user), request.user)
    except NotPossible as error:
        messages.error(request, str(error))
        return redirect(address)
    left = " ".join(f"{row.title}: {row.said}" for row in found.left)
    if found.new is None:
        messages.warning(
            request,
            gettext("Nothing was restored. {why}").format(
                why=left or gettext("It already matches the selected release.")
            ),
        )
        return redirect(address)
    messages.success(
        request,
        gettext("The version of release {number} is restored by release {new}.{left}").format(
            number=number, new=found.new, left=gettext(" Left unchanged: {left}").format(left=left) if left else ""
        ),
        buttons=[messages.button(reverse("studio_release", args=[found.new]), gettext("Delivery status"))],
    )
    return redirect(address)


URLS: Final[list[URLPattern]] = [
    path("releases/version-history/", show_version_history, name="studio_version_history"),
    path("releases/version-history/<int:number>/restore/", restore, name="studio_restore_version"),
]


def list_page_buttons(page: Page, user: User, view_name: str, next_url: str | None = None) -> Iterable[Button]:
    """Hook: yield the button in the menu of a page's header."""
    url = page_version_history_url(page)
    if url and page.permissions_for_user(user).can_edit():
        yield Button(gettext("Version history"), url, icon_name="history", priority=45)


def page_version_history_url(page: Page) -> str:
    """Return the URL of a page's version history; empty if the page is on no site."""
    item = next(iter(list_page_items([page])), None)
    return find_version_history_url(item) if item else ""


def is_on_its_way(edited: Model) -> bool:
    """Return whether a saved change of a page, entry or setting is in no release yet."""
    own = _items_of(edited)
    return own is not None and PendingChange.objects.filter(own, problem="").exists()


def find_last_release(edited: Model) -> int | None:
    """Return the last release that changed the item or its card, or ``None``."""
    own = _items_of(edited)
    if own is None:
        return None
    last: int | None = ReleaseItem.objects.filter(own, until=None).aggregate(last=Max("since"))["last"]
    return last


def _items_of(edited: Model) -> Q | None:
    if isinstance(edited, Page):
        item = next(iter(list_page_items([edited])), None)
        return Q(site=item.site, key=item.key, kind__in=PAGE_KINDS) if item else None
    keys = [key for key in keys_of(edited) if find_version_history_url(ItemId(*key))]
    return Q(site__in={key.site for key in keys}, kind=keys[0].kind, key=keys[0].key) if keys else None


def list_entry_buttons(edited: Model) -> Iterable[Button]:
    """Hook: yield the button in the header of an entry."""
    if line := find_version_history_line(edited):
        yield Button(gettext("Version history"), line.url, icon_name="history", priority=45)


def query_of(edited: Model) -> str:
    """Return the query for ``find_subject``; empty if the item has no version history."""
    item = _main_item(edited)
    return find_version_history_url(item).partition("?")[2] if item else ""


def _main_item(edited: Model) -> ItemId | None:
    if isinstance(edited, Page):
        return next(iter(list_page_items([edited])), None)
    return next(iter(sorted(ItemId(*key) for key in keys_of(edited) if find_version_history_url(ItemId(*key)))), None)


class VersionHistoryLine(NamedTuple):
    url: str
    release: ReleaseInfo | None
    """The release of the version that visitors see; None if they see none."""
    by: str


def find_version_history_line(edited: Model) -> VersionHistoryLine | None:
    """Return the current version of an item; ``None`` for items without a version history."""
    item = _main_item(edited)
    if item is None:
        return None
    rows = ReleaseItem.objects.filter(kind=item.kind, key=item.key, until=None)
    last = (rows.filter(site=item.site) if item.kind == PAGE else rows).aggregate(last=Max("since"))["last"]
    release = connected_reader().release(last) if last else None
    return VersionHistoryLine(
        find_version_history_url(item), release, name_person(release.created_by) if release else ""
    )


def find_subject(request: HttpRequest) -> _Subject:
    """Return the item of the request. Raises PermissionDenied if the user may not edit it."""
    kind, key, site = (request.GET.get(name, "") for name in ("kind", "key", "site"))
    user, roots = request.user, load_site_roots()
    thing: Any
    if kind in COLLECTIONS:
        model: Any = COLLECTIONS[kind]
        may = user.has_perm(right_on(model, "change"))
        thing = model.objects.filter(key=key).first()
        site = ""
    elif site not in roots:
        raise Http404(f"There is no site {site!r}.")
    elif kind == PAGE:
        found = Page.objects.filter(translation_key=key, locale_id=roots[site].locale_id) if _is_uuid(key) else None
        thing = found.first() if found else None
        rights = thing.permissions_for_user(user) if thing else None
        may = rights.can_edit() if rights else may_publish_everywhere(user)
    elif kind == REDIRECT:
        may = site in sites_with(user, right_on(Redirect, "change"))
        thing = find_redirect(site, key) or Redirect(site_id=site, source=key)
    elif kind in SETTINGS:
        setting: Any = SETTINGS[kind][0]
        thing = setting.objects.filter(site_id=roots[site].wagtail_site_id).first() or setting(
            site_id=roots[site].wagtail_site_id
        )
        may = policy_registry.get_by_type(setting).user_has_permission_for_instance(user, "change", thing)
    else:
        raise Http404(f"{kind!r} has no version history.")
    if not may:
        raise PermissionDenied
    reason = why_not(user, thing) if thing is not None else gettext("It was deleted.")
    return _Subject(kind, key, site, thing, reason)


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def _id_of(subject: _Subject) -> ItemId:
    return ItemId(subject.site, subject.kind, subject.key)


def _releases(numbers: Iterable[int]) -> list[ReleaseInfo]:
    rows = Release.objects.filter(number__in=list(numbers))
    return [find_release(row.number, row) for row in rows]


def _choose(request: HttpRequest, history: _VersionHistory) -> int | None:
    text = request.GET.get("release", "")
    if not text:
        return None
    if not text.isdecimal() or int(text) not in history.numbers:
        raise Http404("This release did not change the item, or was deleted.")
    return int(text)


def _tell(history: _VersionHistory, release: ReleaseInfo, newest: int, request: HttpRequest) -> Version:
    pairs = history.change(release.number)
    changed = [there for pair in pairs if (there := pair[1] or pair[0])]
    after = history.at(release.number).values()
    return Version(
        release,
        name_person(release.created_by),
        _say_what(history, pairs, release.number),
        name_sites(item.site for item in changed)
        if len(history.items) > 1 and len({id.site for id in history.items}) > 1
        else "",
        release.number == newest,
        any(after),
        reverse("studio_release", args=[release.number]) if may_see_release(request.user, release.number) else "",
    )


def _say_what(history: _VersionHistory, pairs: Sequence[Pair], number: int) -> str:
    """Describe the change, without the name of the item."""
    if not any(history.at(number - 1).values()):
        return gettext("New, or older than the stored releases")
    if not any(history.at(number).values()):
        return gettext("Removed")
    fields = name_fields(*(orjson.loads(item.body) if item else None for item in pairs[0])) if pairs else []
    more = len(fields) - _MOST_NAMED
    return ", ".join(fields[:_MOST_NAMED]) + (
        gettext(" and {more} more").format(more=more) if more > 0 else ""
    ) or gettext("Changed")


def _tell_now(history: _VersionHistory, subject: _Subject, newest: int) -> dict[str, Any] | None:
    """Return the version that visitors see and its dates; ``None`` if it is unpublished."""
    release = connected_reader().release(newest) if newest and any(history.at(newest).values()) else None
    if release is None:
        return None
    publishes = History(settings.BUILDS_DIR, connected_reader()).of_release(release)
    answered = [each for each in read_answers(newest).values() if each.verdict == "same"]
    return {
        "release": release,
        "by": name_person(release.created_by),
        "since": datetime.fromisoformat(publishes[0].record.at) if publishes else None,
        "verified": max((each.at for each in answered), default=None),
    }


def _name(history: _VersionHistory, subject: _Subject) -> tuple[str, str]:
    """Return the title of the item and the URL of its form."""
    id = next((each for each in history.items if each.kind == subject.kind), _id_of(subject))
    found = find_editables([id]).get(id)
    title, _ = name_thing(id, subject.key, found.title if found else "")
    return title, found.edit_url if found else ""


def _rendering_url(subject: _Subject) -> str:
    if subject.kind != PAGE:
        return ""
    locale = load_site_roots()[subject.site].locale_id
    pk = Page.objects.filter(translation_key=subject.key, locale_id=locale).values_list("pk", flat=True).first()
    return reverse("studio_rendering", args=[pk]) if pk else ""
