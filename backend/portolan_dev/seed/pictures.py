"""Pictures of the fixtures, uploaded as an editor would: the files sites show are made when the upload is committed."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import transaction
from wagtail.images.fields import WagtailImageField
from wagtail.models import Collection

from portolan.content.pictures import SiteImage

from .fixtures import Fixture, Fixtures
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person

_COLLECTION: Final = "Demo"
_NAME: Final = re.compile(r"(?!.{41})[a-z0-9]+(-[a-z0-9]+)*")


def load_pictures(
    fixtures: Fixtures, draw: Path, report: SeedReport, problems: list[FixtureProblem]
) -> Mapping[str, int]:
    """Ids of pictures by the fixtures' names. ``draw`` is the program that draws those marked ``generated``."""
    wanted: Mapping[str, Mapping[str, Any]] = fixtures.pictures.data["pictures"]
    _draw_missing(fixtures, wanted, draw, problems)
    collection = _collection()
    found = {}
    for name, entry in wanted.items():
        report.begin("pictures", name)
        image = _load(fixtures.root, fixtures.pictures, name, entry, collection, report, problems)
        if image is not None:
            found[name] = image.pk
    return found


def _load(
    root: Path,
    fixture: Fixture,
    name: str,
    entry: Mapping[str, Any],
    collection: Collection,
    report: SeedReport,
    problems: list[FixtureProblem],
) -> SiteImage | None:
    try:
        data = (root / str(entry["file"])).read_bytes()
    except (OSError, KeyError) as error:
        problems.append(
            FixtureProblem(fixture.file, f"pictures.{name}.file", f"cannot be read ({error}); add the file")
        )
        return None
    if not isinstance(entry.get("title"), str):
        problems.append(FixtureProblem(fixture.file, f"pictures.{name}.title", "is missing; add it"))
        return None
    upload = f"{name}{PurePath(entry['file']).suffix}"
    if not _NAME.fullmatch(name):
        words = "uploads are found by it: use up to 40 small letters, digits and hyphens"
        problems.append(FixtureProblem(fixture.file, f"pictures.{name}", words))
        return None
    # The storage adds "_" and some letters where it has such a file already.
    stored = rf"/{name}(_[A-Za-z0-9]+)?{re.escape(PurePath(upload).suffix)}$"
    known = SiteImage.objects.filter(collection=collection, file__regex=stored).first()
    file_hash = hashlib.sha1(data, usedforsecurity=False).hexdigest()  # what Wagtail knows files by
    if known and known.file_hash == file_hash and known.title == entry["title"] and known.published:
        report.note("pictures", Outcome.UNCHANGED)
        return known
    if known and was_edited_by_a_person(known):
        report.note("pictures", Outcome.KEPT)
        return known
    image = known or SiteImage(collection=collection)
    image.title = entry["title"]
    try:
        if image.file_hash != file_hash:
            image.file = _opened(data, upload)
            image.file_hash, image.file_size = file_hash, len(data)
        image.full_clean()
        with transaction.atomic():
            image.save()
    except ValidationError as error:
        problems += [FixtureProblem(fixture.file, f"pictures.{name}.{field}", text) for field, text in flatten(error)]
        return None
    report.note("pictures", Outcome.CHANGED if known else Outcome.CREATED)
    return image


def _opened(data: bytes, name: str) -> ContentFile[bytes]:
    """The upload, refused as the editor's form would refuse what is no picture."""
    with ContentFile(data, name=name) as file:
        try:
            WagtailImageField().clean(file)
        except ValidationError as error:
            raise ValidationError({"file": error}) from error
    return ContentFile(data, name=name)


def _draw_missing(
    fixtures: Fixtures, wanted: Mapping[str, Mapping[str, Any]], draw: Path, problems: list[FixtureProblem]
) -> None:
    missing = [
        entry
        for entry in wanted.values()
        if entry.get("generated") and not (fixtures.root / str(entry.get("file"))).exists()
    ]
    if missing:
        command = [sys.executable, str(draw), "--missing", "--into", str(fixtures.root / "pictures")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word"])[-1]
            problems.append(
                FixtureProblem(fixtures.pictures.file, "", f"{draw.name} could not draw those marked generated: {last}")
            )


def _collection() -> Collection:
    return Collection.objects.filter(name=_COLLECTION).first() or Collection.get_first_root_node().add_child(
        name=_COLLECTION
    )
