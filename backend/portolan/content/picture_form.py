"""The upload form for pictures, everywhere in the studio. It rejects unusable files with a reason."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from PIL import Image
from wagtail.images.fields import WagtailImageField
from wagtail.images.forms import BaseImageForm

from ..domain.picture_losses import Loss, describe_losses
from ..domain.picture_sizes import MOST_PIXELS
from ..domain.svg import UnsafeSvgError, clean_svg
from .picture_files import DECODED_HERE, find_losses
from .picture_worker import WORKER


class PictureField(WagtailImageField):
    def to_python(self, data: Any) -> Any:
        """Check the file before Wagtail reads it.

        Wagtail builds the whole tree of an SVG, and reads only the head of other files.
        """
        if not data or not data.size:
            return super().to_python(data)
        losses: list[Loss] = []
        try:
            if self.max_upload_size is not None:
                self.check_image_file_size(data)
            if data.name.lower().endswith(".svg"):
                clean_svg(data.read())
            else:
                _decode(data)
                losses = find_losses(data)
            data.seek(0)
            return super().to_python(data)
        except ValidationError as error:
            if error.code == "invalid_image" and Loss.MOTION in losses:  # Wagtail reads neither animated PNG nor AVIF
                raise ValidationError(
                    gettext("Moving pictures of this kind cannot be used. Save one of its frames, or use a film."),
                    code="invalid_image",
                ) from error
            raise
        except UnsafeSvgError as error:
            raise ValidationError(error.say(gettext), code="invalid_image") from error
        except Exception as error:  # any decoder's error
            raise ValidationError(
                gettext(
                    "This file cannot be read as a picture. It may be damaged or incomplete. Upload it again, or save it "
                    "again in a graphics program."
                ),
                code="invalid_image",
            ) from error


def _decode(data: Any) -> None:
    """Raise an error for a damaged picture.

    A photograph is decoded here at an eighth of its size. Other large pictures are decoded in a process with limits.
    """
    try:
        with Image.open(data) as picture:
            picture.draft("RGB", (1, 1))
            if picture.width * picture.height <= DECODED_HERE:
                picture.load()
                return
            is_too_large = picture.width * picture.height > MOST_PIXELS
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return  # Wagtail reports how many pixels a picture may have
    if not is_too_large:
        data.seek(0)
        WORKER.check(data.read())


class PictureForm(BaseImageForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if usual := self.fields.get("file"):
            self.fields["file"] = PictureField(label=usual.label, required=usual.required, widget=usual.widget)
        if self.instance.losses and "title" in self.fields:
            self.fields["title"].help_text = describe_losses(self.instance.losses, gettext)
