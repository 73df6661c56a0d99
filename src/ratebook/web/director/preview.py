"""The preview of a report: its problems, the ratings it would give, and sending it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.connection import Connection
from ratebook.book.facts.members import names_of
from ratebook.book.submissions import StoredReport, first_version, read_submission, revisions_of
from ratebook.findings import Finding, Place, Severity, has_errors
from ratebook.model import Report, Section, System
from ratebook.office.queue.preview import Preview
from ratebook.pages.crosstable import reported_columns
from ratebook.pages.players.answer import answer_of
from ratebook.pages.submission import FoldedFinding, candidates_of, folded_now, remedy_once_sent
from ratebook.rating.explanation.public import explain_in_public
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.reports.draft import can_be_typed
from ratebook.reports.load import LoadedReport
from ratebook.web.director.links import (
    CHOOSE,
    COMPLETE,
    FORGET,
    HOME,
    PREVIEW,
    SEND,
    SUBMISSION,
    TYPED_REPORT,
    TYPED_SECTION,
    WHY,
)
from ratebook.web.director.ratings import NO_PROBLEMS, SeatLinks, packed, ratings_of, ratings_tables
from ratebook.web.findings import (
    FindingPlace,
    Seat,
    SeatProblem,
    ShownFinding,
    seat_anchor,
    seat_problems,
    shown_findings,
)
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.layout.tables import HtmlTable, crosstable_looks, html_table, spelled_out
from ratebook.web.layout.words import in_title_case, person_name
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import ElsewhereError, onward
from ratebook.web.site import Reader
from ratebook.web.store.reports.notes import add_note
from ratebook.web.store.sendings import keep_ratings, sent_by
from ratebook.web.trial.hints import (
    NAME,
    NEVER_WITHOUT,
    OF_THE_FILE,
    START,
    asked_by,
    columns_asked,
    sections_asked,
    texts_of,
    unsaid_of,
)
from ratebook.web.trial.kept import Trial, change, forget, kept
from ratebook.web.trial.previews import Previews
from ratebook.web.trial.sending import send

NOTE = Input(
    "words",
    "Note to the office",
    InputKind.LONG,
    "For example why the report is late, or who an unknown player is.",
    needed=False,
    most=2000,
)


NO_CANDIDATES: Mapping[str, str] = MappingProxyType({})


class Due(NamedTuple):
    """Until when a report is taken without asking; *left* is negative where that is over."""

    day: date
    left: int


@shown_to(Needs.DIRECTOR, WHY, costly=True)
def preview_why(
    context: TheContext,
    name: FromPath[str],
    number: FromPath[int],
    seat: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[bytes]:
    """Explain a rating of a preview, as anyone may read it."""
    trial = kept(context.gate, context.visitor.account, name)
    if trial.loaded is None:
        raise NotFoundException
    with context.site.reading() as reader:
        shown = _preview(context, reader, trial, trial.loaded)
        rulebook = reader.federation.rulebook
    explanations = [
        explanation
        for section in shown.sections
        if section.section.number == number and system in {None, section.system}
        if (number, section.system, seat) not in shown.withheld
        if (explanation := explain_in_public(section, seat, rulebook)) is not None
    ]
    if not explanations:
        raise NotFoundException
    return context.page(
        "director/why.html",
        name=name,
        title=trial.title,
        number=number,
        player=explanations[0].name or explanations[0].player,
        explanations=[(explanation, answer_of(explanation)) for explanation in explanations],
        documents=rulebook.documents,
    )


@done_by(Needs.DIRECTOR, SEND, costly=True)
def send_preview(context: TheContext, name: FromPath[str]) -> Answer:
    """Send a report into the queue of the office, once."""

    def work() -> str:
        account = context.visitor.account
        trial = kept(context.gate, account, name)
        if trial.submission is not None:
            return SUBMISSION(trial.submission)
        if trial.loaded is None:
            return TYPED_REPORT(name)
        with context.site.reading() as reader:
            shown = ratings_of(_preview(context, reader, trial, trial.loaded))
        sent = send(context.site, context.gate, account, context.because.actor, trial, trial.loaded)
        if sent.number is None:
            raise RefusedError(sent.findings)
        with context.site.reading() as reader:
            first = first_version(reader.connection, sent.number)
        with context.gate.store.writing() as connection:
            keep_ratings(connection, sent.number, packed(shown))
            if words := context.sent.text(NOTE.name):
                add_note(connection, first, account.id, words, context.gate.now())
        # Whoever goes back to the preview is led to what became of it.
        change(context.gate, account, name, Trial(trial.source, submission=sent.number))
        return f"{SUBMISSION(sent.number)}?sent=yes"

    return context.decide((NOTE,), work, lambda refused: preview_page(refused, name))


@done_by(Needs.DIRECTOR, FORGET)
def forget_preview(context: TheContext, name: FromPath[str]) -> Answer:
    """Delete a report that is tried."""
    kept(context.gate, context.visitor.account, name)
    forget(context.gate, context.visitor.account, name)
    return onward(HOME)


def _preview(context: RequestContext, reader: Reader, trial: Trial, loaded: LoadedReport) -> Preview:
    previews: Previews = context.request.app.state.previews
    return previews.of(context.site, reader, context.visitor.account, trial, loaded)


def _meant_by(problem: Finding) -> tuple[str, ...]:
    """Return the members who may be meant: the one of the id, too, whose name may be misspelt."""
    values = dict(problem.values)
    own = (str(values["player_id"]),) if "known" in values and problem.code == "member-name-differs" else ()
    return (*own, *candidates_of(problem))


@shown_to(Needs.DIRECTOR, PREVIEW, costly=True)
def preview_page(context: TheContext, name: FromPath[str]) -> Response[bytes]:
    """Show a report that is tried, with what was refused."""
    trial = kept(context.gate, context.visitor.account, name)
    if trial.submission is not None:
        raise ElsewhereError(SUBMISSION(trial.submission))
    if trial.loaded is None:
        raise ElsewhereError(TYPED_REPORT(name))
    with context.gate.store.reading() as connection:
        own = sent_by(connection, context.visitor.account.id)
    with context.site.reading() as reader:
        shown = _preview(context, reader, trial, trial.loaded)
        days = reader.federation.profile.checks.days_to_report
        report = with_known_names(reader, shown.examined.report or trial.report)
        looks_like = own_report_like(reader.connection, shown.findings, own)
        offered = {member for problem in shown.findings for member in _meant_by(problem)}
        candidates = names_of(reader.connection, sorted(offered))
    known = shown.examined.known
    typed = trial.draft is not None
    ratings = ratings_of(shown)
    findings = folded_now(shown.findings)
    problems = problems_in(report, findings)
    missing, others = _missing(context, name, trial, shown.findings)
    in_form = typed or (trial.loaded.report is not None and can_be_typed(trial.loaded.report))
    can_choose = (in_form or not typed) and known is None

    def why(table: Crosstable, line: CrosstableLine) -> str:
        return WHY(name, table.section, line.seat, system=table.system)

    return context.page(
        "director/preview.html",
        name=name,
        title=trial.title,
        trial=trial,
        report=report,
        readable=trial.loaded.report is not None,
        known=known,
        known_is_own=known is not None and known.id in own,
        findings=shown_to_sender(
            report,
            [each for each in findings if each.holds],
            name if typed else "",
            candidates=candidates if can_choose else {},
        ),
        choose=CHOOSE(name) if can_choose and candidates else "",
        notes=shown_to_sender(report, [each for each in findings if not each.holds], name if typed else ""),
        held=has_errors(shown.findings),
        holding=sum(finding.severity is Severity.ERROR for finding in shown.findings),
        tables=ratings_tables(context.site, ratings, why, problems),
        as_read=[] if ratings.tables or report is None else reported_tables(report, problems),
        withheld=ratings.withheld,
        due=due_of(trial.loaded.report, days, context.site.today()) if trial.revises is None else None,
        can_be_typed=in_form,
        looks_like=looks_like,
        refused=() if missing is not None and missing.findings else context.findings,
        missing=missing,
        asks=missing is not None
        and any(field not in others and field.name != START.name for field in missing.inputs),
        others=others,
        forget=FORGET(name),
        noted=context.form(SEND(name), "Send it with this note", (NOTE,), number=1),
    )


def own_report_like(
    connection: Connection, findings: Collection[Finding], own: Collection[int]
) -> StoredReport | None:
    """Return the report among the sender's *own* that another one seems to correct; None if there is none."""
    for problem in findings:
        if problem.code == "roster-submitted-already":
            row = read_submission(connection, int(str(dict(problem.values)["similar_id"])))
            if row is not None and any(version.id in own for version in revisions_of(connection, row)):
                return row
    return None


