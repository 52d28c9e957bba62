"""Answer media in a preview: public files, also unpublished ones, and documents of the preview's release.

Originals, thumbnails and uploads stay private to the studio.
"""

from typing import Any

import orjson
from django.http import Http404
from django.http.response import HttpResponseBase

from ...domain.media_addresses import DOCUMENTS, is_open
from ...releases.reader import ALL_SITES
from ..private_files import read_file
from .overlay import Overlay


def answer_media(path: str, overlay: Overlay) -> HttpResponseBase | None:
    if not is_open(path) and not (path.startswith(DOCUMENTS) and path in _documents(overlay)):
        return None
    try:
        return read_file(path)
    except Http404:
        return None


def _documents(overlay: Overlay) -> set[str]:
    """Return the paths of public copies of documents."""
    rows = overlay.reader().collection(overlay.release_view.release, ALL_SITES, "document")
    bodies: list[dict[str, Any]] = [orjson.loads(item.body) for item in rows]
    return {str(body["url"]) for body in bodies if body.get("url")}
