"""List every screen of the studio that Portolan adds, with its URL in an installation.

The screens are found by the URL configuration. ``python -m portolan_dev.studio_screens`` prints a line of JSON for each.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from portolan.config.start_django import start_django


class Screen(NamedTuple):
    address: str
    view: str
    name: str | None
    missing: list[str]
    """Parts of its URL without an example."""


def find_examples() -> dict[str, object]:
    """Return an example for each variable part of a URL. Create a change set and a site's words if there are none."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from wagtail.models import Page

    from portolan.content.change_sets.models import ChangeSet
    from portolan.content.interface_words import InterfaceWords
    from portolan.leads.models import Lead
    from portolan.publisher.publish_records import read_records
    from portolan.releases.models import Release
    from portolan.studio.site_settings.viewset import begin

    begin(InterfaceWords, "de")
    some_set = ChangeSet.objects.first() or ChangeSet.objects.create(name="Looked at", owner=User.objects.first())
    found: dict[str, Any] = {
        "page_id": Page.objects.filter(live=True, depth__gt=3).first(),
        "number": Release.objects.first(),
        "id": some_set,
        "lead_id": Lead.objects.filter(erased_at=None).first(),
        "user_id": User.objects.first(),
    }
    published = next(iter(read_records(settings.BUILDS_DIR)), None)
    known: dict[str, object] = {name: row.pk for name, row in found.items() if row}
    if page := found["page_id"]:
        known["key"] = page.translation_key
    return known | {"slug": "leads", "site": "de"} | ({"at": published.at} if published else {})


def list_screens(examples: dict[str, object]) -> Iterator[Screen]:
    from django.urls import get_resolver

    for parts, pattern in _walk(get_resolver().url_patterns):
        view = getattr(pattern.callback, "view_class", pattern.callback)
        address = "".join(str(part) for part in parts)
        if not address.startswith("admin/") or not view.__module__.startswith("portolan."):
            continue
        names = {name for part in parts for name in getattr(part, "converters", {})}
        model = getattr(pattern.callback, "view_initkwargs", {}).get("model")
        row = model.objects.order_by("pk").first() if model and "pk" in names else None
        values = examples | ({"pk": row.pk} if row else {})
        for name in names & values.keys():
            for kind in ("int:", "str:", "slug:", "path:", "uuid:", ""):
                address = address.replace(f"<{kind}{name}>", str(values[name]))
        yield Screen(address, f"{view.__module__}.{view.__qualname__}", pattern.name, sorted(names - values.keys()))


def _walk(patterns: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    from django.urls import URLPattern

    for pattern in patterns:
        parts = (*before, pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield parts, pattern
        else:
            yield from _walk(pattern.url_patterns, parts)


if __name__ == "__main__":
    start_django()
    for screen in list_screens(find_examples()):
        print(json.dumps(screen._asdict()))  # noqa: T201
