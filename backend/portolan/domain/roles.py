"""What people may do in the studio: roles, each on chosen sites or on all of them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from .words import mark

ALL_SITES: Final = ""
"""In place of a site's key."""


class Action(StrEnum):
    SEE = "see"
    """Pages, entries and releases of the site."""
    TRANSLATE = "translate"
    """Change the texts of what is there, as drafts."""
    EDIT = "edit"
    """Add, move and delete too, as drafts."""
    PUBLISH = "publish"
    """Make live, schedule, revert; change what has no drafts."""
    SEE_LEADS = "see leads"
    """Download their files too."""
    WORK_ON_LEADS = "work on leads"
    """Decide, assign, note, answer."""
    EXPORT_LEADS = "export leads"
    ERASE_LEADS = "erase leads"
    """A person's data, wherever they have written."""
    SEE_RECORDS = "see records"
    """Of visitors' consent."""
    SEE_SIGN_INS = "see sign-ins"
    """Who has tried to sign in, from where."""
    ADMINISTER = "administer"
    """Accounts: who has which role, how they sign in."""


class Role(StrEnum):
    ADMINISTRATOR = "administrator"
    PUBLISHER = "publisher"
    EDITOR = "editor"
    TRANSLATOR = "translator"
    LEAD_HANDLER = "lead-handler"
    READER = "reader"


class RoleText(NamedTuple):
    name: str
    plural: str
    says: str
    """What somebody with the role may do, for the form in which it is given."""


_READER: Final = frozenset({Action.SEE})
_TRANSLATOR: Final = _READER | {Action.TRANSLATE}
_EDITOR: Final = _TRANSLATOR | {Action.EDIT}
_PUBLISHER: Final = _EDITOR | {Action.PUBLISH}
_LEAD_HANDLER: Final = frozenset({Action.SEE_LEADS, Action.WORK_ON_LEADS, Action.EXPORT_LEADS, Action.ERASE_LEADS})

ACTIONS: Final[Mapping[Role, frozenset[Action]]] = {
    Role.ADMINISTRATOR: frozenset(Action),
    Role.PUBLISHER: _PUBLISHER,
    Role.EDITOR: _EDITOR,
    Role.TRANSLATOR: _TRANSLATOR,
    Role.LEAD_HANDLER: _LEAD_HANDLER,
    Role.READER: _READER,
}
"""The table. Whatever asks what somebody may do asks for an action, never for a role."""

_FOR_ALL_SITES_ALONE: Final = frozenset({Action.ERASE_LEADS, Action.SEE_RECORDS, Action.SEE_SIGN_INS})
"""What has no site: a person may have written to several."""

TEXTS: Final[Mapping[Role, RoleText]] = {
    Role.ADMINISTRATOR: RoleText(
        mark("Administrator"), mark("Administrators"), mark("everything, accounts and leads too")
    ),
    Role.PUBLISHER: RoleText(mark("Publisher"), mark("Publishers"), mark("writes and publishes")),
    Role.EDITOR: RoleText(mark("Editor"), mark("Editors"), mark("writes drafts and submits them")),
    Role.TRANSLATOR: RoleText(
        mark("Translator"), mark("Translators"), mark("changes texts of pages that are there, as drafts")
    ),
    Role.LEAD_HANDLER: RoleText(mark("Lead handler"), mark("Lead handlers"), mark("works on leads, sees no pages")),
    Role.READER: RoleText(mark("Reader"), mark("Readers"), mark("sees pages and releases, changes nothing")),
}


class SiteRole(NamedTuple):
    role: Role
    site: str
    """A key of the registry, or ``ALL_SITES``."""

    def __str__(self) -> str:
        """As commands and settings write it: ``editor:de``, ``editor`` for all sites."""
        return f"{self.role}:{self.site}" if self.site else str(self.role)


def parse_site_role(text: str) -> SiteRole:
    """Raises ValueError for a role that there is not."""
    role, _, site = text.partition(":")
    return SiteRole(Role(role), site)


def actions_of(held: SiteRole) -> frozenset[Action]:
    """What the role allows there."""
    return ACTIONS[held.role] if held.site == ALL_SITES else ACTIONS[held.role] - _FOR_ALL_SITES_ALONE


def name_group(held: SiteRole, site_name: str) -> str:
    """What the group of people with this role is called. ``site_name``: of a role on one site."""
    return f"{TEXTS[held.role].plural} · {site_name if held.site else 'all sites'}"
