"""Insight videos and shorts: a cover and a title of ours, and the film: on a video platform, by its id, or a file of our own."""

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
    """A YouTube id. The address of the video is taken as well, and its id kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 11, **kwargs})

    def to_python(self, value: Any) -> str:
        return find_video_id(str(value)) or str(value)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if find_video_id(value) != value:
            raise ValidationError(
                gettext(
                    "{value!r} leads to no video. Copy the address of its page on YouTube, e.g. "
                    "https://www.youtube.com/watch?v=aqz-KE-bpKQ, or its id: the eleven characters after v=."
                ).format(value=value),
                code="video",
            )

    def run_validators(self, value: Any) -> None:
        """Runs no validators: if the text is no id, ``validate`` has reported it, and its length does not matter."""

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{**kwargs, "max_length": 500})


class Clip(TranslatedEntry):
    """What insight videos and shorts share."""

    schema = schemas.Video

    video_id = VideoIdField(
        verbose_name=_("video"), blank=True, help_text=_("Paste the address of its page on YouTube. Its id is kept.")
    )
    film = models.ForeignKey(
        "wagtaildocs.Document",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Instead of YouTube: a film of our own (.mp4 or .webm), which plays from our own site."),
    )
    cover = models.ForeignKey(
        PICTURE_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Stands in place of the video until a visitor plays it."),
    )
    published = models.DateField(
        _("online since"),
        null=True,
        blank=True,
        help_text=_("The day it went online. Search engines list no video without one."),
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
            raise ValidationError(
                {"film": gettext("Either a video on YouTube or a film of our own: empty one of the two.")}
            )
        if self.film and self.film.file_extension not in FILM_KINDS:
            raise ValidationError({"film": gettext("This document is no film: choose one that ends in .mp4 or .webm.")})
        if not self.film and not self.video_id:
            raise ValidationError(
                {"video_id": gettext("Paste the address of the video, or choose a film of our own below.")}
            )

    def freeze_value(self, translation: "ClipTranslation") -> dict[str, Any]:
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
        help_text=_("What the cover shows, for those who do not see it. Empty where it is decoration."),
    )

    class Meta(Translation.Meta):
        abstract = True


class InsightVideo(Clip):
    """A video in landscape format, some minutes long."""

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
