"""The shapes of the registry file and the rules that hold between its entries."""

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
        problems = [*_reference_problems(self), *_uniqueness_problems(self)]
        if problems:
            raise ValueError("\n".join(problems))
        return self


def _reference_problems(registry: Registry) -> list[str]:
    known = ", ".join(registry.sites)
    problems = []
    if registry.company.default_site not in registry.sites:
        problems.append(
            f"company.default_site: no site {registry.company.default_site!r} (there are: {known}); name one of them"
        )
    for site in registry.sites.values():
        if site.inherits is None:
            continue
        if site.inherits not in registry.sites or site.inherits == site.key:
            problems.append(f"sites.{site.key}.inherits: no other site {site.inherits!r} (there are: {known})")
        elif registry.sites[site.inherits].inherits:
            problems.append(
                f"sites.{site.key}.inherits: {site.inherits!r} inherits itself; inherit from the site with the originals"
            )
    return problems


def _uniqueness_problems(registry: Registry) -> list[str]:
    problems = []
    seen: dict[str, str] = {}

    def claim(value: str, place: str) -> None:
        if value in seen:
            problems.append(f"{place}: {value!r} is already used by {seen[value]}; it must be the site's own")
        seen.setdefault(value, place)

    for site in registry.sites.values():
        place = f"sites.{site.key}"
        claim(site.language, f"{place}.language")
        for tag in site.hreflang:
            claim(f"hreflang {tag.lower()}", f"{place}.hreflang")
        for environment in registry.environments:
            if environment not in site.origins:
                problems.append(f"{place}.origins: no origin for {environment!r}; every site needs one per environment")
        for environment, origin in site.origins.items():
            claim(f"{environment} {origin}", f"{place}.origins.{environment}")
    for environment, origin in registry.studio.origins.items():
        claim(f"{environment} {origin}", f"studio.origins.{environment}")
    return problems
