"""An editor as a process, for benchmarks: ``python -m portolan_dev.bench.editor``.

It publishes a page for each line of input, and prints the time of the commit (``time.perf_counter``). ``prepare``
creates the database and the page without pending changes.
"""

import sys
import time
from collections.abc import Iterable
from typing import Any

from portolan.config.env import env
from portolan.config.start_django import start_django

_SLUG = "edited-in-the-studio"


def prepare() -> None:
    from portolan.commands.sites import sync_studio
    from portolan.config.empty_database import prepare_database
    from portolan.content.models import ServicePage
    from portolan.content.site_records import SiteRecord
    from portolan.releases.models import PendingChange

    prepare_database()
    sync_studio(env())
    described = "A page of the studio to edit, next to the generated pages."
    page = ServicePage(title="Edited in the studio", slug=_SLUG, search_description=described)
    site = SiteRecord.objects.get(key=env().registry.company.default_site)
    site.wagtail_site.root_page.add_child(instance=page)
    PendingChange.objects.all().delete()


def edit(lines: Iterable[Any]) -> None:
    from django.db import close_old_connections, transaction

    from portolan.content.models import ServicePage

    page = ServicePage.objects.get(slug=_SLUG)
    for number, _ in enumerate(lines):
        hero = {"type": "hero", "id": "hero", "value": {"title": f"Edition {number}", "text": "Words of an editor."}}
        page.body = [hero]
        with transaction.atomic():
            transaction.on_commit(_say_when)  # first: the save itself wakes the publisher on commit
            page.save_revision().publish()
        close_old_connections()


def _say_when() -> None:
    print(time.perf_counter(), flush=True)  # noqa: T201


if __name__ == "__main__":
    start_django()
    if sys.argv[1:] == ["prepare"]:
        prepare()
    else:
        edit(sys.stdin)
