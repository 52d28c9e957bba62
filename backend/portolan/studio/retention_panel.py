"""A warning at the top of the first screen: personal data whose time seems to be over, and which nobody has let go yet."""

from collections.abc import Mapping
from typing import Any, Final

from laces.components import Component

from ..retention.check import list_doubts

_COMMANDS: Final = {"leads": "portolan leads purge", "consent records": "portolan consent purge"}


class RetentionPanel(Component):
    name = "retention"
    order = 41
    template_name = "studio/retention_panel.html"

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {"doubts": [(each, _COMMANDS[each.subject]) for each in list_doubts()]}
