"""Hide a live copy on one site. Its form is that of its original, so this has its own button."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from wagtail.log_actions import log
from wagtail.models import Page

from ..content.pages.base import SitePage


@require_POST
def toggle_hidden(request: HttpRequest, page_id: int) -> HttpResponse:
    """Hide a live copy, or show it again. Other sites stay unchanged."""
    page: Any = get_object_or_404(Page, pk=page_id, alias_of__isnull=False).specific
    rights = page.permissions_for_user(request.user)
    if not isinstance(page, SitePage) or not rights.can_unpublish():
        raise PermissionDenied
    if page.hidden_here and not rights.can_publish():  # hiding never needs review, as unpublishing
        messages.error(
            request,
            gettext(
                "The page stays hidden: its site requires review. Create a local version of the page and send it for "
                "review."
            ),
        )
        return redirect("wagtailadmin_pages:edit", page.pk)
    page.hidden_here = not page.hidden_here
    with transaction.atomic():
        page.save(update_fields=["hidden_here"], clean=False)
        log(instance=page, action="wagtail.edit", user=request.user, content_changed=True)
    state = gettext("hidden on this site") if page.hidden_here else gettext("shown on this site again")
    messages.success(request, gettext("“{title}” is {state}.").format(title=page.title, state=state))
    return redirect("wagtailadmin_pages:edit", page.pk)
