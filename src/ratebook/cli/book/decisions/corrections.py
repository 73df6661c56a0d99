"""Commands that correct results, ids, dates, time controls, sections and facts; and undo it."""

from datetime import date
from functools import partial

import click

from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.cli.book.decisions.members import TEXT, fact_options
from ratebook.cli.book.session import (
    Decision,
    decision_command,
    event_argument,
    member_argument,
    optional_section,
    section_argument,
)
from ratebook.cli.command import bundled
from ratebook.cli.options import FiniteRange, WholeRange, day_option, flag_option, today
from ratebook.model import FloorRequest
from ratebook.office.decisions.events import (
    GameResult,
    answer_floor_request,
    correct_dates,
    correct_member,
    correct_result,
    correct_time_control,
    undo,
    withdraw,
)
from ratebook.office.decisions.marks import OPT_IN_WORD, Mark, decide_mark
from ratebook.office.decisions.members import ChangedFacts, correct_facts, correct_foreign_rating
from ratebook.office.decisions.revision import SectionRef

MOST_RATING = 4_000
"""Above every rating of any list."""

SEAT = (event_argument, section_argument, click.argument("seat", type=WholeRange(min=1), metavar="SEAT"))


@click.group("correct")
def correct_group() -> None:
    """Correct a rated event, a report that waits, or facts about a member.

    EVENT is the id of an event; results, ids, dates and time controls of a report that is not rated yet are corrected
    too, and the number of its submission names it as well. Each correction is a decision with person, time and reason.
    The report is checked like a new one: if that of a rated event has errors, or warnings that are not accepted with
    --accept, nothing is changed; a waiting one is held back. The consequences of what was rated wait for ratebook book
    rerate.
    """


correction = partial(decision_command, within=correct_group)


@correction(
    "result",
    *SEAT,
    click.argument("number", type=WholeRange(min=1), metavar="ROUND"),
    click.argument("result", metavar="RESULT"),
)
@click.option(
    "--opponent-result",
    default="",
    metavar="LETTER",
    help="The opponent's result, if it does not follow from RESULT.",
)
def result_command(
    event: str, section: int, seat: int, number: int, result: str, opponent_result: str
) -> Decision:
    """Change the result of a game for both players: RESULT is the new letter of SEAT (W, D, L, X, F, ...).

    Examples:
      ratebook book correct result 202611140001 1 12 4 D --reason "score sheet of both players"
    """
    game = GameResult(seat, number, result.upper(), opponent_result.upper())
    return lambda book, because: correct_result(book, SectionRef(event, section), game, because)


@correction("member", *SEAT, member_argument)
def member_command(event: str, section: int, seat: int, member: str) -> Decision:
    """Correct a wrong id: the player at SEAT was MEMBER.

    Examples:
      ratebook book correct member 202611140001 1 12 90000012 --reason "digits changed places"
      ratebook book correct member 9 1 12 90000012 --reason "submission 9 waits, with a wrong id" --dry-run
    """
    return lambda book, because: correct_member(book, SectionRef(event, section), seat, member, because)


@correction("dates", event_argument, optional_section)
@day_option("--start", help="First day (default: unchanged).")
@day_option("--end", required=True, help="Last day.")
def dates_command(event: str, section: int | None, start: date | None, end: date) -> Decision:
    """Change the days of a section, or of the event and all its sections, and so their place in history.

    Examples:
      ratebook book correct dates 202611140001 --end 2026-11-15 --reason "two days, said the organizer"
    """
    return lambda book, because: correct_dates(book, SectionRef(event, section), start, end, because)


@correction("time-control", event_argument, section_argument, click.argument("time_control", metavar="TEXT"))
def time_control_command(event: str, section: int, time_control: str) -> Decision:
    """Change the time control of a section to TEXT; other systems may then rate it.

    Examples:
      ratebook book correct time-control 202611140001 2 "G/25;d5" --reason "the report said G/30"
    """
    return lambda book, because: correct_time_control(book, SectionRef(event, section), time_control, because)


