"""Define roles in the studio and their rights, each on chosen sites or all."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from .words import mark

ALL_SITES: Final = ""
"""Used in place of a site's key."""


class Action(StrEnum):
    SEE = "see"
    """See pages, entries and releases of the site."""
    TRANSLATE = "translate"
    """Change texts of existing content, as drafts."""
    EDIT = "edit"
    """Also add, move and delete, as drafts."""
    PUBLISH = "publish"
    """Publish, schedule and revert; change content that has no drafts."""
    SEE_LEADS = "see leads"
    """Includes downloading their files."""
    WORK_ON_LEADS = "work on leads"
    """Decide, assign, note, answer."""
    EXPORT_LEADS = "export leads"
    ERASE_LEADS = "erase leads"
    """Erase a person's data in all leads."""
    SEE_RECORDS = "see records"
    """See records of visitors' consent."""
    SEE_SIGN_INS = "see sign-ins"
    """See sign-in attempts and their origin."""
    ADMINISTER = "administer"
    """Manage accounts: roles and sign-in methods."""


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
    """The rights of the role, for the form that assigns it."""


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
"""Actions of each role. To check a right, check for an action, never for a role."""

_FOR_ALL_SITES_ALONE: Final = frozenset({Action.ERASE_LEADS, Action.SEE_RECORDS, Action.SEE_SIGN_INS})
"""Actions without a site: a person may have written to several."""

TEXTS: Final[Mapping[Role, RoleText]] = {
    Role.ADMINISTRATOR: RoleText(
        mark("Administrator"), mark("Administrators"), mark("may do everything, including accounts and leads")
    ),
    Role.PUBLISHER: RoleText(mark("Publisher"), mark("Publishers"), mark("writes and publishes")),
    Role.EDITOR: RoleText(mark("Editor"), mark("Editors"), mark("writes drafts and submits them")),
    Role.TRANSLATOR: RoleText(
        mark("Translator"), mark("Translators"), mark("changes texts of existing pages, as drafts")
    ),
    Role.LEAD_HANDLER: RoleText(
        mark("Lead handler"), mark("Lead handlers"), mark("works on leads, does not see pages")
    ),
    Role.READER: RoleText(mark("Reader"), mark("Readers"), mark("only sees pages and releases")),
}


class SiteRole(NamedTuple):
    role: Role
    site: str
    """Key of a site, or ``ALL_SITES``."""

    def __str__(self) -> str:
        """Return the form used in commands and settings: ``editor:de``, or ``editor`` for all sites."""
        return f"{self.role}:{self.site}" if self.site else str(self.role)


def parse_site_role(text: str) -> SiteRole:
    """Parse the text of a ``SiteRole``. Raise ValueError for an unknown role."""
    role, _, site = text.partition(":")
    return SiteRole(Role(role), site)


def actions_of(held: SiteRole) -> frozenset[Action]:
    """Return the actions that a role allows on its site."""
    return ACTIONS[held.role] if held.site == ALL_SITES else ACTIONS[held.role] - _FOR_ALL_SITES_ALONE


def name_group(held: SiteRole, site_name: str) -> str:
    """Return the name of the group of people with this role. ``site_name`` is used for roles on one site."""
    return f"{TEXTS[held.role].plural} · {site_name if held.site else 'all sites'}"
