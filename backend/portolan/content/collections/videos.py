"""Insight videos and shorts, each with a title, a cover and the video: a YouTube ID or an uploaded file."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...domain.videos import FILM_KINDS, find_video_id
from ...schemas import video as schemas
from ..items import SHORT, VIDEO
from ..schedule_panel import SchedulePanel
from .base import (
    PICTURE_MODEL,
    TranslatedEntry,
    Translation,
    document,
    key_panel,
    picture,
    search_translations,
    translations_panel,
)


class VideoIdField(models.CharField):  # type: ignore[type-arg]
    """A YouTube ID. Accepts the URL of a video and stores its ID."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 11, **kwargs})

    def to_python(self, value: Any) -> str:
        return find_video_id(str(value)) or str(value)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if find_video_id(value) != value:
            raise ValidationError(
                gettext(
                    "{value!r} is not a YouTube video. Copy the URL of the video's page, e.g. "
                    "https://www.youtube.com/watch?v=aqz-KE-bpKQ, or its ID: the eleven characters after v=."
                ).format(value=value),
                code="video",
            )

    def run_validators(self, value: Any) -> None:
        """Run no validators: ``validate`` has already reported any text other than an ID, so its length needs no
        check."""

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{**kwargs, "max_length": 500})


class Clip(TranslatedEntry):
    """Fields of insight videos and shorts."""

    schema = schemas.Video

    video_id = VideoIdField(
        verbose_name=_("video"), blank=True, help_text=_("Paste the URL of the video on YouTube. Its ID is stored.")
    )
    film = models.ForeignKey(
        "wagtaildocs.Document",
        verbose_name=_("video file"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Instead of YouTube: an uploaded video (.mp4 or .webm)."),
    )
    cover = models.ForeignKey(
        PICTURE_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Shown until a visitor plays the video."),
    )
    published = models.DateField(
        _("online since"),
        null=True,
        blank=True,
        help_text=_("The date of publication. Search engines require it to list a video."),
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("video_id"), key_panel("how-we-estimate")]),
                FieldPanel("film"),
                FieldPanel("published"),
                FieldPanel("cover"),
            ],
            heading=_("Video"),
        ),
        translations_panel("title", "alt"),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *TranslatedEntry.search_fields,
        index.AutocompleteField("video_id"),
        search_translations("title"),
    ]

    class Meta(TranslatedEntry.Meta):
        abstract = True

    def __str__(self) -> str:
        translation = self.studio_translation()
        return translation.title if translation else self.key

    def clean(self) -> None:
        super().clean()
        if self.film and self.video_id:
            raise ValidationError({"film": gettext("Use either a YouTube video or a video file. Clear one of them.")})
        if self.film and self.film.file_extension not in FILM_KINDS:
            raise ValidationError(
                {"film": gettext("This document is not a video. Choose a file that ends in .mp4 or .webm.")}
            )
        if not self.film and not self.video_id:
            raise ValidationError({"video_id": gettext("Paste the URL of the video, or choose a video file below.")})

    def snapshot_value(self, translation: "ClipTranslation") -> dict[str, Any]:
        return {
            "id": self.key,
            "title": translation.title,
            "cover": picture(self.cover_id, translation.alt),
            "videoId": self.video_id,
            "film": document(self.film_id),
            "published": self.published and self.published.isoformat(),
        }


class ClipTranslation(Translation):
    title = models.CharField(max_length=120)
    alt = models.CharField(
        _("description of the cover"),
        max_length=160,
        blank=True,
        help_text=_("Describes the cover to people who cannot see it. Leave empty if the cover is decoration."),
    )

    class Meta(Translation.Meta):
        abstract = True


class InsightVideo(Clip):
    """A video in landscape format, a few minutes long."""

    kind = VIDEO

    class Meta(Clip.Meta):
        verbose_name = _("insight video")


class InsightVideoTranslation(ClipTranslation):
    entry = ParentalKey(InsightVideo, on_delete=models.CASCADE, related_name="translations")

    class Meta(ClipTranslation.Meta):
        verbose_name = _("translation of an insight video")
        verbose_name_plural = _("translations of insight videos")


class InsightShort(Clip):
    """A video in portrait format, less than a minute long."""

    kind = SHORT

    class Meta(Clip.Meta):
        verbose_name = _("short")


class InsightShortTranslation(ClipTranslation):
    entry = ParentalKey(InsightShort, on_delete=models.CASCADE, related_name="translations")

    class Meta(ClipTranslation.Meta):
        verbose_name = _("translation of a short")
        verbose_name_plural = _("translations of shorts")
