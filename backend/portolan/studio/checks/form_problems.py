"""Describe the problems of a form, each with its place in the form."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext, gettext_noop, ngettext
from pydantic.alias_generators import to_snake

from ...content.collections.base import Entry
from ...content.drafts import Drafted
from ...content.export import SETTINGS
from ...content.items import MAIN, PAGE
from ...content.pages.base import SitePage
from ...content.site_records import load_site_roots
from ...domain.problem_texts import say_detail, say_place
from ...domain.problems import OF_OTHERS, InvalidPath, Problem, ReservedPath, Subject, TakenPath, WrongHeadings
from ...releases.reader import ItemId
from ..edit_urls import find_editables
from ..problem_names import StudioNames

Path = tuple[str | int, ...]
"""A place in a form: names of fields, and numbers of blocks and list items from 0."""

_BODY: Final = "body"
_FIELDS: Final = {
    "head.title": ("seo_title", gettext_noop("title in search results")),
    "head.description": ("search_description", gettext_noop("description in search results")),
    "previewImage": ("preview", gettext_noop("preview image")),
}
_WORDS: Final = frozenset(words for _, words in _FIELDS.values())
"""Form names of fields that have other names in snapshots: field name and label."""


class FormProblem(NamedTuple):
    text: str
    path: Path = ()
    """Empty for the whole page."""
    url: str = ""
    """URL of the form to fix it, if it is another one."""
    is_warning: bool = False
    """True for a warning."""
    is_blank: bool = False
    """True if a required field is empty, which the form shows anyway."""
    is_of_others: bool = False
    """True if it depends on other pages, and may be solved before this page goes live."""


def place(problems: Iterable[Problem], page: SitePage) -> list[FormProblem]:
    """Return the problems of a draft, warnings last."""
    key = str(page.translation_key)
    return _place(problems, lambda problem: problem.subject.key == key, _in_form, _path, gettext("This page"))


def place_in_row(problems: Iterable[Problem], row: Drafted, form: Any) -> list[FormProblem]:
    """Return the problems of a draft of an entry, menu, footer or rate card.

    A problem of several sites is listed once. A problem of one site names the site, unless it is the row's own.
    """
    own = (row.kind, row.key) if isinstance(row, Entry) else (_kind_of(row), MAIN)
    home = {key for key, root in load_site_roots().items() if root.wagtail_site_id == getattr(row, "site_id", None)}
    alike: dict[Problem, list[Problem]] = {}
    for problem in problems:
        is_own = problem.item[1:] == own
        alike.setdefault(_without_site(problem) if is_own else problem, []).append(problem)
    said = [anywhere if len(same) > 1 or same[0].site in home else same[0] for anywhere, same in alike.items()]

    def in_form(subject: Subject) -> Subject:
        return subject._replace(kind="", key="", title="")

    whole = gettext("It")
    return _place(said, lambda problem: problem.item[1:] == own, in_form, partial(_path_in_row, form), whole)


def _without_site(problem: Problem) -> Problem:
    return problem._replace(subject=problem.subject._replace(site=""))


def _kind_of(row: Drafted) -> str:
    return next((kind for kind, (model, _) in SETTINGS.items() if isinstance(row, model)), "")


def _place(
    problems: Iterable[Problem],
    is_own: Callable[[Problem], bool],
    in_form: Callable[[Subject], Subject],
    path_of: Callable[[Problem], Path],
    whole: str,
) -> list[FormProblem]:
    """``whole``: the form's name for its object."""
    names = StudioNames()
    found = list(problems)
    elsewhere = find_editables({ItemId(*problem.item) for problem in found if not is_own(problem)})
    placed = []
    for problem in found:
        editable = elsewhere.get(ItemId(*problem.item))
        subject = problem.subject if editable else in_form(problem.subject)
        where = say_place(subject, names)
        text = say_detail(problem.detail, names)
        said = f"{where}: {text}" if where else f"{whole} {text}"
        path = () if editable else path_of(problem)
        url = editable.edit_url if editable else ""
        is_of_others = isinstance(problem.detail, OF_OTHERS)
        placed.append(FormProblem(said, path, url, problem.is_warning, is_of_others=is_of_others))
    return sorted(placed, key=lambda each: each.is_warning)


def count_problems(found: Iterable[FormProblem]) -> int:
    return sum(not each.is_warning for each in found)


