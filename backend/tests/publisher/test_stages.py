"""The time of each stage: each second counts once."""

from portolan.publisher.stages import CHECKS, RENDER, Timing


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_is_done_within_a_stage_counts_where_it_belongs() -> None:
    clock = Clock()
    timing = Timing(clock, lambda: 1000.0)
    with timing.stage(RENDER):
        clock.now += 2
        timing.add(CHECKS, 0.5)
    with timing.stage(CHECKS):
        clock.now += 1
    with timing.stage(RENDER):
        clock.now += 3
    assert timing.milliseconds() == {RENDER: 4500.0, CHECKS: 1500.0}
    assert [(span.stage, span.began, span.seconds) for span in timing.spans] == [
        (RENDER, 1000.0, 2.0),
        (CHECKS, 1002.0, 1.0),
        (RENDER, 1003.0, 3.0),
    ]
