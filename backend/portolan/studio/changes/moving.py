"""Add the move of a live page to a change set if its site requires review."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from wagtail.admin import messages
from wagtail.admin.views.pages.bulk_actions.move import MoveBulkAction
from wagtail.models import Page

from ...content.change_sets.holding import HeldElsewhere, add_move
from ...content.going_live import is_page_reviewed
from ...content.page_places import why_not_move
from ...content.page_rights import RolePagePermissionTester
from ...content.quoted import quoted
from .forms import ChooseSetForm
from .rights import person


def needs_plan(page: Page, parent: Page | None = None) -> bool:
    """Return whether the move needs review: a live page is moved, and its old or new place requires review."""
    is_reviewed = is_page_reviewed(page) or (parent is not None and is_page_reviewed(parent, is_below=True))
    return is_reviewed and Page.objects.filter(path__startswith=page.path, live=True).exists()


def plan_instead(request: HttpRequest, page: Page, parent: Page) -> HttpResponse | None:
    """Hook: check the new place of a page, and plan the move if it needs review."""
    if reason := why_not_move(page, parent):
        messages.error(request, reason)
        return redirect("wagtailadmin_pages:move", page.pk)
    if not needs_plan(page, parent):
        return None
    return redirect("studio_change_set_move", page.pk, parent.pk)


def refuse_many(request: HttpRequest, action_type: str, objects: Iterable[Any], action: Any) -> HttpResponse | None:
    """Hook: refuse to move several pages if one of them needs review."""
    pages = [one for one in objects if isinstance(one, Page)] if action_type == "move" else []
    kept = [page for page in pages if needs_plan(page, action.cleaned_form.cleaned_data["chooser"])]
    if not kept:
        return None
    names = ", ".join(quoted(page.title) for page in kept[:5])
    messages.error(
        request,
        _(
            "Nothing was moved: %(names)s is on a site with review. Move each page with its own Move action, "
            "which adds it to a change set."
        )
        % {"names": names},
    )
    return redirect(reverse("wagtailadmin_explore", args=[kept[0].get_parent().pk]))


class MoveTicked(MoveBulkAction):
    """Moves selected pages. Gives the reason if a page cannot be moved, where Wagtail blames permissions."""

    def prepare_action(self, pages: list[Page], pages_without_access: dict[str, Any]) -> HttpResponse | None:
        parent = self.cleaned_form.cleaned_data["chooser"]
        refused = (row["item"] for rows in pages_without_access.values() for row in rows if isinstance(row, dict))
        for reason in dict.fromkeys(filter(None, (why_not_move(page, parent) for page in refused))):
            messages.error(self.request, _("Nothing was moved. %(reason)s") % {"reason": reason})
        answer: HttpResponse | None = super().prepare_action(pages, pages_without_access)
        return answer


def plan_move(request: HttpRequest, page_id: int, parent_id: int) -> HttpResponse:
    user = person(request)
    page, parent = get_object_or_404(Page, pk=page_id), get_object_or_404(Page, pk=parent_id)
    if reason := why_not_move(page, parent):
        messages.error(request, reason)
        return redirect("wagtailadmin_pages:move", page.pk)
    if not RolePagePermissionTester(user, page.specific).can_move_to(parent.specific):
        raise PermissionDenied
    form = ChooseSetForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            item = add_move(form.open(user), page, parent, user)
        except HeldElsewhere as error:
            messages.warning(request, str(error))
            return redirect("studio_change_set", error.change_set.pk)
        messages.success(
            request,
            _("“%(title)s” moves when this change set goes live.") % {"title": page.title},
        )
        return redirect("studio_change_set", item.change_set_id)
    context = {"form": form, "page_to_move": page, "destination": parent}
    return TemplateResponse(request, "studio/changes/move.html", context)
