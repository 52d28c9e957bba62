"""Roles are groups of Django, so that Wagtail's own permissions, and whoever gives people groups, work by themselves. This
says of a group which role it is, and where.
"""

from typing import ClassVar

from django.contrib.auth.models import Group
from django.db import models

from ..domain.roles import Role, SiteRole


class RoleGroup(models.Model):
    """``portolan sites sync`` makes one for each role and site, and one for each role on all sites."""

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="site_role")
    role = models.CharField(max_length=20)  # domain.roles.Role
    site = models.CharField(max_length=12, blank=True)  # a key of the registry; empty for all sites

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("role", "site"), name="one_group_for_a_role_on_a_site")
        ]

    def __str__(self) -> str:
        return str(self.held)

    @property
    def held(self) -> SiteRole:
        return SiteRole(Role(self.role), self.site)
