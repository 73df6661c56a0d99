"""Commands that read the book: members, events, crosstables, histories, explanations, rankings, norms, titles."""

from collections.abc import Iterator, Sequence
from datetime import date

import click

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.events import EventQuestion, find_events, list_sections
from ratebook.book.facts.members import MemberQuestion, find_members, holding_id, names_of
from ratebook.book.facts.near_members import near_words
from ratebook.book.ledger.careers import earned_norms, earned_titles
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.profile import read_federation
from ratebook.cli.book.session import (
    event_argument,
    known_members,
    meant_words,
    member_argument,
    one_event,
    one_member,
    open_session,
    optional_event,
    optional_section,
    reading,
    what_waits,
)
from ratebook.cli.command import bundled, command, option
from ratebook.cli.options import (
    WholeRange,
    day_option,
    default_option,
    flag_option,
    public_option,
    short_option,
    system_option,
    systems_option,
    today,
)
from ratebook.cli.output import TextTable, title_of
from ratebook.cli.report.crosstables import crosstable_as_table, legend_of, with_quick_beside
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.formats.reading.fields import shown as quoted
from ratebook.model import System
from ratebook.office.rating.standings import updates_of_event
from ratebook.pages.changes import CHANGES, history_changes
from ratebook.pages.columns import counted, event_title, used_columns
from ratebook.pages.event import EVENTS, SECTIONS, event_page, result_columns, section_tables
from ratebook.pages.member import FOUND, HISTORY, NORMS, TITLES, history, member_page, rating_columns
from ratebook.pages.official.lists import missing_words
from ratebook.pages.official.ranking import AGE_BANDS, RANKING, age_day, band_words, ranking
from ratebook.pages.opponents import GAMES
from ratebook.pages.players.comparison import (
    RECORDS,
    SCORES_BY_COLOUR,
    common_columns,
    compared,
    meetings_of,
    rating_columns_of,
    ratings_beside,
)
from ratebook.pages.players.search import matches_columns, with_ratings
from ratebook.records.players import Player, SectionResult
from ratebook.records.system_titles import SYSTEM_TITLES

MOST_PLACES = 100_000

on_option = day_option("--on", "Show the official ratings of this day (default: today).")


@command("member", on_option, json_option)
@click.argument("who", metavar="ID|NAME")
def member_command(who: str, on: date | None) -> None:
    """Show a member by id, name or parts of either, in any order; if several members match, list their ratings.

    Examples:
      ratebook book member 90000012
      ratebook book member "ann adams"
    """
    question = MemberQuestion(who, id_parts=True)
    with reading() as connection:
        federation = read_federation(connection)
        players, total = known_members(connection, question)
        if total > 1:
            matches = with_ratings(connection, federation, players)
            title = _page_title("member", len(players), total, question.most, question.page)
            shown = table(title, used_columns(matches_columns(), matches), matches)
            show("book-member", {"found": players}, shown)
            return
        page = member_page(connection, federation, players[0].id, on or today())
        waits = what_waits(connection)
    show("book-member", {"member": page}, *_member_lines(page), findings=waits)


page_options = (
    default_option("--most N", "Number of lines on a page.", WholeRange(1, MOST_PLACES), default=50),
    default_option("--page N", "Page to show.", WholeRange(1, MOST_PLACES), default=1),
)


@command("members", json_option)
@bundled(
    "question",
    MemberQuestion,
    click.argument("text", metavar="[ID|NAME]", default=""),
    option("--club TEXT", "Only members of a club or school whose name contains this.", default=""),
    option("--state TEXT", "Only members of this state.", default=""),
    option("--federation CODE", "Only members of this FIDE federation.", default=""),
    option("--fide-id ID", "Only the member with this FIDE id.", default=""),
    *page_options,
)
def members_command(question: MemberQuestion) -> None:
    """List all members, or those whose names contain all parts of NAME, in any order, with or without accents.

    Examples:
      ratebook book members
      ratebook book members "kim noah"
      ratebook book members --club "lincoln school" --page 2
    """
    with reading() as connection:
        players, total = find_members(connection, question._replace(id_parts=True))
        none = (
            "The list has no such page."
            if total
            else f"No member matches. {meant_words(connection, question.text)}"
        )
    title = _page_title("member", len(players), total, question.most, question.page)
    lines = table(title, used_columns(FOUND, players), players, none=none.strip())
    show("book-members", {"members": players, "total": total}, lines)