def say_count(found: Iterable[FormProblem]) -> str:
    """Return the text next to the publish button.

    >>> say_count([FormProblem("a"), FormProblem("b"), FormProblem("c", is_warning=True)])
    '2 problems, 1 warning'
    """
    each = list(found)
    problem_count = count_problems(each)
    warning_count = len(each) - problem_count
    parts = (
        [ngettext("{count} problem", "{count} problems", problem_count).format(count=problem_count)]
        if problem_count
        else []
    )
    parts += (
        [ngettext("{count} warning", "{count} warnings", warning_count).format(count=warning_count)]
        if warning_count
        else []
    )
    return ", ".join(parts) or gettext("No problems")


def _in_form(subject: Subject) -> Subject:
    """Return the subject for its page's own form, without the page's name."""
    _, words = _FIELDS.get(subject.field, ("", subject.field))
    kind = "" if subject.kind == PAGE else subject.kind
    return subject._replace(site="", kind=kind, title="", path="", field=gettext(words) if words in _WORDS else words)


def _path(problem: Problem) -> Path:
    subject, detail = problem.subject, problem.detail
    if subject.block:
        return _BODY, subject.block.number - 1, *_steps(subject.field)
    if isinstance(detail, WrongHeadings):
        return (_BODY,)
    if isinstance(detail, InvalidPath | ReservedPath | TakenPath):
        return ("slug",)
    if known := _FIELDS.get(subject.field):
        return (known[0],)
    return _steps(subject.field.removeprefix("fields."))


def _path_in_row(form: Any, problem: Problem) -> Path:
    """Return the place of a problem. Texts of one site are in the translations."""
    steps = _steps(problem.subject.field)
    if steps and (steps[0] in form.fields or steps[0] in form.formsets):
        return steps
    return ("translations",) if "translations" in form.formsets else ()


def _steps(field: str) -> Path:
    return tuple(int(step) if step.isdigit() else to_snake(step) for step in field.split(".") if step)


def errors_of(form: Any) -> list[FormProblem]:
    """Return the errors of the form: empty required fields and invalid values."""
    return [*_field_errors(form), *_formset_errors(form)]


def _field_errors(form: Any) -> Iterable[FormProblem]:
    for name, errors in form.errors.as_data().items():
        if name not in form.fields:
            yield from (FormProblem(text) for error in errors for text in error.messages)
            continue
        bound = form[name]
        block = getattr(bound.field, "block", None)
        for error in errors:
            if block is not None:
                yield from _block_errors(block, bound.value(), error, (name,), ())
            else:
                blank = error.code == "required"
                yield from (FormProblem(f"{bound.label}: {text}", (name,), is_blank=blank) for text in error.messages)


def _formset_errors(form: Any) -> Iterable[FormProblem]:
    for name, formset in form.formsets.items():
        if not formset.is_bound:
            continue
        heading = name.replace("_", " ").capitalize()
        for number, row in enumerate(formset.forms, start=1):
            for field, errors in row.errors.as_data().items():
                where = f"{heading} {number}" + (f", {row[field].label}" if field in row.fields else "")
                yield from (FormProblem(f"{where}: {text}", (name,)) for error in errors for text in error.messages)
        yield from (FormProblem(f"{heading}: {text}", (name,)) for text in formset.non_form_errors())


def _block_errors(block: Any, value: Any, error: Any, path: Path, words: tuple[str, ...]) -> Iterable[FormProblem]:
    """Yield the errors of a block and its children. Wagtail stores them by name in structs and by number in lists."""
    inside = getattr(error, "block_errors", None)
    where = f"{', '.join(words)}: " if words else ""
    for text in error.messages if inside is None else error.non_block_errors:
        yield FormProblem(f"{where}{text}", path, is_blank=error.code == "required")
    for step, each in (inside or {}).items():
        child, part, said = _child(block, value, step, words)
        yield from _block_errors(child, part, each, (*path, step), said)


def _child(block: Any, value: Any, step: str | int, words: tuple[str, ...]) -> tuple[Any, Any, tuple[str, ...]]:
    """Return the child block at a step, its value, and the names of the place."""
    if isinstance(step, str):
        child = block.child_blocks[step]
        return child, value.get(step) if value else None, (*words, str(child.label))
    if hasattr(block, "child_blocks"):
        part = value[step]
        kind = gettext("Block") if not words else ""
        said = f"{kind} {step + 1} ({part.block.label})".strip()
        return part.block, part.value, (*words, said)
    *before, last = words or ("",)
    return block.child_block, value[step] if value else None, (*before, f"{last} {step + 1}".strip())
