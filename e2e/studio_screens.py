"""Every screen of the studio that is ours, by its address in the running demo: from the URLs themselves, so that a new screen is
looked at without being named anywhere.
"""

import json
import os
import subprocess
import sys
from typing import Final, NamedTuple

from .product import Product

WITHOUT_EXAMPLE: Final = {
    "uidb64": "a link that is good once: test_roles.py",
    "token": "likewise",
    "rest": "leads from an address of before to its own screen",
    "content_type_app_name": "answers a form's script",
    "content_type_model_name": "likewise",
    "parent_page_id": "likewise",
    "page_to_move_id": "a move, by dragging",
    "held_id": "a deleted page; restored by a press of a button",
    "type_id": "a draft that is added to a change set: test_change_sets.py",
    "item_id": "a button of a change set",
    "step": "likewise",
    "factor_id": "a button",
    "position": "a file that somebody sent",
    "parent_id": "a move that a reviewer has to look at",
    "destination_id": "a move, by dragging",
}
"""Parts of addresses that the demo has nothing for, and what there is instead."""

_LIST: Final = """
import json, sys
from portolan.config.start_django import start_django
start_django()
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import URLPattern, get_resolver
from wagtail.models import Page
from portolan.content.change_sets.models import ChangeSet
from portolan.leads.models import Lead
from portolan.publisher.publish_records import read_records
from portolan.releases.models import Release

some_set = ChangeSet.objects.first() or ChangeSet.objects.create(name="Looked at", owner=User.objects.first())
known = {
    "page_id": Page.objects.filter(live=True, depth__gt=3).first().pk,
    "number": Release.objects.first().number,
    "id": some_set.pk,
    "lead_id": str(Lead.objects.filter(erased_at=None).first().pk),
    "user_id": User.objects.first().pk,
    "slug": "leads",
    "site": "de",
    "at": next(iter(read_records(settings.BUILDS_DIR))).at,
}

def walk(patterns, before=()):
    for pattern in patterns:
        parts = (*before, pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield parts, pattern
        else:
            yield from walk(pattern.url_patterns, parts)

for parts, pattern in walk(get_resolver().url_patterns):
    view = getattr(pattern.callback, "view_class", pattern.callback)
    address = "".join(str(part) for part in parts)
    if not address.startswith("admin/") or not view.__module__.startswith("portolan."):
        continue
    names = {name: str(converter) for part in parts for name, converter in getattr(part, "converters", {}).items()}
    model = getattr(pattern.callback, "view_initkwargs", {}).get("model")
    row = model.objects.order_by("pk").first() if model and "pk" in names else None
    values = known | ({"pk": row.pk} if row else {})
    missing = sorted(names.keys() - values.keys())
    for name in names.keys() & values.keys():
        for kind in ("int", "str", "slug", "path", "uuid"):
            address = address.replace(f"<{kind}:{name}>", str(values[name]))
        address = address.replace(f"<{name}>", str(values[name]))
    print(json.dumps({"address": address, "view": f"{view.__module__}.{view.__qualname__}", "name": pattern.name, "missing": missing}))
"""


class Screen(NamedTuple):
    address: str
    view: str
    name: str | None
    missing: list[str]
    """Parts of its address that have no example."""


def list_screens(product: Product) -> list[Screen]:
    own = {"PORTOLAN_VAR_DIR": str(product.var_dir), "PORTOLAN_PORT": str(product.port)}
    listed = subprocess.run(
        [sys.executable, "-c", _LIST],
        env={**os.environ, **own},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return [Screen(**json.loads(line)) for line in listed.stdout.splitlines()]
