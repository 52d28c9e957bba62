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
    """Its last day; the first one where it has one day."""
    past: bool
    """Whether that day is over where the site is."""
    city: str
    """Empty where it is held online."""
    country: str
    """ISO 3166-1 alpha-2, lower case; empty where it is held online."""
    registration: str
    """Address at which one registers; empty where nobody has to, or can yet."""
    cover: Picture
    link: Link


class EventList(Schema):
    items: list[Event]
    """What is to come before what is past. In each those of the visitor's country first, then of countries of its group,
    then the rest; the next ones first, and of what is past the last ones."""
