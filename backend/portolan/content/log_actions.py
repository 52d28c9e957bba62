"""What the histories of entries, menus, footers, rate cards and redirects say, beside Wagtail's own words."""

from wagtail.log_actions import LogActionRegistry

from .drafts import FIRST_KEPT, TAKEN_BACK


def name_actions(registry: LogActionRegistry) -> None:
    registry.register_action(FIRST_KEPT, "Keep what was there", "What was there before, kept to compare with")
    registry.register_action(TAKEN_BACK, "Take back", "As it was before a release that was taken back")
