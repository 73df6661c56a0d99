"""Correcting a report that waits, in a form: who sat on a seat, the result of a game, the facts of a section."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import quote

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.facts.members import MemberQuestion, find_members, names_of
from ratebook.book.facts.near_members import near_members
from ratebook.book.facts.similar_members import similar_members
from ratebook.book.reports import stored_report
from ratebook.book.submissions import read_submission, revisions_of
from ratebook.findings import Place, finding
from ratebook.formats.hints import is_seat_id
from ratebook.model import PlayerFacts, Section, SectionType
from ratebook.office.decisions import actions
from ratebook.office.decisions.events import (
    GameResult,
    SectionFacts,
    correct_member,
    correct_result,
    correct_section,
)
from ratebook.office.decisions.revision import DecisionResult, SectionRef
from ratebook.pages.columns import shown
from ratebook.pages.crosstable import RESULT_WORDS
from ratebook.pages.event import TYPES
from ratebook.pages.member import FOUND
from ratebook.pages.submission import SeatLine, submission_page
from ratebook.web.forms.context import REASON, Again, RefusedError, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Input, InputKind, input_of
from ratebook.web.forms.once import Answer
from ratebook.web.layout.tables import HtmlTable, crosstable_looks, html_table, spelled_out
from ratebook.web.layout.words import person_name
from ratebook.web.office import links
from ratebook.web.office.queue.submission import address_after, known_words, seat_columns
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import ElsewhereError
from ratebook.web.store.log import LogKind

FIX = links.FIX_SECTION
FOUND_AT_MOST = 10
MEMBER = input_of(actions.MEMBER)._replace(hint="Of the member who played.")
RESULT = input_of(actions.RESULT)
OTHERS = input_of(actions.OPPONENT_RESULT)._replace(name="opponents")
TIME_CONTROL = input_of(actions.TIME_CONTROL)._replace(needed=False)
FACTS = (
    Input("name", "Name", needed=False),
    input_of(actions.FIRST_DAY)._replace(hint=""),
    input_of(actions.LAST_DAY)._replace(hint="Sections are rated in the order of their last days."),
    TIME_CONTROL,
    Input("type", "Type", InputKind.CHOICE, choices=TYPES),
    Input("online", "Played online", InputKind.CHECK, needed=False),
)


class WaitingSection(NamedTuple):
    """A section of a report that waits, to be corrected."""

    number: int
    event: str
    section: Section
    seats: dict[int, SeatLine]

    @property
    def ref(self) -> SectionRef:
        """Return the section, as a correction names it."""
        return SectionRef(self.event, self.section.number, self.number)

    def seat(self, number: int) -> SeatLine:
        """Return a seat.

        Raises:
            NotFoundException: there is none of this number.
        """
        if number not in self.seats:
            raise NotFoundException
        return self.seats[number]


def _row(waiting: WaitingSection, line: SeatLine) -> HtmlTable:
    """Return the line of the crosstable that a form is about."""
    caption = f"Seat {line.seat} of section {waiting.section.number}, as reported"
    columns = seat_columns([line])
    return html_table(caption, columns, [line], heads="Name", looks=crosstable_looks(columns))


def _section(context: RequestContext, number: int, section: int) -> WaitingSection:
    """Return a section of a report that waits."""
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)
    if not submission.waits:
        raise ElsewhereError(links.SUBMISSION(number))
    for reported in submission.sections:
        if reported.section.number == section:
            seats = {line.seat: line for line in reported.lines}
            return WaitingSection(number, submission.line.event, reported.section, seats)
    raise NotFoundException


def _corrected(
    context: RequestContext,
    number: int,
    inputs: Sequence[Input],
    work: Callable[[], DecisionResult],
    again: Again,
) -> Answer:
    """Change a report, and go to the version of it that waits now, or to the next report if nothing holds that back."""

    def decided() -> str:
        made(work())
        with context.site.reading() as reader:
            row = read_submission(reader.connection, number)
            assert row is not None  # noqa: S101 - it was replaced just now
            newest = revisions_of(reader.connection, row)[-1].id
        return address_after(context, newest)

    return context.decide(inputs, decided, again)


@shown_to(Needs.OFFICE, FIX, costly=True)
def section_form(context: TheContext, number: FromPath[int], section: FromPath[int]) -> Answer:
    """Show what a report says of a section, to be changed."""
    return _section_page(context, _section(context, number, section))


@done_by(Needs.OFFICE, FIX, costly=True)
def change_section(context: TheContext, number: FromPath[int], section: FromPath[int]) -> Answer:
    """Change what a report says of a section."""
    waiting, sent = _section(context, number, section), context.sent

    def work() -> DecisionResult:
        end = sent.day("end")
        assert end is not None  # noqa: S101 - it was read
        facts = SectionFacts(
            name=sent.text("name"),
            start=sent.day("start"),
            end=end,
            time_control=sent.text("time_control") or None,
            type=SectionType(sent.text("type")),
            online=sent.is_checked("online"),
        )
        return correct_section(context.site.book, waiting.ref, facts, context.because)

    return _corrected(
        context, number, (*FACTS, REASON), work, lambda refused: _section_page(refused, waiting)
    )


def _section_page(context: RequestContext, waiting: WaitingSection) -> Response[bytes]:
    section = waiting.section
    values = {asked.name: shown(getattr(section, asked.name)) for asked in FACTS}
    values["online"] = "yes" if section.online else ""
    address = links.FIX_SECTION(waiting.number, section.number)
    form = context.form(address, "Change the section", (*FACTS, REASON), values)
    return context.page("office/queue/section.html", broken=waiting, form=form)


@shown_to(Needs.OFFICE, links.FIX_SEAT, costly=True)
def seat_form(
    context: TheContext,
    number: FromPath[int],
    section: FromPath[int],
    seat: FromPath[int],
    q: FromQuery[str] = "",
    member: FromQuery[str] = "",
) -> Answer:
    """Show who sits on a seat, who may be meant, and a search by name."""
    waiting = _section(context, number, section)
    return _seat_page(context.saying({MEMBER.name: member}), waiting, seat, " ".join(q.split()))


@done_by(Needs.OFFICE, links.FIX_SEAT, costly=True)
def change_seat(
    context: TheContext, number: FromPath[int], section: FromPath[int], seat: FromPath[int]
) -> Answer:
    """Put another member on a seat."""
    waiting = _section(context, number, section)
    waiting.seat(seat)

    def work() -> DecisionResult:
        member = context.sent.text(MEMBER.name)
        with context.site.reading() as reader:
            if not names_of(reader.connection, [member]):
                raise RefusedError([finding("member-unknown.id", Place(input=MEMBER.name))])
        return correct_member(context.site.book, waiting.ref, seat, member, context.because)

    return _corrected(
        context, number, (MEMBER, REASON), work, lambda refused: _seat_page(refused, waiting, seat)
    )


def facts_of_seat(context: RequestContext, number: int, section: int, seat: int) -> PlayerFacts | None:
    """Return what a report that waits says of the player of a seat; a look at private facts is noted in the log."""
    waiting = _section(context, number, section)
    with context.site.reading() as reader:
        row = read_submission(reader.connection, number)
        facts = None if row is None else stored_report(row)[0].players.get(waiting.seat(seat).player)
    if facts is not None and (facts.birth_date or facts.adult):
        with context.gate.store.writing() as log:
            context.note(log, LogKind.PRIVATE_VIEWED, f"submission {number}, seat {seat}")
    return facts


def _seat_page(
    context: RequestContext, waiting: WaitingSection, seat: int, words: str = ""
) -> Response[bytes]:
    line, address = waiting.seat(seat), links.FIX_SEAT(waiting.number, waiting.section.number, seat)
    with context.site.reading() as reader:
        if words:
            members, _ = find_members(reader.connection, MemberQuestion(words, most=FOUND_AT_MOST))
            members = members or near_members(reader.connection, words)
        else:
            near = similar_members(reader.connection, line.player, line.name)
            members = [
                member
                for known, _ in near
                for member in find_members(reader.connection, MemberQuestion(known))[0]
            ]
    caption = "Members found" if words else "Members who may be meant"
    members_table = html_table(
        caption,
        spelled_out(FOUND, "Name", words=person_name),
        members,
        {"ID": lambda member: f"{address}?member={quote(member.id)}"},
        heads="Name",
    )
    form = context.form(address, "Assign this member", (MEMBER, REASON))
    return context.page(
        "office/queue/seat.html",
        broken=waiting,
        row=_row(waiting, line),
        line=line,
        known=known_words(line),
        has_id=not is_seat_id(line.player),
        facts=facts_of_seat(context, waiting.number, waiting.section.number, seat),
        words=words,
        found=members_table,
        form=form,
    )


@shown_to(Needs.OFFICE, links.FIX_GAME, costly=True)
def game_form(
    context: TheContext,
    number: FromPath[int],
    section: FromPath[int],
    seat: FromPath[int],
    in_round: FromPath[int],
) -> Answer:
    """Show a game, and the results that it may have had."""
    return _game_page(context, _section(context, number, section), seat, in_round)


@done_by(Needs.OFFICE, links.FIX_GAME, costly=True)
def change_game(
    context: TheContext,
    number: FromPath[int],
    section: FromPath[int],
    seat: FromPath[int],
    in_round: FromPath[int],
) -> Answer:
    """Change the result of a game, from both sides."""
    waiting = _section(context, number, section)

    def work() -> DecisionResult:
        game = GameResult(seat, in_round, context.sent.text(RESULT.name), context.sent.text(OTHERS.name))
        return correct_result(context.site.book, waiting.ref, game, context.because)

    def again(refused: RequestContext) -> Response[bytes]:
        return _game_page(refused, waiting, seat, in_round)

    return _corrected(context, number, (RESULT, OTHERS, REASON), work, again)


def _game_page(context: RequestContext, waiting: WaitingSection, seat: int, in_round: int) -> Response[bytes]:
    line = waiting.seat(seat)
    entry = next(entry for entry in waiting.section.entries if entry.seat == seat)
    if not 1 <= in_round <= len(entry.rounds):
        raise NotFoundException
    cell = entry.rounds[in_round - 1]
    address = links.FIX_GAME(waiting.number, waiting.section.number, seat, in_round)
    opponent = waiting.seats.get(cell.opponent or 0)
    results = [
        asked._replace(label=f"Result of {person_name(player.name) or player.player}")
        for asked, player in ((RESULT, line), (OTHERS, opponent))
        if player
    ]
    form = context.form(address, "Change the result", (*results, REASON), {RESULT.name: cell.letter})
    return context.page(
        "office/queue/game.html",
        broken=waiting,
        row=_row(waiting, line),
        line=line,
        in_round=in_round,
        now=RESULT_WORDS[cell.letter],
        colour={"w": "white", "b": "black"}.get(cell.colour, ""),
        opponent=opponent,
        form=form,
    )
