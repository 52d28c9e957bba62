"""Check the right to publish, the same for every screen, form, bulk action, API and command.

A person needs the right to publish on every site that shows the item. On a site with a reviewer, a person cannot
publish alone. Only this module checks the two rules: for screens, before they offer an action (``why_not``), and for
all code that publishes in a person's name (``connect``). Work of the system passes: the publisher's schedule and the
operator's commands.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum, auto
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext
from wagtail.actions.create_alias import CreatePageAliasAction
from wagtail.actions.move_page import MovePageAction
from wagtail.actions.publish_page_revision import PublishPageRevisionAction
from wagtail.actions.publish_revision import PublishRevisionAction
from wagtail.actions.unpublish import UnpublishAction
from wagtail.models import Page, PagePermissionTester
from wagtail.permissions import policy_registry

from ..domain.roles import ALL_SITES, Action
from ..rights.held import Person, find_sites_with, right_on
from .change_sets.holding import own_sites, reviewed_sites
from .drafts import Drafted
from .entry_rights import EntryPolicy, locales_of, sites_showing
from .local_versions import LocalVersion
from .may import may, sites_with
from .own_part import changed_locales
from .site_records import load_site_roots, site_roots_kept
from .site_setting import SiteSetting

_HOME_DEPTH: Final = 2
_PUBLISHES: Final = ("can_publish", "can_publish_subpage")


class Waiver(Enum):
    """Why an item may go live without the publish checks. The list is complete."""

    APPROVED = auto()
    """A change set. Its approval was checked step by step and fixed which drafts go live."""
    UNDO = auto()
    """A release or a change set is reverted. Reverting an error must be fast, and only the previous state returns. The
    right to publish is still required."""


class NotAlone(PermissionDenied):
    """This person cannot publish the item alone. The message has the reason and the next step, as sentences."""


_waived: Final[ContextVar[Waiver | None]] = ContextVar("why the gate is open", default=None)


@contextmanager
def waived(why: Waiver) -> Iterator[None]:
    token = _waived.set(why)
    try:
        yield
    finally:
        _waived.reset(token)


def why_not(user: Person, thing: Any, draft: Any = None) -> str:
    """Return why the person cannot publish ``thing`` alone, with the fix; empty if they can.

    ``draft``: the thing with the values that would go live, if they differ from the stored ones.
    """
    return why_reviewed(sites_going_live(thing, draft)) if may_publish(user, thing, draft) else _no_right()


def why_not_own_part(user: Person, entry: Any, draft: Any) -> str:
    """Return the same as ``why_not``, for a form that publishes only the person's own translations (``own_part``)."""
    if not (hasattr(entry, "translations") and entry.live) or may_publish(user, entry, draft):
        return why_not(user, entry, draft)
    own, locales = locales_of(user, type(entry), "publish") or frozenset(), changed_locales(entry, draft)
    return why_reviewed(_sites_with_locales(own if locales is None else locales & own))


def require(user: Any, thing: Any, draft: Any = None) -> None:
    """Raise NotAlone if ``user`` cannot publish it alone. None stands for the publisher or a command."""
    _check(user, lambda: may_publish(user, thing, draft), lambda: sites_going_live(thing, draft))


def why_reviewed(sites: Collection[str]) -> str:
    """Return why changes on one of these sites need a reviewer, with the fix; empty if not."""
    reviewed = sorted(reviewed_sites() & set(sites))
    if not reviewed:
        return ""
    names = ", ".join(settings.SITES_REGISTRY.sites[key].name for key in reviewed)
    return gettext("{sites}: changes require a review. Add the change to a change set and send it for review.").format(
        sites=names
    )


def needs_reviewer(thing: Any, draft: Any = None) -> bool:
    """Return True if a site that would show the change has a reviewer."""
    reviewed = reviewed_sites()
    return bool(reviewed) and not reviewed.isdisjoint(sites_going_live(thing, draft))


def may_publish(user: Person, thing: Any, draft: Any = None) -> bool:
    """Return True if the person has the right to publish it on every site that would show the change.

    Reviewers make no difference. Live copies of pages and inherited menus follow their source: their sites have chosen
    that.
    """
    policy = policy_registry.get(thing)
    if not isinstance(policy, EntryPolicy):
        return bool(policy.user_has_permission_for_instance(user, "publish", thing))
    if may_publish_everywhere(user, thing):
        return True
    right = right_on(type(thing), "publish")
    if not (own := sites_with(user, right)):
        return False
    shown = sites_showing(thing) | (sites_showing(draft) if draft is not None else frozenset())
    return shown <= own or _is_own_part(user, thing, draft)


