"""Manage images: the editor's upload, and the published files that are made at upload, never during a publish.

Originals are private to the studio. Published files are in ``pictures/<digest>/``, named by their content.
"""

import gzip
import hashlib
import logging
from collections.abc import Mapping
from datetime import timedelta
from io import BytesIO
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import unquote

import brotli
import willow
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.db import models, transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.db.models.signals import post_save
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from wagtail.images.models import AbstractImage, AbstractRendition, SourceImageIOError
from wagtail.images.models import Image as WagtailImage

from ..domain.media_addresses import MEDIA
from ..domain.picture_focus import Area, find_focus
from ..domain.picture_losses import Loss
from ..domain.svg import UnsafeSvgError, clean_svg
from ..schemas.media import PictureVariant
from .media_away import MediaAway, check_media_is_there
from .picture_files import DECODED_HERE, RECIPE, find_losses, oldest_recipe
from .picture_worker import WORKER
from .published_files import ending_of, stem_of, store

_MADE_WITHIN: Final = timedelta(minutes=1)
"""Usual time after an upload within which its files are made."""

ALT_LENGTH: Final = 160
"""Largest number of characters in a description."""

_unusable: set[int] = set()
_log = logging.getLogger(__name__)


def main_language(tag: str) -> str:
    """Return the language without its country: sites of one language share descriptions."""
    return tag.partition("-")[0].lower()


class SiteImage(AbstractImage):
    """An uploaded image. ``published`` is empty until its files have been made."""

    published = models.JSONField(default=dict, editable=False)
    """The ``Picture`` schema without ``alt``, ``url`` and ``focus``, in wire names."""
    published_from = models.CharField(max_length=120, blank=True, editable=False)
    """Recipe and name of the original that ``published`` was made from."""
    losses = models.JSONField(default=list, db_default=[], editable=False)
    """Parts of the original that visitors do not see: values of ``Loss``."""
    descriptions = models.JSONField(default=dict, db_default={}, editable=False)
    """By language (``de``), without the default site's, which is in ``description``."""

    admin_form_fields = WagtailImage.admin_form_fields

    class Meta(AbstractImage.Meta):
        verbose_name = gettext_lazy("image")
        verbose_name_plural = gettext_lazy("images")
        permissions = (("choose_image", "Can choose image"),)

    def get_upload_to(self, filename: str) -> str:
        """Return a name made from the bytes, so that a replaced file always counts as a change."""
        self.file.seek(0)
        digest = hashlib.sha256(self.file.read()).hexdigest()[:16]
        self.file.seek(0)
        name = PurePath(filename)
        return f"originals/{digest}/{stem_of(name, 'picture')}{ending_of(name)}"

    def generate_rendition_file(self, filter: Any, *, source: Any = None) -> Any:
        """Return a thumbnail. For a large image, this process decodes only one of its small files.

        Raise SourceImageIOError for damaged originals, for which Wagtail shows a placeholder.
        """
        if source is None and not self.is_svg() and self.width * self.height > DECODED_HERE:
            source = self._open_small_file()
        try:
            return super().generate_rendition_file(filter, source=source)
        except (OSError, SyntaxError, ValueError) as error:  # of any decoder
            raise SourceImageIOError(str(error)) from error

    def _open_small_file(self) -> File[bytes]:
        small = self.published.get("tablet")
        if not small:
            raise SourceImageIOError(
                gettext("The image {title} has not been processed yet, or cannot be processed.").format(
                    title=self.title
                )
            )
        name = unquote(small["webp"]).removeprefix(MEDIA)
        with self.file.storage.open(name, "rb") as file:
            return File(BytesIO(file.read()), name=name)

    def clean(self) -> None:
        super().clean()
        if not self.file or self.file._committed:
            return
        try:
            check_media_is_there()
        except ValidationError as error:
            raise ValidationError({"file": error}) from None
        self.file.seek(0)
        if not self.is_svg():
            self.losses = find_losses(self.file)
            self.file.seek(0)
            return
        try:
            cleaned = clean_svg(self.file.read())
        except UnsafeSvgError as error:
            raise ValidationError({"file": error.say(gettext)}) from error
        self.losses = sorted(cleaned.losses)
        self.file.file = File(BytesIO(cleaned.data), name=self.file.name)

    def describe(self, language: str) -> str:
        """Return the description in a language (``de-AT``), or an empty text. Another language is no substitute."""
        wanted, own = main_language(language), main_language(settings.SITES_REGISTRY.default_site.language)
        return self.description if wanted == own else str(self.descriptions.get(wanted, ""))

    @property
    def wanted_from(self) -> str:
        return f"{RECIPE}:{self.file.name}"


class SiteRendition(AbstractRendition):
    """Wagtail's own rendition: thumbnails inside the studio only."""

    image = models.ForeignKey(SiteImage, related_name="renditions", on_delete=models.CASCADE)

    class Meta:
        unique_together = (("image", "filter_spec", "focal_point_key"),)


