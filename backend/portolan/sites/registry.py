"""The schemas of the registry file and the rules that hold between its entries."""

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
"""Scheme, host and port, no path. ``{port}`` stands for the port the product is served on."""
Path = Annotated[str, StringConstraints(pattern=r"^/\S*$")]
ScriptAddress = Annotated[str, StringConstraints(pattern=r"^(/[^/\s]\S*|https://[a-z0-9.-]+(:\d+)?/\S*)$")]
ProxiedAddress = Annotated[
    str,
    StringConstraints(
        pattern=r"^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?/[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$",
        max_length=1000,
    ),
]
"""One file of another host, as browsers write its address: a named host, no port, no fragment."""
ContentSource = Annotated[str, StringConstraints(pattern=r"^(https|wss)://(\*\.)?[a-z0-9.-]+(:\d+)?$")]


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("there is no such time zone; write it as the IANA does, e.g. Europe/Berlin") from None
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
    """Whose days the company's figures go by, and whose time editors type for what belongs to no single site."""
    people_site: HttpUrl | None = None
    """Careers and corporate life, where the company has a site of its own for that."""
    headquarters: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    """Key of the office that visitors from its country see labelled as the headquarters."""
    security_contact: ContactUrl | None = None
    """Where to report a weakness: every site's ``/.well-known/security.txt`` names it."""
    service_worker: Literal["on", "off"] = "on"
    """``off`` takes the service worker back from all visitors of all sites: docs/howto/switch-the-service-worker-off.md."""
    dark_theme: bool = False
    """Whether light grounds are dark for visitors whose system is."""
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
    """``spec`` grants until somebody objects; ``strict`` asks first. Which law asks for which: docs/privacy.md."""
    policy_version: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.-]{1,20}$")] = "1"
    """Of the site's cookies policy. In ``strict`` whoever has chosen under another one is asked again."""


class Captcha(RegistryModel):
    provider: Literal["altcha", "recaptcha", "turnstile", "none"]
    """Who keeps robots out of the forms. ``altcha`` needs nobody else."""
    site_key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{10,100}$")] | None = None
    """What ``recaptcha`` and ``turnstile`` know the sites by; it stands in the pages."""
    secret_env: SecretName | None = None
    """Variable of the environment with the secret that goes with it."""
    lowest_score: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Of ``recaptcha``: below it a lead is flagged."""

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        if self.provider in ("recaptcha", "turnstile") and not (self.site_key and self.secret_env):
            raise ValueError(f"{self.provider} needs site_key and secret_env; add both, or choose altcha")
        return self


CAPTCHA_SCRIPT: Final = "captcha"
"""The captcha provider's, where it has one: forms wait for it."""
SETTINGS_SCRIPT: Final = "settings"
WITHOUT_SETTINGS_SCRIPT: Final = ("by", "ru", "ua")
"""Countries whose visitors never get the script of that name (spec §4)."""


class DeferredScript(RegistryModel):
    """A script that pages load once somebody scrolls or goes on to another page (spec §4)."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    src: ScriptAddress
    """A path of the site itself, or an ``https`` address: then its origin is allowed in the pages' policy."""
    purpose: ScriptPurpose
    """The purpose that a visitor must have granted; ``necessary`` needs no consent."""
    withheld_in: list[Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]] = []
    """Visitors from these countries never get it, whatever they have granted."""
    off_main_thread: bool = False
    """Whether it runs in a worker, by way of the site's own proxy."""
    sources: list[ContentSource] = []
    """Other origins it loads from, sends to or frames: allowed in the pages' policy."""
    trusted_types: bool = False
    """Whether it gives the page no text to read as markup or code (Trusted Types). Where every script says so, pages refuse such
    text, and scripts that none of theirs has loaded."""


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
            raise ValueError(f"{SETTINGS_SCRIPT!r} is withheld in {', '.join(missing)}; add them to its withheld_in")
        if script.trusted_types and (script.off_main_thread or script.src.startswith("https:")):
            raise ValueError(
                f"{script.name!r} cannot have trusted_types: nobody here answers for what others' scripts do with text; "
                "leave it out, or serve the script from public/"
            )
        if script.off_main_thread and script.src.startswith("https:") and not _is_proxied_address(script.src):
            raise ValueError(
                f"{script.name!r} cannot be passed on from {script.src}; give a host by name, without port and fragment"
            )
    return scripts


DeferredScripts = Annotated[list[DeferredScript], AfterValidator(_check_scripts)]


class Tags(RegistryModel):
    """What the pages tell the tag manager."""

    web_vitals: bool = False
    """Whether pages measure LCP, CLS and INP and push them to ``dataLayer``."""


