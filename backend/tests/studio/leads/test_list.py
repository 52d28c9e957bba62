"""The inbox: its lists, search and decisions, and the rights to them."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portolan.leads.models import Delivery, Lead
from portolan.studio.leads.rights import sync_leads_group

from .conftest import ALL_RIGHTS, at, make_lead

pytestmark = pytest.mark.django_db


def read(client: Client, **query: str) -> str:
    reply = client.get(reverse("studio_leads"), query)
    assert reply.status_code == 200
    return str(reply.content.decode().split("<main")[1])


def listed(client: Client, **query: str) -> set[str]:
    """Return the companies of the leads in the list."""
    page = read(client, **query)
    return set(re.findall(r", <bdi>([^<]+)</bdi></a>", page))


def decide(client: Client, decision: str, *leads: Lead, **more: str) -> str:
    """Return the message that is shown afterwards."""
    data = {"decision": decision, "lead": [str(lead.pk) for lead in leads], **more}
    reply = client.post(reverse("studio_leads_decide"), data, follow=True)
    return " ".join(str(message) for message in reply.context["messages"])


def state_of(lead: Lead) -> str:
    lead.refresh_from_db()
    return lead.state


def test_shows_what_is_to_be_done_and_the_rest_on_request(sales: Client) -> None:
    make_lead(company="Open AG")
    make_lead(company="Quarantined AG", state="quarantined")
    make_lead(company="Spam AG", state="spam")
    make_lead(company="Done AG", state="done")
    make_lead(company="Erased AG", erased_at=timezone.now())
    assert listed(sales) == {"Open AG"}
    assert listed(sales, state="quarantined") == {"Quarantined AG"}
    assert listed(sales, state="all") == {"Open AG", "Quarantined AG", "Spam AG", "Done AG"}
    assert listed(sales, state="erased") == {"Erased AG"}


def test_partial_submissions_are_marked_and_found(sales: Client) -> None:
    make_lead(company="Sent AG")
    begun = make_lead(company="Left AG", is_begun=True)
    assert listed(sales) == {"Sent AG", "Left AG"}
    assert listed(sales, sent="left") == {"Left AG"}
    assert listed(sales, sent="sent") == {"Sent AG"}
    assert read(sales).count('data-kind="partial"') == 1
    page = sales.get(reverse("studio_lead", args=[begun.pk])).content.decode()
    assert "Partial submission" in page
    assert "because the visitor did not send the form" in page


def test_a_row_says_all_that_is_needed_to_decide(sales: Client) -> None:
    make_lead(
        site="de",
        form="estimate",
        flags=["honeypot", "of-tomorrow"],
        spam_score=35,
        deliveries={"crm": "failed", "mail": "delivered"},
        at=at("2026-11-20T09:30:00"),
        assigned_to=User.objects.get(username="sales"),
    )
    page = read(sales)
    for text in (
        "20 Nov 2026",
        "09:30",
        "Head of Operations",
        "Northwind Port Authority",
        "We move containers.",
        "Deutschland",
        "Estimate",
        "35",
        "The hidden field was filled in",
        "of-tomorrow",
        "crm: failed, will retry",
        "503 Service Unavailable",
        "mail: delivered",
    ):
        assert text in page, text


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("query", "companies"),
    [
        ({"site": "de"}, {"B"}),
        ({"form": "estimate"}, {"B"}),
        ({"flag": "links"}, {"A"}),
        ({"flag": "link-in-name"}, {"C"}),  # and not "links", which is a part of its neighbour
        ({"flag": "none"}, {"B"}),
        ({"delivery": "dead"}, {"A"}),
        ({"delivery": "failed"}, {"B"}),
        ({"delivery": "pending"}, {"B", "C"}),
        ({"delivery": "none"}, {"D"}),
        ({"assigned": "me"}, {"A"}),
        ({"assigned": "nobody"}, {"C", "D"}),
        ({"since": "2026-03-10"}, {"B", "C", "D"}),
        ({"until": "2026-03-10"}, {"A", "B"}),
        ({"since": "2026-03-10", "until": "2026-03-10"}, {"B"}),
        ({"since": "2026-03-10", "delivery": "none"}, {"D"}),
        ({"site": "nowhere"}, {"A", "B", "C", "D"}),  # without a filter, and the list shows that
    ],
)
def test_filters(sales: Client, query: dict[str, str], companies: set[str]) -> None:
    me, other = User.objects.get(username="sales"), User.objects.create_user("other")
    make_lead(
        company="A",
        at=at("2026-03-09T23:59:00"),
        flags=["links"],
        deliveries={"crm": "dead", "mail": "delivered"},
        assigned_to=me,
    )
    make_lead(company="B", at=at("2026-03-10T12:00:00"), site="de", form="estimate", deliveries={"crm": "failed"}, assigned_to=other)  # fmt: skip
    make_lead(company="C", at=at("2026-03-11T00:00:00"), flags=["link-in-name"], deliveries={"crm": "pending"})
    make_lead(company="D", at=at("2026-03-12T00:00:00"), flags=["no-captcha"])
    assert listed(sales, **query) == companies


def test_filters_beyond_three_are_folded_until_one_is_chosen(sales: Client) -> None:
    opened = '<details class="studio-filters-more" open>'
    shown = read(sales, q="nord", site="de", assigned="me")
    assert '<details class="studio-filters-more">' in shown
    assert shown.index('name="assigned"') < shown.index("studio-filters-more") < shown.index('name="delivery"')
    assert opened in read(sales, delivery="dead")
    assert opened in read(sales, until="yesterday"), "what was not understood is seen"


def test_a_filter_it_does_not_understand_is_named(sales: Client) -> None:
    assert "Select a valid choice" in read(sales, site="nowhere")
    assert "Enter a valid date" in read(sales, since="yesterday")


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("words", "companies"),
    [
        ("operations", {"Nord"}),
        ("KRAN", {"Nord"}),
        ("nord kran", {"Nord"}),
        ("nord nothing", set()),
        ("müller", {"Müller & Söhne"}),
        ("MÜLLER", {"Müller & Söhne"}),
        ("пётр", {"Порт"}),
        ("порт", {"Порт"}),
        ("@port.example", {"Порт"}),
        ("muller sohne", {"Müller & Söhne"}),
        ("einkauf@müller.example", {"Müller & Söhne"}),
        ("@MÜLLER", {"Müller & Söhne"}),
        ("xn--mller-kva", {"Müller & Söhne"}),
        ("петр", {"Порт"}),
        ("пётр просит", {"Порт"}),
        ("100%", {"Müller & Söhne"}),
        ("n_rd", set()),
        ("contact", set()),  # names of fields are not searched
    ],
)
def test_searches_name_company_email_and_message(sales: Client, words: str, companies: set[str]) -> None:
    make_lead("Head of Operations", "Nord", "ops@nord.example", "Ein Kran")
    make_lead("Einkauf", "Müller & Söhne", "einkauf@xn--mller-kva.example", "100% sicher")
    make_lead("Директор", "Порт", "office@port.example", "Пётр просит")
    assert {company.replace("&amp;", "&") for company in listed(sales, q=words)} == companies


def test_a_search_that_finds_nothing_offers_all_states(sales: Client) -> None:
    make_lead(company="Nord", state="done")
    page = read(sales, q="nord")
    assert "No leads match." in page
    assert "?q=nord&amp;state=all" in page
    assert listed(sales, q="nord", state="all") == {"Nord"}


@pytest.mark.postgres
def test_pages_of_fifty(sales: Client) -> None:
    for number in range(51):
        make_lead(company=f"C{number}", at=at(f"2026-01-01T00:{number:02}:00"))
    assert len(listed(sales)) == 50
    assert listed(sales, p="2") == {"C0"}
    assert "?p=2" in read(sales)


@pytest.mark.postgres
def test_the_number_of_queries_does_not_grow(sales: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            read(sales, state="all", q="north")
        return len(queries)

    me = User.objects.get(username="sales")
    make_lead(deliveries={"crm": "failed"}, assigned_to=me)
    count()  # fill the caches
    few = count()
    for number in range(20):
        make_lead(company=f"North {number}", deliveries={"crm": "dead", "mail": "delivered"}, assigned_to=me)
    assert count() == few
    assert few <= 24


def test_what_a_visitor_typed_is_no_markup(sales: Client) -> None:
    make_lead("<script>alert(1)</script>", "<b>x</b>", message="<img src=x onerror=alert(1)>", flags=["<i>"])
    page = read(sales)
    assert "<script>alert" not in page
    assert "<b>x" not in page
    assert "<img" not in page
    assert "<i>" not in page


def test_what_no_destination_took_is_said_on_top(sales: Client) -> None:
    make_lead(deliveries={"crm": "dead", "mail": "dead"})
    make_lead(state="spam", deliveries={"crm": "dead"})
    assert "1 lead could not be delivered" in re.sub(r"<[^>]+>", "", read(sales))
    Delivery.objects.update(state="delivered")
    assert "could not be delivered" not in read(sales)


# Decisions -----------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_many_are_decided_about_at_once(sales: Client) -> None:
    leads = [make_lead(), make_lead()]
    assert decide(sales, "done", *leads) == "2 leads: marked as done."
    assert [state_of(lead) for lead in leads] == ["done", "done"]
    assert decide(sales, "open", leads[0]) == "1 lead: reopened."
    assert state_of(leads[0]) == "open"


def test_spam_is_held_and_what_is_none_is_handed_on(sales: Client) -> None:
    lead = make_lead(deliveries={"crm": "pending"})
    decide(sales, "spam", lead)
    assert (state_of(lead), lead.deliveries.get().state) == ("spam", "held")
    decide(sales, "not-spam", lead)
    assert (state_of(lead), lead.deliveries.get().state) == ("open", "pending")


def test_a_quarantined_lead_is_let_go(sales: Client) -> None:
    lead = make_lead(state="quarantined", deliveries={"crm": "held"})
    assert "delivery started" in decide(sales, "not-spam", lead)
    delivery = lead.deliveries.get()
    assert (state_of(lead), delivery.state) == ("open", "pending")
    assert delivery.next_at <= timezone.now()


@pytest.mark.postgres
def test_given_up_deliveries_are_tried_again(sales: Client) -> None:
    lead, other = make_lead(deliveries={"crm": "dead", "mail": "dead"}), make_lead(deliveries={"crm": "delivered"})
    said = decide(sales, "replay", lead, other)
    assert "1 lead: delivery restarted." in said
    assert "1 lead not changed" in said
    assert set(lead.deliveries.values_list("state", "attempts")) == {("pending", 0)}
    assert other.deliveries.get().state == "delivered"


def test_leads_are_assigned_to_who_may_see_them(sales: Client) -> None:
    lead = make_lead()
    colleague = User.objects.create_user("colleague")
    colleague.user_permissions.set(Permission.objects.filter(codename="view_lead"))
    stranger = User.objects.create_user("stranger")
    decide(sales, "take", lead)
    lead.refresh_from_db()
    assert lead.assigned_to.username == "sales"
    decide(sales, "assign", lead, assignee=str(colleague.pk))
    lead.refresh_from_db()
    assert lead.assigned_to == colleague
    data = {"decision": "assign", "lead": str(lead.pk), "assignee": str(stranger.pk)}
    assert sales.post(reverse("studio_leads_decide"), data).status_code == 400
    decide(sales, "assign", lead, assignee="")
    lead.refresh_from_db()
    assert lead.assigned_to is None


def test_nothing_chosen_is_said(sales: Client) -> None:
    assert "Select leads first" in decide(sales, "done")


@pytest.mark.parametrize("data", [{"lead": "x", "decision": "done"}, {"decision": "drop"}])
def test_what_is_no_decision_is_refused(sales: Client, data: dict[str, str]) -> None:
    reply = sales.post(reverse("studio_leads_decide"), {"lead": str(make_lead().pk), **data})
    assert reply.status_code == 400


def test_it_returns_to_the_list_it_came_from_and_nowhere_else(sales: Client) -> None:
    lead = make_lead()
    for given, shown in (
        ("/admin/leads/?site=de", "/admin/leads/?site=de"),
        ("https://evil.example/", "/admin/leads/"),
    ):
        reply = sales.post(reverse("studio_leads_decide"), {"lead": str(lead.pk), "decision": "done", "next": given})
        assert reply.url == shown


# Rights --------------------------------------------------------------------------------------------------------------


def test_editors_of_sites_see_no_leads(sign_in: Callable[..., Client]) -> None:
    client = sign_in()
    make_lead()
    assert client.get(reverse("studio_leads")).status_code == 302
    assert "/admin/leads/" not in client.get("/admin/").content.decode()


def test_the_menu_says_how_many_are_open(sales: Client) -> None:
    make_lead()
    make_lead()
    make_lead(state="done")
    assert "Leads (2)" in sales.get("/admin/").content.decode()
    Lead.objects.update(state="done")
    assert "Leads (" not in sales.get("/admin/").content.decode()


def test_who_may_only_look_can_decide_nothing(sign_in: Callable[..., Client]) -> None:
    client = sign_in("view_lead")
    lead = make_lead(deliveries={"crm": "dead"})
    page = read(client)
    assert "Northwind" in page
    assert 'name="decision"' not in page
    assert 'type="checkbox"' not in page
    for decision in ("done", "spam", "replay", "take"):
        decide(client, decision, lead)
    lead.refresh_from_db()
    assert (lead.state, lead.assigned_to, lead.deliveries.get().state) == ("open", None, "dead")
    assert "studio_leads_export" not in page
    assert "/leads/erase/" not in page


def test_a_decision_is_not_made_by_a_link(sales: Client) -> None:
    assert sales.get(reverse("studio_leads_decide")).status_code == 405


def test_the_group_is_given_every_right_when_it_is_made_and_left_alone_then() -> None:
    Group.objects.filter(name="Leads").delete()
    group = sync_leads_group()
    assert set(group.permissions.values_list("codename", flat=True)) == {"access_admin", *ALL_RIGHTS}
    group.permissions.remove(Permission.objects.get(codename="erase_lead"))
    assert not sync_leads_group().permissions.filter(codename="erase_lead").exists()


def test_the_rights_can_be_given_to_any_group(admin_client: Client, sites: object) -> None:
    group = Group.objects.create(name="Sales")
    page = admin_client.get(
        reverse("wagtailusers_groups:edit", args=[group.pk]), headers={"Host": "studio.localhost"}
    ).content.decode()
    for codename in ALL_RIGHTS:
        assert f'value="{Permission.objects.get(codename=codename).pk}"' in page


def test_says_which_leads_wait_for_a_yes_to_be_erased(sales: Client) -> None:
    for number in range(11):
        make_lead(company=f"Old {number}", at=at("2020-01-01T12:00"))
    assert "The retention period of 11 leads is over" in read(sales)
    Lead.objects.update(created_at=timezone.now())
    assert "retention period" not in read(sales)
