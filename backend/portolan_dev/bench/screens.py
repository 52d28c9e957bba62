"""Measure each screen of the studio: ``python -m portolan_dev.bench.screens [PART OF A URL]``.

Needs an installation that ``studio_pages`` has filled. Prints a line of JSON for each person and screen.
"""

import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from portolan.config.start_django import start_django

from ..studio_screens import find_examples, list_screens
from .studio_pages import ADMINISTRATOR, BIG_SITE, BIG_SLUG, CHANGE_SET, PUBLISHER

_TIMES: Final = 2
"""Runs after the first, which compiles templates. The fastest run counts, because other programs only make it slower."""
COMMON, RARE = "harbour", "Brightmoor"
"""A word on nearly all pages, and a word of the demo only."""


class Cost(NamedTuple):
    who: str
    address: str
    status: int
    wall_s: float
    cpu_s: float
    """With the database's process, if it is separate."""
    queries: int
    kilobytes: float


def measure(only: str = "") -> Iterator[Cost]:
    """Yield the cost of each screen that returns a page."""
    from django.contrib.auth.models import User
    from django.test import Client

    addresses = [address for address in list_addresses() if only in address]
    for who in (ADMINISTRATOR, PUBLISHER):
        client = Client(raise_request_exception=False, SERVER_NAME=_host(), SERVER_PORT="80")
        client.force_login(User.objects.get(username=who))
        for address in addresses:
            runs = [_get(client, who, address) for _ in range(_TIMES + 1)][1:]
            best = min(runs, key=lambda run: run.cpu_s)
            yield best._replace(wall_s=min(run.wall_s for run in runs))


def list_addresses() -> list[str]:
    examples = _examples()
    own = [screen for screen in list_screens(examples) if not screen.missing]
    named = {(screen.view, screen.name): f"/{screen.address}" for screen in own}
    return list(dict.fromkeys([*named.values(), *_own_with_queries(examples), *_of_wagtail(examples)]))


