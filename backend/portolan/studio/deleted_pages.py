"""The trash, and hooks that move pages there instead of deleting them."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.menu import MenuItem
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.admin.views.pages.utils import type_to_delete_confirmation
from wagtail.models import Page

from ..content.may import may, sites_where
from ..content.site_records import load_site_roots
from ..domain.roles import ALL_SITES, Action
from ..retention.guard import look, remove_overdue
from . import bin
from .deleting import NotPossible, delete_page, is_deleted, restore_page
from .models import DeletedPage
from .taken_down import find_addresses, say_what_is_seen
from .use_rows import with_everything_below


def show_deleted(request: HttpRequest) -> HttpResponse:
    if not may(request.user, Action.EDIT):
        raise PermissionDenied
    found = _of_own_sites(request).filter(together_with=None).select_related("from_parent", "locale")
    rows = [
        {"held": held, "page": page, "copies": held.copies.select_related("locale")}
        for held in found.order_by("-deleted_at")
        if (page := held.get_children().first())
    ]
    now = timezone.now()
    overdue = look(bin.old_pages(now), now)
    context = {"rows": rows, "days": bin.kept_days(), "overdue": overdue, "may_empty": _may_empty(request)}
    return render(request, "studio/deleted_pages.html", context)


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Delete overdue pages permanently after a safety check stopped that."""
    if not _may_empty(request):
        raise PermissionDenied
    now = timezone.now()
    count = remove_overdue(bin.old_pages(now), now, is_confirmed=True)
    said = ngettext("{count} page is permanently deleted.", "{count} pages are permanently deleted.", count)
    messages.success(request, said.format(count=count))
    return redirect("studio_deleted_pages")


@require_POST
def restore(request: HttpRequest, held_id: int) -> HttpResponse:
    held = get_object_or_404(_of_own_sites(request), pk=held_id)
    assert isinstance(request.user, User)
    try:
        page, *copies = restore_page(held, request.user)
    except NotPossible as error:
        messages.error(request, gettext("The page was not restored. {error}").format(error=error))
        return redirect("studio_deleted_pages")
    also = (
        ngettext(
            ", with {count} live copy on other sites", ", with {count} live copies on other sites", len(copies)
        ).format(count=len(copies))
        if copies
        else ""
    )
    state = gettext("live, as before") if page.live else gettext("a draft, as before")
    messages.success(
        request,
        gettext("“{title}” is restored to its previous place, {state}{also}.").format(
            title=page.title, state=state, also=also
        ),
    )
    return redirect("wagtailadmin_pages:edit", page.pk)


def delete_instead(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Hook: move a page to the trash instead. Only pages in the trash are deleted permanently."""
    if is_deleted(page):
        return None
    if request.method == "POST" and type_to_delete_confirmation(request):
        explorer = reverse("wagtailadmin_explore", args=[page.get_parent().pk])
        return _delete(request, [page], get_valid_next_url_from_request(request) or explorer)
    return None


def delete_many_instead(
    request: HttpRequest, action_type: str, objects: Sequence[Model], action: Any
) -> HttpResponse | None:
    """Hook: move pages selected in a list to the trash."""
    pages = [page for page in objects if isinstance(page, Page)]
    if action_type != "delete" or not pages:
        return None
    return _delete(request, pages, get_valid_next_url_from_request(request) or reverse("wagtailadmin_explore_root"))


def send_to_deleted(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Hook: redirect from the form of a page in the trash to the trash, so that editors do not edit it by mistake."""
    if not is_deleted(page):
        return None
    messages.warning(request, gettext("“{title}” is deleted. Restore it to edit it.").format(title=page.title))
    return redirect("studio_deleted_pages")


def leave_holders_out(parent_page: Page, pages: QuerySet[Page], request: HttpRequest) -> QuerySet[Page]:
    """Hook: hide the trash from the page tree."""
    return (
        pages.exclude(pk__in=list(DeletedPage.objects.values_list("pk", flat=True))) if parent_page.is_root() else pages
    )


def leave_deleted_out(pages: QuerySet[Page], request: HttpRequest) -> QuerySet[Page]:
    """Hook: exclude pages in the trash from link choosers."""
    gone = [page.pk for held in DeletedPage.objects.all() for page in held.get_descendants(inclusive=True)]
    return pages.exclude(pk__in=gone) if gone else pages


class DeletedPagesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Trash"), reverse("studio_deleted_pages"), icon_name="bin", order=900)

    def is_shown(self, request: HttpRequest) -> bool:
        return may(request.user, Action.EDIT)


def _may_empty(request: HttpRequest) -> bool:
    return may(request.user, Action.PUBLISH, ALL_SITES)


def _of_own_sites(request: HttpRequest) -> QuerySet[DeletedPage]:
    if may(request.user, Action.EDIT, ALL_SITES):
        return DeletedPage.objects.all()
    own, roots = sites_where(request.user, Action.EDIT), load_site_roots()
    return DeletedPage.objects.filter(locale__in=[root.locale_id for key, root in roots.items() if key in own])


def _delete(request: HttpRequest, pages: Sequence[Page], next_url: str) -> HttpResponse:
    assert isinstance(request.user, User)
    addresses = find_addresses(with_everything_below(*pages))
    gone = []
    for page in pages:
        page = Page.objects.get(pk=page.pk)  # moving pages changes the tree, so reload each one
        try:
            if not is_deleted(page):  # else its parent was deleted first
                delete_page(page, request.user)
            gone.append(page.title)
        except NotPossible as error:
            messages.error(request, str(error))
    return say_what_is_seen(request, "delete", gone, addresses, next_url) if gone else redirect(next_url)
