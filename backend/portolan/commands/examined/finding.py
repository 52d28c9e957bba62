"""One thing that was looked at, and what to do about it."""

from typing import Literal, NamedTuple

State = Literal["well", "warning", "problem"]


class Finding(NamedTuple):
    subject: str
    """A word or two, the same for the same thing whatever its state."""
    state: State
    said: str
    mend: str = ""
    """What to do; empty where it is well."""


def well(subject: str, said: str) -> Finding:
    return Finding(subject, "well", said)


def warning(subject: str, said: str, mend: str) -> Finding:
    return Finding(subject, "warning", said, mend)


def problem(subject: str, said: str, mend: str) -> Finding:
    return Finding(subject, "problem", said, mend)
