"""Signing in by an account elsewhere: who is let in, and what is not believed."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.test import Client
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey
from pytest_django import Settings

from portolan.accounts.models import SignIn
from portolan.domain.single_sign_on import Provider

from .provider import CLIENT, SECRET, FakeProvider

pytestmark = pytest.mark.django_db
LEAVE, BACK, LOGIN = "/admin/login/elsewhere/", "/admin/login/elsewhere/back/", "/admin/login/"
HOST = "studio.localhost:8000"


@pytest.fixture
def provider(settings: Settings) -> Iterator[FakeProvider]:
    cache.clear()
    made = FakeProvider()
    settings.SINGLE_SIGN_ON = Provider(made.issuer, CLIENT, SECRET, "Brightmoor", False)
    User.objects.create_superuser("ada", "Ada@brightmoor.example", "of this test alone")
    yield made
    made.end()
    cache.clear()


def come(provider: FakeProvider, client: Client, **changes: str) -> Any:
    left = client.get(LEAVE, {"next": "/admin/pages/"}, HTTP_HOST=HOST)
    return client.get(BACK, {**provider.visit(left.url), **changes}, HTTP_HOST=HOST)


def is_in(client: Client) -> bool:
    return bool(client.get("/admin/account/", HTTP_HOST=HOST).status_code == 200)


def test_who_has_an_account_here_is_signed_in_and_goes_on(provider: FakeProvider, client: Client) -> None:
    assert "Sign in with Brightmoor" in client.get(LOGIN, HTTP_HOST=HOST).content.decode()
    back = come(provider, client)
    assert (back.status_code, back.url) == (302, "/admin/pages/")
    assert is_in(client)
    assert SignIn.objects.values_list("name", "factor", "result").get() == ("ada", "elsewhere", "done")
    assert client.get(BACK, {"code": "x", "state": "y"}, HTTP_HOST=HOST).url == LOGIN, "once"


@pytest.mark.parametrize("next", ["https://elsewhere.example/", "//elsewhere.example", "javascript:1"])
def test_it_leads_nowhere_else(provider: FakeProvider, client: Client, next: str) -> None:
    left = client.get(LEAVE, {"next": next}, HTTP_HOST=HOST)
    assert client.get(BACK, provider.visit(left.url), HTTP_HOST=HOST).url == "/admin/"


def by_another_key(claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "ES256", "kid": "first"}, claims, ECKey.generate_key("P-256", {"kid": "first"}))


def by_the_secret(claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


def by_nobody(claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "none"}, claims, None, algorithms=["none"])


@pytest.mark.parametrize("sign", [by_another_key, by_the_secret, by_nobody])
def test_only_its_own_signature_is_believed(
    provider: FakeProvider, client: Client, sign: Callable[[dict[str, Any]], str]
) -> None:
    provider.sign = sign
    assert come(provider, client).url == LOGIN
    assert not is_in(client)


@pytest.mark.parametrize(
    "spoiled",
    [
        {"iss": "https://id.example"},
        {"aud": "another application"},
        {"nonce": "of another visit"},
        {"exp": 1},
        {"email_verified": False},
        {"email_verified": "true"},
        {"email": ""},
        {"email": ["ada@brightmoor.example"]},
        {"email": "nobody@brightmoor.example"},
    ],
    ids=str,
)
def test_what_is_not_believed_lets_nobody_in(
    provider: FakeProvider, client: Client, spoiled: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    provider.spoil = lambda claims: {**claims, **spoiled}
    assert come(provider, client).url == LOGIN
    assert not is_in(client)
    assert "could not sign in" in caplog.text
    assert "brightmoor.example" not in caplog.text, "no address is in the log"
    assert not SignIn.objects.exclude(result="trying").exists()


@pytest.mark.parametrize(
    "changes", [{"state": "of another window"}, {"code": "made up"}, {"iss": "https://id.example"}]
)
def test_what_comes_back_has_to_be_what_was_begun(
    provider: FakeProvider, client: Client, changes: dict[str, str]
) -> None:
    assert come(provider, client, **changes).url == LOGIN
    assert not is_in(client)


def test_an_answer_is_of_no_use_in_another_browser(provider: FakeProvider, client: Client) -> None:
    came = provider.visit(client.get(LEAVE, HTTP_HOST=HOST).url)
    other = Client()
    assert other.get(BACK, came, HTTP_HOST=HOST).url == LOGIN
    other.get(LEAVE, HTTP_HOST=HOST)
    assert other.get(BACK, came, HTTP_HOST=HOST).url == LOGIN
    assert not is_in(other)


@pytest.mark.parametrize("changes", [{"is_active": False}, {"is_superuser": False}])
def test_who_may_not_use_the_studio_may_not_by_another_door(
    provider: FakeProvider, client: Client, changes: dict[str, bool]
) -> None:
    User.objects.update(**changes)
    assert come(provider, client).url == LOGIN
    assert not is_in(client)


def test_groups_there_give_and_take_rights_here(provider: FakeProvider, client: Client, settings: Settings) -> None:
    settings.SINGLE_SIGN_ON = settings.SINGLE_SIGN_ON._replace(
        groups={"web-team": "Editors", "board": "Moderators", "all": "No such group"}
    )
    User.objects.update(is_superuser=False)
    ada = User.objects.get()
    ada.groups.add(Group.objects.create(name="Made in the studio"), Group.objects.get(name="Moderators"))
    claims = provider.claims
    provider.claims = {**claims, "groups": ["web-team", "all", "of no interest"]}
    assert come(provider, client).url == "/admin/pages/", "an account without rights has got them"
    assert {*ada.groups.values_list("name", flat=True)} == {"Editors", "Made in the studio"}
    provider.claims = {**claims, "_claim_names": {"groups": "src1"}}
    assert come(provider, Client()).url == LOGIN, "who cannot be asked takes nothing away"
    assert is_in(client)
    provider.claims = claims
    assert come(provider, Client()).url == LOGIN
    assert {*ada.groups.values_list("name", flat=True)} == {"Made in the studio"}
    assert not is_in(client), "nor does an open session have them any more"


def test_two_accounts_with_one_address_are_nobody_s(provider: FakeProvider, client: Client) -> None:
    User.objects.create_superuser("ada2", "ada@brightmoor.example")
    assert come(provider, client).url == LOGIN
    assert not is_in(client)


def test_addresses_are_believed_where_the_company_says_so(
    provider: FakeProvider, client: Client, settings: Settings
) -> None:
    settings.SINGLE_SIGN_ON = settings.SINGLE_SIGN_ON._replace(trusts_emails=True)
    provider.claims = {"email": "ada@brightmoor.example"}
    come(provider, client)
    assert is_in(client)


def test_it_may_have_new_keys_at_any_time(provider: FakeProvider, client: Client) -> None:
    come(provider, client)
    provider.key = ECKey.generate_key("P-256", {"kid": "second"})
    another = Client()
    come(provider, another)
    assert is_in(another)


@pytest.mark.parametrize(
    "says", [{"issuer": "https://id.example"}, {"token_endpoint": "ftp://id.example"}, {"jwks_uri": None}], ids=str
)
def test_a_provider_that_says_something_odd_is_not_gone_to(
    provider: FakeProvider, client: Client, says: dict[str, Any]
) -> None:
    provider.says = says
    assert client.get(LEAVE, HTTP_HOST=HOST).url == LOGIN


def test_one_that_is_away_keeps_passwords_working(provider: FakeProvider, client: Client) -> None:
    provider.end()
    page = client.get(LEAVE, HTTP_HOST=HOST, follow=True)
    assert "cannot be asked just now" in page.content.decode()
    assert page.context["form"] is not None
    provider.__init__()  # type: ignore[misc]  # for the fixture to end


def test_without_a_provider_there_is_no_such_door(client: Client, settings: Settings) -> None:
    settings.SINGLE_SIGN_ON = None
    assert client.get(LEAVE, HTTP_HOST=HOST).status_code == 404
    assert "elsewhere" not in client.get(LOGIN, HTTP_HOST=HOST).content.decode()


def test_made_up_answers_are_bounded(provider: FakeProvider, client: Client) -> None:
    come(provider, client, code="made up")
    for _ in range(19):
        assert client.get(BACK, {"code": "x"}, HTTP_HOST=HOST).status_code == 302
    assert client.get(BACK, {"code": "x"}, HTTP_HOST=HOST).status_code == 429
    assert come(provider, Client(REMOTE_ADDR="198.51.100.1")).url == "/admin/pages/", "others come in"
