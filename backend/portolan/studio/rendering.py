"""Explain why a page was rendered, in its status and on its own screen.

The screen also lists the page's dependencies and its links in both directions. ``portolan explain`` prints the same
words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop
from wagtail.models import Page as StudioPage

from ..builds.manifest import BuildError
from ..content.items import PAGE
from ..content.quoted import quoted
from ..domain.problem_texts import say_each
from ..publisher.addresses import Addresses
from ..publisher.depends import PLACEHOLDER
from ..publisher.explain import Edit, Explainer, PageFacts, Rendered, Why
from ..publisher.reason_texts import say_kind, say_kinds, say_reason
from ..publisher.reasons import Cause, Reason
from ..releases.connection import connected_reader
from ..releases.index import Page
from ..releases.reader import ItemId
from .edit_urls import Editable, find_editables
from .release_rights import may_publish_everywhere
from .site_names import site_name
from .time_zones import of_page
from .use_rows import list_page_items

_MOST_NAMED: Final = 40
"""The most items of one list to name. Others are counted."""
_SHORT: Final = 12
_MARK: Final = "\x00"
"""Placeholder of an item's name in a sentence."""
_DEPENDS: Final[Mapping[Cause, str]] = {
    Cause.ITEM: gettext_noop("Content it shows"),
    Cause.ABOVE: gettext_noop("Title or URL of its parent pages"),
    Cause.TRANSLATION: gettext_noop("Publishing, moving or unpublishing it on another site"),
}


class Named(NamedTuple):
    """An item as editors know it."""

    title: str
    edit_url: str
    """Empty if it cannot be edited in the studio."""
    site: str = ""
    """Name of its site if it differs from the page's."""


class Sentence(NamedTuple):
    """A sentence with at most one item in it."""

    before: str
    item: Named | None
    after: str


class EditRow(NamedTuple):
    item: Named | None
    """None if the item is the page or is in the sentence above."""
    edit: Edit
    release_url: str
    """Empty if the user may not see releases."""


class WhyRow(NamedTuple):
    sentence: Sentence
    edits: list[EditRow]


class RenderedRow(NamedTuple):
    at: datetime
    by: str
    """Author of its release; empty if unknown."""
    release: int
    why: list[WhyRow]


class LastRendering(NamedTuple):
    rendered: RenderedRow | None
    """None if the page was rendered before the render log started."""


class SiteRow(NamedTuple):
    """The page on one site."""

    site: str
    """Name of the site."""
    page: Named
    is_own: bool
    rendered: RenderedRow | None


class ItemList(NamedTuple):
    head: str
    items: list[Named]
    more: int
    """Number of further items."""

    @property
    def number(self) -> int:
        return len(self.items) + self.more

    @property
    def is_long(self) -> bool:
        """Return whether the list is folded at first."""
        return self.number > _SHORT


def show_rendering(request: HttpRequest, page_id: int) -> HttpResponse:
    edited = get_object_or_404(StudioPage, pk=page_id).specific
    assert isinstance(request.user, User)
    if not edited.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    of_page(request, edited)
    context = {
        "header_title": gettext("Render log"),
        "header_icon": "history",
        "edit_url": reverse("wagtailadmin_pages:edit", args=[edited.pk]),
        "breadcrumbs_items": [
            {"url": reverse("wagtailadmin_pages:edit", args=[edited.pk]), "label": edited.get_admin_display_title()},
            {"url": "", "label": gettext("Render log")},
        ],
        **explain_page(edited, may_publish_everywhere(request.user)),
    }
    return TemplateResponse(request, "studio/rendering.html", context)


def explain_page(edited: StudioPage, sees_releases: bool) -> dict[str, object]:
    """Return the context of the template.

    ``page`` is ``None`` for an unpublished page. ``failure`` has the error if the builds cannot be read.
    """
    item = _item_of(edited)
    try:
        explainer = _open_explainer()
        page = explainer.find_page(item.site, item.key) if item else None
        if page is None:
            return {"page": None}
        facts = explainer.explain_page(page)
        others = [(other, explainer.find_last(other)) for other in _find_others(explainer, page)]
        begins = explainer.find_beginning(page.site)
    except BuildError as error:
        return {"page": None, "failure": str(error)}
    telling = _Telling(page.site, sees_releases, facts, [last for _, last in others])
    return {
        "page": page,
        "url": _addresses().url(page.site, page.path),
        "site": site_name(page.site),
        "last": facts.last and telling.tell(facts.last),
        "back": facts.last and facts.last.back and (_time(facts.last.back.at), facts.last.back.by),
        "begins": begins and _time(begins),
        "earlier": [telling.tell(each) for each in facts.earlier],
        "problems": say_each(facts.problems),
        "sites": [telling.tell_site(other, last) for other, last in [(page, facts.last), *others]] if others else [],
        "depends_on": telling.list_dependencies(facts.depends_on),
        "links": telling.list_links(facts),
    }


