"""The side-by-side editor: each text of the original, its changes since the translation, and a field for ours."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final, NamedTuple
from uuid import UUID

from django import forms
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from wagtail.admin import messages
from wagtail.admin.widgets.button import Button

from ...content.change_sets.holding import own_sites
from ...content.rich_text import snapshot_html
from ...content.texts import has_unknown_blocks
from ...domain.roles import Action
from ...translations.exchange.additions import add_missing
from ...translations.exchange.checking import find_lost_codes
from ...translations.exchange.inline import codes_of, split
from ...translations.exchange.units import mark_of
from ...translations.glossary import find_missing, find_terms, load_terms, mark_terms
from ...translations.models import GlossaryTerm, PageText
from ...translations.side_by_side import SideBySide, TextPair, TextState, find_pair, read_side_by_side, save_texts
from ...translations.sources import find_text, memory_languages, source_sites
from ...translations.tracking import confirm, confirm_texts
from ..changes.rights import person
from ..content_language import language_of
from ..site_names import site_name
from .changing import Chosen, log_change
from .rights import may_translate, require
from .suggestions import Suggestion, list_suggestions, mark_changes, words_of

_KEY: Final = re.compile(r' data-block-key="[^"]*"')
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""Errors of Wagtail's converter for a damaged rich text."""


class Refused(NamedTuple):
    """Texts that were not saved, by path of the original, and why."""

    typed: Mapping[str, str]
    reasons: Mapping[str, str]


class ShownSuggestion(NamedTuple):
    suggestion: Suggestion
    value: str
    """The text as the field takes it."""


class ShownText(NamedTuple):
    pair: TextPair
    id: str
    """Identifies the text in the form, also after blocks were moved."""
    label: str
    source: SafeString
    changes: SafeString | str
    """The original's text with marked changes; empty if it has none, or they are unknown."""
    field: Any
    was: str
    """Mark of the translation's text when the form was opened."""
    seen: str
    """Mark of the original's text when the form was opened."""
    limit: int | None
    placeholders: str
    suggestions: list[ShownSuggestion]
    terms: list[GlossaryTerm]
    error: str

    @property
    def is_done(self) -> bool:
        return self.pair.state is TextState.DONE


def _make_form(shown: SideBySide, typed: Mapping[str, str]) -> Any:
    """Return the fields of all texts. ``instance`` sets their language (``studio_languages``)."""
    form: Any = forms.Form(auto_id="%s")
    form.instance = shown.draft
    for pair in shown.texts:
        field = _origin(pair).form_field()
        field.widget.attrs.pop("maxlength", None)  # would cut off the end of pasted texts
        field.help_text = ""  # is not shown here
        field.initial = typed.get(pair.path, pair.place.text)
        form.fields[_field(pair.path)] = field
    return form


def edit_side_by_side(request: HttpRequest, key: UUID, site: str) -> HttpResponse:
    """Show the editor; save the texts as a draft."""
    user = person(request)
    if site not in source_sites():
        raise Http404(_("There is no such site. Nothing changed."))
    require(user, Action.TRANSLATE, [site])
    found = find_pair(key, site)
    if found is None:
        raise Http404(_("The original of this page is not published."))
    pair, text = found
    if pair.page is None:
        return redirect("studio_translation", key, site)
    if pair.page.alias_of_id:
        return redirect("wagtailadmin_pages:edit", pair.page.pk)
    shown = read_side_by_side(pair, site)
    reason = _find_reason(shown.draft, user)
    if request.method != "POST":
        if reason:
            messages.warning(request, reason)
        return _show(request, shown, text, Refused({}, {}))
    typed = _read_typed(shown, request.POST)
    if reason:
        messages.error(request, reason)
        return _show(request, shown, text, Refused(typed, {}))
    with transaction.atomic():
        refused = _save(request, shown, text, typed)
    if refused.reasons:
        return _show(request, read_side_by_side(_again(key, site), site), text, refused)
    return redirect(request.get_full_path())


def list_buttons(page: Any, user: Any, view_name: str, next_url: str | None = None) -> Any:
    """Hook: yield *Translate* as the first action of a translated page."""
    site = next(iter(own_sites(page)), "")
    is_translation = site in source_sites() and not page.alias_of_id and may_translate(user, site)
    if is_translation and find_text(page.translation_key, site):
        url = reverse("studio_translate", args=[page.translation_key, site])
        yield Button(_("Translate side by side"), url, icon_name="globe", priority=1)


