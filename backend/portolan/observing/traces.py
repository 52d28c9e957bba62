"""OpenTelemetry traces of publishes, from the oldest edit's save to live.

Spans are made from measurements after the publish, so that tracing does not slow it down.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Span as OpenSpan
from opentelemetry.trace import Status, StatusCode, set_span_in_context

_RENDER: Final = "render"
_MOST_BATCHES: Final = 2000
"""Most batches of one publish that get a span, with 24 pages each."""


class Stage(Protocol):
    """One run of a stage, in seconds since the epoch."""

    @property
    def stage(self) -> str: ...
    @property
    def began(self) -> float: ...
    @property
    def seconds(self) -> float: ...


class Batch(NamedTuple):
    """Pages that a render worker rendered at once."""

    began: float
    seconds: float
    pages: int
    worker: int
    """Its process id."""


def open_tracer(endpoint: str, role: str, version: str) -> TracerProvider:
    """Return a tracer that sends by OTLP over HTTP, from a separate thread."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return build_tracer(OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces"), role, version)


def build_tracer(exporter: SpanExporter, role: str, version: str) -> TracerProvider:
    names = {"service.name": f"portolan-{role}", "service.version": version}
    provider = TracerProvider(resource=Resource.create(names))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


class PublishTraces:
    """Makes a trace of each publish."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("portolan")
        self._batches: list[Batch] = []

    def note_batch(self, batch: Batch) -> None:
        if len(self._batches) < _MOST_BATCHES:
            self._batches.append(batch)

    def trace(self, at: str, saved: str, failure: str, stages: Sequence[Stage], facts: Mapping[str, Any]) -> None:
        """Send the trace of a publish.

        ``at``: when it went live or failed; ``saved``: when its oldest edit was saved, empty if unknown (both ISO).
        ``facts``: further attributes, without names of people.
        """
        batches, self._batches = self._batches, []
        end = datetime.fromisoformat(at).timestamp()
        began = min((stage.began for stage in stages), default=end)
        start = min(datetime.fromisoformat(saved).timestamp(), began) if saved else began
        end = max(end, *(stage.began + stage.seconds for stage in stages)) if stages else end
        root = self._tracer.start_span(
            "publish",
            Context(),
            attributes={f"portolan.{name}": value for name, value in facts.items()},
            start_time=_ns(start),
        )
        if failure:
            root.set_status(Status(StatusCode.ERROR, failure))
        if saved:
            self._add("save to publish", start, began - start, root)
        for stage in stages:
            span = self._add(stage.stage, stage.began, stage.seconds, root, is_open=True)
            for batch in batches if stage.stage == _RENDER else ():
                if stage.began <= batch.began + batch.seconds <= stage.began + stage.seconds:
                    self._add("render batch", batch.began, batch.seconds, span, pages=batch.pages, worker=batch.worker)
            span.end(_ns(stage.began + stage.seconds))
        root.end(_ns(end))

    def flush(self) -> None:
        """Send the finished spans now."""
        self._provider.force_flush()

    def _add(
        self, name: str, began: float, seconds: float, parent: OpenSpan, is_open: bool = False, **facts: int
    ) -> OpenSpan:
        attributes = {f"portolan.{key}": value for key, value in facts.items()}
        span = self._tracer.start_span(
            name, set_span_in_context(parent, Context()), attributes=attributes, start_time=_ns(began)
        )
        if not is_open:
            span.end(_ns(began + seconds))
        return span


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
