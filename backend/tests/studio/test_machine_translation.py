"""The studio drafts machine translations, shows unapproved texts, and lets people approve them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portolan.content.models import ServicePage
from portolan.translations.machine import providers
from portolan.translations.models import MachineText

from ..translations.machine.service import KEY, Service, running

pytestmark = pytest.mark.django_db
NOT_APPROVED = "1 machine translation, not approved"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Service]:
    settings.MACHINE_TRANSLATION, settings.MACHINE_TRANSLATION_KEY = "deepl", KEY
    usual = providers.DeepL
    with running() as service:
        monkeypatch.setattr(providers, "DeepL", lambda key: usual(key, service.url))
        yield service


@pytest.fixture
def page(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> ServicePage:
    made: ServicePage = add_page(homes["en"], ServicePage, "web", title="Web shops")
    return made


def send(client: Client, name: str, page: ServicePage, **values: str) -> str:
    data = {"cell": f"{page.translation_key}:de", **values}
    return client.post(reverse(name), data, follow=True).content.decode()


def test_a_translation_is_drafted_shown_and_approved(service: Service, page: Any, sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    assert "1 text translated by machine" in send(client, "studio_translations_machine", page)
    draft = ServicePage.objects.get(translation_key=page.translation_key, locale__record__key="de")
    details = reverse("studio_translation", args=[page.translation_key, "de"])
    form = reverse("wagtailadmin_pages:edit", args=[draft.pk])
    for url in (details, form, reverse("studio_translations")):
        html = client.get(url).content.decode()
        assert NOT_APPROVED in html
        assert "Approve machine translation" in html
    assert "1 machine-translated text approved." in send(client, "studio_translations_change", page, do="approve")
    assert not MachineText.objects.exists()
    assert NOT_APPROVED not in client.get(form).content.decode()
    assert "Every text has a translation already" in send(client, "studio_translations_machine", page)


def test_a_refusal_of_the_service_is_said(service: Service, page: Any, sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    service.status = 456
    assert "The quota of DeepL is used up." in send(client, "studio_translations_machine", page)
    assert not ServicePage.objects.filter(translation_key=page.translation_key, locale__record__key="de").exists()


@pytest.mark.parametrize("role", ["editor:uk", "publisher:en"])
def test_other_sites_are_closed(service: Service, page: Any, sign_in: Any, client: Client, role: str) -> None:
    sign_in(role)
    for name in ("studio_translations_machine", "studio_translations_change"):
        data = {"cell": f"{page.translation_key}:de", "do": "approve"}
        assert client.post(reverse(name), data).status_code in (302, 403)
    assert service.requests == []


def test_it_is_not_offered_without_a_service(page: Any, sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    assert "Translate by machine" not in client.get(reverse("studio_translations")).content.decode()
    assert client.post(reverse("studio_translations_machine")).status_code == 400
