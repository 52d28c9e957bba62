"""Read the site configuration, and report every problem at once with file, key and fix."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from .added import read_added
from .brand import BRAND_FILE, FOLDER, Brand
from .groups import Group
from .registry import Company, EnvironmentRules, Registry, Site, Studio, find_conflicts

_Model = TypeVar("_Model", bound=BaseModel)

FORMS: Final = {
    r"^#[0-9a-f]{6}$": "a colour of six hexadecimal digits in lower case, such as #ffdb00",
    r"^https?://[^/\s]+(/\S*)?$": "an address with http:// or https://, such as https://people.example",
    r"^(https://[^/\s]+(/\S*)?|mailto:[^@\s]+@[^@\s]+)$": "an address with https:// or mailto:, such as "
    "mailto:security@brightmoor.example",
    r"^https?://[a-z0-9.-]+(:(\d+|\{port\}))?$": "an origin: scheme, host, perhaps a port, and no path, "
    "such as https://brightmoor.example or http://localhost:{port}",
    r"^/\S*$": "a path that starts with a slash, such as /imprint",
    r"^(/[^/\s]\S*|https://[a-z0-9.-]+(:\d+)?/\S*)$": "a path of the site that starts with a slash, such as /demo/chat.js, "
    "or an address with https://, such as https://chat.example/widget.js",
    r"^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?/[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$": "the "
    "whole address of one file with https:// and a host by name, without port and fragment, such as "
    "https://tags.example/tag.js?id=1",
    r"^(https|wss)://(\*\.)?[a-z0-9.-]+(:\d+)?$": "an origin with https:// or wss:// and no path, such as "
    "https://chat.example or wss://*.chat.example",
    r"^[a-z]{2}$": "an ISO country code in lower case, such as gb",
    r"^[a-z][a-z0-9-]*$": "lower-case letters, digits and hyphens, such as brightmoor",
    r"^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?/[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$": "an "
    "address with https:// and a host by name, such as https://crm.example/leads",
    r"^[A-Z][A-Z0-9_]{2,60}$": "the name of an environment variable, such as CRM_SECRET, never the secret itself",
    r"^[A-Za-z0-9._+-]+@[a-z0-9.-]+\.[a-z]+$": "an e-mail address, such as leads@brightmoor.example",
    r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$": "the id of a form in lower case, such as 0f5d0f3a-7c1e-4d8a-9f0b-5e2d7c4a1b6f",
    r"^[A-Za-z0-9_-]{10,100}$": "a site key as the provider shows it",
    r"^[A-Za-z0-9.-]{1,20}$": "up to 20 letters, digits, dots and hyphens, such as 2026-11-01",
    r"^https?://[a-z0-9.\[\]:-]+$": "the URL at which a cache accepts purges, without a path, such as http://10.0.0.7:6081",
    r"^[0-9a-f]{32}$": "the zone's id of 32 hexadecimal digits, as Cloudflare shows it",
    r"^[A-Za-z0-9]{10,40}$": "the service's id, as Fastly shows it",
    r"^[A-Z0-9]{8,20}$": "the distribution's id, as CloudFront shows it",
    r"^[a-z]{2}_[A-Z]{2}$": "language and country as Open Graph writes them, such as de_DE",
    r"^([a-z]{2})?$": "an ISO country code in lower case, such as gb, or nothing",
    r"^[a-z][a-z0-9-]{0,39}$": "up to 40 lower-case letters, digits and hyphens, such as outlets",
    r"^[a-z]{2,12}$": "2 to 12 lower-case letters, such as de",
    r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$": "a language tag, such as de-DE",
    r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$": "the name of a Python module, such as acme_blocks",
    r"^[1-9]\d{1,2}( [1-9]\d{1,2})?$": "a weight, such as 400, or the first and the last of a variable font: 200 800",
    r"^U\+[0-9A-Fa-f?U+, -]+$": "ranges as in style sheets, such as U+0-FF, U+131",
    r"^[A-Za-z0-9 _-]{0,60}$": "the name of a font family in letters, digits, spaces and hyphens",
}
"""Explanations of the patterns for people."""


class RegistryError(Exception):
    """The site configuration cannot be used. ``problems`` has one line for each thing to fix."""

    def __init__(self, file: Path, problems: list[str], of_brand: Collection[str] = ()) -> None:
        """``of_brand``: problems in ``brand.toml``."""
        self.file = file
        self.problems = [*problems, *of_brand]
        count = f"{len(self.problems)} problem" + ("" if len(self.problems) == 1 else "s")
        told = [*((file.name, problem) for problem in problems), *((BRAND_FILE, problem) for problem in of_brand)]
        lines = "".join(f"\n  {name}: {problem}" for name, problem in told)
        super().__init__(f"{file} cannot be used, so nothing can be built or served: {count}.{lines}")


_FORMER_COLOURS: Final = {"brand_color": "accent", "background_color": "ground", "theme_color": None}
"""Keys of ``[company]`` in old configurations, and the brand colour of each. Used only if there is no
``brand.toml``."""
_in_force: Final[dict[Path, Registry]] = {}


def load_registry(file: Path, added: Path | None = None) -> Registry:
    """Return the checked configuration, the same for the life of the process. Raise RegistryError with all problems.

    ``added``: the file with the sites that were added in the studio.
    """
    if file not in _in_force:
        _in_force[file] = read_registry(file, read_added(added))
    return _in_force[file]


def use_registry(file: Path, registry: Registry) -> None:
    """Make ``load_registry`` return this instead of reading the file, in a process that works for another one."""
    _in_force[file] = registry


def read_registry(file: Path, added: Mapping[str, Any] | None = None) -> Registry:
    """Return the checked configuration from the file and ``added``, more sites by key. The file's entry of a site has
    priority. Raise RegistryError with all problems."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RegistryError(
            file,
            [
                f"cannot be read ({error.strerror}); change to the folder that contains it, set PORTOLAN_SITES_FILE, or "
                "create one: portolan init FOLDER"
            ],
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RegistryError(file, [f"is not valid TOML: {error}; correct that line"]) from error
    if added and isinstance(raw.get("sites"), dict):
        raw["sites"] |= {key: site for key, site in added.items() if key not in raw["sites"]}
    raw = _with_keys(raw)
    if "brand" in raw:
        raise RegistryError(file, [f"brand: belongs in a file of its own; move it to {BRAND_FILE} next to this file"])
    brand, of_brand, of_former = _read_brand(file.parent, _former_brand(raw))
    try:
        registry = Registry.model_validate({**raw, "brand": brand})
    except ValidationError as error:
        problems = [problem for detail in error.errors() for problem in _problems(dict(detail))]
        raise RegistryError(file, list(dict.fromkeys([*problems, *of_former, *_conflicts(raw)])), of_brand) from error
    if of_brand or of_former:
        raise RegistryError(file, of_former, of_brand)
    return registry


