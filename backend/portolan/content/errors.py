"""Define the error for content that cannot be published."""

from collections.abc import Sequence

from ..domain.problem_texts import say
from ..domain.problems import Problem


class SnapshotError(Exception):
    """Content cannot be stored in a release. ``problems`` lists all problems, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(say, self.problems)))
