"""Move pages to the trash and restore them.

Pages move out of their site's tree and stay otherwise unchanged, so links to them work again after they are restored.
"""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from wagtail.actions.move_page import MovePageAction
from wagtail.models import Page, Site

from .authors import name_of
from .models import DeletedPage


class NotPossible(Exception):
    """The page cannot be deleted or restored. The message gives the reason."""


@transaction.atomic
def delete_page(page: Page, user: User) -> DeletedPage:
    """Move a page, its child pages and their live copies to the trash. Raises NotPossible."""
    own = Page.objects.filter(path__startswith=page.path)
    if Site.objects.filter(root_page__in=own).exists():
        raise NotPossible(
            gettext(
                "“{title}” is the home page of a site, and each site needs one. Unpublish the page instead."
            ).format(title=page.title)
        )
    copies: list[Page] = []
    for copy in Page.objects.filter(alias_of__in=own).order_by("path"):
        if not copy.path.startswith((page.path, *(other.path for other in copies))):
            copies.append(copy)
    held = _put_away(page, user, None)
    for copy in copies:
        _put_away(copy, user, held)
    return held


@transaction.atomic
def restore_page(held: DeletedPage, user: User | None) -> list[Page]:
    """Restore a page with everything that was deleted with it. Raises NotPossible.

    Copies without a free place stay in the trash and can be restored separately. Pass no user to skip the check of
    rights.
    """
    copies = list(held.copies.all())
    restored = [_put_back(held, user)]
    for copy in copies:
        try:
            restored.append(_put_back(copy, user))
        except NotPossible:
            continue
    return restored


def is_deleted(page: Page) -> bool:
    return DeletedPage.objects.filter(path=page.path[: 2 * Page.steplen]).exists()


def _put_away(page: Page, user: User, together_with: DeletedPage | None) -> DeletedPage:
    page = Page.objects.get(pk=page.pk)
    held = DeletedPage(
        title=page.title,
        slug=f"deleted-{page.pk}",
        locale_id=page.locale_id,
        live=False,
        from_parent=page.get_parent(),
        deleted_by=name_of(user),
        together_with=together_with,
    )
    Page.get_first_root_node().add_child(instance=held)
    MovePageAction(page.specific, held, pos="last-child", user=user).execute(skip_permission_checks=True)
    return held


def _put_back(held: DeletedPage, user: User | None) -> Page:
    page: Any = held.get_children().get().specific
    parent = held.from_parent
    if parent is None or is_deleted(parent):
        raise NotPossible(
            gettext("The parent page of “{title}” is also deleted. Restore the parent page first.").format(
                title=page.title
            )
        )
    if parent.get_children().filter(slug=page.slug).exists():
        raise NotPossible(
            gettext("Another page now has the URL of “{title}” ({slug}). Change the URL of that page first.").format(
                title=page.title, slug=page.slug
            )
        )
    rights = parent.specific.permissions_for_user(user) if user else None
    is_live = Page.objects.filter(path__startswith=page.path, live=True).exists()
    if rights and not (rights.can_add_subpage() and (not is_live or rights.can_publish_subpage())):
        raise NotPossible(
            gettext("You may not publish pages at the previous place of “{title}”.").format(title=page.title)
        )
    MovePageAction(page, parent.specific, pos="last-child", user=user).execute(skip_permission_checks=True)
    Page.objects.get(pk=held.pk).specific.delete()
    return page
