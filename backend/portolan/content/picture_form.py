"""Define the studio's form for images. It rejects unusable files, has a description for each language, and crops."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language_info, gettext
from PIL import Image
from wagtail.images.fields import WagtailImageField
from wagtail.images.forms import BaseImageForm

from ..domain.picture_losses import Loss, describe_losses
from ..domain.picture_sizes import MOST_PIXELS
from ..domain.svg import UnsafeSvgError, clean_svg
from .picture_files import DECODED_HERE, Box, EncodedPicture, UnusablePicture, find_losses
from .picture_worker import WORKER
from .pictures import ALT_LENGTH, SiteImage, main_language

_DESCRIPTION = "description"
_CROP = "crop"


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
                    gettext(
                        "Animated images of this format are not supported. Save one of its frames, or use a video."
                    ),
                    code="invalid_image",
                ) from error
            raise
        except UnsafeSvgError as error:
            raise ValidationError(error.say(gettext), code="invalid_image") from error
        except Exception as error:  # any decoder's error
            raise ValidationError(
                gettext(
                    "This file cannot be read as an image. It may be damaged or incomplete. Upload it again, or save it "
                    "again in a graphics program."
                ),
                code="invalid_image",
            ) from error


def _decode(data: Any) -> None:
    """Raise an error for a damaged image.

    A photo is decoded here at an eighth of its size. Other large images are decoded in a process with limits.
    """
    try:
        with Image.open(data) as picture:
            picture.draft("RGB", (1, 1))
            if picture.width * picture.height <= DECODED_HERE:
                picture.load()
                return
            is_too_large = picture.width * picture.height > MOST_PIXELS
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return  # Wagtail reports the maximum number of pixels
    if not is_too_large:
        data.seek(0)
        WORKER.check(data.read())


class PictureForm(BaseImageForm):
    instance: SiteImage
    cropped: EncodedPicture | None = None
    """The cropped area, if the person wants it as a new image. Available after validation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._languages: dict[str, str] = {}
        if usual := self.fields.get("file"):
            self.fields["file"] = PictureField(label=usual.label, required=usual.required, widget=usual.widget)
            if self.instance.pk:
                self._add_descriptions()
                if not self.instance.is_svg():
                    self._add_crop()
                self.order_fields(["title", "file", _CROP, _DESCRIPTION, *self._languages])
        if self.instance.losses and "title" in self.fields:
            self.fields["title"].help_text = describe_losses(self.instance.losses, gettext)

    def _add_descriptions(self) -> None:
        own = main_language(settings.SITES_REGISTRY.default_site.language)
        self.fields[_DESCRIPTION] = forms.CharField(
            required=False,
            max_length=max(ALT_LENGTH, len(self.instance.description)),
            label=_label(own),
            help_text=gettext(
                "Describes the image to people who cannot see it. Pages suggest this text as the description."
            ),
        )
        languages = dict.fromkeys(main_language(site.language) for site in settings.SITES_REGISTRY.sites.values())
        self._languages = {f"{_DESCRIPTION}_{language}": language for language in languages if language != own}
        for name, language in self._languages.items():
            self.fields[name] = forms.CharField(required=False, max_length=ALT_LENGTH, label=_label(language))
            self.initial[name] = self.instance.descriptions.get(language, "")

    def _add_crop(self) -> None:
        self.fields[_CROP] = forms.BooleanField(
            required=False,
            label=gettext("Crop: save the selected area as a new image"),
            help_text=gettext("Draw a box on the image. The original stays unchanged."),
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self._has_new_file():
            cleaned.pop("file", None)
        typed = {language: cleaned.get(name, "") for name, language in self._languages.items()}
        kept = {**self.instance.descriptions, **typed}
        self.instance.descriptions = {language: text for language, text in kept.items() if text}
        if cleaned.get(_CROP):
            try:
                self.cropped = self._crop(cleaned)
            except ValidationError as error:
                self.add_error(_CROP, error)
        return cleaned

    def _has_new_file(self) -> bool:
        return "file" in self.changed_data

    def _get_validation_exclusions(self) -> set[str]:
        """Keep Django from decoding the stored file, which may be damaged or large."""
        exclusions: set[str] = super()._get_validation_exclusions()
        return exclusions if self._has_new_file() else {*exclusions, "file"}

    def _crop(self, cleaned: Mapping[str, Any]) -> EncodedPicture:
        x, y, width, height = (cleaned.get(f"focal_point_{part}") for part in ("x", "y", "width", "height"))
        if self._has_new_file():
            raise ValidationError(gettext("Save the new file first. Then crop it."))
        if x is None or y is None or not width or not height:
            raise ValidationError(gettext("Draw a box on the image, around the part to keep."))
        sides = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        whole = (self.instance.width, self.instance.height)
        box = Box(*(min(max(side / whole[n % 2], 0), 1) for n, side in enumerate(sides)))
        try:
            with self.original_file.storage.open(self.original_file.name, "rb") as original:
                return WORKER.crop(original.read(), box)
        except (UnusablePicture, OSError) as error:
            raise ValidationError(gettext("This image cannot be cropped: {reason}.").format(reason=error)) from error


def _label(language: str) -> str:
    return gettext("Description ({language})").format(language=get_language_info(language)["name_translated"])
