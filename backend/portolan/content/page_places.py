"""Decide where a page may be in the tree. Moves, copies, live copies, ticked pages and change sets call the same function."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext
from wagtail.actions.copy_page import CopyPageAction
from wagtail.actions.create_alias import CreatePageAliasAction
from wagtail.actions.move_page import MovePageAction
from wagtail.models import Page

from .rules import why_reserved
from .site_records import SiteRoot, load_site_roots


class NotThere(PermissionDenied):
    """The page cannot be below that page. The message has the reason and the next step, as sentences."""


def why_not_below(page: Page, parent: Page, slug: str = "", locale_id: int | None = None) -> str:
    """Return why ``page`` cannot be below ``parent``, with the fix; empty if it can.

    ``slug`` and ``locale_id``: the values it would have there, if they differ from its own. The person's rights are not
    checked.
    """
    names = {"title": page.title, "parent": parent.title}
    if not page.specific_class.can_exist_under(parent):
        return gettext("“%(title)s” cannot be below “%(parent)s”: that page type does not allow it.") % names
    if reason := why_unseen(page, parent, locale_id) or why_reserved(slug or page.slug, parent):
        return reason
    others = parent.get_children() if slug else parent.get_children().exclude(pk=page.pk)
    if taken := others.filter(slug=slug or page.slug).first():
        return gettext(
            "“{title}” already has this URL. Choose another slug, or change the slug of that page first."
        ).format(title=taken.title)
    return ""


def why_not_move(page: Page, parent: Page) -> str:
    """Return why ``page`` cannot move below ``parent``; empty if it can."""
    if parent.path.startswith(page.path):
        return gettext("“%(title)s” cannot move below itself.") % {"title": page.title}
    return why_not_below(page, parent)


def why_not_copy(page: Page, parent: Page, slug: str, is_recursive: bool) -> str:
    """Return why a copy of ``page`` cannot be below ``parent``; empty if it can."""
    if is_recursive and parent.path.startswith(page.path):
        return gettext("“%(title)s” cannot be copied below itself with the pages below it.") % {"title": page.title}
    return why_not_below(page, parent, slug)


def why_unseen(page: Page, parent: Page, locale_id: int | None = None) -> str:
    """Return why visitors would never see ``page`` below ``parent``; empty if they would."""
    root = _root_of(parent)
    locale = locale_id or page.locale_id
    if root is None or root.locale_id == locale:
        return ""
    home = next((root.key for root in load_site_roots().values() if root.locale_id == locale), "")
    sites = settings.SITES_REGISTRY.sites
    name = sites[home].name if home in sites else gettext("its site")
    return gettext("Pages in the tree of another site are never published. Choose a page of {name}.").format(name=name)


def connect() -> None:
    """Add the check to all code that moves or copies pages. A second call changes nothing."""
    _wrap(MovePageAction, _check_move)
    _wrap(CopyPageAction, _check_copy)
    _wrap(CreatePageAliasAction, _check_alias)


def _check_move(action: Any) -> None:
    parent = action.target if "child" in (action.pos or "") else action.target.get_parent()
    if _root_of(action.page):  # restored pages were checked before their deletion
        _require(why_unseen(action.page, parent))


def _check_copy(action: Any) -> None:
    given = action.update_attrs or {}
    locale = given["locale"].pk if given.get("locale") else given.get("locale_id")
    _require(why_unseen(action.page, action.to or action.page.get_parent(), locale))


def _check_alias(action: Any) -> None:
    locale = action.update_locale.pk if action.update_locale else None
    _require(why_unseen(action.page, action.parent or action.page.get_parent(), locale))


def _require(reason: str) -> None:
    if reason:
        raise NotThere(reason)


def _wrap(action: Any, check: Callable[[Any], None]) -> None:
    usual = action.execute
    if hasattr(usual, "__placed__"):
        return

    @wraps(usual)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        check(self)
        return usual(self, *args, **kwargs)

    placed: Any = run
    placed.__placed__ = True
    del placed.__wrapped__  # other code reads it to see whether it has wrapped the function itself
    action.execute = placed


def _root_of(page: Page) -> SiteRoot | None:
    return next((root for root in load_site_roots().values() if page.path.startswith(root.root_path)), None)
