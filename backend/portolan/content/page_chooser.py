"""The chooser of a linked page. Wagtail's loads each chosen page with its body and its parent, to say its title and where to begin
choosing another: of a form with forty links, that is most of what the database is asked for."""

from typing import Any

from django.utils.functional import cached_property
from wagtail import blocks
from wagtail.admin.widgets import AdminPageChooser
from wagtail.admin.widgets.chooser import BaseChooser
from wagtail.models import Page


class LinkedPageChooser(AdminPageChooser):
    def get_instance(self, value: Any) -> Any:
        return BaseChooser.get_instance(self, value)

    def get_value_data_from_instance(self, instance: Page) -> dict[str, Any]:
        data: dict[str, Any] = BaseChooser.get_value_data_from_instance(self, instance)
        above = Page.objects.filter(path=instance.path[: -Page.steplen])
        return data | {"parent_id": above.values_list("pk", flat=True).first()}


class LinkedPageBlock(blocks.PageChooserBlock):
    @cached_property
    def widget(self) -> LinkedPageChooser:
        return LinkedPageChooser(
            target_models=self.target_models,
            can_choose_root=self.can_choose_root,
        )
