"""What editors may do: everything about content, nothing about users, sites and languages."""

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q
from wagtail.models import Collection, GroupCollectionPermission, GroupPagePermission, Page

from ..content.collections import COLLECTIONS

EDITORS: Final = "Editors"
_PAGES: Final = ("add_page", "change_page", "publish_page", "lock_page", "unlock_page")
_FILES: Final = (
    "add_siteimage", "change_siteimage", "choose_siteimage", "choose_image",
    "add_document", "change_document", "choose_document",
)  # fmt: skip
_DRAFTS: Final = ("publish", "lock", "unlock")
_ALL: Final = ("add", "change", "delete", "view", *_DRAFTS)
_OF_A_SITE: Final = ("add", "change", "view", *_DRAFTS)
_MODELS: Final = {
    **{model._meta.model_name: _ALL for model in COLLECTIONS.values()},
    "officecategory": _ALL,
    "redirect": _ALL,
    "menusettings": _OF_A_SITE,
    "footersettings": _OF_A_SITE,
    "ratecardsettings": _OF_A_SITE,
}


def sync_editors_group() -> Group:
    """The group of editors with exactly these permissions. A second run changes nothing."""
    group, _ = Group.objects.get_or_create(name=EDITORS)
    group.permissions.set(_model_permissions())
    root = Page.get_first_root_node()
    for permission in _permissions("wagtailcore", _PAGES):
        GroupPagePermission.objects.get_or_create(group=group, page=root, permission=permission)
    collection = Collection.get_first_root_node()
    for permission in Permission.objects.filter(codename__in=_FILES):
        GroupCollectionPermission.objects.get_or_create(group=group, collection=collection, permission=permission)
    return group


def _model_permissions() -> Iterable[Permission]:
    wanted = Q(content_type__app_label="wagtailadmin", codename="access_admin")
    wanted |= Q(content_type__app_label="simple_translation", codename="submit_translation")
    for model, actions in _MODELS.items():
        codenames = [f"{action}_{model}" for action in actions]
        wanted |= Q(content_type__app_label="content", codename__in=codenames)
    return Permission.objects.filter(wanted)


def _permissions(app: str, codenames: Iterable[str]) -> Iterable[Permission]:
    return Permission.objects.filter(content_type__app_label=app, codename__in=codenames)
