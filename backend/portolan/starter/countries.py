"""Define the country sites that a new project can start with, and write their configuration."""

from collections.abc import Sequence
from typing import Final, NamedTuple


class CountrySite(NamedTuple):
    key: str
    language: str
    """BCP 47; its first part selects the starter's texts."""
    name: str
    endonym: str
    country: str
    """ISO code; empty for a site without a country."""
    time_zone: str

    @property
    def texts(self) -> str:
        return self.language.partition("-")[0]


COUNTRY_SITES: Final = {
    site.key: site
    for site in (
        CountrySite("en", "en", "International", "English", "", "Europe/London"),
        CountrySite("uk", "en-GB", "United Kingdom", "English (UK)", "gb", "Europe/London"),
        CountrySite("us", "en-US", "United States", "English (US)", "us", "America/New_York"),
        CountrySite("ie", "en-IE", "Ireland", "English (Ireland)", "ie", "Europe/Dublin"),
        CountrySite("de", "de-DE", "Deutschland", "Deutsch", "de", "Europe/Berlin"),
        CountrySite("at", "de-AT", "Österreich", "Deutsch (Österreich)", "at", "Europe/Vienna"),
        CountrySite("ch", "de-CH", "Schweiz", "Deutsch (Schweiz)", "ch", "Europe/Zurich"),
        CountrySite("fr", "fr-FR", "France", "Français", "fr", "Europe/Paris"),
        CountrySite("be", "fr-BE", "Belgique", "Français (Belgique)", "be", "Europe/Brussels"),
        CountrySite("pl", "pl-PL", "Polska", "Polski", "pl", "Europe/Warsaw"),
        CountrySite("ae", "ar-AE", "الإمارات العربية المتحدة", "العربية", "ae", "Asia/Dubai"),
        CountrySite("sa", "ar-SA", "السعودية", "العربية (السعودية)", "sa", "Asia/Riyadh"),
        CountrySite("az", "az-AZ", "Azərbaycan", "Azərbaycanca", "az", "Asia/Baku"),
        CountrySite("kz", "ru-KZ", "Казахстан", "Русский", "kz", "Asia/Almaty"),
    )
}
_RIGHT_TO_LEFT: Final = frozenset({"ar"})
_DATES: Final = {"ar": "-u-nu-latn-ca-gregory"}
"""Additions to a language's date locale: our texts use Latin digits."""


SEPARATE: Final = "separate"
"""Group of sites in the language of an earlier site. Their pages are not its translations."""


def write_sites(sites: Sequence[CountrySite], domain: str) -> str:
    """Return the tables of these sites for the site configuration; the first is the default site."""
    languages = [site.language for site in sites]
    is_separate = [language in languages[:number] for number, language in enumerate(languages)]
    group = f"[groups.{SEPARATE}]\nalternates = false\n" if any(is_separate) else ""
    tables = [
        _write_site(site, number == 0, SEPARATE if is_separate[number] else "", len(sites) > 1, domain)
        for number, site in enumerate(sites)
    ]
    return "\n".join(filter(None, [group, *tables]))


def _write_site(site: CountrySite, is_default: bool, group: str, is_listed: bool, domain: str) -> str:
    local = "http://localhost:{port}" if is_default else f"http://{site.key}.localhost:{{port}}"
    production = f"https://{domain}" if is_default else f"https://{site.key}.{domain}"
    hreflang = [site.language.lower(), *(["x-default"] if is_default else [])]
    language, _, region = site.language.partition("-")
    listed = str(is_listed and not group).lower()
    group_line = f'group = "{group}"\n' if group else ""
    return f"""\
[sites.{site.key}]
language = "{site.language}"
hreflang = [{", ".join(f'"{tag}"' for tag in hreflang)}]
og_locale = "{language}_{region or "US"}"
name = "{site.name}"
endonym = "{site.endonym}"
short_label = "{site.key.upper()}"
dir = "{"rtl" if site.texts in _RIGHT_TO_LEFT else "ltr"}"
date_locale = "{site.language if region else "en-GB"}{_DATES.get(site.texts, "")}"
time_zone = "{site.time_zone}"
{group_line}switcher = {{ shown = {listed}, listed = {listed} }}
country = "{site.country}"
phone = "visitor"
office_rule = "own"
office_sets = ["default"]
consent = {{ theme = "gdpr", profile = "strict", policy_version = "1" }}
origins = {{ local = "{local}", production = "{production}" }}
"""
