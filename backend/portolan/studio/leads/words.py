"""Add notes to a lead, and answer it by mail from the inbox."""

from typing import Any, Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from ...domain.text_language import find_foreign_language
from ...leads.models import Lead, LeadWord
from ...leads.outbox import wake_worker
from ...leads.sealing import NoKey, Unreadable
from . import labels, rights
from .decisions import note


class Manner(NamedTuple):
    """Subject, greeting and closing of a mail in one language."""

    subject: str
    greeting: str
    nameless: str
    farewell: str


_MANNERS: Final = {
    "en": Manner("Your enquiry", "Hello {},", "Hello,", "Kind regards"),
    "de": Manner("Ihre Anfrage", "Guten Tag {},", "Guten Tag,", "Freundliche Grüße"),
    "fr": Manner("Votre demande", "Bonjour {},", "Bonjour,", "Cordialement"),
    "pl": Manner("Państwa zapytanie", "Dzień dobry, {},", "Dzień dobry,", "Z poważaniem"),
    "ru": Manner("Ваш запрос", "Здравствуйте, {}!", "Здравствуйте!", "С уважением"),
    "az": Manner("Sorğunuz", "Salam, {},", "Salam,", "Hörmətlə"),
    "ar": Manner("استفساركم", "مرحبًا {}،", "مرحبًا،", "مع أطيب التحيات"),
    "kk": Manner("Сіздің сұрауыңыз", "Сәлеметсіз бе, {}!", "Сәлеметсіз бе!", "Құрметпен"),
    "es": Manner("Su consulta", "Hola, {}:", "Hola:", "Un cordial saludo"),
    "it": Manner("La sua richiesta", "Buongiorno {},", "Buongiorno,", "Cordiali saluti"),
    "nl": Manner("Uw aanvraag", "Beste {},", "Goedendag,", "Met vriendelijke groet"),
    "pt": Manner("O seu pedido", "Olá {},", "Olá,", "Com os melhores cumprimentos"),
}
"""By language. Answers in all other languages use English."""


class Draft(NamedTuple):
    to: str
    subject: str
    text: str
    lang: str
    mailto: str
    """Link for the user's own mail program if no mail server is set up; else empty."""


class Word(NamedTuple):
    word: LeadWord
    who: str
    text: str
    subject: str
    state: str


class NoteForm(forms.Form):
    text = forms.CharField(max_length=5000, strip=True)


class AnswerForm(forms.Form):
    subject = forms.CharField(max_length=150, strip=True)
    text = forms.CharField(max_length=20_000, strip=True)


def list_words(lead: Lead) -> list[Word]:
    return [
        Word(
            word,
            rights.name_user(word.by),
            str(NoKey()) if isinstance(word.fields, Unreadable) else word.fields["text"],
            word.fields.get("subject", ""),
            str(LeadWord.State(word.state).label) if word.kind == LeadWord.Kind.ANSWER else "",
        )
        for word in lead.words.select_related("by")
    ]


def draft_answer(lead: Lead, user: Any) -> Draft | None:
    """Return a draft of an answer, if the lead has an e-mail address."""
    to = labels.text_at(lead.fields, ("contact", "email"))
    if not to:
        return None
    site = settings.SITES_REGISTRY.sites.get(lead.site)
    lang = _find_language(lead, site.language if site else "en")
    manner = _MANNERS[lang]
    name = labels.text_at(lead.fields, ("contact", "name"))
    greeting = manner.greeting.format(name) if name else manner.nameless
    signed = f"{rights.name_user(user)}\n{settings.SITES_REGISTRY.company.name}"
    text = f"{greeting}\n\n\n\n{manner.farewell}\n{signed}"
    mailto = "" if _sends_mail() else f"mailto:{quote(to, safe='@')}?subject={quote(manner.subject)}&body={quote(text)}"
    return Draft(to, manner.subject, text, lang, mailto)


def _find_language(lead: Lead, of_site: str) -> str:
    """Return the language of the message if it clearly differs from the site's language, else the site's."""
    message = labels.text_at(lead.fields, ("message",))
    for tag in (find_foreign_language([message], of_site), of_site):
        lang = (tag or "").partition("-")[0].lower()
        if lang in _MANNERS:
            return lang
    return "en"


@require_POST
@rights.needs(rights.VIEW, rights.WORK)
def add_note(request: HttpRequest, lead_id: UUID) -> HttpResponse:
    lead = _find(request, lead_id)
    form = NoteForm(request.POST)
    if form.is_valid():
        _keep(request, lead, LeadWord.Kind.NOTE, {"text": form.cleaned_data["text"]}, LeadWord.State.KEPT)
        messages.success(request, gettext("Note saved."))
    else:
        messages.warning(request, gettext("Note not saved. Enter a text of at most 5,000 characters."))
    return redirect("studio_lead", lead.pk)


@require_POST
@rights.needs(rights.VIEW, rights.WORK)
def send_answer(request: HttpRequest, lead_id: UUID) -> HttpResponse:
    lead = _find(request, lead_id)
    draft = draft_answer(lead, request.user)
    form = AnswerForm(request.POST)
    if draft is None or draft.mailto:
        messages.error(
            request, gettext("Answer not sent. The lead has no e-mail address, or no mail server is set up.")
        )
    elif not form.is_valid() or "\n" in form.cleaned_data["subject"]:
        messages.error(request, gettext("Answer not sent. Enter a text, and a subject of one line."))
    else:
        fields = {**form.cleaned_data, "to": draft.to, "reply_to": getattr(request.user, "email", "")}
        _keep(request, lead, LeadWord.Kind.ANSWER, fields, LeadWord.State.PENDING)
        note(lead, "answer", rights.person(request))
        wake_worker()
        messages.success(request, gettext("Answer saved. It is being sent."))
    return redirect("studio_lead", lead.pk)


def _find(request: HttpRequest, lead_id: UUID) -> Lead:
    leads = rights.leads_of(request, rights.VIEW, rights.WORK).filter(erased_at=None)
    return get_object_or_404(leads, pk=lead_id)


def _keep(request: HttpRequest, lead: Lead, kind: str, fields: dict[str, Any], state: str) -> None:
    now = timezone.now()
    due = now if state == LeadWord.State.PENDING else None
    LeadWord.objects.create(
        lead=lead, kind=kind, by_id=rights.person(request).pk, at=now, fields=fields, state=state, next_at=due
    )


def _sends_mail() -> bool:
    return settings.MAIL_SERVER is not None and bool(settings.SITES_REGISTRY.leads.sender)