def _missing(
    context: RequestContext, name: str, trial: Trial, findings: Sequence[Finding]
) -> tuple[Form | None, Sequence[Input]]:
    """Return the form for what a file does not say, with what is asked for first, and the other inputs of it."""
    if not trial.data or trial.draft is not None:
        return None, ()
    columns, sheets = columns_of(trial), sheets_of(trial)
    unsaid = unsaid_of(sheets, trial.events)
    sections = sections_asked(trial.report)
    section_names = section_names_of(trial.report, sections)
    first = [*columns.values(), *asked_by(findings, unsaid)]
    if trial.report is not None and not trial.report.event.name:
        first.append(NAME._replace(needed=True))
    if len(sections) > 1 and not all(section_names.values()):
        first += sections
    names = {field.name for field in first}
    others = tuple(
        field._replace(needed=field.needed or _is_told(trial, field, NEVER_WITHOUT))
        for field in (*unsaid, *sections)
        if field.name not in names and (field not in OF_THE_FILE or _is_told(trial, field, OF_THE_FILE))
    )
    refused = context.sent_to == COMPLETE(name)
    known = texts_of(trial.hints, columns, sheets) | section_names
    form = Form(
        action=COMPLETE(name),
        button="Read the file again",
        inputs=(*first, *others),
        values=context.sent.values((*first, *others)) if refused else known,
        was_sent=refused,
        findings=context.findings if refused else (),
    )
    return form, others


