"""List for each site its own menu, footer or rate card, or the site from which it inherits."""

from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from wagtail.models import Site
from wagtail.permissions import policy_registry

from ...content.export import SETTINGS, inherited_site
from ...content.site_records import load_site_roots
from ...content.site_setting import SiteSetting

MODELS: Final = tuple(model for model, _ in SETTINGS.values())


class SettingRow(NamedTuple):
    """The menu, footer or rate card of one site."""

    key: str
    """Key of the site."""
    name: str
    """Name of the site."""
    wagtail_site_id: int
    own: Any
    """The site's own row, live or not; None if there never was one."""
    inherits: str
    """Name of the site from which visitors see it; empty if they see the site's own or none."""

    @property
    def is_shown(self) -> bool:
        return bool(self.own and self.own.live and self.own.is_filled())

    @property
    def has_begun(self) -> bool:
        """True if the site has its own, live or as a draft."""
        return bool(self.own and (self.own.is_filled() or self.own.latest_revision_id))


def list_rows(model: type[SiteSetting], user: AbstractBaseUser | AnonymousUser) -> list[SettingRow]:
    """Return the rows that ``user`` may see, in the order of the site configuration."""
    policy = policy_registry.get_by_type(model)
    allowed = {site.pk for site in policy.sites_user_has_any_permission_for(user, ["change", "view"])}
    owned: dict[int, Any] = {row.site_id: row for row in model._default_manager.select_related("latest_revision")}
    roots = load_site_roots()
    rows = []
    for key, site in settings.SITES_REGISTRY.sites.items():
        root = roots.get(key)
        if root is None or root.wagtail_site_id not in allowed:
            continue
        row = SettingRow(key, site.name, root.wagtail_site_id, owned.get(root.wagtail_site_id), "")
        source = inherited_site(key)
        if source and source in roots and not row.is_shown:
            row = row._replace(inherits=settings.SITES_REGISTRY.sites[source].name)
        rows.append(row)
    return rows


def find_source(model: type[SiteSetting], key: str) -> Any:
    """Return the row that a site shows if it has none of its own."""
    source = inherited_site(key)
    return find_shown(model, source) if source else None


def find_shown(model: type[SiteSetting], key: str) -> Any:
    """Return the row that visitors of the site see, if it has its own."""
    root = load_site_roots().get(key)
    return root and model._default_manager.filter(live=True, site_id=root.wagtail_site_id).first()


def inherits_from(row: Any) -> str:
    """Return the name of the site that would be shown instead of ``row``, or an empty text."""
    site = next((key for key, root in load_site_roots().items() if root.wagtail_site_id == row.site_id), "")
    source = inherited_site(site) if site else None
    return settings.SITES_REGISTRY.sites[source].name if source else ""


def may_change(user: AbstractBaseUser | AnonymousUser, model: type[SiteSetting], wagtail_site_id: int) -> bool:
    site = Site.objects.filter(pk=wagtail_site_id).first()
    return site is not None and policy_registry.get_by_type(model).user_has_permission_for_instance(
        user, "change", site
    )
