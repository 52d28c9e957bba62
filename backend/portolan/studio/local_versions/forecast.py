"""The effects of publishing a draft on the pages of other sites, before it is published."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from wagtail.admin.widgets.button import Button
from wagtail.models import Page

from ...content.local_versions import LocalVersion
from ...content.site_records import load_site_roots
from ...domain.merging import Path
from ...translations.models import PageText
from ...translations.segments import read_segments
from ...translations.sources import site_of, translated_sites
from ...translations.states import count_changed_words
from ..merging.words import Words
from ..site_names import site_name
from ..translations.words import say_words
from .content import read_page, write_page
from .following import list_offered, merge_of


class LocalEffect(NamedTuple):
    """The effect on a local version."""

    page: Page
    site: str
    """Its name."""
    taken: list[str]
    """Names of the places that change there."""
    offered: list[str]
    """Names of the places that stay there, and whose change is offered."""
    refused: str
    """The reason why the page cannot take over the change; else empty."""


class Forecast(NamedTuple):
    copies: list[str]
    """Names of the sites whose live copies change."""
    local_versions: list[LocalEffect]
    translations: list[str]
    """Names of the sites whose translations become outdated."""
    words: str
    """Number of words to translate on each of these sites."""

    @property
    def is_empty(self) -> bool:
        return not (self.copies or self.translations or any(each[2:] != ([], [], "") for each in self.local_versions))


def foresee(draft: Page) -> Forecast:
    """Return the effects of publishing ``draft``, a page in memory."""
    live = Page.objects.get(pk=draft.pk).specific
    theirs = read_page(draft)
    is_changed = theirs != read_page(live)
    copies = list(draft.aliases.order_by("path")) if is_changed else []
    rows = (
        LocalVersion.objects.filter(source=draft.pk, page__alias_of=None).select_related("page").order_by("page__path")
    )
    local = [_foresee_local(row, live, draft) for row in rows if row.page.specific_class is draft.specific_class]
    before = PageText.objects.filter(page=draft.pk).select_related("text").first()
    after = {segment.path: segment.text for segment in read_segments(draft)}
    words = count_changed_words(before.text.segments, after) if before else 0
    apart = {each.pk for each in copies} | {each.page.pk for each in local}
    outdated = [page for page in _translations_of(draft) if page.pk not in apart] if words else []
    return Forecast(list(_name_sites(copies)), local, list(_name_sites(outdated)), say_words(words))


def _foresee_local(row: LocalVersion, live: Page, draft: Page) -> LocalEffect:
    page: Page = row.page.specific
    theirs, mine = read_page(draft), read_page(page)
    found = merge_of(row, page, theirs, mine)
    before = set(list_offered(row, live, page))
    refused = ""
    try:
        write_page(page, found, theirs, mine).full_clean()
    except ValidationError as error:
        refused = " ".join(error.messages)
    words = Words(draft.get_edit_handler().get_form_class()(instance=draft), theirs, mine, read_page(live))
    return LocalEffect(
        page=page,
        site=next(_name_sites([page]), ""),
        taken=_name_places(words, found.taken),
        offered=_name_places(words, [each for each in found.conflicts if each not in before]),
        refused=refused,
    )


def _name_places(words: Words, paths: Iterable[Path]) -> list[str]:
    return list(dict.fromkeys(words.where(each) for each in paths))


def _translations_of(page: Page) -> Iterator[Page]:
    own = site_of(page.path, page.locale_id)
    roots = load_site_roots()
    for site in translated_sites(own.key) if own else ():
        if root := roots.get(site):
            yield from page.get_translations().filter(path__startswith=root.root_path, live=True, alias_of=None)


def _name_sites(pages: Iterable[Page]) -> Iterator[str]:
    for page in pages:
        if root := site_of(page.path, page.locale_id):
            yield site_name(root.key)


def list_buttons(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Iterable[Button]:
    """Hook: yield the button in the menu of the header of a page that other sites have too."""
    if page.live and page.alias_of_id is None and (page.aliases.exists() or next(_translations_of(page), None)):
        url = reverse("studio_forecast", args=[page.pk])
        yield Button(gettext("Effects on other sites"), url, icon_name="globe", priority=45)


def show_forecast(request: HttpRequest, page_id: int) -> HttpResponse:
    """Show the effects of publishing the newest draft of a page."""
    page: Any = get_object_or_404(Page, pk=page_id)
    if not page.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    draft = page.get_latest_revision_as_object()
    return render(request, "studio/forecast.html", {"page": draft, "forecast": foresee(draft)})


URLS: list[URLPattern] = [path("pages/<int:page_id>/other-sites/", show_forecast, name="studio_forecast")]
