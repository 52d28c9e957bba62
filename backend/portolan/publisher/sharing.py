"""The image shown when a page is shared.

A render worker draws it once for equal content.
"""

from hashlib import sha256
from typing import Any, NamedTuple

import orjson

CONTENT_TYPE = "image/jpeg"


class SharingPicture(NamedTuple):
    path: str
    """Its URL path, named by its content. Equal images of two sites are one file, and are drawn once."""
    data: bytes
    """Its content as JSON: the render worker's input (``SharingPicture`` in ``web/src/document``)."""


def describe_picture(
    title: str, label: str, company: str, language: str, direction: str, motif: int, drawing: str
) -> SharingPicture:
    """Return the image's path and content.

    ``drawing``: digest of the drawing code and fonts.
    """
    shown: dict[str, Any] = {
        "title": title,
        "label": label,
        "company": company,
        # All countries of one language have the same spelling and drawing.
        "lang": language.partition("-")[0],
        "dir": direction,
        "motif": motif,
    }
    data = orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)
    return SharingPicture(f"/assets/sharing-{sha256(drawing.encode() + data).hexdigest()[:24]}.jpg", data)
