"""Rights on previews: who may see one, and who may share it."""

from typing import Any

from ...content.may import may
from ...domain.previews import Shown
from ...domain.roles import Action
from ..changes.rights import may_edit, may_see, standing_of
from ..changes.seeing import sets_seen_by
from ..release_rights import may_publish_everywhere, may_see_release
from .models import Preview
from .overlay import load_entry, load_page, load_set, read_date


def may_use(user: Any) -> bool:
    """Return whether the user may preview some content."""
    return may_see(user) or may(user, Action.SEE)


def may_preview(user: Any, shown: Shown, subject: str) -> bool:
    """Return whether the user may see a preview.

    Drafts need the right to edit them, dates need rights on content, and releases the right to see them.
    """
    match shown:
        case Shown.PAGE:
            page = load_page(subject)
            return page is not None and may_edit(user, page)
        case Shown.ENTRY:
            row = load_entry(subject)
            return row is not None and may_edit(user, row)
        case Shown.CHANGE_SET:
            found = load_set(subject)
            return found is not None and sets_seen_by(user).filter(pk=found.pk).exists()
        case Shown.DATE:
            return read_date(subject) is not None and may_see(user)
        case Shown.RELEASE:
            return subject.isdecimal() and may_see_release(user, int(subject))


def may_share(user: Any, shown: Shown, subject: str) -> bool:
    """Return whether the user may create a link, which gives access to outsiders.

    It needs rights on the content; content of all sites needs the right to publish everywhere.
    """
    if not may_preview(user, shown, subject):
        return False
    if shown is Shown.CHANGE_SET:
        change_set = load_set(subject)
        return change_set is not None and standing_of(user, change_set).edits
    if shown in (Shown.DATE, Shown.RELEASE):
        return may_publish_everywhere(user)
    return True


def may_revoke(user: Any, preview: Preview) -> bool:
    return bool(preview.made_by_id == user.pk or may_publish_everywhere(user))
