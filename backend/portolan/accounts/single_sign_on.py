"""Signing in by an account elsewhere: OpenID Connect, by an authorization code with PKCE. Its provider tells an e-mail address;
nothing else is asked of it, and nothing of it is kept.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.core.cache import cache
from django.utils.crypto import constant_time_compare, get_random_string

from ..domain.single_sign_on import Person, Provider

LASTS_S: Final = 10 * 60
"""So long somebody may take at the provider."""
_TIMEOUT_S: Final = 5
_KEPT_S: Final = 3600
_ALGORITHMS: Final = ("ES256", "EdDSA", "PS256", "RS256")
"""Signatures alone: what is only hashed with the client's secret proves less, and "none" nothing."""
_LEEWAY_S: Final = 60


class Passage(NamedTuple):
    """What the browser keeps while it is at the provider, signed, and what has to come back."""

    state: str
    nonce: str
    verifier: str
    goes_on: str
    """The address to go on to."""


class NotSignedIn(Exception):
    """The first argument is for the person, ``why`` for the log: without personal data."""

    def __init__(self, said: str, why: str = "") -> None:
        super().__init__(said)
        self.why = why or said


class ProviderAway(NotSignedIn):
    def __init__(self, why: str) -> None:
        super().__init__(
            "Your account there cannot be asked just now. Try again in a minute, or sign in with a password.", why
        )


def begin(provider: Provider, redirect_uri: str, goes_on: str) -> tuple[str, Passage]:
    """Where to send the browser. Raises NotSignedIn."""
    passage = Passage(get_random_string(32), get_random_string(32), get_random_string(64), goes_on)
    client = _client(provider, redirect_uri)
    url, _ = client.create_authorization_url(
        _find(provider)["authorization_endpoint"], passage.state, passage.verifier, nonce=passage.nonce
    )
    return str(url), passage


def finish(provider: Provider, redirect_uri: str, passage: Passage, came: Mapping[str, str]) -> Person:
    """Whoever has come back with these parameters. Raises NotSignedIn."""
    if not constant_time_compare(came.get("state", ""), passage.state):
        raise NotSignedIn("That took too long, or it was begun in another window. Begin again.", "another state")
    if came.get("iss", provider.issuer) != provider.issuer:
        raise NotSignedIn("Another provider has answered. Begin again.", "another issuer")
    if "code" not in came:
        raise NotSignedIn("You were not signed in there. Begin again.", f"no code ({came.get('error', '')[:40]})")
    claims = _claims(provider, redirect_uri, passage, came["code"])
    email = claims.get("email")
    if not isinstance(email, str) or not email:
        raise NotSignedIn("Your account there tells no e-mail address. Ask whoever looks after it.", "no address")
    if not (provider.trusts_emails or claims.get("email_verified") is True):
        raise NotSignedIn("The address of your account there is not verified.", "the address is not verified")
    return Person(email, _groups(claims) if provider.groups else frozenset())


def _groups(claims: Mapping[str, Any]) -> frozenset[str]:
    """Providers leave the claim out for who is in none."""
    if "groups" in (claims.get("_claim_names") or ()):  # Entra, above two hundred: it says where to ask instead
        raise NotSignedIn(
            "Your account there is in so many groups that it does not tell them. Ask whoever looks after it.",
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
        claims.validate(leeway=_LEEWAY_S)
    except RequestException as error:
        raise ProviderAway(type(error).__name__) from None
    except (AuthlibBaseError, JoseError, KeyError, ValueError, TypeError) as error:
        said = getattr(error, "error", "") or type(error).__name__
        raise NotSignedIn("What your account there has answered cannot be believed. Begin again.", said) from None
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
    except InvalidKeyIdError:  # it has new keys
        return jwt.decode(id_token, KeySet.import_key_set(_get(provider, uri, again=True)), registry=registry)


def _find(provider: Provider) -> Mapping[str, Any]:
    """What the provider says of itself. Raises NotSignedIn."""
    found: Mapping[str, Any] = _get(provider, f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    named = [found.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    if str(found.get("issuer")).rstrip("/") != provider.issuer.rstrip("/"):
        raise ProviderAway(f"{provider.issuer} calls itself another issuer")
    scheme = urlsplit(provider.issuer).scheme
    if not all(isinstance(url, str) and urlsplit(url).scheme == scheme for url in named):
        raise ProviderAway(f"{provider.issuer} lacks an address, or has one without {scheme}")
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
        raise ProviderAway(f"{provider.issuer} does not answer ({type(error).__name__})") from None
    if not isinstance(found, dict):
        raise ProviderAway(f"{url} answers {answer.status_code}, or no document")
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
