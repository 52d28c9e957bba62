from portolan.edge.replies import Reply, ReplyCache


def reply(size: int) -> Reply:
    return Reply(200, [], b"x" * size)


def test_memory_is_bounded_and_what_was_used_last_stays() -> None:
    cache = ReplyCache(max_bytes=100_000)
    for number in range(9):
        cache.add(number, reply(10_000))
        cache.get(0, 0)
    kept = [number for number in range(9) if cache.get(number, 0)]
    assert kept == [0, 3, 4, 5, 6, 7, 8]


def test_very_large_replies_are_not_kept() -> None:
    cache = ReplyCache(max_reply_bytes=1000)
    cache.add("large", reply(1001))
    assert cache.get("large", 0) is None


def test_replies_end_when_a_better_one_may_have_come() -> None:
    cache = ReplyCache(max_bytes=10_000)
    for _ in range(10):
        fleeting = reply(1000)
        fleeting.valid_until = 5
        cache.add("page", fleeting)
        assert cache.get("page", 5) is fleeting
        assert cache.get("page", 6) is None
