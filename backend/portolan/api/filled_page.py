"""Fill the form of a published page with a visitor's input, and show its errors.

The page has the messages in its language: a field's message is in ``data-error-text`` next to it. This page is for
browsers without scripts, so the form's island stays off.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlencode

from bs4 import BeautifulSoup, Tag

from ..domain.plain_forms import PAGE_PARAMETER

_KEPT_BY_THE_PAGE: Final = frozenset({"hidden", "file"})
_CHOSEN: Final = frozenset({"checkbox", "radio"})


def fill_page(html: str, path: str, typed: Sequence[tuple[str, str]], wrong: Iterable[str]) -> str | None:
    """Return the filled page at ``path``, or ``None`` if the page lacks the form.

    ``wrong``: fields with errors; if empty, the page says that sending has failed.
    """
    page = BeautifulSoup(html, "html.parser")
    name = dict(typed).get("form", "")
    form = next((found for found in page.select("form[data-form]") if name in ("", found["data-form"])), None)
    if form is None:
        return None
    for island in page.select("[data-island]:has(form[data-form])"):
        del island["data-island"]
        island["data-failed"] = ""
    form["action"] = f"{form['action']}&{urlencode({PAGE_PARAMETER: path})}"
    _fill_in(form, typed)
    _say_what_is_wrong(page, form, [_plain_name(field) for field in wrong])
    return str(page)


def _fill_in(form: Tag, typed: Sequence[tuple[str, str]]) -> None:
    values: dict[str, list[str]] = {}
    for name, value in typed:
        values.setdefault(name, []).append(value)
    for field in form.select("input, textarea, select"):
        given = values.get(str(field.get("name", "")), [])
        kind = field.get("type") if field.name == "input" else field.name
        if kind in _KEPT_BY_THE_PAGE:
            continue
        if kind in _CHOSEN:
            _mark(field, "checked", field.get("value", "") in given)
        elif kind == "select":
            for option in field.select("option"):
                _mark(option, "selected", option.get("value", "") in given)
        elif given and kind == "textarea":
            field.string = given[0]
        elif given:
            field["value"] = given[0]


def _mark(element: Tag, attribute: str, is_set: bool) -> None:
    if is_set:
        element[attribute] = ""
    else:
        del element[attribute]


def _say_what_is_wrong(page: BeautifulSoup, form: Tag, wrong: Sequence[str]) -> None:
    summary = form.select_one("[data-summary]")
    if summary is None:
        return
    del summary["hidden"]
    summary["autofocus"] = ""
    found = [error for error in form.select("[data-error-of]") if error["data-error-of"] in wrong]
    heading = summary.select_one("p")
    if not found and heading:
        heading.string = str(summary["data-refused-text" if wrong else "data-failed-text"])
    for error in found:
        text = error.string = str(error["data-error-text"])
        for field in form.select("[name]"):
            if field["name"] == error["data-error-of"]:
                field["aria-invalid"] = "true"
                _link(page, summary, str(field.get("id", "")), text)


def _link(page: BeautifulSoup, summary: Tag, id: str, text: str) -> None:
    links = summary.select_one("ul")
    if links is None:
        return
    link = page.new_tag("a", href=f"#{id}")
    link.string = text
    line = page.new_tag("li")
    line.append(link)
    links.append(line)


def _plain_name(field: str) -> str:
    """Return the field's name in the page. All files belong to one field."""
    return "attachments" if field.startswith("attachments") else field
