"""The rules of MDN's HTTP Observatory (its scanner 1.4), for one reply over https: the points that each rule adds or
costs.

Written for the cases that our replies can meet. The redirect from http belongs to the front server and is tested in the
drill. Points above a hundred count only if the score without them is at least ninety.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_BROAD: Final = {"*", "http:", "https:", "ftp:", "http://*", "https://*", "http://*.*", "https://*.*"}
_INLINE: Final = {"'unsafe-inline'", "data:"}
_SCRIPT: Final = re.compile(r"<script\b([^>]*)>", re.IGNORECASE)
_SOURCE: Final = re.compile(r"\bsrc=\"([^\"]*)\"")
_HALF_A_YEAR_S: Final = 15_552_000
_GRADES: Final = ((100, "A+"), (90, "A"), (85, "A-"), (80, "B+"), (70, "B"), (65, "B-"), (60, "C+"))


class Answer(NamedTuple):
    status: int
    headers: Sequence[tuple[str, str]]
    """In lower case."""
    body: str

    def all(self, name: str) -> list[str]:
        return [value for found, value in self.headers if found == name]

    def one(self, name: str) -> str:
        return ", ".join(self.all(name))


class Judged(NamedTuple):
    score: int
    points: Mapping[str, int]

    @property
    def grade(self) -> str:
        return next((grade for least, grade in _GRADES if self.score >= least), "worse")


def judge(answer: Answer) -> Judged:
    points = {
        "policy": judge_policy(answer),
        "cookies": judge_cookies(answer),
        "origins": judge_origins(answer),
        "referrer": judge_referrer(answer.one("referrer-policy")),
        "https": judge_https(answer.one("strict-transport-security")),
        "integrity": judge_integrity(answer),
        "types": 0 if answer.one("x-content-type-options").lower() == "nosniff" else -5,
        "frames": judge_frames(answer),
        "resource": judge_resource(answer.one("cross-origin-resource-policy")),
    }
    without_extra = 100 + sum(value for value in points.values() if value < 0)
    return Judged(max(0, 100 + sum(points.values()) if without_extra >= 90 else without_extra), points)


def read_policy(answer: Answer) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for directive in answer.one("content-security-policy").split(";"):
        name, *values = directive.split() or [""]
        if name:
            found.setdefault(name.lower(), values)
    return found


def judge_policy(answer: Answer) -> int:
    policy = read_policy(answer)
    if not policy:
        return -25
    fallback = policy.get("default-src", ["*"])
    script, style = (_trusted(policy.get(name, fallback)) for name in ("script-src", "style-src"))
    objects = {*policy.get("object-src", fallback)}
    if script & (_BROAD | _INLINE) or objects & _BROAD:
        return -20
    passive = {*policy.get("img-src", fallback), *policy.get("media-src", fallback)}
    active = {value for name, values in policy.items() if name not in ("img-src", "media-src") for value in values}
    if any(value.startswith(("http:", "ftp:")) for value in active):
        return -20
    if "'unsafe-eval'" in script | style or any(value.startswith(("http:", "ftp:")) for value in passive):
        return -10
    if style & (_BROAD | _INLINE):
        return 0
    return 10 if policy.get("default-src") == ["'none'"] else 5


def _trusted(sources: Sequence[str]) -> set[str]:
    """Return the sources that count if hashes, nonces or 'strict-dynamic' make browsers skip the rest."""
    found = {*sources}
    if any(source.startswith(("'sha256-", "'sha384-", "'sha512-", "'nonce-")) for source in found):
        found.discard("'unsafe-inline'")
        if "'strict-dynamic'" in found:
            found = {source for source in found if source != "'self'" and not source.startswith(("http", "*", "ftp"))}
    return found


def judge_cookies(answer: Answer) -> int:
    worst, is_any_open = 5, False
    for cookie in answer.all("set-cookie"):
        name = cookie.partition("=")[0].lower()
        attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
        same_site = next((part.partition("=")[2] for part in attributes if part.startswith("samesite=")), "")
        is_session = "login" in name or "sess" in name
        if "secure" not in attributes:
            worst = min(worst, -40 if is_session else -20)
        if is_session and "httponly" not in attributes:
            worst = min(worst, -30)
        if ("csrf" in name and not same_site) or same_site not in ("", "lax", "strict", "none"):
            worst = min(worst, -20)
        is_any_open = is_any_open or not same_site
    return worst if worst < 0 else 0 if is_any_open or not answer.all("set-cookie") else 5


def judge_origins(answer: Answer) -> int:
    lets_in_all = answer.one("access-control-allow-origin") not in ("", "*")
    return -50 if lets_in_all and answer.one("access-control-allow-credentials").lower() == "true" else 0


def judge_referrer(value: str) -> int:
    if not value:
        return 0
    last = value.split(",")[-1].strip().lower()
    return 5 if last in ("no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin") else -5


def judge_https(value: str) -> int:
    found = re.search(r"max-age=(\d+)", value.lower())
    return -20 if not found or "," in value else 0 if int(found[1]) >= _HALF_A_YEAR_S else -10


def judge_integrity(answer: Answer) -> int:
    """Judge scripts with a URL in the page. All of ours are of the site's own origin."""
    if not answer.one("content-type").startswith("text/html"):
        return 0
    tags = [tag for tag in _SCRIPT.findall(answer.body) if _SOURCE.search(tag)]
    others = [tag for tag in tags if re.match(r"(https?:)?//", (_SOURCE.search(tag) or [""] * 2)[1])]
    if any("integrity=" not in tag for tag in others):
        return -5
    return 5 if tags and all("integrity=" in tag for tag in tags) else 0


def judge_frames(answer: Answer) -> int:
    if read_policy(answer).get("frame-ancestors"):
        return 5
    return 0 if answer.one("x-frame-options").lower() in ("deny", "sameorigin") else -20


def judge_resource(value: str) -> int:
    return {"": 0, "cross-origin": 0, "same-origin": 10, "same-site": 10}.get(value.lower(), -5)
