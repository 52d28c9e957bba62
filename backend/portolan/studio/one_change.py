"""Makes what editors do to a page or an entry one change. Wagtail's actions save the page, its live copies and the pages below one
after the other, each in a transaction of its own: a process killed in between would leave some of them behind, and the
publisher might show visitors the half of it. Here each action is one transaction, whoever calls it.
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
"""Of those that change what visitors see, the ones that Wagtail leaves in parts."""


def connect() -> None:
    """A second call changes nothing."""
    for action in _ACTIONS:
        if not hasattr(action.execute, "__wrapped__"):
            action.execute = transaction.atomic(action.execute)
