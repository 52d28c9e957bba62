"""OpenID Connect: authorization code with PKCE, and an ID token whose signature and claims are checked.

This module finds the person's account at the provider. ``provider_accounts.py`` finds the account of the studio.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.core.cache import cache
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string
from django.utils.translation import gettext

from ..domain.single_sign_on import Identity, Provider

LASTS_S: Final = 10 * 60
"""Seconds that a person may take at the provider."""
_TIMEOUT_S: Final = 5
_KEPT_S: Final = 3600
_ALGORITHMS: Final = ("ES256", "EdDSA", "PS256", "RS256")
"""Asymmetric signatures only. HMAC with the client's secret proves less, and "none" proves nothing."""
LEEWAY_S: Final = 60
"""Accepted difference between the provider's clock and ours."""


class Purpose(StrEnum):
    SIGN_IN = "sign-in"
    CONNECT = "connect"
    """Connect the account at the provider with the account of the signed-in person."""
    CONFIRM = "confirm"
    """Confirm that the signed-in person is still at the screen."""


class Passage(NamedTuple):
    """State that the browser keeps, signed, while it is at the provider."""

    state: str
    nonce: str
    verifier: str
    goes_on: str
    """The path to open afterwards."""
    purpose: str
    user: int | None
    """Id of the signed-in user; None if the purpose is to sign in."""
    begun_at: float


class NotSignedIn(Exception):
    """The sign-in failed. The first argument is for the user, ``why`` for the log, without personal data."""

    def __init__(self, said: str, why: str = "") -> None:
        super().__init__(said)
        self.why = why or said


class ProviderAway(NotSignedIn):
    def __init__(self, why: str) -> None:
        super().__init__(
            gettext("The provider does not respond. Try again in a minute, or sign in with a password."), why
        )


def begin(
    provider: Provider,
    redirect_uri: str,
    goes_on: str,
    purpose: Purpose = Purpose.SIGN_IN,
    user: int | None = None,
) -> tuple[str, Passage]:
    """Return the provider's URL for the browser, and the state to keep. Raise NotSignedIn."""
    drawn = get_random_string(32), get_random_string(32), get_random_string(64)
    passage = Passage(*drawn, goes_on, purpose, user, timezone.now().timestamp())
    # The provider has to authenticate the person again and to report the time:
    # a session there may be unattended, as ours may.
    again = {"prompt": "login", "max_age": 0} if purpose is Purpose.CONFIRM else {}
    url, _ = _client(provider, redirect_uri).create_authorization_url(
        _find(provider)["authorization_endpoint"], passage.state, passage.verifier, nonce=passage.nonce, **again
    )
    return str(url), passage


def finish(provider: Provider, redirect_uri: str, passage: Passage, came: Mapping[str, str]) -> Identity:
    """Return the person's account at the provider. Raise NotSignedIn. ``came``: parameters of the request."""
    if not constant_time_compare(came.get("state", ""), passage.state):
        raise NotSignedIn(
            gettext("That took too long, or was started in another window. Start again."), "another state"
        )
    if came.get("iss", provider.issuer) != provider.issuer:
        raise NotSignedIn(gettext("Another provider responded. Start again."), "another issuer")
    if "code" not in came:
        raise NotSignedIn(
            gettext("The provider did not sign you in. Start again."), f"no code ({came.get('error', '')[:40]})"
        )
    claims = _claims(provider, redirect_uri, passage, came["code"])
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= 255:
        raise NotSignedIn(gettext("The provider's response is not valid. Start again."), "no subject")
    return Identity(
        subject,
        _verified_email(provider, claims),
        _groups(claims) if provider.groups else frozenset(),
        _authenticated_at(claims),
    )


def _verified_email(provider: Provider, claims: Mapping[str, Any]) -> str:
    email = claims.get("email")
    is_verified = provider.trusts_emails or claims.get("email_verified") is True
    return email if is_verified and isinstance(email, str) else ""


def _authenticated_at(claims: Mapping[str, Any]) -> float | None:
    at, now = claims.get("auth_time"), timezone.now().timestamp()
    if not isinstance(at, int | float) or isinstance(at, bool) or at > now + LEEWAY_S:
        return None
    return min(float(at), now)


