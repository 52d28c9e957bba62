"""Define the schemas of the site configuration, and the rules between its entries."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Annotated, Final, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from ..domain.consent import ASKED_FIRST
from ..domain.offices import OFFICE_SETS
from ..schemas.codes import Dir, Environment, LanguageTag, ScriptPurpose, SiteKey
from .alerts import AlertRules, find_alert_problems
from .brand import Brand
from .cdn import Cdn, CdnSettings, cdn_of, find_cdn_problems
from .destinations import (
    DestinationSettings,
    Hubspot,
    LeadRules,
    Mailbox,
    SecretName,
    Webhook,
    find_destination_problems,
)
from .groups import MAIN_GROUP, MOST_ALTERNATES, Alternates, Group, GroupName
from .retention import Retention

ContactUrl = Annotated[str, StringConstraints(pattern=r"^(https://[^/\s]+(/\S*)?|mailto:[^@\s]+@[^@\s]+)$")]
HttpUrl = Annotated[str, StringConstraints(pattern=r"^https?://[^/\s]+(/\S*)?$")]
Origin = Annotated[str, StringConstraints(pattern=r"^https?://[a-z0-9.-]+(:(\d+|\{port\}))?$")]
"""Scheme, host and port, without a path. ``{port}`` is replaced by the product's port."""
Path = Annotated[str, StringConstraints(pattern=r"^/\S*$")]
ScriptAddress = Annotated[str, StringConstraints(pattern=r"^(/[^/\s]\S*|https://[a-z0-9.-]+(:\d+)?/\S*)$")]
ProxiedAddress = Annotated[
    str,
    StringConstraints(
        pattern=r"^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?/[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$",
        max_length=1000,
    ),
]
"""A file of another host, as browsers write its URL: a named host, no port, no fragment."""
ContentSource = Annotated[str, StringConstraints(pattern=r"^(https|wss)://(\*\.)?[a-z0-9.-]+(:\d+)?$")]


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("this is not a time zone; use an IANA name, e.g. Europe/Berlin") from None
    return name


TimeZone = Annotated[str, AfterValidator(_check_zone)]


class RegistryModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


IslandRuntime = Literal["react", "preact"]
"""The library that runs islands in the browser."""


class Company(RegistryModel):
    name: str
    slug: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    legal_name: str
    founded: date
    default_site: SiteKey
    time_zone: TimeZone = "UTC"
    """Time zone of the company's figures, and of times in the studio that belong to no single site."""
    people_site: HttpUrl | None = None
    """Careers site, if the company has one."""
    headquarters: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    """Key of the office that visitors from its country see labelled as the headquarters."""
    security_contact: ContactUrl | None = None
    """Contact for security reports, in every site's ``/.well-known/security.txt``."""
    service_worker: Literal["on", "off"] = "on"
    """``off`` removes the service worker for all visitors of all sites: docs/howto/switch-the-service-worker-off.md."""
    dark_theme: bool = False
    """Whether light backgrounds are dark for visitors whose system is in dark mode."""
    islands: IslandRuntime = "react"
    """``preact`` halves the script of forms and filters: docs/howto/choose-what-runs-islands.md."""


class Figures(RegistryModel):
    employees: str
    projects: str
    offices: str


class Switcher(RegistryModel):
    shown: bool
    """Whether this site's pages show the language switcher."""
    listed: bool
    """Whether the switcher lists this site."""
    hidden_on: list[Path] = []


class Consent(RegistryModel):
    theme: Literal["by-country", "gdpr", "small"]
    profile: Literal["spec", "strict"]
    """``spec`` grants until the visitor objects; ``strict`` asks first. Legal background: docs/privacy.md."""
    policy_version: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.-]{1,20}$")] = "1"
    """Version of the site's cookies policy. With ``strict``, visitors who chose under another version are asked
    again."""


