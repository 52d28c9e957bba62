"""Errors of a publish: blocked content, or a publisher that cannot work."""

from collections.abc import Collection

from ..domain.problem_texts import say_each
from ..domain.problems import Problem


class PublishError(Exception):
    """Content cannot go live. ``problems`` lists the reasons.

    Sites stay as they were, except for those ``brought_up``, which had no build to serve.
    """

    def __init__(self, problems: list[Problem], brought_up: Collection[str] = (), shown: int = 20) -> None:
        self.problems = problems
        self.brought_up = brought_up
        lines = say_each(problems)
        more = [f"… and {len(lines) - shown} more"] if len(lines) > shown else []
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        listed = "".join(f"\n  {line}" for line in [*lines[:shown], *more])
        if brought_up:
            said = (
                f"Builds or files of {', '.join(brought_up)} were missing. These sites show their last live content, "
                f"as far as possible. Newer content is not live because of {count}. To publish everything without "
                "problems, run `portolan publish --keep-going`."
            )
        else:
            said = f"Nothing went live because of {count}. The sites are unchanged."
        super().__init__(said + listed)


class UsageError(Exception):
    """The publisher cannot work as called or installed.

    An operator or developer must fix it.
    """
