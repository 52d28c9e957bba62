"""Notes on a lead, and replies by mail."""

from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from portolan.domain.mail_server import read_mail_server
from portolan.leads.answers import AnswerWorker, find_next_answer
from portolan.leads.destinations.base import Permanent, Retryable
from portolan.leads.erasure import erase
from portolan.leads.models import LeadWord
from portolan.leads.open_store import open_store

from .conftest import make_lead

pytestmark = pytest.mark.django_db
ANSWER = {"subject": "Ihre Anfrage", "text": "Guten Tag,\n\ngern."}


class Post:
    """A mail server. ``error`` is its reply."""

    sender = "sales@brightmoor.example"

    def __init__(self) -> None:
        self.sent: list[tuple[list[str], EmailMessage]] = []
        self.error: Exception | None = None

    def send(self, message: EmailMessage, to: Sequence[str]) -> str:
        if self.error:
            raise self.error
        self.sent.append(([*to], message))
        return "accepted"


@pytest.fixture
def with_mail(settings: Settings) -> None:
    settings.MAIL_SERVER = read_mail_server("smtp://127.0.0.1:25")
    registry = settings.SITES_REGISTRY
    leads = registry.leads.model_copy(update={"sender": Post.sender})
    settings.SITES_REGISTRY = registry.model_copy(update={"leads": leads})


def show(client: Client, lead: Any) -> str:
    return client.get(reverse("studio_lead", args=[lead.pk])).content.decode()


def test_a_note_is_kept_with_who_and_when_sealed_and_goes_with_the_lead(sales: Client, settings: Settings) -> None:
    settings.LEADS_KEYS = (Fernet.generate_key().decode(),)
    lead = make_lead()
    sales.post(reverse("studio_lead_note", args=[lead.pk]), {"text": "Called <b>them</b>."})
    page = show(sales, lead)
    assert "Note by sales" in page
    assert "Called &lt;b&gt;them&lt;/b&gt;." in page
    with connection.cursor() as cursor:
        cursor.execute("SELECT fields FROM leads_leadword")
        assert "Called" not in str(cursor.fetchone()[0])
    settings.LEADS_KEYS = (Fernet.generate_key().decode(),)
    assert "missing in PORTOLAN_LEADS_KEY" in show(sales, lead)
    erase([lead], open_store())
    assert not LeadWord.objects.exists()


GERMAN = "Wir suchen ein Team, das mit uns die Software für unseren Hafen baut und sie dann auch betreibt."
FRENCH = "Nous cherchons une équipe qui pourra nous aider à refaire le logiciel de notre port dans les mois à venir."
ARABIC = "نبحث عن فريق يساعدنا على بناء نظام جديد في الميناء مع كل ما يلزم من صيانة بعد التسليم"
ENGLISH = "We are looking for a team that can build the software for our port with us and run it."


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize(
    ("site", "message", "greeting"),
    [
        ("en", GERMAN, "Guten Tag Ada,"),
        ("de", FRENCH, "Bonjour Ada,"),
        ("de", ARABIC, "مرحبًا Ada،"),
        ("de", ENGLISH, "Hello Ada,"),
        ("de", "Budget?", "Guten Tag Ada,"),
        ("en", "", "Hello Ada,"),
    ],
)
def test_an_answer_greets_in_the_language_of_the_message(sales: Client, site: str, message: str, greeting: str) -> None:
    lead = make_lead(name="Ada", site=site, message=message)
    assert greeting in sales.get(reverse("studio_lead", args=[lead.pk])).content.decode()


@pytest.mark.usefixtures("with_mail")
def test_an_answer_begins_in_the_lead_s_language_and_is_sent_and_kept(sales: Client) -> None:
    lead = make_lead(site="de", name="Ada")
    page = show(sales, lead)
    assert "Guten Tag Ada," in page
    assert "Freundliche Grüße\nsales\n" in page
    sales.post(reverse("studio_lead_answer", args=[lead.pk]), ANSWER)
    assert "Answer by sales (on its way)" in show(sales, lead)
    post = Post()
    worker = AnswerWorker(post)  # type: ignore[arg-type]
    assert worker.run_due() == 1
    assert worker.run_due() == 0
    [(to, message)] = post.sent
    assert to == ["operations@northwind.example"]
    assert (message["Subject"], message.get_content()) == (ANSWER["subject"], ANSWER["text"] + "\n")
    page = show(sales, lead)
    assert "Answer by sales (sent)" in page
    assert "Answered by mail" in page


@pytest.mark.usefixtures("with_mail")
def test_an_answer_is_tried_again_or_given_up(sales: Client) -> None:
    lead = make_lead()
    post = Post()
    worker = AnswerWorker(post, draw=lambda: 0.5)  # type: ignore[arg-type]
    sales.post(reverse("studio_lead_answer", args=[lead.pk]), ANSWER)
    post.error = Retryable("The mail server cannot be reached.")
    worker.run_due()
    assert find_next_answer() is not None
    assert "cannot be reached" in show(sales, lead)
    LeadWord.objects.update(next_at=lead.created_at)
    post.error = Permanent("The mail server refused it (550).")
    worker.run_due()
    assert find_next_answer() is None
    assert "Answer by sales (not sent)" in show(sales, lead)


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize("name", ["studio_lead_note", "studio_lead_answer"])
def test_who_may_only_look_writes_nothing(sign_in: Any, name: str) -> None:
    lead = make_lead()
    client = sign_in("view_lead")
    assert "studio_lead_note" not in show(client, lead)
    assert "<textarea" not in show(client, lead)
    client.post(reverse(name, args=[lead.pk]), ANSWER)
    assert not LeadWord.objects.exists()


@pytest.mark.usefixtures("with_mail")
def test_a_subject_is_one_line(sales: Client) -> None:
    lead = make_lead()
    sales.post(reverse("studio_lead_answer", args=[lead.pk]), {**ANSWER, "subject": "Hello\nBcc: all@x.example"})
    assert not LeadWord.objects.exists()


def test_without_a_mail_server_the_colleague_s_own_program_writes(sales: Client) -> None:
    lead = make_lead(site="de", name="Ada")
    page = show(sales, lead)
    assert "mailto:operations@northwind.example?subject=Ihre%20Anfrage&amp;body=Guten%20Tag%20Ada" in page
    assert reverse("studio_lead_answer", args=[lead.pk]) not in page