class Captcha(RegistryModel):
    provider: Literal["altcha", "recaptcha", "turnstile", "none"]
    """Protects forms from bots. ``altcha`` needs no external service."""
    site_key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{10,100}$")] | None = None
    """The sites' key at ``recaptcha`` or ``turnstile``; part of the pages."""
    secret_env: SecretName | None = None
    """Environment variable with the matching secret."""
    lowest_score: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Only for ``recaptcha``: leads with a lower score are flagged."""

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        if self.provider in ("recaptcha", "turnstile") and not (self.site_key and self.secret_env):
            raise ValueError(f"{self.provider} needs site_key and secret_env; add both, or choose altcha")
        return self


CAPTCHA_SCRIPT: Final = "captcha"
"""Name of the captcha provider's script, if it has one. Forms wait for it."""
SETTINGS_SCRIPT: Final = "settings"
WITHOUT_SETTINGS_SCRIPT: Final = ("by", "ru", "ua")
"""Countries whose visitors never get the script of that name (spec §4)."""


class DeferredScript(RegistryModel):
    """A script that pages load after the visitor has scrolled or opened another page (spec §4)."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    src: ScriptAddress
    """A path on the site, or an ``https`` URL, whose origin the pages' policy then allows."""
    purpose: ScriptPurpose
    """The purpose that a visitor must have granted; ``necessary`` needs no consent."""
    withheld_in: list[Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]] = []
    """Visitors from these countries never get it, even with consent."""
    off_main_thread: bool = False
    """Whether it runs in a worker, through the site's own proxy."""
    sources: list[ContentSource] = []
    """Other origins that it loads, sends to or frames, allowed in the pages' policy."""
    trusted_types: bool = False
    """Whether it never gives the page text to parse as markup or code (Trusted Types). If this is true for all scripts,
    pages reject such text, and scripts that none of them has loaded."""


def _is_proxied_address(text: str) -> bool:
    try:
        _PROXIED.validate_python(text)
    except ValidationError:
        return False
    return True


_PROXIED: Final = TypeAdapter[str](ProxiedAddress)


def _check_scripts(scripts: list[DeferredScript]) -> list[DeferredScript]:
    names = [script.name for script in scripts]
    for script in scripts:
        if names.count(script.name) > 1:
            raise ValueError(f"the name {script.name!r} is used more than once; give each script its own")
        missing = [country for country in WITHOUT_SETTINGS_SCRIPT if country not in script.withheld_in]
        if script.name == SETTINGS_SCRIPT and missing:
            raise ValueError(
                f"{SETTINGS_SCRIPT!r} must be withheld in {', '.join(missing)}; add them to its withheld_in"
            )
        if script.trusted_types and (script.off_main_thread or script.src.startswith("https:")):
            raise ValueError(
                f"{script.name!r} cannot have trusted_types, because Portolan does not control an external script; remove it, "
                "or serve the script from public/"
            )
        if script.off_main_thread and script.src.startswith("https:") and not _is_proxied_address(script.src):
            raise ValueError(
                f"{script.name!r} cannot be proxied from {script.src}; use a host by name, without port and fragment"
            )
    return scripts


DeferredScripts = Annotated[list[DeferredScript], AfterValidator(_check_scripts)]


class Tags(RegistryModel):
    """Data for the tag manager."""

    web_vitals: bool = False
    """Whether pages measure LCP, CLS and INP and push them to ``dataLayer``."""


class Studio(RegistryModel):
    origins: dict[Environment, Origin]
    second_factor: Literal["off", "optional", "required"] = "optional"
    """Two-factor authentication by code or passkey: never, by choice, or always."""


class EnvironmentRules(RegistryModel):
    robots: Literal["open", "closed"]


class Site(RegistryModel):
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
    time_zone: TimeZone | None = None
    """Time zone of times that editors enter on its pages; none given: the company's."""
    inherits: SiteKey | None = None
    group: GroupName | None = None
    """Sites that go live together and whose pages are translations of each other; none given: the group of all sites
    without one."""
    switcher: Switcher
    country: Annotated[str, StringConstraints(pattern=r"^([a-z]{2})?$")]
    phone: Literal["own", "visitor"]
    office_rule: Literal["own", "visitor"]
    office_sets: Annotated[list[Literal[OFFICE_SETS]], Field(min_length=1)]  # type: ignore[valid-type]
    consent: Consent
    deferred_scripts: DeferredScripts | None = None
    """Replace the company's scripts; none given: the company's."""
    third_party_scripts: list[ProxiedAddress] = []
    """Files of other hosts that scripts in a worker load, by exact URL. The site's own origin proxies them. Scripts in
    ``deferred_scripts`` that run in a worker are included."""
    copyright_pages: list[Path] = ["/privacy-policy", "/cookies-policy"]
    """Pages in the copyright bar. If the site lacks one, the link goes to the default site's page."""
    service_worker: Literal["on", "off"] = "on"
    """``off`` removes it for this site's visitors."""
    origins: dict[Environment, Origin]

    def origin(self, environment: Environment, port: int) -> str:
        """Return the site's origin, e.g. ``http://de.localhost:8000``."""
        return self.origins[environment].replace("{port}", str(port))


