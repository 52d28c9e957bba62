"""Start a role's logs, metrics, traces and error reports by its settings. Imports only the packages in use."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Literal, Protocol

from starlette.types import ASGIApp, Scope

from ..domain.listener import read_listener
from ..observing.queues import DATABASE_UP, Gauge, ask_damage, ask_database, ask_live, ask_spool
from .env import Env, env

Role = Literal["serve", "edge", "api", "studio", "publisher", "leads"]


class KnowsClients(Protocol):
    """Information about the client of a request (``edge.clients``)."""

    def is_behind_proxy(self, scope: Scope) -> bool: ...
    def address(self, scope: Scope) -> str: ...


def observe(role: Role) -> None:
    """Start observing, once in each working process, but not in supervisors."""
    settings = env()
    if settings.log == "json" or settings.access_log != "off":
        from ..observing.logs import configure_logs, set_role

        set_role(role)
        configure_logs(settings.log)
    if settings.log == "json":
        _log_events(role)
    if settings.metrics:
        _measure(settings, role)
    if settings.otlp_endpoint and role == "publisher":
        _trace_publishes(settings)
    if settings.sentry_dsn:
        _report_errors(settings, role)


def watch_refusals() -> None:
    """Count rejected leads. Call this after ``observe``.

    Only the process that visitors reach calls it, so that each lead is counted once.
    """
    from ..edge.intake import LEAD_REFUSED
    from ..observing.role_board import current_board

    LEAD_REFUSED.watch(current_board().note_refusal)
    if env().metrics:
        from ..observing.metrics import count_lead

        LEAD_REFUSED.watch(lambda: count_lead("refused"))


def observe_requests(app: ASGIApp, role: Role, clients: KnowsClients, site: Callable[[Scope], str]) -> ASGIApp:
    """Return the application, wrapped if a setting needs its requests."""
    settings = env()
    watchers = []
    if settings.access_log != "off":
        from ..observing.access_log import log_requests

        watchers.append(log_requests(settings.access_log))
    if settings.metrics:
        from ..observing.metrics import count_request

        watchers.append(partial(count_request, role))
    if not watchers and settings.log == "text" and not settings.sentry_dsn:
        return app
    from ..observing.requests import ObservedRequests

    return ObservedRequests(app, clients.is_behind_proxy, clients.address, site, watchers)


def _log_events(role: Role) -> None:
    """Log events that only programs read."""
    log = logging.getLogger("portolan.events")
    if role in ("serve", "api"):
        from ..leads.events import LEAD_TAKEN

        LEAD_TAKEN.watch(lambda lead, result: log.info("lead taken", extra={"lead": lead, "result": result}))
    if role == "leads":
        from ..leads.events import DELIVERY_TRIED

        DELIVERY_TRIED.watch(
            lambda lead, destination, result: log.info(
                "lead delivery", extra={"lead": lead, "destination": destination, "result": result}
            )
        )
    if role == "publisher":
        from ..publisher.publish_records import PUBLISHED

        PUBLISHED.watch(
            lambda record, spans, pages: log.info(
                "publish failed" if record.failure else "publish",
                extra={**record._asdict(), "stages": dict(record.stages), "pages": sum(pages.values())},
            )
        )


def _measure(settings: Env, role: Role) -> None:
    import os
    import socket

    # The host name is included, because another machine with the same disk may have the same process ids.
    folder = settings.var_dir / "metrics" / socket.gethostname()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:  # pages are served without metrics
        logging.getLogger(__name__).error("%s cannot be created (%s). There are no metrics.", folder, error.strerror)
        return
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)  # read when the library is imported
    from ..observing import metrics
    from ..observing.exposition import Exposition

    if role in ("serve", "edge"):
        from ..edge.api_replies import API_REPLIED
        from ..edge.limits import LIMIT_HIT
        from ..edge.whole_builds import DAMAGE_MET

        DAMAGE_MET.watch(metrics.count_damage)
        API_REPLIED.watch(metrics.count_api_reply)
        LIMIT_HIT.watch(metrics.count_limit_hit)
    if role in ("serve", "api"):
        from ..leads.events import LEAD_TAKEN

        LEAD_TAKEN.watch(lambda lead, result: metrics.count_lead(result))
    if role == "leads":
        from ..leads.events import DELIVERY_TRIED

        DELIVERY_TRIED.watch(lambda lead, destination, result: metrics.count_delivery(destination, result))
    if role == "publisher":
        _measure_publishes()
    host, port = read_listener(settings.metrics)
    ask = _Asking(settings, has_database=role != "edge")
    Exposition(host, port, settings.metrics_token, folder, ask).start()


def _measure_publishes() -> None:
    from ..observing.metrics import count_failed_publish, count_publish
    from ..publisher.publish_records import PUBLISHED, PublishRecord

    def count(record: PublishRecord, spans: object, pages: "dict[str, int]") -> None:
        if record.failure:
            count_failed_publish()
            return
        after = datetime.fromisoformat(record.at) - datetime.fromisoformat(record.saved) if record.saved else None
        count_publish(record.stages, after.total_seconds() if after else None, pages.items())

    PUBLISHED.watch(count)  # type: ignore[arg-type]


def _trace_publishes(settings: Env) -> None:
    from .. import __version__
    from ..observing.traces import Batch, PublishTraces, open_tracer
    from ..publisher.publish_records import PUBLISHED, PublishRecord
    from ..publisher.renderer import BATCH_RENDERED
    from ..publisher.stages import Span

    traces = PublishTraces(open_tracer(settings.otlp_endpoint, "publisher", __version__))

    def trace(record: PublishRecord, spans: Sequence[Span], pages: Mapping[str, int]) -> None:
        facts = {
            "release": record.release,
            "since": record.since,
            "sites": sorted(record.builds),
            "pages": sum(pages.values()),
            "left_out": record.held,
        }
        traces.trace(record.at, record.saved, record.failure, spans, facts)

    BATCH_RENDERED.watch(lambda began, seconds, pages, worker: traces.note_batch(Batch(began, seconds, pages, worker)))
    PUBLISHED.watch(trace)


def _report_errors(settings: Env, role: Role) -> None:
    from .. import __version__
    from ..observing.errors import report_errors, report_failure

    report_errors(settings.sentry_dsn, role, settings.environment, __version__)
    if role == "publisher":
        from ..publisher.publish_records import PUBLISHED, PublishRecord
        from ..publisher.stages import Span

        def report(record: PublishRecord, spans: Sequence[Span], pages: Mapping[str, int]) -> None:
            if record.failure:  # a publisher prints its failures instead of logging them
                report_failure(record.failure)

        PUBLISHED.watch(report)


class _Asking:
    """Reads the queues when Prometheus requests them, on a new connection."""

    def __init__(self, settings: Env, has_database: bool) -> None:
        self._builds = settings.builds_dir
        self._spool = settings.leads_dir / "spool"
        self._database = settings.database if has_database else ""

    def __call__(self) -> Iterator[Gauge]:
        from ..builds.damage import read_damage
        from ..builds.live import read_live
        from ..builds.manifest import BuildError

        now = datetime.now(UTC)
        yield from ask_spool(self._spool, now)
        with suppress(BuildError):  # the publisher reports it
            yield from ask_live(read_live(self._builds).releases)
        report = read_damage(self._builds)
        yield from ask_damage(len(report.files), len(report.manifests), report.passed, now)
        if self._database:
            yield from self._ask_database(now)

    def _ask_database(self, now: datetime) -> Iterator[Gauge]:
        from .health import connected

        try:
            with connected(self._database) as ask:
                found = [*ask_database(ask, now)]
        except Exception:  # any error: the database is unavailable
            found = []
        yield Gauge(DATABASE_UP, "Whether the database responds.", {}, bool(found))
        yield from found
