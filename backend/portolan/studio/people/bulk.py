"""Check permission for each account in a bulk action."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest

from .looking_after import may_look_after

_GIVES_GROUPS: Final = "assign_role"


def refuse_others(request: HttpRequest, action_type: str, objects: Sequence[Model], action: Any) -> None:
    """Hook that raises PermissionDenied. Only superusers may give groups in bulk, because a group can have any right."""
    people = [each for each in objects if isinstance(each, User)]
    if people and action_type == _GIVES_GROUPS and not request.user.is_superuser:
        raise PermissionDenied
    if not all(may_look_after(request.user, person) for person in people):
        raise PermissionDenied