def _examples() -> dict[str, Any]:
    from django.db.models import TextField
    from django.db.models.functions import Cast, Length
    from wagtail.models import Page

    from portolan.content.change_sets.models import ChangeSet
    from portolan.content.pages import PAGE_TYPES

    def longest(page_type: Any) -> tuple[int, int]:
        page = page_type.objects.annotate(size=Length(Cast("body", TextField()))).order_by("-size").first()
        return (page.size or 0, page.pk) if page else (0, 0)

    listing = Page.objects.get(slug=BIG_SLUG)
    children = listing.get_children()
    return find_examples() | {
        "page_id": children[children.count() // 2].pk,
        "id": ChangeSet.objects.get(name=CHANGE_SET).pk,
        "longest": max(map(longest, PAGE_TYPES))[1],
        "listing": listing.pk,
        "home": listing.get_parent().pk,
        "ticked": list(children[:50].values_list("pk", flat=True)),
    }


def _own_with_queries(known: Mapping[str, Any]) -> Iterator[str]:
    from django.conf import settings
    from django.urls import reverse

    search, replace, tree = (reverse(name) for name in ("studio_search", "studio_replace", "studio_tree"))
    for words in (COMMON, RARE, "no-such-word", "/library/shelf-1/service-50"):
        yield f"{search}?q={words}"
    yield f"{search}?q={COMMON}&site={BIG_SITE}"
    sites = "".join(f"&sites={key}" for key in settings.SITES_REGISTRY.sites)
    for words in (COMMON, RARE, "порт", "no-such-word"):
        yield f"{replace}?q={words}&replacement=quay{sites}"
        yield f"{replace}?q={words}&replacement=quay&sites={BIG_SITE}"
    yield f"{tree}?open={known['listing']}"
    yield f"{tree}?open={known['page_id']}"
    below = reverse("studio_tree_children", args=[known["listing"]])
    yield from (below, f"{below}?from=5000")


def _of_wagtail(known: Mapping[str, Any]) -> Iterator[str]:
    """Yield Wagtail's screens that grow with the number of pages, and its forms."""
    from django.urls import reverse
    from wagtail.models import Page
    from wagtail.snippets.models import get_snippet_models

    listing, page, home, longest = (known[name] for name in ("listing", "page_id", "home", "longest"))
    yield from (reverse("wagtailadmin_home"), reverse("wagtailadmin_explore_root"))
    explore = reverse("wagtailadmin_explore", args=[listing])
    for query in (
        "",
        "?p=60",
        "?ordering=title",
        "?ordering=ord",
        "?ordering=ord&p=60",
        f"?q={COMMON}",
        "?q=no-such-word",
        "?live=true",
    ):
        yield explore + query
    yield from (
        f"{reverse('wagtailadmin_explore', args=[home])}{query}"
        for query in ("", f"?q={COMMON}&search_all=1", "?ordering=ord")
    )
    api = reverse("wagtailadmin_api:pages:listing")
    yield from (f"{api}?child_of={parent}&for_explorer=1" for parent in (home, listing))
    yield reverse("wagtailadmin_choose_page")
    choose = reverse("wagtailadmin_choose_page_child", args=[listing])
    yield from (choose, f"{choose}?p=60")
    yield f"{reverse('wagtailadmin_choose_page_search')}?q={COMMON}"
    for name in ("edit", "history", "usage", "delete", "unpublish", "move", "copy"):
        yield reverse(f"wagtailadmin_pages:{name}", args=[page])
    for name in ("edit", "history", "usage", "delete", "add_subpage"):
        yield reverse(f"wagtailadmin_pages:{name}", args=[listing])
    yield reverse("wagtailadmin_pages:edit", args=[longest])
    yield reverse("wagtailadmin_pages:add", args=["content", "articlepage", listing])
    drafted = Page.objects.filter(
        path__startswith=Page.objects.get(pk=listing).path, has_unpublished_changes=True
    ).first()
    if drafted:
        yield reverse("wagtailadmin_pages:revisions_compare", args=[drafted.pk, "live", "latest"])
    yield f"{reverse('wagtailadmin_pages:search')}?q={COMMON}"
    for name in ("aging_pages", "locked_pages", "site_history", "page_types_usage"):
        yield reverse(f"wagtailadmin_reports:{name}")
    ids = "".join(f"&id={id}" for id in known["ticked"])
    for name in ("publish", "move", "delete", "unpublish"):
        yield f"{reverse('wagtail_bulk_action', args=['wagtailcore', 'page', name])}?next=/admin/{ids}"
    for name in (
        "wagtailimages:index",
        "wagtailimages_chooser:choose",
        "wagtaildocs:index",
        "wagtaildocs_chooser:choose",
        "wagtailusers_users:index",
        "wagtailusers_groups:index",
    ):
        yield reverse(name)
    for model in get_snippet_models():
        views: Any = model.snippet_viewset
        yield reverse(views.get_url_name("list"))
        if (row := model.objects.first()) is not None:
            yield reverse(views.get_url_name("edit"), args=[row.pk])


def _get(client: Any, who: str, address: str) -> Cost:
    from django.db import connection

    asked = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*arguments)

    database = _DatabaseClock()
    with connection.execute_wrapper(count):
        wall, cpu, stored = time.perf_counter(), time.process_time(), database.read()
        reply = client.get(address)
        size = len(b"".join(reply)) if reply.streaming else len(reply.content)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu + database.read() - stored
    return Cost(who, address, reply.status_code, wall, cpu, asked, size / 1000)


class _DatabaseClock:
    """CPU time of PostgreSQL's process for our connection; 0 for SQLite, which runs in our process."""

    def __init__(self) -> None:
        from django.db import connection

        self._process = None
        if connection.vendor == "postgresql":
            import psutil

            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self._process = psutil.Process(cursor.fetchone()[0])

    def read(self) -> float:
        if self._process is None:
            return 0.0
        times = self._process.cpu_times()
        return float(times.user + times.system)


def _host() -> str:
    from urllib.parse import urlsplit

    from django.conf import settings

    return urlsplit(settings.WAGTAILADMIN_BASE_URL).hostname or ""


if __name__ == "__main__":
    start_django()
    # Screens log actions such as an export of leads, which are no news here.
    logging.disable(logging.INFO)
    for cost in measure(*sys.argv[1:2]):
        print(json.dumps(cost._asdict()), flush=True)  # noqa: T201
