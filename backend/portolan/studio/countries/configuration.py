"""The form for a new site, and its entry of the site configuration."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.db import transaction
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.utils.translation import gettext as _
from wagtail.models import Locale

from ...content.countries import list_countries
from ...content.site_records import AddedSite, SiteRecord
from ...content.trimmed import TrimmedField
from ...domain.letter_order import sort_key
from ...releases.added_sites import copy_added_sites
from ...schemas.codes import Environment
from ...sites.load import RegistryError, read_registry
from ...sites.registry import Registry

_KEY: Final = re.compile(r"[a-z]{2,12}")
_LABEL: Final = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_ORIGIN: Final = re.compile(
    rf"(?P<scheme>https?)://(?P<host>({_LABEL}\.)*[a-z]([a-z0-9-]{{0,61}}[a-z0-9])?)(:(?P<port>\d{{1,5}}|\{{port\}}))?"
)
"""The host is a name, because an IP address has no certificate."""
_LONGEST: Final = 60
_LATIN_DIGITS: Final[Mapping[str, str]] = {"ar": "-u-nu-latn-ca-gregory", "fa": "-u-nu-latn-ca-gregory"}
"""Additions to the date locale: our texts use Latin digits and the Gregorian calendar."""
_LOCAL: Final = "local"


def list_languages() -> list[tuple[str, str]]:
    """Return codes and names of languages with a two-letter code, by the names in the reader's language."""
    found = []
    for code, info in LANG_INFO.items():
        base, _hyphen, script = code.partition("-")
        if len(base) == 2 and "name_local" in info and (not script or len(script) == 4):
            known = get_language_info(code)
            found.append(
                (f"{base}-{script.title()}" if script else base, f"{known['name_translated']} · {known['name_local']}")
            )
    return sorted(found, key=lambda choice: sort_key(choice[1], get_language() or ""))