@correction("withdraw", event_argument, optional_section)
def withdraw_command(event: str, section: int | None) -> Decision:
    """Withdraw a section, or the event with all its sections: it stays in the book but is no longer rated.

    It is one decision, which undo takes back as one.

    Examples:
      ratebook book correct withdraw 202611140001 --reason "was not announced as rated"
      ratebook book correct withdraw 202611140001 3 --reason "casual games"
    """
    return lambda book, because: withdraw(book, SectionRef(event, section), because)


@correction("facts", member_argument)
@bundled(
    "facts",
    ChangedFacts,
    click.option("--name", type=TEXT, metavar="TEXT", help="The name, last name first."),
    *fact_options,
)
@flag_option("--fide-opt-in", help="Foreign FIDE events that begin after today update the member's rating.")
def facts_command(member: str, facts: ChangedFacts, *, fide_opt_in: bool) -> Decision:
    """Change facts about MEMBER; or enter that MEMBER opts in to foreign FIDE events.

    Initial ratings depend on age and home. A text is removed by an empty one: --club "". The opt-in is a decision of
    today; ratebook book adjust opt-in knows other days, and the opt-out.

    Examples:
      ratebook book correct facts 90000012 --birth-date 2014-05-02 --reason "birth certificate seen"
      ratebook book correct facts 90000012 --fide-id 99900012 --club "Lincoln School" --reason "letter"
    """
    if facts.name is not None and not facts.name:
        raise click.UsageError("A member needs a name; ratebook book erase removes personal data.")
    if fide_opt_in:
        if any(value is not None for value in facts):
            raise click.UsageError("--fide-opt-in stands alone: it is a decision of its own.")
        return lambda book, because: decide_mark(book, Mark(member, OPT_IN_WORD, today()), because)
    if all(value is None for value in facts):
        raise click.UsageError("No fact is given; give at least one of the options.")
    return lambda book, because: correct_facts(book, member, facts, because)


@correction("foreign-rating")
@member_argument
@click.argument("source", type=click.Choice(["fide", "cfc"]))
@click.option(
    "--rating", type=FiniteRange(min=1, max=MOST_RATING), metavar="R", help="The rating in that list."
)
@flag_option("--remove", help="The member was not in that list.")
@day_option("--list-date", required=True, help="The day of the list.")
def foreign_rating_command(
    member: str, source: str, rating: float | None, list_date: date, *, remove: bool
) -> Decision:
    """Enter, change or remove the FIDE or CFC rating of MEMBER in one list.

    Examples:
      ratebook book correct foreign-rating 90000012 fide --rating 2015 --list-date 2026-11-01 --reason "FIDE list"
    """
    if remove == (rating is not None):
        raise click.UsageError("Give either --rating or --remove.")
    listed = ListedForeign(source, list_date, rating)
    return lambda book, because: correct_foreign_rating(book, member, listed, because)


@decision_command("undo")
@click.argument("decision", type=WholeRange(min=1), metavar="DECISION")
def undo_command(decision: int) -> Decision:
    """Undo DECISION, by its number: what was there before is valid again.

    It can be the correction of an event, a merge, or a decision about a floor, a ceiling or a rating, which then counts
    as never made; ratebook book adjust --lift ends a floor or a ceiling from a day on instead.

    Examples:
      ratebook book decisions
      ratebook book undo 17 --reason "the score sheet was of another game"
    """
    return lambda book, because: undo(book, decision, because)


@decision_command("grant", *SEAT)
def grant_command(event: str, section: int, seat: int) -> Decision:
    """Grant the request of the player at SEAT to lower the floor after a match.

    Examples:
      ratebook book grant 202611140001 1 2 --reason "asked for in writing"
    """
    return _answer(FloorRequest.GRANTED, SectionRef(event, section), seat)


@decision_command("deny", *SEAT)
def deny_command(event: str, section: int, seat: int) -> Decision:
    """Deny the request of the player at SEAT to lower the floor after a match.

    Examples:
      ratebook book deny 202611140001 1 2 --reason "the second match in a year"
    """
    return _answer(FloorRequest.DENIED, SectionRef(event, section), seat)


def _answer(answer: FloorRequest, at: SectionRef, seat: int) -> Decision:
    return lambda book, because: answer_floor_request(book, at, seat, answer, because)
