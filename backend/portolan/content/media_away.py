"""When the storage of uploads does not answer: what code above and below says to each other of it."""

from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.utils.translation import gettext


class MediaAway(OSError):
    """The storage of uploads does not answer, or refuses."""


def check_media_is_there() -> None:
    """For forms with a file: raises ValidationError, with which everything that was typed stays where it stands, and not an
    error in the middle of saving."""
    try:
        default_storage.exists(".portolan")
    except MediaAway:
        raise ValidationError(
            gettext(
                "The storage of files does not answer right now, so this file cannot be stored. Nothing else that you have entered "
                "is lost: choose the file again in a moment. Your administrator sees why in the log."
            ),
            code="storage",
        ) from None
