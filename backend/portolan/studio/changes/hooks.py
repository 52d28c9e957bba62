"""Connect change sets to Wagtail's screens."""

from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from wagtail import hooks

from . import adding, calendar, details, facets, moving, screens
from .review import CHANGED
from .steps import LOGGED


def register() -> None:
    for item in (adding.PageSaveToRecent, adding.PageSaveToSet):
        hooks.register("register_page_action_menu_item", item)
    for snippet_item in (adding.SnippetSaveToRecent, adding.SnippetSaveToSet):
        hooks.register("register_snippet_action_menu_item", adding.snippet_action(snippet_item))
    for name in ("after_edit_page", "after_create_page", "after_edit_snippet", "after_create_snippet"):
        hooks.register(name, adding.after_saving, order=-1)
    for name in ("before_publish_page", "before_publish"):
        hooks.register(name, adding.before_publishing)
    hooks.register("construct_snippet_action_menu", adding.leave_publishing_out, order=100)
    hooks.register("before_move_page", moving.plan_instead)
    hooks.register("before_bulk_action", moving.refuse_many)
    hooks.register("register_bulk_action", moving.MoveTicked, order=100)
    hooks.register("register_page_header_buttons", adding.header_button)
    hooks.register("register_bulk_action", adding.AddTicked)
    hooks.register("register_bulk_action", facets.SortTicked)
    hooks.register("register_admin_menu_item", screens.ChangesItem)
    hooks.register("register_admin_menu_item", calendar.CalendarItem)
    hooks.register("register_log_actions", _name_actions)


def _name_actions(actions: Any) -> None:
    for step, label in LOGGED.items():
        actions.register_action(
            f"portolan.change_set.{step.value}",
            gettext_lazy(label),
            format_lazy(gettext_lazy("{label}: change set"), label=gettext_lazy(label)),
        )
    actions.register_action(
        details.DETAILS, gettext_lazy("Rename"), gettext_lazy("Changed the name or note of a change set")
    )
    actions.register_action(details.ASSIGNED, gettext_lazy("Assign"), gettext_lazy("Assigned a change set"))
    actions.register_action(
        CHANGED, gettext_lazy("Changed the review rule"), gettext_lazy("Changed the review rule of the site")
    )
