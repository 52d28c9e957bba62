"""Choose a linked page with fewer queries than Wagtail's chooser.

Wagtail's chooser loads the body and parent of each chosen page, for its title and the start of the dialog. In a form
with forty links, this was most of the database load.
"""

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
