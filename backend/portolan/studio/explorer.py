"""Our changes to Wagtail's page screens."""

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from wagtail.admin import messages
from wagtail.admin.forms.pages import CopyForm
from wagtail.admin.views.pages.copy import CopyView
from wagtail.admin.views.pages.listing import ExplorableIndexView
from wagtail.admin.viewsets.pages import PageViewSet
from wagtail.models import Page

from ..content.in_order import NamesInOrder
from ..content.page_places import why_not_copy
from ..content.page_slug import PageSlugInput
from ..content.rules import check_page_slug
from ..content.site_records import load_site_roots
from ..schemas.visible_text import trim
from .numbers import say_number
from .tree.screen import tree_url

MOST: Final = 200
"""The most pages to order in Wagtail's list."""


class PageList(NamesInOrder, ExplorableIndexView):
    """The list of pages.

    To order pages by hand, Wagtail shows all of them. If there are too many, the tree opens instead, which shows a
    hundred at a time.
    """

    def get(self, request: HttpRequest, parent_page_id: int | None = None) -> HttpResponse:
        if parent_page_id and request.GET.get("ordering") == self.sort_order_field:
            parent = Page.objects.filter(pk=parent_page_id, numchild__gt=MOST).first()
            if parent:
                said = _(
                    "“{title}” has {count} child pages, too many to order in this list. Here you see 100 at a time: drag "
                    "a page between two others, or use its menu to move it up or down."
                ).format(count=say_number(parent.numchild), title=parent.get_admin_display_title())
                messages.info(request, said)
                return redirect(tree_url(parent))
        answer: HttpResponse = super().get(request, parent_page_id)
        return answer

    def language_of_list(self) -> str:
        path = self.parent_page.path
        site = next((key for key, root in load_site_roots().items() if path.startswith(root.root_path)), "")
        return settings.SITES_REGISTRY.sites[site].language if site else super().language_of_list()


class CopyPageForm(CopyForm):
    """Applies the checks of the page model, with the error at the field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, name in (("new_title", "title"), ("new_slug", "slug")):
            longest = Page._meta.get_field(name).max_length
            self.fields[field].validators.append(MaxLengthValidator(longest))
        self.fields["new_slug"].widget = PageSlugInput(self.page.locale.language_code)

    def clean_new_title(self) -> str:
        title = trim(self.cleaned_data["new_title"])
        if not title:
            raise ValidationError(self.fields["new_title"].error_messages["required"])
        return title

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        parent, slug = cleaned.get("new_parent_page") or self.page.get_parent(), cleaned.get("new_slug")
        if not slug or self.has_error("new_parent_page"):
            return cleaned
        try:
            check_page_slug(slug, parent)
        except ValidationError as error:
            self.add_error("new_slug", error)
        else:
            if reason := why_not_copy(self.page, parent, slug, bool(cleaned.get("copy_subpages"))):
                self.add_error("new_parent_page", reason)
        return cleaned


class PageCopyView(CopyView):
    def get_form_class(self) -> type[CopyForm]:
        return CopyPageForm

    def post(self, request: HttpRequest, page_id: int) -> HttpResponse:
        """Check the new parent first, because Wagtail's ``post`` uses it before the check."""
        answer: HttpResponse = super(CopyView, self).post(request, page_id)
        return answer


class PagesViewSet(PageViewSet):
    """Serves pages of all types and the root above the sites."""

    index_view_class = PageList
    copy_view_class = PageCopyView


def pages_view_set() -> Any:
    return PagesViewSet()
