"""Name our own actions in the histories of entries, menus, footers, rate cards and redirects."""

from django.utils.translation import gettext_lazy
from wagtail.log_actions import LogActionRegistry

from .drafts import FIRST_KEPT, REVERTED


def name_actions(registry: LogActionRegistry) -> None:
    registry.register_action(
        FIRST_KEPT, gettext_lazy("Keep the previous version"), gettext_lazy("The version before the first edit")
    )
    registry.register_action(REVERTED, gettext_lazy("Revert"), gettext_lazy("Reverted to the version before a release"))
