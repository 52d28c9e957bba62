"""The inbox: list of leads with filters, bulk decisions and export."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Page
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from wagtail.admin.paginator import WagtailPaginator
from wagtail.admin.widgets.button import HeaderButton

from ...domain.months import subtract_months
from ...leads.models import Delivery, Lead
from ...leads.open_store import open_store
from ...leads.retention import old_leads
from ...leads.sealing import Unreadable
from ...retention.guard import Overdue, look
from ...rights.held import find_sites_with, has_everywhere
from . import labels, rights
from .decisions import list_decisions
from .export import export_leads
from .find import ALL, ERASED, LeadFilter, count_states, count_undelivered

_ON_A_PAGE: Final = 50
_EXCERPT: Final = 140


class Tag(NamedTuple):
    text: str
    kind: str
    """State of a delivery or a lead, for its colour."""
    hint: str = ""


class Row(NamedTuple):
    lead: Lead
    url: str
    who: str
    company: str
    excerpt: str
    site: str
    form: str
    state: Tag
    partial: Tag | None
    flags: list[str]
    deliveries: list[Tag]
    assigned_to: str


class Tab(NamedTuple):
    text: str
    url: str
    number: int | None
    is_current: bool


@rights.needs(rights.VIEW)
def show_list(request: HttpRequest) -> HttpResponse:
    form = LeadFilter(request.GET, find_sites_with(request.user, rights.VIEW))
    own = rights.leads_of(request, rights.VIEW)
    paginator = WagtailPaginator(_with_parts(form.find(own, rights.person(request))), _ON_A_PAGE)
    page = paginator.get_page(request.GET.get("p"))
    context = {
        "header_title": gettext("Leads"),
        "header_icon": "mail",
        "breadcrumbs_items": [{"url": "", "label": gettext("Leads")}],
        "header_buttons": sorted(_buttons(request)),
        "form": form,
        "tabs": _tabs(form, count_states(own)),
        "undelivered": count_undelivered(own),
        "undelivered_url": f"{reverse('studio_leads')}?{urlencode({'state': ALL, 'delivery': Delivery.State.DEAD})}",
        "overdue": _find_overdue() if rights.sees_all(request) else None,
        "is_all": form.shown_state() == ALL,
        "is_filtering": form.is_filtering(),
        "all_url": _url(form, ALL),
        "clear_url": f"{reverse('studio_leads')}?{urlencode({'state': form.shown_state()})}",
        "rows": list_rows(page),
        "page_obj": page,
        "elided_page_range": paginator.get_elided_page_range(page.number),
        "decisions": list_decisions(),
        "may_work": rights.may(request, rights.WORK),
        "here": request.get_full_path(),
    }
    return TemplateResponse(request, "studio/leads/list.html", context)


@rights.needs(rights.VIEW, rights.EXPORT)
def export_list(request: HttpRequest) -> HttpResponseBase:
    form = LeadFilter(request.GET, find_sites_with(request.user, rights.VIEW, rights.EXPORT))
    own = rights.leads_of(request, rights.VIEW, rights.EXPORT)
    leads = _with_parts(form.find(own, rights.person(request))).prefetch_related("files")
    return export_leads(leads, rights.person(request))


def list_rows(page: "Page[Lead]") -> list[Row]:
    return [_row(lead) for lead in page]


def tag_state(lead: Lead) -> Tag:
    if lead.erased_at:
        return Tag(gettext("Erased"), ERASED)
    state = Lead.State(lead.state)
    return Tag(str(labels.STATES[state]), state, str(labels.STATE_HINTS.get(state, "")))


def tag_partial(lead: Lead) -> Tag | None:
    return Tag(str(labels.PARTIAL), "partial", str(labels.PARTIAL_HINT)) if lead.is_begun else None


def tag_delivery(delivery: Delivery) -> Tag:
    state = Delivery.State(delivery.state)
    text = str(labels.DELIVERY_STATES[state])
    if state == Delivery.State.PENDING and delivery.attempts and delivery.reason:
        return Tag(gettext("Failed, will retry"), "failed", delivery.reason)
    return Tag(text, state, delivery.reason if state == Delivery.State.DEAD else "")


def name_lead(lead: Lead) -> str:
    """Return the person's name, or a replacement."""
    name = labels.text_at(lead.fields, ("contact", "name"))
    if name:
        return name
    if isinstance(lead.fields, Unreadable):
        return gettext("Encrypted lead")
    return gettext("Erased lead") if lead.erased_at else gettext("Lead without a name")


def name_site(key: str) -> str:
    site = settings.SITES_REGISTRY.sites.get(key)
    return site.name if site else key


def _with_parts(leads: Any) -> Any:
    deliveries = Delivery.objects.order_by("destination")
    return leads.select_related("assigned_to").prefetch_related(Prefetch("deliveries", deliveries))


def _row(lead: Lead) -> Row:
    message = " ".join(labels.text_at(lead.fields, ("message",)).split())
    return Row(
        lead=lead,
        url=reverse("studio_lead", args=[lead.pk]),
        who=name_lead(lead),
        company=labels.text_at(lead.fields, ("contact", "company")),
        excerpt=message if len(message) <= _EXCERPT else f"{message[:_EXCERPT].rstrip('. ')}…",
        site=name_site(lead.site),
        form=labels.describe_form(lead.form),
        state=tag_state(lead),
        partial=tag_partial(lead),
        flags=labels.describe_flags(lead.flags),
        deliveries=[
            Tag(f"{delivery.destination}: {tag.text.lower()}", tag.kind, tag.hint)
            for delivery in lead.deliveries.all()
            for tag in [tag_delivery(delivery)]
        ],
        assigned_to=rights.name_user(lead.assigned_to),
    )


def _find_overdue() -> Overdue:
    now = timezone.now()
    return look(old_leads(subtract_months(now, settings.LEADS_KEPT_MONTHS), open_store()), now)


def _tabs(form: LeadFilter, counts: Mapping[str, int]) -> list[Tab]:
    shown = form.shown_state()
    tabs = [
        Tab(str(text), _url(form, state), counts.get(state, 0), shown == state) for state, text in labels.STATES.items()
    ]
    tabs.append(Tab(gettext("All"), _url(form, ALL), sum(counts.values()), shown == ALL))
    tabs.append(Tab(gettext("Erased"), _url(form, ERASED), None, shown == ERASED))
    return tabs


def _url(form: LeadFilter, state: str) -> str:
    """Return the URL with the same filters and another state."""
    query = {name: value for name, value in form.data.items() if value and name in form.fields} | {"state": state}
    return f"{reverse('studio_leads')}?{urlencode(query)}"


def _buttons(request: HttpRequest) -> list[HeaderButton]:
    buttons = []
    if rights.may(request, rights.EXPORT):
        url = f"{reverse('studio_leads_export')}?{request.GET.urlencode()}"
        buttons.append(HeaderButton(gettext("Download list (XLSX)"), url=url, icon_name="download", priority=10))
    if has_everywhere(request.user, rights.ERASE):
        buttons.append(
            HeaderButton(gettext("Erase a person"), url=reverse("studio_leads_erase"), icon_name="bin", priority=20)
        )
    return buttons
