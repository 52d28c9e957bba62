"""What is wrong with content, said to the people who can fix it."""

from collections.abc import Iterable
from typing import NamedTuple

from ..domain.references import Reference


class PublishProblem(NamedTuple):
    """One thing that keeps content from going live."""

    site: str
    path: str
    """Path of the page; empty where it is about the whole site."""
    title: str
    what: str
    fix: str
    kind: str = "page"
    """Kind of the item whose content has the problem: the page at ``path``, or e.g. the site's menu. Empty if it is not
    known."""
    about: Reference = Reference("", "")
    """What the content refers to and what is missing: a reference, a ``url``, or the ``path`` of a page of the site.
    Empty for problems of any other sort."""

    def __str__(self) -> str:
        page = f" {self.path} ({self.title})" if self.path else ""
        return f"{self.site}{page}: {self.what}; {self.fix}"


class PublishError(Exception):
    """Content that cannot go live. ``problems`` names each thing to fix. The sites stay as they were."""

    def __init__(self, problems: list[PublishProblem], shown: int = 20) -> None:
        self.problems = problems
        lines = list_problems(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        super().__init__(f"Nothing went live: {count} to fix first. What was live still is.{listed}")


def list_problems(problems: Iterable[PublishProblem]) -> list[str]:
    """One line for each problem; one that all pages of a site share (a link of the footer) is listed once."""
    pages: dict[tuple[str, str], list[PublishProblem]] = {}
    for problem in sorted(problems):
        pages.setdefault((problem.site, problem.what), []).append(problem)
    return [f"{same[0]}{f' (so do {len(same) - 1} more pages)' if len(same) > 1 else ''}" for same in pages.values()]


class HeldChange(NamedTuple):
    """One item that visitors see in an earlier state, because its newest state has a problem."""

    site: str
    kind: str
    key: str
    title: str
    """Of a page; empty for anything else."""
    release: int
    """The release with the state that visitors see."""
    is_there: bool
    """Whether visitors see it at all."""
    problem: PublishProblem


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer fixes it."""
