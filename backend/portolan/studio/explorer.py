"""Wagtail's lists of pages. Where they are ordered by hand, all pages below one are drawn at once: of too many, the tree is opened
instead, which draws a hundred."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from wagtail.admin import messages
from wagtail.admin.views.pages.listing import ExplorableIndexView
from wagtail.admin.viewsets.pages import PageViewSet
from wagtail.models import Page

from .numbers import say_number
from .tree.screen import tree_url

MOST: Final = 200
"""Pages that are ordered in Wagtail's list."""


class PageList(ExplorableIndexView):
    def get(self, request: HttpRequest, parent_page_id: int | None = None) -> HttpResponse:
        if parent_page_id and request.GET.get("ordering") == self.sort_order_field:
            parent = Page.objects.filter(pk=parent_page_id, numchild__gt=MOST).first()
            if parent:
                said = _(
                    "{count} pages stand below “{title}”, too many for the list in which pages are ordered by hand. "
                    "Here they come a hundred at once: drag a page between two others, or move it up and down by its menu."
                ).format(count=say_number(parent.numchild), title=parent.get_admin_display_title())
                messages.info(request, said)
                return redirect(tree_url(parent))
        answer: HttpResponse = super().get(request, parent_page_id)
        return answer


class PagesViewSet(PageViewSet):
    """For the pages of all families, and what stands above the sites."""

    index_view_class = PageList


def pages_view_set() -> Any:
    return PagesViewSet()
