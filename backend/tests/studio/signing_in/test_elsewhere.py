"""Single sign-on: which account at the provider opens which account here, and which claims are rejected."""

import html
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.test import Client
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey
from pytest_django import Settings

from portolan.accounts import provider_accounts
from portolan.accounts.models import ProviderAccount, ProviderInvitation, SignIn
from portolan.domain.single_sign_on import Provider
from portolan.studio.people.invitations import make_link

from .conftest import Passkey, pass_quarter_of_an_hour
from .provider import CLIENT, SECRET, FakeProvider

pytestmark = pytest.mark.django_db
LEAVE, BACK, LOGIN = "/admin/login/elsewhere/", "/admin/login/elsewhere/back/", "/admin/login/"
HOST = "studio.localhost:8000"
OWN, CONFIRM = "/admin/account/signing-in/", "/admin/account/signing-in/confirm/"


@pytest.fixture
def provider(settings: Settings) -> Iterator[FakeProvider]:
    cache.clear()
    made = FakeProvider()
    settings.SINGLE_SIGN_ON = Provider(made.issuer, CLIENT, SECRET, "Brightmoor", False)
    ada = User.objects.create_superuser("ada", "Ada@brightmoor.example", "of this test alone")
    ProviderAccount.objects.create(user=ada, issuer=made.issuer, subject="1")
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
    assert client.get(BACK, {"code": "x", "state": "y"}, HTTP_HOST=HOST).url == OWN, "once"


def test_what_is_no_address_is_refused(provider: FakeProvider, client: Client) -> None:
    assert client.get(LEAVE, {"next": "javascript:1"}, HTTP_HOST=HOST).status_code == 400


