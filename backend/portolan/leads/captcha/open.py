"""Open the captcha provider that the site configuration names."""

import logging
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac

from ...sites.registry import Registry
from .altcha import Altcha
from .base import CaptchaProvider, NoCaptcha
from .siteverify import RECAPTCHA, TURNSTILE, SiteVerify

_SALT: Final = "portolan.leads.captcha"

_log = logging.getLogger(__name__)


def open_captcha(registry: Registry, secrets: Mapping[str, str]) -> CaptchaProvider:
    rules = registry.captcha
    if rules.provider == "altcha":
        return open_altcha()
    secret = secrets.get(rules.secret_env or "")
    if rules.provider == "none":
        return NoCaptcha()
    if not secret:
        _log.error("Captchas are not verified: %s is not set. Leads are still accepted.", rules.secret_env)
        return NoCaptcha()
    hosts = {
        key: {urlsplit(origin.partition(":{port}")[0]).hostname or "" for origin in site.origins.values()}
        for key, site in registry.sites.items()
    }
    url = RECAPTCHA if rules.provider == "recaptcha" else TURNSTILE
    return SiteVerify(url, secret, hosts, rules.lowest_score)


def open_altcha() -> Altcha:
    """Open ALTCHA. Its secret derives from the installation's, so all machines accept each other's challenges."""
    return Altcha(salted_hmac(_SALT, "altcha", algorithm="sha256").digest())


def current_captcha() -> CaptchaProvider:
    return open_captcha(settings.SITES_REGISTRY, settings.SECRETS)
