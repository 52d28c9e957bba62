"""The nodes of the page tree, with the user's rights for each page."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ...content.page_rights import RolePagePermissionTester
from ...content.site_records import SiteRoot

AT_ONCE: Final = 100
"""Number of child pages to show at once."""


class Node(NamedTuple):
    id: int
    title: str
    kind: str
    state: str
    """State such as "draft"; empty if the page is live without a draft."""
    edit_url: str
    """Empty if the user may not edit the page."""
    is_folder: bool
    """True if the page has child pages."""
    may_move: bool
    may_order: bool
    """True if the user may reorder it among its siblings."""
    is_first: bool
    is_last: bool
    children: "Children | None"
    """None if the node is folded."""


class Children(NamedTuple):
    parent: int
    nodes: list[Node]
    last_before: int | None
    """Id of the page before the first node; None if there is none."""
    next: int | None
    """Index of the next page; None if there are no more."""
    more: int


def read_children(user: Any, parent: Page, start: int = 0, way: Iterable[int] = ()) -> Children:
    """Return the child pages that the user may see. ``way``: ids of unfolded pages."""
    opened = frozenset(way)
    seen: Any = PagePermissionPolicy().explorable_instances(user)
    below = seen.filter(path__startswith=parent.path, depth=parent.depth + 1).order_by("path")
    total = below.count()
    if opened and (wanted := below.filter(pk__in=opened).first()):  # the requested page may be further down
        start = below.filter(path__lt=wanted.path).count() // AT_ONCE * AT_ONCE
    end = start + AT_ONCE
    pages = list(below.select_related("content_type")[start:end])
    last_before = below[start - 1].pk if start else None
    may_order = RolePagePermissionTester(user, parent).can_reorder_children()
    nodes = [
        _node(user, page, may_order, start + place == 0, start + place == total - 1, opened)
        for place, page in enumerate(pages)
    ]
    return Children(parent.pk, nodes, last_before, end if end < total else None, max(0, total - end))


def find_way(site: SiteRoot, page: Page | None) -> list[int]:
    """Return the ids of the pages to unfold so that ``page`` is visible."""
    home = Page.objects.get(pk=site.root_page_id)
    if page is None or not page.path.startswith(site.root_path):
        return [home.pk]
    return [one.pk for one in page.get_ancestors(inclusive=True) if one.depth >= home.depth]


def _node(user: Any, page: Page, may_order: bool, is_first: bool, is_last: bool, opened: frozenset[int]) -> Node:
    rights = RolePagePermissionTester(user, page)
    model = page.content_type.model_class()
    return Node(
        id=page.pk,
        title=page.draft_title or page.title,
        kind=str(capfirst(model._meta.verbose_name)) if model else page.content_type.model,
        state=_say_state(page),
        edit_url=reverse("wagtailadmin_pages:edit", args=[page.pk]) if rights.can_edit() else "",
        is_folder=page.numchild > 0,
        may_move=rights.can_move(),
        may_order=may_order,
        is_first=is_first,
        is_last=is_last,
        children=read_children(user, page, way=opened) if page.pk in opened and page.numchild else None,
    )


def _say_state(page: Page) -> str:
    if page.alias_of_id:
        return _("inherited from another site") if page.live else _("inherited from another site, not live")
    if not page.live:
        return _("draft")
    return _("live, with a draft") if page.has_unpublished_changes else ""
