"""Define references inside stored content, and resolve them to values.

A release item's body is JSON. Content of other items appears in it as a reference. So an edit of one image, office or
page URL creates one new item, instead of one for every page that uses it. Forms:

- ``{"$page": KEY, "title": T, "anchor": A?}``: a :class:`~portolan.schemas.link.Link` to our own page

- ``{"$url": URL, "title": T}``: a ``Link`` to any other URL

- ``{"$picture": KEY, "alt": A}``: a :class:`~portolan.schemas.media.Picture`

- ``{"$document": KEY}``: a :class:`~portolan.schemas.media.DocumentFile`

- ``{"$html": HTML}``: rich text; links inside are ``<a data-page="KEY" data-anchor="A">``

- ``{"$items": KIND, "choose": SELECTOR?, "first": N?, "each": FIELD?, "pick": FIELD?}``: items of a kind in their order

- ``{"$count": KIND}``: the number of items of a kind

- ``{"$verbatim": TEXT}``: a text in which braces are not placeholders (code)

- ``{company}``, ``{age}`` … inside any string: a placeholder

Options of ``$items``: ``choose`` selects some (``["related"]``: ``domain.selectors``). ``first`` takes the first N,
with ``each`` also the first N of each value of a field. ``pick`` returns one field of each item, or an object of a list
of fields.

``resolve`` turns a body into the JSON of its schema. ``find_references`` lists its dependencies. Both are pure.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

from .selectors import select_items, take_first

DELETED_PAGE = "deleted-page-"
"""Prefix of the key of a deleted page. A link to it is broken."""

PLACEHOLDER = re.compile(r"\{([a-z_]{1,40})\}")
_PAGE_LINK = re.compile(r'<a data-page="([^"]*)"(?: data-anchor="([^"]*)")?>')
_WHOLE_PAGE_LINK = re.compile(_PAGE_LINK.pattern + r"(.*?)</a>", re.DOTALL)
_CONTAINERS = (dict, list)
_URL_LINK = re.compile(r'<a href="([^"]*)">')


class Reference(NamedTuple):
    """A dependency of a body. ``kind``: page, picture, document, items or placeholder."""

    kind: str
    key: str


class PageTarget(NamedTuple):
    """The URL of a page, seen from the site that is being resolved."""

    href: str
    site: str | None = None
    """Set if the page is on another of our sites."""
    hreflang: str | None = None
    has_anchors: bool = True
    """False if the page may lack the anchors of links, because they are those of another site's page."""


class Lookup(Protocol):
    """The values of references on one site of one release, and for one page of it."""

    def page(self, key: str) -> PageTarget | None: ...
    def picture(self, key: str) -> dict[str, Any] | None: ...
    def document(self, key: str) -> dict[str, Any] | None: ...
    def items(self, kind: str) -> list[Any]: ...
    def placed(self, kind: str) -> list[Any]:
        """Return the items of the kind that are assigned to the own page."""

    def own_page(self) -> str | None:
        """Return the translation key of the page whose body is resolved; None for other bodies."""

    def placeholder(self, name: str) -> str | None: ...
    def is_external(self, url: str) -> bool: ...


class UnresolvedReference(LookupError):
    """A reference has no target. ``location`` is the path to the reference inside the body."""

    def __init__(self, reference: Reference, location: str = "") -> None:
        self.reference = reference
        self.location = location
        super().__init__(
            f"{reference.kind} {reference.key!r} at {location or 'the top'} does not exist in this release"
        )


def resolve(body: Any, lookup: Lookup, location: str = "") -> Any:
    """Return ``body`` with every reference replaced by its value. Parts without references may be the given objects.

    Raise UnresolvedReference for a page, picture, document or placeholder that ``lookup`` lacks.
    """
    try:
        return _resolve(body, lookup)
    except UnresolvedReference as error:
        # Find the location only now, because most bodies resolve completely.
        raise UnresolvedReference(error.reference, _locate(body, lookup, location)) from None


