"""One submission: the report beside the book, what holds it back, what became of it, and what is decided about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import quote

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.submissions import Status, read_submission
from ratebook.findings import Finding, Place, finding
from ratebook.formats.hints import is_seat_id
from ratebook.office.queue.actions import ACCEPT, REJECT
from ratebook.office.queue.submit import fix, recheck
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.pages.submission import (
    REVISIONS,
    ReportedSection,
    SeatLine,
    SubmissionPage,
    candidates_of,
    next_held,
    submission_page,
)
from ratebook.player_lists.row import clean_name
from ratebook.web.findings import FindingPlace, Seat, SeatProblem, seat_problems, shown_findings
from ratebook.web.forms.acceptance import accepted_keys, boxes_of
from ratebook.web.forms.actions import does
from ratebook.web.forms.context import REASON, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.layout.tables import NO_NAME, HtmlTable, html_table, result_look
from ratebook.web.layout.words import in_title_case, person_name
from ratebook.web.office import links
from ratebook.web.office.queue.letter import letter
from ratebook.web.office.queue.overview import MOST_OF_NAME, status_look, status_words
from ratebook.web.routing import Needs, Number, done_by, shown_to
from ratebook.web.site import TheSite
from ratebook.web.store.reports.notes import holders, read_notes
from ratebook.web.store.sendings import sender_of
from ratebook.web.trial.hints import UNSAID, hints_of
from ratebook.web.trial.reading import read_in_child

RECHECK, UPLOAD = "recheck", "upload"
FILE = Input("report", "Report", InputKind.FILE, hint="In any format that ratebook reads, at most 8 MB.")
UPLOADED = (FILE, *UNSAID)
NOTE = Input("words", "Note", InputKind.LONG, "For colleagues: directors do not see it.", most=2000)
LETTER = Input(
    "letter",
    "Letter",
    InputKind.LONG,
    "It appears on the sender's page, where it can be answered.",
    most=8000,
)


@shown_to(Needs.OFFICE, links.SUBMISSION, costly=True)
def report_page(context: TheContext, number: FromPath[int], after: Number = 0) -> Response[bytes]:
    """Show a submission, *after* another one was decided."""
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)
        decided = read_submission(reader.connection, after) if after else None
    first = submission.revisions[0].id
    with context.gate.store.reading() as connection:
        holder = holders(connection, [first]).get(first, "")
        notes = read_notes(connection, first)
        sender = sender_of(connection, [version.id for version in submission.revisions])

    seats = {
        (section.section.number, line.seat): line for section in submission.sections for line in section.lines
    }
    players = {line.player: at for at, line in reversed(seats.items())}
    problems = seat_problems(submission.findings, players)

    def place(at: Place) -> FindingPlace:
        address = _mended_at(submission, at, seats, players) if submission.waits else ""
        return FindingPlace(_named(at, seats, players), address)

    def offers(problem: Finding) -> tuple[FindingPlace, ...]:
        address, known = place(problem.place).link, dict(problem.values)
        if "similar_id" in known:
            similar, event = known["similar_id"], str(known["event_id"])
            opened = FindingPlace(f"Open report {similar}", links.SUBMISSION(similar))
            is_rated = problem.case == "rated"
            return opened, *([FindingPlace(f"Correct event {event}", links.EVENT(event))] if is_rated else [])
        return tuple(
            FindingPlace(
                f"{person_name(submission.candidates[member]) or 'No name'}, {member}",
                f"{address}?member={quote(member, safe='')}",
            )
            for member in candidates_of(problem)
            if address and member in submission.candidates
        )

    holding = shown_findings(
        [finding for finding in submission.findings if finding.holds], place, offers_of=offers
    )
    draft = letter(submission, lambda at: _named(at, seats, players)) if submission.waits and holding else ""
    fixed_at = (where.link for problem in holding for said in problem.first for where in said.places)
    return context.page(
        "office/queue/submission.html",
        refused=context.findings,
        one=submission,
        number=number,
        state=status_words(submission.line),
        look=status_look(status_words(submission.line)),
        findings=holding,
        correct_event=links.of_event(submission.report.event, number),
        first_fix=next(filter(None, fixed_at), ""),
        letter=draft,
        decided=decided,
        holder=holder,
        has_it=holder == context.visitor.account.name,
        sender=sender,
        letters=[note for note in notes if note.is_read_by(sender)],
        notes=[note for note in notes if not note.is_read_by(sender)],
        desk=_desk(context, number, holder, draft),
        others=shown_findings([finding for finding in submission.findings if not finding.holds], place),
        sections=[
            (section.section, _table(submission, section, problems)) for section in submission.sections
        ],
        revisions=html_table(
            "Versions of the report",
            REVISIONS,
            submission.revisions,
            {"No.": lambda revision: links.SUBMISSION(revision.id)},
        )
        if len(submission.revisions) > 1
        else None,
        offered=_forms(context, submission) if submission.waits else {},
    )


@shown_to(Needs.OFFICE, f"{links.QUEUE}/{{number:int}}/report.json", costly=True)
def native_report(site: TheSite, number: FromPath[int]) -> Response[bytes]:
    """Give the report of a submission as a file, to be edited and uploaded."""
    with site.reading() as reader:
        submission = submission_page(reader.connection, number)
    if not submission.text:
        raise NotFoundException
    name = f'attachment; filename="report-{number}.json"'
    return Response(
        submission.text.encode(), media_type="application/json", headers={"content-disposition": name}
    )


@does(ACCEPT, f"{links.SUBMISSION}/{ACCEPT.word}", costly=True)
def accept(context: TheContext, number: FromPath[int]) -> Answer:
    """Accept the warnings that were chosen."""
    with context.site.reading() as reader:
        # Warnings that were accepted or mended since the page was made have no box any more.
        boxes = boxes_of(submission_page(reader.connection, number).open_warnings)
    inputs = (*(box.asked for box in boxes), REASON)

    def work() -> None:
        chosen = accepted_keys(context.sent, boxes)
        if not chosen:
            raise RefusedError([finding("form-none-chosen", Place(input=ACCEPT.word), label="Warnings")])
        values = {"findings": {number: chosen}}
        ACCEPT.done(context.site.book, context.because, values, context.site.today())

    return _verdict(context, number, inputs, work)


@does(REJECT, f"{links.SUBMISSION}/{REJECT.word}", costly=True)
def reject_report(context: TheContext, number: FromPath[int]) -> Answer:
    """Reject a report."""

    def work() -> None:
        REJECT.done(context.site.book, context.because, {"number": number}, context.site.today())

    return _verdict(context, number, (REASON,), work)


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/{RECHECK}", costly=True)
def recheck_report(context: TheContext, number: FromPath[int]) -> Answer:
    """Check a report again."""

    def work() -> None:
        recheck(context.site.book, number, context.because.actor)

    return _verdict(context, number, (), work)


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/{UPLOAD}", costly=True)
def upload(context: TheContext, number: FromPath[int]) -> Answer:
    """Put another version of a report in its place; a file that cannot be read changes nothing."""

    def work() -> int | None:
        file = context.sent.file(FILE.name)
        assert file is not None  # noqa: S101 - it was asked for
        name = clean_name(file.name)[:MOST_OF_NAME] or "report"
        loaded = read_in_child(file.content, name, hints_of(context.sent))
        if loaded.report is None:
            raise RefusedError(loaded.findings)
        fixed = fix(context.site.book, number, loaded, name, context.because.actor)
        if fixed.number is None:
            raise RefusedError(fixed.findings)
        return fixed.number

    return _verdict(context, number, UPLOADED, work)


def _verdict(
    context: RequestContext, number: int, inputs: Sequence[Input], work: Callable[[], int | None]
) -> Answer:
    """Decide about a report by *work*, which gives the number of what took its place, if anything did."""
    return context.decide(
        inputs, lambda: address_after(context, work() or number), lambda refused: report_page(refused, number)
    )


def address_after(context: RequestContext, number: int) -> str:
    """Return where a decision about a report leads: to the next one that is held back, unless this still is."""
    with context.site.reading() as reader:
        row = read_submission(reader.connection, number)
        assert row is not None  # noqa: S101 - something was decided about it
        following = None if row.status is Status.HELD else next_held(reader.connection, row)
    return links.SUBMISSION(number) if following is None else f"{links.SUBMISSION(following)}?after={number}"


def _desk(context: RequestContext, number: int, holder: str, draft: str) -> dict[str, Form]:
    """Return the forms by which the office shares its work, and writes to the sender; a letter begins as a *draft*."""
    address = links.SUBMISSION(number)
    title = "Take it over" if holder else "Take it"
    own = holder == context.visitor.account.name
    return {
        "take": context.form(f"{address}/{'give-back' if own else 'take'}", "Give it back" if own else title),
        "note": context.form(f"{address}/note", "Add the note", (NOTE,), number=9),
        "letter": context.form(
            f"{address}/{LETTER.name}",
            "Send it to the sender",
            (LETTER,),
            {LETTER.name: draft[: LETTER.most]},
            number=8,
        ),
    }


def _forms(context: RequestContext, submission: SubmissionPage) -> dict[str, Form]:
    address = links.SUBMISSION(submission.line.number)
    offered: dict[str, tuple[str, tuple[Input, ...]]] = {
        RECHECK: ("Check again", ()),
        REJECT.word: (REJECT.title, (REASON,)),
        UPLOAD: ("Upload", UPLOADED),
    }
    if submission.open_warnings:
        boxes = (box.asked for box in boxes_of(submission.open_warnings))
        offered[ACCEPT.word] = (ACCEPT.title, (*boxes, REASON))
    return {
        which: context.form(f"{address}/{which}", button, inputs, number=number)._replace(
            is_grave=which == REJECT.word
        )
        for number, (which, (button, inputs)) in enumerate(offered.items(), start=1)
    }


def _table(
    submission: SubmissionPage, reported: ReportedSection, problems: Mapping[Seat, SeatProblem]
) -> HtmlTable:
    """Return a section, from which its players and results lead to where they can be mended."""
    number, section = submission.line.number, reported.section.number
    rounds = [f"R{at + 1}" for at in range(max((len(line.rounds) for line in reported.lines), default=0))]
    mended = {
        "ID": lambda line: links.FIX_SEAT(number, section, line.seat),
        **{title: _led_to_game(number, section, at) for at, title in enumerate(rounds, start=1)},
    }
    return html_table(
        ", ".join(filter(None, (f"Section {section}", in_title_case(reported.section.name)))),
        seat_columns(reported.lines),
        reported.lines,
        mended if submission.waits else {},
        heads="Name",
        under={"Name": lambda line: _about_seat(line, problems.get((section, line.seat)))},
        looks=dict.fromkeys(rounds, result_look),
        marked=lambda line: (section, line.seat) in problems,
    )


def _about_seat(line: SeatLine, problem: SeatProblem | None) -> str:
    """Return what is wrong with a seat, and the name that the book has for its player where that is another."""
    known = known_words(line)
    return ", ".join(filter(None, (problem.words if problem else "", known and f"in the book: {known}")))


def seat_columns(lines: Iterable[SeatLine]) -> Columns[SeatLine]:
    """Return the columns of a reported section, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", lambda line: "no id" if is_seat_id(line.player) else line.player),
        Column("Name", lambda line: person_name(line.name)),
        Column("Pts", "points", "right"),
        *rounds_of(lines, lambda line: line.rounds),
    )


