"""Write redirects to a CSV file, and read such a file with a plan of its changes."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from ...content.change_sets.holding import add, find_item
from ...content.change_sets.models import ChangeSet
from ...content.going_live import may_publish, why_reviewed
from ...content.redirects import Redirect, RedirectCheck
from ...content.site_records import SiteRecord, site_roots_kept
from ...domain.csv_files import Decoded, UnreadableCsv, decode, read_csv
from ...rights.held import Person
from ..moments import say_moment
from .file_words import all_sites, answers, columns, means_all_sites, read_answer, read_column

MOST_LINES: Final = 2000
LARGEST_BYTES: Final = 1 << 20
_LONGEST: Final = {"from": 400, "to": 1000, "note": 200}
"""As the model has them."""


class UnreadableFile(Exception):
    """The file as a whole cannot be read; the message says why and what to do."""


class Line(NamedTuple):
    """One line of an uploaded file, and what importing it would do."""

    number: int
    fields: Mapping[str, str]
    state: Literal["new", "changed", "same", "wrong"]
    said: str
    """What it leads to today, where it would change; what is wrong with it, where it is wrong."""
    redirect: Redirect | None
    is_draft: bool = False
    """True if it becomes a draft, because a reviewer publishes on one of its sites."""


class Plan(NamedTuple):
    lines: list[Line]
    mark: str
    """Digest of what would be done: differs if somebody has changed redirects since."""

    def of(self, state: str) -> list[Line]:
        return [line for line in self.lines if line.state == state]

    def drafts(self) -> list[Line]:
        return [line for line in self.lines if line.is_draft]


class Imported(NamedTuple):
    plan: Plan
    change_set: ChangeSet | None
    """Change set with the drafts; None if everything is live."""


def export_rows(redirects: Iterable[Redirect]) -> Iterator[list[str]]:
    """Yield the rows of the file, the headings first."""
    yield list(columns().values())
    every, said = all_sites(), answers()
    for row in redirects:
        yield [row.site_id or every, row.source, row.path(), said[row.status], row.note]


def decode_file(data: bytes) -> Decoded:
    if len(data) > LARGEST_BYTES:
        raise UnreadableFile(gettext("The file is larger than 1 MB. Split it."))
    try:
        return decode(data)
    except UnreadableCsv as error:
        raise UnreadableFile(gettext(error.text).format(**error.values)) from None


def plan_import(text: str, by: Person | None = None) -> Plan:
    """What importing the file would do. Nothing is saved. ``by``: whose sites it may be about; None for all. Raises
    UnreadableFile."""
    with site_roots_kept():
        lines = _plan(_read(text), by)
    said = repr([(line.number, line.state, line.said, dict(line.fields)) for line in lines])
    return Plan(lines, sha256(said.encode()).hexdigest())


def import_plan(text: str, mark: str, user: Any) -> Imported | None:
    """Save all new and changed rows, or none: return None if the plan differs from the one that was shown. If a
    reviewer publishes, the rows become drafts of a new change set."""
    change_set = None
    try:
        with transaction.atomic():
            plan = plan_import(text, user)
            if plan.mark != mark or plan.of("wrong"):
                return None
            if plan.drafts():
                name = gettext("Redirects of {date}").format(date=say_moment(timezone.now()))
                change_set = ChangeSet.objects.create(name=name, owner=user)
            for line in (*plan.of("new"), *plan.of("changed")):
                assert line.redirect is not None
                action = "wagtail.create" if line.state == "new" else "wagtail.edit"
                if change_set and line.is_draft:
                    add(change_set, _save_draft(line.redirect, user, action), user)
                else:
                    line.redirect.save_live(user, action)
    except IntegrityError:  # a colleague has saved one of them at the same moment
        return None
    return Imported(plan, change_set)


def _save_draft(redirect: Redirect, user: Any, action: str) -> Redirect:
    """Save the redirect as a draft and return the row. The live version stays."""
    if redirect.pk is None:
        redirect.live = False
        redirect.save()
        row = redirect
    else:
        row = Redirect.objects.get(pk=redirect.pk)
        for name in ("status", "page", "anchor", "address", "note"):
            setattr(row, name, getattr(redirect, name))
    row.save_revision(user=user, clean=False, log_action=action)
    return row


def _read(text: str) -> list[tuple[int, dict[str, str]]]:
    try:
        rows = read_csv(text)
    except UnreadableCsv as error:
        raise UnreadableFile(gettext(error.text).format(**error.values)) from None
    if not rows:
        raise UnreadableFile(gettext("The file is empty."))
    names = [read_column(name) for name in rows[0].cells]
    known = columns()
    if not {"from", "to"} <= set(names) or set(names) - set(known) or len(set(names)) < len(names):
        raise UnreadableFile(
            gettext(
                "The first line has to name the columns: {names} ({source} and {target} at least, each once, no others). "
                "It has: {found}."
            ).format(
                names=", ".join(known.values()),
                source=known["from"],
                target=known["to"],
                found=", ".join(names) or gettext("nothing"),
            )
        )
    if len(rows) - 1 > MOST_LINES:
        raise UnreadableFile(
            gettext("The file has {lines} lines; {most} can be imported at once. Split it.").format(
                lines=len(rows) - 1, most=MOST_LINES
            )
        )
    return [
        (row.line, dict(zip(names, row.cells, strict=False)) | ({"": "columns"} if len(row.cells) > len(names) else {}))
        for row in rows[1:]
    ]


def _plan(rows: Iterable[tuple[int, dict[str, str]]], by: Person | None) -> list[Line]:
    sites = {record.key: record for record in SiteRecord.objects.all()}
    check = RedirectCheck()
    seen: dict[tuple[str | None, str], int] = {}
    found: list[tuple[int, dict[str, str], Redirect | None, Redirect | None, str]] = []
    for number, fields in rows:
        redirect = known = None
        problem = ""
        try:
            redirect = _redirect(fields, sites)
            if by is not None and not may_publish(by, redirect):
                raise ValidationError(gettext("It is for sites that you do not look after. Name one of yours."))
            known = check.known(redirect)
            if known and _is_draft(by, redirect) and (held := find_item(known)):
                raise ValidationError(
                    gettext("It is in the change set “{change_set}” already.").format(change_set=held.change_set)
                )
            redirect.pk = known.pk if known else None
            check.clean_fields(redirect)
            key = (redirect.site_id, redirect.source)
            if key in seen:
                raise ValidationError(
                    gettext("{source} stands in line {seen} already.").format(source=redirect.source, seen=seen[key])
                )
            seen[key] = number
        except ValidationError as error:
            problem = " ".join(error.messages)
        found.append((number, fields, redirect, known, problem))
    for _, _, redirect, _, problem in found:
        if redirect and not problem:
            check.add(redirect)
    rule_problems = check.find_problems(
        {site for _, _, redirect, _, _ in found if redirect for site in redirect.sites()}
    )
    lines = []
    for number, fields, redirect, known, problem in found:
        problem = problem or (rule_problems.get((redirect.site_id, redirect.source), "") if redirect else "")
        if problem or redirect is None:
            lines.append(Line(number, fields, "wrong", problem, None))
        elif known is None:
            lines.append(Line(number, fields, "new", "", redirect, _is_draft(by, redirect)))
        elif _said(known) == _said(redirect):
            lines.append(Line(number, fields, "same", "", redirect))
        else:
            said = f"{known.target()}, {answers()[known.status]}"
            lines.append(Line(number, fields, "changed", said, redirect, _is_draft(by, redirect)))
    return lines


def _is_draft(by: Person | None, redirect: Redirect) -> bool:
    return by is not None and bool(why_reviewed(redirect.sites()))


def _redirect(fields: Mapping[str, str], sites: Mapping[str, SiteRecord]) -> Redirect:
    if "" in fields:
        raise ValidationError(
            gettext("has more columns than the first line names. Put quotation marks around what has a comma.")
        )
    site = fields.get("site", "").lower()
    if site not in sites and not means_all_sites(site):
        raise ValidationError(
            gettext("There is no site “{site}”. Sites: {names}; all of them: {every}.").format(
                site=site, names=", ".join(sites), every=all_sites()
            )
        )
    answer = fields.get("answer", "")
    status = read_answer(answer)
    if status is None:
        permanent, temporary, gone = answers().values()
        raise ValidationError(
            gettext("“{answer}” is no answer. Write {permanent}, {temporary} or {gone}.").format(
                answer=answer, permanent=permanent, temporary=temporary, gone=gone
            )
        )
    for name, most in _LONGEST.items():
        if len(fields.get(name, "")) > most:
            raise ValidationError(
                gettext("“{name}” has more than {most} characters.").format(name=columns()[name], most=most)
            )
    return Redirect(
        site=sites.get(site),
        source=fields.get("from", ""),
        status=status,
        address=fields.get("to", ""),
        note=" ".join(fields.get("note", "").split()),  # the form has one line for it
    )


def _said(redirect: Redirect) -> tuple[object, ...]:
    page = redirect.page and redirect.page.translation_key
    return redirect.status, page, redirect.anchor, redirect.address, redirect.note
