"""Check whether a person may take an action on a site.

Rights on pages are Wagtail's page permissions, all others the rights of roles. Groups that a company has created itself
count too.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from wagtail.permission_policies.pages import PagePermissionPolicy

from ..domain.roles import ALL_SITES, Action
from ..rights.held import Person, find_sites_with
from .site_records import load_site_roots

PAGE_RIGHTS: Final[Mapping[Action, str]] = {
    Action.SEE: "bulk_delete_page",
    Action.TRANSLATE: "change_page",
    Action.EDIT: "add_page",
    Action.PUBLISH: "publish_page",
}
"""Page permissions by action, on a site's home page. Wagtail has no right to see pages. This permission shows the tree
and has no other effect, because it only extends the right to delete."""
RIGHTS: Final[Mapping[Action, str]] = {
    Action.SEE_LEADS: "leads.view_lead",
    Action.WORK_ON_LEADS: "leads.change_lead",
    Action.EXPORT_LEADS: "leads.export_lead",
    Action.ERASE_LEADS: "leads.erase_lead",
    Action.SEE_RECORDS: "consent_records.view_consentrecord",
    Action.SEE_SIGN_INS: "accounts.view_signin",
    Action.ADMINISTER: "auth.change_user",
}
_KEPT: Final = "_sites_by_action"


def may(user: Person, action: Action, site: str | None = None) -> bool:
    """Return whether the person may take the action. ``site``: a key; ``ALL_SITES`` for all sites; None for any
    site."""
    found = sites_where(user, action)
    if site is None:
        return bool(found)
    return found == frozenset(settings.SITES_REGISTRY.sites) if site == ALL_SITES else site in found


def sites_where(user: Person, action: Action) -> frozenset[str]:
    """Return the keys of sites on which the person may take the action. Computed once per request."""
    kept: dict[Action, frozenset[str]] | None = getattr(user, _KEPT, None)
    if kept is None:
        kept = {}
        setattr(user, _KEPT, kept)
    if action not in kept:
        kept[action] = _find(user, action)
    return kept[action]


def sites_with(user: Person, permission: str) -> frozenset[str]:
    """Return the keys of sites on which the person has a Django permission, such as ``content.change_office``."""
    return _spell_out(find_sites_with(user, permission))


def _find(user: Person, action: Action) -> frozenset[str]:
    if action in RIGHTS:
        return sites_with(user, RIGHTS[action])
    everywhere = frozenset(settings.SITES_REGISTRY.sites)
    if not user.is_active:
        return frozenset()
    if getattr(user, "is_superuser", False):
        return everywhere
    held: Any = PagePermissionPolicy().get_cached_permissions_for_user(user)
    wanted = PAGE_RIGHTS[action]
    paths = [row.page.path for row in held if row.permission.codename == wanted or action is Action.SEE]
    return frozenset(
        key for key, root in load_site_roots().items() if any(root.root_path.startswith(path) for path in paths)
    )


def _spell_out(sites: frozenset[str]) -> frozenset[str]:
    every = frozenset(settings.SITES_REGISTRY.sites)
    return every if ALL_SITES in sites else sites & every
