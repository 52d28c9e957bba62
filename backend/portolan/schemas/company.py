"""Define the company's entries: certificates, CVs, phones, rate cards (spec §3, §7)."""

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
    """As printed on the certificate; may be empty."""
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
    """Years of experience."""
    country: str
    """Place of work: ISO 3166-1 alpha-2, lower case."""
    summary: str
    skills: list[str]
    """The strongest first."""
    languages: list[str]
    """Spoken languages, e.g. ``English (C1)``."""
    picture: Picture | None


class CvList(Schema):
    items: list[Cv]
    """In the editors' order."""


class Phone(Schema):
    id: str
    phone: str
    """As printed; ``tel:`` uses its digits and plus sign."""
    is_default: bool
    """For visitors from countries without a number. Exactly one is true."""
    countries: list[str]
    """Visitors from these countries see this number: ISO 3166-1 alpha-2, lower case."""


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
    """Monthly price in the rate card's currency."""
    high: int


class UsualRole(Schema):
    """A role in the usual team of a service."""

    role: str
    """Key of a role of the rate card."""
    count: int


class ServiceRate(Schema):
    """The effect of a service on the price."""

    service: str
    """Name of the service in leads: the slug of its page."""
    supplement: int
    """Percent of the rates; negative for a discount."""
    team: list[UsualRole]


class StartSupplements(Schema):
    """Effect of the start date: percent of the rates; negative for a discount."""

    now: int = 0
    quarter: int = 0
    later: int = 0


class LongTerm(Schema):
    """Discount for a long project."""

    months: int
    """Minimum number of months."""
    discount: int
    """Percent of the rates."""


class RateCard(Schema):
    """The prices of the estimate form, one card per site. Percentages are added up (``web/src/domain/estimate.ts``)."""

    currency: str
    """ISO 4217, e.g. ``EUR``."""
    rates: list[Rate]
    services: list[ServiceRate] = []
    """Services with a price. Other services have none."""
    starts: StartSupplements = StartSupplements()
    long_term: LongTerm | None = None