def _former_brand(raw: dict[str, Any]) -> dict[str, Any]:
    """Remove the old brand keys from ``[company]``, and return them as a brand."""
    company = raw.get("company")
    if not isinstance(company, dict):
        return {}
    raw["company"] = {key: value for key, value in company.items() if key not in _FORMER_COLOURS}
    found = {name: company[key] for key, name in _FORMER_COLOURS.items() if name and key in company}
    return {"colours": found} if found else {}


def _read_brand(folder: Path, former: dict[str, Any]) -> tuple[Brand, list[str], list[str]]:
    """Return the brand, the problems of its file, and those of its old keys. With problems, the brand is the default
    one."""
    try:
        raw = tomllib.loads((folder / BRAND_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        brand, problems = _check_brand(former, folder)
        return brand, [], [_in_company(problem) for problem in problems]
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Brand(), [f"cannot be read ({error}); correct it"], []
    return *_check_brand(raw, folder), []


def _check_brand(raw: dict[str, Any], folder: Path) -> tuple[Brand, list[str]]:
    try:
        return Brand.model_validate(raw, context={FOLDER: folder}), []
    except ValidationError as error:
        return Brand(), list(dict.fromkeys(p for detail in error.errors() for p in _problems(dict(detail))))


def _in_company(problem: str) -> str:
    for key, name in _FORMER_COLOURS.items():
        if name and problem.startswith(f"colours.{name}: "):
            return problem.replace(f"colours.{name}", f"company.{key}", 1)
    return problem.replace("colours", "company", 1)


def _with_keys(raw: dict[str, Any]) -> dict[str, Any]:
    sites = raw.get("sites")
    if not isinstance(sites, dict):
        return raw
    return {**raw, "sites": {k: {"key": k, **v} if isinstance(v, dict) else v for k, v in sites.items()}}


def _problems(detail: dict[str, Any]) -> list[str]:
    steps = [str(step) for step in detail["loc"]]
    if steps[-1:] == ["[key]"] or (len(steps) == 3 and steps[0] == "sites" and steps[2] == "key"):
        steps.pop()  # both mean the table's own name
    where = ".".join(steps)
    context = detail.get("ctx", {})
    match detail["type"]:
        case "value_error" if not where:
            return str(context["error"]).splitlines()
        case "value_error":
            return [f"{where}: {context['error']}"]
        case "missing":
            return [f"{where}: is missing; add it"]
        case "extra_forbidden":
            return [f"{where}: is not a known key; remove it or correct its spelling"]
        case "literal_error":
            return [f"{where}: {detail['input']!r} is not known; choose {context['expected']}"]
        case "string_pattern_mismatch":
            return [f"{where}: {detail['input']!r} does not fit; write {FORMS[context['pattern']]}"]
    return [f"{where}: {detail['msg']} (found {detail['input']!r}); correct the value"]


def _conflicts(raw: dict[str, Any]) -> list[str]:
    """Return conflicts between the entries that are valid by themselves, so that all problems are reported at once."""
    sites = raw.get("sites")
    if not isinstance(sites, dict):
        return []
    readable = {key: site for key, value in sites.items() if (site := _validate(Site, value)) is not None}
    environments, groups = raw.get("environments", {}), raw.get("groups", {})
    return find_conflicts(
        _validate(Company, raw.get("company")),
        [name for name, value in environments.items() if _validate(EnvironmentRules, value)]
        if isinstance(environments, dict)
        else [],
        _validate(Studio, raw.get("studio")),
        {name: _validate(Group, value) for name, value in groups.items()} if isinstance(groups, dict) else {},
        readable,
        list(sites),
    )


def _validate(schema: type[_Model], value: Any) -> _Model | None:
    try:
        return schema.model_validate(value)
    except ValidationError:
        return None
