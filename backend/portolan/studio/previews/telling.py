"""Send e-mails about comments from preview links. Runs in the process that sends all e-mail."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext, override
from wagtail.models import Page, PageSubscription
from wagtail.users.models import UserProfile

from ...domain.previews import Shown
from ...leads.destinations.base import Permanent, Retryable
from ...leads.destinations.email import Mailer
from ...leads.destinations.wording import one_line, quote_lines
from ..changes.rights import may_edit
from ..languages import language_of
from ..moments import say_moment
from ..time_zones import zone_for
from .models import Preview, PreviewComment, PreviewNotice
from .overlay import load_entry, load_page, load_set
from .rights import may_preview, may_use
from .said import say_comment
from .words import say_shown

_QUIET_FOR: Final = timedelta(minutes=3)
"""Time without a comment before an e-mail is sent, so that it has all comments of a reader."""
_WAITS_AT_MOST: Final = timedelta(minutes=20)
_TRIED_FOR: Final = timedelta(days=2)
_LONGEST_SUBJECT: Final = 120

_log = logging.getLogger(__name__)


def note_to_tell(row: PreviewComment) -> None:
    """Store a notice for each person. Call it in the comment's transaction."""
    people = {person.pk: person for person in _find_recipients(row) if person is not None}
    PreviewNotice.objects.bulk_create(PreviewNotice(comment=row, to=person) for person in people.values())


def tell_of_comments(mailer: Mailer) -> None:
    """Send one e-mail for each person and link, some minutes after the last comment.

    People who turned these e-mails off get none. Comments are in the studio anyway.
    """
    batches: dict[tuple[int, int], list[PreviewNotice]] = defaultdict(list)
    for notice in PreviewNotice.objects.select_related("to", "comment__preview", "comment__comment"):
        batches[notice.to_id, notice.comment.preview_id].append(notice)
    now = timezone.now()
    for batch in batches.values():
        if _is_ready([notice.comment.at for notice in batch], now) and not _send(batch, mailer, now):
            return  # the others wait for the mail server too


def _find_recipients(row: PreviewComment) -> Iterable[Any]:
    """Yield the link's creator, the last editor, the owner of the change set, and subscribers of the page's comments."""
    preview = row.preview
    yield preview.made_by
    if row.comment:
        page = row.comment.page
        yield page.latest_revision.user if page.latest_revision else None
        subscribed = PageSubscription.objects.filter(page=page, comment_notifications=True)
        yield from (subscription.user for subscription in subscribed.select_related("user"))
    if preview.kind is Shown.CHANGE_SET:
        yield getattr(load_set(preview.subject), "owner", None)
    elif preview.kind in (Shown.PAGE, Shown.ENTRY):
        load = load_page if preview.kind is Shown.PAGE else load_entry
        revision = getattr(load(preview.subject), "latest_revision", None)
        yield revision.user if revision else None


def _is_ready(written: Sequence[datetime], now: datetime) -> bool:
    return max(written) <= now - _QUIET_FOR or min(written) <= now - _WAITS_AT_MOST


def _send(batch: list[PreviewNotice], mailer: Mailer, now: datetime) -> bool:
    """Send a batch and delete it. Return False to try again later."""
    person, preview = batch[0].to, batch[0].comment.preview
    rows = [notice.comment for notice in batch if _may_read(person, notice.comment)]
    if rows and settings.MAIL_SERVER and mailer.sender and _wants_mail(person):
        try:
            mailer.send(_write(rows, preview, person, mailer.sender), [person.email])
        except Retryable as error:
            if min(row.at for row in rows) > now - _TRIED_FOR:
                return False
            _log.error("No e-mail about comments from the link %s was sent: %s", preview.pk, error.reason)
        except Permanent as error:
            _log.error("No e-mail about comments from the link %s was sent: %s", preview.pk, error.reason)
    PreviewNotice.objects.filter(pk__in=[notice.pk for notice in batch]).delete()
    return True


def _may_read(person: Any, row: PreviewComment) -> bool:
    """Return whether the person may read the comment now."""
    if row.comment:
        page: Page = row.comment.page.specific
        return may_edit(person, page)
    return may_use(person) and may_preview(person, row.preview.kind, row.preview.subject)


def _wants_mail(person: Any) -> bool:
    profile = UserProfile.objects.filter(user_id=person.pk).first()
    return bool(person.is_active and person.email and (profile is None or profile.updated_comments_notifications))


def _write(rows: Sequence[PreviewComment], preview: Preview, person: Any, sender: str) -> EmailMessage:
    with override(language_of(person)), timezone.override(zone_for(person)):
        subject = ngettext(
            "A comment from the link “{link}”", "{count} comments from the link “{link}”", len(rows)
        ).format(count=len(rows), link=preview)
        parts = [say_shown(preview.kind, preview.subject), *(_say(row) for row in rows)]
        parts.append(
            gettext(
                "You get this e-mail because you created the link, last edited the page, own the change set, or "
                "subscribed to the comments of the page. Turn off e-mails about comments under Account → "
                "Notifications."
            )
        )
    message = EmailMessage()
    message["Subject"] = " ".join(subject.split())[:_LONGEST_SUBJECT]
    message["From"] = sender
    message["To"] = person.email
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n\n".join(parts) + "\n")
    return message


def _say(row: PreviewComment) -> str:
    said = say_comment(row)
    url = said.url or _url_of_others(row.preview)
    text = "\n".join(quote_lines(said.text))  # text of a visitor
    return f"{one_line(said.by)}, {say_moment(said.at)}\n{one_line(said.where)}\n\n{text}\n\n{settings.WAGTAILADMIN_BASE_URL}{url}"


def _url_of_others(preview: Preview) -> str:
    """Return the URL of comments that belong to no page."""
    if preview.kind is Shown.CHANGE_SET and load_set(preview.subject):
        return reverse("studio_change_set", args=[preview.subject])
    return reverse("studio_preview_links")
