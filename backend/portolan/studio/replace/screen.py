"""The screen of find and replace: form, places with a preview, and the change set for the drafts."""

from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from wagtail.admin import messages

from ...content.change_sets.models import ChangeSet
from ...domain.change_sets import Step, why_not
from ..changes.rights import person, standing_of
from .apply import LOGGED, apply
from .find import MOST, Found, Thing, find
from .forms import ReplaceForm, own_sites

_LEFT_SHOWN: Final = 10


def show_replace(request: HttpRequest) -> HttpResponse:
    user = person(request)
    own = own_sites(user)
    if not own:
        raise PermissionDenied
    is_asked = "sites" in request.GET
    form = ReplaceForm(user, request.GET if is_asked else None, initial={"sites": own, "q": request.GET.get("q", "")})
    found: Found | None = None
    if is_asked and form.is_valid():
        asked = form.asked()
        found = find(asked)
        if request.method == "POST":
            return _replace(request, form, found)
    context = {
        "header_title": _("Find and replace"),
        "header_icon": "search",
        "breadcrumbs_items": [{"url": "", "label": _("Find and replace")}],
        "form": form,
        "found": found,
        "groups": _group(found.things) if found else [],
        "most": MOST,
        "replacement": form.asked().replacing.replacement if found else "",
    }
    return TemplateResponse(request, "studio/replace/replace.html", context)


def _replace(request: HttpRequest, form: ReplaceForm, found: Found) -> HttpResponse:
    user, asked = person(request), form.asked()
    ticked = request.POST.getlist("place")
    if not ticked:
        messages.warning(request, _("No places selected. Nothing changed."))
        return redirect(request.get_full_path())
    change_set = asked.change_set
    if change_set is None:
        words = asked.replacing
        name = _("“%(find)s” becomes “%(replacement)s”") % {"find": words.find, "replacement": words.replacement}
        change_set = ChangeSet.objects.create(name=name[:120], owner=user)
    elif said := why_not(change_set.at, Step.CHANGE, standing_of(user, change_set), needs_review=False):
        messages.error(request, said)
        return redirect(request.get_full_path())
    done = apply(found, ticked, asked.replacing, change_set, user)
    for sentence in done.left[:_LEFT_SHOWN]:
        messages.warning(request, sentence)
    if len(done.left) > _LEFT_SHOWN:
        more = len(done.left) - _LEFT_SHOWN
        messages.warning(request, _("%(count)d more were skipped.") % {"count": more})
    if not done.things:
        if asked.change_set is None:
            change_set.delete()
        return redirect(request.get_full_path())
    said = ngettext("%(places)d place replaced.", "%(places)d places replaced.", done.places) % {"places": done.places}
    messages.success(request, f"{said} " + _("The changes go live with this change set."))
    return redirect("studio_change_set", change_set.pk)


def _group(things: list[Thing]) -> list[tuple[str, list[Thing]]]:
    """Group the content by site, in the order of the search."""
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        groups.setdefault(thing.where or _("All sites together"), []).append(thing)
    return list(groups.items())


def name_action(actions: Any) -> None:
    actions.register_action(LOGGED, _("Replace words"), _("Replaced words on several pages"))


URLS: Final[list[URLPattern]] = [path("replace/", show_replace, name="studio_replace")]
