"""Accounts managed in the studio: roles by site, invitations, and which accounts a user may manage."""

import html
import re
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.models import ModelLogEntry
from wagtail.users.models import UserProfile

from portolan.accounts.models import StudioSession
from portolan.domain.mail_server import read_mail_server
from portolan.domain.previews import GUEST
from portolan.domain.roles import Role, SiteRole
from portolan.leads.destinations.email import Mailer
from portolan.rights.held import roles_of
from portolan.studio.people.giving import set_roles
from portolan.studio.people.invitations import InvitationTokens
from portolan.studio.permissions import sync_role_group

pytestmark = pytest.mark.django_db
NEW = {"username": "nina", "email": "nina@brightmoor.example", "first_name": "Nina", "last_name": "Neu"}
ADD = "wagtailusers_users:add"


@pytest.fixture(autouse=True)
def three_sites(settings, sites):
    registry = settings.SITES_REGISTRY
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {key: registry.sites[key] for key in sites}})


def person(name, *held, **fields):
    user = User.objects.create_user(name, password="x", email=f"{name}@brightmoor.example", **fields)
    user.groups.set([sync_role_group(each) for each in held])
    return user


def signed_in(user):
    client = Client(headers={"Host": "studio.localhost"})
    client.force_login(user)
    session = client.session
    session["confirmed_at"] = timezone.now().timestamp()
    session.save()
    return client


@pytest.fixture
def root():
    return signed_in(person("root", is_superuser=True))


@pytest.fixture
def of_germany():
    return signed_in(person("admin-de", SiteRole(Role.ADMINISTRATOR, "de")))


def link_in(page):
    return re.search(r'studio-link">([^<]+)<', page)[1]


def test_somebody_is_invited_with_roles_and_comes_in_by_the_link_once(root):
    page = root.post(reverse(ADD), {**NEW, "roles": ["editor:de", "publisher:uk"]}).content.decode()
    nina = User.objects.get(username="nina")
    assert roles_of(nina) == {SiteRole(Role.EDITOR, "de"), SiteRole(Role.PUBLISHER, "uk")}
    assert "could not be sent" in page
    link = html.unescape(link_in(page)).partition("//")[2].partition("/")[2]
    entry = ModelLogEntry.objects.get(action="portolan.user.roles")
    assert entry.user.username == "root"
    assert entry.message == "Changed roles: gave Editor on Deutschland, Publisher on United Kingdom"
    browser = Client(headers={"Host": "studio.localhost"})
    form = browser.get(f"/{link}", follow=True)
    weak = browser.post(form.redirect_chain[-1][0], {"new_password1": "password", "new_password2": "password"})
    assert "too common" in weak.content.decode()
    assert 'class="login-form"' not in weak.content.decode()  # Wagtail hides the errors of fields there
    password = {"new_password1": "a long sentence of hers", "new_password2": "a long sentence of hers"}
    done = browser.post(form.redirect_chain[-1][0], password)
    assert done["Location"] == reverse("studio_set_up")  # the second step comes next
    assert browser.get(reverse("wagtailadmin_home")).status_code == 200
    assert "does not work" in Client(headers={"Host": "studio.localhost"}).get(f"/{link}").content.decode()


def test_the_form_asks_in_the_same_order_each_time(root):
    page = root.get(reverse(ADD)).content.decode()
    names = ("first_name", "last_name", "email", "username", "roles", "is_superuser")
    places = [page.index(f'name="{name}"') for name in names]
    assert places == sorted(places)


def test_an_invitation_is_good_for_seven_days():
    user = person("late")
    token = InvitationTokens().make_token(user)
    for days, is_good in ((6.9, True), (7.1, False)):
        with patch.object(InvitationTokens, "_now", lambda _, days=days: datetime.now() + timedelta(days=days)):
            assert InvitationTokens().check_token(user, token) == is_good


def test_a_new_invitation_takes_the_place_of_the_one_before(root):
    first = link_in(root.post(reverse(ADD), NEW).content.decode())
    nina = User.objects.get(username="nina")
    url = reverse("studio_person_signing_in", args=[nina.pk])
    assert "Invite again" in root.get(url).content.decode()
    second = link_in(root.post(url, {"action": "invite"}).content.decode())
    browser = Client(headers={"Host": "studio.localhost"})
    opened = {
        link: browser.get("/" + link.partition("//")[2].partition("/")[2]).status_code for link in (first, second)
    }
    assert opened == {first: 200, second: 302}


