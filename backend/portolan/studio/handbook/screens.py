"""Screens of the handbook. They replace Wagtail's guide, which describes other screens."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse_lazy
from django.utils.translation import get_language, gettext_lazy
from wagtail.admin.menu import MenuItem

from .pages import SLUGS, language_for, read_all, read_page

_OF_WAGTAIL: Final = ("editor-guide", "whats-new-in-wagtail")


def show_contents(request: HttpRequest) -> HttpResponse:
    language = language_for(get_language())
    return TemplateResponse(request, "studio/handbook/contents.html", {"pages": read_all(language), "lang": language})


def show_page(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in SLUGS:
        raise Http404
    language = language_for(get_language())
    place = SLUGS.index(slug)
    neighbours = {
        name: read_page(SLUGS[at], language)
        for name, at in (("previous", place - 1), ("next", place + 1))
        if 0 <= at < len(SLUGS)
    }
    context = {"page": read_page(slug, language), "lang": language, **neighbours}
    return TemplateResponse(request, "studio/handbook/page.html", context)


class HandbookItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Handbook"), reverse_lazy("studio_handbook"), name="handbook", icon_name="help", order=100
        )


def leave_others_out(request: HttpRequest, items: list[Any]) -> None:
    items[:] = [item for item in items if not item.name.startswith(_OF_WAGTAIL)]


URLS: Final[list[URLPattern]] = [
    path("help/", show_contents, name="studio_handbook"),
    path("help/<slug:slug>/", show_page, name="studio_handbook_page"),
]
