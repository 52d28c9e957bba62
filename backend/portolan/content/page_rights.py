"""Deny translators the actions that come with Wagtail's right to change a page: deleting, moving and copying."""

from typing import Any, Final

from wagtail.models import GroupPagePermission, PagePermissionTester

from ..domain.roles import Role
from ..rights.models import RoleGroup

_KEPT: Final = "_translator_groups"


class RolePagePermissionTester(PagePermissionTester):
    def can_delete(self, ignore_bulk: bool = False) -> bool:
        return not self._only_translates() and bool(super().can_delete(ignore_bulk))

    def can_copy(self) -> bool:
        return not self._only_translates() and bool(super().can_copy())

    def _only_translates(self) -> bool:
        """Return whether the person may change the page only as a translator. Rights from a company's own groups stay
        complete."""
        if self.user.is_superuser or "change" not in self.permissions or "add" in self.permissions:
            return False
        groups = _translator_groups(self.user)
        held: list[GroupPagePermission] = list(self.permission_policy.get_cached_permissions_for_user(self.user))
        return all(
            row.group_id in groups
            for row in held
            if row.permission.codename == "change_page" and self.page.path.startswith(row.page.path)
        )


def _translator_groups(user: Any) -> frozenset[int]:
    if (kept := getattr(user, _KEPT, None)) is None:
        rows = RoleGroup.objects.filter(role=Role.TRANSLATOR, group__user=user)
        kept = frozenset(rows.values_list("group_id", flat=True))
        setattr(user, _KEPT, kept)
    found: frozenset[int] = kept
    return found
