"""Print the result of ``portolan explain``: two columns for people, one JSON document for programs."""

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
"""Names in one row. The others are counted."""
_SITE_WIDE: Final = (
    "with all pages: header menu, footer, interface words, offices, phones; the site configuration; a new web build"
)


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
        console.width = 200  # for files and pipes: do not wrap lines
    console.print(table)


_MOMENTS: Final = {
    "paint": "after the first paint",
    "load": "at the first sign of a visitor, or when the page has loaded",
    "idle": "after the page has loaded",
    "near": "shortly before its element is visible",
    "lazy": "a while after the page has loaded, or shortly before its element is visible",
    "touch": "when its element is hovered, touched or focused",
    "wake": "islands: loaded after a sign of a visitor, shortly before they are visible; run when touched",
}

Row = tuple[str, Iterable[str]]
"""A label and its lines."""


def _rows(found: Explanation, names: ItemNames, addresses: Addresses) -> Iterator[Row]:
    yield "Address", [f"{found.url}  (site {found.site})"]
    if found.facts:
        yield from _page_rows(found, found.facts, names)
    else:
        yield "Response", _say_answer(found)
    if not found.facts and found.elsewhere:
        yield "Elsewhere", [f"“{page.title}” at {addresses.url(page.site, page.path)}" for page in found.elsewhere]
    yield from _site_rows(found)


def _site_rows(found: Explanation) -> Iterator[Row]:
    live = found.live
    if found.site in live.pins:
        pin = live.pins[found.site]
        yield (
            "Pinned",
            [f"since {stamp(pin.since)}, by {pin.by}: no newer release goes live until `portolan resume`"],
        )
    if found.site in live.problems:
        yield "Problem", [f"The site could not be updated: {live.problems[found.site]}"]


def _page_rows(found: Explanation, facts: PageFacts, names: ItemNames) -> Iterator[Row]:
    page, last = facts.page, facts.last
    yield "Page", [f"“{page.title}”, {page.template}; live as in release {found.live.releases[found.site]}"]
    if last:
        yield "Rendered", [_say_when(last)]
        yield "Why", [line for why in last.why for line in say_why(why, names)]
        if last.back:
            yield "Restored", [f"{stamp(last.back.at)}, by {last.back.by}: the site shows an earlier release again"]
    else:
        yield "Rendered", [_say_before(found.begins)]
    if facts.earlier:
        yield "Before", [f"{_say_when(each)}: {_say_first(each, names)}" for each in facts.earlier]
    if facts.problems:
        yield "Waits", say_each(facts.problems)
    yield from _dependency_rows(facts, names)
    yield from _link_rows(facts, names)


def _dependency_rows(facts: PageFacts, names: ItemNames) -> Iterator[Row]:
    """Yield the reasons that would render the page again."""
    by_cause: dict[Cause, list[ItemId]] = {}
    for reason in facts.depends_on:
        if reason.item:
            by_cause.setdefault(reason.cause, []).append(reason.item)
    yield "Rendered by", ["its own content and card" if Cause.CARD in by_cause else "its own content"]
    for said, items in _kinds(by_cause.get(Cause.ITEM, [])).items():
        yield "", [f"{said}: {_join(names.name(id).removeprefix(f'{id.kind} ') for id in items)}"]
    if lists := [id.kind for id in by_cause.get(Cause.ITEM, []) if not id.key]:
        yield "", [f"entries in its lists: {say_kinds(lists)}"]
    for said, cause in (("title or URL of its parent pages", Cause.ABOVE), ("its translations", Cause.TRANSLATION)):
        if items := by_cause.get(cause, []):
            yield "", [f"{said}: {_join(names.name(id) for id in items)}"]
    if Cause.LINK in by_cause:
        yield "", ["URLs of the pages it links to (below)"]
    yield "", [_SITE_WIDE]


def _script_rows(scripts: PageScripts | None) -> Iterator[Row]:
    if not scripts:
        return
    yield (
        "Scripts",
        [f"{scripts.untouched / 1000:.1f} kB (Brotli) for a visitor who reads to the end and touches nothing"],
    )
    if not scripts.is_of_build:
        yield "", ["The page is from another web build. It gets these scripts with the next publish."]
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
    """Return single items by the name of their kind."""
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
        yield "Linked from", ["no page: visitors find it by search, sitemap or URL"]


def _say_answer(found: Explanation) -> Iterator[str]:
    """Yield the response for a URL without a page, its cause, and the fix."""
    redirect = found.redirect
    match found.answer:
        case Answer.NO_SITE:
            yield f"None: site {found.site} has never been live. Create a home page, then run `portolan publish`."
            return
        case Answer.FILE:
            yield "A file of the web build, or one that each build of the site creates."
            return
        case Answer.OTHER:
            yield "The API, or an uploaded file. It is not rendered."
            return
        case Answer.MOVED:
            assert redirect
            yield f"A redirect ({redirect.status}) to {redirect.target}."
        case Answer.GONE:
            yield f"Gone ({GONE})."
        case _:
            yield "The site's error page (404)."
    if found.rule:
        yield f"An editor made a redirect for {found.rule}: see Addresses in the studio."
    if found.former:
        until = f" until release {found.former.until}" if found.former.until else ""
        yield f"The page “{found.former.title}” was here{until}. See its present URL: `portolan releases show {found.former.until or 'N'}`"
    if found.waiting:
        yield (
            f"The newest release has the page “{found.waiting.title}” here, but is not live on this site. See the dashboard, "
            "or run `portolan publish`."
        )
    elif found.answer in (Answer.GONE, Answer.MISSING):
        yield "To change this, create a page with this URL, or a redirect under Addresses in the studio."


def _say_before(begins: str) -> str:
    if not begins:
        return "before render logs existed; the next publish starts one"
    return f"before {stamp(begins)}, when the site's render log begins"


def _say_when(rendered: Rendered) -> str:
    entry = rendered.entry
    release = rendered.release
    by = f" by {release.created_by}" if release and release.created_by else ""
    note = f" “{release.note}”" if release and release.note else ""
    went = f", when {entry.by} went back to it" if entry.by else ""
    return f"{stamp(entry.at)}, for release {entry.release}{by}{note}{went} (build {entry.build})"


def say_why(why: Why, names: ItemNames) -> Iterator[str]:
    """Yield a reason in words, and its edits below it."""
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
    return f"{release.created_by or 'Portolan'}{note}, {stamp(release.created_at)}"


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


# JSON -----------------------------------------------------------------------------------------------------------------


def as_json(found: Explanation, names: ItemNames, scripts: PageScripts | None = None) -> dict[str, Any]:
    """Return the explanation. Times are ISO with offset; items have site (empty: all sites), kind, key and name."""
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
    """Return a reason with the name of its item."""
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
