"""Commands that correct what is rated: results, ids, dates, time controls, sections, facts; and undo it."""

from datetime import date

import click

from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.cli.book.session import decide, reason_option
from ratebook.cli.command import command
from ratebook.cli.options import DAY, FiniteRange
from ratebook.cli.show import json_option
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
from ratebook.office.decisions.members import ChangedFacts, correct_facts, correct_foreign_rating
from ratebook.office.decisions.revision import SectionRef

MOST_RATING = 4_000
"""Above every rating of any list."""

event_argument = click.argument("event", metavar="EVENT")
section_argument = click.argument("section", type=click.IntRange(min=1), metavar="SECTION")
seat_argument = click.argument("seat", type=click.IntRange(min=1), metavar="SEAT")
member_argument = click.argument("member", metavar="MEMBER")


@click.group("correct")
def correct_group() -> None:
    """Correct a rated event, or facts of a member that move initial ratings.

    Each correction is a decision with person, moment and reason. The event's report is checked as a new one is; where
    errors stand, nothing is changed. What follows from it waits for ratebook book rerate.
    """


@command("result", reason_option, json_option, within=correct_group)
@event_argument
@section_argument
@seat_argument
@click.argument("number", type=click.IntRange(min=1), metavar="ROUND")
@click.argument("result", metavar="RESULT")
@click.option(
    "--opponent-result",
    default="",
    metavar="LETTER",
    help="What the opponent has, where it does not follow from RESULT.",
)
def result_command(
    event: str,
    section: int,
    seat: int,
    number: int,
    result: str,
    opponent_result: str,
    reason: str,
) -> None:
    """Change the result of a game, from both sides: RESULT is the letter that SEAT shall have (W, D, L, X, F, ...).

    Examples:
      ratebook book correct result 202611140001 1 12 4 D --reason "score sheet of both players"
    """
    game = GameResult(seat, number, result.upper(), opponent_result.upper())
    decide(reason, lambda book, because: correct_result(book, SectionRef(event, section), game, because))


@command(
    "member",
    event_argument,
    section_argument,
    seat_argument,
    member_argument,
    reason_option,
    json_option,
    within=correct_group,
)
def member_command(event: str, section: int, seat: int, member: str, reason: str) -> None:
    """Say that MEMBER sat on SEAT: the report had a wrong id.

    Examples:
      ratebook book correct member 202611140001 1 12 90000012 --reason "digits changed places"
    """
    decide(
        reason, lambda book, because: correct_member(book, SectionRef(event, section), seat, member, because)
    )


@command("dates", reason_option, json_option, within=correct_group)
@event_argument
@click.argument("section", type=click.IntRange(min=1), required=False, metavar="[SECTION]")
@click.option("--start", type=DAY, metavar="DATE", help="First day (default: as it is).")
@click.option("--end", type=DAY, required=True, metavar="DATE", help="Last day.")
def dates_command(event: str, section: int | None, start: date | None, end: date, reason: str) -> None:
    """Change the days of a section, or of the event and all its sections; its place in history moves with them.

    Examples:
      ratebook book correct dates 202611140001 --end 2026-11-15 --reason "two days, said the organizer"
    """
    decide(reason, lambda book, because: correct_dates(book, SectionRef(event, section), start, end, because))


@command("time-control", reason_option, json_option, within=correct_group)
@event_argument
@section_argument
@click.argument("time_control", metavar="TEXT")
def time_control_command(event: str, section: int, time_control: str, reason: str) -> None:
    """Change the time control of a section to TEXT, and with it perhaps the systems that rate it.

    Examples:
      ratebook book correct time-control 202611140001 2 "G/25;d5" --reason "the report said G/30"
    """
    decide(
        reason,
        lambda book, because: correct_time_control(book, SectionRef(event, section), time_control, because),
    )


@command("withdraw", event_argument, section_argument, reason_option, json_option, within=correct_group)
def withdraw_command(event: str, section: int, reason: str) -> None:
    """Withdraw a section: it stays in the book and is rated no longer.

    Examples:
      ratebook book correct withdraw 202611140001 3 --reason "was not announced as rated"
    """
    decide(reason, lambda book, because: withdraw(book, SectionRef(event, section), because))


