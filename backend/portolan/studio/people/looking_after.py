"""Find the accounts that a person may manage, and the roles that the person may give."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from wagtail.permission_policies import ModelPermissionPolicy

from ...content.may import RIGHTS
from ...domain.previews import GUEST
from ...domain.roles import ALL_SITES, Action, SiteRole
from ...rights.held import Person, find_sites_with
from ...rights.models import RoleGroup


def list_people(viewer: Person) -> QuerySet[User]:
    """Return the accounts that ``viewer`` may manage.

    Only superusers manage superusers. Administrators of some sites manage accounts whose roles are all on these sites.
    The account for guests is never included.
    """
    people = User.objects.exclude(username=GUEST)
    if getattr(viewer, "is_superuser", False):
        return people
    sites = find_sites_with(viewer, RIGHTS[Action.ADMINISTER])
    people = people.filter(is_superuser=False) if sites else people.none()
    if ALL_SITES in sites:
        return people
    own = RoleGroup.objects.filter(site__in=sites).values("group")
    held: Any = User.groups.through.objects.filter(user=OuterRef("pk"))
    return people.filter(Exists(held), ~Exists(held.exclude(group__in=own)), user_permissions=None)


def may_look_after(viewer: Person, person: User) -> bool:
    return list_people(viewer).filter(pk=person.pk).exists()


def may_give(viewer: Person, held: SiteRole) -> bool:
    return not find_sites_with(viewer, RIGHTS[Action.ADMINISTER]).isdisjoint({ALL_SITES, held.site})


class PeoplePolicy(ModelPermissionPolicy):
    def user_has_permission_for_instance(self, user: Person, action: str, instance: User) -> bool:
        return self.user_has_permission(user, action) and may_look_after(user, instance)

    def user_has_any_permission_for_instance(self, user: Person, actions: Any, instance: User) -> bool:
        return any(self.user_has_permission_for_instance(user, action, instance) for action in actions)
