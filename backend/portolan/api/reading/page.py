"""Render the outline as HTML."""

from functools import cache
from pathlib import Path
from typing import Final

from django.template import Context, Engine

from ..document import build_document
from .outline import Outline, build_outline

_FOLDER: Final = Path(__file__).parent


@cache
def page_bytes() -> bytes:
    return render_page(build_outline(build_document())).encode()


@cache
def style_bytes() -> bytes:
    return (_FOLDER / "page.css").read_bytes()


def render_page(outline: Outline) -> str:
    engine = Engine(dirs=[str(_FOLDER)], libraries={"inline_markdown": f"{__package__}.inline_markdown"})
    return engine.get_template("page.html").render(Context({"outline": outline}))
