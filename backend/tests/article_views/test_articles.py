import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from pytest_django import Settings

from portolan.article_views.articles import read_articles
from portolan.releases.models import Release, ReleaseItem

Write = Callable[[Iterable[tuple[str, str, str]]], int]


@pytest.fixture
def write(db: None, settings: Settings, tmp_path: Path) -> Write:
    """Writes a release that has these items and no others, and returns its number."""
    settings.BUILDS_DIR = tmp_path

    def release(items: Iterable[tuple[str, str, str]]) -> int:
        number = Release.objects.create().number
        ReleaseItem.objects.filter(until=None).update(until=number)
        for site, kind, key in items:
            ReleaseItem.objects.create(site=site, kind=kind, key=key, digest=f"{number}", body=b"{}", since=number)
        return int(number)

    return release


def show(folder: Path, releases: dict[str, int]) -> None:
    live = {"sites": dict.fromkeys(releases, "a"), "releases": releases}
    (folder / "live.json").write_text(json.dumps(live))


def test_there_are_none_before_the_first_release(db: None) -> None:
    assert read_articles() is None


@pytest.mark.postgres
def test_news_and_blueprints_of_all_sites_share_one_id_space(write: Write) -> None:
    write(
        [
            ("en", "news", "b"),
            ("de", "news", "b"),
            ("pl", "news", "c"),
            ("en", "blueprint", "a"),
            ("en", "project", "d"),
        ]
    )
    articles = read_articles()
    assert articles
    assert articles.ids() == ["a", "b", "c"]
    assert articles.blueprints == {"a"}
    assert articles.has("c")
    assert not articles.has("d")


def test_a_site_counts_with_the_release_that_is_live_there(write: Write, tmp_path: Path) -> None:
    first = write([("en", "news", "old"), ("de", "news", "alt")])
    second = write([("en", "news", "new"), ("de", "news", "neu")])
    show(tmp_path, {"en": second, "de": first})
    articles = read_articles()
    assert articles
    assert articles.ids() == ["alt", "new"]
    show(tmp_path, {"en": first, "de": first})
    articles = read_articles()
    assert articles
    assert articles.ids() == ["alt", "old"]


def test_a_damaged_pointer_hides_no_article(write: Write, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write([("en", "news", "a")])
    (tmp_path / "live.json").write_text("{")
    articles = read_articles()
    assert articles
    assert articles.ids() == ["a"]
    assert "newest release" in caplog.text