def _again(key: UUID, site: str) -> Any:
    found = find_pair(key, site)
    assert found
    return found[0]


def _find_reason(page: Any, user: Any) -> str:
    """Return why the person cannot save the page; empty if they can."""
    if not page.permissions_for_user(user).can_edit():
        raise PermissionDenied
    lock = page.get_lock()
    if lock and lock.for_user(user):
        return _("The page is locked, or its draft is scheduled. Unlock it or cancel the schedule, then save.")
    if has_unknown_blocks(page):
        return _("The page has blocks of an unknown plugin, so it cannot be saved.")
    return ""


def _read_typed(shown: SideBySide, sent: Any) -> dict[str, str]:
    """Return the sent texts by path of the original. Raise BadRequest for a damaged rich text."""
    try:
        return {
            pair.path: _origin(pair).read_form(sent, name)
            for pair in shown.texts
            if (name := _field(pair.path)) in sent
        }
    except _UNREADABLE:
        raise BadRequest(_("A text of the form is damaged. Nothing changed.")) from None


def _save(request: HttpRequest, shown: SideBySide, text: PageText, typed: Mapping[str, str]) -> Refused:
    """Save the texts that are valid, then confirm. Return the others."""
    sent, user = request.POST, person(request)
    texts: dict[str, str] = {}
    reasons: dict[str, str] = {}
    pairs = {pair.path: pair for pair in shown.texts}
    terms = load_terms(memory_languages(shown.site))
    for path, new in typed.items():
        now = _as_sent(pairs[path])
        was = sent.get(f"was-{mark_of(path)}", "")
        if _without_keys(new) == now or mark_of(_without_keys(new)) == was:
            continue
        if mark_of(now) != was:
            reasons[path] = _(
                "Another person has changed this text: “{text}”. Save again to replace it with yours."
            ).format(text=words_of(now))
        elif problem := _find_problem(pairs[path], new):
            reasons[path] = problem
        else:
            texts[pairs[path].place.path] = new
            _warn_of_lost(request, pairs[path], new, terms)
    if texts:
        save_texts(shown, texts, user)
    if sent.get("do") == "add":
        _add_blocks(request, shown)
    is_current = _confirm(request, shown, text, reasons)
    _report(request, len(texts), len(reasons), is_current)
    return Refused({path: typed[path] for path in reasons}, reasons)


def _confirm(request: HttpRequest, shown: SideBySide, text: PageText, reasons: Mapping[str, str]) -> bool:
    """Confirm the whole translation, or the texts that are ticked. Return whether it is up to date."""
    sent, user = request.POST, person(request)
    chosen = [Chosen(shown.key, shown.site)]
    if sent.get("do") == "confirm":
        if sent.get("source") != text.text_id:
            messages.warning(request, _("The original has changed again. Look at its new changes, then confirm again."))
            return False
        if reasons:
            return False
        confirm(shown.key, [shown.site], user)
        log_change(request, chosen, "confirm")
        return True
    ticked = {
        pair.path
        for pair in shown.texts
        if pair.path not in reasons
        and pair.state is not TextState.DONE
        and f"done-{mark_of(pair.path)}" in sent
        and sent.get(f"seen-{mark_of(pair.path)}") == mark_of(pair.source)
    }
    if not ticked or not confirm_texts(shown.key, shown.site, ticked, user):
        return False
    log_change(request, chosen, "confirm")
    return True


def _add_blocks(request: HttpRequest, shown: SideBySide) -> None:
    add_missing(shown.source, shown.draft, [segment.path for segment in shown.missing])
    shown.draft.save_revision(user=person(request), log_action=True, clean=False)
    messages.success(request, _("The missing blocks are copied from the original. Translate their texts."))


def _report(request: HttpRequest, saved: int, refused: int, is_current: bool) -> None:
    if saved:
        said = ngettext("{count} text is saved in the draft.", "{count} texts are saved in the draft.", saved)
        messages.success(request, said.format(count=saved))
    if refused:
        said = ngettext("{count} text is not saved. See the message next to it.", "{count} texts are not saved. See the messages next to them.", refused)  # fmt: skip
        messages.error(request, said.format(count=refused))
    if is_current:
        messages.success(request, _("The translation is up to date."))


