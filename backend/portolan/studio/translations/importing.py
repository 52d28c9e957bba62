"""Import a translator's file in the studio: upload it, see its effects and conflicts, choose, and write drafts."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import ChoiceField, FileField, Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from wagtail.admin import messages
from wagtail.models import Page

from ...content.may import sites_where
from ...domain.roles import Action
from ...translations.exchange.apply import Conflict, Options, Report, apply
from ...translations.exchange.files import check_languages, read_file
from ...translations.exchange.pages import NothingToDo, languages_of
from ...translations.exchange.units import FileRefused, Languages, Returned, mark_of
from ...translations.models import TranslationFile
from ...translations.segments import read_segments
from ...translations.sources import source_sites
from ..changes.rights import person
from ..numbers import say_number
from ..site_names import site_name
from .rights import require

_LARGEST: Final = 20 << 20
_KEPT: Final = timedelta(days=7)
_MOST_LINES: Final = 50
_MOST_CONFLICTS: Final = 200
_REVISIONS: Final = 20
"""Versions of a page in which the text at the export is searched."""


class UploadForm(Form):
    file = FileField(label=gettext_lazy("File"), help_text=gettext_lazy("XLIFF 2 or PO, at most 20 MB"))
    site = ChoiceField(label=gettext_lazy("Site"), required=False)

    def __init__(self, sites: Iterable[str], *args: Any) -> None:
        super().__init__(*args)
        self.fields["file"].widget.attrs["accept"] = ".xlf,.xliff,.xml,.po"
        choices = self.fields["site"]
        assert isinstance(choices, ChoiceField)
        choices.choices = [("", _("As the file says")), *((site, site_name(site)) for site in sites)]


class ShownConflict(NamedTuple):
    name: str
    where: str
    before: str
    """Text at the export; empty if no version of the page has it."""
    now: str
    new: str


def import_translations(request: HttpRequest) -> HttpResponse:
    """Take a file, check that it can be read, and open its preview."""
    user = person(request)
    sites = _own_sites(user)
    if not sites:
        raise PermissionDenied
    form = UploadForm(sites, *((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_valid():
        try:
            return redirect("studio_translations_import_check", _keep(form, user).pk)
        except (FileRefused, NothingToDo) as error:
            form.add_error("file", str(error))
    return TemplateResponse(request, "studio/translations/import.html", {"form": form, **_head(_("Import"))})


def check_import(request: HttpRequest, id: int) -> HttpResponse:
    """Show the effects of a file without writing them. A POST writes drafts."""
    user = person(request)
    file = TranslationFile.objects.filter(pk=id, owner=user).first()
    if file is None:
        messages.warning(request, _("This file was imported or deleted. Choose a file again."))
        return redirect("studio_translations_import")
    require(user, Action.TRANSLATE, [file.site])
    add_blocks = bool(request.POST.get("add_blocks") or request.GET.get("add_blocks"))
    _languages, units = _read(file.name, bytes(file.content))
    is_import = request.method == "POST"
    options = Options(add_blocks=add_blocks, take=frozenset(request.POST.getlist("take") if is_import else ()))
    report = _write(file, units, user, options) if is_import else _rehearse(file, units, user, options)
    if is_import:
        _say(request, report)
        return redirect(f"{reverse('studio_translations')}?site={file.site}")
    context = {
        "file": file,
        "site": site_name(file.site),
        "report": report,
        "drafts": [(address, True) for address in report.created] + [(address, False) for address in report.changed],
        "conflicts": list(_show_conflicts(report.conflicts[:_MOST_CONFLICTS])),
        "more_conflicts": max(0, len(report.conflicts) - _MOST_CONFLICTS),
        "lists": [
            (_("Not imported"), report.left_out[:_MOST_LINES], max(0, len(report.left_out) - _MOST_LINES)),
            (_("Look at these"), report.notices[:_MOST_LINES], max(0, len(report.notices) - _MOST_LINES)),
        ],
        "add_blocks": add_blocks,
        **_head(file.name),
    }
    return TemplateResponse(request, "studio/translations/import_check.html", context)


def _own_sites(user: Any) -> list[str]:
    return [site for site in source_sites() if site in sites_where(user, Action.TRANSLATE)]


def _keep(form: UploadForm, user: Any) -> TranslationFile:
    """Store a file that can be read. Raise FileRefused or NothingToDo."""
    uploaded = form.cleaned_data["file"]
    if uploaded.size > _LARGEST:
        raise FileRefused(_("The file has more than 20 MB. Nothing was imported. Export fewer pages."))
    content = uploaded.read()
    languages, _units = _read(uploaded.name, content)
    site = form.cleaned_data["site"] or languages.site
    if not site:
        raise FileRefused(_("The file does not name its site. Nothing was imported. Choose the site."))
    if languages.site and languages.site != site:
        raise FileRefused(
            _("The file is for {site}. Nothing was imported. Choose this site.").format(site=site_name(languages.site))
        )
    check_languages(languages, languages_of(site))
    if site not in _own_sites(user):
        raise FileRefused(_("You may not translate for {site}. Nothing was imported.").format(site=site_name(site)))
    TranslationFile.objects.filter(uploaded_at__lt=timezone.now() - _KEPT).delete()
    return TranslationFile.objects.create(owner=user, site=site, name=uploaded.name[:200], content=content)


def _read(name: str, content: bytes) -> tuple[Languages, list[Returned]]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "file").with_suffix(Path(name).suffix if Path(name).suffix.isascii() else "")
        path.write_bytes(content)
        return read_file(path)


def _rehearse(file: TranslationFile, units: list[Returned], user: Any, options: Options) -> Report:
    with transaction.atomic():
        report = apply(units, file.site, user, options)
        transaction.set_rollback(True)
    return report


def _write(file: TranslationFile, units: list[Returned], user: Any, options: Options) -> Report:
    with transaction.atomic():
        report = apply(units, file.site, user, options)
        file.delete()
    return report


def _show_conflicts(conflicts: list[Conflict]) -> Iterable[ShownConflict]:
    pages = Page.objects.in_bulk({one.page_id for one in conflicts})
    known: dict[int, dict[tuple[str, str], str]] = {}
    for one in conflicts:
        if one.page_id not in known:
            known[one.page_id] = _read_versions(pages[one.page_id]) if one.page_id in pages else {}
        before = known[one.page_id].get((one.path, one.target_was), "")
        texts = (strip_tags(text) if one.kind == "rich" else text for text in (before, one.now, one.new))
        yield ShownConflict(one.name, f"{one.address}, {one.label}", *texts)


def _read_versions(page: Page) -> dict[tuple[str, str], str]:
    """Return the texts of the page's newest versions by path and mark."""
    found: dict[tuple[str, str], str] = {}
    for revision in page.revisions.order_by("-created_at", "-pk")[:_REVISIONS]:
        for segment in read_segments(revision.as_object()):
            found.setdefault((segment.path, mark_of(segment.text)), segment.text)
    return found


def _say(request: HttpRequest, report: Report) -> None:
    drafts = len(report.created) + len(report.changed)
    texts = ngettext("{count} text", "{count} texts", report.texts).format(count=say_number(report.texts))
    said = ngettext("{texts} imported into {count} draft.", "{texts} imported into {count} drafts.", drafts)
    messages.success(request, said.format(texts=texts, count=say_number(drafts)))
    kept = len(report.left_out) + len(report.conflicts)
    if kept:
        said = ngettext("{count} text was not imported.", "{count} texts were not imported.", kept)
        messages.warning(request, said.format(count=say_number(kept)))


def _head(title: str) -> dict[str, Any]:
    return {
        "header_title": _("Import translations"),
        "header_icon": "globe",
        "breadcrumbs_items": [
            {"url": reverse("studio_translations"), "label": _("Translations")},
            {"url": "", "label": title},
        ],
    }