def _is_told(trial: Trial, field: Input, some: Sequence[Input]) -> bool:
    """Return whether a field is one of *some*, and its sender has filled it in."""
    return field in some and getattr(trial.hints, field.name) is not None


def columns_of(trial: Trial) -> dict[str, Input]:
    """Return the inputs for columns of a file of which has to be known what they hold, by their titles."""
    return columns_asked(() if trial.loaded is None else trial.loaded.findings, trial.hints)


def section_names_of(report: Report | None, sections: Sequence[Input]) -> dict[str, str]:
    """Return what the inputs of names of *sections* hold at first: their names as they are known."""
    known = () if report is None else report.sections
    return {field.name: section.name for field, section in zip(sections, known, strict=False)}


def sheets_of(trial: Trial) -> tuple[str, ...]:
    """Return the sheets of a file of which one can be chosen."""
    return () if trial.loaded is None else trial.loaded.sheets


def with_known_names(reader: Reader, report: Report | None) -> Report | None:
    """Return a report with the names that the book has of players whom it does not name itself."""
    if report is None:
        return None
    unnamed = [player for player, facts in report.players.items() if not facts.name]
    names = names_of(reader.connection, unnamed)
    return report._replace(
        players={**report.players}
        | {player: report.players[player]._replace(name=name) for player, name in names.items()}
    )


def reported_tables(
    report: Report, problems: Mapping[Seat, SeatProblem] = NO_PROBLEMS, *, anchored: bool = True
) -> list[HtmlTable]:
    """Return the sections of a report as it says them, with their *problems*; links lead to rows if *anchored*."""
    return [_reported_table(report, section, problems, anchored=anchored) for section in report.sections]


def _reported_table(
    report: Report, section: Section, problems: Mapping[Seat, SeatProblem], *, anchored: bool
) -> HtmlTable:
    at = SeatLinks(section.number, problems, frozenset(entry.seat for entry in section.entries))
    columns = spelled_out(reported_columns(report, section), "Name", words=person_name)
    rounds = [column for column in columns if column.title[1:].isdecimal()]
    return html_table(
        ", ".join(filter(None, (f"Section {section.number}", in_title_case(section.name)))),
        columns,
        section.entries,
        {"Seat": lambda entry: at.problem(entry.seat), **at.opponents(rounds)},
        heads="Name",
        under={"Name": lambda entry: at.words(entry.seat)},
        narrow={"Name": lambda entry: entry.player},
        looks=crosstable_looks(rounds),
        wide=("ID",),
        marked=lambda entry: at.is_marked(entry.seat),
        anchors=(lambda entry: at.anchor(entry.seat)) if anchored else None,
    )


