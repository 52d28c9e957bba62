"""One lead: its page, its files, its deliveries."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portolan.leads.models import DeliveryAttempt, Lead, LeadFile
from portolan.leads.records import Intake
from portolan.leads.repeats import Submission
from portolan.leads.spool import open_spool

from .conftest import make_lead

pytestmark = pytest.mark.django_db

ESTIMATE = {
    "contact": {"name": "Chief Technology Officer", "email": "cto@lumen.example", "phone": "+49 30 1234"},
    "services": ["web-development", "quality-assurance"],
    "team": [{"role": "Developer", "seniority": "Senior", "count": 2}, {"role": "Designer", "shoes": "brown"}],
    "months": 6,
    "price": {"from": 42000, "to": 58500.5, "currency": "EUR"},
    "step": 3,
    "pageUrl": "https://de.example/estimate",
    "firstVisitUrl": "https://de.example/?utm_source=x",
    "sessionEntryUrl": "https://de.example/services",
    "adClick": {"type": "gclid", "value": "abc"},
    "country": "de",
    "secondsOpen": 95.4,
    "privacyAccepted": True,
    "budget": {"note": "as agreed", "tags": ["a", "b"]},
}


def read(client: Client, lead: Lead) -> str:
    reply = client.get(reverse("studio_lead", args=[lead.pk]))
    assert reply.status_code == 200
    return str(reply.content.decode().split("<main")[1])


def lines(page: str) -> dict[str, str]:
    found = re.findall(r"<div><dt>(.*?)</dt><dd[^>]*>(.*?)</dd></div>", page, re.DOTALL)
    return dict(found)


def add_file(lead: Lead, folder: Path, name: str, content: bytes = b"%PDF-") -> LeadFile:
    path = f"2026-11-21/{lead.pk}/0123"
    file = folder / "files" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return LeadFile.objects.create(
        lead=lead, position=0, name=name, extension="pdf", size=len(content), sha256="0" * 64, path=path
    )


def test_everything_that_was_sent_is_shown_with_words_for_it(sales: Client) -> None:
    page = read(sales, make_lead(form="estimate", more=ESTIMATE, flags=["no-captcha"], spam_score=20))
    found = lines(page)
    assert found == {
        "Name": "Chief Technology Officer",
        "E-mail": "cto@lumen.example",
        "Phone": "+49 30 1234",
        "Message": "We move containers.",
        "Services": "web-development, quality-assurance",
        "Months": "6",
        "Team": "2 × Senior Developer\n1 × Designer",
        "Price range shown": "42,000 to 58,500.50 EUR",
        "Last step": "3",
        "Page of the form": "https://de.example/estimate",
        "First page of the first visit": "https://de.example/?utm_source=x",
        "First page of this visit": "https://de.example/services",
        "Ad click": "Google Ads: abc",
        "Visitor&#x27;s country": "Germany",
        "Form was open for": "2 min",
        "Privacy policy accepted": "yes",
        "Field “team[1][shoes]”": "brown",
        "Field “budget[note]”": "as agreed",
        "Field “budget[tags][0]”": "a",
        "Field “budget[tags][1]”": "b",
        "Score": "20 of 100",
        "Captcha": "Not verified",
    }
    assert "Sent without a solved captcha" in page


def test_fields_of_any_form_are_shown_and_none_is_markup(sales: Client) -> None:
    strange = {
        "contact": "nobody",
        "team": "many",
        "price": [1],
        "adClick": 7,
        "secondsOpen": "soon",
        "x": {"<b>": "<script>alert(1)</script>"},
    }
    page = read(sales, make_lead(more=strange))
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "Field “x[&lt;b&gt;]”" in lines(page)
    assert "nobody" in page
    assert lines(page)["Team"] == "many"


def test_deliveries_come_with_their_attempts_and_reasons(sales: Client) -> None:
    lead = make_lead(deliveries={"crm": "dead", "mail": "delivered"})
    for detail in ("refused", "503 Service Unavailable"):
        DeliveryAttempt.objects.create(
            delivery=lead.deliveries.get(destination="crm"), at=timezone.now(), succeeded=False, detail=detail
        )
    page = read(sales, lead)
    assert "Failed" in page
    assert "Reason: 503 Service Unavailable" in page
    assert "2 attempts" in page
    assert page.index("503 Service Unavailable</td>") < page.index("refused</td>")  # the newest first
    assert page.count("Deliver again") == 1


def test_one_delivery_is_tried_again(sales: Client) -> None:
    lead = make_lead(deliveries={"crm": "dead", "mail": "dead"})
    crm = lead.deliveries.get(destination="crm")
    data = {"decision": "replay-one", "lead": str(lead.pk), "delivery": str(crm.pk)}
    sales.post(reverse("studio_leads_decide"), data)
    crm.refresh_from_db()
    assert (crm.state, crm.attempts) == ("pending", 0)
    assert lead.deliveries.get(destination="mail").state == "dead"
    assert "Restarted deliveries" in read(sales, lead)


def test_another_leads_delivery_is_not_reached_through_this_one(sales: Client) -> None:
    lead, other = make_lead(), make_lead(deliveries={"crm": "dead"})
    data = {"decision": "replay-one", "lead": str(lead.pk), "delivery": str(other.deliveries.get().pk)}
    sales.post(reverse("studio_leads_decide"), data)
    assert other.deliveries.get().state == "dead"


def test_only_what_fits_the_state_is_offered(sales: Client) -> None:
    offered = {
        state: re.findall(r'name="decision" value="(done|open|spam|not-spam)"', read(sales, make_lead(state=state)))
        for state in Lead.State.values
    }
    assert offered == {
        "open": ["done", "spam"],
        "quarantined": ["not-spam", "spam"],
        "spam": ["not-spam"],
        "done": ["open", "spam"],
    }


def test_what_was_done_is_kept_with_who_did_it(sales: Client) -> None:
    lead = make_lead()
    data = {"decision": "spam", "lead": str(lead.pk), "next": reverse("studio_lead", args=[lead.pk])}
    assert sales.post(reverse("studio_leads_decide"), data).url == reverse("studio_lead", args=[lead.pk])
    assert re.search(r"Marked as spam, sales", read(sales, lead))


def test_the_number_of_queries_does_not_grow(sales: Client) -> None:
    def count(lead: Lead) -> int:
        with CaptureQueriesContext(connection) as queries:
            read(sales, lead)
        return len(queries)

    def with_attempts(number: int) -> Lead:
        lead = make_lead(deliveries={f"d{n}": "dead" for n in range(number)})
        for delivery in lead.deliveries.all():
            for _ in range(number):
                DeliveryAttempt.objects.create(delivery=delivery, at=timezone.now(), succeeded=False)
        return lead

    few, many = with_attempts(1), with_attempts(5)
    count(few)
    assert count(many) == count(few) <= 22


def test_an_erased_lead_says_so_and_offers_nothing(sales: Client) -> None:
    page = read(sales, make_lead(erased_at=timezone.now(), deliveries={"crm": "dead"}))
    assert "were erased on" in page
    assert 'name="decision"' not in page


def test_an_unknown_lead_is_not_found(sales: Client) -> None:
    assert sales.get("/admin/leads/00000000-0000-4000-8000-000000000000/").status_code == 404


def test_who_may_not_see_leads_sees_none(sign_in: Callable[..., Client]) -> None:
    lead = make_lead()
    reply = sign_in().get(reverse("studio_lead", args=[lead.pk]))
    assert reply.status_code == 302
    assert b"Northwind" not in reply.content


# Files ---------------------------------------------------------------------------------------------------------------


def test_a_file_is_something_to_keep_and_nothing_to_run(sales: Client, leads_dir: Path) -> None:
    file = add_file(make_lead(), leads_dir, 'Lebenslauf "Kran" für Łódź.pdf', b"<script>alert(1)</script>")
    reply = sales.get(reverse("studio_lead_file", args=[file.lead_id, 0]))
    assert b"".join(reply.streaming_content) == b"<script>alert(1)</script>"
    assert reply["Content-Type"] == "application/octet-stream"
    assert reply["Content-Disposition"] == (
        'attachment; filename="Lebenslauf _Kran_ f_r __d_.pdf"; '
        "filename*=UTF-8''Lebenslauf%20%22Kran%22%20f%C3%BCr%20%C5%81%C3%B3d%C5%BA.pdf"
    )
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert "no-store" in reply["Cache-Control"]
    assert "Downloaded a file" in read(sales, file.lead)


def test_who_may_not_see_leads_gets_no_file(sign_in: Callable[..., Client], leads_dir: Path) -> None:
    file = add_file(make_lead(), leads_dir, "cv.pdf")
    url = reverse("studio_lead_file", args=[file.lead_id, 0])
    assert sign_in().get(url).status_code == 403
    assert sign_in("change_lead", "export_lead", "erase_lead").get(url).status_code == 403
    with closing(sign_in("view_lead").get(url)) as reply:
        assert reply.status_code == 200


def test_who_is_not_signed_in_is_asked_to(client: Client, leads_dir: Path) -> None:
    file = add_file(make_lead(), leads_dir, "cv.pdf")
    reply = client.get(reverse("studio_lead_file", args=[file.lead_id, 0]), headers={"Host": "studio.localhost"})
    assert reply.status_code == 302
    assert "/login/" in reply.url


def test_a_file_that_is_gone_is_no_error(sales: Client, leads_dir: Path) -> None:
    file = add_file(make_lead(), leads_dir, "cv.pdf")
    (leads_dir / "files" / file.path).unlink()
    assert sales.get(reverse("studio_lead_file", args=[file.lead_id, 0])).status_code == 404
    assert sales.get(reverse("studio_lead_file", args=[file.lead_id, 1])).status_code == 404


# Erasing -------------------------------------------------------------------------------------------------------------


def erase(client: Client, email: str, **more: str) -> str:
    reply = client.post(reverse("studio_leads_erase"), {"email": email, **more})
    return str(reply.content.decode().split("<main")[1]) if reply.status_code == 200 else ""


def test_a_person_is_erased_after_it_was_shown_what_goes(sales: Client, leads_dir: Path) -> None:
    lead = make_lead(deliveries={"crm": "delivered", "mail": "pending"})
    other = make_lead(email="else@northwind.example")
    file = add_file(lead, leads_dir, "cv.pdf")
    shown = erase(sales, "Operations@Northwind.example")
    assert "1 lead of" in shown
    assert "crm: delivered" in shown
    lead.refresh_from_db()
    assert lead.erased_at is None
    done = erase(sales, "operations@northwind.example", confirmed="1")
    assert "<td>crm</td>" in done
    assert str(lead.pk) in done
    lead.refresh_from_db()
    other.refresh_from_db()
    assert (lead.fields, lead.deliveries.get(destination="mail").reason) == ({}, "erased")
    assert other.fields["contact"]["email"] == "else@northwind.example"
    assert not (leads_dir / "files" / file.path).exists()


def test_leads_that_are_not_stored_yet_are_told_of(sales: Client, leads_dir: Path) -> None:
    (leads_dir / "spool").mkdir(parents=True)
    (leads_dir / "spool" / "1-a.json").write_text("{}")
    assert "1 lead could not be searched" in erase(sales, "operations@northwind.example")


def test_leads_that_are_not_stored_yet_are_stored_and_erased(sales: Client, leads_dir: Path) -> None:
    lead = {
        "id": str(uuid4()),
        "site": "en",
        "form": "contact",
        "fields": {"contact": {"email": "waits@northwind.example"}},
    }
    waiting = Intake(Submission("named:1", "fingerprint", True), b"{}", timezone.now(), lead, [], None)
    open_spool(leads_dir).put(waiting)
    assert "could not be searched" not in erase(sales, "waits@northwind.example", confirmed="1")
    assert Lead.objects.get().fields == {}
    assert open_spool(leads_dir).count() == 0


def test_nobody_of_this_address(sales: Client) -> None:
    assert "No leads with this address" in erase(sales, "nobody@northwind.example", confirmed="1")


def test_who_may_work_on_leads_may_not_erase_them(sign_in: Callable[..., Client]) -> None:
    lead = make_lead()
    client = sign_in("view_lead", "change_lead", "export_lead")
    assert erase(client, "operations@northwind.example", confirmed="1") == ""
    lead.refresh_from_db()
    assert lead.erased_at is None
    assert "Erase this person" not in read(client, lead)


def test_a_colleague_who_leaves_takes_no_lead_along(sales: Client) -> None:
    colleague = User.objects.create_user("colleague")
    lead = make_lead(assigned_to=colleague)
    colleague.delete()
    lead.refresh_from_db()
    assert lead.assigned_to is None