class Studio(RegistryModel):
    origins: dict[Environment, Origin]
    second_factor: Literal["off", "optional", "required"] = "optional"
    """Whether people sign in with a code or a passkey beside their password: nobody, who wants to, or everybody."""


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
    """Whose time editors type on its pages; none given: the company's."""
    inherits: SiteKey | None = None
    group: GroupName | None = None
    """The sites it goes live with, and whose pages are its pages' translations; none given: all that name none."""
    switcher: Switcher
    country: Annotated[str, StringConstraints(pattern=r"^([a-z]{2})?$")]
    phone: Literal["own", "visitor"]
    office_rule: Literal["own", "visitor"]
    office_sets: Annotated[list[Literal[OFFICE_SETS]], Field(min_length=1)]  # type: ignore[valid-type]
    consent: Consent
    deferred_scripts: DeferredScripts | None = None
    """In place of the company's; none given: those."""
    third_party_scripts: list[ProxiedAddress] = []
    """Files of other hosts that scripts in a worker load: passed on from the site's own origin, to the letter. Those in
    ``deferred_scripts`` that run there need not be named again.
    """
    copyright_pages: list[Path] = ["/privacy-policy", "/cookies-policy"]
    """Pages the copyright bar links to; where the site lacks one, the link goes to the default site's."""
    service_worker: Literal["on", "off"] = "on"
    """``off`` takes it back from this site's visitors."""
    origins: dict[Environment, Origin]

    def origin(self, environment: Environment, port: int) -> str:
        """The site's origin, e.g. ``http://de.localhost:8000``."""
        return self.origins[environment].replace("{port}", str(port))


class Registry(RegistryModel):
    plugins: list[Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$")]] = []
    """Python packages with blocks and page families of the company's own, beside the registry or installed."""
    company: Company
    brand: Brand = Brand()
    """From a file of its own, ``brand.toml``."""
    figures: Figures
    social: dict[str, HttpUrl]
    captcha: Captcha = Captcha(provider="altcha")
    leads: LeadRules = LeadRules()
    alerts: AlertRules = AlertRules()
    """Who is told when an edit is not live in time."""
    destinations: list[DestinationSettings] = []
    """Where leads are handed on to."""
    cdns: list[CdnSettings] = []
    """The caches in front of the sites; none given: visitors come to the edge itself."""
    tags: Tags = Tags()
    deferred_scripts: DeferredScripts = []
    """Of every site that has none of its own."""
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
        """What the site passes on from other hosts."""
        own = [s.src for s in self.scripts_of(site) if s.off_main_thread and s.src.startswith("https:")]
        return list(dict.fromkeys([*own, *site.third_party_scripts]))

    def destinations_of(self, site: str) -> list[Webhook | Mailbox | Hubspot]:
        """Where that site's leads go."""
        return [entry for entry in self.destinations if entry.sites is None or site in entry.sites]

    def cdn_of(self, site: str, environment: Environment) -> Cdn | None:
        return cdn_of(self.cdns, site, environment)

    @property
    def secret_names(self) -> list[str]:
        """Variables of the environment that hold what may not stand here."""
        named = [
            self.captcha.secret_env,
            self.alerts.secret_env,
            *(getattr(one, "secret_env", None) for one in (*self.destinations, *self.cdns)),
        ]
        return list(dict.fromkeys(name for name in named if name))

    def sites_of(self, groups: Collection[str]) -> list[str]:
        """Keys of the sites of these groups."""
        return [key for key, site in self.sites.items() if (site.group or MAIN_GROUP) in groups]

    @property
    def shared_groups(self) -> list[str]:
        """Those without a publisher of their own."""
        return [MAIN_GROUP, *(name for name, group in self.groups.items() if group.publisher == "shared")]

    def alternates_of(self, site: str) -> list[Site]:
        """The sites with the same pages for other visitors, with itself."""
        own = self.sites[site]
        if own.group and not self.groups[own.group].alternates:
            return [own]
        return [other for other in self.sites.values() if other.group == own.group]

    def sites_granting_unasked(self) -> list[Site]:
        """Sites whose country's law wants visitors asked before anything is stored, and whose profile does not ask."""
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
                    f"{place}: {provider} needs its own script on {site.key}, or no form there is given a token; name "
                    f"it {CAPTCHA_SCRIPT!r}, with the purpose necessary, and not off the main thread"
                )


def find_conflicts(
    company: Company | None,
    environments: Collection[str],
    studio: Studio | None,
    groups: Mapping[str, Group | None],
    sites: Mapping[str, Site],
    keys: Collection[str],
) -> list[str]:
    """Problems between entries, each with key and fix. ``keys`` names all sites, also those whose own entry cannot be
    read: what refers to them is right. So does ``groups``, with none in such a one's place.
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
        for environment, origin in site.origins.items():
            yield f"origin in {environment}", origin, f"sites.{site.key}.origins.{environment}"
    if studio is not None:
        for environment, origin in studio.origins.items():
            yield f"origin in {environment}", origin, f"studio.origins.{environment}"


def _group_problems(groups: Mapping[str, Group | None], sites: Mapping[str, Site]) -> Iterator[str]:
    """A page may have one alternate for each ``hreflang``, and not without bounds."""
    seen: dict[str, dict[str, str]] = {}
    for site in sites.values():
        place = f"sites.{site.key}"
        if site.group and site.group not in groups:
            known = ", ".join(groups) or "none"
            yield f"{place}.group: no group {site.group!r} (there are: {known}); add [groups.{site.group}], or name another"
            continue
        group = groups[site.group] if site.group else Group()
        own = seen.setdefault(site.group or MAIN_GROUP, {}) if group is None or group.alternates else {}
        for tag in site.hreflang:
            first = own.setdefault(tag.lower(), place)
            if first != place:
                yield (
                    f"{place}.hreflang: {tag!r} is already used by {first}, and a page has one translation for it; give "
                    "each its own, or another group"
                )
    for name, tags in seen.items():
        if len(tags) > MOST_ALTERNATES:
            place = f"groups.{name}" if name else "sites"
            yield (
                f"{place}: has {len(tags)} values of hreflang, and every page would name them all; at most "
                f"{MOST_ALTERNATES}: make several groups of these sites"
            )
