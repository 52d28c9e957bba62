import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.domain.pagination import cut_page, take_more

SIZES = st.integers(0, 60)


@pytest.mark.parametrize(
    ("count", "page", "per_page", "expected"),
    [
        (5, 1, 2, ([0, 1], 5, 3)),
        (5, 3, 2, ([4], 5, 3)),
        (5, 4, 2, None),
        (4, 2, 2, ([2, 3], 4, 2)),
        (4, 3, 2, None),
        (0, 1, 9, ([], 0, 0)),
        (0, 2, 9, None),
        (1, 10**30, 9, None),
    ],
)
def test_one_page_of_a_list(count, page, per_page, expected):
    assert cut_page(range(count), page, per_page) == expected


@given(SIZES, st.integers(1, 50))
def test_pages_make_the_list(count, per_page):
    first = cut_page(range(count), 1, per_page)
    assert first
    cuts = [cut_page(range(count), page, per_page) for page in range(1, first.pages + 1)]
    assert [item for cut in cuts if cut for item in cut.items] == list(range(count))
    assert all(cut and 1 <= len(cut.items) <= per_page for cut in cuts)


@given(SIZES, st.integers(1, 10))
def test_asking_for_more_until_there_is_none_shows_all_once(count, size):
    shown: list[int] = []
    more: int | None = 0
    while more is not None:
        taken = take_more(range(count), more, size)
        assert taken.total == count
        shown += taken.items
        assert taken.more is None or taken.more == len(shown)
        more = taken.more
    assert shown == list(range(count))


def test_past_the_end_there_is_nothing():
    assert take_more(range(5), 99, 6) == ([], 5, None)
