"""What a page's translation shares with the original: shared fields it leaves out are the default site's, texts are its own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

SHARED_FIELDS: Final = frozenset(
    {
        "client", "country", "industries", "services", "technologies", "lat", "lng", "rank", "listed", "pages",
        "date", "start", "end",
    }
)  # fmt: skip
PICTURES: Final = ("cover", "preview")
GALLERY: Final = "gallery"

Complain = Callable[[str, str], None]


def with_shared_fields(own: Mapping[str, Any], original: Mapping[str, Any], complain: Complain) -> dict[str, Any]:
    """A translation's ``[fields]``, completed by those of the original.

    ``complain(field, message)`` is told of pictures that would stand without a text in this language.
    """
    fields = {key: value for key, value in original.items() if key in SHARED_FIELDS} | dict(own)
    for key in PICTURES:
        if isinstance(original.get(key), Mapping):
            fields[key] = _picture(own.get(key), original[key], key, complain)
    if isinstance(original.get(GALLERY), list):
        fields[GALLERY] = _gallery(own.get(GALLERY), original[GALLERY], complain)
    return fields


def _picture(own: Any, original: Mapping[str, Any], place: str, complain: Complain) -> Any:
    if own is None and original.get("alt"):
        complain(place, 'is missing: say in this language what the picture shows, { alt = "…" }')
    if own is None:
        return original
    return {**_image(original), **own} if isinstance(own, Mapping) else own


def _gallery(own: Any, original: list[Any], complain: Complain) -> Any:
    """A description without a picture belongs to the picture in that place of the original."""
    if own is None:
        if any(_table(picture).get("alt") for picture in original):
            complain(
                GALLERY, 'is missing: say in this language what the pictures show, [{ alt = "…" }, …], or write []'
            )
        return original
    if not isinstance(own, list):
        return own
    images = [_image(picture) for picture in original] + [{}] * len(own)
    return [{**image, **picture} if _table(picture) else picture for image, picture in zip(images, own, strict=False)]


def _image(picture: Any) -> dict[str, Any]:
    return {key: value for key, value in _table(picture).items() if key == "picture"}


def _table(given: Any) -> Mapping[str, Any]:
    """What is no table is refused where it is loaded."""
    return given if isinstance(given, Mapping) else {}