def _warn_of_lost(request: HttpRequest, pair: TextPair, new: str, terms: Iterable[GlossaryTerm]) -> None:
    lost = find_lost_codes(pair.source, new, pair.place.kind)
    lost += [term.expected for term in find_missing(words_of(new), find_terms(words_of(pair.source), terms))]
    if lost:
        said = _("{label}: the translation lacks {codes}. It is saved.")
        messages.warning(request, said.format(label=pair.place.label, codes=", ".join(lost)))


def _find_problem(pair: TextPair, new: str) -> str:
    """Return why the page's form would refuse a text; empty if it would refuse the present one too."""
    known = _origin(pair).problems(pair.place.text)
    return next((problem for problem in _origin(pair).problems(new) if problem not in known), "")


def _as_sent(pair: TextPair) -> str:
    """Return the present text as the form sends it, without keys. Draftail writes tags in its own way."""
    origin = _origin(pair)
    widget = origin.form_field().widget
    return _without_keys(origin.read_form({"text": widget.format_value(pair.place.text) or ""}, "text"))


def _without_keys(text: str) -> str:
    """Return a rich text without the keys of its paragraphs. Draftail adds random ones to a text that has none."""
    return _KEY.sub("", text)


def _show(request: HttpRequest, shown: SideBySide, text: PageText, refused: Refused) -> HttpResponse:
    form = _make_form(shown, refused.typed)
    suggestions = list_suggestions(shown.site, [pair for pair in shown.texts if pair.state is not TextState.DONE])
    terms = load_terms(memory_languages(shown.site))
    rows = [
        _show_text(pair, form, suggestions.get(pair.path, ()), terms, refused.reasons.get(pair.path, ""))
        for pair in shown.texts
    ]
    title = shown.draft.get_admin_display_title()
    source_site = source_sites()[shown.site]
    context = {
        "header_title": _("Translate “{title}”").format(title=title),
        "page_title": title,
        "header_icon": "globe",
        "breadcrumbs_items": [
            {"url": reverse("studio_translations"), "label": _("Translations")},
            {
                "url": reverse("studio_translation", args=[shown.key, shown.site]),
                "label": f"{title} ({site_name(shown.site)})",
            },
            {"url": "", "label": _("Translate")},
        ],
        "form": form,
        "media": form.media,
        "action_url": request.get_full_path(),
        "has_unsaved_changes": bool(refused.typed),
        "page": shown.draft,
        "texts": rows,
        "left": sum(not row.is_done for row in rows),
        "missing": shown.missing,
        "source_digest": text.text_id,
        "source_site": site_name(source_site),
        "source_language": language_of(source_site),
        "site": site_name(shown.site),
    }
    status = 422 if refused.reasons else 200
    return TemplateResponse(request, "studio/translations/side_by_side.html", context, status=status)


def _show_text(
    pair: TextPair,
    form: Any,
    suggestions: Iterable[Suggestion],
    terms: Iterable[GlossaryTerm],
    error: str,
) -> ShownText:
    name = _field(pair.path)
    kind, before = pair.place.kind, pair.before
    is_changed = bool(before) and before != pair.source
    diff = mark_changes(before or "", pair.source) if is_changed else ""
    found = find_terms(words_of(pair.source), terms)
    placeholders = [code.data for code in codes_of(split(pair.source, kind)) if code.data.startswith("{")]
    field = _origin(pair).form_field()
    widget = field.widget
    return ShownText(
        pair=pair,
        id=mark_of(pair.path),
        label=str(capfirst(pair.place.label)),
        source=_as_html(pair.source, kind, found),
        changes=diff,
        field=form[name],
        was=mark_of(_as_sent(pair)),
        seen=mark_of(pair.source),
        limit=getattr(field, "max_length", None),
        placeholders=" ".join(placeholders),
        suggestions=[ShownSuggestion(one, str(widget.format_value(one.text) or "")) for one in suggestions],
        terms=found,
        error=error,
    )


def _as_html(text: str, kind: str, terms: Iterable[GlossaryTerm]) -> SafeString:
    if kind != "rich":
        return mark_safe(mark_terms(escape(text, quote=False).replace("\n", "<br>"), terms))  # noqa: S308 - escaped
    clean = snapshot_html(text, {})
    for level in "234":  # headings of a text are none of this screen
        clean = clean.replace(f"<h{level}>", '<p class="studio-heading">').replace(f"</h{level}>", "</p>")
    return mark_safe(mark_terms(clean, terms))  # noqa: S308 - only the tags of `snapshot_html`


def _origin(pair: TextPair) -> Any:
    return pair.place.origin


def _field(path: str) -> str:
    return f"text-{mark_of(path)}"
