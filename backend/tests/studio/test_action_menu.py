"""The button at the foot of a page's form publishes."""

import re

import pytest

from portolan.content.models import ServicePage

pytestmark = pytest.mark.django_db


def buttons(html):
    footer = html[html.index('aria-label="Actions (footer)"') :]
    return re.findall(r'name="(action-publish)"|class="(button action-save)', footer)


@pytest.mark.parametrize("new", [True, False], ids=["a new page", "a page that is there"])
def test_publishing_comes_first_and_drafts_second(admin_client, homes, add_page, new):
    home = homes["en"]
    page = add_page(home, ServicePage, "web")
    url = f"/admin/pages/add/content/servicepage/{home.pk}/" if new else f"/admin/pages/{page.pk}/edit/"
    html = admin_client.get(url, headers={"Host": "studio.localhost"}).content.decode()
    assert buttons(html) == [("action-publish", ""), ("", "button action-save")]
    assert "Submit to" not in html
