"""Events (spec §7: content/events)."""

from datetime import date as Date

from .base import Schema
from .link import Link
from .media import Picture


class Event(Schema):
    id: str
    title: str
    summary: str
    start: Date
    end: Date
    """The last day; equal to ``start`` for an event of one day."""
    past: bool
    """True if the last day is over in the site's time zone."""
    city: str
    """Empty for an online event."""
    country: str
    """ISO 3166-1 alpha-2, lower case; empty for an online event."""
    registration: str
    """URL for registration; empty if there is no registration."""
    cover: Picture
    link: Link


class EventList(Schema):
    items: list[Event]
    """Future events before past ones. In each, first the visitor's country, then countries of its group, then the rest.
    Future events are in order of date, past events the latest first."""
