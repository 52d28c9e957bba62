"""What is wrong with content, said to the people who can mend it."""

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that keeps a site's build from going live."""

    site: str
    path: str
    """Path of the page; empty where it is about the whole site."""
    title: str
    what: str
    mend: str

    def __str__(self) -> str:
        page = f" {self.path} ({self.title})" if self.path else ""
        return f"{self.site}{page}: {self.what}; {self.mend}"


class ContentError(Exception):
    """Content that cannot go live. ``problems`` has one entry for each thing to mend; what was live still is."""

    def __init__(self, problems: list[Problem], shown: int = 20) -> None:
        self.problems = problems
        lines = list_problems(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        super().__init__(f"Nothing went live: {count} to mend first. What was live still is.{listed}")


def list_problems(problems: Iterable[Problem]) -> list[str]:
    """A line each; what a whole site has in common (a link of its footer) is said once."""
    pages: dict[tuple[str, str], list[Problem]] = {}
    for problem in sorted(problems):
        pages.setdefault((problem.site, problem.what), []).append(problem)
    return [f"{same[0]}{f' (so do {len(same) - 1} more pages)' if len(same) > 1 else ''}" for same in pages.values()]


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer mends it."""
