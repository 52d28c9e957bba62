import pytest

from portolan.domain.fallbacks import FallbackRule, is_shown

ALL, NO_ARTICLES, THIS = FallbackRule("", "", True), FallbackRule("articlepage", "", False), FallbackRule("", "k", True)


@pytest.mark.parametrize(
    ("rules", "page_type", "page", "shown"),
    [
        ([], "articlepage", "k", False),
        ([ALL], "articlepage", "k", True),
        ([ALL, NO_ARTICLES], "articlepage", "k", False),
        ([ALL, NO_ARTICLES], "servicepage", "k", True),
        ([THIS, NO_ARTICLES, ALL], "articlepage", "k", True),
        ([THIS, NO_ARTICLES, ALL], "articlepage", "other", False),
        ([FallbackRule("", "k", False), ALL], "servicepage", "k", False),
        ([FallbackRule("articlepage", "", True)], "servicepage", "k", False),
    ],
)
def test_the_most_specific_choice_wins(rules, page_type, page, shown):
    assert is_shown(rules, page_type, page) is shown
