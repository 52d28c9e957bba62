"""Run each of Wagtail's actions in one transaction.

Wagtail saves a page, its live copies and child pages in separate transactions. If the process is killed between them,
visitors might see half of a change.
"""

from typing import Any, Final

from django.db import transaction
from wagtail.actions.move_page import MovePageAction
from wagtail.actions.publish_page_revision import PublishPageRevisionAction
from wagtail.actions.publish_revision import PublishRevisionAction
from wagtail.actions.unpublish import UnpublishAction
from wagtail.actions.unpublish_page import UnpublishPageAction

_ACTIONS: Final[tuple[Any, ...]] = (
    MovePageAction,
    PublishPageRevisionAction,
    UnpublishPageAction,
    PublishRevisionAction,
    UnpublishAction,
)
"""Wagtail's actions that change public content in several transactions."""


def connect() -> None:
    """Patch the actions once."""
    for action in _ACTIONS:
        if not hasattr(action.execute, "__wrapped__"):
            action.execute = transaction.atomic(action.execute)
