"""The replies of sites are compared with the published build and with earlier ones."""

from pathlib import Path

import pytest

from portolan.delivery_status.answers import Answer, expect_answer
from portolan.delivery_status.verify import Asked, Seen, Verdict, verify
from portolan.domain.redirects import Redirect

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

ORIGIN = "https://brightmoor.example"


@pytest.fixture
def asked(root: Path, build: Build):
    """``asked(answers)`` returns the verdict if the site replies so. ``then`` and ``now`` are its builds."""
    then = build("a", {"/": "home", "/web": "Web", "/old": "old"}, release=1)
    redirects = {"/old": Redirect(301, "/web#top"), "/gone": Redirect(410, "")}
    now = build("b", {"/": "home", "/web": "Web and more"}, release=2, redirects=redirects)

    def run(answers: dict[str, Answer | str]) -> Seen:
        site = Asked("en", ORIGIN, "b", tuple(answers))
        return verify(root, [site], lambda urls: {url: answers[url.removeprefix(ORIGIN)] for url in urls})["en"]

    run.then, run.now = then, now
    return run


def test_a_build_says_what_is_answered_at_each_address(asked) -> None:
    now = asked.now
    assert expect_answer(now, ORIGIN, "/web") == Answer(200, now.files["/web"].digest)
    assert expect_answer(now, ORIGIN, "/old") == Answer(301, location=f"{ORIGIN}/web#top")
    assert expect_answer(now, ORIGIN, "/gone") == Answer(410)
    assert expect_answer(now, ORIGIN, "/never") == Answer(404)


def test_all_as_published(asked) -> None:
    paths = ("/web", "/old", "/gone", "/never")
    assert asked({path: expect_answer(asked.now, ORIGIN, path) for path in paths}) == Seen(Verdict.SAME, 4)


@pytest.mark.parametrize("path", ["/web", "/old"])
def test_what_an_earlier_build_has_is_the_earlier_version(asked, path: str) -> None:
    answers = {"/": expect_answer(asked.now, ORIGIN, "/"), path: expect_answer(asked.then, ORIGIN, path)}
    assert asked(answers) == Seen(Verdict.EARLIER, 2, path)


def test_what_no_build_has_is_something_else(asked) -> None:
    assert asked({"/web": Answer(200, "0" * 32)}) == Seen(Verdict.OTHER, 1, "/web", "200")
    assert asked({"/web": Answer(502)}) == Seen(Verdict.OTHER, 1, "/web", "502")
    # A redirect to another host counts as a wrong reply.
    assert asked({"/web": Answer(302, location="https://elsewhere.example/")}).verdict is Verdict.OTHER


def test_the_worst_page_is_the_sites(asked) -> None:
    same, earlier = expect_answer(asked.now, ORIGIN, "/"), expect_answer(asked.then, ORIGIN, "/web")
    assert asked({"/": same, "/web": earlier, "/gone": "it is away"}) == Seen(
        Verdict.UNREACHABLE, 3, "/gone", "it is away"
    )


def test_a_build_that_cannot_be_read_is_left_out(root: Path) -> None:
    assert verify(root, [Asked("en", ORIGIN, "none", ("/",))], lambda urls: {}) == {}