@pytest.mark.parametrize("next", ["https://elsewhere.example/", "//elsewhere.example"])
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
        {"sub": "2"},
        {"sub": ""},
        {"sub": 1},
        {"sub": None},
    ],
    ids=str,
)
def test_what_is_not_believed_lets_nobody_in(
    provider: FakeProvider, client: Client, spoiled: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    provider.spoil = lambda claims: {**claims, **spoiled}
    assert come(provider, client).url == LOGIN
    assert not is_in(client)
    assert "Single sign-on" in caplog.text
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
    assert "does not respond" in page.content.decode()
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


# Which account of the studio ----------------------------------------------------------------------------------------


@pytest.fixture
def grace(provider: FakeProvider) -> User:
    """Return a user to invite who has never signed in; the provider's claims are hers."""
    user = User.objects.create_superuser("grace", "grace@brightmoor.example")
    provider.claims = {"sub": "7", "email": "Grace@Brightmoor.example", "email_verified": True}
    return user


def test_an_address_alone_opens_no_account(provider: FakeProvider, client: Client) -> None:
    """A person who takes the director's address, here or at the provider, does not become the director or lock them
    out."""
    provider.claims = {"sub": "of an attacker", "email": "ada@brightmoor.example", "email_verified": True}
    assert come(provider, client).url == LOGIN
    assert not is_in(client)
    User.objects.filter(username="ada").update(email="moved@brightmoor.example")
    User.objects.create_superuser("attacker", "ada@brightmoor.example", "of this test alone")
    provider.claims = {"sub": "1", "email": "ada@brightmoor.example", "email_verified": True}
    come(provider, client)
    assert client.get("/admin/account/", HTTP_HOST=HOST).context["user"].username == "ada"


def test_an_invitation_connects_once(provider: FakeProvider, grace: User, client: Client) -> None:
    assert come(provider, client).url == LOGIN, "she is not invited"
    link = make_link(grace).partition(":8000")[2]
    assert provider_accounts.invite(grace)
    assert come(provider, client).url == "/admin/pages/"
    assert is_in(client)
    assert Client().get(link, HTTP_HOST=HOST).status_code == 200, "nobody chooses a password by her link any more"
    assert (grace.provider_accounts.get().subject, ProviderInvitation.objects.count()) == ("7", 0)
    provider.claims = {**provider.claims, "sub": "8"}
    assert come(provider, Client()).url == LOGIN, "the address is another person's by now"
    provider.claims = {"sub": "7"}
    assert come(provider, Client()).url == "/admin/pages/", "the address does not matter any more"


def choose_password(user: User) -> None:
    user.set_password("of this test alone")
    user.save()


@pytest.mark.parametrize(
    "since",
    [
        choose_password,
        Passkey,
        lambda user: ProviderAccount.objects.create(user=user, issuer="https://id.example", subject="7"),
        lambda user: User.objects.filter(pk=user.pk).update(email="another@brightmoor.example"),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda user: ProviderInvitation.objects.update(until="2020-01-01T00:00Z"),
    ],
    ids=["a password", "a passkey", "another provider", "another address", "disabled", "too late"],
)
def test_an_invitation_is_worth_nothing_once_somebody_may_have_the_account(
    provider: FakeProvider, grace: User, client: Client, since: Callable[[User], Any]
) -> None:
    provider_accounts.invite(grace)
    since(grace)
    assert come(provider, client).url == LOGIN
    assert not is_in(client)


@pytest.mark.parametrize(
    ("claims", "trusts", "is_let_in"),
    [
        ({"email_verified": False}, False, False),
        ({"email_verified": "true"}, False, False),
        ({"email_verified": None}, True, True),
        ({"email": ""}, True, False),
        ({"email": ["grace@brightmoor.example"]}, True, False),
        ({"email": "\u0261race@brightmoor.example"}, True, False),
        ({"email": "grace@BRIGHTMOOR\u3002example"}, False, True),
    ],
    ids=str,
)
def test_an_invitation_is_for_a_verified_address(
    provider: FakeProvider,
    grace: User,
    client: Client,
    settings: Settings,
    claims: dict[str, Any],
    trusts: bool,
    is_let_in: bool,
) -> None:
    settings.SINGLE_SIGN_ON = settings.SINGLE_SIGN_ON._replace(trusts_emails=trusts)
    provider_accounts.invite(grace)
    provider.claims = {**provider.claims, **claims}
    come(provider, client)
    assert is_in(client) == is_let_in


def test_an_open_session_of_another_ends_with_the_invitation(
    provider: FakeProvider, grace: User, client: Client
) -> None:
    left_over = Client()
    left_over.force_login(grace)
    provider_accounts.invite(grace)
    come(provider, client)
    assert (is_in(client), is_in(left_over)) == (True, False)


# Connecting an account, and confirming the identity with it ---------------------------------------------------------


@pytest.fixture
def linus(provider: FakeProvider, client: Client) -> User:
    """Return a user who has just signed in with a password, without a connected account."""
    user = User.objects.create_superuser("linus", "", "of this test alone")
    client.post(LOGIN, {"username": "linus", "password": "of this test alone"}, HTTP_HOST=HOST)
    provider.claims = {"sub": "9"}
    return user


def find_link(client: Client, page: str, text: str) -> str:
    shown = client.get(page, HTTP_HOST=HOST).content.decode()
    return html.unescape(re.search(rf'href="([^"]*)">{text} Brightmoor<', shown)[1])


def test_somebody_connects_their_account_and_disconnects_it(
    provider: FakeProvider, linus: User, client: Client
) -> None:
    left = client.get(find_link(client, OWN, "Connect"), HTTP_HOST=HOST)
    assert client.get(BACK, provider.visit(left.url), HTTP_HOST=HOST).url == OWN
    assert linus.provider_accounts.get().subject == "9"
    assert come(provider, Client()).url == "/admin/pages/"
    assert client.post(f"{OWN}disconnect/", HTTP_HOST=HOST).url == OWN
    assert come(provider, Client()).url == LOGIN


def test_connecting_asks_first_who_sits_there(provider: FakeProvider, linus: User, client: Client) -> None:
    link = find_link(client, OWN, "Connect")
    pass_quarter_of_an_hour(client)
    assert client.get(link, HTTP_HOST=HOST).url.startswith(CONFIRM)
    assert client.post(f"{OWN}disconnect/", HTTP_HOST=HOST).url.startswith(CONFIRM)


def test_nobody_is_sent_to_connect_an_account_of_another(provider: FakeProvider, linus: User, client: Client) -> None:
    """Another website can redirect a browser to the provider, where an attacker may be signed in."""
    other = Client()
    other.force_login(User.objects.get(username="ada"))
    pass_by = other.session
    pass_by["confirmed_at"] = 9e9
    pass_by.save()
    for path in (LEAVE, f"{LEAVE}?for=connect", find_link(client, OWN, "Connect")):
        left = other.get(path, HTTP_HOST=HOST)
        if left.url.startswith(provider.issuer):
            other.get(BACK, provider.visit(left.url), HTTP_HOST=HOST)
    assert not ProviderAccount.objects.filter(subject="9").exists()


def test_an_account_there_belongs_to_one_here(provider: FakeProvider, linus: User, client: Client) -> None:
    provider.claims = {"sub": "1"}  # Ada's
    left = client.get(find_link(client, OWN, "Connect"), HTTP_HOST=HOST)
    client.get(BACK, provider.visit(left.url), HTTP_HOST=HOST)
    assert not linus.provider_accounts.exists()


def test_the_last_way_in_is_not_disconnected(provider: FakeProvider, client: Client) -> None:
    User.objects.filter(username="ada").update(password="!")
    provider.claims = {"sub": "1", "auth_time": time.time()}
    come(provider, client)
    client.post(f"{OWN}disconnect/", HTTP_HOST=HOST)
    assert ProviderAccount.objects.exists()


@pytest.mark.parametrize(("minutes_ago", "is_asked"), [(None, True), (20, True), (5, False)])
def test_who_was_signed_in_there_long_ago_shows_again_who_they_are(
    provider: FakeProvider, client: Client, minutes_ago: int | None, is_asked: bool
) -> None:
    """In an abandoned browser the user is also signed in at the provider, so returning from there proves nothing."""
    if minutes_ago is not None:
        provider.claims = {"auth_time": int(time.time()) - minutes_ago * 60}
    come(provider, client)
    reply = client.get(f"{OWN}password/", HTTP_HOST=HOST)
    assert (reply.status_code == 302) == is_asked


@pytest.mark.parametrize(
    ("claims", "is_shown"),
    [({"auth_time": 0}, True), ({"auth_time": -600}, False), ({"auth_time": 600}, False), ({}, False),
     ({"auth_time": 0, "sub": "2"}, False)],
    ids=str,
)  # fmt: skip
def test_the_provider_shows_who_sits_there_by_asking_again(
    provider: FakeProvider, client: Client, claims: dict[str, Any], is_shown: bool
) -> None:
    come(provider, client)
    left = client.get(find_link(client, f"{CONFIRM}?next={OWN}password/", "Sign in again with"), HTTP_HOST=HOST)
    assert {"prompt=login", "max_age=0"} <= {*urlsplit(left.url).query.split("&")}
    if "auth_time" in claims:
        claims = {**claims, "auth_time": int(time.time()) + claims["auth_time"]}
    provider.claims = claims
    back = client.get(BACK, provider.visit(left.url), HTTP_HOST=HOST)
    assert back.url == (f"{OWN}password/" if is_shown else OWN)
    assert (client.get(f"{OWN}password/", HTTP_HOST=HOST).status_code == 200) == is_shown
