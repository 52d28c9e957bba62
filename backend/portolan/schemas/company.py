"""What the company shows of itself: certificates, CVs, phones, rate cards (spec §3, §7)."""

from datetime import date as Date
from typing import Literal

from .base import Schema
from .media import Picture

Seniority = Literal["junior", "middle", "senior", "lead"]


class Certificate(Schema):
    id: str
    title: str
    issuer: str
    issued: Date
    expires: Date | None
    number: str
    """As printed on it; may be empty."""
    picture: Picture | None


class CertificateList(Schema):
    items: list[Certificate]
    """In the editors' order."""


class Cv(Schema):
    """A specialist for hire, without a name."""

    id: str
    role: str
    seniority: Seniority
    years: int
    """Of experience."""
    country: str
    """Where they work: ISO 3166-1 alpha-2, lower case."""
    summary: str
    skills: list[str]
    """The strongest first."""
    languages: list[str]
    """Spoken, e.g. ``English (C1)``."""
    picture: Picture | None


class CvList(Schema):
    items: list[Cv]
    """In the editors' order."""


class Phone(Schema):
    id: str
    phone: str
    """As printed; ``tel:`` takes its digits and plus sign."""
    is_default: bool
    """For visitors whose country has no number of its own. Exactly one."""
    countries: list[str]
    """ISO 3166-1 alpha-2, lower case: visitors from there see this number."""


class PhoneList(Schema):
    items: list[Phone]
    """In the editors' order."""


class Rate(Schema):
    role: str
    """Stable key, e.g. ``back-end``."""
    name: str
    """The role in the language of the site."""
    seniority: Seniority
    low: int
    """Of a month, in the rate card's currency."""
    high: int


class UsualRole(Schema):
    """Part of the team that a service usually takes."""

    role: str
    """Key of a role of the rate card."""
    count: int


class ServiceRate(Schema):
    """What a service means for the price."""

    service: str
    """What a lead says of it: slug of the service's page."""
    supplement: int
    """Per cent of the rates, less than 0 where it costs less."""
    team: list[UsualRole]


class StartSupplements(Schema):
    """By when the work is to begin: per cent of the rates, less than 0 where it costs less."""

    now: int = 0
    quarter: int = 0
    later: int = 0


class LongTerm(Schema):
    """What a long stay takes off the rates."""

    months: int
    """From so many on."""
    discount: int
    """Per cent."""


class RateCard(Schema):
    """What the estimate form counts with. One per site. Per cents add up; ``web/src/domain/estimate.ts`` counts."""

    currency: str
    """ISO 4217, e.g. ``EUR``."""
    rates: list[Rate]
    services: list[ServiceRate] = []
    """Those the card says something of; of others there is no price."""
    starts: StartSupplements = StartSupplements()
    long_term: LongTerm | None = None
