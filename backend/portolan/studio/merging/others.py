"""Find unpublished changes by others that publishing a form would put live."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext
from wagtail.models import Page, Revision

from ...domain.merging import Path, Version, differences
from ..authors import name_of
from ..time_zones import say_moment_for
from .base import name_revision, names_of, stream_of
from .versions import Content, read_content
from .words import Words

FIELD: Final = "publish_others"
_MOST_REVISIONS: Final = 50
"""The most revisions of an unpublished page to read."""


class OthersChanges(NamedTuple):
    who: str
    since: str
    what: list[str]
    """Names of fields and blocks."""


class Question(NamedTuple):
    """A question before publishing. ``seen`` is the revision that the answer applies to."""

    seen: str
    changes: list[OthersChanges]


def find_question(form: Any, page: Page, latest: Revision | None) -> Question | None:
    """Return the question for the editor; ``None`` if there is none or it is answered.

    ``form`` is valid and saved in memory, ``page`` is the stored page, and ``latest`` its newest revision.
    """
    if latest is None or form.data.get(FIELD) == name_revision(latest):
        return None
    changes = _find_changes(form, page, latest)
    return Question(name_revision(latest), changes) if changes else None


def list_others(page: Page, reader: Any) -> list[OthersChanges]:
    """Return the other authors of drafts since the last publish, without their changes."""
    first: dict[int, Revision] = {}
    for revision in _list_unpublished(page):
        if _is_of_another(revision, reader):
            first.setdefault(revision.user_id, revision)
    return [OthersChanges(name_of(each.user), say_moment_for(reader, each.created_at), []) for each in first.values()]


def _find_changes(form: Any, page: Page, latest: Revision) -> list[OthersChanges]:
    history = _list_unpublished(page)
    if not any(_is_of_another(each, form.for_user) for each in history):
        return []
    names, stream = names_of(form), stream_of(form.instance)
    live = read_content(_live_content(page), names)
    mine = read_content(json.loads(form.instance.to_json()), names)
    shown, own = live.version(stream), mine.version(stream)
    typed_here = set(differences(read_content(latest.content, names).version(stream), own))
    saved_by = _find_authors(shown, history, names, stream)
    by_person: dict[int, dict[Path, Revision]] = {}
    for path in differences(shown, own):
        revision = saved_by.get(path)
        if revision and path not in typed_here and _is_of_another(revision, form.for_user):
            by_person.setdefault(revision.user_id, {})[path] = revision
    words = Words(form, mine, live)
    return [_tell(found, words, live, form.for_user) for found in by_person.values()]


def _tell(found: Mapping[Path, Revision], words: Words, live: Content, reader: Any) -> OthersChanges:
    first = min(found.values(), key=lambda revision: revision.created_at)
    if not live.fields:
        what = [gettext("the whole page")]
    else:
        is_new = {path[1] for path in found if len(path) == 3} - live.blocks.keys()
        what = [words.where(path[:2] if len(path) == 3 and path[1] in is_new else path) for path in found]
    since = say_moment_for(reader, first.created_at)
    return OthersChanges(name_of(first.user), since, list(dict.fromkeys(what)))


def _live_content(page: Page) -> Mapping[str, Any]:
    """Return the live content of a page, as a revision stores it; empty if it is not live."""
    if not page.live:
        return {}
    revision = page.live_revision
    content: Mapping[str, Any] = revision.content if revision else json.loads(page.specific.to_json())
    return content


def _list_unpublished(page: Page) -> list[Revision]:
    """Return the revisions since the last publish, oldest first, without their content."""
    revisions = page.revisions.defer("content").select_related("user")
    since = page.live_revision.created_at if page.live_revision else page.last_published_at
    if page.live and since:
        revisions = revisions.filter(created_at__gt=since).exclude(pk=page.live_revision_id)
    return list(reversed(revisions.order_by("-created_at", "-pk")[:_MOST_REVISIONS]))


def _is_of_another(revision: Revision, user: Any) -> bool:
    """Return whether another user saved the revision. Drafts without a user come from the product, such as find and
    replace.
    """
    return revision.user_id is not None and revision.user_id != user.pk


def _find_authors(before: Version, history: Iterable[Revision], names: list[str], stream: Any) -> dict[Path, Revision]:
    """Return the revision that last changed each place."""
    found: dict[Path, Revision] = {}
    for revision in history:
        after = read_content(revision.content, names).version(stream)
        found |= dict.fromkeys(differences(before, after), revision)
        before = after
    return found
