"""Find the sites that show an image or a document, and check who may change it.

Only users who may publish without review on all of these sites may change it.

Wagtail lets people change every file that they have uploaded, even if it is live. Its screens, bulk actions and
multiple uploads use ``LiveFilePolicy`` instead.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from wagtail.documents.models import Document
from wagtail.models import Page, ReferenceIndex, Revision
from wagtail.permission_policies.collections import CollectionOwnershipPermissionPolicy

from ...content.change_sets.models import ChangeSetItem
from ...content.changes import keys_of
from ...content.export import export_unsaved, snapshot_draft
from ...content.going_live import may_publish_on, why_reviewed
from ...content.items import ALL_SITES, DOCUMENT, PICTURE, ItemKey
from ...content.pictures import SiteImage
from ...content.site_records import load_site_roots
from ...domain.change_sets import State
from ...domain.media_addresses import MEDIA
from ...domain.references import Reference, find_references
from ...releases.models import PendingChange
from ...rights.held import Person
from ..newest_release import newest_release
from ..uses import find_address_uses

File: TypeAlias = SiteImage | Document
_CHOOSE: Final = "choose"
_SETTLED: Final = (State.REVIEW, State.APPROVED, State.SCHEDULED, State.FAILED)
"""States in which a reviewer has checked the drafts of a change set, or is about to: files in them stay unchanged."""


class LiveFilePolicy(CollectionOwnershipPermissionPolicy):
    """Wagtail's policy, with the check for live files."""

    def __init__(self, model: type[File], auth_model: Any = None) -> None:
        super().__init__(model, auth_model=auth_model, owner_field_name="uploaded_by_user")

    def user_has_any_permission_for_instance(self, user: Any, actions: Iterable[str], instance: File) -> bool:
        usual, wanted = super().user_has_any_permission_for_instance, set(actions)
        if _CHOOSE in wanted and usual(user, [_CHOOSE], instance):
            return True
        rest = wanted - {_CHOOSE}
        return bool(rest and usual(user, rest, instance) and may_change(user, instance))

    def may_open(self, user: Any, instance: File) -> bool:
        """Return True if the user may open the form. If they may not change the file, saving makes a new one."""
        return bool(super().user_has_any_permission_for_instance(user, ["change"], instance))


def may_change(user: Person, file: File) -> bool:
    """Return True if the user may change the live file without a review."""
    sites = sites_showing(file)
    return may_publish_on(user, sites) and not why_reviewed(sites)


def sites_showing(file: File) -> set[str]:
    """Return the keys of the sites on which visitors see the file, or will see it once the settled drafts go live."""
    found = {*_released(file), *_pending(file), *_settled(file)}
    return set(load_site_roots()) if ALL_SITES in found else found


def _reference(file: File) -> Reference:
    return Reference(PICTURE if isinstance(file, SiteImage) else DOCUMENT, str(file.pk))


def _released(file: File) -> Iterator[str]:
    release = newest_release()
    if release is None:
        return
    yield from (item.site for item in release.dependants(_reference(file)))
    if isinstance(file, Document):
        uses = find_address_uses(release, settings.SITES_REGISTRY, f"{MEDIA}{file.file.name}")
        yield from (use.item.site for use in uses)


def _pending(file: File) -> Iterator[str]:
    """Yield the sites of content that was published a moment ago or waits for another problem to be fixed."""
    pending = {ItemKey(*row) for row in PendingChange.objects.values_list("site", "kind", "key")}
    if not pending:
        return
    for index in ReferenceIndex.get_references_to(file).values("base_content_type", "object_id").distinct():
        model: Any = ContentType.objects.get_for_id(index["base_content_type"]).model_class()
        source = model._default_manager.filter(pk=index["object_id"]).first() if model else None
        if source is not None and getattr(source, "live", False):
            yield from (key.site for key in keys_of(source) & pending)


def _settled(file: File) -> Iterator[str]:
    wanted, id = _reference(file), str(file.pk)
    for revision in _settled_revisions():
        if id in json.dumps(revision.content):  # fast, with false positives
            draft = revision.as_object()
            bodies = snapshot_draft(draft) if isinstance(draft, Page) else export_unsaved(draft)
            yield from (key.site for key, body in bodies.items() if wanted in find_references(body))


def _settled_revisions() -> Iterator[Revision]:
    items = ChangeSetItem.objects.filter(change_set__state__in=_SETTLED, what=ChangeSetItem.PUBLISH)
    yield from (revision for item in items.select_related("content_type") if (revision := item.revision()))
    yield from Revision.objects.exclude(approved_go_live_at=None)
