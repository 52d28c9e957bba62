"""Download and upload the list of redirects. An upload is previewed and saved after confirmation."""

from functools import reduce
from operator import or_
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from wagtail.admin import messages

from ...domain.csv_files import GUESSED, write_csv
from .csv_file import Imported, Plan, UnreadableFile, decode_file, export_rows, import_plan, plan_import
from .file_words import all_sites, answers, columns
from .own_sites import seen_redirects
from .viewset import RedirectFilterSet, RedirectViewSet


def export_redirects(request: HttpRequest) -> HttpResponse:
    """Return the filtered list as CSV."""
    if not any(request.user.has_perm(f"content.{action}_redirect") for action in ("add", "change", "delete", "view")):
        raise PermissionDenied
    seen = seen_redirects(request.user).filter(live=True).select_related("page")
    rows = RedirectFilterSet(request.GET, seen, request=request).qs
    if sought := request.GET.get("q", "").strip():
        fields = (Q(**{f"{name}__icontains": sought}) for name in RedirectViewSet.search_fields)
        rows = rows.filter(reduce(or_, fields))
    reply = HttpResponse(
        write_csv(export_rows(rows.order_by("source", "site"))), content_type="text/csv; charset=utf-8"
    )
    reply["Content-Disposition"] = f'attachment; filename="redirects-{timezone.now():%Y-%m-%d}.csv"'
    reply["Cache-Control"] = "no-store"
    return reply


def import_redirects(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not (user.has_perm("content.add_redirect") and user.has_perm("content.publish_redirect")):
        raise PermissionDenied
    assert isinstance(user, AbstractBaseUser)
    if request.method != "POST":
        return _show(request)
    try:
        file = request.FILES.get("file")
        text = _read_file(request, file) if file else request.POST.get("text", "")
        if not text:
            raise UnreadableFile(gettext("Choose a file."))
        if not file and (mark := request.POST.get("mark")):
            done = import_plan(text, mark, user)
            if done:
                _say_done(request, done)
                if done.change_set:
                    return redirect("studio_change_set", done.change_set.pk)
                return redirect("wagtailsnippets_content_redirect:list")
            messages.warning(
                request,
                gettext("Not saved, because redirects or pages changed in the meantime. Check the new preview."),
            )
        return _show(request, plan_import(text, user), text)
    except UnreadableFile as error:
        messages.error(request, gettext("Not saved. {error}").format(error=error))
        return _show(request)


def _read_file(request: HttpRequest, file: UploadedFile[Any]) -> str:
    text, is_guessed = decode_file(file.read())
    if is_guessed:
        messages.warning(request, gettext(GUESSED))
    return text


def _say_done(request: HttpRequest, done: Imported) -> None:
    live = [line for line in (*done.plan.of("new"), *done.plan.of("changed")) if not line.is_draft]
    if live:
        new = sum(line.state == "new" for line in live)
        said = gettext("New redirects: {new}. Changed redirects: {changed}. They go live in a moment.")
        messages.success(request, said.format(new=new, changed=len(live) - new))
    if done.change_set:
        count = len(done.plan.drafts())
        said = ngettext(
            "{count} redirect is a draft in this change set, because its site needs a review. Send the change set to review.",
            "{count} redirects are drafts in this change set, because their sites need a review. Send the change set to review.",
            count,
        )
        messages.info(request, said.format(count=count))


def _show(request: HttpRequest, plan: Plan | None = None, text: str = "") -> HttpResponse:
    listing = reverse("wagtailsnippets_content_redirect:list")
    context = {
        "header_title": gettext("Upload redirects"),
        "header_icon": "upload",
        "breadcrumbs_items": [{"url": listing, "label": gettext("Redirects")}, {"url": "", "label": gettext("Upload")}],
        "headings": list(columns().values()),
        "columns": columns(),
        "answers": list(answers().values()),
        "every_site": all_sites(),
        "plan": plan,
        "text": text,
        "counts": {state: len(plan.of(state)) for state in ("new", "changed", "same", "wrong")} if plan else {},
    }
    return TemplateResponse(request, "studio/redirects/import.html", context)
