"""The comparison of a local version with its source, and the switches of its blocks."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from wagtail.admin.compare import diff_text
from wagtail.admin.panels import get_edit_handler
from wagtail.models import Page
from wagtail.permissions import policy_registry

from ...content.change_sets.holding import own_sites
from ...content.collections import COLLECTIONS
from ...content.collections.base import TranslatedEntry
from ...content.entry_rights import locales_of
from ...content.export import inherited_site
from ...content.local_versions import LocalVersion
from ...domain.inheritance import State
from ...domain.merging import BODY, Path, Side
from ...domain.text_merging import merge_texts
from ..merging.translations import locale_of
from ..merging.versions import Content
from ..merging.words import Words
from ..site_names import site_name
from ..site_settings.rows import MODELS, may_change
from .content import find_places, read, read_base, read_source
from .following import choose, follow_again, is_followed, keep, list_offered, specific, states_of

_CHOICE: Final = "choice"
_ENTRIES: Final = [model for model in COLLECTIONS.values() if issubclass(model, TranslatedEntry)]
_MODELS: Final[Mapping[str, Any]] = {
    "page": Page,
    **{str(model._meta.model_name): model for model in (*MODELS, *_ENTRIES)},
}


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

    compare: str
    """URL of the comparison."""
    site: str
    """Name of the source's site."""
    counts: Mapping[str, int]
    """Number of blocks and fields by state."""
    refused: str
    data: Mapping[str, Any]
    """For ``inheritance.js``."""


def find_inheritance(thing: Any) -> Inheritance | None:
    """Return the relation of an object in its form to its source, if it is a local version."""
    row = LocalVersion.objects.of(thing).first()
    source = specific(row.source) if row else None
    if row is None or source is None or not is_followed(row, source):
        return None
    states = states_of(row, source, thing)
    counts = {str(state): sum(found is state for found in states.values()) for state in State}
    data = _describe(thing, source, states)
    return Inheritance(data["compare"], _site_of(source), counts, row.refused, data)


def show_comparison(request: HttpRequest, model: str, pk: int) -> HttpResponse:
    """Show the texts that both have changed in three columns, and save the choices as a draft."""
    row, thing, source = _find(request, model, pk)
    if request.method == "POST":
        try:
            with transaction.atomic():
                count = _save_choices(request, row, source, thing)
        except ValidationError as error:
            refused = gettext("Your choices were refused: {reason} Choose again.")
            messages.error(request, refused.format(reason=" ".join(error.messages)))
            return redirect(_url("studio_local_version", thing))
        said = gettext("Your choices are saved as a draft ({count}). Publish it when it is ready.")
        messages.success(request, said.format(count=count))
        return redirect(_edit_url(thing))
    handler = thing.get_edit_handler() if isinstance(thing, Page) else get_edit_handler(type(thing))
    form = handler.get_form_class()(instance=thing, for_user=request.user)
    base, theirs, mine = read_base(row), read_source(source), read(thing)
    words = Words(form, mine, theirs, base)
    offered = _list_offered(request, row, source, thing)
    differences = [_compare(words, path, base, theirs, mine) for path in offered]
    title = thing.get_admin_display_title() if isinstance(thing, Page) else str(thing)
    found = {"title": title, "edit": _edit_url(thing), "differences": differences, "site": _site_of(source)}
    return render(request, "studio/local_version.html", found)


@require_POST
def switch(request: HttpRequest, model: str, pk: int) -> HttpResponse:
    """Make a block or field own, or let it follow again. Following again saves a draft if its content changes."""
    row, thing, source = _find(request, model, pk)
    target = _parse_path(request.POST.get("path", ""))
    states = states_of(row, source, thing)
    if target not in states or not _may_change_place(request, thing, target):
        raise Http404(gettext("The content has changed. Reload it and try again."))
    with transaction.atomic():
        if request.POST.get("state") == State.OWN:
            keep(row, target)
            return JsonResponse({"state": State.OWN, "isChanged": False})
        before = read(thing)
        try:
            written = follow_again(row, source, thing, [target])
        except ValidationError as error:
            raise BadRequest(" ".join(error.messages)) from error
        is_changed = read(written) != before
        if is_changed:
            written.save_revision(user=request.user, log_action=True)
    return JsonResponse({"state": State.FOLLOWS, "isChanged": is_changed})


