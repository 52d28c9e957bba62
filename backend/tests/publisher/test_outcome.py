"""A file tells editors why the last publish failed to go live."""

from pathlib import Path

import pytest

from portolan.publisher.outcome import outcome_file, read_outcome
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher

from .conftest import MakePublisher
from .release_book import ReleaseBook


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def publisher(make_publisher: MakePublisher, book: ReleaseBook) -> Publisher:
    book.release()
    publisher = make_publisher()
    publisher.publish()
    return publisher


def break_a_page(book: ReleaseBook) -> None:
    book.content["de", "page", "web"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    book.release()


def test_says_which_release_is_live(publisher: Publisher, builds: Path) -> None:
    outcome = read_outcome(builds)
    assert outcome
    assert (outcome.release, outcome.is_live, outcome.problems) == (1, True, [])


def test_names_the_page_that_keeps_a_release_back(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    break_a_page(book)
    with pytest.raises(PublishError) as raised:
        publisher.publish()
    outcome = read_outcome(builds)
    assert outcome
    assert (outcome.release, outcome.is_live) == (2, False)
    assert outcome.problems == raised.value.problems


def test_forgets_a_problem_when_it_is_fixed(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    break_a_page(book)
    with pytest.raises(PublishError):
        publisher.publish()
    book.content["de", "page", "web"]["blocks"][0]["picture"] = None
    book.release()
    publisher.publish()
    outcome = read_outcome(builds)
    assert outcome
    assert outcome.is_live


@pytest.mark.parametrize("call", [{"sites": ["en"]}, {"release": 1}], ids=str)
def test_publish_of_a_part_says_nothing_of_the_whole(
    publisher: Publisher, book: ReleaseBook, builds: Path, call: dict[str, object]
) -> None:
    break_a_page(book)
    with pytest.raises(PublishError):
        publisher.publish()
    before = outcome_file(builds).read_bytes()
    publisher.publish(**call)  # type: ignore[arg-type]
    assert outcome_file(builds).read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"release": 1, "at": "", "problems": [{}], "failure": ""}'])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, damage: bytes) -> None:
    outcome_file(tmp_path).write_bytes(damage)
    assert read_outcome(tmp_path) is None
