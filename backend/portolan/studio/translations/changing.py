"""Assign, confirm and exclude translations, and create missing ones as drafts."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.exceptions import BadRequest, ValidationError
from django.db import transaction
from django.forms import DateField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from wagtail.actions.copy_for_translation import CopyPageForTranslationAction
from wagtail.admin import messages
from wagtail.log_actions import log
from wagtail.models import Page

from ...content.may import sites_where
from ...content.site_records import SiteRecord
from ...domain.roles import Action
from ...translations.machine.approval import approve
from ...translations.matrix import Cell, read_rows
from ...translations.models import Translation
from ...translations.moves import keep_place
from ...translations.sources import find_text, source_sites
from ...translations.tracking import confirm
from ..authors import name_of
from ..changes.rights import person
from ..numbers import say_number
from ..site_names import name_sites
from .rights import require

_LOGGED: Final = {
    "assign": gettext_lazy("Assigned the translation"),
    "confirm": gettext_lazy("Marked the translation as up to date"),
    "approve": gettext_lazy("Approved the machine translation"),
    "exclude": gettext_lazy("Marked the translation as missing on purpose"),
    "include": gettext_lazy("Expected the translation again"),
    "stay": gettext_lazy("Kept the page's place after its original had moved"),
    "fallback": gettext_lazy("Changed the choice for a missing translation"),
}
_MOST: Final = 1000
"""Translations in one request."""


class Chosen(NamedTuple):
    key: UUID
    site: str


@require_POST
def change_translations(request: HttpRequest) -> HttpResponse:
    """Apply ``do`` to each ``cell``, which is ``KEY:SITE``."""
    user = person(request)
    chosen = read_chosen(request.POST.getlist("cell"))
    action = _ACTIONS.get(request.POST.get("do", ""))
    if action is None:
        raise BadRequest(_("There is no such action. Nothing changed."))
    require(user, Action.TRANSLATE, {one.site for one in chosen})
    if not chosen:
        messages.warning(request, _("Select translations first. Nothing changed."))
    else:
        try:
            with transaction.atomic():
                messages.success(request, action(request, chosen))
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    return go_back(request)


@require_POST
def create_translation(request: HttpRequest) -> HttpResponse:
    """Create a missing translation as a draft, and drafts of missing pages above it. Open its form."""
    user = person(request)
    chosen = read_chosen(request.POST.getlist("cell"))
    if len(chosen) != 1:
        raise BadRequest(_("Choose one translation. Nothing changed."))
    key, site = chosen[0]
    require(user, Action.EDIT, [site])
    source = find_text(key, site)
    if source is None:
        raise Http404(_("The original of this page is not published."))
    record = SiteRecord.objects.select_related("locale").filter(key=site).first()
    if record is None:
        raise Http404(_("The site has not been started."))
    with transaction.atomic():
        page = copy_page(source.page, record.locale, user)
    messages.success(request, _("Created as a draft: “{title}”.").format(title=page.get_admin_display_title()))
    return redirect("studio_translate", key, site)


def name_actions(actions: Any) -> None:
    """Hook: name the actions in the studio's log."""
    for name, said in _LOGGED.items():
        actions.register_action(f"portolan.translation.{name}", said, said)


def copy_page(page: Page, locale: Any, user: Any) -> Page:
    """Return the page in the locale, created as a draft if it is missing. Live copies of parents would go live at once."""
    known = page.get_translation_or_none(locale)
    if known:
        return known
    copy_page(page.get_parent(), locale, user)
    copied = CopyPageForTranslationAction(page.specific, locale, user=user).execute(skip_permission_checks=True)
    made: Page = copied
    return made


def _assign(request: HttpRequest, chosen: list[Chosen]) -> str:
    given = request.POST
    due = _read_date(given.get("due", ""))
    id = given.get("assignee", "")
    assignee = get_user_model().objects.filter(pk=int(id), is_active=True).first() if id.isdecimal() else None
    if id and assignee is None:
        raise ValidationError(_("This account has been deleted. Choose another person."))
    if assignee and not {one.site for one in chosen} <= sites_where(assignee, Action.TRANSLATE):
        others = name_sites({one.site for one in chosen} - sites_where(assignee, Action.TRANSLATE))
        raise ValidationError(
            _("{person} may not edit pages of {sites}. Nothing changed.").format(person=name_of(assignee), sites=others)
        )
    _save(chosen, assignee=assignee, due=due)
    log_change(request, chosen, "assign", name_of(assignee) if assignee else "")
    if assignee:
        return count(chosen, _("{translations} assigned to {person}.")).format(person=name_of(assignee))
    return count(chosen, _("{translations} not assigned."))


