"""The e-mail address and the password of an account: who may change them, and the checks before a change."""

import re
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from portolan.accounts import provider_accounts
from portolan.accounts.models import NewAddress, ProviderAccount, ProviderInvitation
from portolan.domain.mail_server import read_mail_server
from portolan.leads.destinations.email import Mailer

from .conftest import PASSWORD, Passkey, add_app, pass_quarter_of_an_hour, sign_in

OWN = "/admin/account/signing-in/"
ADDRESS, CHOOSE, CONFIRM = f"{OWN}address/", f"{OWN}password/", f"{OWN}confirm/"
OLD, NEW = "ada@brightmoor.example", "Ada.L@brightmoor.example"
LONG = "another one, quite long"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


@pytest.fixture
def client(ada, browser):
    client = browser()
    sign_in(client)
    return client


@pytest.fixture
def mails(settings, monkeypatch):
    """Return the recipient and text of each sent mail."""
    sent = []
    registry = settings.SITES_REGISTRY
    leads = registry.leads.model_copy(update={"sender": "studio@brightmoor.example"})
    settings.SITES_REGISTRY = registry.model_copy(update={"leads": leads})
    settings.MAIL_SERVER = read_mail_server("smtp://127.0.0.1:25")
    monkeypatch.setattr(Mailer, "send", lambda _, message, to: sent.append((to[0], message.get_content())))
    return sent


def address_of(user):
    return User.objects.get(pk=user.pk).email


def ask(client, mails, email=NEW):
    """Request a new address. Return the path of the link."""
    assert client.post(ADDRESS, {"email": email}).url == OWN
    return re.search(r"http://[^/]+(/admin/login/address/\S+)", mails[-1][1])[1]


def test_a_new_address_counts_when_its_link_is_opened_and_the_old_one_is_told(ada, client, browser, mails):
    link = ask(client, mails)
    assert (mails[0][0], address_of(ada)) == (NEW, OLD)
    assert NEW in client.get(OWN).content.decode()
    anywhere = browser("198.51.100.9")
    assert "as the address of the account" in anywhere.get(link).content.decode()
    assert address_of(ada) == OLD, "mail filters open links too"
    assert anywhere.post(link).status_code == 302
    assert (address_of(ada), mails[1][0]) == (NEW, OLD)
    assert anywhere.post(link).status_code == 404, "once"


def end_password(ada, client):
    ada.set_password(LONG)
    ada.save()


def disable(ada, client):
    User.objects.filter(pk=ada.pk).update(is_active=False)


@pytest.mark.parametrize(
    "since",
    [
        end_password,
        disable,
        lambda ada, client: client.post(f"{ADDRESS}forget/"),
        lambda ada, client: client.post(f"{OWN}sign-out-elsewhere/"),
        lambda ada, client: client.post(ADDRESS, {"email": "third@brightmoor.example"}),
        lambda ada, client: NewAddress.objects.update(until="2020-01-01T00:00Z"),
    ],
    ids=["a new password", "disabled", "taken back", "signed out elsewhere", "another one asked for", "a day"],
)
def test_a_link_ends(ada, client, browser, mails, since):
    link = ask(client, mails)
    since(ada, client)
    assert browser().post(link).status_code == 404
    assert address_of(ada) == OLD


@pytest.mark.parametrize("url", [ADDRESS, CHOOSE])
def test_a_browser_that_was_left_signed_in_changes_neither(ada, client, mails, url):
    pass_quarter_of_an_hour(client)
    for reply in (client.get(url), client.post(url, {"email": NEW, "new_password1": LONG, "new_password2": LONG})):
        assert reply.url.startswith(CONFIRM)
    ada.refresh_from_db()
    assert not NewAddress.objects.exists()
    assert ada.check_password(PASSWORD)


def test_wagtail_s_page_of_the_account_changes_neither(ada, client):
    page = client.get("/admin/account/").content.decode()
    assert 'type="password"' not in page
    assert "name_email-email" not in page
    form = {"name_email-first_name": "Ada", "name_email-last_name": "L", "name_email-email": NEW}
    form |= {f"password-{name}": LONG for name in ("new_password1", "new_password2")}
    client.post("/admin/account/", {**form, "password-old_password": PASSWORD, "locale-current_time_zone": "UTC"})
    ada.refresh_from_db()
    assert (ada.email, ada.check_password(PASSWORD)) == (OLD, True)


def test_a_passkey_shows_who_sits_there(ada, client):
    key = Passkey(ada)
    pass_quarter_of_an_hour(client)
    assert key.use(client, CONFIRM + "passkey/", f"?next={CHOOSE}").json() == {"next": CHOOSE}
    assert client.get(CHOOSE).status_code == 200
    pass_quarter_of_an_hour(client)
    other = Passkey(User.objects.create_superuser("grace"))
    assert other.use(client, CONFIRM + "passkey/").status_code == 400
    assert client.get(CHOOSE).status_code == 302


def test_a_new_password_is_checked_and_told(ada, client, mails):
    assert client.post(CHOOSE, {"new_password1": "12345678", "new_password2": "12345678"}).status_code == 400
    assert not mails
    assert client.post(CHOOSE, {"new_password1": LONG, "new_password2": LONG}).url == OWN
    assert [to for to, _ in mails] == [OLD]


