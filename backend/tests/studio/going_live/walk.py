"""Send all data that the studio accepts, and report which requests would change the sites for visitors. All changes are
undone."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.test import Client
from wagtail.documents.models import Document
from wagtail.models import Revision

from portolan.content.change_sets.holding import own_sites
from portolan.content.change_sets.models import ChangeSet
from portolan.content.export import export_batch
from portolan.content.items import DOCUMENT, PICTURE, ItemKey
from portolan.content.models import SiteImage
from portolan.releases.connection import connected_reader
from portolan.releases.create import digest_body
from portolan.releases.models import LiveRequest, PendingChange

from .forms import read_forms
from .screens import Screen, every_screen
from .sending import Sending
from .world import World

FILE, SCHEDULE, REQUEST = "file", "schedule", "request to the publisher"


class Effect(NamedTuple):
    """A change that visitors would see, now or at a scheduled time."""

    site: str
    """Site key; empty for all sites."""
    what: str
    """Kind of the item, or one of the constants above."""
    is_removal: bool = False


class Attempt(NamedTuple):
    screen: str
    url: str
    data: Mapping[str, Any]
    status: int
    effects: frozenset[Effect]


class Walk:
    def __init__(self, world: World, client: Client, user: Any, is_whole: bool) -> None:
        client.raise_request_exception = False  # a reply of 500 changes no content either
        self._world, self._client, self._sending = world, client, Sending(world, user)
        self._is_whole = is_whole
        self._cookies = client.cookies.output(header="", sep=";")
        self._newest = connected_reader().latest() or 0
        self._files, self._scheduled = self._read_files(), _read_scheduled()
        uploads = Path(settings.MEDIA_ROOT).rglob("*")
        self._uploads = {path: path.read_bytes() for path in uploads if path.is_file()}

    def send(self, screen: Screen) -> Iterator[Attempt]:
        """Send all data to one screen. Each request starts from the same state."""
        is_json = screen.name.startswith("wagtailadmin_api")
        known = set[tuple[str, str]]()
        for url in self._sending.urls(screen):
            with transaction.atomic():
                self._client.cookies.load(self._cookies)  # one of the screens signs out
                forms = list(self._read_forms(url))
                transaction.set_rollback(True)
            for data in [*forms, *self._sending.by_hand(screen.name, url)]:
                alike = (url, repr(sorted((name, str(value)) for name, value in data.items())))
                if alike not in known:
                    known.add(alike)
                    yield self._post(screen.name, url, data, is_json)

    def _read_forms(self, url: str) -> Iterator[dict[str, Any]]:
        reply: Any = self._client.get(url)
        if reply.status_code != 200 or reply.streaming:
            return
        html = reply.content.decode(errors="replace")
        if reply["Content-Type"].startswith("application/json"):
            said = reply.json()
            html = str(said.get("html") or "") if isinstance(said, dict) else ""
        yield from read_forms(url, html, (reply.context or {}).get("form"), self._is_whole)

    def _post(self, screen: str, url: str, data: dict[str, Any], is_json: bool) -> Attempt:
        before = PendingChange.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        with transaction.atomic():
            self._client.cookies.load(self._cookies)
            options = {"content_type": "application/json"} if is_json else {}
            status = self._client.post(url, data, **options).status_code
            effects = frozenset(self._find_effects(before)) if status < 500 else frozenset()
            transaction.set_rollback(True)
        for path, upload in self._uploads.items():  # a rollback does not restore files
            if not path.exists():
                path.write_bytes(upload)
        return Attempt(screen, url, data, status, effects)

    def _find_effects(self, before: int) -> Iterator[Effect]:
        reader = connected_reader()
        keys = {ItemKey(row.site, row.kind, row.key) for row in PendingChange.objects.filter(pk__gt=before)}
        for old, new in reader.changes(self._newest, reader.latest() or 0):
            there: Any = new or old
            keys.add(ItemKey(there.site, there.kind, there.key))
        for key, body in export_batch(keys).bodies.items():
            item = reader.item(self._newest, *key)
            is_same = (item.digest if item else None) == (None if body is None else digest_body(body))
            if key.kind not in (PICTURE, DOCUMENT) and not is_same:
                yield Effect(key.site, key.kind, body is None)
        if self._read_files() != self._files:
            yield Effect("", FILE)
        for kind, pk in _read_scheduled() - self._scheduled:
            yield from (Effect(site, SCHEDULE) for site in _sites_of_scheduled(kind, pk))
        if LiveRequest.objects.exists():
            yield Effect("", REQUEST)

    def _read_files(self) -> list[Any]:
        """Return the fields that decide which files visitors see, and the studio's own names of the files."""
        fields = ("pk", "title", "file", "collection_id")
        crop = ("focal_point_x", "focal_point_y", "focal_point_width", "focal_point_height")
        return [
            SiteImage.objects.filter(pk=self._world.picture).values_list(*fields, *crop).first(),
            Document.objects.filter(pk=self._world.document).values_list(*fields).first(),
        ]


def _read_scheduled() -> set[tuple[str, int]]:
    """Return the drafts and change sets that go live by schedule."""
    drafts = Revision.objects.exclude(approved_go_live_at=None).values_list("pk", flat=True)
    sets = ChangeSet.objects.filter(state__in=["approved", "scheduled"]).values_list("pk", flat=True)
    return {*(("draft", pk) for pk in drafts), *(("set", pk) for pk in sets)}


def _sites_of_scheduled(kind: str, pk: int) -> set[str]:
    if kind == "draft":
        return own_sites(Revision.objects.get(pk=pk).as_object()) or {""}
    things = [item.load() for item in ChangeSet.objects.get(pk=pk).items.all()]
    return {site for thing in things for site in own_sites(thing) or {""}}


def walk_everything(
    world: World, client: Client, user: Any, leave_out: Callable[[str], bool], is_whole: bool = True
) -> Iterator[Attempt]:
    """Yield an attempt for each request. ``leave_out``: return True for the name of a screen to skip. ``is_whole``:
    send forms without a button too."""
    walk = Walk(world, client, user, is_whole)
    for screen in every_screen(world.rows):
        if not leave_out(screen.name):
            yield from walk.send(screen)


def find_screens() -> set[str]:
    return {screen.name for screen in every_screen()}
