"""The values that are read from Lighthouse's reports."""

from typing import Any

import click
import pytest

from portolan_dev.commands.bench_pages import Report, build_row, read_report, try_again

SCORES = {"performance": 0.98, "accessibility": 1, "best-practices": 1, "seo": 0.92}
TIMES = {
    "first-contentful-paint": 880.4,
    "largest-contentful-paint": 936.0,
    "total-blocking-time": 7.5,
    "speed-index": 880,
}


def make_report() -> dict[str, Any]:
    refs = {
        "seo": [
            {"id": "document-title", "weight": 1},
            {"id": "structured-data", "weight": 0},
            {"id": "hreflang", "weight": 1},
        ]
    }
    audits = {name: {"numericValue": value} for name, value in TIMES.items()}
    audits |= {"cumulative-layout-shift": {"numericValue": 0.01}, "total-byte-weight": {"numericValue": 120_000}}
    tasks = [("https://a.example/", 82.0), ("https://a.example/assets/runtime.js", 61.5), ("Unattributable", 113.0)]
    audits["long-tasks"] = {"details": {"items": [{"url": url, "duration": ms} for url, ms in tasks]}}
    audits |= {
        "document-title": {"title": "Has a title", "score": 0},
        "structured-data": {"title": "By hand", "score": None},
        "hreflang": {"title": "Has links", "score": 1},
    }
    categories = {name: {"score": score, "auditRefs": refs.get(name, [])} for name, score in SCORES.items()}
    return {"audits": audits, "categories": categories}


def test_scores_measures_and_what_is_wanting() -> None:
    report = read_report(make_report())
    assert report.scores == {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 92}
    assert report.measures == {
        "FCP": 880.4,
        "LCP": 936,
        "TBT": 7.5,
        "CLS": 0.01,
        "SI": 880,
        "bytes": 120_000,
        "task": 82,
    }
    assert report.failed == ["document-title (Has a title)"]


def test_a_page_without_long_tasks_has_none_to_tell_of() -> None:
    report = make_report()
    report["audits"]["long-tasks"] = {"score": 1}
    assert read_report(report).measures["task"] == 0


def test_a_page_that_was_not_loaded_has_no_score() -> None:
    failed = {
        "finalDisplayedUrl": "https://a.example/",
        "runtimeError": {"code": "NO_FCP", "message": "nothing painted"},
    }
    with pytest.raises(click.ClickException, match=r"https://a\.example/: NO_FCP, nothing painted"):
        read_report(failed)


def test_medians_are_told_with_their_range() -> None:
    reports = [
        Report({**SCORES, "performance": score}, {"LCP": lcp}, [])
        for score, lcp in ((99, 940), (100, 1010), (100, 930))
    ]
    full = [
        report._replace(measures={**dict.fromkeys(("FCP", "TBT", "CLS", "SI", "bytes", "task"), 0), **report.measures})
        for report in reports
    ]
    row = build_row("en/", full)
    assert row[:2] == ["en/", "100 (99-100)"]
    assert "940 (930-1,010)" in row
    assert row[-1] == "0"


@pytest.mark.parametrize(("failures", "measured"), [(0, True), (2, True), (3, False)])
def test_a_run_that_recorded_nothing_is_made_again(failures: int, measured: bool) -> None:
    answers: list[Report | click.ClickException] = [click.ClickException("NO_NAVSTART")] * failures
    answers.append(Report({}, {}, []))

    def run() -> Report:
        answer = answers.pop(0)
        if isinstance(answer, click.ClickException):
            raise answer
        return answer

    if measured:
        assert try_again(run) == Report({}, {}, [])
    else:
        with pytest.raises(click.ClickException, match="NO_NAVSTART"):
            try_again(run)
