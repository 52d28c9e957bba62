"""The picture that is shown where somebody shares a page. A render worker draws it, once for equal content."""

from hashlib import sha256
from typing import Any, NamedTuple

import orjson

CONTENT_TYPE = "image/jpeg"


class SharingPicture(NamedTuple):
    path: str
    """Its URL path, named by what it shows: equal pictures of two sites are one, and an unchanged title costs nothing."""
    data: bytes
    """What it shows, as JSON: the render worker's input (``SharingPicture`` in ``web/src/document``)."""


def describe_picture(
    title: str, label: str, company: str, language: str, direction: str, motif: int, drawing: str
) -> SharingPicture:
    """``drawing``: digest of what pictures are drawn with, fonts included."""
    shown: dict[str, Any] = {
        "title": title,
        "label": label,
        "company": company,
        # Nothing is spelled or drawn otherwise in another country of the same language.
        "lang": language.partition("-")[0],
        "dir": direction,
        "motif": motif,
    }
    data = orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)
    return SharingPicture(f"/assets/sharing-{sha256(drawing.encode() + data).hexdigest()[:24]}.jpg", data)
