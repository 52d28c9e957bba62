"""Counts that several edges share, with a server that speaks Redis' protocol."""

import asyncio

from fakeredis import FakeAsyncRedis, FakeServer

from portolan.edge.limits import RateLimit
from portolan.edge.shared_counts import SharedCounts

URL = "redis://:secret@cache/0"
CLIENT = "203.0.113.7"


def test_what_one_edge_counts_the_others_hear_of_and_no_address_is_kept() -> None:
    one, other, elsewhere = (SharedCounts(name, URL) for name in ("asked", "asked", "missed"))

    async def run() -> list[bytes]:
        redis = FakeAsyncRedis(server=FakeServer())
        for counts, asked in ((one, 3), (other, 4), (elsewhere, 1)):
            counts.add(CLIENT, 10, asked)
        one.add(CLIENT, 11, 1)
        for counts in (one, other, elsewhere):
            await counts.tell(redis)
        assert other.read(CLIENT, 10) == 7
        assert elsewhere.read(CLIENT, 10) == 1
        assert one.add(CLIENT, 10, 1) == 4  # counts of others arrive with the next exchange
        await one.tell(redis)
        assert one.read(CLIENT, 10) == 8
        assert one.read(CLIENT, 11) == 1
        assert [await redis.ttl(key) > 0 for key in await redis.keys()] == [True] * 3
        return [*await redis.keys()]

    keys = asyncio.run(run())
    assert not [key for key in keys if CLIENT.encode() in key]


def test_a_limit_is_one_for_all_edges() -> None:
    counts = [SharedCounts("asked", URL) for _ in range(2)]
    limits = [RateLimit(10, shared=each) for each in counts]

    async def run() -> None:
        redis = FakeAsyncRedis(server=FakeServer())
        for limit in limits:
            for _ in range(6):
                assert limit.refusal(CLIENT, 0) is None
        for each in counts:
            await each.tell(redis)
        limits[0].refusal(CLIENT, 0)  # counts of others arrive with the next request
        await counts[0].tell(redis)

    asyncio.run(run())
    for limit in limits:
        refusal = limit.refusal(CLIENT, 0)
        assert refusal is not None
        assert refusal.start["status"] == 429
