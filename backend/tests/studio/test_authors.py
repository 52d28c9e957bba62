"""A release names its author: the user signed in to the studio."""

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone, translation

from portolan.content.models import LegalPage
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, Release
from portolan.studio.authors import name_person
from portolan.studio.templatetags.studio_name import by_person, by_person_text

pytestmark = pytest.mark.django_db
HOST = {"Host": "studio.localhost"}


@pytest.fixture
def sign_in(client):
    def sign_in(username, **names):
        client.force_login(get_user_model().objects.create_superuser(username, password="x", **names))
        return client

    return sign_in


def add_phone(client, key, number):
    form = {"key": key, "phone": number, "action-publish": "x"}
    reply = client.post("/admin/snippets/content/phone/add/", form, headers=HOST)
    assert reply.status_code == 302, reply.context["form"].errors


def test_a_save_is_in_the_editor_s_full_name_and_so_is_its_release(sites, sign_in):
    create_release("publisher", timezone.now().date())
    add_phone(sign_in("anna", first_name="Anna", last_name="Lind"), "dallas", "+1 214-555-0140")
    assert set(PendingChange.objects.values_list("by", flat=True)) == {"Anna Lind"}
    add_phone(sign_in("boris"), "london", "+44 20 7946 0018")
    create_release("publisher", timezone.now().date())
    assert Release.objects.first().created_by == "Anna Lind, boris"


def test_a_page_that_is_unpublished_is_too(homes, add_page, sign_in):
    page = add_page(homes["en"], LegalPage, "imprint", title="Imprint")
    PendingChange.objects.all().delete()
    sign_in("anna").post(f"/admin/pages/{page.pk}/unpublish/", headers=HOST)
    assert set(PendingChange.objects.values_list("by", flat=True)) == {"anna"}


@pytest.mark.parametrize(
    ("author", "said", "ended"),
    [
        ("Anna Lind", "Anna Lind", "von Anna Lind"),
        ("seed", "der Inhalt der Demo", "der Inhalt der Demo"),
        ("Anna Lind and 2 others", "Anna Lind und 2 andere", "von Anna Lind und 2 andere"),
    ],
)
def test_authors_are_named_in_the_reader_s_language(author, said, ended):
    with translation.override("de"):
        assert name_person(author) == said
        assert by_person_text(author) == ended
        assert by_person(author) == ended.replace(said, f"<bdi>{said}</bdi>")