def _confirm(request: HttpRequest, chosen: list[Chosen]) -> str:
    cells = _read_cells(chosen)
    existing = [one for one in chosen if (cell := cells.get(one)) and cell.page_id and not cell.follows]
    if len(existing) < len(chosen):
        raise ValidationError(_("Only existing translations can be up to date. Nothing changed."))
    for one in existing:
        confirm(one.key, [one.site], person(request))
    log_change(request, chosen, "confirm")
    return count(chosen, _("{translations} marked as up to date."))


def _approve(request: HttpRequest, chosen: list[Chosen]) -> str:
    texts = sum(approve(one.key, one.site) for one in chosen)
    log_change(request, chosen, "approve")
    said = ngettext("{count} machine-translated text approved.", "{count} machine-translated texts approved.", texts)
    return said.format(count=say_number(texts))


def _exclude(request: HttpRequest, chosen: list[Chosen]) -> str:
    _save(chosen, is_excluded=True, assignee=None, due=None)
    log_change(request, chosen, "exclude")
    return count(chosen, _("{translations} marked as missing on purpose."))


def _include(request: HttpRequest, chosen: list[Chosen]) -> str:
    _save(chosen, is_excluded=False)
    log_change(request, chosen, "include")
    return count(chosen, _("{translations} expected again."))


def _stay(request: HttpRequest, chosen: list[Chosen]) -> str:
    require(person(request), Action.EDIT, {one.site for one in chosen})
    for one in chosen:
        keep_place(one.key, one.site)
    log_change(request, chosen, "stay")
    return _("The page keeps its place.")


_ACTIONS: Final[Mapping[str, Callable[[HttpRequest, list[Chosen]], str]]] = {
    "approve": _approve,
    "assign": _assign,
    "confirm": _confirm,
    "exclude": _exclude,
    "include": _include,
    "stay": _stay,
}


def _save(chosen: Iterable[Chosen], **values: Any) -> None:
    for one in chosen:
        Translation.objects.update_or_create(translation_key=one.key, site=one.site, defaults=values)


def read_chosen(cells: list[str]) -> list[Chosen]:
    """Return the translations of ``KEY:SITE`` texts. Raise BadRequest for others."""
    if len(cells) > _MOST:
        raise BadRequest(_("Too many translations. Nothing changed."))
    found = []
    for cell in cells:
        key, _separator, site = cell.partition(":")
        try:
            one = Chosen(UUID(key), site)
        except ValueError:
            raise BadRequest(_("There is no such page. Nothing changed.")) from None
        if site not in source_sites():
            raise BadRequest(_("There is no such site. Nothing changed."))
        found.append(one)
    return list(dict.fromkeys(found))


def _read_cells(chosen: Iterable[Chosen]) -> Mapping[Chosen, Cell]:
    wanted = set(chosen)
    only = next(iter(wanted)).key if len({one.key for one in wanted}) == 1 else None
    rows = read_rows({one.site for one in wanted}, only)
    return {one: cell for row in rows for site, cell in row.cells.items() if (one := Chosen(row.key, site)) in wanted}


def _read_date(text: str) -> date | None:
    found: date | None = DateField(required=False).clean(text)
    return found


def count(chosen: list[Chosen], text: str) -> str:
    """Return the text with the number of translations in place of ``{translations}``."""
    number = len(chosen)
    said = ngettext("{count} translation", "{count} translations", number).format(count=say_number(number))
    return text.replace("{translations}", said)


def log_change(request: HttpRequest, chosen: Iterable[Chosen], action: str, assignee: str = "") -> None:
    """Log the change at the translated page, else at its original."""
    wanted = list(chosen)
    locales = {record.key: record.locale_id for record in SiteRecord.objects.all()}
    pages: dict[UUID, dict[int, Page]] = {}
    for page in Page.objects.filter(translation_key__in={one.key for one in wanted}):
        pages.setdefault(page.translation_key, {})[page.locale_id] = page
    for one in wanted:
        found = pages.get(one.key, {})
        page = found.get(locales[one.site]) or found.get(locales[source_sites()[one.site]])
        if page:
            data = {"site": one.site, "assignee": assignee}
            log(instance=page, action=f"portolan.translation.{action}", user=person(request), data=data)


def go_back(request: HttpRequest) -> HttpResponse:
    """Redirect to the screen that sent the form."""
    url = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect(url if is_ours else "studio_translations")
