"""Fill the index for items that are older than the index, or after a migration that emptied it."""

from typing import Any

import orjson
from django.db import transaction

from .connection import run
from .formats import raise_body
from .ids import ItemId
from .index import write_index
from .models import Release, ReleaseItem, ReleaseReference, ReleaseRoute


def write_anew() -> None:
    """Rebuild the whole index."""
    with transaction.atomic():
        ReleaseRoute.objects.all().delete()
        ReleaseReference.objects.all().delete()
        fill_index()


def fill_index() -> None:
    """Write the index of all releases, unless it exists or there is nothing to index. Called after migrations."""
    if not ReleaseItem.objects.exists() or ReleaseRoute.objects.exists() or ReleaseReference.objects.exists():
        return
    with transaction.atomic():
        for number in Release.objects.order_by("number").values_list("number", flat=True):
            gone = ReleaseItem.objects.filter(until=number).values_list("site", "kind", "key")
            bodies: dict[ItemId, Any] = {ItemId(*row): None for row in gone}
            new = ReleaseItem.objects.filter(since=number).values_list("site", "kind", "key", "format", "body")
            for site, kind, key, format, body in new.iterator():
                bodies[ItemId(site, kind, key)] = orjson.loads(raise_body(kind, format, bytes(body)))
            write_index(run, number, bodies)