def _groups(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the groups at the provider. Providers omit the claim if there are none."""
    if "groups" in (claims.get("_claim_names") or ()):  # Entra sends only a reference above 200 groups
        raise NotSignedIn(
            gettext(
                "Your account at the provider is in too many groups to list. Ask the provider's administrator to limit them."
            ),
            "groups left out",
        )
    named = claims.get("groups") or []
    return frozenset(str(name) for name in (named if isinstance(named, list) else [named]))


def _claims(provider: Provider, redirect_uri: str, passage: Passage, code: str) -> Mapping[str, Any]:
    from authlib.common.errors import AuthlibBaseError
    from authlib.oidc.core import CodeIDToken
    from joserfc.errors import JoseError
    from requests import RequestException

    client = _client(provider, redirect_uri)
    try:
        token = client.fetch_token(
            _find(provider)["token_endpoint"], code=code, code_verifier=passage.verifier, timeout=_TIMEOUT_S
        )
        signed = _decode(provider, str(token["id_token"]))
        options = {
            "iss": {"essential": True, "value": _find(provider)["issuer"]},
            "aud": {"essential": True, "value": provider.client_id},
        }
        known = {
            "nonce": passage.nonce,
            "client_id": provider.client_id,
            "access_token": token.get("access_token", ""),
        }
        claims = CodeIDToken(signed.claims, signed.header, options, known)
        claims.validate(leeway=LEEWAY_S)
    except RequestException as error:
        raise ProviderAway(type(error).__name__) from None
    except (AuthlibBaseError, JoseError, KeyError, ValueError, TypeError) as error:
        said = getattr(error, "error", "") or type(error).__name__
        raise NotSignedIn(gettext("The provider's response is not valid. Start again."), said) from None
    return dict(claims)


def _decode(provider: Provider, id_token: str) -> Any:
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError
    from joserfc.jwk import KeySet
    from joserfc.jws import JWSRegistry

    registry = JWSRegistry(algorithms=list(_ALGORITHMS), strict_check_header=False)
    uri = _find(provider)["jwks_uri"]
    try:
        return jwt.decode(id_token, KeySet.import_key_set(_get(provider, uri)), registry=registry)
    except InvalidKeyIdError:  # the provider has new keys
        return jwt.decode(id_token, KeySet.import_key_set(_get(provider, uri, again=True)), registry=registry)


def _find(provider: Provider) -> Mapping[str, Any]:
    """Return the provider's configuration. Raise NotSignedIn."""
    found: Mapping[str, Any] = _get(provider, f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    named = [found.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    if str(found.get("issuer")).rstrip("/") != provider.issuer.rstrip("/"):
        raise ProviderAway(f"{provider.issuer} returns a different issuer")
    scheme = urlsplit(provider.issuer).scheme
    if not all(isinstance(url, str) and urlsplit(url).scheme == scheme for url in named):
        raise ProviderAway(f"{provider.issuer} lacks a URL, or has one without {scheme}")
    return found


def _get(provider: Provider, url: str, again: bool = False) -> Any:
    import requests

    key = f"single-sign-on:{url}"
    known = None if again else cache.get(key)
    if known is not None:
        return known
    try:
        answer = requests.get(url, timeout=_TIMEOUT_S, allow_redirects=False)
        found = answer.json() if answer.status_code == 200 else None
    except (requests.RequestException, ValueError) as error:
        raise ProviderAway(f"{provider.issuer} does not respond ({type(error).__name__})") from None
    if not isinstance(found, dict):
        raise ProviderAway(f"{url} returns {answer.status_code}, or not a JSON object")
    cache.set(key, found, _KEPT_S)
    return found


def _client(provider: Provider, redirect_uri: str) -> Any:
    from authlib.integrations.requests_client import OAuth2Session

    return OAuth2Session(
        provider.client_id,
        provider.client_secret or None,
        token_endpoint_auth_method="client_secret_basic" if provider.client_secret else "none",
        scope="openid email",
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
    )