def may_publish_everywhere(user: Person, thing: Any) -> bool:
    """Return True if the person may publish every entry of this kind, with any draft."""
    return ALL_SITES in find_sites_with(user, right_on(type(thing), "publish"))


def is_offered(user: Person, thing: Any) -> bool:
    """Return True if the person may publish any part of it alone, for a form's button."""
    if hasattr(thing, "translations") and (own := sites_with(user, right_on(type(thing), "publish"))):
        return not own <= reviewed_sites()
    return not needs_reviewer(thing)


def may_publish_on(user: Person, sites: Collection[str]) -> bool:
    """Return True if the person may publish on all these sites.

    Use it for files and other items that are not pages or entries.
    """
    return all(may(user, Action.PUBLISH, site) for site in sites)


def sites_going_live(thing: Any, draft: Any = None) -> set[str]:
    """Return the keys of the sites on which visitors would see the change.

    For an entry, these are the sites whose translations differ, or all sites that show it if a shared field differs.
    """
    if isinstance(thing, Page):
        return _sites_of_page(thing)
    if isinstance(thing, SiteSetting):
        return _sites_of_setting(thing)
    if draft is not None and hasattr(thing, "translations") and (locales := changed_locales(thing, draft)) is not None:
        return _sites_with_locales(locales)
    shown = sites_showing(thing) | (sites_showing(draft) if draft is not None else frozenset())
    return set(load_site_roots()) if ALL_SITES in shown else set(shown)


def connect() -> None:
    """Add the checks to all code that publishes in a person's name.

    Wagtail's own permission test of pages uses the same rule, so that its buttons, views and bulk actions agree. A
    second call changes nothing.
    """
    for name in _PUBLISHES:
        _wrap(PagePermissionTester, name, _unless_reviewed)
    for action, guard in _GUARDS.items():
        _wrap(action, "execute", guard)
    _wrap(Drafted, "save_live", _guard_saving)


def is_page_reviewed(page: Page, is_below: bool = False) -> bool:
    """Return True if a site on which visitors would see the page has a reviewer.

    ``is_below``: check a new page below it instead.
    """
    reviewed = reviewed_sites()
    if not reviewed:
        return False
    own = own_sites(page)
    return not reviewed.isdisjoint(own) or not reviewed.isdisjoint(
        _heirs_and(own) if is_below else _sites_of_page(page)
    )


def _is_own_part(user: Person, thing: Any, draft: Any) -> bool:
    if draft is None or not thing.live or not hasattr(thing, "translations"):
        return False
    locales, own = changed_locales(thing, draft), locales_of(user, type(thing), "publish")
    return locales is not None and own is not None and locales <= own


def _sites_of_page(page: Page) -> set[str]:
    """Return the page's own sites, and those that show or will show a live copy or a local version of it."""
    roots, own = load_site_roots(), own_sites(page)
    heirs = _heirs_and(own) - own
    others = Page.objects.filter(translation_key=page.translation_key).exclude(pk=page.pk)
    rows = others.values_list("pk", "path", "alias_of_id") if page.pk else ()
    following = _followers_of(page) if page.pk else frozenset()
    for pk, path, source in rows:
        at = next((key for key, root in roots.items() if path.startswith(root.root_path)), None)
        if at and (source == page.pk or pk in following):
            own.add(at)
        heirs.discard(at or "")  # that site has its own page, or the copy that was just added
    return own | heirs


def _sites_of_setting(row: SiteSetting) -> set[str]:
    """Return the setting's own sites, those that inherit it because they have none, and those whose own follows it."""
    own = own_sites(row)
    roots = load_site_roots()
    following = _followers_of(row)
    others = type(row)._default_manager.filter(live=True).exclude(pk__in=following)
    filled = {other.site_id for other in others if other.is_filled()}
    return own | {key for key in _heirs_and(own) - own if roots[key].wagtail_site_id not in filled}


