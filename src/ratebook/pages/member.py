"""A member: the page with the current ratings, titles and norms, and the history of rated sections."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import MemberBalance, balances_of
from ratebook.book.facts.members import IDENTITY, StoredMember, holding_id, person_of
from ratebook.book.figures.ranks import active_ratings, is_active
from ratebook.book.ledger.careers import earned_norms, earned_titles, titles_of
from ratebook.book.ledger.history import (
    HistoryRow,
    Series,
    rating_series,
    read_history,
    read_newest,
    results_of,
)
from ratebook.book.ledger.lists import ratings_in_lists
from ratebook.book.ledger.moved_ratings import ADJUSTED, RAISED
from ratebook.book.ledger.official import ListInEffect, list_in_effect, would_be_listed
from ratebook.book.ledger.read import load_standings
from ratebook.book.ledger.rows import Standing
from ratebook.book.profile import Federation
from ratebook.model import Rating, Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns, event_title
from ratebook.pages.crosstable import rating_text
from ratebook.pages.official.lists import month_words
from ratebook.pages.players.figures import next_title, peak_of, played, record_of
from ratebook.pages.ratings import current_rating
from ratebook.records.changes import PlayerNow, RatingNow
from ratebook.records.players import CurrentRating, FoundPlayer, Norm, Player, SectionResult, Title
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.titles.classes import rating_class

FOUND: Columns[FoundPlayer] = (
    Column("ID", "id"),
    Column("Title", "title"),
    Column("Name", "name"),
    Column("State", "state"),
    Column("Federation", "federation"),
    Column("Club", "club"),
    Column("FIDE ID", "fide_id"),
)

TITLES: Columns[Title] = (Column("Title", "name"), Column("Earned", "earned"))

NORMS: Columns[Norm] = (
    Column("Level", "level", "right"),
    Column("Event", lambda one: event_title(one.event_name, one.end)),
    Column("ID", "event"),
    Column("Section", "section", "right"),
    Column("End", "end", "right"),
    Column("Score", "score", "right"),
    Column("Expected", "expected", "right", ".2f"),
)


def rating_columns(official_list: str | None) -> Columns[CurrentRating]:
    """Return the columns of a member's ratings; that of official ones has the month of its list, if there is any."""
    official: Columns[CurrentRating] = ()
    if official_list is not None:
        heading = f"Official, {month_words(official_list)}"
        official = (Column(heading, lambda one: shown_rating(one.official) or "-", "right"),)
    return (
        Column("System", "system", format=SYSTEM_TITLES.__getitem__),
        Column("Now", "current", "right", rating_text),
        *official,
        Column("Class", "rating_class"),
        Column("As of", "as_of", "right"),
        Column("Rank", lambda one: "" if one.rank is None else f"{one.rank.place} of {one.rank.active:,}"),
    )


MOVED_WORDS = {ADJUSTED: "adjusted", RAISED: "raised to the floor"}


def moved_words(row: SectionResult) -> str:
    """Return how the office moved a rating; nothing where a section did."""
    return MOVED_WORDS[row.moved] if row.moved else ""


HISTORY: Columns[SectionResult] = (
    Column("End", "end"),
    Column("Event", "event"),
    Column("Section", "section", "right"),
    Column("Name", "event_name"),
    Column("System", "system"),
    Column("Before", "before", "right", rating_text),
    Column("After", "after", "right", rating_text),
    Column("Change", lambda one: "" if one.change is None else f"{one.change:+.2f}", "right"),
    Column("Class", "rating_class"),
    Column("Score", "score", "right"),
    Column("Games", "games", "right"),
    Column("Note", lambda row: moved_words(row) or ("floor" if row.at_floor else "")),
)


def member_page(connection: Connection, federation: Federation, member: str, on: date) -> Player:
    """Return what anyone may know of a member; *on* chooses the official list.

    Raises:
        BookError: there is no such member.
    """
    return read_career(connection, federation, member, list_in_effect(connection, federation, on)).player


