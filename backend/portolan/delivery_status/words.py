"""What the own address of a site answered, in words, where that is not what was published."""

from .verify import Verdict


def say_answer(verdict: str, url: str, why: str, has_cdn: bool = False) -> str:
    """A sentence that may follow a colon."""
    if verdict == Verdict.UNREACHABLE:
        return f"{url} could not be asked: {why}."
    if verdict == Verdict.EARLIER:
        who = "the CDN still shows" if has_cdn else "the edge, or a cache in front of it, still shows"
        return f"{who} the earlier version of {url}."
    return f"{url} answers with something that was not published (status {why})."
