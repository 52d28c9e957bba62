"""The studio's indexes after many saves at once: what they would hold had each save brought them up to date."""

import pytest
from django.core.management import call_command
from django_tasks import task_backends
from django_tasks.backends.immediate import ImmediateBackend
from modelsearch.backends import get_search_backend
from modelsearch.conf import get_app_config
from wagtail.models import Page, ReferenceIndex

from portolan.content.collections.reviews import Review
from portolan.content.pictures import SiteImage
from portolan_dev.seed.batch import saved_at_once

from .conftest import page

pytestmark = pytest.mark.django_db

REFERENCE = ("content_type", "object_id", "to_content_type", "to_object_id", "model_path", "content_path")


@pytest.fixture(autouse=True)
def indexing(settings):
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}


def references() -> set[tuple[object, ...]]:
    return set(ReferenceIndex.objects.values_list(*REFERENCE))


def found() -> set[tuple[object, ...]]:
    entries = get_app_config().get_model("IndexEntry").objects
    return set(entries.values_list("content_type", "object_id"))


def test_the_demo_is_found_and_counted(load, folder, write):
    write(
        {
            "collections/reviews.toml": '[x]\ncompany = "Northwind"\ncountry = "gb"\nscore = 5\nlogo = "mark"\npages = ["/"]\n',
            "en/collections/reviews.toml": '[x]\nperson = "Head of Traffic"\ntext = "Good."\n',
            "de/collections/reviews.toml": '[x]\nperson = "Leitung"\ntext = "Gut."\n',
        }
    )
    load()
    assert [found.pk for found in Page.objects.search("Netz")] == [page("/services/web/", "de").pk]
    assert [review.company for review in get_search_backend().search("Northwind", Review)] == ["Northwind"]
    picture = SiteImage.objects.get()
    users = {usage.model_name for usage in ReferenceIndex.get_references_to(picture)}
    assert users == {"home page", "review"}


def test_nothing_is_missing_and_nothing_is_too_much(load, folder):
    call_command("update_index", verbosity=0)  # for the root of all pages, which no fixture knows
    load()
    counted, indexed = references(), found()
    call_command("rebuild_references_index", verbosity=0)
    call_command("update_index", verbosity=0)
    assert counted == references()
    assert indexed == found()
    assert counted


def test_after_the_block_each_save_counts_by_itself_again(load, small_folder):
    load()
    assert isinstance(task_backends["default"], ImmediateBackend)
    web = page("/services/web/")
    web.title = "Harbours"
    web.save_revision().publish()
    assert [found.pk for found in Page.objects.search("Harbours") if found.locale_id == web.locale_id] == [web.pk]


def test_a_block_that_fails_keeps_nothing(load, small_folder):
    load()
    before = references(), found()
    with pytest.raises(RuntimeError), saved_at_once():
        web = page("/services/web/")
        web.title = "Harbours"
        web.save_revision().publish()
        raise RuntimeError
    assert page("/services/web/").title == "Web"
    assert (references(), found()) == before
    assert isinstance(task_backends["default"], ImmediateBackend)
