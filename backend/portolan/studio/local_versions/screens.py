"""The comparison of a local version with its source, and the switches of its blocks."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from wagtail.admin.compare import diff_text
from wagtail.models import Page

from ...content.change_sets.holding import own_sites
from ...content.local_versions import LocalVersion
from ...domain.inheritance import State
from ...domain.merging import BODY, Path, Side
from ...domain.text_merging import merge_texts
from ..merging.versions import Content
from ..merging.words import Words
from ..site_names import site_name
from .content import read_base, read_page
from .following import choose, follow_again, keep, list_offered, states_of

_CHOICE: Final = "choice"


class Difference(NamedTuple):
    """A place that both the source and the page have changed."""

    name: str
    """Name of the form's field for the choice."""
    where: str
    before: str
    source: SafeString
    """With marked changes since ``before``."""
    own: SafeString
    is_mergeable: bool


class Inheritance(NamedTuple):
    """The relation of a local version to its source, for its form."""

    source: Page
    site: str
    counts: Mapping[str, int]
    """Number of blocks and fields by state."""
    refused: str
    data: Mapping[str, Any]
    """For ``inheritance.js``."""


def find_inheritance(page: Page) -> Inheritance | None:
    """Return the relation of a page in its form to its source, if it is a local version."""
    row = LocalVersion.objects.filter(page=page.pk).select_related("source").first()
    if row is None or page.alias_of_id or row.source.specific_class is not page.specific_class:
        return None
    source = row.source.specific
    states = states_of(row, source, page)
    site = site_name(next(iter(own_sites(source)), ""))
    counts = {str(state): sum(found is state for found in states.values()) for state in State}
    return Inheritance(source, site, counts, row.refused, _describe(page, site, states))


def show_comparison(request: HttpRequest, page_id: int) -> HttpResponse:
    """Show the texts that both have changed in three columns, and save the choices as a draft."""
    row, page, source = _find(request, page_id)
    if request.method == "POST":
        with transaction.atomic():
            count = _save_choices(request, row, source, page)
        said = gettext("Your choices are saved as a draft ({count}). Publish the page when it is ready.")
        messages.success(request, said.format(count=count))
        return redirect("wagtailadmin_pages:edit", page.pk)
    form = page.get_edit_handler().get_form_class()(instance=page, for_user=request.user)
    base, theirs, mine = read_base(row), read_page(source), read_page(page)
    words = Words(form, mine, theirs, base)
    differences = [_compare(words, path, base, theirs, mine) for path in list_offered(row, source, page)]
    site = site_name(next(iter(own_sites(source)), ""))
    found = {"page": page, "differences": differences, "site": site, "source": source}
    return render(request, "studio/local_version.html", found)


@require_POST
def switch(request: HttpRequest, page_id: int) -> HttpResponse:
    """Make a block or field own, or let it follow again. Following again saves a draft if its content changes."""
    row, page, source = _find(request, page_id)
    target = _parse_path(request.POST.get("path", ""))
    states = states_of(row, source, page)
    if target not in states:
        raise Http404(gettext("The page has changed. Reload it and try again."))
    with transaction.atomic():
        if request.POST.get("state") == State.OWN:
            keep(row, target)
            return JsonResponse({"state": State.OWN, "isChanged": False})
        before = read_page(page)
        written = follow_again(row, source, page, [target])
        is_changed = read_page(written) != before
        if is_changed:
            written.save_revision(user=request.user, log_action=True)
    return JsonResponse({"state": State.FOLLOWS, "isChanged": is_changed})


def _find(request: HttpRequest, page_id: int) -> tuple[LocalVersion, Page, Page]:
    """Return the row, the newest draft and the source of a page that the user may edit."""
    row = get_object_or_404(LocalVersion.objects.select_related("page", "source"), page=page_id, page__alias_of=None)
    if not row.page.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    return row, row.page.get_latest_revision_as_object(), row.source.specific


def _parse_path(text: str) -> Path:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(step, str) for step in found):
        raise BadRequest("path is not a JSON list of texts")
    return tuple(found)


def _describe(page: Page, site: str, states: Mapping[Path, State]) -> dict[str, Any]:
    return {
        "states": [{"path": list(path), "state": state} for path, state in states.items() if path != (BODY,)],
        "url": reverse("studio_switch_inheritance", args=[page.pk]),
        "compare": reverse("studio_local_version", args=[page.pk]),
        "words": {
            State.FOLLOWS: gettext("Follows {site}").format(site=site),
            State.OWN: gettext("Own text"),
            State.CHANGED: gettext("{site} has changed").format(site=site),
            "keep": gettext("Own text here"),
            "follow": gettext("Follow again"),
            "compare": gettext("Compare"),
            "saveFirst": gettext("Save the draft first, then follow again: your last changes are not saved yet."),
            "failed": gettext("This did not work. Reload the page and try again."),
        },
    }


def _name(path: Path) -> str:
    return "-".join((_CHOICE, *path))


def _compare(words: Words, path: Path, base: Content, theirs: Content, mine: Content) -> Difference:
    before, source, own = (_say(words, path, content) for content in (base, theirs, mine))
    merged = _merge_words(path, base, theirs, mine)
    return Difference(_name(path), words.where(path), before, _mark(before, source), _mark(before, own), bool(merged))


def _say(words: Words, path: Path, content: Content) -> str:
    if len(path) == 3 and path[1] not in content.blocks:
        return gettext("Deleted")
    return words.value(path, content)


def _mark(before: str, after: str) -> SafeString:
    """Return ``after`` with its changed words marked."""
    parts = ((kind, text) for kind, text in diff_text(before, after).changes if kind != "deletion")
    marked = ((format_html("<ins>{}</ins>", text) if kind == "addition" else text,) for kind, text in parts)
    return format_html_join("", "{}", marked)


def _merge_words(path: Path, base: Content, theirs: Content, mine: Content) -> str | None:
    found = [_value(path, content) for content in (base, theirs, mine)]
    return merge_texts(*found) if all(isinstance(each, str) for each in found) else None


def _value(path: Path, content: Content) -> Any:
    match path:
        case (name,):
            return content.fields.get(name)
        case (_, id, name) if id in content.blocks and isinstance(content.blocks[id]["value"], dict):
            return content.blocks[id]["value"].get(name)
    return None


def _save_choices(request: HttpRequest, row: LocalVersion, source: Page, page: Page) -> int:
    base, theirs, mine = read_base(row), read_page(source), read_page(page)
    choices: dict[Path, Side] = {}
    texts: dict[Path, str] = {}
    for each in list_offered(row, source, page):
        match request.POST.get(_name(each)):
            case "mine" | "theirs" as side:
                choices[each] = side
            case "both" if (text := _merge_words(each, base, theirs, mine)) is not None:
                choices[each], texts[each] = "mine", text
    if choices:
        choose(row, source, page, choices, texts).save_revision(user=request.user, log_action=True)
    return len(choices)


URLS: list[URLPattern] = [
    path("pages/<int:page_id>/source/", show_comparison, name="studio_local_version"),
    path("pages/<int:page_id>/source/switch/", switch, name="studio_switch_inheritance"),
]
