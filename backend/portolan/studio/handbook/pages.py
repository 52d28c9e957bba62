"""Read the pages of the handbook, in their order and by language."""

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML

SLUGS: Final = (
    "dashboard",
    "edit-a-page",
    "checks",
    "publishing",
    "change-sets",
    "translations",
    "menus-and-entries",
    "pictures-and-documents",
    "moving-and-deleting",
    "leads",
    "people",
)
LANGUAGES: Final = ("en", "de")
TEXTS: Final = Path(__file__).parent / "texts"
PICTURES: Final = Path(__file__).parents[1] / "static" / "studio" / "handbook"
SIZE: Final = (960, 640)
"""Width and height of every picture, in CSS pixels."""

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_HEADING: Final = re.compile(r"\A# (.+)\n+")
_FIRST: Final = re.compile(r"\n\n([^!#\n][^\n]+)")


class HandbookPage(NamedTuple):
    slug: str
    title: str
    summary: str
    """The first paragraph, without markup."""
    html: SafeString


def language_for(active: str | None) -> str:
    """Return the language of the handbook for the studio's language: English if there is no translation."""
    language = (active or "").partition("-")[0]
    return language if language in LANGUAGES else LANGUAGES[0]


@cache
def read_page(slug: str, language: str) -> HandbookPage:
    text = (TEXTS / language / f"{slug}.md").read_text(encoding="utf-8")
    heading = _HEADING.match(text)
    assert heading, slug
    body = text[heading.end() :]
    first = _FIRST.search(f"\n\n{body}")
    assert first, slug
    summary = re.sub(r"[*_`]|\[([^]]*)\]\([^)]*\)", r"\1", first[1])
    return HandbookPage(slug, heading[1], summary, _render(body, language))


def read_all(language: str) -> list[HandbookPage]:
    return [read_page(slug, language) for slug in SLUGS]


def picture_file(name: str, language: str) -> Path:
    return PICTURES / language / f"{name}.webp"


def _render(text: str, language: str) -> SafeString:
    """Return the HTML. Targets of links and images in ``text`` are slugs of handbook pages and pictures."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        for part in token.children or ():
            if part.type == "link_open":
                part.attrs["href"] = reverse("studio_handbook_page", args=[part.attrs["href"]])
    renderer = RendererHTML()
    renderer.rules["image"] = _picture_in(language)
    return mark_safe(renderer.render(tokens, _MARKDOWN.options, {}))  # noqa: S308 - our own files, rendered without raw HTML


def _picture_in(language: str) -> Any:
    def draw(tokens: Any, index: int, *_: Any) -> str:
        token = tokens[index]
        url = static(f"studio/handbook/{language}/{token.attrs['src']}.webp")
        width, height = SIZE
        return f'<img src="{url}" alt="{escape(token.content)}" width="{width}" height="{height}" loading="lazy">'

    return draw