def find_last_rendering(edited: StudioPage) -> LastRendering | None:
    """Return the last render of a live page, or ``None``."""
    item = _item_of(edited)
    try:
        explainer = _open_explainer()
        page = explainer.find_page(item.site, item.key) if item else None
        last = explainer.find_last(page) if page else None
    except BuildError:  # the publisher reports it
        return None
    return page and LastRendering(last and _Telling(page.site, False, None, [last]).tell(last))


def tell_renderings(site: str, rendered: Sequence[Rendered]) -> list[RenderedRow]:
    """Describe the renders of one publish on a site, for users who may see releases."""
    telling = _Telling(site, True, None, rendered)
    return [telling.tell(each) for each in rendered]


class _Telling:
    """Describes renders. It looks up all items in the studio at once."""

    def __init__(
        self, site: str, sees_releases: bool, facts: PageFacts | None, others: Iterable[Rendered | None] = ()
    ) -> None:
        self._site = site
        self._sees_releases = sees_releases
        rendered = [each for each in others if each]
        items: set[ItemId] = set()
        if facts:
            rendered += [*facts.earlier, *([facts.last] if facts.last else [])]
            items |= {reason.item for reason in facts.depends_on if reason.item}
            items |= set(chain.from_iterable(ids[:_MOST_NAMED] for ids in facts.links))
        for why in (why for each in rendered for why in each.why):
            items |= {edit.item for edit in why.edits} | ({why.reason.item} if why.reason.item else set())
        self._known = find_editables({item for item in items if item.key and item.kind != PLACEHOLDER})

    def tell(self, rendered: Rendered) -> RenderedRow:
        release = rendered.release
        by = release.created_by if release else ""
        return RenderedRow(
            _time(rendered.entry.at), by, rendered.entry.release, [self._why(why) for why in rendered.why]
        )

    def tell_site(self, page: Page, last: Rendered | None) -> SiteRow:
        found = find_editables({item := ItemId(page.site, PAGE, page.key)})[item]
        named = Named(quoted(page.title), found.edit_url)
        return SiteRow(site_name(page.site), named, page.site == self._site, last and self.tell(last))

    def list_dependencies(self, reasons: Iterable[Reason]) -> list[ItemList]:
        found: dict[str, list[ItemId]] = {}
        for reason in reasons:
            if reason.item and reason.cause in _DEPENDS:
                found.setdefault(_DEPENDS[reason.cause], []).append(reason.item)
        return [self._list(gettext(head), items) for head, items in found.items()]

    def list_links(self, facts: PageFacts) -> list[ItemList]:
        links = facts.links
        heads = (
            gettext("Links to"),
            gettext("Links in its lists and layout"),
            gettext("Linked from"),
            gettext("Lists that may show it"),
        )
        return [self._list(head, items) for head, items in zip(heads, links, strict=True) if items]

    def _why(self, why: Why) -> WhyRow:
        change = why.edits[0].change if len(why.edits) == 1 and why.reason.item else "changed"
        said = say_reason(why.reason, _MARK, change, gettext)
        before, mark, after = said.partition(_MARK)
        item = self._name(why.reason.item) if mark and why.reason.item else None
        return WhyRow(Sentence(before, item, after), [self._edit(edit, why.reason) for edit in why.edits])

    def _edit(self, edit: Edit, reason: Reason) -> EditRow:
        url = reverse("studio_release", args=[edit.release.number]) if self._sees_releases else ""
        return EditRow(None if edit.item == reason.item else self._name(edit.item), edit, url)

    def _list(self, head: str, items: list[ItemId]) -> ItemList:
        named = list(dict.fromkeys(self._name(item) for item in items[:_MOST_NAMED]))
        return ItemList(head, named, max(0, len(items) - _MOST_NAMED))

    def _name(self, item: ItemId) -> Named:
        site = site_name(item.site) if item.site not in ("", self._site) else ""
        if item.kind == PLACEHOLDER:
            return Named(f"{{{item.key}}}", "", site)
        if not item.key:
            return Named(gettext("Its lists of {kinds}").format(kinds=say_kinds([item.kind], gettext)), "", site)
        found = self._known.get(item, Editable(capfirst(gettext(say_kind(item.kind))), ""))
        return Named(found.title, found.edit_url, site)


def _find_others(explainer: Explainer, page: Page) -> Iterator[Page]:
    for site in settings.SITES_REGISTRY.sites:
        if site != page.site and (other := explainer.find_page(site, page.key)):
            yield other


def _item_of(edited: StudioPage) -> ItemId | None:
    return next(iter(list_page_items([edited])), None)


def _open_explainer() -> Explainer:
    """Raises BuildError where the live pointer is damaged."""
    return Explainer(settings.BUILDS_DIR, connected_reader(), _addresses())


def _addresses() -> Addresses:
    return Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)


def _time(moment: str) -> datetime:
    return datetime.fromisoformat(moment)
