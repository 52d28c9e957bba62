"""The items of a selector as one table. A page never lists itself."""

from typing import Any

import pytest

from portolan.domain.selectors import select_items


def project(key: str, rank: int | None, industry: str, technologies: str, lat: float | None = None) -> dict[str, Any]:
    values = {"industry": [industry], "service": [], "technology": technologies.split()}
    return {
        "id": key,
        "rank": rank,
        "lat": lat,
        "lng": lat,
        **{field: [{"slug": slug} for slug in values[facet]] for facet, field in FIELDS.items()},
    }


FIELDS = {"industry": "industries", "service": "services", "technology": "technologies"}
PROJECTS = [
    project("port", 1, "logistics", "kotlin react", lat=54.0),
    project("clinic", 2, "healthcare", "python"),
    project("bank", None, "finance", "python kotlin react", lat=0.0),
    project("rail", None, "logistics", "kotlin"),
]


@pytest.mark.parametrize(
    ("selector", "page", "expected"),
    [
        (["ranked"], None, ["port", "clinic"]),
        (["ranked"], "port", ["clinic"]),
        (["placed"], "home", ["bank", "rail"]),
        (["placed"], "rail", ["bank"]),
        (["valued", "industry", "logistics"], "home", ["port", "rail"]),
        (["valued", "technology", "kotlin"], "bank", ["port", "rail"]),
        (["valued", "technology", "logistics"], "home", []),
        (["related"], "port", ["rail", "bank"]),  # one industry counts for more than two technologies
        (["related"], "clinic", ["bank"]),
        (["related"], "home", []),
        (["related"], None, []),
        (["others"], "bank", ["port", "clinic", "rail"]),
        (["others"], None, ["port", "clinic", "bank", "rail"]),
        # A place on the equator counts, and the map includes the current case.
        (["mapped"], "port", ["port", "bank"]),
    ],
)
def test_a_selector_means_these(selector: list[str], page: str | None, expected: list[str]) -> None:
    found = select_items(selector, PROJECTS, lambda: PROJECTS[2:], page)
    assert [item["id"] for item in found] == expected


@pytest.mark.parametrize("selector", [["best"], ["valued", "industry"], []])
def test_what_is_no_selector_is_not_passed_over(selector: list[str]) -> None:
    with pytest.raises(ValueError, match="not a selector"):
        select_items(selector, PROJECTS, list, None)
