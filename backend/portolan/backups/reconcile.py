"""Compare the database with files of leads, media, spool and outbox. Changes nothing."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from django.core.files.storage import default_storage
from wagtail.documents import get_document_model
from wagtail.images import get_image_model

from ..domain.words import say_count
from ..leads.file_store import FileStore
from ..leads.models import Delivery, Lead, LeadFile
from ..leads.spool import open_spool
from .uploads import Uploads

State = Literal["well", "warning", "missing"]
_NAMED = 5


class Line(NamedTuple):
    state: State
    said: str


def reconcile(store: FileStore, media_storage: str = "") -> Iterator[Line]:
    """Yield the results. ``media_storage``: URL of the upload storage; empty: uploads are in the media folder."""
    yield from _lead_files(store)
    yield from _media(media_storage)
    yield from _spool(store)
    yield from _outbox()


def _lead_files(store: FileStore) -> Iterator[Line]:
    missing, damaged, count = [], [], 0
    for file in LeadFile.objects.order_by("lead_id", "position").iterator():
        count += 1
        try:
            with store.path(file.path).open("rb") as data:
                digest = hashlib.sha256()
                while part := data.read(1 << 20):
                    digest.update(part)
        except FileNotFoundError:
            missing.append(f"{file.name} of lead {file.lead_id}")
            continue
        if digest.hexdigest() != file.sha256:
            damaged.append(f"{file.name} of lead {file.lead_id}")
    if missing:
        yield Line("missing", f"{len(missing)} of {say_count(count, 'file')} of leads missing: {_some(missing)}.")
    if damaged:
        yield Line("missing", f"{len(damaged)} of {say_count(count, 'file')} of leads damaged: {_some(damaged)}.")
    if not missing and not damaged:
        leads = Lead.objects.filter(erased_at=None).count()
        yield Line(
            "well", f"{say_count(leads, 'lead')} and {say_count(count, 'file')} of leads are complete, byte by byte"
        )


def _media(media_storage: str) -> Iterator[Line]:
    place = "upload storage" if media_storage else "media folder"
    has: Callable[[str], bool] = default_storage.exists
    if media_storage:  # listing needs one request per thousand names
        has = {upload.name for upload in Uploads(media_storage).list()}.__contains__
    for model, noun in ((get_image_model(), "image"), (get_document_model(), "document")):
        names = list(model.objects.order_by("pk").values_list("file", flat=True))
        missing = [name for name in names if not has(name)]
        if missing:
            yield Line(
                "missing",
                f"{len(missing)} of {say_count(len(names), noun)} missing in the {place}: {_some(missing)}. Pages that "
                "use them are blocked or lack them. Upload them again.",
            )
        else:
            yield Line("well", f"{say_count(len(names), f'{noun} is', f'{noun}s are')} in the {place}")


def _spool(store: FileStore) -> Iterator[Line]:
    spool = open_spool(store.root)
    readable, count = len(spool.list()), spool.count()
    if readable:
        yield Line("warning", f"{say_count(readable, 'lead waits', 'leads wait')} in the spool until delivery runs.")
    if count > readable:
        yield Line(
            "missing",
            f"{say_count(count - readable, 'file')} in {store.root / 'spool'} (*.bad) cannot be read. Check these files.",
        )


def _outbox() -> Iterator[Line]:
    waiting = Counter(Delivery.objects.filter(state=Delivery.State.PENDING).values_list("destination", flat=True))
    for destination, number in sorted(waiting.items()):
        yield Line(
            "warning",
            f"{say_count(number, 'lead waits', 'leads wait')} for {destination}. Leads that were delivered after the backup are sent again, with the "
            "same id (webhook-id, Message-ID), so receivers can ignore them.",
        )


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
