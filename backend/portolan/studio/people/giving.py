"""Give and take roles, and log who did it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy
from wagtail.log_actions import LogActionRegistry, LogFormatter, log

from ...domain.roles import ALL_SITES, TEXTS, Role, SiteRole
from ...rights.held import roles_of
from ...rights.models import RoleGroup
from ..permissions import sync_role_group
from ..site_names import site_name

ACTION: Final = "portolan.user.roles"


@transaction.atomic
def set_roles(person: User, wanted: Iterable[SiteRole], by: User | None) -> None:
    """Replace the person's roles. Groups that are not roles stay."""
    wanted, held = set(wanted), set(roles_of(person))
    if wanted == held:
        return
    person.groups.remove(*(RoleGroup.objects.get(role=each.role, site=each.site).group_id for each in held - wanted))
    person.groups.add(*(_group(each) for each in wanted - held))
    data = {"given": sorted(map(str, wanted - held)), "taken": sorted(map(str, held - wanted))}
    log(instance=person, action=ACTION, user=by, data=data)


def list_site_roles() -> Iterator[SiteRole]:
    """Yield every role on every site, in the order of the site configuration."""
    for site in (ALL_SITES, *settings.SITES_REGISTRY.sites):
        yield from (SiteRole(role, site) for role in Role)


def say(held: SiteRole) -> str:
    """Return for example "editor on Deutschland"."""
    return gettext("{role} on {site}").format(role=gettext(TEXTS[held.role].name), site=say_where(held))


def say_where(held: SiteRole) -> str:
    return site_name(held.site) if held.site else gettext("all sites")


def name_action(registry: LogActionRegistry) -> None:
    @registry.register_action(ACTION)
    class RolesFormatter(LogFormatter):
        label = gettext_lazy("Change roles")

        def format_message(self, entry: Any) -> str:
            said = [
                sentence.format(roles=", ".join(_say(found)))
                for sentence, key in ((gettext("gave {roles}"), "given"), (gettext("took {roles}"), "taken"))
                if (found := entry.data.get(key))
            ]
            return gettext("Changed roles: {names}").format(names="; ".join(said))


def _say(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        role, _, site = text.partition(":")
        yield say(SiteRole(Role(role), site)) if role in set(Role) else text


def _group(held: SiteRole) -> int:
    known = RoleGroup.objects.filter(role=held.role, site=held.site).first()
    return known.group_id if known else sync_role_group(held).pk
