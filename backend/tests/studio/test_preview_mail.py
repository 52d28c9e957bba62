"""Mails about comments from people without a login: the recipients, and how often."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from wagtail.models import Comment
from wagtail.users.models import UserProfile

from portolan.content.change_sets.models import ChangeSet
from portolan.content.models import LegalPage
from portolan.domain.mail_server import read_mail_server
from portolan.domain.previews import Shown
from portolan.leads.destinations.base import Retryable
from portolan.studio.permissions import sync_editors_group
from portolan.studio.previews.models import Preview, PreviewComment, PreviewNotice
from portolan.studio.previews.telling import note_to_tell, tell_of_comments

LATER = timedelta(minutes=5)


class Post:
    sender = "studio@example.com"

    def __init__(self) -> None:
        self.sent: list[EmailMessage] = []
        self.is_away = False

    def send(self, message: EmailMessage, to: list[str]) -> str:
        if self.is_away:
            raise Retryable("The mail server cannot be reached.")
        self.sent.append(message)
        return "accepted"

    def receivers(self) -> list[str]:
        return sorted(str(message["To"]) for message in self.sent)


@pytest.fixture(autouse=True)
def mail_server(settings) -> Iterator[None]:
    settings.MAIL_SERVER = read_mail_server("smtp://mail.example")
    cache.clear()
    yield


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def people(homes) -> dict[str, User]:
    editors = sync_editors_group()
    found = {}
    for name in ("anna", "ben", "dora"):
        found[name] = User.objects.create_user(name, f"{name}@example.com", "x", first_name=name.capitalize())
        found[name].groups.add(editors)
    return found


@pytest.fixture
def page(homes, add_page, people):
    """Return a page last edited by Ben."""
    page = add_page(homes["en"], LegalPage, "terms", title="Terms")
    page.save_revision(user=people["ben"])
    return page


def link(shown: Shown, subject: object, by: User | None) -> Preview:
    ends = timezone.now() + timedelta(days=3)
    return Preview.objects.create(
        secret=f"hash {shown} {subject}",
        shown=shown.value,
        subject=str(subject),
        site="en",
        path="/terms",
        note="For the agency",
        is_link=True,
        made_by=by,
        ends_at=ends,
    )


def write(preview: Preview, text: str, page=None, ago: timedelta = LATER) -> PreviewComment:
    by = User.objects.get_or_create(username="preview-guest", is_active=False)[0]
    comment = page and Comment.objects.create(page_id=page.pk, user=by, text=text, contentpath="title")
    row = PreviewComment.objects.create(
        preview=preview, name="Zoë", text=text, site="en", path="/terms", about="Title", comment=comment
    )
    PreviewComment.objects.filter(pk=row.pk).update(at=timezone.now() - ago)
    note_to_tell(row)
    return row


def test_the_last_editor_and_who_made_the_link_hear_once_of_all_comments(page, people, post):
    by_anna = link(Shown.PAGE, page.pk, people["anna"])
    for text in ("Is that so?", "And that?", "A third one"):
        write(by_anna, text, page)
    tell_of_comments(post)
    assert post.receivers() == ["anna@example.com", "ben@example.com"]
    message = post.sent[0]
    assert message["Subject"] == "3 comments from the link “For the agency”"
    body = message.get_content()
    assert all(text in body for text in ("Zoë, ", "Is that so?", "And that?", "A third one", "The draft of “Terms”"))
    assert f"/admin/pages/{page.pk}/edit/?comment=" in body
    tell_of_comments(post)
    assert len(post.sent) == 2 and not PreviewNotice.objects.exists()


def test_a_comment_cannot_imitate_the_mail_around_it(page, people, post):
    write(
        link(Shown.PAGE, page.pk, people["anna"]), "Fine.\n\nDora, now\nhttps://evil.example/\u2028Sign in again", page
    )
    tell_of_comments(post)
    body = post.sent[0].get_content()
    assert "| Fine.\n| \n| Dora, now\n| https://evil.example/\n| Sign in again\n" in body


def test_it_waits_until_nobody_writes_any_more_but_not_for_ever(page, people, post):
    by_anna = link(Shown.PAGE, page.pk, people["anna"])
    write(by_anna, "One", page)
    write(by_anna, "Another", page, ago=timedelta(seconds=20))
    tell_of_comments(post)
    assert post.sent == []
    PreviewComment.objects.filter(text="One").update(at=timezone.now() - timedelta(minutes=25))
    tell_of_comments(post)
    assert len(post.sent) == 2 and all("2 comments" in message["Subject"] for message in post.sent)


def test_each_reads_it_in_their_language_and_who_wants_none_gets_none(page, people, post):
    UserProfile.objects.update_or_create(
        user=people["anna"], defaults={"preferred_language": "de", "current_time_zone": "Europe/Berlin"}
    )
    UserProfile.objects.update_or_create(user=people["ben"], defaults={"updated_comments_notifications": False})
    write(link(Shown.PAGE, page.pk, people["anna"]), "So?", page)
    tell_of_comments(post)
    (message,) = post.sent
    assert message["To"] == "anna@example.com"
    assert message["Subject"] == "Ein Kommentar über den Link „For the agency“"
    assert "Der Entwurf von" in message.get_content() and " CET\n" in message.get_content().replace(" CEST", " CET")
    assert not PreviewNotice.objects.exists()


def test_a_sets_owner_hears_of_what_is_at_no_page(people, post):
    spring = ChangeSet.objects.create(name="Spring", owner=people["dora"])
    write(link(Shown.CHANGE_SET, spring.pk, people["anna"]), "Nice")
    tell_of_comments(post)
    assert post.receivers() == ["anna@example.com", "dora@example.com"]
    assert f"/admin/changes/{spring.pk}/" in post.sent[0].get_content()


def test_who_may_not_edit_it_any_more_hears_nothing(page, people, post):
    write(link(Shown.PAGE, page.pk, people["anna"]), "So?", page)
    people["anna"].groups.clear()
    User.objects.filter(pk=people["ben"].pk).update(is_active=False)
    tell_of_comments(post)
    assert post.sent == [] and not PreviewNotice.objects.exists()


def test_a_mail_server_that_is_away_loses_nothing(page, people, post):
    write(link(Shown.PAGE, page.pk, people["anna"]), "So?", page)
    post.is_away = True
    tell_of_comments(post)
    assert PreviewNotice.objects.count() == 2
    post.is_away = False
    tell_of_comments(post)
    assert len(post.sent) == 2
