"""Counters and histograms for Prometheus.

All processes of a machine write into one folder, so that one serves for all.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import Counter, Histogram

from .requests import AnsweredRequest

_REQUEST_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_STAGE_SECONDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_LIVE_SECONDS: Final = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600)

REQUESTS: Final = Counter("portolan_requests", "Requests answered.", ["role", "site", "status"])
REQUEST_SECONDS: Final = Histogram(
    "portolan_request_seconds",
    "From a request's head to the end of its response.",
    ["role", "site"],
    buckets=_REQUEST_SECONDS,
)
API_REPLIES: Final = Counter(
    "portolan_api_replies", "Reads of the content API, by whether a reply was ready.", ["result"]
)
LIMITS_HIT: Final = Counter("portolan_limits_hit", "Requests refused because the client exceeded a limit.", ["limit"])
DAMAGE_MET: Final = Counter("portolan_damage_met", "Requested files that were damaged or missing.", ["site"])
PUBLISHES: Final = Counter("portolan_publishes", "Publishes, by result.", ["result"])
PUBLISH_STAGE_SECONDS: Final = Histogram(
    "portolan_publish_stage_seconds", "Duration of each stage of a publish.", ["stage"], buckets=_STAGE_SECONDS
)
LIVE_AFTER_SECONDS: Final = Histogram(
    "portolan_live_after_seconds", "From the save of a publish's oldest edit until it was live.", buckets=_LIVE_SECONDS
)
PAGES_RENDERED: Final = Counter("portolan_pages_rendered", "Pages rendered, by the first reason of each.", ["reason"])
LEADS: Final = Counter(
    "portolan_leads", "Leads, by where they were stored; refused: because of an error here.", ["result"]
)
LEAD_DELIVERIES: Final = Counter("portolan_lead_deliveries", "Attempts to deliver a lead.", ["destination", "result"])


def count_request(role: str, request: AnsweredRequest) -> None:
    REQUESTS.labels(role, request.site, str(request.status)).inc()
    REQUEST_SECONDS.labels(role, request.site).observe(request.seconds)


def count_api_reply(is_ready: bool) -> None:
    API_REPLIES.labels("ready" if is_ready else "made").inc()


def count_limit_hit(limit: str) -> None:
    LIMITS_HIT.labels(limit).inc()


def count_damage(site: str) -> None:
    DAMAGE_MET.labels(site).inc()


def count_publish(stages_ms: Mapping[str, float], live_after_s: float | None, pages: Iterable[tuple[str, int]]) -> None:
    PUBLISHES.labels("live").inc()
    for stage, milliseconds in stages_ms.items():
        PUBLISH_STAGE_SECONDS.labels(stage).observe(milliseconds / 1000)
    if live_after_s is not None:
        LIVE_AFTER_SECONDS.observe(live_after_s)
    for reason, number in pages:
        PAGES_RENDERED.labels(reason).inc(number)


def count_failed_publish() -> None:
    PUBLISHES.labels("failed").inc()


def count_lead(result: str) -> None:
    LEADS.labels(result).inc()


def count_delivery(destination: str, result: str) -> None:
    LEAD_DELIVERIES.labels(destination, result).inc()