class MemberCareer(NamedTuple):
    """The page of a member, and the series that its ratings come from."""

    player: Player
    series: Series


def read_career(
    connection: Connection, federation: Federation, member: str, in_effect: ListInEffect
) -> MemberCareer:
    """Return the page of a member with the ratings that it comes from.

    Raises:
        BookError: there is no such member.
    """
    person, earlier = person_of(connection, member)
    series = rating_series(connection, person.id)
    points, standings = series
    balances = balances_of(connection, [person.id])
    newest = _newest_ratings({person.id: standings}, balances)[person.id]
    month = in_effect.newest
    listed = {} if month is None else ratings_in_lists(connection, [month], [person.id])
    titles, norms = earned_titles(connection, person.id), earned_norms(connection, person.id)
    rated = played(points)
    ratings = _with_official(federation, newest, listed.get((month or "", person.id), {}))
    page = Player(
        **{name: getattr(person, name) for name in IDENTITY},
        earlier_ids=earlier,
        official_list=month,
        missing_list=in_effect.missing,
        ratings=tuple(
            replace(
                rating,
                games=sum(point.played for point in points.get(rating.system, ())),
                peak=peak_of(
                    federation,
                    rating.system,
                    points.get(rating.system, ()),
                    balances[person.id].get(rating.system),
                ),
                record=record_of(standings.get(rating.system), balances[person.id].get(rating.system)),
            )
            for rating in ratings
        ),
        titles=titles,
        norms=norms,
        next_title=next_title(titles, norms),
        rated_sections=rated.sections,
        rated_games=rated.games,
        first_rated=rated.first,
    )
    career = MemberCareer(page, series)
    if month is None or in_effect.cut_off is None or not any(rating.official for rating in page.ratings):
        return career
    ranked = tuple(_with_ranks(connection, month, in_effect.cut_off, career))
    return career._replace(player=replace(page, ratings=ranked))


def _with_ranks(
    connection: Connection, month: str, cut_off: date, career: MemberCareer
) -> Iterator[CurrentRating]:
    """Yield ratings with the ranks of those that are official, of a player who is active in the system."""
    for rating in career.player.ratings:
        ends = (point.end for point in reversed(career.series.points.get(rating.system, ())))
        if rating.official is None or not is_active(ends, cut_off):
            yield rating
        else:
            among = active_ratings(connection, month, cut_off, rating.system)
            yield replace(rating, rank=among.rank(rating.official.rating, career.player.state))


def _with_official(
    federation: Federation, newest: Sequence[tuple[System, Rating, date]], official: Mapping[System, Shown]
) -> Iterator[CurrentRating]:
    """Yield the ratings of a member in the systems in which there is one now, or in the newest list."""
    now = {system: (rating, as_of) for system, rating, as_of in newest}
    for system in System:
        if system in now:
            rating, as_of = now[system]
            yield CurrentRating(
                system=system,
                rating=rating.rating,
                current=current_rating(federation, system, rating.rating, rating.games, as_of),
                rating_class=rating_class(rating.rating).name,
                official=official.get(system),
                as_of=as_of,
            )
        elif system in official:
            yield CurrentRating(
                system=system, current=None, rating_class="", official=official[system], as_of=None
            )


def would_be_official(
    connection: Connection, federation: Federation, member: str, month: str
) -> dict[System, Shown]:
    """Return what the list of a month would say of a member if it was published now, for the office alone."""
    found = {system: would_be_listed(connection, federation, member, system, month) for system in System}
    return {system: rating for system, rating in found.items() if rating is not None}


