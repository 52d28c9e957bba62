"""The dates for publishing and expiring use the browser's own field for date and time."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from portolan.content.models import LegalPage

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_dates_are_asked_for_and_kept(client, homes, add_page):
    page = add_page(homes["en"], LegalPage, "imprint", title="Imprint")
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    url = reverse("wagtailadmin_pages:edit", args=[page.pk])
    form = client.get(url, headers={"Host": "studio.localhost"}).content.decode()
    for name in ("go_live_at", "expire_at"):
        (field,) = re.findall(rf'<input[^>]*name="{name}"[^>]*>', form)
        assert 'type="datetime-local"' in field
    sent = {"title": "Imprint", "slug": "imprint", "body-count": 0, "comments-TOTAL_FORMS": 0}
    sent |= {"comments-INITIAL_FORMS": 0, "go_live_at": "2099-02-03T04:05"}
    reply = client.post(url, sent, headers={"Host": "studio.localhost"})
    assert reply.status_code == 302, reply.context["form"].errors
    draft = LegalPage.objects.get(pk=page.pk).get_latest_revision_as_object()
    assert timezone.localtime(draft.go_live_at).isoformat() == "2099-02-03T04:05:00+00:00"
    again = client.get(url, headers={"Host": "studio.localhost"}).content.decode()
    assert 'value="2099-02-03T04:05:00"' in again, "to the second"
