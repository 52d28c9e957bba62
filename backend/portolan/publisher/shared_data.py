"""Shared data: the common data of a site's pages, built once per release.

Built as JSON values for the same reason as page content (see ``page_content.py``).
"""

from hashlib import sha256
from operator import itemgetter
from typing import Any, Final, NamedTuple

import orjson

from ..domain.offices import OFFICE_SETS, choose_offices
from ..domain.problems import MissingFrame, Problem, Subject, UnusableFrame, detail_of
from ..domain.references import UnresolvedReference, resolve
from ..releases.reader import ItemId
from ..sites.registry import DeferredScript, Site
from .addresses import Addresses
from .chosen_pages import fill_chosen_pages
from .icons import LOGO
from .lookup import SiteLookup
from .snapshot import Snapshot

_NETWORKS: Final = ("facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble", "reviews")
"""Profiles with an icon (``schemas.navigation.SocialLink``)."""


SHARED_PREFIX: Final = "/page-data/sq/d/"
"""Prefix of the URL paths of shared data."""


class SharedFile(NamedTuple):
    """Shared data for visitors and for the renderer."""

    hash: str
    data: bytes

    @property
    def path(self) -> str:
        return f"{SHARED_PREFIX}{self.hash}.json"


def build_shared_data(
    site_key: str, snapshot: Snapshot, lookup: SiteLookup, addresses: Addresses
) -> SharedFile | Problem:
    """Return menu, footer, offices and settings of a site, or their problem."""
    kind = "menu"
    try:
        if (menu := snapshot.body(ItemId(site_key, "menu", "main"))) is None:
            return Problem(Subject(site_key, kind, "main"), MissingFrame())
        menu = resolve(fill_chosen_pages(menu, lookup.chosen_page), lookup)
        kind = "footer"
        if (footer := snapshot.body(ItemId(site_key, "footer", "main"))) is None:
            return Problem(Subject(site_key, kind, "main"), MissingFrame())
        footer = resolve(footer, lookup)
        kind = "office"
        offices = resolve({"$items": "office"}, lookup)
        kind = "phone"
        phones = resolve({"$items": "phone"}, lookup)
        kind = ""
        shared = _shared_data(site_key, menu, footer, offices, phones, lookup, addresses)
        words = snapshot.body(ItemId(site_key, "words", "main"))
        return _pack({**shared, "words": resolve(words["words"], lookup)} if words else shared)
    except UnresolvedReference as error:
        return Problem(_place(site_key, kind, error.location, snapshot), detail_of(error.reference))
    except (KeyError, TypeError) as error:
        return Problem(Subject(site_key, kind), UnusableFrame(f"{type(error).__name__}: {error}"))


def _place(site: str, kind: str, location: str, snapshot: Snapshot) -> Subject:
    if kind in ("menu", "footer"):
        return Subject(site, kind, "main", field=location)
    index, _, field = location.removeprefix(".").partition(".")
    key = str(snapshot.collection(site, kind)[int(index)]["id"])
    return Subject(site, kind, key, title=key, field=field)


def _shared_data(
    site_key: str,
    menu: dict[str, Any],
    footer: dict[str, Any],
    offices: list[dict[str, Any]],
    phones: list[dict[str, Any]],
    lookup: SiteLookup,
    addresses: Addresses,
) -> dict[str, Any]:
    company, site = addresses.registry.company, addresses.site(site_key)
    social = addresses.registry.social
    # If the visitor's country decides, a page may need any of the sets. Each card is stored once for all sets.
    shown = OFFICE_SETS if site.office_rule == "visitor" else site.office_sets
    return {
        "site": {
            "key": site_key,
            "lang": site.language,
            "dir": site.dir,
            "dateLocale": site.date_locale,
            "origin": addresses.origin(site_key),
            "international": _international_origin(site, addresses),
            "company": company.name,
            "legalName": company.legal_name,
            "founded": company.founded.isoformat(),
            "logo": f"{addresses.origin(site_key)}{LOGO}",
            "themeColor": addresses.registry.brand.colours.ground,
            "backgroundColor": addresses.registry.brand.colours.ground,
            "darkTheme": company.dark_theme,
        },
        "menu": menu["items"],
        "contact": menu["contact"],
        "footer": footer["groups"],
        "legalLinks": footer["legal_links"],
        "offices": choose_offices(offices, shown, itemgetter("sets")),
        "officeSet": site.office_sets[0],
        "personalData": footer.get("personal_data"),
        "officesLink": footer["offices_link"],
        "headquarters": company.headquarters,
        "phones": phones,
        "visitor": {
            "country": site.country,
            "phone": site.phone,
            "offices": site.office_rule,
            "consentTheme": site.consent.theme,
            "consentProfile": site.consent.profile,
            "consentPolicyVersion": site.consent.policy_version,
        },
        "runtime": {
            "deferredScripts": [_deferred_script(script) for script in addresses.registry.scripts_of(site)],
            "webVitals": addresses.registry.tags.web_vitals,
            "serviceWorker": addresses.registry.has_service_worker(site_key),
        },
        "captcha": {"provider": addresses.registry.captcha.provider, "siteKey": addresses.registry.captcha.site_key},
        "social": [{"network": name, "href": social[name]} for name in social if name in _NETWORKS],
        "year": int(lookup.placeholder("year") or 0),
    }


def _deferred_script(script: DeferredScript) -> dict[str, Any]:
    return {
        "name": script.name,
        "src": script.src,
        "purpose": script.purpose,
        "withheldIn": script.withheld_in,
        "offMainThread": script.off_main_thread,
    }


def _international_origin(site: Site, addresses: Addresses) -> str:
    """Return the international site's origin; empty if the language is the same."""
    default = addresses.registry.default_site
    is_same = site.language.partition("-")[0] == default.language.partition("-")[0]
    return "" if is_same else addresses.origin(default.key)


def _pack(shared: dict[str, Any]) -> SharedFile:
    data = orjson.dumps(shared, option=orjson.OPT_SORT_KEYS)
    return SharedFile(sha256(data).hexdigest()[:32], data)
