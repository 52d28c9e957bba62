"""Record the revisions that an open form has saved.

An editor has no conflict with the form's own saves, even if a reply was lost. Each form gets a random key when it is
opened, so a second tab is another form.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db.models import F
from django.db.models.signals import post_save
from wagtail.models import Page, Revision

from ..models import FormSave

FIELD: Final = "form_key"
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_saving_form: ContextVar[str] = ContextVar("saving_form", default="")


def new_key() -> str:
    return secrets.token_hex(16)


def connect() -> None:
    post_save.connect(_note, sender=Revision, dispatch_uid="studio-own-saves")


@contextmanager
def saving_from(key: str | None) -> Iterator[None]:
    """Record each revision saved in this context for the form."""
    token = _saving_form.set(key if key and _KEY.fullmatch(key) else "")
    try:
        yield
    finally:
        _saving_form.reset(token)


def find_own(page_id: int, key: str | None, user: Any) -> Revision | None:
    """Return the newest revision of a page that this form saved, unless another save has overwritten it."""
    found = _rows(key, user).filter(
        revision__base_content_type__model="page",
        revision__base_content_type__app_label="wagtailcore",
        revision__object_id=str(page_id),
    )
    row = found.order_by("-saved_at").select_related("revision", "revision__user").first()
    return row.revision if row else None


def find_created(key: str | None, user: Any, parent: Page, model: type[Page]) -> Page | None:
    """Return the page that this form created below ``parent``."""
    ids = _rows(key, user).values_list("revision__object_id", flat=True)
    pages: Any = model._default_manager
    found: Page | None = pages.child_of(parent).filter(pk__in=list(map(int, ids)), alias_of=None).first()
    return found


def _rows(key: str | None, user: Any) -> Any:
    if not key or not _KEY.fullmatch(key):
        return FormSave.objects.none()
    return FormSave.objects.filter(form=key, revision__user=user, saved_at=F("revision__created_at"))


def _note(instance: Revision, raw: bool = False, **_: Any) -> None:
    if (key := _saving_form.get()) and not raw:
        saved = {"form": key, "saved_at": instance.created_at}
        FormSave.objects.update_or_create(revision=instance, defaults=saved)
