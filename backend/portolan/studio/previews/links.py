"""Create, list and revoke links for people without an account."""

from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from wagtail.admin import messages

from ...domain.previews import Shown
from ...domain.routes import normalise_path
from ..authors import name_of
from .addresses import preview_url
from .forms import LinkForm
from .models import Preview, PreviewComment
from .rights import may_revoke, may_share, may_use
from .said import Said, say_comment
from .secret import make_link
from .words import say_shown

_A_PAGE: Final = 30


class Row(NamedTuple):
    link: Preview
    said: str
    by: str
    comments: list[Said]
    may_revoke: bool


@require_POST
def share(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    form = LinkForm(request.POST)
    shown, subject = _read_what(request)
    site = request.POST.get("site", "")
    if site not in settings.SITES_REGISTRY.sites or not settings.PREVIEW_DOMAIN or not may_share(user, shown, subject):
        raise PermissionDenied
    if not form.is_valid():
        messages.error(request, _("No link was created: enter a note for the recipients."))
        return redirect("studio_preview_links")
    start = normalise_path(request.POST.get("path", "/"))
    note, days = form.cleaned_data["note"].strip(), form.cleaned_data["days"]
    row, secret = make_link(shown, subject, site, start if start.startswith("/") else "/", note, days, user)
    context = {"link": row, "said": say_shown(shown, subject), "url": preview_url(secret, site, row.path)}
    return TemplateResponse(request, "studio/previews/made.html", context)


def list_links(request: HttpRequest) -> HttpResponse:
    """Show the user's own links, or all links to users who may publish everywhere."""
    user: Any = request.user
    if not may_use(user):
        raise PermissionDenied
    comments = Prefetch("comments", PreviewComment.objects.select_related("comment"))
    found = Preview.objects.filter(is_link=True).select_related("made_by").prefetch_related(comments)
    own = [row for row in found if may_revoke(user, row)]
    page = Paginator(own, _A_PAGE).get_page(request.GET.get("p"))
    rows = [
        Row(
            row,
            say_shown(row.kind, row.subject),
            name_of(row.made_by) if row.made_by else "",
            say_comments(row),
            row.is_open,
        )
        for row in page
    ]
    return TemplateResponse(request, "studio/previews/links.html", {"rows": rows, "page": page})


@require_POST
def revoke(request: HttpRequest, id: int) -> HttpResponse:
    user: Any = request.user
    row = get_object_or_404(Preview, pk=id, is_link=True)
    if not may_revoke(user, row):
        raise PermissionDenied
    Preview.objects.filter(pk=row.pk, revoked_at=None).update(revoked_at=timezone.now())
    messages.success(request, _("“{}” is revoked. The link shows a message instead of the preview.").format(row))
    return redirect("studio_preview_links")


def say_comments(preview: Preview) -> list[Said]:
    return [say_comment(row) for row in preview.comments.all()]


def list_comments_of(shown: Shown, subject: str) -> list[Said]:
    """Return the comments from links that belong to no page."""
    links = Preview.objects.filter(is_link=True, shown=shown.value, subject=subject)
    return [said for link in links.prefetch_related("comments__comment") for said in say_comments(link) if not said.url]


def _read_what(request: HttpRequest) -> tuple[Shown, str]:
    try:
        return Shown(request.POST.get("shown", "")), request.POST.get("subject", "")[:255]
    except ValueError:
        raise PermissionDenied from None


URLS: Final[list[URLPattern]] = [
    path("preview/links/", list_links, name="studio_preview_links"),
    path("preview/share/", share, name="studio_preview_share"),
    path("preview/links/<int:id>/revoke/", revoke, name="studio_preview_revoke"),
]
