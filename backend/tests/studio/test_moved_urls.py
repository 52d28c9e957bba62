"""Bookmarks of moved screens redirect to their new URLs."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("old", "name", "arguments"),
    [
        ("releases/life/?kind=phone&key=us", "studio_version_history", {}),
        ("releases/life/3/enter-again/?kind=phone&key=us", "studio_restore_version", {"number": 3}),
        ("releases/3/take-back/", "studio_revert", {"number": 3}),
        ("changes/3/take-back/", "studio_change_set_revert", {"id": 3}),
        ("help/first-screen/", "studio_handbook_page", {"slug": "dashboard"}),
    ],
)
def test_a_former_url_redirects_with_its_query(admin_client, old, name, arguments):
    reply = admin_client.get(f"{reverse('wagtailadmin_home')}{old}")
    _, _, query = old.partition("?")
    assert (reply.status_code, reply["Location"]) == (308, reverse(name, kwargs=arguments) + (query and f"?{query}"))
