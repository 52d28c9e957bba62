"""Content that cannot go live, and a publisher that cannot work."""

from collections.abc import Collection

from ..domain.problem_texts import say_each
from ..domain.problems import Problem


class PublishError(Exception):
    """Content that cannot go live. ``problems`` names each thing to fix. The sites stay as they were, except for those
    ``brought_up``, which had nothing to serve."""

    def __init__(self, problems: list[Problem], brought_up: Collection[str] = (), shown: int = 20) -> None:
        self.problems = problems
        self.brought_up = brought_up
        lines = say_each(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        if brought_up:
            said = (
                f"Builds or files of {', '.join(brought_up)} were missing. These sites show what was live last, as far as that is "
                f"known and can be shown. Nothing newer went live: {count} to fix first. `portolan publish --keep-going` "
                "publishes everything that has no problem."
            )
        else:
            said = f"Nothing went live: {count} to fix first. What was live still is."
        super().__init__(said + listed)


class UsageError(Exception):
    """The publisher cannot work as it was called or installed: an operator or developer fixes it."""
