"""Remove links to pages that were live and are now deleted, unpublished, expired or hidden.

In rich text, the link's words stay. Elsewhere the smallest part is removed that leaves the rest valid: the link of a
card, the card, or the whole block. The stored content stays the same, so the links return with the page.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ..domain.problems import Block, LostLink, Problem, Subject
from ..domain.references import Reference, UnresolvedReference, find_references, resolve, unlink
from ..schemas.base import Schema
from .items import FOOTER, MENU, PAGE
from .snapshot_checks import BLOCK, NAVIGATION, CheckLookup

_TO_HOME: Final = frozenset({"contact", "offices_link", "privacy"})
"""Links that a menu, footer or form requires. They are replaced by a link to the home page."""

Path = tuple[str | int, ...]
Fits = Callable[[Any], bool]


class Reduced(NamedTuple):
    body: Mapping[str, Any]
    warnings: list[Problem]
    """One for each removed link."""


def drop_lost_links(
    kind: str, body: Mapping[str, Any], subject: Subject, lookup: CheckLookup, fields: type[Schema] | None = None
) -> Reduced:
    """Return the body of a page, a menu, or a footer without links to pages that are gone, and a warning for each."""
    if lookup.gone.isdisjoint(reference.key for reference in find_references(body) if reference.kind == "page"):
        return Reduced(body, [])
    if kind == PAGE:
        return _reduce_page(body, subject, lookup, fields)
    if kind in (MENU, FOOTER):
        return _reduce_navigation(body, subject, lookup)
    return Reduced(body, [])


def _reduce_page(
    body: Mapping[str, Any], subject: Subject, lookup: CheckLookup, fields: type[Schema] | None
) -> Reduced:
    warnings: list[Problem] = []
    blocks = []
    for number, block in enumerate(body["blocks"], start=1):
        place = subject._replace(block=Block(block["id"], number, block["type"]))
        warnings += _warnings(block, place, lookup)
        reduced = _reduce(block, lookup, _fits(BLOCK, lookup))
        blocks += [] if reduced is None else [reduced]
    there = {block.get("anchor") for block in blocks}
    lost = {block.get("anchor") for block in body["blocks"]} - there
    changed = {
        **body,
        "blocks": blocks,
        "anchors": [anchor for anchor in body["anchors"] if anchor["anchor"] not in lost],
    }
    if fields and "fields" in body:
        warnings += _warnings(body["fields"], subject, lookup)
        changed["fields"] = _reduce(body["fields"], lookup, _fits(TypeAdapter(fields), lookup)) or body["fields"]
    return Reduced(changed, warnings)


def _reduce_navigation(body: Mapping[str, Any], subject: Subject, lookup: CheckLookup) -> Reduced:
    warnings: list[Problem] = []
    changed = dict(body)
    for field, value in body.items():
        if value is None or field not in NAVIGATION:
            continue
        warnings += _warnings(value, subject, lookup, field)
        meets = _fits(NAVIGATION[field], lookup)
        leads = _HAS_TARGETS.get(field, bool)
        reduced = _reduce(value, lookup, lambda each, meets=meets, leads=leads: meets(each) and leads(each))  # type: ignore[misc]
        if reduced is None and field in _TO_HOME:
            reduced = _link_home(value)
        changed[field] = [] if reduced is None and isinstance(value, list) else reduced
    return Reduced(changed, warnings)


def _menu_has_targets(items: list[Any]) -> bool:
    """Return True if every entry of a menu has a target."""
    return all(
        (item["to"] or item["submenu"]) and all(_entry_has_target(item, entry) for entry in item["submenu"])
        for item in items
    )


def _entry_has_target(item: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    is_tab = item["options"]["theme"] == "tabs"
    return bool(entry["url"] or (is_tab and (entry["linkList"] or entry["contentType"])))


def _groups_have_links(groups: list[Any]) -> bool:
    return all(group["links"] for group in groups)


_HAS_TARGETS: Final[Mapping[str, Fits]] = {
    "items": _menu_has_targets,
    "groups": _groups_have_links,
    "legal_links": lambda links: True,
}


def _warnings(value: Any, subject: Subject, lookup: CheckLookup, field: str = "") -> Iterator[Problem]:
    for path in _find_lost(value, lookup):
        place = ".".join(map(str, (field, *path) if field else path))
        for reference in find_references(_at(value, path)):
            if _is_lost(reference, lookup):
                yield Problem(subject._replace(field=place), LostLink(reference.key))


def _reduce(value: Any, lookup: CheckLookup, fits: Fits) -> Any:
    """Return the value after removing its lost links; None if that leaves it empty. A value that is already invalid is
    unchanged."""
    if not fits(value):
        return value
    value = _unlink_texts(value, lookup)
    while (path := next(_find_lost(value, lookup), None)) is not None:
        ways: Iterable[Any] = (_without(value, path[:end]) for end in range(len(path), 0, -1))
        if path and path[-1] in _TO_HOME:
            ways = chain([_without(value, path), _with_home(value, path)], ways)
        value = next(filter(fits, ways), None)
        if value is None:
            return None
    return value


def _fits(schema: TypeAdapter[Any], lookup: CheckLookup) -> Fits:
    """Return a check of a value against the schema. Lost links are valid; later checks report other missing targets."""
    forgiving = lookup.with_gone()

    def fits(value: Any) -> bool:
        try:
            schema.validate_python(resolve(value, forgiving))
        except ValidationError:
            return False
        except UnresolvedReference:
            return True
        return True

    return fits


def _find_lost(value: Any, lookup: CheckLookup, path: Path = ()) -> Iterator[Path]:
    """Yield the path to each link to a page that is gone, and to each text with such a link."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from _find_lost(part, lookup, (*path, index))
    elif isinstance(value, dict):
        if any(name.startswith("$") for name in value):
            if any(_is_lost(reference, lookup) for reference in find_references(value)):
                yield path
            return
        for name, part in value.items():
            yield from _find_lost(part, lookup, (*path, name))


def _is_lost(reference: Reference, lookup: CheckLookup) -> bool:
    return reference.kind == "page" and reference.key in lookup.gone


def _unlink_texts(value: Any, lookup: CheckLookup) -> Any:
    if isinstance(value, list):
        return [_unlink_texts(part, lookup) for part in value]
    if not isinstance(value, dict) or "$verbatim" in value:
        return value
    if "$html" in value:
        return {**value, "$html": unlink(value["$html"], lookup.gone)}
    return {name: _unlink_texts(part, lookup) for name, part in value.items()}


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _link_home(link: Mapping[str, Any]) -> dict[str, Any]:
    return {"$url": "/", "title": link["title"]}


def _with_home(value: Any, path: Path) -> Any:
    step, *rest = path
    changed = value.copy()
    changed[step] = _with_home(value[step], tuple(rest)) if rest else _link_home(value[step])
    return changed


def _without(value: Any, path: Path) -> Any:
    """Return the value with one part removed: an element of a list goes, a field becomes None.

    >>> _without({"cards": [{"link": 1}, {"link": 2}]}, ("cards", 0))
    {'cards': [{'link': 2}]}
    >>> _without({"cards": [{"link": 1}, {"link": 2}]}, ("cards", 1, "link"))
    {'cards': [{'link': 1}, {'link': None}]}
    """
    step, *rest = path
    if isinstance(value, list):
        assert isinstance(step, int)
        return [*value[:step], *([_without(value[step], tuple(rest))] if rest else []), *value[step + 1 :]]
    return {**value, step: _without(value[step], tuple(rest)) if rest else None}
