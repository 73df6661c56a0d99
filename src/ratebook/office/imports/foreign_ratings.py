"""Ratings of other federations in bulk, and who plays abroad: by a table, a whole list of FIDE or the CFC, or a report.

Whole lists know their players by numbers of their own. A number may well be another person's member id, so that a table
has to say which member has which number; no one is guessed by name.

D25 section 6: each time FIDE publishes a list, "the US Chess office identifies all players who appear with a USA flag
and who have played at least one FIDE-rated game". A list says how many games were rated for it, not in which events.
Nothing is changed by saying who they are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.foreign_ratings import ExternalRating, write_foreign_ratings
from ratebook.book.facts.members import members_with_fide_ids, merged_ids, names_of
from ratebook.book.profile import read_federation
from ratebook.findings import Finding, Findings, Place, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.kinds import POINTS, Choice
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.model import PlayerFacts, Report, SectionType, System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.members import ListedFlag, take_flags
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.table import (
    ROWS_AT_ONCE,
    FactChange,
    Import,
    Imported,
    TableImport,
    TableRow,
    importing,
    reading,
    rows_of_table,
)
from ratebook.office.queue.check import facts_on
from ratebook.office.rating.standings import MemberStandings
from ratebook.pages.columns import Column, Columns
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import EveryPlayer, ListedPlayer, ListKind, Search, id_key
from ratebook.rating.foreign import not_eligible_because

NUMBERS_COLUMNS = ("member_id", "source", "number")
NUMBERS = TableKind("table", NUMBERS_COLUMNS, NUMBERS_COLUMNS)

_MOST_NAMED = 5


class ForeignSource(StrEnum):
    """Whose lists are known."""

    FIDE = "fide"
    CFC = "cfc"


_SOURCES = {ListKind.FIDE: ForeignSource.FIDE, ListKind.CFC: ForeignSource.CFC}


def _source(row: TableRow) -> ForeignSource | None:
    return row.fields.read("source", Choice(ForeignSource, "import-source-unknown"))


def _rating(running: Import, row: TableRow) -> ExternalRating | None:
    fields = row.fields
    fields.values["rating"] = row.number("rating")
    source, day, rating = _source(row), row.day("list_date"), fields.read("rating", POINTS)
    if source is None or day is None or rating is None:
        return None
    external = ExternalRating(row.text("member_id"), source.value, day, rating)
    if running.is_new(external[:3]):
        return external
    running.findings.add(
        "import-row-twice.list-date",
        row.where,
        source=source.upper(),
        member=external.member_id,
        list_date=day,
    )
    return None


def _write(running: Import, ratings: list[ExternalRating]) -> None:
    added, changed, changes = take_foreign_ratings(running.connection, ratings)
    running.added += added
    running.changed += changed
    running.unchanged += len(ratings) - added - changed
    running.note("list", changes)


def take_foreign_ratings(
    connection: Connection, ratings: list[ExternalRating]
) -> tuple[int, int, list[FactChange]]:
    """Write ratings of other federations; return how many are new, how many changed, and what ratings may read."""
    written = write_foreign_ratings(connection, ratings)
    how = dict.fromkeys(written.added, "added") | dict.fromkeys(written.changed, "changed")
    changes = [
        FactChange(
            rating.member_id,
            "correct-foreign-rating",
            (f"{rating.source} rating", how[rating]),
            since=rating.list_date,
            value=float(rating.rating),
        )
        for rating in ratings
        if rating in how
    ]
    return len(written.added), len(written.changed), changes


import_external_ratings = TableImport("import-external-ratings", ExternalRating._fields, _rating, _write)
"""Import a table of ratings on other federations' lists."""