def problems_in(report: Report | None, findings: Sequence[FoldedFinding]) -> dict[Seat, SeatProblem]:
    """Return what holds a report back because of each seat."""
    sections = () if report is None else report.sections
    return seat_problems(
        findings,
        {
            entry.player: (section.number, entry.seat)
            for section in reversed(sections)
            for entry in reversed(section.entries)
        },
    )


def due_of(report: Report | None, days: int, today: date) -> Due | None:
    """Return until when a report is taken without asking; None where it does not say when it ended."""
    sections = () if report is None else report.sections
    last = max((one.end for one in sections), default=None)
    return None if last is None else due(last, days, today)


def due(last: date, days: int, today: date) -> Due:
    """Return until when a report of what ended on a day is taken without asking."""
    day = last + timedelta(days=days)
    return Due(day, (day - today).days)


def shown_to_sender(
    report: Report | None,
    findings: Sequence[FoldedFinding],
    typed: str = "",
    *,
    candidates: Mapping[str, str] = NO_CANDIDATES,
    is_sent: bool = False,
) -> list[ShownFinding]:
    """Return findings with the players of a *report* named, and led to their fields where it is *typed*.

    Each of the *candidates*, whose names are by their ids, can be taken with a click.
    """
    sections = () if report is None else report.sections
    at_seat = {
        (section.number, entry.seat): entry.player for section in sections for entry in section.entries
    }
    seat_of = {player: seat for seat, player in reversed(at_seat.items())}
    numbers = {number for number, _ in at_seat}

    def shown_place(place: Place) -> Place:
        """Return a place as a person says it: players by their seats, a section only where there are several."""
        seats = [seat_of[player] for player in place.players if player in seat_of]
        if (
            len(seats) == len(place.players)
            and len({section for section, _ in seats}) == 1
            and not place.seats
        ):
            place = place.but(players=(), section=seats[0][0], seats=tuple(seat for _, seat in seats))
        return place.but(section=None) if place.seats and len(numbers) == 1 else place

    def seat_at(place: Place) -> Seat | None:
        if place.seats:
            return place.section or 0, place.seats[0]
        return seat_of.get(place.players[0]) if place.players else None

    def offers(problem: Finding) -> tuple[FindingPlace, ...]:
        section, seat = seat_at(problem.place) or (0, 0)
        return tuple(
            FindingPlace(
                f"{person_name(candidates[member]) or 'No name'}, {member}",
                choice=f"{section} {seat} {member}",
            )
            for member in _meant_by(problem)
            if member in candidates
        )

    def place(found_at: Place) -> FindingPlace:
        alone = next(iter(numbers)) if len(numbers) == 1 else 0
        shown = shown_place(found_at)

        def name_of(part: str, value: int | str) -> str:
            key = at_seat.get((shown.section or alone, int(value))) if part == "seats" else str(value)
            known = part in {"seats", "players"} and report is not None and key in report.players
            return person_name(report.players[str(key)].name) if known and report is not None else ""

        named = ", ".join(shown.words(name_of))
        section, in_round = found_at.section, found_at.round
        at = seat_at(found_at)
        if not typed:
            return FindingPlace(named, f"#{seat_anchor(*at)}" if at is not None and at in at_seat else "")
        if at is None:
            return FindingPlace(
                named, TYPED_SECTION(typed, section or 0) if section in numbers else TYPED_REPORT(typed)
            )
        field = f"r{in_round}" if in_round else "id"
        return FindingPlace(named, f"{TYPED_SECTION(typed, at[0])}#p{at[1]}-{field}" if at in at_seat else "")

    remedy = remedy_once_sent if is_sent else attrgetter("for_sender")
    return shown_findings(findings, place, remedy, offers)
