"""Content that cannot be frozen."""

from collections.abc import Sequence

from ..domain.problem_texts import say
from ..domain.problems import Problem


class FreezeError(Exception):
    """Content cannot be frozen. ``problems`` lists all that was found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(say, self.problems)))
