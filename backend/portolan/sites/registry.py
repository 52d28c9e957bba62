"""The shapes of the registry file and the rules that hold between its entries."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from ..domain.offices import OFFICE_SETS
from ..shapes.codes import Dir, Environment, LanguageTag, SiteKey

HexColor = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]
HttpUrl = Annotated[str, StringConstraints(pattern=r"^https?://[^/\s]+(/\S*)?$")]
Origin = Annotated[str, StringConstraints(pattern=r"^https?://[a-z0-9.-]+(:(\d+|\{port\}))?$")]
"""Scheme, host and port, no path. ``{port}`` stands for the port the product is served on."""
Path = Annotated[str, StringConstraints(pattern=r"^/\S*$")]


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Company(Entry):
    name: str
    slug: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    legal_name: str
    founded: date
    default_site: SiteKey
    people_site: HttpUrl
    theme_color: HexColor
    brand_color: HexColor
    background_color: HexColor


class Figures(Entry):
    employees: str
    projects: str
    offices: str


class Switcher(Entry):
    shown: bool
    """Whether this site's pages show the language switcher."""
    listed: bool
    """Whether the switcher lists this site."""
    hidden_on: list[Path] = []


class Consent(Entry):
    theme: Literal["by-country", "gdpr", "small"]
    profile: Literal["spec", "strict"]


class Studio(Entry):
    origins: dict[Environment, Origin]


class EnvironmentRules(Entry):
    robots: Literal["open", "closed"]


class Site(Entry):
    """One country site. ``key`` is filled from the table's name."""

    key: SiteKey
    language: LanguageTag
    hreflang: Annotated[list[str], Field(min_length=1)]
    og_locale: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}_[A-Z]{2}$")]
    name: str
    endonym: str
    short_label: str
    dir: Dir
    date_locale: str
    inherits: SiteKey | None = None
    switcher: Switcher
    country: Annotated[str, StringConstraints(pattern=r"^([a-z]{2})?$")]
    phone: Literal["own", "visitor"]
    office_rule: Literal["own", "visitor"]
    office_sets: Annotated[list[Literal[OFFICE_SETS]], Field(min_length=1)]  # type: ignore[valid-type]
    consent: Consent
    copyright_pages: list[Path] = ["/privacy-policy", "/cookies-policy"]
    """Pages the copyright bar links to; where the site lacks one, the link goes to the default site's."""
    origins: dict[Environment, Origin]

    def origin(self, environment: Environment, port: int) -> str:
        """The site's origin, e.g. ``http://de.localhost:8000``."""
        return self.origins[environment].replace("{port}", str(port))


class Registry(Entry):
    company: Company
    figures: Figures
    social: dict[str, HttpUrl]
    studio: Studio
    environments: dict[Environment, EnvironmentRules]
    sites: dict[SiteKey, Site]

    @property
    def default_site(self) -> Site:
        return self.sites[self.company.default_site]

    def studio_origin(self, environment: Environment, port: int) -> str:
        return self.studio.origins[environment].replace("{port}", str(port))

    def listed_sites(self) -> list[Site]:
        """Sites the language switcher lists, in the registry's order."""
        return [site for site in self.sites.values() if site.switcher.listed]

    @model_validator(mode="after")
    def _check_entries_against_each_other(self) -> Self:
        problems = find_conflicts(self.company, self.environments, self.studio, self.sites, self.sites)
        if problems:
            raise ValueError("\n".join(problems))
        return self


def find_conflicts(
    company: Company | None,
    environments: Collection[str],
    studio: Studio | None,
    sites: Mapping[str, Site],
    keys: Collection[str],
) -> list[str]:
    """Problems between entries, each with key and mend. ``keys`` names all sites, also those whose own entry cannot be
    read: what refers to them is right.
    """
    return [
        *_reference_problems(company, sites, keys),
        *_missing_origins(environments, studio, sites),
        *_repeated_values(studio, sites),
    ]


def _reference_problems(company: Company | None, sites: Mapping[str, Site], keys: Collection[str]) -> Iterator[str]:
    known = ", ".join(keys)
    if company is not None and company.default_site not in keys:
        yield f"company.default_site: no site {company.default_site!r} (there are: {known}); name one of them"
    for site in sites.values():
        if site.inherits is None:
            continue
        source = sites.get(site.inherits)
        place = f"sites.{site.key}.inherits"
        if site.inherits not in keys or site.inherits == site.key:
            yield f"{place}: no other site {site.inherits!r} (there are: {known}); name one of them or remove the line"
        elif source is not None and source.inherits:
            yield f"{place}: {site.inherits!r} inherits itself; name {source.inherits!r}, the site with the originals"


def _missing_origins(environments: Collection[str], studio: Studio | None, sites: Mapping[str, Site]) -> Iterator[str]:
    owners = [(f"sites.{site.key}", site.origins) for site in sites.values()]
    if studio is not None:
        owners.append(("studio", studio.origins))
    for place, origins in owners:
        for environment in environments:
            if environment not in origins:
                yield f"{place}.origins: no origin for {environment!r}; add one, or remove environments.{environment}"


def _repeated_values(studio: Studio | None, sites: Mapping[str, Site]) -> Iterator[str]:
    seen: dict[tuple[str, str], str] = {}
    for kind, value, place in _own_values(studio, sites):
        first = seen.setdefault((kind, value.lower()), place)
        if first != place:
            yield f"{place}: {value!r} is already used by {first}; give each its own"


def _own_values(studio: Studio | None, sites: Mapping[str, Site]) -> Iterator[tuple[str, str, str]]:
    """What only one entry may have: (what it is, value, place)."""
    for site in sites.values():
        place = f"sites.{site.key}"
        yield "language", site.language, f"{place}.language"
        for tag in site.hreflang:
            yield "hreflang", tag, f"{place}.hreflang"
        for environment, origin in site.origins.items():
            yield f"origin in {environment}", origin, f"{place}.origins.{environment}"
    if studio is not None:
        for environment, origin in studio.origins.items():
            yield f"origin in {environment}", origin, f"studio.origins.{environment}"
