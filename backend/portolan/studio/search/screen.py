"""The search screen. The search field in the studio's menu opens it."""

from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse_lazy
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.search import SearchArea

from ...content.may import may
from ...domain.roles import Action
from ..site_names import site_choices
from .find import Group, search

_LONGEST: Final = 200


class SearchForm(forms.Form):
    use_required_attribute = False

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=_LONGEST,
        widget=forms.TextInput(
            {
                "type": "search",
                "placeholder": _("Search pages, URLs, offices, images …"),
                "autofocus": True,
            }
        ),
    )
    site = forms.ChoiceField(
        label=_("Site"),
        required=False,
        choices=site_choices,
    )


def show_search(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    form.is_valid()
    query, site = form.cleaned_data.get("q", ""), form.cleaned_data.get("site", "")
    groups: list[Group] = search(query, site, request.user) if query else []
    context = {
        "header_title": gettext("Search"),
        "header_icon": "search",
        "breadcrumbs_items": [{"url": "", "label": gettext("Search")}],
        "form": form,
        "query": query,
        "groups": groups,
        "may_replace": may(request.user, Action.TRANSLATE),
    }
    return TemplateResponse(request, "studio/search/search.html", context)


class EverythingArea(SearchArea):
    """The first search area, which the menu's search field opens."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Everything"), reverse_lazy("studio_search"), name="everything", icon_name="search", order=1
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return True

    def is_active(self, request: HttpRequest, current: str | None = None) -> bool:
        """Return True on the search screen. Wagtail's own check needs a URL that is a plain string, not a lazy one."""
        return current == self.name if current else request.path.startswith(str(self.url))


URLS: Final[list[URLPattern]] = [path("search/", show_search, name="studio_search")]
