"""Which row of a list is which player of a report: by number, else by a name that leaves no doubt."""

from collections import Counter
from collections.abc import Callable, Iterable

from ratebook.findings import Findings, Place
from ratebook.formats.hints import is_seat_id
from ratebook.formats.reading.fields import shown
from ratebook.model import PlayerFacts, Report
from ratebook.player_lists.names import name_key, names_agree, similarity_keys
from ratebook.player_lists.row import ListedPlayer, ListKind, id_key, is_member_id, place_of

_MOST_ROWS_OF_A_NUMBER = 4
_MOST_ROWS_OF_A_NAME = 4
_MOST_SIMILAR = 60
_SIMILAR_SHOWN = 3
_LEAST_RESEMBLANCE = 0.6
_LONGEST_COMPARED = 60
_DIGITS_OF_IDS = 4
"""An id with fewer digits is a key of the report's own, such as P1."""


class FoundRows:
    """The rows of a list that concern a report, by what they were found by; bounded for each id and name."""

    def __init__(self) -> None:
        self.numbers: dict[str, list[ListedPlayer]] = {}
        self.fide_ids: dict[str, list[ListedPlayer]] = {}
        self.names: dict[str, list[ListedPlayer]] = {}

    def add(self, row: ListedPlayer) -> None:
        """Keep *row*."""
        if row.facts.id:
            keep(self.numbers, id_key(row.facts.id), row, _MOST_ROWS_OF_A_NUMBER)
        if row.facts.fide_id:
            keep(self.fide_ids, id_key(row.facts.fide_id), row, _MOST_ROWS_OF_A_NUMBER)
        if name := name_key(row.facts.name):
            keep(self.names, name, row, _MOST_ROWS_OF_A_NAME)


class SimilarNames:
    """Rows whose names resemble names of the report, to be offered where an id is wrong; bounded."""

    def __init__(self, rows: Iterable[ListedPlayer] = ()) -> None:
        self._rows: dict[str, list[ListedPlayer]] = {}
        for row in rows:
            for key in similarity_keys(name_key(row.facts.name)):
                keep(self._rows, key, row, _MOST_SIMILAR)

    def of(self, name: str) -> list[ListedPlayer]:
        """Return the rows whose names resemble *name* most, those with the same name first."""
        from difflib import get_close_matches  # noqa: PLC0415 - only wrong ids need it

        wanted = name_key(name)
        rows: dict[str, list[ListedPlayer]] = {}
        for key in similarity_keys(wanted):
            for row in self._rows.get(key, ()):
                same = rows.setdefault(name_key(row.facts.name)[:_LONGEST_COMPARED], [])
                if row not in same:
                    same.append(row)
        close = get_close_matches(wanted[:_LONGEST_COMPARED], rows, _SIMILAR_SHOWN, _LEAST_RESEMBLANCE)
        return [row for key in close for row in rows[key]][:_SIMILAR_SHOWN]


def keep(rows: dict[str, list[ListedPlayer]], key: str, row: ListedPlayer, most: int) -> None:
    """Add *row* under *key* unless there are *most* already."""
    known = rows.setdefault(key, [])
    if len(known) < most:
        known.append(row)


