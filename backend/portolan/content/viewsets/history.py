"""Show the changes of each edit in the history of an entry, menu or redirect."""

from functools import cached_property
from typing import Any

from django.utils.html import format_html
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic.history import ActionColumn
from wagtail.models import Revision
from wagtail.snippets.views.snippets import HistoryView

from ..what_changed import say_changes


class ChangesColumn(ActionColumn):
    def get_value(self, instance: Any) -> Any:
        said = super().get_value(instance)
        if instance.action.startswith("wagtail.publish") or not (instance.revision and instance.previous_revision_id):
            return said
        before = Revision.objects.filter(pk=instance.previous_revision_id).first()
        words = before and say_changes(type(self.object), before.content, instance.revision.content)
        return format_html("{}: {}", said, words) if words else said


class ChangesHistoryView(HistoryView):
    @cached_property
    def columns(self) -> list[Column]:
        columns: list[Column] = list(super().columns)
        first: Any = columns[0]
        names, may = first.url_names, first.user_can_unschedule
        own = ChangesColumn("message", label=first.label, object=self.object, url_names=names, user_can_unschedule=may)
        return [own, *columns[1:]]
