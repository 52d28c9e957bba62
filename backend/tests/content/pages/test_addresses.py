"""The targets of the studio's links to pages."""

import pytest

from portolan.content.models import ServicePage

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(homes, add_page):
    return add_page(homes["de"], ServicePage, "web")


def test_to_the_origin_the_site_has_in_this_environment(page, settings):
    """Wagtail's row of a site keeps the port it was last written with."""
    settings.SITE_ORIGINS = {**settings.SITE_ORIGINS, "de": "https://brightmoor.de.example"}
    assert page.url == page.full_url == "https://brightmoor.de.example/web"


def test_to_nowhere_where_visitors_find_nothing(page):
    page.hidden_here = True
    assert page.url is None