def _resolve(body: Any, lookup: Lookup) -> Any:
    kind = type(body)
    if kind is dict:
        for name in body:
            if name[:1] == "$":
                return _REFERENCES[name](body, lookup)
        resolved = body
        for name, value in body.items():
            kind = type(value)
            # Most values are plain texts; this runs for every page of a build.
            if kind is dict or kind is list or (kind is str and "{" in value):
                new = _resolve(value, lookup)
                if new is not value:
                    if resolved is body:
                        resolved = body.copy()
                    resolved[name] = new
        return resolved
    if kind is list:
        return [
            _resolve(value, lookup) if type(value) in _CONTAINERS or (type(value) is str and "{" in value) else value
            for value in body
        ]
    return _text(body, lookup) if kind is str else body


def _locate(body: Any, lookup: Lookup, location: str) -> str:
    """Return the location in ``body`` of an unresolved reference."""
    parts: Iterable[tuple[str, Any]] = ()
    if isinstance(body, dict) and "$items" in body:
        body = _chosen(body, lookup)
    if isinstance(body, list):
        parts = ((f"{location}.{index}", value) for index, value in enumerate(body))
    elif isinstance(body, dict) and not any(name.startswith("$") for name in body):
        parts = ((f"{location}.{name}" if location else name, value) for name, value in body.items())
    for place, value in parts:
        try:
            _resolve(value, lookup)
        except UnresolvedReference:
            return _locate(value, lookup, place)
    return location


def _picture(body: dict[str, Any], lookup: Lookup) -> dict[str, Any]:
    key = str(body["$picture"])
    picture = lookup.picture(key)
    if picture is None:
        raise UnresolvedReference(Reference("picture", key))
    return {**picture, "alt": _resolve(body["alt"], lookup)}


def _document(body: dict[str, Any], lookup: Lookup) -> dict[str, Any]:
    key = str(body["$document"])
    document = lookup.document(key)
    if document is None:
        raise UnresolvedReference(Reference("document", key))
    return document


def _url_link(body: dict[str, Any], lookup: Lookup) -> dict[str, Any]:
    url = body["$url"]
    return _link(_text(body["title"], lookup), url, lookup.is_external(url))


def find_references(body: Any) -> Iterator[Reference]:
    """Yield every reference in ``body``, in document order, with repeats."""
    if isinstance(body, str):
        if "{" in body:
            for match in PLACEHOLDER.finditer(body):
                yield Reference("placeholder", match[1])
    elif isinstance(body, list):
        for item in body:
            yield from find_references(item)
    elif isinstance(body, dict) and "$verbatim" not in body:
        if "$page" in body:
            yield Reference("page", str(body["$page"]))
        elif "$picture" in body:
            yield Reference("picture", str(body["$picture"]))
        elif "$document" in body:
            yield Reference("document", str(body["$document"]))
        elif "$items" in body:
            yield Reference("items", body["$items"])
        elif "$count" in body:
            yield Reference("items", body["$count"])
        elif "$html" in body:
            for match in _PAGE_LINK.finditer(body["$html"]):
                yield Reference("page", match[1])
        for value in body.values():
            yield from find_references(value)


def find_anchors(body: Any, page: str) -> set[str]:
    """Return the anchors on a page, given by its translation key, that links in ``body`` use."""
    if isinstance(body, list):
        return set().union(*(find_anchors(item, page) for item in body))
    if not isinstance(body, dict) or "$verbatim" in body:
        return set()
    found = set().union(*(find_anchors(value, page) for value in body.values()))
    if body.get("$page") == page and body.get("anchor"):
        found.add(str(body["anchor"]))
    if "$html" in body:
        found |= {match[2] for match in _PAGE_LINK.finditer(body["$html"]) if match[1] == page and match[2]}
    return found


def unlink(html: str, pages: Container[str]) -> str:
    """Return rich text in which links to these pages are plain text.

    >>> unlink('See <a data-page="k1">the <b>team</b></a> and <a data-page="k2">us</a>.', {"k1"})
    'See the <b>team</b> and <a data-page="k2">us</a>.'
    """
    return _WHOLE_PAGE_LINK.sub(lambda link: link[3] if link[1] in pages else link[0], html)


