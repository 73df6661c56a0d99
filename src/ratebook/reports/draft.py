"""A report that is being typed: everything as it was typed, whether it can be read or not."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from ratebook.findings import Finding, Place, finding
from ratebook.formats.hints import is_seat_id
from ratebook.formats.native.read import REPORT_FORMAT
from ratebook.formats.native.write import stored_bytes
from ratebook.formats.reading.cells import OTHER_COLOUR, OTHER_SIDE, cell_text, parse_cell
from ratebook.formats.reading.sheets.outcomes import parse_outcome
from ratebook.model import Cell, Report, SectionType
from ratebook.player_lists.names import names_agree

EVENT_TEXTS = ("name", "start", "end", "city", "state", "affiliate", "chief_td", "id")
MOST_PLAYERS, MOST_ROUNDS, MOST_SECTIONS, MOST_REMOVED = 250, 20, 40, 20
FIRST_ROUNDS = 4
_DAYS = ("start", "end")
NEWCOMER = "new"
"""What is typed for the id of a player who has none yet."""
_PAIRING = re.compile(r"([0-9]{1,4})\s*([wb]?)", re.ASCII | re.IGNORECASE)


class DraftPlayer(NamedTuple):
    """A seat: the number that results name, who sits there, and a result for each round.

    Attributes:
        key: names the row in forms, whatever its number becomes; 0: the number is the key.
    """

    seat: int
    id: str = ""
    name: str = ""
    cells: tuple[str, ...] = ()
    key: int = 0

    @property
    def row(self) -> int:
        """Return the key of the row in forms."""
        return self.key or self.seat


class Conflict(NamedTuple):
    """What two windows typed into one field: the section keeps what was saved first, and this is the other text."""

    field: str
    typed: str


class TypedBoard(NamedTuple):
    """A board of a round as it was typed.

    Attributes:
        white: the number of the player who has White.
        result: as White sees it.
        placed: whether the rows of both players say it, and have the result.
    """

    white: str = ""
    black: str = ""
    result: str = ""
    placed: bool = False


class DraftSection(NamedTuple):
    """A section that is typed.

    Attributes:
        texts: ``name``, ``time_control``, ``type``, ``start``, ``end`` and ``online``.
        conflicts: to be decided.
        boards: of rounds that were typed by board, in their order.
        last_key: the highest key that a row had, so that none has it again.
        removed: rows that can be put back, the last one first.
    """

    number: int
    texts: dict[str, str]
    rounds: int = FIRST_ROUNDS
    players: tuple[DraftPlayer, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    boards: dict[int, tuple[TypedBoard, ...]] = {}  # noqa: RUF012 - never changed
    last_key: int = 0
    removed: tuple[DraftPlayer, ...] = ()

    def player_at(self, seat: int) -> DraftPlayer | None:
        """Return who sits at a seat."""
        return next((player for player in self.players if player.seat == seat), None)

    def cell_at(self, seat: int, at: int) -> str:
        """Return what was typed for a seat in a round, which is counted from 0; empty where there is no such cell."""
        player = self.player_at(seat)
        return player.cells[at] if player is not None and at < len(player.cells) else ""

    def with_player(self, player: DraftPlayer) -> "DraftSection":
        """Return the section with one more player: at his number if that is free, else at the first free one."""
        seat = player.seat if player.seat and self.player_at(player.seat) is None else self._free_seat()
        last_key = max([self.last_key, *(seated.row for seated in self.players)])
        key = player.key or last_key + 1
        cells = (*player.cells, *[""] * self.rounds)[: self.rounds]
        at = sum(seated.seat < seat for seated in self.players)
        return self._replace(
            players=(
                *self.players[:at],
                player._replace(seat=seat, key=key, cells=cells),
                *self.players[at:],
            ),
            last_key=max(last_key, key),
            removed=tuple(row for row in self.removed if row.row != key),
        )

    def _free_seat(self) -> int:
        """Return the first number that is no player's and that no result names, or the next one.

        A result may name the next player before he is added, but never one for another who was removed.
        """
        seats = {player.seat for player in self.players}
        removed_seats, last = {player.seat for player in self.removed}, max(seats, default=0)
        named = {
            game.opponent
            for player in self.players
            for text in player.cells
            if (game := read_cell(text) or read_pairing(text)) is not None
        }
        return next(
            seat
            for seat in count(1)
            if seat not in seats and (seat not in named or (seat > last and seat not in removed_seats))
        )

    def without_player(self, seat: int) -> "DraftSection":
        """Return the section without a player, who can be put back; the others keep their numbers."""
        player = self.player_at(seat)
        if player is None:
            return self
        row = player._replace(key=player.row)
        removed = (row, *self.removed) if row.id or row.name or any(row.cells) else self.removed
        return self._replace(
            players=tuple(seated for seated in self.players if seated.seat != seat),
            conflicts=tuple(each for each in self.conflicts if not each.field.startswith(f"p{row.key}-")),
            last_key=max([self.last_key, *(seated.row for seated in self.players)]),
            removed=removed[:MOST_REMOVED],
        )

    def with_player_back(self, key: int) -> "DraftSection":
        """Return the section with a row that was removed, and its results."""
        row = next((row for row in self.removed if row.row == key), None)
        return self if row is None else self.with_player(row)

    def with_player_moved(self, seat: int, places: int) -> "DraftSection":
        """Return the section with a player some places further down, or up; results name the new numbers."""
        at = next((at for at, player in enumerate(self.players) if player.seat == seat), None)
        to = None if at is None else at + places
        if at is None or to is None or not 0 <= to < len(self.players):
            return self
        order = list(self.players)
        order.insert(to, order.pop(at))
        seats = {moved.seat: before.seat for moved, before in zip(order, self.players, strict=True)}
        players = tuple(
            player._replace(
                seat=seats[player.seat],
                key=player.row,
                cells=tuple(renumbered(text, seats) for text in player.cells),
            )
            for player in order
        )
        boards = {
            played: tuple(
                board._replace(white=renumbered(board.white, seats), black=renumbered(board.black, seats))
                for board in rows
            )
            for played, rows in self.boards.items()
        }
        removed = tuple(
            row._replace(cells=tuple(renumbered(text, seats) for text in row.cells)) for row in self.removed
        )
        return self._replace(players=players, boards=boards, removed=removed)

    def with_rounds(self, rounds: int) -> "DraftSection":
        """Return the section with so many rounds."""
        players = tuple(each._replace(cells=(*each.cells, *[""] * rounds)[:rounds]) for each in self.players)
        return self._replace(rounds=rounds, players=players)


class Draft(NamedTuple):
    """A report that is being typed.

    Attributes:
        event: the texts of `EVENT_TEXTS`.
        base: the native report that is edited, of which everything is kept that the form does not ask for.
        conflicts: of the event's texts, to be decided.
    """

    event: dict[str, str]
    sections: tuple[DraftSection, ...] = ()
    base: str = ""
    conflicts: tuple[Conflict, ...] = ()

    def section(self, number: int) -> DraftSection | None:
        """Return a section by its number."""
        return next((section for section in self.sections if section.number == number), None)

    def with_section(self, changed: DraftSection) -> "Draft":
        """Return the draft with a section that was changed."""
        sections = tuple(changed if each.number == changed.number else each for each in self.sections)
        return self._replace(sections=sections)


def can_be_typed(report: Report) -> bool:
    """Return whether a report is small enough for the form."""
    return len(report.sections) <= MOST_SECTIONS and all(
        len(section.entries) <= MOST_PLAYERS
        and max((len(entry.rounds) for entry in section.entries), default=0) <= MOST_ROUNDS
        for section in report.sections
    )


def draft_of(report: Report) -> Draft:
    """Return a report as the form shows it."""
    base = stored_bytes(report).decode()
    event = {name: str(value or "") for name, value in report.event._asdict().items() if name in EVENT_TEXTS}
    event = _days_of(json.loads(base)["sections"]) | {
        name: text for name, text in event.items() if text or name not in _DAYS
    }
    sections = []
    for section in report.sections:
        rounds = max((len(entry.rounds) for entry in section.entries), default=0)
        texts = {
            "name": section.name,
            "time_control": section.time_control or "",
            "type": section.type.value,
            "online": "yes" if section.online else "",
            "start": str(section.start or ""),
            "end": str(section.end),
        }
        players = tuple(
            DraftPlayer(
                entry.seat,
                "" if is_seat_id(entry.player) else entry.player,
                report.players[entry.player].name,
                tuple(map(cell_text, entry.rounds)),
            )
            for entry in section.entries
        )
        sections.append(DraftSection(section.number, texts, rounds, players).with_rounds(rounds))
    return Draft(event, tuple(sections), base)


def _days_of(sections: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return first and last day as native sections say them."""
    starts, ends = ([section[day] for section in sections if section.get(day)] for day in _DAYS)
    return {"start": min(starts, default=""), "end": max(ends, default="")}


