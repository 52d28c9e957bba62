"""The result of a check, and its fix."""

from typing import Literal, NamedTuple

State = Literal["well", "warning", "problem"]


class Finding(NamedTuple):
    subject: str
    """One or two words, the same in every state."""
    state: State
    said: str
    mend: str = ""
    """The fix; empty if all is well."""


def well(subject: str, said: str) -> Finding:
    return Finding(subject, "well", said)


def warning(subject: str, said: str, mend: str) -> Finding:
    return Finding(subject, "warning", said, mend)


def problem(subject: str, said: str, mend: str) -> Finding:
    return Finding(subject, "problem", said, mend)