def find_unresolved(body: Any, lookup: Lookup, location: str = "") -> Iterator[UnresolvedReference]:
    """Yield every reference at which ``resolve`` would stop, with its location, so that all can be fixed at once."""
    if isinstance(body, list):
        for index, value in enumerate(body):
            yield from find_unresolved(value, lookup, f"{location}.{index}")
    elif isinstance(body, dict) and not any(name.startswith("$") for name in body):
        for name, value in body.items():
            yield from find_unresolved(value, lookup, f"{location}.{name}" if location else name)
    else:
        for reference in dict.fromkeys(find_references(body)):
            if reference.kind != "items" and not _has(lookup, reference):
                yield UnresolvedReference(reference, location)


def _has(lookup: Lookup, reference: Reference) -> bool:
    find: Mapping[str, Callable[[str], Any]] = {
        "page": lookup.page,
        "picture": lookup.picture,
        "document": lookup.document,
        "placeholder": lookup.placeholder,
    }
    return find[reference.kind](reference.key) is not None


def _items(body: dict[str, Any], lookup: Lookup) -> list[Any]:
    resolved: list[Any] = _resolve(_chosen(body, lookup), lookup)
    return resolved


def _chosen(body: dict[str, Any], lookup: Lookup) -> list[Any]:
    """Return the selected items, with their own references unresolved."""
    kind = body["$items"]
    items = lookup.items(kind)
    if "choose" in body:
        items = select_items(body["choose"], items, lambda: lookup.placed(kind), lookup.own_page())
    items = take_first(items, body.get("first"), body.get("each"))
    return [_pick(item, body["pick"]) for item in items] if "pick" in body else items


def _pick(item: dict[str, Any], wanted: str | list[str]) -> Any:
    return item[wanted] if isinstance(wanted, str) else {field: item[field] for field in wanted}


def _fill(text: str, lookup: Lookup, *, in_html: bool = False) -> str:
    def value(match: re.Match[str]) -> str:
        found = lookup.placeholder(match[1])
        if found is None:
            raise UnresolvedReference(Reference("placeholder", match[1]))
        return escape(found) if in_html else found

    return PLACEHOLDER.sub(value, text)


def _target(key: str, anchor: str | None, lookup: Lookup) -> tuple[str, PageTarget]:
    target = lookup.page(key)
    if target is None:
        raise UnresolvedReference(Reference("page", key))
    return (f"{target.href}#{anchor}" if anchor and target.has_anchors else target.href), target


def _page_link(body: dict[str, Any], lookup: Lookup) -> dict[str, Any]:
    href, target = _target(str(body["$page"]), body.get("anchor"), lookup)
    return _link(_text(body["title"], lookup), href, False, target.site, target.hreflang)


def _link(
    title: str, href: str, external: bool, site: str | None = None, hreflang: str | None = None
) -> dict[str, Any]:
    """Return the complete JSON of a ``Link``. Published JSON contains every field."""
    return {"title": title, "href": href, "external": external, "site": site, "hreflang": hreflang}


def _text(text: str, lookup: Lookup) -> str:
    return _fill(text, lookup) if "{" in text else text


def _html(body: dict[str, Any], lookup: Lookup) -> str:
    html: str = body["$html"]

    def page(match: re.Match[str]) -> str:
        href, target = _target(match[1], match[2], lookup)
        hreflang = f' hreflang="{escape(target.hreflang)}"' if target.hreflang else ""
        return f'<a href="{escape(href)}"{hreflang}>'

    def url(match: re.Match[str]) -> str:
        external = urlsplit(match[1]).scheme in ("http", "https") and lookup.is_external(match[1])
        return f'<a href="{match[1]}" target="_blank" rel="nofollow noopener">' if external else match[0]

    if '<a href="' in html:
        html = _URL_LINK.sub(url, html)
    if "{" in html:
        html = _fill(html, lookup, in_html=True)
    return _PAGE_LINK.sub(page, html)


_REFERENCES: Final[Mapping[str, Callable[[dict[str, Any], Lookup], Any]]] = {
    "$page": _page_link,
    "$url": _url_link,
    "$picture": _picture,
    "$document": _document,
    "$html": _html,
    "$verbatim": lambda body, lookup: body["$verbatim"],
    "$items": _items,
    "$count": lambda body, lookup: len(lookup.items(body["$count"])),
}
