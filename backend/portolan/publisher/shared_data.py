"""Shared data: what all pages of a site have in common, built once per site and release.

Built as JSON values for the same reason as page content (see ``page_content.py``).
"""

from hashlib import sha256
from operator import itemgetter
from typing import Any, Final, NamedTuple

import orjson

from ..domain.offices import OFFICE_SETS, choose_offices
from ..domain.references import UnresolvedReference, resolve
from ..releases.reader import ItemId
from ..sites.registry import DeferredScript, Site
from .addresses import Addresses
from .icons import LOGO
from .lookup import SiteLookup
from .problem import PublishProblem
from .snapshot import Snapshot

_NETWORKS: Final = ("facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble", "reviews")
"""Profiles that have a mark to show (``schemas.navigation.SocialLink``)."""


_KINDS: Final = {"menu": "menu", "footer": "footer", "offices": "office", "phones": "phone"}
"""Kinds of the items that shared data is made of, by the names used in problems."""


SHARED_PREFIX: Final = "/page-data/sq/d/"
"""Of the addresses of shared data."""


class SharedFile(NamedTuple):
    """Shared data as it is served and as the renderer gets it."""

    hash: str
    data: bytes

    @property
    def path(self) -> str:
        return f"{SHARED_PREFIX}{self.hash}.json"


def build_shared_data(
    site_key: str, snapshot: Snapshot, lookup: SiteLookup, addresses: Addresses
) -> SharedFile | PublishProblem:
    """Menu, footer, offices and settings of a site; or what is wrong with them."""
    where = "menu"
    try:
        menu = resolve(_body(snapshot, site_key, "menu"), lookup)
        where = "footer"
        footer = resolve(_body(snapshot, site_key, "footer"), lookup)
        where = "offices"
        offices = resolve({"$items": "office"}, lookup)
        where = "phones"
        phones = resolve({"$items": "phone"}, lookup)
        where = "menu, footer or offices"
        return _pack(_shared_data(site_key, menu, footer, offices, phones, lookup, addresses))
    except UnresolvedReference as error:
        reference = error.reference
        return PublishProblem(
            site_key,
            "",
            "",
            f"the {where} mentions {reference.kind} {reference.key!r} (at {error.location}), which does not exist here "
            "or on the default site",
            "choose another target there",
            _KINDS.get(where, ""),
            reference,
        )
    except (KeyError, TypeError) as error:
        what = f"the {where} cannot be used: {error}"
        return PublishProblem(site_key, "", "", what, "correct it in the studio", _KINDS.get(where, ""))


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
    # Where the visitor's country decides, a page may need any of the sets. Each card is stored once for all of them.
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
            "themeColor": company.theme_color,
            "backgroundColor": company.background_color,
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
    """Empty for sites in the default site's own language, whatever its region: their visitors need no notice."""
    default = addresses.registry.default_site
    is_same = site.language.partition("-")[0] == default.language.partition("-")[0]
    return "" if is_same else addresses.origin(default.key)


def _body(snapshot: Snapshot, site: str, kind: str) -> Any:
    body = snapshot.body(ItemId(site, kind, "main"))
    if body is None:
        raise KeyError(f"the site has no {kind}")
    return body


def _pack(shared: dict[str, Any]) -> SharedFile:
    data = orjson.dumps(shared, option=orjson.OPT_SORT_KEYS)
    return SharedFile(sha256(data).hexdigest()[:32], data)
