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
    """Of the item whose content it is in: the page at ``path``, or e.g. the site's menu. Empty where nobody can tell."""
    about: Reference = Reference("", "")
    """What the content mentions in vain: a reference, a ``url``, or the ``path`` of a page of the site. Empty where it is about nothing else."""

    def __str__(self) -> str:
        page = f" {self.path} ({self.title})" if self.path else ""
        return f"{self.site}{page}: {self.what}; {self.fix}"


class PublishError(Exception):
    """Content that cannot go live. ``problems`` has one entry for each thing to fix; what was live still is."""

    def __init__(self, problems: list[PublishProblem], shown: int = 20) -> None:
        self.problems = problems
        lines = list_problems(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        super().__init__(f"Nothing went live: {count} to fix first. What was live still is.{listed}")


def list_problems(problems: Iterable[PublishProblem]) -> list[str]:
    """A line each; what a whole site has in common (a link of its footer) is said once."""
    pages: dict[tuple[str, str], list[PublishProblem]] = {}
    for problem in sorted(problems):
        pages.setdefault((problem.site, problem.what), []).append(problem)
    return [f"{same[0]}{f' (so do {len(same) - 1} more pages)' if len(same) > 1 else ''}" for same in pages.values()]


class HeldChange(NamedTuple):
    """One item that visitors see as it was, because of a problem with what it is now."""

    site: str
    kind: str
    key: str
    title: str
    """Of a page; empty for anything else."""
    release: int
    """The release that has it as visitors see it."""
    is_there: bool
    """Whether visitors see it at all."""
    problem: PublishProblem


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer fixes it."""