class SiteForm(forms.Form):
    """Asks only for values that differ between any two sites. The other values are safe defaults."""

    use_required_attribute = False

    country = forms.ChoiceField(label=gettext_lazy("Country"))
    language = forms.ChoiceField(label=gettext_lazy("Language"))
    name = TrimmedField(
        label=gettext_lazy("Name of the country"),
        max_length=_LONGEST,
        help_text=gettext_lazy("In its own language, e.g. Italia."),
    )
    key = TrimmedField(
        label=gettext_lazy("Short key"),
        max_length=12,
        help_text=gettext_lazy("2 to 12 small letters, e.g. it. It cannot be changed later. Visitors do not see it."),
    )
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["country"].choices = [("", ""), *list_countries()]
        fields["language"].choices = [("", ""), *list_languages()]
        fields["time_zone"].choices = [(name, name) for name in sorted(available_timezones())]
        fields["time_zone"].initial = settings.SITES_REGISTRY.company.time_zone
        for environment in settings.SITES_REGISTRY.environments:
            is_local = environment == _LOCAL
            fields[f"origin_{environment}"] = TrimmedField(
                label=_("URL ({environment})").format(environment=environment),
                max_length=200,
                required=not is_local,
                help_text=_("Empty: a host on this machine.") if is_local else _("E.g. https://brightmoor-it.example."),
            )

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not _KEY.fullmatch(key):
            raise forms.ValidationError(_("Use 2 to 12 small letters from a to z, e.g. it."))
        if key in settings.SITES_REGISTRY.sites or AddedSite.objects.filter(key=key).exists():
            raise forms.ValidationError(_("There is a site with this key. Choose another key."))
        if SiteRecord.objects.filter(key=key).exists():
            raise forms.ValidationError(
                _("A site with this key was removed, and its pages are kept. Choose another key.")
            )
        return key

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        for environment in settings.SITES_REGISTRY.environments:
            self._clean_origin(environment)
        if not self.errors:
            self._check_language()
        if not self.errors:
            self._check_with_others()
        return found

    def _clean_origin(self, environment: Environment) -> None:
        name = f"origin_{environment}"
        origin = (self.cleaned_data.get(name) or "").lower().rstrip("/")
        if not origin:
            if environment == _LOCAL and self.cleaned_data.get("key"):
                self.cleaned_data[name] = f"http://{self.cleaned_data['key']}.localhost:{{port}}"
            return
        parts = _ORIGIN.fullmatch(origin)
        if parts is None:
            self.add_error(name, _("This is not the URL of a site. Enter https:// and the host, without a path."))
        elif environment != _LOCAL and parts["scheme"] != "https":
            self.add_error(name, _("Visitors need https. Enter a URL with https://."))
        elif user := _find_user(parts["host"], environment):
            self.add_error(name, _("This host is already used by {user}. Enter another host.").format(user=user))
        else:
            self.cleaned_data[name] = origin

    def _check_language(self) -> None:
        tag = self._tag()
        if any(site.language == tag for site in settings.SITES_REGISTRY.sites.values()):
            self.add_error("language", _("There is a site in this language for this country. Choose another."))
        elif SiteRecord.objects.filter(locale__in=Locale.objects.filter(language_code=tag.lower())).exists():
            self.add_error("language", _("A removed site has pages in this language. Restore that site instead."))

    def _check_with_others(self) -> None:
        try:
            read_registry(settings.SITES_FILE, {**_added(), self.cleaned_data["key"]: self.entry()})
        except RegistryError as error:
            said = _("The site does not fit the others. Nothing changed. {problems}")
            self.add_error(None, said.format(problems="; ".join(error.problems)))

    def _tag(self) -> str:
        return f"{self.cleaned_data['language']}-{self.cleaned_data['country'].upper()}"

    def entry(self) -> dict[str, Any]:
        """Return the entry of the site configuration."""
        given, tag = self.cleaned_data, self._tag()
        registry: Registry = settings.SITES_REGISTRY
        base = given["language"].partition("-")[0]
        others = {site.language.partition("-")[0] for site in registry.sites.values()}
        local = LANG_INFO[given["language"].lower()]
        endonym = local["name_local"][:1].upper() + local["name_local"][1:]
        return {
            "language": tag,
            "hreflang": [tag.lower() if base in others else base],
            "og_locale": f"{base}_{given['country'].upper()}",
            "name": given["name"],
            "endonym": f"{endonym} ({given['name']})" if base in others else endonym,
            "short_label": given["key"][:3].upper(),
            "dir": "rtl" if local["bidi"] else "ltr",
            "date_locale": f"{tag}{_LATIN_DIGITS.get(base, '')}",
            "time_zone": given["time_zone"],
            "switcher": {"shown": True, "listed": True},
            "country": given["country"],
            "phone": "visitor",
            "office_rule": "own",
            "office_sets": ["default"],
            "consent": {
                "theme": "gdpr",
                "profile": "strict",
                "policy_version": registry.default_site.consent.policy_version,
            },
            "origins": {environment: given[f"origin_{environment}"] for environment in registry.environments},
        }


def add_site(form: SiteForm, user: Any) -> str:
    """Store the site, and return its key. The running processes read it within seconds."""
    key: str = form.cleaned_data["key"]
    AddedSite.objects.create(key=key, config=json.dumps(form.entry(), ensure_ascii=False), added_by=user)
    transaction.on_commit(_renew_copy)
    return key


def remove_site(key: str) -> None:
    """Remove a site that was added, but not started."""
    AddedSite.objects.filter(key=key).delete()
    transaction.on_commit(_renew_copy)


def _renew_copy() -> None:
    copy_added_sites(settings.DATABASE_URL, settings.ADDED_SITES_FILE)


def _added() -> dict[str, Any]:
    return {row.key: json.loads(row.config) for row in AddedSite.objects.all()}


def _find_user(host: str, environment: Environment) -> str:
    """Return the name of the site that has the host; empty if it is free."""
    registry: Registry = settings.SITES_REGISTRY
    previews = str(settings.PREVIEW_DOMAIN).partition(":")[0]
    if previews and (host == previews or host.endswith(f".{previews}")):
        return _("previews")
    users = {site.name: site.origins.get(environment, "") for site in registry.sites.values()}
    added = {key: entry["origins"].get(environment, "") for key, entry in _added().items()}
    studio = {_("the studio"): registry.studio.origins[environment]}
    return next((name for name, origin in (added | users | studio).items() if _host_of(origin) == host), "")


def _host_of(origin: str) -> str:
    return urlsplit(origin.replace("{port}", "1")).hostname or ""