def _page_title(noun: str, shown: int, total: int, most: int, page: int) -> str:
    """Return how many there are, and which of them the page shows where it does not show all."""
    words = counted(total, noun)
    first = (page - 1) * most + 1
    return words if shown == total else f"{words}: {first:,} to {first + shown - 1:,} (--page {page})"


@command("events", json_option)
@bundled(
    "question",
    EventQuestion,
    click.argument("text", metavar="[ID|NAME]", default=""),
    day_option("--since", "Only events that ended on this day or later."),
    day_option("--until", "Only events that began on this day or earlier."),
    option("--state TEXT", "Only events in this state.", default=""),
    option(
        "--withdrawn/--not-withdrawn",
        "Only events that are withdrawn, or only those that are not.",
        default=None,
    ),
    *page_options,
)
def events_command(question: EventQuestion) -> None:
    """List all rated events, the latest first, or those whose names contain all parts of NAME, with or without accents.

    Reports that are not rated yet are in the queue (ratebook book queue).

    Examples:
      ratebook book events
      ratebook book events "spring open" --since 2026-01-01
    """
    with reading() as connection:
        events, total = find_events(connection, question)
        meant = "" if total else near_words(connection, question.text, schema.events.c.name)
    title = _page_title("event", len(events), total, question.most, question.page)
    words = f'No event matches. Perhaps "{meant}" is meant.' if meant else "No event matches."
    none = words if not total else "The list has no such page."
    show("book-events", {"events": events, "total": total}, table(title, EVENTS, events, none=none))


def _member_lines(page: Player) -> Iterator[TextTable | str]:
    yield ", ".join(
        part for part in (page.id, page.title, page.name or "(no name)", page.state, page.federation) if part
    )
    if page.club:
        yield f"Club or school: {page.club}"
    if page.fide_id:
        yield f"FIDE id: {page.fide_id}"
    if page.earlier_ids:
        yield f"Earlier ids: {', '.join(page.earlier_ids)}"
    yield f"Rated sections: {page.rated_sections}\n"
    if page.ratings:
        yield table("Ratings", used_columns(rating_columns(page.official_list), page.ratings), page.ratings)
        if missing := missing_words(page.official_list, page.missing_list):
            yield f"{missing}\n"
    if page.titles:
        yield table("Titles", TITLES, page.titles)
    if page.norms:
        yield table("Norms", NORMS, page.norms)


@command("norms", member_argument, json_option)
def norms_command(member: str) -> None:
    """Show the norms of MEMBER: level, section, score and expected score.

    Examples:
      ratebook book norms 90000012
    """
    with reading() as connection:
        member = holding_id(connection, one_member(connection, member))
        norms = earned_norms(connection, member)
    shown = table("Norms", NORMS, norms, none="The member has no norm.")
    show("book-norms", {"member": member, "norms": norms}, shown)


@command("titles", member_argument, json_option)
def titles_command(member: str) -> None:
    """Show the titles of MEMBER and the days on which they were earned.

    Examples:
      ratebook book titles 90000012
    """
    with reading() as connection:
        member = holding_id(connection, one_member(connection, member))
        titles = earned_titles(connection, member)
    shown = table("Titles", TITLES, titles, none="The member has no title.")
    show("book-titles", {"member": member, "titles": titles}, shown)


@command("event", event_argument, json_option)
def event_command(event: str) -> None:
    """Show an event and its sections, with the systems that rate each.

    Examples:
      ratebook book event 202611140001
      ratebook book event "fall open"
    """
    with reading() as connection:
        page = event_page(connection, one_event(connection, event))
    days = " to ".join(dict.fromkeys(str(day) for day in (page.start, page.end) if day is not None))
    chief = f"chief TD {page.chief_td}" if page.chief_td else ""
    title = title_of(f"Event {page.id}", page.name, days, page.place, page.affiliate, chief)
    show("book-event", {"event": page}, table(title, SECTIONS, page.sections))


