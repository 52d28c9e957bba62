"""The rights of each role, and of groups that a company has made, by site."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from wagtail.models import GroupPagePermission

from portolan.content.may import may, sites_where
from portolan.domain.roles import ALL_SITES, Action, Role, SiteRole, actions_of
from portolan.studio.permissions import sync_role_group

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def three_sites(settings, sites):
    registry = settings.SITES_REGISTRY
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {key: registry.sites[key] for key in sites}})


def person(*held):
    user = get_user_model().objects.create_user(f"user{get_user_model().objects.count()}")
    user.groups.set([sync_role_group(each) for each in held])
    return user


@pytest.mark.parametrize("role", Role)
def test_the_table_holds_on_the_role_s_own_site_and_on_no_other(role):
    held = SiteRole(role, "de")
    user = person(held)
    assert {action for action in Action if may(user, action, "de")} == actions_of(held)
    assert not any(may(user, action, site) for action in Action for site in ("en", "uk", ALL_SITES))


@pytest.mark.parametrize("role", Role)
def test_a_role_on_all_sites_is_one_on_each(role):
    held = SiteRole(role, ALL_SITES)
    user = person(held)
    for site in ("en", "uk", "de", ALL_SITES):
        assert {action for action in Action if may(user, action, site)} == actions_of(held)


def test_roles_add_up_site_by_site():
    user = person(SiteRole(Role.EDITOR, "en"), SiteRole(Role.PUBLISHER, "de"), SiteRole(Role.LEAD_HANDLER, "uk"))
    assert sites_where(user, Action.EDIT) == {"en", "de"}
    assert sites_where(user, Action.PUBLISH) == {"de"}
    assert sites_where(user, Action.SEE_LEADS) == {"uk"}
    assert may(user, Action.PUBLISH)
    assert not may(user, Action.ADMINISTER)


def test_groups_of_the_company_s_own_count_as_before(homes):
    group = Group.objects.create(name="Germans")
    group.permissions.add(Permission.objects.get(codename="view_lead"))
    publish = Permission.objects.get(content_type__app_label="wagtailcore", codename="publish_page")
    GroupPagePermission.objects.create(group=group, page=homes["de"], permission=publish)
    user = person()
    user.groups.add(group)
    assert sites_where(user, Action.PUBLISH) == {"de"}
    assert may(user, Action.SEE_LEADS, ALL_SITES)


def test_who_is_disabled_may_nothing():
    user = person(SiteRole(Role.ADMINISTRATOR, ALL_SITES))
    user.is_active = False
    assert not any(may(user, action) for action in Action)


def test_the_groups_from_before_there_were_roles_become_those_of_roles():
    editors = Group.objects.get(name="Editors")
    leads = Group.objects.create(name="Leads")
    assert sync_role_group(SiteRole(Role.PUBLISHER, ALL_SITES)) == editors
    group = sync_role_group(SiteRole(Role.LEAD_HANDLER, ALL_SITES))
    assert group == leads
    assert group.name == "Lead handlers · all sites"
    assert not group.permissions.exists()  # rights that administrators removed stay removed


def test_a_group_takes_the_site_s_new_name(settings):
    group = sync_role_group(SiteRole(Role.EDITOR, "de"))
    registry = settings.SITES_REGISTRY
    de = registry.sites["de"].model_copy(update={"name": "Germany"})
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {**registry.sites, "de": de}})
    assert sync_role_group(SiteRole(Role.EDITOR, "de")).name == "Editors · Germany"
    assert group.name == "Editors · Deutschland"
