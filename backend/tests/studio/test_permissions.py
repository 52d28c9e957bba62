import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from portolan.studio.permissions import sync_editors_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client):
    user = get_user_model().objects.create_user("somebody", password="x")
    user.groups.add(sync_editors_group())
    client.force_login(user)
    return user


@pytest.mark.parametrize(
    "permission",
    [
        "wagtailadmin.access_admin",
        "content.change_office",
        "content.add_office",
        "content.delete_officecategory",
        "content.change_menusettings",
        "content.change_footersettings",
    ],
)
def test_editors_may(editor, permission):
    assert editor.has_perm(permission)


@pytest.mark.parametrize(
    "permission",
    ["auth.add_user", "auth.change_user", "auth.change_group", "wagtailcore.change_site", "wagtailcore.add_locale"],
)
def test_editors_may_not(editor, permission):
    assert not editor.has_perm(permission)


def test_editors_publish_pages(editor, homes):
    assert homes
    for home in homes.values():
        permissions = home.permissions_for_user(editor)
        assert permissions.can_publish()
        assert permissions.can_publish_subpage()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/admin/", 200),
        ("/admin/pages/", 200),
        ("/admin/images/add/", 200),
        ("/admin/snippets/content/office/", 200),
        ("/admin/snippets/content/office/add/", 200),
        ("/admin/users/", 302),
        ("/admin/groups/", 302),
        ("/admin/sites/", 302),
    ],
)
def test_what_editors_can_open(editor, client, sites, path, status):
    assert client.get(path, headers={"Host": "studio.localhost"}).status_code == status


def test_a_second_run_changes_nothing(db):
    first = sync_editors_group()
    before = set(first.permissions.all()), first.page_permissions.count(), first.collection_permissions.count()
    again = sync_editors_group()
    assert (
        set(again.permissions.all()),
        again.page_permissions.count(),
        again.collection_permissions.count(),
    ) == before
    assert Group.objects.filter(name="Publishers · all sites").count() == 1