@command("facts", member_argument, reason_option, json_option, within=correct_group)
@click.option("--birth-date", type=DAY, metavar="DATE", help="It is stored, and printed nowhere.")
@click.option(
    "--adult/--not-adult", default=None, help="Known to be of age, where the birth date is not known."
)
@click.option(
    "--canadian-resident/--not-canadian-resident", default=None, help="CFC ratings count for residents."
)
@click.option("--usa-flag/--no-usa-flag", default=None, help="Plays under the US flag in FIDE's list.")
@click.option("--fide-opt-in/--no-fide-opt-in", default=None, help="Wants foreign FIDE events to be rated.")
def facts_command(
    member: str,
    birth_date: date | None,
    reason: str,
    *,
    adult: bool | None,
    canadian_resident: bool | None,
    usa_flag: bool | None,
    fide_opt_in: bool | None,
) -> None:
    """Change facts of MEMBER from which an initial rating follows.

    Examples:
      ratebook book correct facts 90000012 --birth-date 2014-05-02 --reason "birth certificate seen"
    """
    facts = ChangedFacts(birth_date, adult, canadian_resident, usa_flag, fide_opt_in)
    if all(value is None for value in facts):
        raise click.UsageError("No fact is given; give at least one of the options.")
    decide(reason, lambda book, because: correct_facts(book, member, facts, because))


@command("foreign-rating", reason_option, json_option, within=correct_group)
@member_argument
@click.argument("source", type=click.Choice(["fide", "cfc"]))
@click.option(
    "--rating", type=FiniteRange(min=1, max=MOST_RATING), metavar="R", help="The rating in that list."
)
@click.option("--remove", is_flag=True, help="The member was not in that list.")
@click.option("--list-date", type=DAY, required=True, metavar="DATE", help="The day of the list.")
def foreign_rating_command(
    member: str,
    source: str,
    rating: float | None,
    list_date: date,
    reason: str,
    *,
    remove: bool,
) -> None:
    """Enter, change or remove the FIDE or CFC rating of MEMBER in one list.

    Examples:
      ratebook book correct foreign-rating 90000012 fide --rating 2015 --list-date 2026-11-01 --reason "FIDE list"
    """
    if remove == (rating is not None):
        raise click.UsageError("Give either --rating or --remove.")
    listed = ListedForeign(source, list_date, rating)
    decide(reason, lambda book, because: correct_foreign_rating(book, member, listed, because))


@command("undo", reason_option, json_option)
@click.argument("decision", type=click.IntRange(min=1), metavar="DECISION")
def undo_command(decision: int, reason: str) -> None:
    """Undo the correction of an event that DECISION made: what stood before it holds again.

    Examples:
      ratebook book decisions
      ratebook book undo 17 --reason "the score sheet was of another game"
    """
    decide(reason, lambda book, because: undo(book, decision, because))


@command("grant", event_argument, section_argument, seat_argument, reason_option, json_option)
def grant_command(event: str, section: int, seat: int, reason: str) -> None:
    """Grant the request of SEAT that a match result lowers the floor.

    Examples:
      ratebook book grant 202611140001 1 2 --reason "asked for in writing"
    """
    _answer(FloorRequest.GRANTED, SectionRef(event, section), seat, reason)


@command("deny", event_argument, section_argument, seat_argument, reason_option, json_option)
def deny_command(event: str, section: int, seat: int, reason: str) -> None:
    """Deny the request of SEAT that a match result lowers the floor.

    Examples:
      ratebook book deny 202611140001 1 2 --reason "the second match in a year"
    """
    _answer(FloorRequest.DENIED, SectionRef(event, section), seat, reason)


def _answer(answer: FloorRequest, at: SectionRef, seat: int, reason: str) -> None:
    decide(reason, lambda book, because: answer_floor_request(book, at, seat, answer, because))
