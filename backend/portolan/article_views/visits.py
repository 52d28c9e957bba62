"""Decide which visits count, if the operator excludes bots and repeated visits."""

from functools import lru_cache
from typing import Final

from crawleruseragents import is_crawler
from django.core.cache import cache
from django.utils.crypto import salted_hmac

REPEAT_WITHIN_S: Final = 30 * 60
_SALT: Final = "portolan.article_views.visits"
_LONGEST_USER_AGENT: Final = 512


def is_new_visit(article: str, client: str, user_agent: str) -> bool:
    """Return whether a person's client visits an article for the first time within 30 minutes.

    The visit is stored as a keyed hash, which does not reveal the client's address.
    """
    if is_bot(user_agent[:_LONGEST_USER_AGENT]):
        return False
    visit = salted_hmac(_SALT, f"{client}\n{user_agent}\n{article}", algorithm="sha256").hexdigest()[:32]
    return cache.add(f"article-view:{visit}", 1, REPEAT_WITHIN_S)


@lru_cache(maxsize=4096)
def is_bot(user_agent: str) -> bool:
    """Return whether a client identifies itself as a program, or sends no user agent."""
    return not user_agent.strip() or is_crawler(user_agent)
