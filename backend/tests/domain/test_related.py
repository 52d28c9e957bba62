import pytest

from portolan.domain.related import choose_related

PROJECTS = {"one": "ab", "two": "a", "three": "ba", "four": "c", "five": "", "six": "bx"}


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        ("one", ["three", "two", "six"]),
        ("two", ["one", "three"]),
        ("four", []),
        ("five", []),
        ("six", ["one", "three"]),
    ],
)
def test_those_that_share_most_come_first_and_itself_never(project, expected):
    assert choose_related(project, PROJECTS, lambda name: set(PROJECTS[name])) == expected
