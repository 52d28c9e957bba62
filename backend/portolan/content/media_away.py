"""Handle an unreachable storage of uploads."""

from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.utils.translation import gettext


class MediaAway(OSError):
    """The storage of uploads is unreachable or refuses the request."""


def check_media_is_there() -> None:
    """Raise ValidationError if the storage is unreachable, so that a form keeps the typed values instead of failing on
    save."""
    try:
        default_storage.exists(".portolan")
    except MediaAway:
        raise ValidationError(
            gettext(
                "The file storage is not reachable, so this file cannot be stored. Your other entries are not lost. Choose "
                "the file again in a moment. Your administrator finds the reason in the log."
            ),
            code="storage",
        ) from None