@command("crosstable", event_argument, optional_section, json_option)
def crosstable_command(event: str, section: int | None) -> None:
    """Show the crosstables of EVENT, or of one SECTION of it; the crosstable of a dual-rated section has both ratings.

    Examples:
      ratebook book crosstable 202611140001
      ratebook book crosstable 202611140001 2 --json
    """
    with reading() as connection:
        event = one_event(connection, event)
        tables = section_tables(connection, read_federation(connection), event, section)
        waits = what_waits(connection)
        updates = updates_of_event(connection, event, section)
        sections = [row for row in list_sections(connection, event) if section in {None, row.number}]
    refused = [finding for finding in updates if finding.severity != "note"]
    shown: list[TextTable | str] = []
    for crosstable, quick in with_quick_beside(tables):
        words = (f"Section {crosstable.section}", crosstable.section_name, str(crosstable.end))
        shown.append(crosstable_as_table(crosstable, quick, result_columns(crosstable.lines), *words))
    if legend := legend_of(line for crosstable in tables for line in crosstable.lines):
        shown.append(legend)
    if not tables:
        withdrawn = all(row.withdrawn for row in sections)
        shown = ["It was withdrawn, so it is not rated." if withdrawn else "It is not rated."]
        shown += [f"{_sentence(finding.where)}: {finding.message}" for finding in refused]
    show("book-crosstable", {"sections": tables}, *shown, findings=[*waits, *refused])


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


@command("history", member_argument, systems_option, json_option)
@flag_option("--changes", "Show what re-ratings changed: what a rating was before, until when, and why.")
def history_command(member: str, systems: tuple[System, ...], *, changes: bool) -> None:
    """Show the rated sections of MEMBER, and the ratings that the office adjusted, in chronological order.

    Examples:
      ratebook book history 90000012 --system regular
      ratebook book history 90000012 --changes
    """
    with reading() as connection:
        member, federation = one_member(connection, member), read_federation(connection)
        chosen = list(systems or System)
        changed = history_changes(connection, federation, member, chosen) if changes else []
        lines = [] if changes else history(connection, federation, member, chosen)
        waits = what_waits(connection)
    if changes:
        title = f"{member}: {counted(len(changed), 'rating', 'ratings')} changed by re-ratings"
        shown = table(title, CHANGES, changed, none="No re-rating has changed a rating of this member.")
        show("book-history-changes", {"member": member, "changes": changed}, shown, findings=waits)
        return
    shown = table(_history_title(member, lines), HISTORY, lines, none="The member has no rated section.")
    show("book-history", {"member": member, "sections": lines}, shown, findings=waits)


def _history_title(member: str, lines: Sequence[SectionResult]) -> str:
    """Return how many ratings the member had from how many sections: a section may be rated in two systems."""
    rated = [line for line in lines if not line.moved]
    sections = counted(len({(line.event, line.section) for line in rated}), "rated section", "rated sections")
    by_decision = f", {len(lines) - len(rated)} by decision" if len(rated) < len(lines) else ""
    return f"{member}: {counted(len(rated), 'rating', 'ratings')} from {sections}{by_decision}"


@command("explain", member_argument, optional_event, systems_option, json_option)
@option("--section N", "One section only.", WholeRange(min=1))
@short_option
@public_option
def explain_command(
    member: str,
    event: str | None,
    section: int | None,
    systems: tuple[System, ...],
    *,
    short: bool,
    public: bool,
) -> None:
    """Explain the ratings of MEMBER in EVENT: every step, every number, and every rule with its source.

    Without EVENT, the ratings of the newest event. The section is rated once more, and the figures must equal those
    in the ledger. The explanation is meant for the office, unless --public is given.

    Examples:
      ratebook book explain 90000012
      ratebook book explain 90000012 202611140001
      ratebook book explain "ann adams" "fall open" --public
      ratebook book explain 90000012 202611140001 --system quick --json
    """
    from ratebook.cli.report.explanation import explainer_for, explanation_lines  # noqa: PLC0415 - the other commands need no engine
    from ratebook.office.rating.explain import AskedRatings, explain_rating  # noqa: PLC0415 - as above

    with open_session() as session:
        with session.book.reading() as connection:
            member = one_member(connection, member)
            event, *titles = (
                [one_event(connection, event)] if event else _newest_event(connection, member, systems)
            )
        explanations = explain_rating(
            session.book, member, event, AskedRatings(section, systems), explainer_for(public=public)
        )
    show(
        "book-explain",
        {"explanations": explanations},
        *titles,
        *(line for explanation in explanations for line in explanation_lines(explanation, short=short)),
    )


def _newest_event(connection: Connection, member: str, systems: Sequence[System]) -> list[str]:
    """Return the id of the newest event that *member* has a rating from, and what it is called."""
    ratings = history(connection, read_federation(connection), member, list(systems or System))
    newest = next((rating for rating in reversed(ratings) if rating.event), None)
    if newest is None or newest.event is None:
        fail_with("nothing-to-explain.never", Place(members=(member,)))
    return [newest.event, f"{event_title(newest.event_name, newest.end)} ({newest.event})"]