def import_foreign_list(  # noqa: PLR0913 - what, by whom, and what the list does not say
    book: Book,
    path: Path,
    actor: Actor,
    *,
    numbers: Path | None = None,
    list_date: date | None = None,
    progress: Progress = no_progress,
) -> Imported:
    """Import a list of FIDE (text or XML) or of the Chess Federation of Canada (tdlist.txt), alone or in a zip archive.

    *numbers* is a table ``member_id``, ``source`` (``fide`` or ``cfc``), ``number``: who the members are there; without
    it, the FIDE ids of the members in the book are taken.
    *list_date* is the day of the list, if neither the list nor its name gives it.
    """
    with importing(book, path, actor, "import-foreign-list") as running:
        findings = running.findings
        with opened_list(path, findings, System.QUICK) as opened:
            source = _SOURCES.get(opened.kind)
            if source is None:
                raise SourceError(
                    finding("list-unknown.not-foreign", Place(file=path.name), kind=opened.kind)
                )
            member_of = _member_of(running, numbers, source)
            if numbers is None and not member_of:
                columns = ", ".join(NUMBERS_COLUMNS)
                raise SourceError(
                    finding(
                        "import-numbers-missing",
                        Place(file=path.name),
                        source=source.upper(),
                        numbers_columns=columns,
                    )
                )
            ratings: list[ExternalRating] = []
            flags: list[ListedFlag] = []
            search = Search(ids=frozenset(member_of))
            numbers_listed = set()
            for row in opened.rows(opened.stream, opened.name, search, findings):
                members = member_of.get(id_key(row.facts.id), ())
                if not members:
                    continue
                running.rows += 1
                numbers_listed.add(id_key(row.facts.id))
                ratings += _ratings(running, row, source, members, list_date)
                day = list_date or row.as_of
                if source is ForeignSource.FIDE and day is not None:
                    flags += [ListedFlag(member, day, row.facts.usa_flag) for member in members]
                if len(ratings) >= ROWS_AT_ONCE:
                    _write(running, ratings)
                    ratings.clear()
                    progress(len(numbers_listed), len(member_of))
            _write(running, ratings)
            _write_flags(running, flags)
            progress(len(member_of), len(member_of))
            _note_missing(running, {key: member_of[key] for key in member_of if key not in numbers_listed})
    return running.imported()


def _write_flags(running: Import, flags: list[ListedFlag]) -> None:
    """Record under which flag the list has the members, where that is new."""
    because = Reason(running.actor, f"list {running.name}")
    changes = [
        FactChange(flag.member, "", ("usa_flag",), since=flag.list_date, foreign=True)
        for flag in take_flags(running.connection, flags, because)
    ]
    running.changed += len(changes)
    running.note("list", changes)


def _member_of(running: Import, numbers: Path | None, source: ForeignSource) -> dict[str, list[str]]:
    """Return the members by their numbers on lists of *source*."""
    if numbers is None:
        known = members_with_fide_ids(running.connection) if source is ForeignSource.FIDE else {}
        return {id_key(number): members for number, members in known.items()}
    members: dict[str, list[str]] = defaultdict(list)
    with opened_sheet(numbers, running.findings) as stream:
        rows = [*rows_of_table(stream, numbers.name, running.findings, NUMBERS)]
    for row in running.of_members(rows):
        if _source(row) is not source:
            continue
        key = id_key(row.text("number"))
        if members[key]:
            running.findings.add(
                "import-row-twice.number", row.where, source=source.upper(), key=key, found=members[key][0]
            )
        members[key].append(row.text("member_id"))
    return dict(members)


def _ratings(
    running: Import, row: ListedPlayer, source: ForeignSource, members: list[str], list_date: date | None
) -> Iterator[ExternalRating]:
    rating = row.facts.fide if source is ForeignSource.FIDE else row.facts.cfc
    if rating is None:
        return
    day = list_date or rating.as_of
    if day is None:
        running.findings.add("import-list-date-missing.ratings", row.where)
        return
    for member in members:
        yield ExternalRating(member, source.value, day, rating.rating)


def _note_missing(running: Import, missing: dict[str, list[str]]) -> None:
    if missing:
        named = ", ".join(f"{members[0]} ({key})" for key, members in list(missing.items())[:_MOST_NAMED])
        more = " and more" if len(missing) > _MOST_NAMED else ""
        running.findings.add(
            "import-not-listed", Place(file=running.name), missing_count=len(missing), named=named, word=more
        )


UNKNOWN_NUMBER = "the book does not know the number: give --numbers"
NO_MEMBER = "not in the book"


class PlayerAbroad(NamedTuple):
    """A player with the US flag who has FIDE-rated games, in the period of a list or in a report.

    The *number* is that of the list or the report, the *member* empty if not known; *because* says why it is *updated*.
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
