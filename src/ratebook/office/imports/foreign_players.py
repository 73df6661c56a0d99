"""Who plays abroad: all players with the US flag who have a FIDE-rated game, by a FIDE list or by a report alone.

D25 section 6: each time FIDE publishes a list, "the US Chess office identifies all players who appear with a USA flag
and who have played at least one FIDE-rated game". A list says how many games were rated for it, not in which events.
Nothing is changed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.connection import Connection
from ratebook.book.facts.members import merged_ids, names_of
from ratebook.book.profile import read_federation
from ratebook.findings import Finding, Findings, Place, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.model import PlayerFacts, Report, SectionType, System
from ratebook.office.imports.foreign_ratings import NUMBERS
from ratebook.office.imports.table import reading, rows_of_table
from ratebook.office.queue.check import facts_on
from ratebook.office.rating.standings import MemberStandings
from ratebook.pages.columns import Column, Columns
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import EveryPlayer, ListKind, id_key
from ratebook.rating.foreign import not_eligible_because

UNKNOWN_NUMBER = "the book does not know the number: give --numbers"
NO_MEMBER = "not in the book"


class PlayerAbroad(NamedTuple):
    """A player with the US flag who has FIDE-rated games.

    Attributes:
        number: by which the list or the report knows the player.
        games: rated games in the period of the list, or in the report.
        member: id in the book; empty where it is not known.
        updated: whether foreign events update the rating.
        because: why, or why not.
    """

    number: str
    name: str
    fide: float | None
    games: int
    member: str
    updated: bool
    because: str


ABROAD: Columns[PlayerAbroad] = (
    Column("Number", "number"),
    Column("Name", "name"),
    Column("FIDE", lambda player: "-" if player.fide is None else f"{player.fide:g}", "right"),
    Column("Games", "games", "right"),
    Column("Member", "member"),
    Column("Updated", lambda player: "yes" if player.updated else "no"),
    Column("Because", "because"),
)


class PlayersAbroad(NamedTuple):
    """The players with the US flag who played, by name, on a *day*; *unknown* are those of a report not in the book."""

    day: date
    players: tuple[PlayerAbroad, ...]
    findings: tuple[Finding, ...]
    unknown: int = 0


def players_of_list(
    connection: Connection, path: Path, numbers: Path | None, list_date: date | None, today: date
) -> PlayersAbroad:
    """Return who has the US flag in the FIDE list at *path*, and a game that was rated for it.

    *numbers* is a table of the members' numbers (`foreign_ratings.NUMBERS`); the day is that of the list, else *today*.
    """
    findings = Findings()
    players: list[PlayerAbroad] = []
    day = list_date
    with reading(findings, path):
        member_of = {} if numbers is None else _numbers(numbers, findings)
        with opened_list(path, findings, System.QUICK) as opened:
            if opened.kind is not ListKind.FIDE:
                raise SourceError(finding("list-unknown.not-fide", Place(file=path.name), kind=opened.kind))
            rows = [
                row
                for row in opened.rows(opened.stream, opened.name, EveryPlayer(), findings)
                if row.facts.usa_flag
            ]
            day = day or next((row.as_of for row in rows if row.as_of is not None), None) or today
            if rows and all(row.games is None for row in rows):
                findings.add("fide-list-without-games", Place(file=opened.name))
            played = {row.facts.id: row for row in rows if row.games}
            members = {number: member_of.get(id_key(number), "") for number in played}
            members_known = _known(connection, members.values(), day)
            players = [
                _abroad(row.facts, row.games or 0, members[number], members_known, listed=True)
                for number, row in played.items()
            ]
    return PlayersAbroad(day or today, _sorted(players), findings.of_file(path.name))


def players_of_report(connection: Connection, report: Report) -> PlayersAbroad:
    """Return who of the players of foreign events in a report has the US flag, there or in the book."""
    foreign = [section for section in report.sections if section.type is SectionType.FIDE]
    games: Counter[str] = Counter()
    for section in foreign:
        for entry in section.entries:
            games[entry.player] += sum(cell.rated for cell in entry.rounds)
    if not foreign:
        place = Place(event=report.event.id) if report.event.id else Place(subject="report")
        return PlayersAbroad(date.min, (), (finding("no-foreign-event", place),))
    day = max(section.end for section in foreign)
    begins = min(section.rules_date for section in foreign)
    owner = merged_ids(connection, sorted(games))
    members_known = _known(connection, owner.values(), day, begins)
    players = []
    for player, count in games.items():
        facts = report.players.get(player, PlayerFacts(player))
        member = owner.get(player, "")
        flagged = facts.usa_flag or (member in members_known.facts and members_known.facts[member].usa_flag)
        if count and flagged:
            players.append(_abroad(facts._replace(id=player), count, member, members_known, listed=False))
    unknown = sum(1 for player, count in games.items() if count and not owner.get(player))
    return PlayersAbroad(day, _sorted(players), (), unknown)


class _Known(NamedTuple):
    """What the book knows on a day of some members, and what says who is eligible."""

    facts: Mapping[str, PlayerFacts]
    names: Mapping[str, str]
    standings: MemberStandings
    day: date


def _known(connection: Connection, members: Iterable[str], day: date, begins: date | None = None) -> _Known:
    ids = sorted({member for member in members if member})
    standings = MemberStandings(read_federation(connection))
    standings.load(connection, ids, END_OF_HISTORY)
    facts = {
        member: facts_on(state, day, begins or day)
        for member, state in standings.states.items()
        if state.member_file is not None
    }
    return _Known(facts, names_of(connection, ids), standings, begins or day)


def _abroad(
    player: PlayerFacts, games: int, member: str, members_known: _Known, *, listed: bool
) -> PlayerAbroad:
    """Return a player, with whether foreign events of that day update the rating; *player* is what the source says."""
    fide = player.fide
    facts = members_known.facts.get(member)
    updated, because = False, UNKNOWN_NUMBER if listed and not member else NO_MEMBER
    if facts is not None:
        fide = fide or facts.fide
        rules = members_known.standings.federation.rulebook.in_force(System.REGULAR, members_known.day)
        rated = facts._replace(fide=fide, usa_flag=facts.usa_flag or player.usa_flag)
        because = not_eligible_because(rated, System.REGULAR, rules)
        automatic = not because and not not_eligible_because(
            rated._replace(fide_opt_in=False), System.REGULAR, rules
        )
        updated = not because
        because = because or ("automatic" if automatic else "opted in")
    name = player.name or members_known.names.get(member, "")
    return PlayerAbroad(
        number=player.id,
        name=name,
        fide=None if fide is None else float(fide.rating),
        games=games,
        member=member,
        updated=updated,
        because=because,
    )


def _sorted(players: list[PlayerAbroad]) -> tuple[PlayerAbroad, ...]:
    return tuple(sorted(players, key=lambda player: (player.name, player.number)))


def _numbers(path: Path, findings: Findings) -> dict[str, str]:
    """Return the member ids by FIDE number."""
    with opened_sheet(path, findings) as stream:
        return {
            id_key(row.text("number")): row.text("member_id")
            for row in rows_of_table(stream, path.name, findings, NUMBERS)
            if row.text("source") == "fide"
        }