def test_the_link_goes_by_mail_where_there_is_a_server(root, settings, monkeypatch):
    sent = []
    registry = settings.SITES_REGISTRY
    leads = registry.leads.model_copy(update={"sender": "studio@brightmoor.example"})
    settings.SITES_REGISTRY = registry.model_copy(update={"leads": leads})
    settings.MAIL_SERVER = read_mail_server("smtp://127.0.0.1:25")
    monkeypatch.setattr(Mailer, "send", lambda self, message, to: sent.append((to, message)))
    page = root.post(reverse(ADD), NEW).content.decode()
    [(to, message)] = sent
    assert to == [NEW["email"]]
    assert "/admin/login/invitation/" in message.get_content()
    assert "studio-link" not in page


def test_groups_of_the_company_s_own_stay(root):
    own = Group.objects.create(name="Sales")
    user = person("sam", SiteRole(Role.EDITOR, "de"), first_name="S", last_name="A")
    user.groups.add(own)
    form = {**NEW, "username": "sam", "is_active": "on", "groups": [own.pk], "roles": ["reader"]}
    assert root.post(reverse("wagtailusers_users:edit", args=[user.pk]), form).status_code == 302
    assert roles_of(user) == {SiteRole(Role.READER, "")}
    assert own in user.groups.all()


def test_who_administers_one_site_gives_roles_there_alone_and_to_people_of_it_alone(of_germany):
    page = of_germany.get(reverse(ADD)).content.decode()
    assert 'value="editor:de"' in page
    for absent in ('value="editor"', 'value="editor:uk"', 'name="is_superuser"', 'name="groups"'):
        assert absent not in page
    of_germany.post(reverse(ADD), {**NEW, "roles": ["editor:uk"]})
    of_germany.post(reverse(ADD), {**NEW, "roles": ["editor:de"], "is_superuser": "on"})
    nina = User.objects.get(username="nina")
    assert roles_of(nina) == {SiteRole(Role.EDITOR, "de")}
    assert not nina.is_superuser
    others = [
        person("root", is_superuser=True),
        person("everywhere", SiteRole(Role.EDITOR, "")),
        person("british", SiteRole(Role.EDITOR, "uk")),
        person("both", SiteRole(Role.EDITOR, "uk"), SiteRole(Role.EDITOR, "de")),
        person("nobody"),
    ]
    listed = of_germany.get(reverse("wagtailusers_users:index")).content.decode()
    assert reverse("wagtailusers_users:edit", args=[nina.pk]) in listed
    for other in others:
        for name in ("wagtailusers_users:edit", "studio_person_signing_in", "wagtailusers_users:history"):
            url = reverse(name, args=[other.pk])
            assert of_germany.post(url, {**NEW, "username": "taken"}).status_code in (302, 403), url
            assert url not in listed
        other.refresh_from_db()
        assert other.username != "taken"
    url = reverse("wagtail_bulk_action", args=["auth", "user", "set_active_state"])
    of_germany.post(f"{url}?id={others[2].pk}", {"mark_as_active": "False"})
    others[2].refresh_from_db()
    assert others[2].is_active


def test_the_account_of_guests_is_no_person(root):
    guest = person(GUEST, is_active=False)
    person("nina")
    page = root.get(reverse("wagtailusers_users:index")).content.decode()
    assert "nina" in page and GUEST not in page
    assert root.get(reverse("wagtailusers_users:edit", args=[guest.pk])).status_code in (302, 403)


def test_nobody_makes_themselves_more(of_germany):
    me = User.objects.get(username="admin-de")
    page = of_germany.get(reverse("wagtailusers_users:edit", args=[me.pk])).content.decode()
    assert 'name="roles"' not in page


def test_whoever_is_disabled_is_signed_out(root):
    user = person("gone", SiteRole(Role.EDITOR, "de"), first_name="G", last_name="O")
    signed_in(user)
    assert StudioSession.objects.filter(user=user).exists()
    root.post(reverse("wagtailusers_users:edit", args=[user.pk]), {**NEW, "username": "gone", "roles": ["editor:de"]})
    assert not StudioSession.objects.filter(user=user).exists()


def test_nothing_is_logged_where_nothing_changes():
    user = person("same", SiteRole(Role.EDITOR, "de"))
    set_roles(user, [SiteRole(Role.EDITOR, "de")], None)
    assert not ModelLogEntry.objects.exists()


def test_the_list_is_narrowed_by_roles_in_the_reader_s_language(root):
    person("eva", SiteRole(Role.EDITOR, "de"))
    assert UserProfile.objects.filter(user__username="root").update(preferred_language="de") == 1
    group = sync_role_group(SiteRole(Role.EDITOR, "de"))
    page = root.get("/admin/users/", {"group": group.pk})
    shown = page.content.decode()
    assert {row.username for row in page.context["users"]} == {"eva"}
    labels = re.findall(r"<label[^>]*>\s*<input[^>]*name=\"group\"[^>]*>\s*([^<]+?)\s*</label>", shown)
    assert "Redakteur (Deutschland)" in labels
    assert not [label for label in labels if "all sites" in label]