@command("top", json_option)
@system_option
@default_option("--most N", "Number of members.", WholeRange(1, MOST_PLACES), default=50)
@option("--ages GROUP", f"Only members of an age group: {', '.join(AGE_BANDS)}.", name="band", default="")
@option("--state TEXT", "Only members of this state.", default="")
def top_command(system: System, most: int, band: str, state: str) -> None:
    """Show the highest rated members in a system, among those with enough games for an official rating.

    Ages are those on January 1 of this year. Other groups or days would reveal birth dates.

    Examples:
      ratebook book top --most 10
      ratebook book top --system blitz --ages u12 --state MN
    """
    if band and band not in AGE_BANDS:
        groups = ", ".join(f"{group} ({band_words(group)})" for group in AGE_BANDS)
        fail_with("age-group-unknown", Place(option="--ages"), group=quoted(band), groups=groups)
    with reading() as connection:
        federation = read_federation(connection)
        month = list_in_effect(connection, federation, today()).newest
        lines = ranking(
            connection, federation, system, today=today(), most=most, band=band, state=state, month=month
        )
        waits = what_waits(connection)
    of_age = f", {band_words(band)} on {age_day(today())}" if band else ""
    title = f"{SYSTEM_TITLES[system]}{of_age}: the {len(lines)} highest"
    shown = table(title, RANKING, lines, none="No member is rated in this system.")
    show("book-top", {"system": system, "places": lines}, shown, findings=waits)


two_members = (click.argument("first", metavar="MEMBER"), click.argument("second", metavar="OTHER"))


@command("head-to-head", *two_members, json_option)
def head_to_head_command(first: str, second: str) -> None:
    """Show the rated games of MEMBER against OTHER (ids or names): each game, the score, and what ratings expect.

    The score is that of MEMBER. The expected score follows from the ratings before each section.

    Examples:
      ratebook book head-to-head 90000012 90000034
      ratebook book head-to-head heron "alder, bruno"
    """
    with reading() as connection:
        ids = [holding_id(connection, one_member(connection, member)) for member in (first, second)]
        names = names_of(connection, ids)
        meetings = meetings_of(connection, read_federation(connection), *ids)
        waits = what_waits(connection)
    title = " against ".join(names[member] or member for member in ids)
    content = {"players": ids, "scores": meetings.scores, "games": meetings.games}
    none = f"{title}: they have not met in a rated game."
    shown = [table(title, SCORES_BY_COLOUR, meetings.scores, none=none)]
    if meetings.games:
        number = len({(game.event, game.section, game.round) for game in meetings.games})
        caption = f"{counted(number, 'game')}, the newest first"
        if number < len(meetings.games):
            caption += "; a dual-rated one has two lines"
        shown.append(table(caption, GAMES, meetings.games))
    show("book-head-to-head", content, *shown, findings=waits)


@command("compare", *two_members, system_option, json_option)
def compare_command(first: str, second: str, system: System) -> None:
    """Show MEMBER beside OTHER (ids or names): ratings, records, the score against each other, common opponents.

    Records and common opponents are those of one system.

    Examples:
      ratebook book compare 90000012 90000034
      ratebook book compare heron alder --system quick --json
    """
    with reading() as connection:
        ids = [one_member(connection, member) for member in (first, second)]
        comparison = compared(connection, read_federation(connection), ids[0], ids[1], system, today())
        waits = what_waits(connection)
    players = comparison.players
    title = " and ".join(f"{player.name or '(no name)'} ({player.id})" for player in players)
    shown = [
        table(title, rating_columns_of(comparison), ratings_beside(comparison), none=f"{title}: no ratings."),
        table("All games in the system", RECORDS, list(zip(players, comparison.records, strict=True))),
        table(
            "Against each other",
            SCORES_BY_COLOUR,
            comparison.meetings.scores,
            none="They have not met in a rated game.",
        ),
    ]
    if comparison.common:
        caption = counted(comparison.common_number, "common opponent")
        shown.append(table(caption, common_columns(comparison), comparison.common))
    content = {
        "system": system,
        "members": players,
        "records": comparison.records,
        "scores": comparison.meetings.scores,
        "common_opponents": comparison.common,
    }
    show("book-compare", content, *shown, findings=waits)
