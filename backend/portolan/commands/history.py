"""``portolan history``: list publishes with their edits, durations and the edges that have them. Only reads."""

import json
from collections.abc import Iterator
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..builds.manifest import BuildError
from ..config.env import env
from ..domain.moments import stamp
from ..domain.words import say_count
from ..publisher.addresses import Addresses
from ..publisher.explain import Explainer
from ..publisher.history import Alike, History, PastPublish, group_pages
from ..publisher.item_names import ItemNames
from ..publisher.journal import Entry
from ..releases.reader import open_reader
from .explain_report import reason_as_json, say_why

_MOST_NAMED = 5


@click.command()
@click.option(
    "-n", "limit", type=click.IntRange(1), default=10, show_default=True, help="Number of rows, newest first."
)
@click.option("--json", "is_json", is_flag=True, help="Print all details as JSON.")
def command(limit: int, is_json: bool) -> None:
    """List publishes: time, author, pages, reasons, duration."""
    settings = env()
    reader = open_reader(settings.database)
    try:
        publishes = History(settings.builds_dir, reader).newest(limit)
        telling = _Telling(Explainer(settings.builds_dir, reader, _addresses()), ItemNames("", reader))
        if is_json:
            click.echo(json.dumps([telling.as_json(each) for each in publishes], ensure_ascii=False, indent=2))
        else:
            _print(publishes, telling)
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    finally:
        reader.close()


def _addresses() -> Addresses:
    settings = env()
    return Addresses(settings.registry, settings.environment, settings.port)


def _print(publishes: list[PastPublish], telling: "_Telling") -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # for files and pipes: do not wrap lines
    if not publishes:
        console.print("No publishes are recorded yet. Run `portolan publish`.")
    for number, publish in enumerate(publishes):
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for head, line in telling.rows(publish):
            table.add_row(head, escape(line))
        if number:
            console.print()
        console.print(table)


class _Telling:
    """Describe publishes in words and as JSON."""

    def __init__(self, explainer: Explainer, names: ItemNames) -> None:
        self._explainer = explainer
        self._names = names

    def rows(self, publish: PastPublish) -> Iterator[tuple[str, str]]:
        record = publish.record
        when = stamp(publish.at)
        if record.failure:
            yield when, f"Failed: {record.failure}"
            return
        went = " (went back)" if record.by else ""
        yield (
            when,
            f"Release {record.release}{went}, by {', '.join(publish.authors) or 'Portolan: a new build or the schedule'}",
        )
        if record.held:
            yield "", f"{say_count(record.held, 'change was', 'changes were')} blocked by a problem"
        yield "Took", _say_times(publish)
        for edge, at in sorted(publish.reached.items(), key=lambda each: each[1]):
            yield "Edge", f"{edge} served it from {stamp(at)} on"
        if not record.builds:
            yield "Pages", "no file of a site changed"
        alike: dict[tuple[str, ...], list[str]] = {}
        for site, entry in publish.rendered.items():
            alike.setdefault(tuple(self._say_site(site, entry)), []).append(site)
        for lines, sites in alike.items():
            for number, line in enumerate(lines):
                yield "" if number else "Pages", line if number else f"{', '.join(sites)}: {line}"

    def _say_site(self, site: str, entry: Entry) -> Iterator[str]:
        for group in group_pages(entry):
            yield self._say_group(group)
            why = self._explainer.explain_reasons(entry, group.reasons, site).why
            yield from (f"  {line}" for each in why[:_MOST_NAMED] for line in say_why(each, self._names))

    def as_json(self, publish: PastPublish) -> dict[str, Any]:
        """Return the publish. Times are ISO with offset; durations are seconds, those of stages milliseconds."""
        record = publish.record
        return {
            "at": record.at,
            "release": record.release or None,
            "since": record.since or None,
            "by": list(publish.authors),
            "wentBack": bool(record.by),
            "releases": [release.number for release in publish.releases],
            "saved": record.saved or None,
            "toLive": publish.to_live_s,
            "toFetched": publish.to_fetched_s,
            "stages": dict(record.stages),
            "builds": dict(record.builds),
            "pages": {
                site: [
                    {
                        "paths": list(group.paths) or None,
                        "reasons": [reason_as_json(reason, self._names) for reason in group.reasons],
                    }
                    for group in group_pages(entry)
                ]
                for site, entry in publish.rendered.items()
            },
            "edges": dict(publish.reached),
            "leftOut": record.held,
            "failure": record.failure or None,
        }

    def _say_group(self, group: Alike) -> str:
        if not group.paths:
            return "all pages"
        more = f" and {len(group.paths) - _MOST_NAMED} more" if len(group.paths) > _MOST_NAMED else ""
        return ", ".join(group.paths[:_MOST_NAMED]) + more


def _say_times(publish: PastPublish) -> str:
    stages = ", ".join(f"{name} {ms:,.0f} ms" for name, ms in publish.record.stages.items())
    parts = [stages or "not measured"]
    if publish.to_live_s is not None:
        parts.append(f"live {publish.to_live_s:.2f} s after the save")
    if publish.to_fetched_s is not None:
        parts.append(f"served by the first edge after {publish.to_fetched_s:.2f} s")
    return "; ".join(parts)
