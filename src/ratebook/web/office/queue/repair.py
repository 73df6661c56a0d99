"""Mending a report that waits, in a form: who sat on a seat, the result of a game, what is said of a section."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.facts.members import MemberQuestion, find_members
from ratebook.book.facts.similar_members import similar_members
from ratebook.book.submissions import read_submission, revisions_of
from ratebook.findings import Finding
from ratebook.model import Section, SectionType
from ratebook.office.decisions import actions
from ratebook.office.decisions.changes import RESULTS
from ratebook.office.decisions.events import (
    GameResult,
    SectionFacts,
    correct_member,
    correct_result,
    correct_section,
)
from ratebook.office.decisions.revision import DecisionResult, SectionRef
from ratebook.pages.columns import shown
from ratebook.pages.member import FOUND
from ratebook.pages.submission import SeatLine, submission_page
from ratebook.web.forms.actions import input_of
from ratebook.web.forms.context import REASON, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer, form_key
from ratebook.web.office import links
from ratebook.web.rendering import html_table
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.site import Site

FIX = links.FIX_SECTION
FOUND_AT_MOST = 10
MEMBER = input_of(actions.MEMBER)._replace(hint="Of the member who played.")
RESULT = input_of(actions.RESULT)
OTHERS = input_of(actions.OPPONENT_RESULT)._replace(name="opponents")
TIME_CONTROL = input_of(actions.TIME_CONTROL)._replace(needed=False)
FACTS = (
    Input("name", "Name", needed=False),
    Input("start", "First day", InputKind.DATE, needed=False),
    Input("end", "Last day", InputKind.DATE, hint="It decides on the place in history, and on the rules."),
    TIME_CONTROL,
    Input("type", "Type", InputKind.CHOICE, choices=[(one.value, one.value) for one in SectionType]),
    Input("online", "Played online", InputKind.CHECK, needed=False),
)


class Broken(NamedTuple):
    """What is mended: a section of a report that waits, perhaps one of its seats."""

    number: int
    event: str
    section: Section
    seats: dict[int, SeatLine]

    @property
    def ref(self) -> SectionRef:
        """Return the section, as a correction names it."""
        return SectionRef(self.event, self.section.number, self.number)


def _broken(site: Site, number: int, section: int) -> Broken | None:
    """Return a section of a report; None where it waits no more.

    Raises:
        BookError: there is no such submission.
        NotFoundException: the report has no such section.
    """
    with site.reading() as reader:
        submission = submission_page(reader.connection, number)
    if not submission.waits:
        return None
    for one in submission.sections:
        if one.section.number == section:
            return Broken(number, submission.line.event, one.section, {line.seat: line for line in one.lines})
    raise NotFoundException


def _mended(
    context: RequestContext,
    broken: Broken,
    inputs: Sequence[Input],
    work: Callable[[], DecisionResult],
    again: Callable[[Sequence[Finding], int], Response[bytes]],
) -> Answer:
    """Change the report, and go to the version of it that waits now."""

    def decided() -> str:
        made(work())
        with context.site.reading() as reader:
            row = read_submission(reader.connection, broken.number)
            assert row is not None  # noqa: S101 - it was replaced just now
            return links.SUBMISSION(revisions_of(reader.connection, row)[-1].id)

    return context.decide(inputs, decided, again)


@shown_to(Needs.OFFICE, FIX, costly=True)
def section_form(context: TheContext, number: FromPath[int], section: FromPath[int]) -> Answer:
    """Show what a report says of a section, to be changed."""
    broken = _broken(context.site, number, section)
    if broken is None:
        return onward(links.SUBMISSION(number))
    one = broken.section
    values = {asked.name: shown(getattr(one, asked.name)) for asked in FACTS}
    return _section_page(context, broken, {**values, "online": "yes" if one.online else ""})


@done_by(Needs.OFFICE, FIX, costly=True)
def change_section(context: TheContext, number: FromPath[int], section: FromPath[int]) -> Answer:
    """Change what a report says of a section."""
    broken, inputs = _broken(context.site, number, section), (*FACTS, REASON)
    if broken is None:
        return onward(links.SUBMISSION(number))

    def work() -> DecisionResult:
        end = context.sent.day("end")
        assert end is not None  # noqa: S101 - it was read
        control = context.sent.text("time_control") or None
        facts = SectionFacts(
            context.sent.text("name"),
            context.sent.day("start"),
            end,
            control,
            SectionType(context.sent.text("type")),
            context.sent.is_checked("online"),
        )
        return correct_section(context.site.book, broken.ref, facts, context.because)

    def again(findings: Sequence[Finding], status: int) -> Response[bytes]:
        return _section_page(context, broken, context.sent.values(inputs), findings, status)

    return _mended(context, broken, inputs, work, again)


def _section_page(
    context: RequestContext,
    broken: Broken,
    values: dict[str, str],
    findings: Sequence[Finding] = (),
    status: int = 200,
) -> Response[bytes]:
    address = links.FIX_SECTION(broken.number, broken.section.number)
    form = Form(address, "Change the section", (*FACTS, REASON), values, findings, form_key(context.gate))
    return context.page("office/queue/section.html", status=status, broken=broken, form=form)


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
    broken = _broken(context.site, number, section)
    if broken is None:
        return onward(links.SUBMISSION(number))
    context = context.saying({MEMBER.name: member})
    return _seat_page(context, broken, _line(broken, seat), " ".join(q.split()))


@done_by(Needs.OFFICE, links.FIX_SEAT, costly=True)
def change_seat(
    context: TheContext, number: FromPath[int], section: FromPath[int], seat: FromPath[int]
) -> Answer:
    """Put another member on a seat."""
    broken = _broken(context.site, number, section)
    if broken is None:
        return onward(links.SUBMISSION(number))
    line = _line(broken, seat)

    def work() -> DecisionResult:
        return correct_member(
            context.site.book, broken.ref, seat, context.sent.text(MEMBER.name), context.because
        )

    def again(findings: Sequence[Finding], status: int) -> Response[bytes]:
        return _seat_page(context, broken, line, "", findings, status)

    return _mended(context, broken, (MEMBER, REASON), work, again)


def _line(broken: Broken, seat: int) -> SeatLine:
    if seat not in broken.seats:
        raise NotFoundException
    return broken.seats[seat]


def _seat_page(
    context: RequestContext,
    broken: Broken,
    line: SeatLine,
    words: str,
    findings: Sequence[Finding] = (),
    status: int = 200,
) -> Response[bytes]:
    address = links.FIX_SEAT(broken.number, broken.section.number, line.seat)
    with context.site.reading() as reader:
        if words:
            members, _ = find_members(reader.connection, MemberQuestion(words, most=FOUND_AT_MOST))
        else:
            near = similar_members(reader.connection, line.player, line.name)
            members = [
                member
                for known, _ in near
                for member in find_members(reader.connection, MemberQuestion(known))[0]
            ]
    inputs = (MEMBER, REASON)
    form = Form(
        address,
        "Put this member on the seat",
        inputs,
        context.sent.values(inputs),
        findings,
        form_key(context.gate),
    )
    caption = "Members who are found" if words else "Members who may be meant"
    chosen = html_table(
        caption, FOUND, members, {"ID": lambda member: f"{address}?member={quote(member.id)}"}, heads="Name"
    )
    return context.page(
        "office/queue/seat.html",
        status=status,
        broken=broken,
        line=line,
        words=words,
        found=chosen,
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
    broken = _broken(context.site, number, section)
    if broken is None:
        return onward(links.SUBMISSION(number))
    return _game_page(context, broken, seat, in_round)


@done_by(Needs.OFFICE, links.FIX_GAME, costly=True)
def change_game(
    context: TheContext,
    number: FromPath[int],
    section: FromPath[int],
    seat: FromPath[int],
    in_round: FromPath[int],
) -> Answer:
    """Change the result of a game, from both sides."""
    broken = _broken(context.site, number, section)
    if broken is None:
        return onward(links.SUBMISSION(number))

    def work() -> DecisionResult:
        game = GameResult(seat, in_round, context.sent.text(RESULT.name), context.sent.text(OTHERS.name))
        return correct_result(context.site.book, broken.ref, game, context.because)

    return _mended(
        context, broken, (RESULT, OTHERS, REASON), work, partial(_game_page, context, broken, seat, in_round)
    )


def _game_page(
    context: RequestContext,
    broken: Broken,
    seat: int,
    in_round: int,
    findings: Sequence[Finding] = (),
    status: int = 200,
) -> Response[bytes]:
    line = _line(broken, seat)
    entry = next(one for one in broken.section.entries if one.seat == seat)
    if not 1 <= in_round <= len(entry.rounds):
        raise NotFoundException
    cell = entry.rounds[in_round - 1]
    inputs = (RESULT, OTHERS, REASON)
    values = context.sent.values(inputs) if findings else {RESULT.name: cell.letter}
    address = links.FIX_GAME(broken.number, broken.section.number, seat, in_round)
    form = Form(address, "Change the result", inputs, values, findings, form_key(context.gate))
    return context.page(
        "office/queue/game.html",
        status=status,
        broken=broken,
        line=line,
        in_round=in_round,
        now=RESULTS[cell.letter],
        colour={"w": "white", "b": "black"}.get(cell.colour, ""),
        opponent=broken.seats.get(cell.opponent or 0),
        form=form,
    )