def known_words(line: SeatLine) -> str:
    """Return the name that the book has for the player of a seat; nothing where pages show it as reported.

    >>> line = SeatLine(1, "90000001", "HERON, ALICE", "Heron, Alice", 0.0, ())
    >>> known_words(line), known_words(line._replace(known="Tansy, Lin"))
    ('', 'Lin Tansy')
    """
    if line.known is None or person_name(line.known).casefold() == person_name(line.name).casefold():
        return ""
    return person_name(line.known) or NO_NAME


def _led_to_game(number: int, section: int, in_round: int) -> Callable[[SeatLine], str]:
    return lambda line: links.FIX_GAME(number, section, line.seat, in_round)


def _named(place: Place, seats: Mapping[Seat, SeatLine], players: Mapping[str, Seat]) -> str:
    """Return a place with the name of the player whose seat it is; who has no id is named by the seat."""
    if len(place.players) == 1 and is_seat_id(place.players[0]) and place.players[0] in players:
        section, seat = players[place.players[0]]
        place = place.but(players=(), section=section, seats=(seat,))
    line = seats.get((place.section or 0, place.seats[0])) if place.seats else None
    return str(place) if line is None else f"{place} ({person_name(line.name) or line.player})"


def _mended_at(
    submission: SubmissionPage, place: Place, seats: Mapping[Seat, SeatLine], players: Mapping[str, Seat]
) -> str:
    """Return where what a finding says of a place can be mended, if it is one of the report."""
    number = submission.line.number
    if place.section is None:
        at = players.get(place.players[0]) if place.players else None
        return "" if at is None else links.FIX_SEAT(number, *at)
    if not place.seats:
        here = any(place.section == one.section.number for one in submission.sections if one.lines)
        return links.FIX_SECTION(number, place.section) if here else ""
    line = seats.get((place.section, place.seats[0]))
    if line is None:
        return ""
    if place.round is not None and 0 < place.round <= len(line.rounds):
        return links.FIX_GAME(number, place.section, line.seat, place.round)
    return links.FIX_SEAT(number, place.section, line.seat)
