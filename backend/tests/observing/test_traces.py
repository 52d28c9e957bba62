"""A publish as one trace: made from measured times, sent at the end."""

from datetime import UTC, datetime, timedelta

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from portolan.observing.traces import Batch, PublishTraces, build_tracer
from portolan.publisher.publish_records import PUBLISHED, PublishRecord
from portolan.publisher.renderer import BATCH_RENDERED
from portolan.publisher.stages import Span

from ..publisher.conftest import *  # noqa: F403  (a publisher and its release)
from ..publisher.conftest import MakePublisher
from ..publisher.release_book import ReleaseBook

START = datetime(2026, 11, 24, 10, 0, tzinfo=UTC)


def sent_by(traces: PublishTraces, exporter: InMemorySpanExporter) -> list[ReadableSpan]:
    traces.flush()
    return sorted(exporter.get_finished_spans(), key=lambda span: (span.start_time, span.name != "publish"))


def tracing() -> tuple[PublishTraces, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    return PublishTraces(build_tracer(exporter, "publisher", "1")), exporter


def test_one_trace_from_the_save_to_live() -> None:
    traces, exporter = tracing()
    began = START.timestamp() + 1
    stages = [Span(name, began + at, 1.0) for at, name in enumerate(("freeze", "plan", "render", "store", "switch"))]
    traces.note_batch(Batch(began + 2.2, 0.5, 24, 4711))
    live = (START + timedelta(seconds=6)).isoformat()
    traces.trace(live, START.isoformat(), "", stages, {"release": 7, "sites": ["de"]})
    spans = sent_by(traces, exporter)
    assert [span.name for span in spans] == [
        "publish", "save to publish", "freeze", "plan", "render", "render batch", "store", "switch"
    ]  # fmt: skip
    root, render, batch = spans[0], spans[4], spans[5]
    assert len({span.context.trace_id for span in spans if span.context}) == 1
    assert root.parent is None and root.context and render.context
    assert all(span.parent and span.parent.span_id == root.context.span_id for span in spans[1:] if span is not batch)
    assert batch.parent and batch.parent.span_id == render.context.span_id
    assert (root.start_time, root.end_time) == tuple(int((START.timestamp() + at) * 1e9) for at in (0, 6))
    assert root.attributes == {"portolan.release": 7, "portolan.sites": ("de",)}
    assert batch.attributes == {"portolan.pages": 24, "portolan.worker": 4711}


def test_a_publish_that_failed_is_an_error_and_takes_no_batches_along() -> None:
    traces, exporter = tracing()
    traces.note_batch(Batch(START.timestamp(), 0.5, 24, 4711))
    traces.trace(START.isoformat(), "", "The disk is full.", (), {})
    traces.trace(START.isoformat(), "", "", [Span("render", START.timestamp(), 1.0)], {})
    spans = sent_by(traces, exporter)
    assert [span.name for span in spans] == ["publish", "publish", "render"]
    assert {span.status.status_code for span in spans[:2]} == {StatusCode.UNSET, StatusCode.ERROR}


def test_a_publisher_tells_what_a_trace_is_made_of(book: ReleaseBook, make_publisher: MakePublisher) -> None:
    heard: list[tuple[PublishRecord, list[str], dict[str, int]]] = []

    def hear(record, spans, pages) -> None:  # type: ignore[no-untyped-def]
        heard.append((record, [span.stage for span in spans], dict(pages)))

    PUBLISHED.watch(hear)
    try:
        book.release()
        make_publisher().publish()
    finally:
        PUBLISHED.forget(hear)
    ((record, stages, pages),) = heard
    assert record.release == 1
    assert {"plan", "render", "gate", "store", "switch"} <= {*stages}
    assert pages == {"first": sum(pages.values())} and pages["first"] > 5
    assert not PUBLISHED and not BATCH_RENDERED
