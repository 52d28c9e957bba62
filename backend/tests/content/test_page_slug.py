"""The slug of a page: the browser derives it from a title, and the server cleans any input."""

import html
import json
import re
import subprocess
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.test import Client
from wagtail.models import Page
from wagtail.test.utils.form_data import nested_form_data, streamfield

from portolan.content.models import AboutPage, LegalPage
from portolan.publisher.render_worker import worker_command

from ..domain.test_letters import SLUGS
from ..processes import LIMIT_S

STUDIO: Final = {"Host": "studio.localhost"}
AS_WAGTAIL_DOES: Final = """
const { formatters, texts } = JSON.parse(process.argv[1]);
const format = (text) => formatters.reduce(
    (text, [[pattern, flags], replacement]) => text.replaceAll(new RegExp(pattern, flags), replacement), text.trim());
console.log(JSON.stringify(texts.map((text) => format(text).toLowerCase())));
"""

pytestmark = pytest.mark.django_db


def test_the_field_makes_a_slug_in_the_browser(homes: Any, admin_client: Client) -> None:
    form = admin_client.get(f"/admin/pages/add/content/legalpage/{homes['de'].pk}/", headers=STUDIO).content.decode()
    (field,) = re.findall(r"<input[^>]*name=\"slug\"[^>]*>", form)
    assert "w-slug#slugify" in field and "w-sync:apply-&gt;w-slug#urlify" in field
    formatters = json.loads(html.unescape(re.search('data-w-slug-formatters-value="([^"]*)"', field)[1]))  # type: ignore[index]
    wanted = {text: slug for text, language, slug in SLUGS if language in ("de", "de-DE", "en") and "Smør" not in text}
    del wanted["Über-Uns"]
    wanted |= {"Über-Uns": "ueber-uns", "œuvre": "oeuvre", "Đà Nẵng": "da-nang", "Қазақстан": "qazaqstan"}
    given = json.dumps({"formatters": formatters, "texts": list(wanted)})
    node = worker_command(None)[0]  # type: ignore[arg-type]
    said = subprocess.run([node, "-e", AS_WAGTAIL_DOES, given], capture_output=True, check=True, timeout=LIMIT_S)
    assert dict(zip(wanted, json.loads(said.stdout), strict=True)) == wanted


@pytest.mark.parametrize(
    ("site", "title", "typed", "slug"),
    [
        ("de", "Impressum", "Über-Uns", "ueber-uns"),
        ("en", "Imprint", "Über-Uns", "uber-uns"),
        ("de", "Größe", "", "groesse"),
        ("en", "Œuvre", "", "oeuvre"),
        ("en", "Đà Nẵng", "", "da-nang"),
        ("en", "東京", "", "dongjing"),
        ("en", "Imprint", " Old_Page ", "old-page"),
    ],
)
def test_the_server_follows_the_same_rules(
    homes: Any, admin_client: Client, site: str, title: str, typed: str, slug: str
) -> None:
    form = {"title": title, "slug": typed, "seo_title": "", "search_description": "", "body": streamfield([])}
    url = f"/admin/pages/add/content/legalpage/{homes[site].pk}/"
    reply = admin_client.post(url, nested_form_data(form), headers=STUDIO)
    assert reply.status_code == 302, reply.context["form"].errors
    assert LegalPage.objects.get().slug == slug


def test_a_slug_without_letters_is_refused_with_a_reason(homes: Any, admin_client: Client) -> None:
    form = {"title": "Imprint", "slug": "😀", "seo_title": "", "search_description": "", "body": streamfield([])}
    url = f"/admin/pages/add/content/legalpage/{homes['en'].pk}/"
    reply = admin_client.post(url, nested_form_data(form), headers=STUDIO)
    assert "slug" in reply.context["form"].errors and not LegalPage.objects.exists()


def test_pages_made_by_code_and_copies_get_such_slugs(
    homes: Any, add_page: Callable[..., Any], admin_client: Client
) -> None:
    for title in ("Über uns", "Über uns"):
        homes["de"].add_child(instance=AboutPage(title=title))
    assert [page.slug for page in AboutPage.objects.order_by("path")] == ["ueber-uns", "ueber-uns-2"]
    page = add_page(homes["de"], LegalPage, "agb")
    copied = {"new_title": "AGB", "new_slug": "Größe & Maß", "new_parent_page": homes["de"].pk}
    reply = admin_client.post(f"/admin/pages/{page.pk}/copy/", copied, headers=STUDIO)
    assert reply.status_code == 302, reply.context["form"].errors
    assert Page.objects.filter(slug="groesse-mass").exists()
