"""Page content, the renderer's input: all data of one path, resolved.

It is built as JSON values, because validation by pydantic models would take most of the time of an edit. Tests check it
against the schema, and blocks are validated when a release takes its snapshot.
"""

from typing import Any, Final
from zlib import crc32

from ..domain.cards import CARD_KINDS, FACT_LISTS
from ..domain.headers import choose_header
from ..domain.problems import Block, NewerPart, Problem, detail_of
from ..domain.references import UnresolvedReference, resolve
from ..domain.routes import page_key
from ..domain.snapshot_bodies import EntryBody, PageBody
from ..releases.index import Page
from ..releases.reader import ItemId
from ..sites.plugin_formats import NewerPlugin, load_formats, raise_plugin_parts
from .addresses import Addresses
from .lookup import SiteLookup
from .route_table import RouteTable, subject_of
from .sharing import SharingPicture, describe_picture
from .snapshot import Snapshot

FACTS: Final = {
    "case-study": ("id", "client", "country", "industries", "services", "technologies", "gallery"),
    "article": ("id", "title", "summary", "previewImage", "date"),
    "event": ("id", "title", "summary", "cover", "start", "end", "past", "city", "country", "registration"),
    "blueprint": ("id", "title", "summary", "cover", "date"),
}
"""Fields of the card that the page's layout shows (``schemas.page.PageFacts``)."""


def build_page_content(
    page: Page, snapshot: Snapshot, lookup: SiteLookup, routes: RouteTable, addresses: Addresses
) -> dict[str, Any] | Problem:
    """Return ``PageContent`` as JSON values, or the page's problem."""
    try:
        body = raise_plugin_parts(snapshot.page_body(page), load_formats(tuple(addresses.registry.plugins)))
    except NewerPlugin as error:
        return Problem(subject_of(page), NewerPart(error.name))
    lookup = lookup.on_page(page)
    try:
        content = {
            "path": page.path,
            "key": page_key(page.path),
            "title": resolve(page.title, lookup, "title"),
            "changed": page.changed,
            "template": page.template,
            "header": "solid" if page.fallback else body.get("header") or choose_header(page.path, page.template),
            "motif": crc32(page_key(page.path).encode()),
            "head": _head(page, resolve(body["head"], lookup, "head"), routes, addresses),
            "sharing": {"picture": None, "locales": _other_locales(page, routes, addresses)},
            "switcher": _switcher(page, routes, addresses),
            "breadcrumb": _breadcrumb(page, routes),
            "anchors": resolve(body["anchors"], lookup, "anchors"),
            "facts": _facts(page, snapshot, lookup),
            "fields": resolve(body.get("fields"), lookup, "fields"),
            "blocks": resolve(body["blocks"], lookup, "blocks"),
        }
    except UnresolvedReference as error:
        return _unresolved(page, body, error)
    if page.fallback:
        source = addresses.site(page.fallback)
        content["fallback"] = {"lang": source.language, "dir": source.dir, "dateLocale": source.date_locale}
    return content


def _head(page: Page, head: dict[str, Any], routes: RouteTable, addresses: Addresses) -> dict[str, Any]:
    is_error = page.template == "error"
    return {
        "title": head["title"],
        "description": head["description"],
        "canonical": None if is_error else _canonical(page, routes, addresses),
        "alternates": routes.alternates_in_head(page),
        "robots": "noindex" if addresses.closed or is_error else None,
        "ogLocale": addresses.site(page.content_site).og_locale,
    }


def _canonical(page: Page, routes: RouteTable, addresses: Addresses) -> str:
    """Return the URL of the page; of the original if the site shows that untranslated."""
    original = routes.page(page.fallback, page.key) if page.fallback else None
    shown = original or page
    return addresses.url(shown.site, shown.path)


def share_with_picture(
    content: dict[str, Any], page: Page, addresses: Addresses, drawing: str
) -> SharingPicture | None:
    """Write the URL of the sharing image into the page content, and return the image.

    Error pages have none.
    """
    if page.template == "error":
        return None
    site, above = addresses.site(page.content_site), content["breadcrumb"]
    # If only the home page is above, its name would add nothing to the brand mark.
    label = above[-1]["title"] if len(above) > 1 else ""
    picture = describe_picture(
        content["head"]["title"],
        label,
        addresses.registry.company.name,
        site.language,
        site.dir,
        content["motif"],
        drawing,
    )
    content["sharing"]["picture"] = addresses.url(page.site, picture.path)
    return picture


def _other_locales(page: Page, routes: RouteTable, addresses: Addresses) -> list[str]:
    """Return the locales of other languages, if the page's head lists alternates."""
    others = routes.alternate_pages(page.site, page.key) if routes.alternates_in_head(page) else []
    return [addresses.site(other.site).og_locale for other in others if other.site != page.site]


def _switcher(page: Page, routes: RouteTable, addresses: Addresses) -> list[dict[str, Any]]:
    """Return the page in each listed language, else that site's home page.

    Empty if the switcher is hidden.
    """
    rules = addresses.site(page.site).switcher
    if not rules.shown or page.path in rules.hidden_on or page.switcher_hidden:
        return []
    languages = []
    for site in addresses.languages(page.site):
        same = None if page.template == "error" else routes.page(site.key, page.key)
        if same and same.fallback and site.key != page.site:
            same = None  # it is not in that language
        target = same or routes.at(site.key, "/")
        if target is None:
            continue  # a site without a page yet
        languages.append(
            {
                "site": site.key,
                "label": site.endonym,
                "code": site.short_label,
                "lang": site.language,
                "hreflang": site.hreflang[0],
                "href": target.path if site.key == page.site else addresses.url(site.key, target.path),
                "current": site.key == page.site,
            }
        )
    return languages


def _breadcrumb(page: Page, routes: RouteTable) -> list[dict[str, Any]]:
    """Return the pages above. A page in the source's language has their titles in that language."""
    above = [(routes.page(page.content_site, parent.key) or parent, parent.path) for parent in routes.ancestors(page)]
    return [
        {"title": shown.title, "href": path, "external": False, "site": None, "hreflang": None} for shown, path in above
    ]


def _facts(page: Page, snapshot: Snapshot, lookup: SiteLookup) -> dict[str, Any] | None:
    kind = CARD_KINDS.get(page.template)
    card: EntryBody | None = snapshot.body(ItemId(page.content_site, kind, page.key)) if kind else None
    if card is None:
        return None
    facts = {name: resolve(card["value"][name], lookup, f"facts.{name}") for name in FACTS[page.template]}
    lists = resolve(FACT_LISTS.get(page.template, {}), lookup, "facts")
    return {"family": page.template, **facts, **lists}


def _unresolved(page: Page, body: PageBody, error: UnresolvedReference) -> Problem:
    subject = subject_of(page)
    parts = error.location.split(".")
    if parts[0] == "blocks" and len(parts) > 1:
        block = body["blocks"][int(parts[1])]
        place = Block(block.get("id") or "", int(parts[1]) + 1, block.get("type", ""))
        subject = subject._replace(block=place, field=".".join(parts[2:]))
    else:
        subject = subject._replace(field=error.location)
    return Problem(subject, detail_of(error.reference))
