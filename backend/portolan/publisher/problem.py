"""Content that cannot go live, and a publisher that cannot work."""

from ..domain.problem_texts import say_each
from ..domain.problems import Problem


class PublishError(Exception):
    """Content that cannot go live. ``problems`` names each thing to fix. The sites stay as they were."""

    def __init__(self, problems: list[Problem], shown: int = 20) -> None:
        self.problems = problems
        lines = say_each(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        super().__init__(f"Nothing went live: {count} to fix first. What was live still is.{listed}")


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer fixes it."""
