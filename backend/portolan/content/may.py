"""The one question: may somebody do this on that site? Of pages Wagtail's page permissions answer, of all else the rights of
roles; groups that a company has made itself count as they always did.
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
"""What an action takes on a site's home page. Wagtail knows no right to see: of those that show somebody the tree, this one
gives nothing but that, for it only widens the right to delete."""
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
    """``site``: its key; ``ALL_SITES`` for every one of them; None for any."""
    found = sites_where(user, action)
    if site is None:
        return bool(found)
    return found == frozenset(settings.SITES_REGISTRY.sites) if site == ALL_SITES else site in found


def sites_where(user: Person, action: Action) -> frozenset[str]:
    """Keys of the registry's sites where somebody may do this. Found out once for a request."""
    kept: dict[Action, frozenset[str]] | None = getattr(user, _KEPT, None)
    if kept is None:
        kept = {}
        setattr(user, _KEPT, kept)
    if action not in kept:
        kept[action] = _find(user, action)
    return kept[action]


def sites_with(user: Person, permission: str) -> frozenset[str]:
    """Keys of the registry's sites where somebody has a right of Django's, such as ``content.change_office``."""
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
