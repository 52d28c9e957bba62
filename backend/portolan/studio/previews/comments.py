"""Store comments from preview links at the fields of a page, as the studio's own comments."""

import time
from typing import Any, Final

import orjson
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from pydantic import BaseModel, ConfigDict, ValidationError
from wagtail.models import Comment, Page

from ...api.client_limits import CacheCounts, client_of
from ...content.pages.base import SitePage
from ...content.site_records import load_site_roots
from ...domain.client_limits import take_share
from ...domain.previews import GUEST, LONGEST_COMMENT, LONGEST_NAME, clean_comment
from ...releases.connection import require_fitting_database
from .about import say_block
from .addresses import preview_addresses
from .models import Preview, PreviewComment
from .overlay import Overlay
from .pages import draw_at, find_page
from .telling import note_to_tell

_OF_CLIENT: Final = 5
"""The most comments a minute."""
_OF_LINK: Final = 30
_MOST: Final = 1000
"""The most comments of one link."""
_FIELDS_FIRST: Final = ("title", "heading", "text")


class Written(BaseModel):
    """A comment as the bar sends it."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=LONGEST_COMMENT * 2)

    name: str
    text: str
    path: str
    block: str = ""


def take_comment(request: HttpRequest, preview: Preview, overlay: Overlay, site: str) -> HttpResponse:
    if request.method != "POST":
        return _say(405, _("Send comments from the preview."))
    if not preview.is_link:
        return _say(403, _("Comment on the field in the studio."))
    if not _is_own(request):
        return _say(403, _("Comments are only accepted from the preview."))
    try:
        written = Written.model_validate_json(request.body)
    except ValidationError:
        return _say(400, _("The comment could not be read. Reload the page."))
    name, text = clean_comment(written.name, LONGEST_NAME), clean_comment(written.text, LONGEST_COMMENT)
    if not name or not text:
        return _say(400, _("Enter your name and a comment."))
    if wait := _wait(request, preview):
        return _say(429, _say_wait(wait))
    require_fitting_database(settings.UPGRADE_LOCK)
    _keep(preview, overlay, site, name, text, written)
    return _say(200, _("Thank you. The editors have your comment."))


def _is_own(request: HttpRequest) -> bool:
    origin = request.headers.get("Origin", "")
    return request.content_type == "application/json" and origin == f"{request.scheme}://{request.META['HTTP_HOST']}"


def _wait(request: HttpRequest, preview: Preview) -> int:
    """Return the seconds until the next comment is accepted."""
    counts, now = CacheCounts("preview-comments"), time.time()
    wait = take_share(counts, f"{preview.pk}/{client_of(request)}", _OF_CLIENT, now)
    wait = wait or take_share(counts, str(preview.pk), _OF_LINK, now)
    return wait or (60 if preview.comments.count() >= _MOST else 0)


def _say_wait(seconds: int) -> str:
    return ngettext(
        "Too many comments at once. Try again in {} second.",
        "Too many comments at once. Try again in {} seconds.",
        seconds,
    ).format(seconds)


def _keep(preview: Preview, overlay: Overlay, site: str, name: str, text: str, written: Written) -> None:
    found = find_page(overlay, site, written.path)
    page = _load(site, found.key) if found else None
    about = ""
    if found and written.block:
        blocks = draw_at(overlay, found, preview_addresses()).blocks
        about = next((say_block(block) for block in blocks if block.id == written.block), "")
    with transaction.atomic():
        comment = _comment_on(page, name, text, preview, written.block) if page else None
        row = PreviewComment.objects.create(
            preview=preview,
            name=name,
            text=text,
            site=site,
            path=found.path if found else "",
            about=about[:255],
            comment=comment,
        )
        note_to_tell(row)


def _load(site: str, key: str) -> SitePage | None:
    """Return the page to edit; for a live copy, its original."""
    root = load_site_roots().get(site)
    pages = Page.objects.filter(translation_key=key, path__startswith=root.root_path) if root else Page.objects.none()
    page = pages.first()
    if page is not None and page.alias_of_id:
        page = page.alias_of
    found = page and page.specific
    return found if isinstance(found, SitePage) else None


def _comment_on(page: SitePage, name: str, text: str, preview: Preview, block: str) -> Comment:
    with override(settings.LANGUAGE_CODE):  # in the editors' language
        said = _("{name}, with the link “{link}”: {text}").format(name=name, link=preview, text=text)
    return Comment.objects.create(
        page_id=page.pk,
        user=_guest(),
        text=said,
        contentpath=_find_field(page.get_latest_revision_as_object(), block),
        revision_created=page.latest_revision,
    )


def _find_field(draft: Any, id: str) -> str:
    """Return the form's place of a comment.

    This is the first field of the block that takes comments, or the title if the comment is about the page or the block
    is gone.
    """
    raw = next((child for child in draft.body.raw_data if child.get("id") == id), None) if id else None
    if raw is None:
        return "title"
    block = draft.body.stream_block.child_blocks.get(raw["type"])
    names = list(getattr(block, "child_blocks", {}))
    field = next((name for name in (*_FIELDS_FIRST, *names) if name in names), "")
    return f"body.{id}.{field}" if field else f"body.{id}"


def _guest() -> Any:
    """Return the inactive user account that owns these comments."""
    user, is_new = get_user_model().objects.get_or_create(
        username=GUEST,
        defaults={"first_name": "Guest", "last_name": "with a preview link", "is_active": False},
    )
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def _say(status: int, said: str) -> HttpResponse:
    return HttpResponse(orjson.dumps({"said": said}), status=status, content_type="application/json")