def publish_picture(image: SiteImage) -> bool:
    """Make the published files of ``image`` and store them on its row. Return False if they were up to date.

    Slow (0.1-0.5 s for a photo), so call it outside of transactions. Saving the row sends ``post_save`` again, which
    creates a pending change.
    """
    if image.published_from == image.wanted_from:
        return False
    with image.file.storage.open(image.file.name, "rb") as original:
        recipe = oldest_recipe(original, is_svg=image.is_svg())
        if image.published and not image.is_svg() and image.published_from == f"{recipe}:{image.file.name}":
            original.seek(0)
            _note_same_files(image, find_losses(original))
            return False
        original.seek(0)
        data = original.read()
    if not image.is_svg():
        image.losses = find_losses(BytesIO(data))
    folder = f"pictures/{hashlib.sha256(recipe.encode() + data).hexdigest()[:16]}"
    base = f"{folder}/{stem_of(PurePath(image.file.name), 'picture')}"
    image.published = _publish_vector(data, base) if image.is_svg() else _publish_raster(data, base)
    image.published_from = image.wanted_from
    with transaction.atomic():  # the row and its pending change are stored together or not at all
        image.save(update_fields=["published", "published_from", "losses"])
    return True


def _note_same_files(image: SiteImage, losses: list[Loss]) -> None:
    """Store that the current recipe makes the same files. Sends no signal, because pages stay the same."""
    image.published_from, image.losses = image.wanted_from, losses
    SiteImage.objects.filter(pk=image.pk).update(published_from=image.published_from, losses=losses)


def find_outdated() -> "models.QuerySet[SiteImage]":
    """Return the images whose files were made by an older recipe."""
    own_file = Concat(Value(":"), "file", output_field=models.CharField())
    made = SiteImage.objects.filter(published_from__endswith=own_file)
    return made.exclude(published_from__startswith=f"{RECIPE}:").order_by("pk")


def remake_outdated() -> int:
    """Make the files of outdated images again, for an upgrade. Return the number made.

    If this fails for an image, pages keep its earlier files. Raise MediaAway.
    """
    made = 0
    for image in find_outdated():
        try:
            made += publish_picture(image)
        except MediaAway:
            raise
        except Exception:
            _log.exception("The image %s cannot be processed again. Pages keep its earlier files.", image.title)
            _note_same_files(image, image.losses)
    return made


def publish_left_over() -> None:
    """Make files that are missing after an upload, because the storage was unreachable or the process ended.

    This process skips images that failed before.
    """
    own_file = Concat(Value(":"), "file", output_field=models.CharField())  # by any recipe
    uploaded_before = timezone.now() - _MADE_WITHIN
    left = SiteImage.objects.exclude(published_from__endswith=own_file).filter(created_at__lt=uploaded_before)
    for image in left.exclude(pk__in=_unusable):
        try:
            publish_picture(image)
        except MediaAway:
            return
        except Exception:
            _unusable.add(image.pk)
            _log.exception("The image %s cannot be processed", image.title)


def snapshot_picture(image: SiteImage) -> dict[str, Any]:
    """Return the ``Picture`` schema without ``alt``, for an image whose files exist."""
    made: Mapping[str, Any] = image.published
    widest = next((made[name] for name in ("desktop", "tablet", "mobile") if made[name]), None)
    focus = None
    if image.has_focal_point():
        area = (image.focal_point_x, image.focal_point_y, image.focal_point_width or 0, image.focal_point_height or 0)
        focus = find_focus(Area(*area), image.width, image.height)
    return {**made, "url": widest["webp"] if widest else made["vector"], "focus": focus}


def connect() -> None:
    """Make the files of each saved image after its transaction."""
    post_save.connect(_publish_after_commit, sender=SiteImage, dispatch_uid="publish_picture")


def _publish_after_commit(instance: SiteImage, raw: bool = False, **_: Any) -> None:
    def publish() -> None:
        publish_picture(instance)

    if instance.published_from != instance.wanted_from and not raw:
        # robust: a file that cannot be encoded is logged, and publish checks reject the page that uses it
        transaction.on_commit(publish, robust=True)


def _publish_vector(data: bytes, base: str) -> dict[str, Any]:
    drawing = clean_svg(data).data
    width, height = (max(1, round(length)) for length in willow.Image.open(BytesIO(drawing)).get_size())
    # Compressed, a chart of 38 kB is sent as 10 kB: the edge uses these copies if the browser accepts them.
    store(f"{base}.svg.br", brotli.compress(drawing, quality=11))
    store(f"{base}.svg.gz", gzip.compress(drawing, 9, mtime=0))
    sizes = {"width": width, "height": height, "mobile": None, "tablet": None, "desktop": None}
    return {**sizes, "vector": store(f"{base}.svg", drawing)}


def _publish_raster(data: bytes, base: str) -> dict[str, Any]:
    encoded = WORKER.encode(data)
    urls = {name: store(f"{base}-{name}", content) for name, content in encoded.files.items()}
    variants = {
        name: PictureVariant(
            width=low.width,
            height=low.height,
            webp=urls[f"{low.width}.webp"],
            webp2x=urls[f"{high.width}.webp"],
            avif=urls[f"{low.width}.avif"],
            avif2x=urls[f"{high.width}.avif"],
        ).model_dump(by_alias=True)
        for name, (low, high) in encoded.variants.items()
    }
    return {"width": encoded.width, "height": encoded.height, **variants, "vector": None}
