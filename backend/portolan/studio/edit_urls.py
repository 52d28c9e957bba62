"""Find the forms and titles of items of a release."""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from wagtail.documents.models import Document
from wagtail.models import Page

from ..content.collections import COLLECTIONS
from ..content.export import SETTINGS, inherited_site
from ..content.items import DOCUMENT, PICTURE, REDIRECT
from ..content.page_rows import PAGE_KINDS
from ..content.pictures import SiteImage
from ..content.quoted import quoted
from ..content.redirects import find_redirect
from ..content.site_records import load_site_roots
from ..releases.reader import ItemId

_FILES: Final[Mapping[str, tuple[Any, str]]] = {
    PICTURE: (SiteImage, "wagtailimages:edit"),
    DOCUMENT: (Document, "wagtaildocs:edit"),
}


class Editable(NamedTuple):
    title: str
    edit_url: str
    """Empty if it cannot be edited in the studio."""


def find_editables(items: Collection[ItemId]) -> dict[ItemId, Editable]:
    """Return the title and form of each item. Live copies and inherited menus and footers have their source's form."""
    found: dict[ItemId, Editable] = {}
    pages = {item for item in items if item.kind in PAGE_KINDS}
    if pages:
        rows = Page.objects.filter(translation_key__in={item.key for item in pages}).values_list(
            "locale__record", "translation_key", "draft_title", "alias_of_id", "pk"
        )
        known = {(site, str(key)): (title, source or pk) for site, key, title, source, pk in rows}
        for item in pages:
            title, pk = known.get((item.site, item.key), (item.key, None))
            found[item] = Editable(quoted(title), reverse("wagtailadmin_pages:edit", args=[pk]) if pk else "")
    for kind in {item.kind for item in items} & set(COLLECTIONS):
        model: Any = COLLECTIONS[kind]
        entries = model.objects.in_bulk({item.key for item in items if item.kind == kind}, field_name="key")
        for item in items:
            if item.kind == kind and (entry := entries.get(item.key)):
                url = reverse(entry.snippet_viewset.get_url_name("edit"), args=[entry.pk])
                found[item] = Editable(f"{capfirst(model._meta.verbose_name)} {quoted(entry)}", url)
    for item in items:
        if item.kind == REDIRECT and (row := find_redirect(item.site, item.key)):
            url = reverse("wagtailsnippets_content_redirect:edit", args=[row.pk])
            found[item] = Editable(gettext("Redirect {source}").format(source=row.source), url)
    for kind, (files, view) in _FILES.items():
        own = [item for item in items if item.kind == kind]
        rows_by_key = (
            {str(row.pk): row for row in files.objects.filter(pk__in=[item.key for item in own])} if own else {}
        )
        found |= {item: _name_file(kind, rows_by_key.get(item.key), view) for item in own}
    for kind in {item.kind for item in items} & set(SETTINGS):
        found |= _find_settings(kind, [item for item in items if item.kind == kind])
    return found


def _name_file(kind: str, row: Any, view: str) -> Editable:
    name = gettext(kind.capitalize())
    return Editable(f"{name} {quoted(row)}", reverse(view, args=[row.pk])) if row else Editable(name, "")


def _find_settings(kind: str, items: Collection[ItemId]) -> dict[ItemId, Editable]:
    model, _ = SETTINGS[kind]
    roots = load_site_roots()
    shown: dict[int, Any] = {row.site_id: row for row in model.objects.filter(live=True) if row.is_filled()}
    namespace = f"wagtailsnippets_content_{model._meta.model_name}"
    found = {}
    for item in items:
        inherited = inherited_site(item.site)
        source = inherited if inherited and roots[item.site].wagtail_site_id not in shown else item.site
        row = shown.get(roots[source].wagtail_site_id)
        url = reverse(f"{namespace}:edit", args=[row.pk]) if row else reverse(f"{namespace}:list")
        found[item] = Editable(str(capfirst(model._meta.verbose_name)), url)
    return found