def history(
    connection: Connection, federation: Federation, member: str, systems: Sequence[System] = tuple(System)
) -> list[SectionResult]:
    """Return the rated sections and moved ratings of a member, in the order of history.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    return _lines(connection, federation, holding, read_history(connection, holding, systems))


def _newest_ratings(
    standings: Mapping[str, Mapping[System, Standing]], balances: Mapping[str, Mapping[System, MemberBalance]]
) -> dict[str, list[tuple[System, Rating, date]]]:
    """Return the ratings of members, each with the day of the section, or of the opening balance, that gave it."""
    newest: dict[str, list[tuple[System, Rating, date]]] = {member: [] for member in standings}
    for member, ratings in newest.items():
        for system in System:
            standing, balance = standings[member].get(system), balances[member].get(system)
            if standing is not None:
                ratings.append((system, standing.rating, standing.end))
            elif balance is not None:
                ratings.append((system, balance.rating, balance.as_of))
    return newest


def current_ratings(
    connection: Connection, federation: Federation, members: Sequence[str]
) -> dict[str, dict[System, Shown]]:
    """Return the current ratings of members, by the ids under which they are rated."""
    if not members:
        return {}
    newest = _newest_ratings(
        load_standings(connection, members, END_OF_HISTORY), balances_of(connection, members)
    )
    return {
        member: {
            system: current_rating(federation, system, rating.rating, rating.games, as_of)
            for system, rating, as_of in ratings
        }
        for member, ratings in newest.items()
    }


def players_now(
    connection: Connection, federation: Federation, members: Iterable[StoredMember]
) -> dict[str, PlayerNow]:
    """Return members by id as copies of the book have them; an id that was merged has no ratings of its own."""
    facts_of = {member.facts.id: member.facts for member in members}
    ids = list(facts_of)
    standings, balances = load_standings(connection, ids, END_OF_HISTORY), balances_of(connection, ids)
    newest, titles = _newest_ratings(standings, balances), titles_of(connection, ids)

    def ratings(member: str) -> Iterator[RatingNow]:
        for system, rating, as_of in newest.get(member, ()):
            yield RatingNow(
                system=system,
                current=current_rating(federation, system, rating.rating, rating.games, as_of),
                rating_class=rating_class(rating.rating).name,
                as_of=as_of,
            )

    return {
        member: PlayerNow(
            id=member,
            name=facts.name,
            state=facts.state,
            ratings=tuple(ratings(member)),
            titles=titles.get(member, ()),
        )
        for member, facts in facts_of.items()
    }


class HistoryPage(NamedTuple):
    """Some rated sections of a member, the newest first, and the place before which older ones are; empty: none are."""

    lines: tuple[SectionResult, ...]
    older: str


def history_page(  # noqa: PLR0913 - which part of whose history
    connection: Connection,
    federation: Federation,
    member: str,
    systems: Sequence[System] = tuple(System),
    *,
    before: str = END_OF_HISTORY,
    since: str = "",
    most: int,
) -> HistoryPage:
    """Return the newest rated sections of a member from a place to before another."""
    found = read_newest(connection, member, systems, before=before, since=since, most=most)
    return HistoryPage(tuple(_lines(connection, federation, member, found.rows)), found.older)


def _lines(
    connection: Connection, federation: Federation, member: str, rows: Sequence[HistoryRow]
) -> list[SectionResult]:
    sections = {row.section_id for row in rows if row.section_id is not None}
    results = results_of(connection, member, sections) if sections else {}
    return [section_result(federation, row, results.get(row.section_id or 0, "")) for row in rows]


def section_result(federation: Federation, row: HistoryRow, results: str) -> SectionResult:
    """Return a row of a member's ledger as it is shown; *results* are the letters of its rounds."""
    system = System(row.system)
    was_rated = row.source == "rated"
    before = current_rating(federation, system, row.rating_before, row.games_before, row.end)
    return SectionResult(
        event=row.event_id,
        event_name=row.event_name,
        section=row.section,
        section_name=row.section_name,
        end=row.end,
        system=system,
        before=before if was_rated else None,
        after=current_rating(federation, system, row.rating, row.games, row.end),
        rating=row.rating,
        rating_class=rating_class(row.rating).name,
        change=row.rating - row.rating_before if was_rated else None,
        score=row.score,
        games=row.played,
        at_floor=row.floor_applied is not None,
        moved=row.formula if row.formula in MOVED_WORDS else None,
        results=results,
    )
