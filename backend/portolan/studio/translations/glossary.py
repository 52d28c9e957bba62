"""The company's glossary: a list of terms for each language, edited in one form, with download and upload as CSV."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from wagtail.admin import messages

from ...content.may import sites_where
from ...domain.csv_files import UnreadableCsv, decode, read_csv, write_csv
from ...domain.roles import Action
from ...domain.text_language import name_language
from ...translations.models import GlossaryTerm
from ...translations.sources import memory_languages, source_sites
from ..changes.rights import person

_COLUMNS: Final = ("term", "translation", "do not translate", "note")
_YES: Final = "yes"
_NO: Final = ("", "no", "0", "false")
_LARGEST_BYTES: Final = 1 << 20
_MOST: Final = 2000
_NEW_ROWS: Final = 3


class _Rows(forms.BaseModelFormSet[Any, Any]):
    """All terms of one language, and empty rows for new ones."""

    languages = ""

    def clean(self) -> None:
        terms = [
            form.cleaned_data["term"]
            for form in self.forms
            if form.cleaned_data.get("term") and not form.cleaned_data.get("DELETE")
        ]
        if twice := sorted({term for term in terms if terms.count(term) > 1}):
            raise ValidationError(_("These terms are in the list twice: {terms}.").format(terms=", ".join(twice)))

    def save_new(self, form: Any, commit: bool = True) -> Any:
        form.instance.languages = self.languages
        return super().save_new(form, commit)


_RowSet: Final = forms.modelformset_factory(
    GlossaryTerm,
    fields=("term", "translation", "is_kept", "note"),
    formset=_Rows,
    can_delete=True,
    extra=_NEW_ROWS,
    max_num=_MOST,
)


def show_glossary(request: HttpRequest) -> HttpResponse:
    """Show and save the terms of a language."""
    names = _languages_of(person(request), Action.SEE)
    languages = request.GET.get("languages") or next(iter(names))
    if languages not in names:
        raise PermissionDenied
    may_change = languages in _languages_of(person(request), Action.TRANSLATE, is_needed=False)
    rows = GlossaryTerm.objects.filter(languages=languages).order_by("term")
    formset: Any = _RowSet(request.POST or None, queryset=rows)
    formset.languages = languages
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied
        if formset.is_valid() and _save(request, formset):
            return redirect(request.get_full_path())
        messages.error(request, _("The glossary is not saved. Correct the marked rows, then save again."))
    context = {
        "header_title": _("Glossary"),
        "header_icon": "list-ul",
        "breadcrumbs_items": [
            {"url": reverse("studio_translations"), "label": _("Translations")},
            {"url": "", "label": _("Glossary")},
        ],
        "formset": formset,
        "languages": languages,
        "name": names[languages],
        "names": names.items(),
        "may_change": may_change,
        "columns": ", ".join(_COLUMNS),
    }
    return TemplateResponse(request, "studio/translations/glossary.html", context)


def export_glossary(request: HttpRequest) -> HttpResponse:
    """Return the terms of a language as CSV."""
    names = _languages_of(person(request), Action.SEE)
    languages = request.GET.get("languages") or next(iter(names))
    if languages not in names:
        raise PermissionDenied
    reply = HttpResponse(write_csv(_write_lines(languages)), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="glossary-{languages.replace(">", "-")}.csv"'
    reply["Cache-Control"] = "no-store"
    return reply


def import_glossary(request: HttpRequest) -> HttpResponse:
    """Add and change the terms of a file. Terms that are not in the file stay."""
    languages = request.GET.get("languages", "")
    if languages not in _languages_of(person(request), Action.TRANSLATE):
        raise PermissionDenied
    if request.method == "POST":
        try:
            with transaction.atomic():
                count = _import(request.FILES.get("file"), languages)
        except (ValidationError, UnreadableCsv) as error:
            said = (
                " ".join(error.messages) if isinstance(error, ValidationError) else _(error.text).format(**error.values)
            )
            messages.error(request, _("Nothing is saved. {reason}").format(reason=said))
        else:
            said = ngettext("{count} term is saved.", "{count} terms are saved.", count).format(count=count)
            messages.success(request, said)
    return redirect(f"{reverse('studio_glossary')}?languages={languages}")


def _languages_of(user: Any, action: Action, *, is_needed: bool = True) -> Mapping[str, str]:
    """Return the languages of the person's sites with their names. Raise PermissionDenied if there are none."""
    own = sites_where(user, action)
    sites = settings.SITES_REGISTRY.sites
    found = {
        languages: _(name_language(sites[site].language))
        for site in source_sites()
        if site in own and (languages := memory_languages(site))
    }
    if is_needed and not found:
        raise PermissionDenied
    return found


def _save(request: HttpRequest, formset: Any) -> bool:
    try:
        with transaction.atomic():
            formset.save()
    except IntegrityError:
        messages.error(request, _("Another person has just added one of these terms. Reload the page to see it."))
        return False
    messages.success(request, _("The glossary is saved."))
    return True


def _write_lines(languages: str) -> Iterator[tuple[str, ...]]:
    yield _COLUMNS
    for row in GlossaryTerm.objects.filter(languages=languages).order_by("term"):
        yield row.term, row.translation, _YES if row.is_kept else "", row.note


def _import(file: UploadedFile[Any] | None, languages: str) -> int:
    """Save the terms and return their number. Raise ValidationError with the line of the first problem."""
    if file is None or (file.size or 0) > _LARGEST_BYTES:
        raise ValidationError(_("Choose a CSV file of at most 1 MB."))
    rows = read_csv(decode(file.read()).text)
    names = [cell.casefold() for cell in rows.pop(0).cells] if rows else []
    if "term" not in names or not set(names) <= set(_COLUMNS):
        raise ValidationError(
            _("The first line must contain these columns: {columns}.").format(columns=", ".join(_COLUMNS))
        )
    if len(rows) > _MOST:
        raise ValidationError(_("The file has more than {most} lines.").format(most=_MOST))
    for row in rows:
        given = dict(zip(names, row.cells, strict=False))
        term, _created = GlossaryTerm.objects.get_or_create(languages=languages, term=given.get("term", "")[:120])
        term.term = given.get("term", "")
        term.translation, term.note = given.get("translation", ""), given.get("note", "")
        term.is_kept = given.get("do not translate", "").casefold() not in _NO
        try:
            term.full_clean()
        except ValidationError as error:
            said = _("Line {line}: {reason}").format(line=row.line, reason=" ".join(error.messages))
            raise ValidationError(said) from None
        term.save()
    return len(rows)


URLS: Final[list[URLPattern]] = [
    path("translations/glossary/", show_glossary, name="studio_glossary"),
    path("translations/glossary/download/", export_glossary, name="studio_glossary_export"),
    path("translations/glossary/upload/", import_glossary, name="studio_glossary_import"),
]
