"""Read how far the preparation of a new site is."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from wagtail.models import Page

from ...content.change_sets.holding import find_item
from ...content.change_sets.models import ChangeSet
from ...content.interface_words import InterfaceWords
from ...content.navigation.footer import FooterSettings
from ...content.navigation.menu import MenuSettings
from ...content.pages.contact import ContactPage
from ...content.pages.error import ErrorPage
from ...content.pages.legal import LegalPage
from ...content.site_records import SiteRoot, load_site_roots
from ...translations.matrix import read_rows
from ...translations.models import Translation
from ..interface_words.defaults import load_texts
from .start import linked_pages


class Task(NamedTuple):
    """A page of the new site."""

    title: str
    url: str
    words: int
    is_done: bool
    """True if the page is live or a person has marked it as up to date."""
    is_live: bool


class Need(NamedTuple):
    """Something that a site should have before its launch."""

    text: str
    is_met: bool
    url: str = ""


class Progress(NamedTuple):
    tasks: list[Task]
    needs: list[Need]
    change_set: ChangeSet | None
    """The open change set that launches the site."""
    is_live: bool

    @property
    def done(self) -> int:
        return sum(task.is_done for task in self.tasks)

    @property
    def words_left(self) -> int:
        return sum(task.words for task in self.tasks if not task.is_done)

    @property
    def left(self) -> list[Task]:
        return [task for task in self.tasks if not task.is_done]


def read_progress(site: str) -> Progress:
    root = load_site_roots()[site]
    home = Page.objects.get(pk=root.root_page_id)
    confirmed = set(
        Translation.objects.filter(site=site, confirmed_at__isnull=False).values_list("translation_key", flat=True)
    )
    live = set(Page.objects.filter(path__startswith=root.root_path, live=True).values_list("pk", flat=True))
    tasks = [
        Task(
            title=cell.title,
            url=reverse("wagtailadmin_pages:edit", args=[cell.page_id]),
            words=row.words,
            is_done=cell.page_id in live or row.key in confirmed,
            is_live=cell.page_id in live,
        )
        for row in read_rows([site])
        if (cell := row.cells.get(site)) and cell.page_id
    ]
    held = find_item(home)
    return Progress(tasks, list(_list_needs(site, root)), held.change_set if held else None, home.live)


def _list_needs(site: str, root: SiteRoot) -> Iterator[Need]:
    for model in (MenuSettings, FooterSettings):
        row = model._default_manager.filter(site_id=root.wagtail_site_id).first()
        begun = bool(row and (row.is_filled() or row.latest_revision_id))
        url = reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk]) if row and begun else ""
        yield Need(str(capfirst(model._meta.verbose_name)), begun, url)
    pages = Page.objects.filter(path__startswith=root.root_path)
    contact = pages.type(ContactPage).first()
    yield Need(_("Page with contact data"), contact is not None, _edit_url(contact))
    for legal in _legal_pages():
        page = pages.filter(translation_key=legal.translation_key).first()
        yield Need(_("Legal page “{title}”").format(title=legal.title), page is not None, _edit_url(page))
    errors = pages.type(ErrorPage)
    yield Need(_("Error pages"), errors.count() >= 2, _edit_url(errors.first()))  # 404 and 500
    words = reverse(InterfaceWords.snippet_viewset.get_url_name("list"))
    yield Need(_("Texts of buttons and forms in the site's language"), _has_interface_texts(site, root), words)


def _legal_pages() -> Iterable[Page]:
    """Return the default site's legal pages that its menu or footer links to."""
    return LegalPage.objects.filter(pk__in=linked_pages(), live=True)


def _has_interface_texts(site: str, root: SiteRoot) -> bool:
    """Return whether the product has texts in the language, or the site has words of its own."""
    language = settings.SITES_REGISTRY.sites[site].language.partition("-")[0]
    texts = load_texts()
    known = {tag.partition("-")[0] for tag in texts.languages} if texts else set()
    row = InterfaceWords.objects.filter(site_id=root.wagtail_site_id).first()
    return language in {"en", *known} or bool(row and row.latest_revision_id)


def _edit_url(page: Page | None) -> str:
    return reverse("wagtailadmin_pages:edit", args=[page.pk]) if page else ""