def _followers_of(source: Page | SiteSetting) -> frozenset[int]:
    """Return the IDs of the local versions that take over changes of a source."""
    return frozenset(LocalVersion.objects.following(source).values_list("object_id", flat=True))


def _sites_with_locales(locales: Collection[int]) -> set[str]:
    return _heirs_and({key for key, root in load_site_roots().items() if root.locale_id in locales})


def _heirs_and(sites: Collection[str]) -> set[str]:
    """Return these sites, and those that inherit from them."""
    heirs = {key for key in load_site_roots() if settings.SITES_REGISTRY.sites[key].inherits in sites}
    return {*sites, *heirs}


def _require_below(user: Any, parent: Page) -> None:
    """Raise NotAlone if ``user`` cannot publish a page below ``parent`` alone."""
    sites = _heirs_and(own_sites(parent))
    _check(user, lambda: may_publish(user, parent), lambda: sites)


def _check(user: Any, may: Callable[[], bool], sites: Callable[[], Collection[str]]) -> None:
    why = _waived.get()
    if user is None or why is Waiver.APPROVED:
        return
    if not may():
        raise NotAlone(_no_right())
    if why is not Waiver.UNDO and (reason := why_reviewed(sites())):
        raise NotAlone(reason)


def _no_right() -> str:
    return gettext(
        "You do not have the right to publish on every site that shows it. Add it to a change set and send it for review."
    )


def _wrap(owner: Any, name: str, guard: Callable[[Any], Any]) -> None:
    if not hasattr(usual := getattr(owner, name), "__gated__"):
        gated: Any = wraps(usual)(guard(usual))
        gated.__gated__ = True
        del gated.__wrapped__  # other code reads it to see whether it has wrapped the function itself
        setattr(owner, name, gated)


def _unless_reviewed(asked: Any) -> Any:
    def answer(self: Any) -> bool:
        return bool(asked(self)) and not is_page_reviewed(self.page, is_below=asked.__name__ == _PUBLISHES[1])

    return answer


def _guard_publishing(execute: Any) -> Any:
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        draft = self.object
        stored = None if isinstance(draft, Page) else type(draft)._default_manager.filter(pk=draft.pk).first()
        with _roots_kept_below_home(draft):
            require(self.user, stored or draft, draft)
            return execute(self, *args, **kwargs)

    return run


def _guard_unpublishing(execute: Any) -> Any:
    """Require only the right to publish, because unpublishing takes effect on all sites at once."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        with waived(_waived.get() or Waiver.UNDO):
            require(self.user, self.object)
        return execute(self, *args, **kwargs)

    return run


def _guard_moving(execute: Any) -> Any:
    """Require that the user may publish alone at the new place, if visitors see any of the moved pages.

    The same is required at the old place. A move outside all sites takes the pages offline and is not checked here.
    """

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        parent = self.target if "child" in (self.pos or "") else self.target.get_parent()
        if own_sites(parent) and Page.objects.filter(path__startswith=self.page.path, live=True).exists():
            _require_below(self.user, parent)
            if own_sites(self.page):
                require(self.user, self.page)
        return execute(self, *args, **kwargs)

    return run


def _guard_copying(execute: Any) -> Any:
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        parent = self.parent or self.page.get_parent()
        with _roots_kept_below_home(self.page):
            _require_below(self.user, parent)
            return execute(self, *args, **kwargs)

    return run


def _roots_kept_below_home(thing: Any) -> AbstractContextManager[None]:
    """Read the site roots once for all checks and saves of this action. A home page may change its own root."""
    return site_roots_kept() if isinstance(thing, Page) and thing.depth > _HOME_DEPTH else nullcontext()


def _guard_saving(save_live: Any) -> Any:
    def run(self: Any, user: Any = None, *args: Any, **kwargs: Any) -> Any:
        stored = type(self)._default_manager.filter(pk=self.pk).first() if self.pk else None
        require(user, stored or self, self)
        return save_live(self, user, *args, **kwargs)

    return run


_GUARDS: Final[dict[Any, Callable[[Any], Any]]] = {
    PublishPageRevisionAction: _guard_publishing,
    PublishRevisionAction: _guard_publishing,
    UnpublishAction: _guard_unpublishing,
    MovePageAction: _guard_moving,
    CreatePageAliasAction: _guard_copying,
}