class Registry(RegistryModel):
    plugins: list[Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$")]] = []
    """Python packages with the company's own blocks and page types, next to the site configuration or installed."""
    company: Company
    brand: Brand = Brand()
    """From ``brand.toml``."""
    figures: Figures
    social: dict[str, HttpUrl]
    captcha: Captcha = Captcha(provider="altcha")
    leads: LeadRules = LeadRules()
    alerts: AlertRules = AlertRules()
    """Notifications if an edit is not live in time."""
    destinations: list[DestinationSettings] = []
    """Destinations that leads are sent to."""
    cdns: list[CdnSettings] = []
    """Caches in front of the sites; none given: visitors reach the edge directly."""
    tags: Tags = Tags()
    deferred_scripts: DeferredScripts = []
    """Scripts of every site without its own."""
    studio: Studio
    environments: dict[Environment, EnvironmentRules]
    groups: dict[GroupName, Group] = {}
    alternates: Alternates = Alternates()
    retention: Retention = Retention()
    sites: dict[SiteKey, Site]

    @property
    def default_site(self) -> Site:
        return self.sites[self.company.default_site]

    def has_service_worker(self, site: str) -> bool:
        return self.company.service_worker == self.sites[site].service_worker == "on"

    def time_zone(self, site: str) -> str:
        return self.sites[site].time_zone or self.company.time_zone

    def studio_origin(self, environment: Environment, port: int) -> str:
        return self.studio.origins[environment].replace("{port}", str(port))

    def scripts_of(self, site: Site) -> list[DeferredScript]:
        return self.deferred_scripts if site.deferred_scripts is None else site.deferred_scripts

    def proxied_addresses(self, site: Site) -> list[str]:
        """Return the URLs that the site proxies from other hosts."""
        own = [s.src for s in self.scripts_of(site) if s.off_main_thread and s.src.startswith("https:")]
        return list(dict.fromkeys([*own, *site.third_party_scripts]))

    def destinations_of(self, site: str) -> list[Webhook | Mailbox | Hubspot]:
        """Return the destinations of a site's leads."""
        return [entry for entry in self.destinations if entry.sites is None or site in entry.sites]

    def cdn_of(self, site: str, environment: Environment) -> Cdn | None:
        return cdn_of(self.cdns, site, environment)

    @property
    def secret_names(self) -> list[str]:
        """Names of environment variables with secrets."""
        named = [
            self.captcha.secret_env,
            self.alerts.secret_env,
            *(getattr(one, "secret_env", None) for one in (*self.destinations, *self.cdns)),
        ]
        return list(dict.fromkeys(name for name in named if name))

    def sites_of(self, groups: Collection[str]) -> list[str]:
        """Return the keys of the sites in these groups."""
        return [key for key, site in self.sites.items() if (site.group or MAIN_GROUP) in groups]

    @property
    def shared_groups(self) -> list[str]:
        """Groups without a publisher of their own."""
        return [MAIN_GROUP, *(name for name, group in self.groups.items() if group.publisher == "shared")]

    def alternates_of(self, site: str) -> list[Site]:
        """Return the sites with the same pages for other visitors, including this site."""
        own = self.sites[site]
        if own.group and not self.groups[own.group].alternates:
            return [own]
        return [other for other in self.sites.values() if other.group == own.group]

    def sources(self) -> Mapping[str, str]:
        """Return, by site, the site whose pages it translates or copies.

        It is the site that it inherits from, else the default site. Sites of a group with other pages than the default
        site have none.
        """
        default = self.company.default_site
        shared = {site.key for site in self.alternates_of(default)}
        found = {key: site.inherits or (default if key in shared else "") for key, site in self.sites.items()}
        return {key: source for key, source in found.items() if source not in ("", key)}

    def sites_granting_unasked(self) -> list[Site]:
        """Return the sites whose country requires consent first, but whose profile grants it by default."""
        return [s for s in self.sites.values() if s.country in ASKED_FIRST and s.consent.profile == "spec"]

    @model_validator(mode="after")
    def _check_entries_against_each_other(self) -> Self:
        problems = find_conflicts(self.company, self.environments, self.studio, self.groups, self.sites, self.sites)
        problems += find_destination_problems(self.destinations, self.leads, self.sites)
        problems += find_cdn_problems(self.cdns, self.sites)
        problems += find_alert_problems(self.alerts, self.leads)
        problems += self._missing_captcha_scripts()
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _missing_captcha_scripts(self) -> Iterator[str]:
        provider = self.captcha.provider
        if provider not in ("recaptcha", "turnstile"):
            return
        for site in self.sites.values():
            own = [script for script in self.scripts_of(site) if script.name == CAPTCHA_SCRIPT]
            if not own or own[0].purpose != "necessary" or own[0].off_main_thread:
                place = "deferred_scripts" if site.deferred_scripts is None else f"sites.{site.key}.deferred_scripts"
                yield (
                    f"{place}: {provider} needs its own script on {site.key}, else forms there get no token; name it "
                    f"{CAPTCHA_SCRIPT!r}, with the purpose necessary, and not off the main thread"
                )


def find_conflicts(
    company: Company | None,
    environments: Collection[str],
    studio: Studio | None,
    groups: Mapping[str, Group | None],
    sites: Mapping[str, Site],
    keys: Collection[str],
) -> list[str]:
    """Return the conflicts between entries, each with key and fix.

    ``keys`` has all sites, including those with an invalid entry, so that references to them count as valid. In
    ``groups``, the value of an invalid group is None.
    """
    return [
        *_reference_problems(company, sites, keys),
        *_missing_origins(environments, studio, sites),
        *_repeated_values(studio, sites),
        *_group_problems(groups, sites),
    ]


def _reference_problems(company: Company | None, sites: Mapping[str, Site], keys: Collection[str]) -> Iterator[str]:
    known = ", ".join(keys)
    if company is not None and company.default_site not in keys:
        yield f"company.default_site: no site {company.default_site!r} (there are: {known}); use one of them"
    for site in sites.values():
        if site.inherits is None:
            continue
        source = sites.get(site.inherits)
        place = f"sites.{site.key}.inherits"
        if site.inherits not in keys or site.inherits == site.key:
            yield f"{place}: no other site {site.inherits!r} (there are: {known}); use one of them or remove the line"
        elif source is not None and source.inherits:
            yield f"{place}: {site.inherits!r} itself inherits; use {source.inherits!r}, the site with the originals"


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
    """Yield values that only one entry may have: (kind, value, place)."""
    for site in sites.values():
        for environment, origin in site.origins.items():
            yield f"origin in {environment}", origin, f"sites.{site.key}.origins.{environment}"
    if studio is not None:
        for environment, origin in studio.origins.items():
            yield f"origin in {environment}", origin, f"studio.origins.{environment}"


def _group_problems(groups: Mapping[str, Group | None], sites: Mapping[str, Site]) -> Iterator[str]:
    """Yield duplicate ``hreflang`` values of a group, and groups with too many of them."""
    seen: dict[str, dict[str, str]] = {}
    for site in sites.values():
        place = f"sites.{site.key}"
        if site.group and site.group not in groups:
            known = ", ".join(groups) or "none"
            yield f"{place}.group: no group {site.group!r} (there are: {known}); add [groups.{site.group}], or use another"
            continue
        group = groups[site.group] if site.group else Group()
        own = seen.setdefault(site.group or MAIN_GROUP, {}) if group is None or group.alternates else {}
        for tag in site.hreflang:
            first = own.setdefault(tag.lower(), place)
            if first != place:
                yield (
                    f"{place}.hreflang: {tag!r} is already used by {first}, but a page can have only one translation for it; give "
                    "each its own, or another group"
                )
    for name, tags in seen.items():
        if len(tags) > MOST_ALTERNATES:
            place = f"groups.{name}" if name else "sites"
            yield (
                f"{place}: has {len(tags)} values of hreflang, which every page would list; use at most "
                f"{MOST_ALTERNATES}, and split the sites into several groups"
            )
