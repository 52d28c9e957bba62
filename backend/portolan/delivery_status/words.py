"""Describe a response that differs from the published page."""

from .verify import Verdict


def say_answer(verdict: str, url: str, why: str, has_cdn: bool = False) -> str:
    """Return a sentence that may follow a colon."""
    if verdict == Verdict.UNREACHABLE:
        return f"{url} could not be requested: {why}."
    if verdict == Verdict.EARLIER:
        who = "the CDN still shows" if has_cdn else "the edge, or a cache in front of it, still shows"
        return f"{who} the earlier version of {url}."
    return f"{url} returns content that was not published (status {why})."