def _find(request: HttpRequest, model: str, pk: int) -> tuple[LocalVersion, Any, Any]:
    """Return the row, the newest draft and the source of an object that the user may edit."""
    owner = _MODELS.get(model)
    thing: Any = owner and owner._default_manager.filter(pk=pk).first()
    row = LocalVersion.objects.of(thing).first() if thing else None
    if row is None or row.source is None or not is_followed(row, source := specific(row.source)):
        raise Http404
    if isinstance(thing, Page):
        may_edit = thing.permissions_for_user(request.user).can_edit()
    elif isinstance(thing, TranslatedEntry):
        may_edit = policy_registry.get(thing).user_has_permission_for_instance(request.user, "change", thing)
    else:
        may_edit = may_change(request.user, type(thing), thing.site_id)
    if not may_edit:
        raise PermissionDenied
    return row, thing.get_latest_revision_as_object(), source


def _list_offered(request: HttpRequest, row: LocalVersion, source: Any, thing: Any) -> list[Path]:
    return [path for path in list_offered(row, source, thing) if _may_change_place(request, thing, path)]


def _may_change_place(request: HttpRequest, thing: Any, place: Path) -> bool:
    """Return whether the user may change a translation of an entry; other objects belong to one site."""
    if not isinstance(thing, TranslatedEntry):
        return True
    locales = locales_of(request.user, type(thing))
    return locales is None or (len(place) > 1 and locale_of(place[1]) in locales)


def _site_of(source: Any) -> str:
    """Return the name of the source's site; of an entry, the sites that others inherit from."""
    if isinstance(source, TranslatedEntry):
        return ", ".join(dict.fromkeys(site_name(inherited_site(site) or "") for site in read_source(source).blocks))
    return site_name(next(iter(own_sites(source)), ""))


def _url(name: str, thing: Any) -> str:
    return reverse(name, args=["page" if isinstance(thing, Page) else thing._meta.model_name, thing.pk])


def _edit_url(thing: Any) -> str:
    name = "wagtailadmin_pages:edit" if isinstance(thing, Page) else thing.snippet_viewset.get_url_name("edit")
    return reverse(name, args=[thing.pk])


def _parse_path(text: str) -> Path:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(step, str) for step in found):
        raise BadRequest("path is not a JSON list of texts")
    return tuple(found)


def _describe(thing: Any, source: Any, states: Mapping[Path, State]) -> dict[str, Any]:
    site, theirs, places = _site_of(source), read_source(source), find_places(read(thing), thing)
    return {
        "states": [
            {
                "path": list(path),
                "state": state,
                "place": places.get(path[-1], path[-1]),
                "isAdded": len(path) > 1 and state == State.OWN and path[1] not in theirs.blocks,
            }
            for path, state in states.items()
            if path != (BODY,)
        ],
        "url": _url("studio_switch_inheritance", thing),
        "compare": _url("studio_local_version", thing),
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


def _save_choices(request: HttpRequest, row: LocalVersion, source: Any, thing: Any) -> int:
    base, theirs, mine = read_base(row), read_source(source), read(thing)
    choices: dict[Path, Side] = {}
    texts: dict[Path, str] = {}
    for each in _list_offered(request, row, source, thing):
        match request.POST.get(_name(each)):
            case "mine" | "theirs" as side:
                choices[each] = side
            case "both" if (text := _merge_words(each, base, theirs, mine)) is not None:
                choices[each], texts[each] = "mine", text
    if choices:
        choose(row, source, thing, choices, texts).save_revision(user=request.user, log_action=True)
    return len(choices)


URLS: list[URLPattern] = [
    path("local-versions/<str:model>/<int:pk>/", show_comparison, name="studio_local_version"),
    path("local-versions/<str:model>/<int:pk>/switch/", switch, name="studio_switch_inheritance"),
]
