"""Shared data: what all pages of a site have in common, built once per site and release."""

from hashlib import sha256
from typing import Any, NamedTuple, get_args

import orjson
from pydantic import TypeAdapter, ValidationError

from ..domain.offices import choose_offices
from ..domain.references import UnresolvedReference, resolve
from ..shapes.navigation import SocialLink
from ..shapes.office import Office
from ..shapes.page import SharedData, SiteFacts
from .addresses import Addresses
from .lookup import SiteLookup
from .problem import Problem
from .snapshot import ItemId, Snapshot

_OFFICES = TypeAdapter(list[Office])
_NETWORKS = get_args(SocialLink.model_fields["network"].annotation)


class SharedFile(NamedTuple):
    """Shared data as it is served and as the renderer gets it."""

    hash: str
    data: bytes

    @property
    def path(self) -> str:
        return f"/page-data/sq/d/{self.hash}.json"


def build_shared_data(
    site_key: str, snapshot: Snapshot, lookup: SiteLookup, addresses: Addresses
) -> SharedFile | Problem:
    """Menu, footer, offices and facts of a site; or what is wrong with them."""
    where = "menu"
    try:
        menu = resolve(_body(snapshot, site_key, "menu"), lookup)
        where = "footer"
        footer = resolve(_body(snapshot, site_key, "footer"), lookup)
        where = "offices"
        offices = _OFFICES.validate_python(resolve({"$items": "office"}, lookup))
        where = "menu, footer or offices"
        return _pack(_shared_data(site_key, menu, footer, offices, lookup, addresses))
    except UnresolvedReference as error:
        reference = error.reference
        return Problem(
            site_key,
            "",
            "",
            f"the {where} mentions {reference.kind} {reference.key!r} (at {error.location}), which does not exist here "
            "or on the default site",
            "choose another target there",
        )
    except (ValidationError, KeyError, TypeError) as error:
        return Problem(site_key, "", "", f"the {where} cannot be used: {error}", "correct it in the studio")


def _shared_data(
    site_key: str, menu: Any, footer: Any, offices: list[Office], lookup: SiteLookup, addresses: Addresses
) -> SharedData:
    registry, site = addresses.registry, addresses.site(site_key)
    shown = (
        [office for office in offices if office.sets]  # any visitor's set may be asked for: each card stands once
        if site.office_rule == "visitor"
        else choose_offices(offices, site.office_sets)
    )
    return SharedData.model_validate(
        {
            "site": SiteFacts(
                key=site_key,
                lang=site.language,
                dir=site.dir,
                origin=addresses.origin(site_key),
                company=registry.company.name,
                legal_name=registry.company.legal_name,
                theme_color=registry.company.theme_color,
                background_color=registry.company.background_color,
            ),
            "menu": menu["items"],
            "contact": menu["contact"],
            "footer": footer["groups"],
            "legal_links": footer["legal_links"],
            "offices": shown,
            "office_set": site.office_sets[0],
            "offices_link": footer["offices_link"],
            "social": [{"network": name, "href": href} for name, href in registry.social.items() if name in _NETWORKS],
            "year": int(lookup.placeholder("year") or 0),
        }
    )


def _body(snapshot: Snapshot, site: str, kind: str) -> Any:
    body = snapshot.body(ItemId(site, kind, "main"))
    if body is None:
        raise KeyError(f"the site has no {kind}")
    return body


def _pack(shared: SharedData) -> SharedFile:
    data = orjson.dumps(shared.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
    return SharedFile(sha256(data).hexdigest()[:32], data)
