"""Insight videos and shorts."""

from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail.admin.ui.tables import Column
from wagtail.snippets.views.snippets import SnippetViewSetGroup

from ..collections.videos import InsightShort, InsightVideo
from .base import TranslatedViewSet, TranslationsFilterSet, shown_column, sites_column, updated_column


class VideoFilterSet(TranslationsFilterSet):
    class Meta:
        model = InsightVideo
        fields: ClassVar[list[str]] = []


class ShortFilterSet(TranslationsFilterSet):
    class Meta:
        model = InsightShort
        fields: ClassVar[list[str]] = []


class InsightVideoViewSet(TranslatedViewSet):
    model = InsightVideo
    icon = "media"
    list_display = ("__str__", Column("video_id", label=_("Video")), sites_column(), shown_column(), updated_column())
    filterset_class = VideoFilterSet


class InsightShortViewSet(TranslatedViewSet):
    model = InsightShort
    icon = "tablet-alt"
    list_display = ("__str__", Column("video_id", label=_("Video")), sites_column(), shown_column(), updated_column())
    filterset_class = ShortFilterSet


class VideosViewSetGroup(SnippetViewSetGroup):
    menu_label = _("Videos")
    menu_icon = "media"
    menu_order = 270
    items = (InsightVideoViewSet, InsightShortViewSet)
