"""Move a page that was dropped in the tree, after the user has confirmed the consequences."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from wagtail import hooks
from wagtail.actions.move_page import MovePageAction
from wagtail.admin import messages
from wagtail.admin.views.pages.move import MoveConfirmView
from wagtail.models import Page

from ...content.page_places import why_not_move


class PlaceView(MoveConfirmView):
    """Wagtail's confirmation of a move, with a position: ``?before=ID``, or last."""

    template_name = "studio/tree/place.html"

    def dispatch(
        self, request: HttpRequest, page_to_move_id: int, destination_id: int, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        page = get_object_or_404(Page, pk=page_to_move_id).specific
        parent = get_object_or_404(Page, pk=destination_id).specific
        back = f"{reverse('studio_tree')}?open={page.pk}"
        rights = page.permissions_for_user(request.user)
        reason = why_not_move(page, parent)
        if not rights.can_move_to(parent):
            reason = _explain_refusal(page, parent, rights.can_move())
        if reason and request.headers.get("Accept") == "text/plain":  # the tree's script, which shows it at the line
            return HttpResponse(reason, status=409, content_type="text/plain; charset=utf-8")
        if reason:
            messages.error(request, reason)
            return redirect(back)
        before = request.GET.get("before", "")
        self.before = parent.get_children().filter(pk=before).first() if before.isdecimal() else None
        answer: HttpResponse = super().dispatch(request, page_to_move_id, destination_id, *args, **kwargs)
        return answer

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        target, side = (self.before, "left") if self.before else (self.destination, "last-child")
        MovePageAction(self.page_to_move, target, pos=side, user=request.user).execute()
        said = _("“%(title)s” moved below “%(parent)s”. Its old URL redirects to the new one.")
        messages.success(request, said % {"title": self.page_to_move.title, "parent": self.destination.title})
        for hook in hooks.get_hooks("after_move_page"):
            answer = hook(request, self.page_to_move)
            if isinstance(answer, HttpResponse):
                return answer
        return redirect(f"{reverse('studio_tree')}?open={self.page_to_move.pk}")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "before": self.before}


def _explain_refusal(page: Page, parent: Page, may_move: bool) -> str:
    names = {"title": page.title, "parent": parent.title}
    if not may_move:
        return _("You may not move “%(title)s”.") % names
    return why_not_move(page, parent) or _("You may not add pages below “%(parent)s”.") % names
