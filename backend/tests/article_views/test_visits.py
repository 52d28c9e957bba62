from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache

from portolan.article_views.visits import REPEAT_WITHIN_S, is_bot, is_new_visit

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_a_hundred_visits_of_one_client_at_once_are_one() -> None:
    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(lambda _: is_new_visit("a", "203.0.113.7", FIREFOX), range(100))) == 1


def test_another_article_client_or_browser_is_another_visit() -> None:
    assert is_new_visit("a", "203.0.113.7", FIREFOX)
    assert is_new_visit("b", "203.0.113.7", FIREFOX)
    assert is_new_visit("a", "203.0.113.8", FIREFOX)
    assert is_new_visit("a", "203.0.113.7", FIREFOX.replace("145", "146"))
    assert not is_new_visit("a", "203.0.113.7", FIREFOX)


def test_half_an_hour_later_it_is_a_visit_again() -> None:
    known = cache._expire_info  # type: ignore[attr-defined]
    assert is_new_visit("a", "203.0.113.7", FIREFOX)
    ((key, expires),) = known.items()
    assert not is_new_visit("a", "203.0.113.7", FIREFOX)
    known[key] = expires - REPEAT_WITHIN_S
    assert is_new_visit("a", "203.0.113.7", FIREFOX)


def test_no_address_is_kept() -> None:
    is_new_visit("a", "203.0.113.7", FIREFOX)
    assert "203.0.113.7" not in repr(cache._cache)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "user_agent",
    [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "python-requests/2.34.2",
        "curl/8.9.1",
        "",
        "  ",
    ],
)
def test_a_program_is_no_visitor(user_agent: str) -> None:
    assert is_bot(user_agent)
    assert not is_new_visit("a", "203.0.113.7", user_agent)


@pytest.mark.parametrize(
    "user_agent",
    [
        FIREFOX,
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    ],
)
def test_a_browser_is_a_visitor(user_agent: str) -> None:
    assert not is_bot(user_agent)


def test_a_name_without_end_costs_no_time() -> None:
    assert not is_new_visit("a", "203.0.113.7", "Googlebot/2.1 " + "x" * 1_000_000)
    assert is_new_visit("a", "203.0.113.7", "x" * 1_000_000)
