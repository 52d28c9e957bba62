"""Draft machine translations of chosen pages, outside a transaction because the service may take seconds."""

from typing import Final

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages

from ...content.site_records import load_site_roots
from ...domain.roles import Action
from ...translations.exchange.apply import Report
from ...translations.exchange.pages import NothingToDo, address_of
from ...translations.machine.providers import NoTranslation
from ...translations.machine.translating import Stopped, translate_pages
from ...translations.sources import find_text, source_sites
from ..changes.rights import person
from ..numbers import say_number
from .changing import Chosen, go_back, read_chosen
from .rights import require

_MOST: Final = 10
_MOST_LINES: Final = 5


def is_offered() -> bool:
    """Return whether a translation service is configured."""
    return bool(settings.MACHINE_TRANSLATION)


@require_POST
def translate_by_machine(request: HttpRequest) -> HttpResponse:
    """Translate the texts of each ``cell`` that have no translation. Nothing goes live."""
    user = person(request)
    chosen = read_chosen(request.POST.getlist("cell"))
    require(user, Action.TRANSLATE, {one.site for one in chosen})
    if not is_offered():
        raise BadRequest(_("No translation service is configured. Nothing changed."))
    if not chosen:
        messages.warning(request, _("Select translations first. Nothing changed."))
    elif len(chosen) > _MOST:
        said = ngettext(
            "Select at most {count} translation at once. Nothing changed.",
            "Select at most {count} translations at once. Nothing changed.",
            _MOST,
        )
        messages.warning(request, said.format(count=_MOST))
    else:
        for site in dict.fromkeys(one.site for one in chosen):
            _translate(request, site, [one for one in chosen if one.site == site])
    return go_back(request)


def _translate(request: HttpRequest, site: str, chosen: list[Chosen]) -> None:
    root = load_site_roots()[source_sites()[site]]
    found = (find_text(one.key, site) for one in chosen)
    addresses = [address_of(text.page, root) for text in found if text]
    try:
        report = translate_pages(site, person(request), addresses) if addresses else Report()
    except Stopped as error:
        _show(request, error.report)
        messages.error(request, str(error))
    except (NoTranslation, NothingToDo) as error:
        messages.error(request, str(error))
    else:
        _show(request, report)


def _show(request: HttpRequest, report: Report) -> None:
    if report.texts:
        said = ngettext(
            "{count} text translated by machine. Read it, then approve or edit it.",
            "{count} texts translated by machine. Read them, then approve or edit them.",
            report.texts,
        )
        messages.success(request, said.format(count=say_number(report.texts)))
    elif not report.left_out:
        messages.info(request, _("Every text has a translation already. Nothing changed."))
    for line in report.left_out[:_MOST_LINES]:
        messages.warning(request, line)
    if len(report.left_out) > _MOST_LINES:
        more = len(report.left_out) - _MOST_LINES
        said = ngettext("{count} more text was not translated.", "{count} more texts were not translated.", more)
        messages.warning(request, said.format(count=say_number(more)))