def native_of(draft: Draft) -> bytes:
    """Return a draft as a native report; what cannot be read in it stays as it was typed."""
    base = json.loads(draft.base) if draft.base else {}
    facts = {player["id"]: player for player in base.get("players", [])}
    old = {section["number"]: section for section in base.get("sections", [])}
    event = {**base.get("event", {}), **{name: draft.event.get(name, "") for name in EVENT_TEXTS}}
    # Days that the report gives by its sections alone stay with these.
    shown = _days_of(base.get("sections", []))
    event |= {day: "" for day in _DAYS if not base.get("event", {}).get(day) and event[day] == shown[day]}
    players: dict[str, dict[str, Any]] = {}
    sections = [
        _native_section(draft, section, old.get(section.number, {}), facts, players)
        for section in draft.sections
    ]
    numbers = {section.number for section in draft.sections}
    prizes = [
        prize
        for prize in base.get("prizes", [])
        if prize["section"] in numbers and prize["player"] in players
    ]
    report: dict[str, Any] = {
        "format": REPORT_FORMAT,
        "event": {name: value for name, value in event.items() if value},
        "players": list(players.values()),
        "sections": sections,
    }
    return json.dumps(report | ({"prizes": prizes} if prizes else {}), ensure_ascii=False).encode()


def _native_section(
    draft: Draft,
    section: DraftSection,
    old: Mapping[str, Any],
    facts: Mapping[str, dict[str, Any]],
    players: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    """Return a section as native; its players, with what is known of them, are added to *players*."""
    before = {entry["player"]: entry for entry in old.get("entries", [])}
    rounds_played = section.rounds if old else played_rounds(section)
    entries = []
    for player in section.players:
        key = player.id if has_id(player) else f"section-{section.number}-seat-{player.seat}"
        players[key] = {**facts.get(key, {}), "id": key, "name": player.name}
        rounds = [_cell_of(text) for text in player.cells[:rounds_played]]
        entries.append({**before.get(key, {}), "seat": player.seat, "player": key, "rounds": rounds})
    texts = section.texts
    days = {day: texts.get(day) or draft.event.get(day, "") for day in ("start", "end")}
    native = {
        **old,
        "number": section.number,
        "name": texts.get("name", ""),
        **days,
        "time_control": texts.get("time_control", ""),
        "type": texts.get("type") or SectionType.SWISS.value,
        "online": bool(texts.get("online")),
        "entries": entries,
    }
    return {name: value for name, value in native.items() if value != ""}


def has_id(player: DraftPlayer) -> bool:
    """Return whether a player has a member id, as far as it was typed."""
    return bool(player.id) and player.id != NEWCOMER


def played_rounds(section: DraftSection) -> int:
    """Return how many rounds there are without the last ones of which nothing was typed."""
    return max(
        (at for player in section.players for at, text in enumerate(player.cells, 1) if text), default=0
    )


def _cell_of(text: str) -> str:
    cell = read_cell(text)
    return text if cell is None else cell_text(cell)


def read_cell(text: str) -> Cell | None:
    """Return the cell that was typed, as files are read too; None where it cannot be read.

    >>> read_cell("w 12 B"), read_cell("=3"), read_cell("12")
    (Cell(letter='W', opponent=12, colour='b'), Cell(letter='D', opponent=3, colour=''), None)
    >>> [read_cell(text).letter for text in ("½", "bye", "0")]
    ['H', 'B', 'U']
    """
    cell = parse_cell(text)
    return parse_outcome(text) if cell is None else cell


def read_pairing(text: str) -> Cell | None:
    """Return a game without a result, an opponent and perhaps a colour; None where it is something else.

    >>> read_pairing("12w"), read_pairing("W12")
    (Cell(letter='', opponent=12, colour='w'), None)
    """
    match = _PAIRING.fullmatch(text.strip())
    return None if match is None or not int(match[1]) else Cell("", int(match[1]), match[2].lower())


def renumbered(text: str, seats: Mapping[int, int]) -> str:
    """Return what was typed with the number that the opponent has now; *seats* are the new ones by the old ones.

    >>> renumbered("w12b", {12: 7}), renumbered("12", {12: 7}), renumbered("12?", {12: 7})
    ('W7b', '7', '12?')
    """
    cell = read_cell(text) or read_pairing(text)
    if cell is None or cell.opponent is None or seats.get(cell.opponent, cell.opponent) == cell.opponent:
        return text
    return cell_text(cell._replace(opponent=seats[cell.opponent]))


def other_side(seat: int, cell: Cell) -> tuple[int, Cell] | None:
    """Return the opponent's seat and cell that a seat's result tells; None where it tells nothing.

    >>> other_side(1, Cell("W", 2, "w")), other_side(1, Cell("B"))
    ((2, Cell(letter='L', opponent=1, colour='b')), None)
    """
    if cell.opponent is None or cell.letter not in OTHER_SIDE or cell.opponent == seat:
        return None
    return cell.opponent, Cell(OTHER_SIDE[cell.letter], seat, OTHER_COLOUR[cell.colour])


def wrong_results(section: DraftSection) -> Iterator[Finding]:
    """Yield what is wrong with the results of a section; the place is the field, such as ``p3-r2``."""
    played = played_rounds(section)
    # Who is named by another row has that row's finding.
    cells = [(at, read_cell(text)) for player in section.players for at, text in enumerate(player.cells)]
    named = {(at, cell.opponent) for at, cell in cells if cell is not None}
    for player in section.players:
        for at, text in enumerate(player.cells):
            empty = at < played and not text.strip() and (at, player.seat) not in named
            wrong = "typed-result.empty" if empty else _wrong_cell(section, player, at)
            if not wrong:
                continue
            cell = read_cell(text) or read_pairing(text)
            opponent = 0 if cell is None or cell.opponent is None else cell.opponent
            yield finding(
                wrong,
                Place(input=f"p{player.seat}-r{at + 1}"),
                who=player.name or f"Number {player.seat}",
                seat=player.seat,
                round=at + 1,
                text=text[:20] or "nothing",
                opponent=opponent,
                other=section.cell_at(opponent, at) or "nothing",
            )


def _wrong_cell(section: DraftSection, player: DraftPlayer, at: int) -> str:
    """Return which finding a result is; empty where it is right as far as the form can tell."""
    cell = read_cell(player.cells[at])
    if cell is None:
        return "typed-result.unread" if read_pairing(player.cells[at]) is None else "typed-result.pending"
    if not cell.letter:
        return ""
    if cell.opponent is None:
        return "typed-result.alone" if cell.letter in "WLDNSR" else ""
    if section.player_at(cell.opponent) is None or cell.opponent == player.seat:
        return "typed-result.nobody"
    mirrored = other_side(player.seat, cell)
    other = None if mirrored is None else read_cell(section.cell_at(mirrored[0], at))
    if mirrored is None or (other is not None and other[:2] == mirrored[1][:2]):
        return ""
    # Two rows that name each other disagree once.
    is_reported_there = other is not None and other.opponent == player.seat and mirrored[0] < player.seat
    return "" if is_reported_there else "typed-result.disagrees"


def wrong_players(section: DraftSection, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what is to be said of the players; *names* are those of the book, by id."""
    seen: dict[str, int] = {}
    for player in section.players:
        place = Place(input=f"p{player.seat}-id")
        if player.id == NEWCOMER:
            continue
        if not player.id:
            yield finding("typed-player.without-id", place, who=player.name or f"Number {player.seat}")
        elif player.id not in names:
            yield finding("typed-player.unknown", place, id=player.id[:20])
        elif player.id in seen:
            yield finding("typed-player.twice", place, who=names[player.id], first=seen[player.id])
        elif player.name and not names_agree(player.name, names[player.id]):
            yield finding(
                "typed-player.other-name",
                place,
                seat=player.seat,
                who=player.name,
                id=player.id,
                listed=names[player.id],
            )
        seen.setdefault(player.id, player.seat)
