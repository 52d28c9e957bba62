"""``_headers`` and ``_redirects`` of Netlify and Cloudflare Pages for an export."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from ..domain.redirects import GONE, WILDCARD
from ..domain.words import say_count
from .answers import Answers, Named
from .nginx import order_redirects

LONGEST_HEADER: Final = 2_000
MOST_REDIRECTS: Final = 2_000
MOST_WILDCARDS: Final = 100
LONGEST_REDIRECT: Final = 1_000
"""Limits of Cloudflare Pages. Netlify's are higher."""

_NOT_FOR_ALL: Final = ("cache-control", "cross-origin-resource-policy")
"""All rules that match a path are joined, so headers that differ between paths are in no common rule. Both hosts
revalidate pages by default."""


def write_headers(answers: Answers) -> str:
    rules: list[tuple[str, Named]] = [
        ("/*", [pair for pair in answers.page if pair[0] not in _NOT_FOR_ALL]),
        ("/assets/*", [pair for pair in answers.asset if pair[0] == "cache-control"]),
        ("/page-data/sq/d/*", [pair for pair in answers.asset if pair[0] == "cache-control"]),
        ("/media/*", [pair for pair in answers.media[0][2] if pair[0] in _NOT_FOR_ALL]),
        *((f"{path}", [("content-type", type)]) for path, type in answers.files.items() if "." not in path),
    ]
    return "".join(f"{path}\n{''.join(f'  {name}: {value}{chr(10)}' for name, value in rule)}" for path, rule in rules)


def write_redirects(answers: Answers) -> str:
    return "".join(f"{line}\n" for line in _lines(answers))


def _lines(answers: Answers) -> Iterator[str]:
    for path, found in order_redirects(answers):
        target = "/404.html" if found.status == GONE else found.target
        if target.endswith(WILDCARD):
            target = f"{target.removesuffix('*')}:splat"
        yield f"{quote(path, safe='/*:@!$&()+,;=~')} {target} {found.status}"


def find_excess(answers: Answers) -> list[str]:
    """Return sentences about everything beyond the limits of Cloudflare Pages."""
    redirects = write_redirects(answers).splitlines()
    wildcards = sum(path.endswith(WILDCARD) for path in answers.redirects)
    found = []
    if len(redirects) - wildcards > MOST_REDIRECTS or wildcards > MOST_WILDCARDS:
        found.append(
            f"{answers.site} has {say_count(len(redirects) - wildcards, 'redirect')} and {wildcards} with a wildcard. "
            f"Cloudflare Pages reads {MOST_REDIRECTS} and {MOST_WILDCARDS} from _redirects, and ignores the rest."
        )
    if any(len(line) > LONGEST_REDIRECT for line in redirects):
        found.append(
            f"{answers.site} has a redirect of more than {LONGEST_REDIRECT} characters, which Cloudflare Pages ignores."
        )
    if any(len(line) > LONGEST_HEADER for line in write_headers(answers).splitlines()):
        found.append(
            f"{answers.site} has a header of more than {LONGEST_HEADER} characters, which Cloudflare Pages ignores. "
            "Name fewer sources in deferred_scripts."
        )
    return found
