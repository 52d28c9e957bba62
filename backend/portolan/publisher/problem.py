"""What is wrong with content, said to the people who can mend it."""

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
        lines = [f"\n  {problem}" for problem in problems[:shown]]
        if len(problems) > shown:
            lines.append(f"\n  … and {len(problems) - shown} more")
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        super().__init__(f"Nothing went live: {count} to mend first. What was live still is.{''.join(lines)}")


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer mends it."""
