"""Create a group for each role, with its permissions in Django and Wagtail."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Model, Q
from wagtail.models import (
    Collection,
    DraftStateMixin,
    GroupCollectionPermission,
    GroupPagePermission,
    GroupSitePermission,
    Page,
)

from ..content.collections import COLLECTIONS
from ..content.collections.offices import Office, OfficeCategory
from ..content.collections.phones import Phone
from ..content.interface_words import InterfaceWords
from ..content.may import PAGE_RIGHTS, RIGHTS
from ..content.navigation.footer import FooterSettings
from ..content.navigation.menu import MenuSettings
from ..content.rate_card import RateCardSettings
from ..content.redirects import Redirect
from ..content.site_records import SiteRoot, load_site_roots
from ..domain.roles import ALL_SITES, Action, Role, SiteRole, actions_of, name_group
from ..rights.models import RoleGroup
from .site_names import site_name

_OF_OLD: Final = {SiteRole(Role.PUBLISHER, ALL_SITES): "Editors", SiteRole(Role.LEAD_HANDLER, ALL_SITES): "Leads"}
"""Groups of older versions. They become the groups of these roles, so that their members keep their rights."""
_LOCKS: Final = ("lock_page", "unlock_page")
_FILES: Final[Mapping[Action, tuple[str, ...]]] = {
    Action.TRANSLATE: ("choose_image", "choose_document"),
    Action.EDIT: ("add_image", "add_document"),
}
"""Permissions on Wagtail's own image model. Editors may change their own files until visitors see them
(``files.live``). ``_SHARED_FILES`` are for publishers of all sites.
"""
_SHARED_FILES: Final = ("change_image", "change_document")
_ENTRIES: Final[tuple[type[Model], ...]] = (*COLLECTIONS.values(), OfficeCategory, Redirect)
_SHARED: Final[Mapping[type[Model], frozenset[str]]] = {
    OfficeCategory: frozenset({"view"}),
    Phone: frozenset({"view"}),
    Office: frozenset({"view", "change", "publish"}),
}
"""Rights on entries of all sites for a role on one site. Offices have texts by site, so their form opens."""
_SETTINGS: Final[tuple[type[Model], ...]] = (MenuSettings, FooterSettings, RateCardSettings, InterfaceWords)


def sync_role_groups() -> None:
    """Create or update a group for each role on each site and on all sites."""
    roots = load_site_roots()
    for role in Role:
        for site in (ALL_SITES, *settings.SITES_REGISTRY.sites):
            if site == ALL_SITES or site in roots:
                sync_role_group(SiteRole(role, site))


@transaction.atomic
def sync_role_group(held: SiteRole) -> Group:
    """Create or update a group with exactly these rights. The group for all leads keeps the changes of administrators."""
    group, is_new = _find_group(held)
    if held.role is Role.LEAD_HANDLER and not is_new:
        return group
    root = load_site_roots()[held.site] if held.site else None
    group.permissions.set(_model_permissions(held))
    _give(group, held, root)
    return group


def sync_editors_group() -> Group:
    """Create or update the group of publishers on all sites."""
    return sync_role_group(SiteRole(Role.PUBLISHER, ALL_SITES))


def _find_group(held: SiteRole) -> tuple[Group, bool]:
    name = name_group(held, site_name(held.site) if held.site else "")
    known = RoleGroup.objects.select_related("group").filter(role=held.role, site=held.site).first()
    if known is None:
        of_old = Group.objects.filter(name__in=[name, _OF_OLD.get(held, name)], site_role=None).first()
        group = of_old or Group.objects.create(name=name)
        RoleGroup.objects.create(group=group, role=held.role, site=held.site)
        is_new = of_old is None
    else:
        group, is_new = known.group, False
    if group.name != name:  # the site was renamed, or the group is from an older version
        group.name = name
        group.save(update_fields=["name"])
    return group, is_new


def _model_permissions(held: SiteRole) -> list[Permission]:
    actions = actions_of(held)
    wanted = Q(content_type__app_label="wagtailadmin", codename="access_admin")
    for action, right in RIGHTS.items():
        if action in actions:
            app, _, codename = right.partition(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
    if Action.ADMINISTER in actions:
        users = ("add_user", "delete_user") if held.site == ALL_SITES else ("add_user",)
        wanted |= Q(content_type__app_label="auth", codename__in=users)
    if Action.EDIT in actions:
        wanted |= Q(content_type__app_label="simple_translation", codename="submit_translation")
    if held.site == ALL_SITES:
        wanted |= _rights_on((*_ENTRIES, *_SETTINGS), actions)
    else:
        for model in _ENTRIES:
            wanted |= _rights_on([model], actions, _SHARED.get(model))
    return list(Permission.objects.filter(wanted))


def _rights_on(models: Iterable[type[Model]], actions: frozenset[Action], among: frozenset[str] | None = None) -> Q:
    codenames = [
        f"{right}_{model._meta.model_name}"
        for model in models
        for right in _rights(model, actions)
        if among is None or right in among
    ]
    return Q(content_type__app_label="content", codename__in=codenames)


def _rights(model: type[Model], actions: frozenset[Action]) -> Iterator[str]:
    """Yield the rights on a model. If it has no drafts, changes need the right to publish."""
    has_drafts = issubclass(model, DraftStateMixin)
    if Action.SEE in actions:
        yield "view"
    texts = Action.EDIT if model is Redirect else Action.TRANSLATE
    if (texts if has_drafts else Action.PUBLISH) in actions:
        yield "change"
    if (Action.EDIT if has_drafts else Action.PUBLISH) in actions and (has_drafts or model not in _SETTINGS):
        yield "add"
    if Action.PUBLISH in actions:
        yield from () if model in _SETTINGS else ("delete",)
        yield from ("publish", "lock", "unlock") if has_drafts else ()


def _give(group: Group, held: SiteRole, root: SiteRoot | None) -> None:
    """Grant rights on pages, files and settings of the site, or of all."""
    actions = actions_of(held)
    pages = [right for action, right in PAGE_RIGHTS.items() if action in actions and action is not Action.SEE]
    if Action.PUBLISH in actions:
        pages += _LOCKS
    if Action.SEE in actions and not pages:
        pages = [PAGE_RIGHTS[Action.SEE]]
    _add(GroupPagePermission, group, pages, page_id=root.root_page_id if root else _top(Page))
    files = [codename for action, names in _FILES.items() if action in actions for codename in names]
    if Action.PUBLISH in actions and root is None:
        files += _SHARED_FILES
    _add(GroupCollectionPermission, group, files, collection_id=_top(Collection))
    if root:
        rights = [f"{right}_{model._meta.model_name}" for model in _SETTINGS for right in _rights(model, actions)]
        _add(GroupSitePermission, group, rights, site_id=root.wagtail_site_id)


def _add(model: type[Model], group: Group, codenames: Iterable[str], **place: int) -> None:
    """Grant permissions. Other permissions of the group stay."""
    known = set(model._default_manager.filter(group=group, **place).values_list("permission__codename", flat=True))
    for permission in Permission.objects.filter(codename__in={*codenames} - known):
        model._default_manager.create(group=group, permission=permission, **place)


def _top(model: type[Page] | type[Collection]) -> int:
    root: int = model.get_first_root_node().pk
    return root