class Matching:
    """Decides which row is which player of the report, and reports the doubtful and the missing.

    *similar* looks for rows with similar names; it is asked only where an id is not in the list. In a *complete* list
    an id that is missing does not exist.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each argument is a separate fact
        self,
        report: Report,
        rows: FoundRows,
        kind: ListKind,
        name: str,
        findings: Findings,
        similar: Callable[[list[str]], SimilarNames],
        *,
        complete: bool = False,
    ) -> None:
        self._report = report
        self._similar = similar
        self._rows = rows
        self._kind = kind
        self._name = name
        self._findings = findings
        self._complete = complete
        self._seats = {
            entry.player: Place(section=section.number, seats=(entry.seat,))
            for section in reversed(report.sections)
            for entry in reversed(section.entries)
        }

    def players(self) -> dict[str, ListedPlayer]:
        """Return the row of each player who was found, by the report's key."""
        by_number: dict[str, ListedPlayer] = {}
        others: list[PlayerFacts] = []
        for player in self._report.players.values():
            row = self._by_fide_id(player) or self._by_number(player)
            if row is None:
                others.append(player)
            else:
                by_number[player.id] = row
        used_rows = {row.where for row in by_number.values()}
        by_name: dict[str, ListedPlayer] = {}
        missing: list[str] = []
        unknown: list[PlayerFacts] = []
        names = [name_key(player.name) for player in others]
        times = Counter(names)
        for player, key in zip(others, names, strict=True):
            named = [row for row in self._rows.names.get(key, ()) if row.where not in used_rows]
            if self._kind.by_member_id and is_member_id(player.id):
                # A row with another id is another person, whatever the name.
                named = [row for row in named if not row.facts.id]
            if len(named) == 1 and times[key] == 1:
                by_name[player.id] = named[0]
                self._report_other_id(player, named[0])
            elif named:
                self._report_ambiguous(player, len(named))
            elif self._kind.by_member_id and is_member_id(player.id):
                unknown.append(player)
            else:
                missing.append(player.id)
        if unknown:
            missing += self._report_unknown(unknown)
        self._report_found(by_number, by_name, missing)
        return by_number | by_name

    def _by_fide_id(self, player: PlayerFacts) -> ListedPlayer | None:
        """Return the row of the player's FIDE id, for whom the report has no other one."""
        if not player.fide_id or (self._kind.by_member_id and not is_seat_id(player.id)):
            return None
        known = self._rows.numbers if self._kind is ListKind.FIDE else self._rows.fide_ids
        rows = known.get(id_key(player.fide_id), [])
        if len(rows) != 1:
            return None
        if not names_agree(player.name, rows[0].facts.name):
            self._report_other_name(player, player.fide_id, rows[0])
        return rows[0]

    def _by_number(self, player: PlayerFacts) -> ListedPlayer | None:
        rows = self._rows.numbers.get(id_key(player.id))
        if not rows:
            return None
        row = next((row for row in rows if row.facts.id == player.id), rows[0])
        agree = names_agree(player.name, row.facts.name)
        if not self._kind.by_member_id:
            # The number in a report is mostly a member id, which may by chance be another person's FIDE number.
            return row if agree else None
        if not agree:
            self._report_other_name(player, player.id, row)
        if len(rows) > 1 and any(other[2:] != row[2:] for other in rows if other.facts.id == row.facts.id):
            self._findings.add("list-id-twice", row.where, number=row.facts.id)
        return row

    def _report_other_name(self, player: PlayerFacts, number: str, row: ListedPlayer) -> None:
        self._findings.add(
            "member-name-differs.in-a-list",
            self._place(player).inner("name"),
            player_id=number,
            row_name=row.facts.name,
            value_name=self._name,
            player_name=player.name,
        )

    def _place(self, player: PlayerFacts) -> Place:
        return self._seats.get(player.id, Place(players=(player.id,)))

    def _report_ambiguous(self, player: PlayerFacts, rows: int) -> None:
        place, name = self._place(player), player.name
        many = f"{rows} or more rows of {self._name} have"
        many = many if rows > 1 else "several players of the report have"
        self._findings.add("player-name-ambiguous", place, many=many, player_name=name, kind=self._kind)

    def _report_other_id(self, player: PlayerFacts, row: ListedPlayer) -> None:
        """Report that a player was found by the name, although the report gives an id, which is not the list's."""
        digits = sum(letter.isdecimal() for letter in player.id)
        if self._kind.by_member_id and row.facts.id and digits >= _DIGITS_OF_IDS:
            self._findings.add(
                "player-id-differs",
                self._place(player),
                player_id=shown(player.id),
                player_name=player.name,
                value_name=self._name,
                listed=row.facts.id,
            )

    def _report_unknown(self, players: list[PlayerFacts]) -> list[str]:
        """Report ids that the list lacks; return the players who may just not be in it."""
        names = self._similar([player.name for player in players if player.name])
        missing = []
        for player in players:
            similar = names.of(player.name) if player.name and not self._findings.full else []
            listed = "; ".join(f"{row.facts.name} {row.facts.id}".strip() for row in similar)
            named = f"{player.id} ({player.name})" if player.name else player.id
            same = any(name_key(row.facts.name) == name_key(player.name) for row in similar)
            name = "member-id-not-listed.same-name"
            if self._complete:
                name = "member-id-unknown.similar" if similar else "member-id-unknown.no-similar"
            elif not same:
                missing.append(player.id)
                if not similar:
                    continue
                name = "member-id-not-listed.similar"
            self._findings.add(name, self._place(player), named=named, value_name=self._name, listed=listed)
        return missing

    def _report_found(
        self, by_number: dict[str, ListedPlayer], by_name: dict[str, ListedPlayer], missing: list[str]
    ) -> None:
        for name, count, players in (
            ("player-found-by-number", "by_number_count", {} if self._kind.by_member_id else by_number),
            ("player-found-by-name", "by_name_count", by_name),
            ("player-not-listed", "missing_count", missing),
        ):
            if players:
                places = place_of(self._report, players)
                self._findings.add(name, places, value_name=self._name, **{count: len(players)})
