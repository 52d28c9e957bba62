"""Store the role and site of a Django group. Roles are groups, so that Wagtail's permissions work with them."""

from typing import ClassVar

from django.contrib.auth.models import Group
from django.db import models

from ..domain.roles import Role, SiteRole


class RoleGroup(models.Model):
    """A group's role and site. ``portolan sites sync`` creates one for each role and site, and for each role on all sites."""

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="site_role")
    role = models.CharField(max_length=20)  # domain.roles.Role
    site = models.CharField(max_length=12, blank=True)  # key of the site; empty for all sites

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
