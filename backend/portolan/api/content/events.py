"""Events (spec §7: content/events, content/events/pages)."""

from datetime import date
from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...domain.country_order import order_by_country
from ...schemas.event import Event, EventList
from ...schemas.navigation import PageReference, PageReferenceList
from ..examples import PICTURE, link
from ..operations import describe
from ..parameters import CountryHeader
from ..release_content import read_content
from .page_references import list_pages

router = Router(tags=["Events"], by_alias=True)

_PATH: Final = "/events/logistics-forum"
_EXAMPLE: Final = Event(
    id="5c1d7e2a-8b4f-4a36-b0d9-3e6f1a2b4c5d",
    title="Logistics Forum",
    summary="Two days on software for ports and depots. Our stand is beside the main hall.",
    start=date(2027, 3, 9),
    end=date(2027, 3, 10),
    past=False,
    city="Hamburg",
    country="de",
    registration="https://tickets.example/logistics-forum",
    cover=PICTURE,
    link=link("Logistics Forum", _PATH),
)
_PAGES: Final = PageReferenceList(items=[PageReference(key=_PATH[1:], path=_PATH)])


@router.get("", **describe("list_events", "Events, those near the visitor first", EventList(items=[_EXAMPLE])))
def list_events(request: HttpRequest, country: CountryHeader) -> dict[str, Any]:
    """Coming events before past ones. In each group, those of `Country-Code` come first, then those of other countries
    in its groups (EU, EEA, CIS, Arabic-speaking), then the rest. Coming events are sorted soonest first, past events
    latest first. Without the header, they are only sorted by date.
    """
    events = order_by_country(read_content(request).items("event"), country, _country)
    return {"items": sorted(events, key=_is_past)}


@router.get("/pages", **describe("list_event_pages", "Pages of events", _PAGES))
def list_event_pages(request: HttpRequest) -> PageReferenceList:
    """Page key and path of each event's page on the site, by path."""
    return list_pages(read_content(request), "event")


def _is_past(event: dict[str, Any]) -> bool:
    past: bool = event["past"]
    return past


def _country(event: dict[str, Any]) -> str:
    country: str = event["country"]
    return country
