"""A warning at the top of the first screen: sites that do not ask their visitors for consent although the law requires
it."""

from collections.abc import Mapping
from typing import Any

from laces.components import Component

from ..consent_records.checks import find_unasking_sites


class ConsentPanel(Component):
    name = "consent"
    order = 40
    template_name = "studio/consent_panel.html"

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {"sites": find_unasking_sites()}
