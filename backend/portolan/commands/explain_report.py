"""What `portolan explain` shows: two columns for people, one document for programs."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..domain.moments import stamp
from ..domain.problem_texts import say_each
from ..domain.redirects import GONE
from ..publisher.addresses import Addresses
from ..publisher.depends import PLACEHOLDER
from ..publisher.explain import Answer, Edit, Explanation, PageFacts, Rendered, Why
from ..publisher.item_names import ItemNames
from ..publisher.page_scripts import PageScript, PageScripts
from ..publisher.reason_texts import say_kinds, say_reason
from ..publisher.reasons import Cause, Reason
from ..releases.index import Page
from ..releases.reader import ItemId, ReleaseInfo

_MOST_NAMED: Final = 8
"""Of one row: the others are counted."""
_SITE_WIDE: Final = "with all pages: header menu, footer, offices, phones; the registry; a new web build"


def print_explanation(
    found: Explanation, names: ItemNames, addresses: Addresses, scripts: PageScripts | None = None
) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for head, lines in (*_rows(found, names, addresses), *_script_rows(scripts)):
        for number, line in enumerate(lines):
            table.add_row("" if number else head, escape(line))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # a file or another program reads on: lines stay whole
    console.print(table)


_MOMENTS: Final = {
    "paint": "after the first paint",
    "load": "with the first sign of a visitor, at the latest when the page has loaded",
    "idle": "once the page has loaded",
    "near": "once what it is for is about to be seen",
    "lazy": "a while after the page has loaded, or once what it is for is about to be seen",
    "touch": "once what it is for is pointed at, touched or focused",
    "wake": "islands: fetched once somebody is there and they are about to be seen, run when touched",
}

Row = tuple[str, Iterable[str]]
"""What it is about, and its lines."""


def _rows(found: Explanation, names: ItemNames, addresses: Addresses) -> Iterator[Row]:
    yield "Address", [f"{found.url}  (site {found.site})"]
    if found.facts:
        yield from _page_rows(found, found.facts, names)
    else:
        yield "Answer", _say_answer(found)
    if not found.facts and found.elsewhere:
        yield "Elsewhere", [f"“{page.title}” at {addresses.url(page.site, page.path)}" for page in found.elsewhere]
    yield from _site_rows(found)


def _site_rows(found: Explanation) -> Iterator[Row]:
    live = found.live
    if found.site in live.pins:
        pin = live.pins[found.site]
        yield "Pinned", [f"since {stamp(pin.since)}, by {pin.by}: nothing newer goes live until `portolan resume`"]
    if found.site in live.problems:
        yield "Problem", [f"The site could not follow: {live.problems[found.site]}"]


def _page_rows(found: Explanation, facts: PageFacts, names: ItemNames) -> Iterator[Row]:
    page, last = facts.page, facts.last
    yield "Page", [f"“{page.title}”, {page.template}; live as in release {found.live.releases[found.site]}"]
    if last:
        yield "Rendered", [_say_when(last)]
        yield "Why", [line for why in last.why for line in say_why(why, names)]
        if last.back:
            yield "Put back", [f"{stamp(last.back.at)}, by {last.back.by}: the site shows an earlier release again"]
    else:
        yield "Rendered", [_say_before(found.begins)]
    if facts.earlier:
        yield "Before", [f"{_say_when(each)}: {_say_first(each, names)}" for each in facts.earlier]
    if facts.problems:
        yield "Waits", say_each(facts.problems)
    yield from _dependency_rows(facts, names)
    yield from _link_rows(facts, names)


def _dependency_rows(facts: PageFacts, names: ItemNames) -> Iterator[Row]:
    """What would render it again."""
    by_cause: dict[Cause, list[ItemId]] = {}
    for reason in facts.depends_on:
        if reason.item:
            by_cause.setdefault(reason.cause, []).append(reason.item)
    yield "Rendered by", ["its own content, and its card's" if Cause.CARD in by_cause else "its own content"]
    for said, items in _kinds(by_cause.get(Cause.ITEM, [])).items():
        yield "", [f"{said}: {_join(names.name(id).removeprefix(f'{id.kind} ') for id in items)}"]
    if lists := [id.kind for id in by_cause.get(Cause.ITEM, []) if not id.key]:
        yield "", [f"entries that its lists show: {say_kinds(lists)}"]
    for said, cause in (("title or address of what is above", Cause.ABOVE), ("its translations", Cause.TRANSLATION)):
        if items := by_cause.get(cause, []):
            yield "", [f"{said}: {_join(names.name(id) for id in items)}"]
    if Cause.LINK in by_cause:
        yield "", ["addresses of the pages it links to (below)"]
    yield "", [_SITE_WIDE]


def _script_rows(scripts: PageScripts | None) -> Iterator[Row]:
    if not scripts:
        return
    yield "Scripts", [f"{scripts.untouched / 1000:.1f} kB (Brotli) for who touches nothing and reads to the end"]
    if not scripts.is_of_build:
        yield "", ["The page is of another web build: it has these scripts after the next publish."]
    moment = ""
    for each in scripts.scripts:
        if each.script.when != moment:
            moment = each.script.when
            yield "", [f"{_MOMENTS.get(moment, moment)}:"]
        yield "", [f"  {_say_script(each)}"]


def _say_script(each: PageScript) -> str:
    script = each.script
    count = "element" if each.elements == 1 else "elements"
    because = f"{each.elements} {count} with {script.on}" if script.on else "every page has it"
    return f"{script.name}, {each.size / 1000:.1f} kB: {because}  (web/{script.source})"


def _kinds(items: Iterable[ItemId]) -> dict[str, list[ItemId]]:
    """Single items, by their kind in words."""
    found: dict[str, list[ItemId]] = {}
    for id in items:
        if id.key:
            found.setdefault("figures" if id.kind == PLACEHOLDER else say_kinds([id.kind]), []).append(id)
    return found


def _link_rows(facts: PageFacts, names: ItemNames) -> Iterator[Row]:
    links = facts.links
    for head, ids in (
        ("Links to", links.to),
        ("Shows links to", links.shown),
        ("Linked from", links.by),
        ("May be listed on", links.listed_by),
    ):
        if ids:
            yield head, [_join(names.name(id) for id in ids)]
    if not links.by and not links.listed_by:
        yield "Linked from", ["nothing: visitors find it by search, sitemap or its address alone"]


def _say_answer(found: Explanation) -> Iterator[str]:
    """What visitors get where there is no page, why, and what to do."""
    redirect = found.redirect
    match found.answer:
        case Answer.NO_SITE:
            yield f"Nothing: site {found.site} has never been live. `portolan publish` puts it live once it has a home page."
            return
        case Answer.FILE:
            yield "A file that is no page: of the web build, or made anew with each build of the site."
            return
        case Answer.OTHER:
            yield "What no build has: the API, or uploaded files. It is not rendered."
            return
        case Answer.MOVED:
            assert redirect
            yield f"A redirect ({redirect.status}) to {redirect.target}."
        case Answer.GONE:
            yield f"Gone ({GONE})."
        case _:
            yield "Nothing: visitors get the site's page for errors (404)."
    if found.rule:
        yield f"An editor made a redirect for {found.rule}: in the studio under Addresses."
    if found.former:
        until = f" until release {found.former.until}" if found.former.until else ""
        yield f"The page “{found.former.title}” was here{until}; `portolan releases show {found.former.until or 'N'}` has it as it is now."
    if found.waiting:
        yield (
            f"The page “{found.waiting.title}” is here in the newest release, which is not live on this site: see what the "
            "studio's dashboard says, or `portolan publish`."
        )
    elif found.answer in (Answer.GONE, Answer.MISSING):
        yield "To answer something else, make a page with this address, or a redirect in the studio under Addresses."


def _say_before(begins: str) -> str:
    if not begins:
        return "before there was a journal: this version keeps one from its first publish on"
    return f"before {stamp(begins)}, when the site's journal begins"


def _say_when(rendered: Rendered) -> str:
    entry = rendered.entry
    release = rendered.release
    by = f" by {release.created_by}" if release and release.created_by else ""
    note = f" “{release.note}”" if release and release.note else ""
    went = f", when {entry.by} went back to it" if entry.by else ""
    return f"{stamp(entry.at)}, for release {entry.release}{by}{note}{went} (build {entry.build})"


def say_why(why: Why, names: ItemNames) -> Iterator[str]:
    """A reason in words, and its edits below it."""
    reason = why.reason
    name = names.name(reason.item) if reason.item else ""
    if reason.item and len(why.edits) == 1:
        edit = why.edits[0]
        yield f"{say_reason(reason, name, edit.change)}{_say_edit(edit)}"
        return
    yield say_reason(reason, name)
    for edit in why.edits[:_MOST_NAMED]:
        yield f"  {names.name(edit.item)} {edit.change}{_say_edit(edit)}"
    if len(why.edits) > _MOST_NAMED:
        yield f"  and {len(why.edits) - _MOST_NAMED} more"


def _say_edit(edit: Edit) -> str:
    fields = f" ({', '.join(edit.fields)})" if edit.fields else ""
    return f"{fields}: release {edit.release.number}, {_say_author(edit.release)}"


def _say_author(release: ReleaseInfo) -> str:
    note = f" “{release.note}”" if release.note else ""
    return f"{release.created_by or 'by itself'}{note}, {stamp(release.created_at)}"


def _say_first(rendered: Rendered, names: ItemNames) -> str:
    reason = rendered.why[0].reason
    edits = rendered.why[0].edits
    name = names.name(reason.item) if reason.item else ""
    more = len(rendered.why) - 1
    said = say_reason(reason, name, edits[0].change if len(edits) == 1 else "changed")
    return f"{said}, and {more} more" if more else said


def _join(names: Iterable[str]) -> str:
    found = list(names)
    more = len(found) - _MOST_NAMED
    return ", ".join(found[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


# For programs ---------------------------------------------------------------------------------------------------------


def as_json(found: Explanation, names: ItemNames, scripts: PageScripts | None = None) -> dict[str, Any]:
    """Times are ISO with offset; items have site (empty: all sites), kind, key and a name."""
    facts = found.facts
    document: dict[str, Any] = {
        "site": found.site,
        "path": found.path,
        "url": found.url,
        "answer": str(found.answer),
        "release": found.live.releases.get(found.site),
        "journalBegins": found.begins or None,
        "elsewhere": [_page(page) for page in found.elsewhere],
    }
    if scripts:
        document["scripts"] = [
            each.script._asdict() | {"elements": each.elements, "bytes": each.size} for each in scripts.scripts
        ]
    if facts:
        return document | {
            "page": _page(facts.page),
            "rendered": [_rendering(each, names) for each in (*([facts.last] if facts.last else []), *facts.earlier)],
            "waits": say_each(facts.problems),
            "renderedBy": [reason_as_json(reason, names) for reason in facts.depends_on],
            "links": {name: [_item(id, names) for id in ids] for name, ids in facts.links._asdict().items()},
        }
    return document | {
        "redirect": found.redirect and found.redirect._asdict(),
        "rule": found.rule or None,
        "former": found.former and found.former._asdict(),
        "waiting": found.waiting and _page(found.waiting),
    }


def _rendering(rendered: Rendered, names: ItemNames) -> dict[str, Any]:
    entry = rendered.entry
    return {
        "at": entry.at,
        "build": entry.build,
        "release": entry.release,
        "since": entry.since,
        "web": entry.web,
        "by": (rendered.release.created_by if rendered.release else None),
        "note": (rendered.release.note if rendered.release else None),
        "reasons": [
            reason_as_json(why.reason, names) | {"edits": [_edit(edit, names) for edit in why.edits]}
            for why in rendered.why
        ],
        "putBack": {"at": rendered.back.at, "by": rendered.back.by} if rendered.back else None,
    }


def reason_as_json(reason: Reason, names: ItemNames) -> dict[str, Any]:
    """A reason for programs."""
    item = _item(reason.item, names) if reason.item else None
    return {"cause": str(reason.cause), "item": item, "parts": list(reason.parts)}


def _edit(edit: Edit, names: ItemNames) -> dict[str, Any]:
    release = edit.release
    return {
        "item": _item(edit.item, names),
        "change": edit.change,
        "fields": list(edit.fields),
        "release": release.number,
        "at": release.created_at.isoformat(),
        "by": release.created_by,
        "note": release.note,
    }


def _item(id: ItemId, names: ItemNames) -> dict[str, str]:
    return {**id._asdict(), "name": names.name(id)}


def _page(page: Page) -> dict[str, str]:
    return {"site": page.site, "key": page.key, "path": page.path, "title": page.title, "template": page.template}
