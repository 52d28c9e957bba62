"""Export images and documents as items. A missing file is reported as a problem; its item stays."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.db.models import Model

from ..domain.problems import MissingFile, Problem, Subject
from .documents import public_documents, snapshot_document
from .items import ALL_SITES, DOCUMENT, PICTURE, ItemKey
from .page_rows import chunks
from .pictures import SiteImage, snapshot_picture

Body = dict[str, Any]
_FOCAL: Final = ("focal_point_x", "focal_point_y", "focal_point_width", "focal_point_height")
_OF_PICTURES: Final = ("title", "file", "published", "width", "height", *_FOCAL)
_Loaded = tuple[str, Body | None, Problem | None]
"""ID, body, problem. Both are None for an image whose files are being made."""


def export_files(wanted: Iterable[ItemKey]) -> tuple[dict[ItemKey, Body | None], dict[ItemKey, list[Problem]]]:
    """Return the bodies and problems of the files in ``wanted``; None for deleted or private files."""
    bodies: dict[ItemKey, Body | None] = {}
    problems: dict[ItemKey, list[Problem]] = {}
    for kind, load in _LOADERS.items():
        keys = {key.key: key for key in wanted if key.kind == kind}
        bodies |= dict.fromkeys(keys.values())
        for id, body, problem in load(keys):
            key = ItemKey(ALL_SITES, kind, id)
            bodies[key] = body
            if problem:
                problems[key] = [problem]
    return bodies, problems


def load_pictures(ids: Iterable[str]) -> dict[str, Body]:
    """Return the images whose files exist, by ID."""
    return {id: body for id, body, _ in _load_pictures(ids) if body}


def load_documents(ids: Iterable[str]) -> dict[str, Body]:
    """Return the public documents whose files exist, by ID."""
    return {id: body for id, body, _ in _load_documents(ids) if body}


def _load_pictures(ids: Iterable[str]) -> Iterator[_Loaded]:
    for chunk in chunks(sorted({int(id) for id in ids})):
        for image in SiteImage.objects.filter(pk__in=chunk).only(*_OF_PICTURES):
            if image.published:
                yield str(image.pk), snapshot_picture(image), None
            elif image.file.storage.exists(image.file.name):
                yield str(image.pk), None, None
            else:
                yield str(image.pk), None, _missing(PICTURE, image, image.file.name)


def _load_documents(ids: Iterable[str]) -> Iterator[_Loaded]:
    for chunk in chunks(sorted({int(id) for id in ids})):
        for document in public_documents().filter(pk__in=chunk):
            body = snapshot_document(document)
            problem = None if body else _missing(DOCUMENT, document, document.file.name)
            yield str(document.pk), body, problem


def _missing(kind: str, row: Model, file: str) -> Problem:
    return Problem(Subject(ALL_SITES, kind, str(row.pk), str(row)), MissingFile(file))


_LOADERS: Mapping[str, Callable[[Iterable[str]], Iterator[_Loaded]]] = {
    PICTURE: _load_pictures,
    DOCUMENT: _load_documents,
}
