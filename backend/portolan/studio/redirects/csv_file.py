"""Export redirects as CSV, and plan the import of such a file."""

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
"""Maximum lengths of the model's fields."""


class UnreadableFile(Exception):
    """The file as a whole cannot be read; the message contains the reason and the fix."""


class Line(NamedTuple):
    """One line of an uploaded file, and the effect of its import."""

    number: int
    fields: Mapping[str, str]
    state: Literal["new", "changed", "same", "wrong"]
    said: str
    """If changed: the current target. If wrong: the problem."""
    redirect: Redirect | None
    is_draft: bool = False
    """True if it becomes a draft, because a reviewer publishes on one of its sites."""


class Plan(NamedTuple):
    lines: list[Line]
    mark: str
    """Digest of the plan. It differs if redirects have changed since."""

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
        raise UnreadableFile(gettext("The file is larger than 1 MB. Split it into smaller files."))
    try:
        return decode(data)
    except UnreadableCsv as error:
        raise UnreadableFile(gettext(error.text).format(**error.values)) from None


def plan_import(text: str, by: Person | None = None) -> Plan:
    """Return the plan of an import and save nothing. Raise UnreadableFile.

    ``by``: only sites of this user are allowed; None: all sites.
    """
    with site_roots_kept():
        lines = _plan(_read(text), by)
    said = repr([(line.number, line.state, line.said, dict(line.fields)) for line in lines])
    return Plan(lines, sha256(said.encode()).hexdigest())


def import_plan(text: str, mark: str, user: Any) -> Imported | None:
    """Save all new and changed rows, if the plan still has this ``mark``. Otherwise return None.

    If a reviewer publishes, the rows become drafts of a new change set.
    """
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
                "The first line must contain the column names: {names}. {source} and {target} are required, each name may occur "
                "once. Found: {found}."
            ).format(
                names=", ".join(known.values()),
                source=known["from"],
                target=known["to"],
                found=", ".join(names) or gettext("nothing"),
            )
        )
    if len(rows) - 1 > MOST_LINES:
        raise UnreadableFile(
            gettext(
                "The file has {lines} lines; at most {most} can be imported at once. Split it into smaller files."
            ).format(lines=len(rows) - 1, most=MOST_LINES)
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
                raise ValidationError(gettext("You may not change redirects of this site. Enter one of your sites."))
            known = check.known(redirect)
            if known and _is_draft(by, redirect) and (held := find_item(known)):
                raise ValidationError(
                    gettext("It is already in the change set “{change_set}”.").format(change_set=held.change_set)
                )
            redirect.pk = known.pk if known else None
            check.clean_fields(redirect)
            key = (redirect.site_id, redirect.source)
            if key in seen:
                raise ValidationError(
                    gettext("{source} is already in line {seen}.").format(source=redirect.source, seen=seen[key])
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
            gettext("This line has more columns than the first line. Put quotation marks around values with a comma.")
        )
    site = fields.get("site", "").lower()
    if site not in sites and not means_all_sites(site):
        raise ValidationError(
            gettext("Unknown site “{site}”. Sites: {names}. For all sites: {every}.").format(
                site=site, names=", ".join(sites), every=all_sites()
            )
        )
    answer = fields.get("answer", "")
    status = read_answer(answer)
    if status is None:
        permanent, temporary, gone = answers().values()
        raise ValidationError(
            gettext("Unknown answer “{answer}”. Use {permanent}, {temporary} or {gone}.").format(
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
