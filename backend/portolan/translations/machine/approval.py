"""Mark texts that a machine translated, and keep them from going live until a person approves or edits them.

The check is part of each export for a release, so it holds for forms, bulk actions, change sets, schedules and commands.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db.models.signals import post_save
from wagtail.models import Page, Revision

from ...content.changes import keys_of
from ...content.pages.base import SitePage
from ...domain.problems import Block, Problem, Subject, UnapprovedTranslation
from ...releases.changes import note_changes
from ..exchange.inline import Code, split
from ..models import MachineText
from ..segments import Kind, read_segments
from ..sources import site_of

_FIELDS: Final = {"title": "title", "seo_title": "head.title", "search_description": "head.description"}
"""Names of fields in releases."""
_MANY: Final = 500
"""Keys in one query. All marks are read for more."""


def connect() -> None:
    post_save.connect(_after_draft, sender=Revision, dispatch_uid="portolan.translations.machine.after_draft")


def digest_words(text: str, kind: Kind) -> str:
    """Return a SHA-256 in hex of the words only, because a form may write the same text with other tags."""
    parts = split(text, kind)
    words = " ".join(part.shown if isinstance(part, Code) else part for part in parts)
    return sha256(" ".join(words.split()).encode("utf-8", "surrogatepass")).hexdigest()


def mark(key: UUID, site: str, digests: Iterable[str], provider: str) -> None:
    """Mark texts of a translation as machine-translated and not approved."""
    MachineText.objects.bulk_create(
        [MachineText(translation_key=key, site=site, digest=digest, provider=provider) for digest in set(digests)],
        update_conflicts=True,
        unique_fields=["translation_key", "site", "digest"],
        update_fields=["is_in_draft"],
    )


def approve(key: UUID, site: str) -> int:
    """Approve the machine translation of a page. Return the number of texts. A page that was waiting goes live."""
    rows = MachineText.objects.filter(translation_key=key, site=site)
    count = rows.filter(is_in_draft=True).count()
    digests = set(rows.values_list("digest", flat=True))
    # The same words may also be marked on a site that copies this one.
    MachineText.objects.filter(translation_key=key, digest__in=digests).delete()
    for page in Page.objects.filter(translation_key=key, live=True):
        note_changes(keys_of(page))
    return count


def find_unapproved(pages: Mapping[Subject, SitePage]) -> Mapping[Subject, list[Problem]]:
    """Return a problem for each block and field of the pages that has unapproved texts, with one query.

    The marks of all sites count, so that live copies and local versions of the page are also checked.
    """
    keys = {page.translation_key for page in pages.values()}
    marks: dict[UUID, set[str]] = {}
    rows = MachineText.objects.filter(translation_key__in=keys) if len(keys) < _MANY else MachineText.objects.all()
    for key, digest in rows.values_list("translation_key", "digest"):
        marks.setdefault(key, set()).add(digest)
    marked = {subject: page for subject, page in pages.items() if page.translation_key in marks}
    return {
        subject: found
        for subject, page in marked.items()
        if (found := list(_list_problems(subject, page, marks[page.translation_key])))
    }


def _list_problems(subject: Subject, page: SitePage, digests: set[str]) -> Iterable[Problem]:
    blocks = {str(raw["id"]): number for number, raw in enumerate(page.body.raw_data, start=1)}
    types = {str(raw["id"]): str(raw["type"]) for raw in page.body.raw_data}
    places: Counter[Subject] = Counter()
    for segment in read_segments(page):
        if digest_words(segment.text, segment.kind) in digests:
            field, _, rest = segment.path.partition("/")
            id = rest.partition("/")[0]
            if field == "body" and id in blocks:
                places[subject._replace(block=Block(id, blocks[id], types[id]))] += 1
            else:
                places[subject._replace(field=_FIELDS.get(field, ""))] += 1
    return (Problem(place, UnapprovedTranslation(count)) for place, count in places.items())


def _after_draft(instance: Revision, raw: bool = False, **_: Any) -> None:
    """Note which machine-translated texts are still in the newest draft."""
    key = instance.content.get("translation_key")
    if raw or not key:
        return
    rows = list(MachineText.objects.filter(translation_key=key))
    if not rows:
        return
    page = instance.as_object()
    own = {digest_words(segment.text, segment.kind) for segment in read_segments(page)}
    root = site_of(page.path, page.locale_id)
    for row in rows:
        if root and row.site == root.key and row.is_in_draft != (row.digest in own):
            row.is_in_draft = row.digest in own
            row.save(update_fields=["is_in_draft"])