@pytest.mark.parametrize("typed", ["Grace@Brightmoor.example", "grace@BRIGHTMOOR.example", "no address", "ä@b.example"])
def test_an_address_of_another_account_is_refused(client, mails, typed):
    User.objects.create_user("grace", "grace@brightmoor.example")
    reply = client.post(ADDRESS, {"email": typed})
    assert reply.status_code == 400
    assert reply.context["form"].errors
    assert not mails


def test_an_address_that_is_taken_meanwhile_is_refused_by_the_link(ada, client, mails):
    link = ask(client, mails)
    User.objects.create_user("grace", NEW.lower())
    assert client.post(link).status_code == 409
    assert address_of(ada) == OLD


def test_without_a_mail_server_nothing_is_promised(client, settings):
    settings.MAIL_SERVER = None
    assert "no mail server" in client.get(ADDRESS).content.decode()
    client.post(ADDRESS, {"email": NEW})
    assert not NewAddress.objects.exists()


# In the database ----------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize("other", ["MAIL@Xn--mller-kva.example", "mail@MÜLLER.example", "mail@müller。example"])
def test_one_mailbox_is_one_account_s(db, other):
    User.objects.create_user("first", "mail@müller.example")
    assert User.objects.get().email == "mail@xn--mller-kva.example"
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("second", other)
    for name in ("third", "fourth"):
        User.objects.create_user(name)  # two accounts may both lack an e-mail address


@pytest.mark.postgres
def test_an_upgrade_leaves_an_address_to_one_account(db, caplog):
    migration = import_module("portolan.accounts.migrations.0005_one_account_for_an_address")
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX accounts_address_of_one")
    names = {"first": "Mail@Müller.example", "none": "", "odd": "not an address", "second": "mail@MÜLLER.example"}
    User.objects.bulk_create(User(username=name, email=email) for name, email in names.items())
    migration.give_each_address_one_account(apps, None)
    for operation in migration.Migration.operations[1:]:
        with connection.cursor() as cursor:
            cursor.execute(operation.sql)
    found = dict(User.objects.values_list("username", "email"))
    assert found == {"first": "Mail@xn--mller-kva.example", "none": "", "odd": "not an address", "second": ""}
    assert "first and second had the same" in caplog.text
    assert not ProviderInvitation.objects.exists(), "nobody is connected by an address that they may have chosen"


# By an administrator ------------------------------------------------------------------------------------------------


@pytest.fixture
def root(browser):
    User.objects.create_superuser("root", "root@brightmoor.example", PASSWORD, first_name="R", last_name="O")
    client = browser("192.0.2.250")
    sign_in(client, name="root")
    return client


def edit(root, person, **changes):
    form = {"username": person.username, "first_name": "Ada", "last_name": "L", "email": person.email}
    return root.post(f"/admin/users/edit/{person.pk}/", {**form, "is_active": "on", **changes})


@pytest.mark.parametrize(
    "changes", [{"email": NEW}, {"username": "eve"}, {"password1": LONG, "password2": LONG}], ids=str
)
def test_an_administrator_shows_first_who_they_are_and_loses_nothing_that_was_typed(ada, root, changes):
    pass_quarter_of_an_hour(root)
    reply = edit(root, ada, **changes)
    assert reply.status_code == 200
    page = reply.content.decode()
    assert "Not saved yet" in page
    assert f'href="{CONFIRM}"' in page
    assert reply.context["form"]["first_name"].value() == "Ada"
    assert User.objects.get(pk=ada.pk).first_name == ""
    root.post(CONFIRM, {"password": PASSWORD})
    assert edit(root, ada, **changes).status_code == 302
    assert edit(root, User.objects.get(pk=ada.pk), first_name="Another").status_code == 302


def test_an_administrator_s_change_of_an_address_is_told_and_ends_what_was_pending(ada, client, root, mails):
    ask(client, mails)
    invited = User.objects.create_user("nina", "nina@brightmoor.example", first_name="N", last_name="N")
    provider_accounts.invite(invited)
    mails.clear()
    for person in (User.objects.get(pk=ada.pk), invited):
        assert edit(root, person, email=f"{person.username}@elsewhere.example").status_code == 302
    assert edit(root, User.objects.get(username="ada"), password1=LONG, password2=LONG).status_code == 302
    assert [to for to, _ in mails] == [OLD, "nina@brightmoor.example", "ada@elsewhere.example"]
    assert not NewAddress.objects.exists()
    assert not ProviderInvitation.objects.exists()


def test_an_administrator_s_reset_and_disconnection_are_told(ada, root, mails):
    add_app(ada)
    ProviderAccount.objects.create(user=ada, issuer="https://id.example", subject="1")
    for action in ("reset", "disconnect", "reset", "disconnect"):
        root.post(f"/admin/users/{ada.pk}/signing-in/", {"action": action})
    assert [to for to, _ in mails] == [OLD, OLD], "once each"
    assert not ProviderAccount.objects.exists()


def test_administrators_change_their_own_as_everybody_does(root):
    me = User.objects.get(username="root")
    page = root.get(f"/admin/users/edit/{me.pk}/").content.decode()
    assert 'name="email"' not in page
    assert 'name="password1"' not in page
    assert edit(root, me, email=NEW, password1=LONG, password2=LONG, is_superuser="on").status_code == 302
    me.refresh_from_db()
    assert (me.email, me.check_password(PASSWORD), me.first_name) == ("root@brightmoor.example", True, "Ada")
