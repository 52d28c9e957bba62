"""An editor's choice of case studies, and the message for a choice that matches none."""

from typing import Any

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries
from wagtail.blocks.struct_block import StructBlockValidationError

from portolan.content.blocks.project_teasers import ProjectTeasersBlock, facet_choices_kept
from portolan.content.collections.facets import FacetValue

from .test_base import problems_of


@pytest.fixture(autouse=True)
def facets(db: None) -> None:
    FacetValue.objects.create(key="healthcare", facet="industry")
    FacetValue.objects.create(key="python", facet="technology")


def value(**given: Any) -> dict[str, Any]:
    return {"tone": "paper", "title": "Cases", "limit": 3, "source": "filter", "facet": "", "value": "", **given}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Choose a facet"),
        ({"facet": "industry"}, "Choose a facet"),
        ({"value": "python"}, "Choose a facet"),
        ({"facet": "industry", "value": "python"}, "not of the facet industry"),
        ({"facet": "industry", "value": "alchemy"}, "alchemy"),
    ],
)
def test_a_facet_value_that_means_nothing_is_told(given: dict[str, Any], words: str) -> None:
    assert words in problems_of(ProjectTeasersBlock(), value(**given))["value"]


def test_a_draft_may_wait_for_its_facet_value_and_no_wrong_one_is_kept() -> None:
    block = ProjectTeasersBlock()
    block.clean_deferred(block.to_python(value()))
    with pytest.raises(StructBlockValidationError):
        block.clean_deferred(block.to_python(value(facet="industry", value="python")))


def test_the_form_offers_all_values_by_facet() -> None:
    offered = ProjectTeasersBlock().child_blocks["value"].field.choices
    groups = {group: [key for key, _ in values] for group, values in offered if group}
    assert groups == {"Industry": ["healthcare"], "Service": [], "Technology": ["python"]}


def test_many_saves_at_once_read_facet_values_once_and_the_next_ones_anew(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    choices = ProjectTeasersBlock().child_blocks["value"].field.choices
    with facet_choices_kept():
        known = list(choices)
        with django_assert_max_num_queries(0):
            assert list(choices) == known
    FacetValue.objects.create(key="ports", facet="industry")
    with facet_choices_kept():
        assert list(choices) != known
