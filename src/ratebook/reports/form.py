"""A report typed in by hand: the questions of a form, one after the other, and what is wrong with an answer.

The form is a generator that yields questions and is sent answers without mistakes; its value is the report. Who asks,
and where answers are kept until the form is complete, is the caller's business (``cli.report.enter``).
"""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.findings import Finding
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.reading.cells import cell_text
from ratebook.formats.reading.fields import HIGHEST_RATING, parse_day, readable
from ratebook.model import (
    SCORES,
    Cell,
    Entry,
    Event,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.reports.draft import OTHER_SIDE, other_side, read_cell
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.rules.timecontrol import TimeControl, parse_time_control, systems_for

IMPLIED = "."
"""What is typed for a result that an earlier seat gives."""

_LONGEST = 200
_RATING = re.compile(r"(\d{2,4}(?:\.\d{1,10})?)(?:[P/](\d{1,4}(?:\.5)?))?", re.ASCII | re.IGNORECASE)
_LOWEST_RATING = 100
_YES = {"y": True, "yes": True, "n": False, "no": False}
_ALONE = frozenset("BHU")
"""Results without an opponent."""
_GO_BACK = "If that is wrong, type < to go back and change it."


class Question(NamedTuple):
    """One question of the form.

    Attributes:
        key: which it is, however the form came there.
        text: the question itself.
        wrong: says what is wrong with an answer; None where nothing is.
        default: the answer that an empty line gives.
        heading: what is said before it, where a new part begins.
    """

    key: str
    text: str
    wrong: Callable[[str], str | None]
    default: str = ""
    heading: str = ""


Form: TypeAlias = Generator[Question, str, Report]


def report_form(rulebook: Rulebook, today: date, *, ratings: bool = True) -> Form:
    """Return the form of a report; *ratings* and birth dates are asked for, or come from a players' list later.

    No event begins after *today*.
    """
    event = yield from _event(today)
    players: dict[str, PlayerFacts] = {}
    sections: list[Section] = []
    while True:
        number = len(sections) + 1
        sections.append((yield from _section(number, event, players, rulebook, ratings=ratings)))
        if not _YES[(yield _yes_or_no(f"another section {number + 1}", "Another section?"))]:
            return Report(event, players, tuple(sections))


def _event(today: date) -> Generator[Question, str, Event]:
    name = yield Question("event name", "Name of the event", _wrong_text(least=1), heading="The event")
    number = yield Question("event id", "Event id, or an empty line", _wrong_text())
    start = _day(
        (yield Question("event start", "First day (YYYY-MM-DD)", lambda text: _wrong_start(text, today)))
    )
    last = Question("event end", "Last day", lambda text: _wrong_end(text, start), default=start.isoformat())
    end = _day((yield last))
    city = yield Question("event city", "City, or an empty line", _wrong_text())
    state = yield Question("event state", "State, or an empty line", _wrong_text())
    return Event(id=number, name=name, start=start, end=end, city=city, state=state)


def _section(
    number: int, event: Event, players: dict[str, PlayerFacts], rulebook: Rulebook, *, ratings: bool
) -> Generator[Question, str, Section]:
    """Ask for one section; new *players* are added to those known."""
    key = f"section {number}"
    heading = f"Section {number}"
    name = yield Question(
        f"{key} name", "Name of the section, or an empty line", _wrong_text(), heading=heading
    )
    online = _YES[(yield _yes_or_no(f"{key} online", "Was it played online?"))]
    assert event.start is not None  # noqa: S101 - the form has asked for both, for the type checker
    assert event.end is not None  # noqa: S101 - as above
    day = event.start
    control = yield Question(
        f"{key} time control",
        'Time control, e.g. "G/60;d5"',
        lambda text: _wrong_time_control(text, rulebook, day, online=online),
    )
    kinds = [kind.value for kind in SectionType if kind is not SectionType.FIDE]
    kind = yield Question(
        f"{key} type", f"How it was played ({', '.join(kinds)})", _wrong_choice(kinds), default=kinds[0]
    )
    rounds = int(
        (
            yield Question(
                f"{key} rounds", "Number of rounds", lambda text: _wrong_number(text, ROUNDS_AT_MOST)
            )
        )
    )
    systems = _systems(control, rulebook, day, online=online)
    seated = yield from _seats(key, players, systems if ratings else ())
    entries: list[Entry] = []
    for seat, player in enumerate(seated, start=1):
        row = ResultsLine(seat, len(seated), rounds, {entry.seat: entry.rounds for entry in entries})
        implied = row.implied()
        shown = " ".join(cell_text(cell) if cell else IMPLIED for cell in implied)
        reported = f" [{shown}]" if any(implied) and not all(implied) else ""
        answer = yield Question(
            f"{key} seat {seat} results of {rounds} of {len(seated)}",
            f"Seat {seat}, {players[player].name or player}{reported}",
            row.wrong,
            default=shown if all(implied) else "",
            heading="" if seat > 1 else RESULTS_HEADING,
        )
        entries.append(Entry(seat, player, row.cells(answer)))
    return Section(
        number=number,
        name=name,
        start=event.start,
        end=event.end,
        time_control=control,
        type=SectionType(kind),
        online=online,
        half_k=False,
        youth=False,
        entries=tuple(entries),
    )


RESULTS_HEADING = (
    "Results, a line for each seat and a word for each round: W12 won against seat 12, L, D; X and F forfeits;\n"
    "B full bye, H half bye, U unpaired. Type a dot for the result in brackets, which an earlier seat gives."
)


def _seats(
    key: str, players: dict[str, PlayerFacts], systems: Sequence[System]
) -> Generator[Question, str, list[str]]:
    """Ask who sits where; an empty id ends the list."""
    seated: list[str] = []
    while len(seated) < SEATS_AT_MOST:
        seat = len(seated) + 1
        place = f"{key} seat {seat}"
        enough = len(seated) > 1
        heading = "Players, seat by seat; an empty line ends the list" if seat == 1 else ""
        question = Question(
            f"{place} id", f"Seat {seat}, id", _wrong_id(players, seated, enough=enough), heading=heading
        )
        player = yield question
        if not player:
            break
        seated.append(player)
        facts = players.get(player)
        if facts is None:
            name = yield Question(f"{player} name", f"Seat {seat}, name", _wrong_text())
            facts = PlayerFacts(player, name)
        players[player] = yield from _ratings(facts, seat, systems)
    return seated


def _ratings(
    player: PlayerFacts, seat: int, systems: Sequence[System]
) -> Generator[Question, str, PlayerFacts]:
    """Ask for the ratings of a player in *systems*, and for the birth date of one who has none in one of them."""
    ratings = dict(player.ratings)
    unrated = False
    for system in systems:
        if system in ratings:
            continue
        prompt = f"Seat {seat}, {system} rating, e.g. 1500 or 1432P12; empty: unrated"
        text = yield Question(f"{player.id} {system} rating", prompt, _wrong_rating)
        if text:
            ratings[system] = _rating(text)
        else:
            unrated = True
    birth = player.birth_date
    if unrated and birth is None:
        prompt = f"Seat {seat}, birth date (YYYY-MM-DD); empty: not known"
        text = yield Question(
            f"{player.id} birth date", prompt, lambda text: _wrong_day(text) if text else None
        )
        birth = _day(text) if text else None
    return player._replace(ratings=ratings, birth_date=birth)


class ResultsLine(NamedTuple):
    """The line of results that is asked for.

    Attributes:
        seat: whose it is.
        seats: how many there are.
        rounds: how many words the line has.
        rows: the lines of earlier seats.
    """

    seat: int
    seats: int
    rounds: int
    rows: Mapping[int, Sequence[Cell]]

    def implied(self) -> list[Cell | None]:
        """Return what the earlier seats say of this one, round by round; None where they say nothing.

        >>> ResultsLine(2, 3, 2, {1: (Cell("W", 2), Cell("D", 3))}).implied()
        [Cell(letter='L', opponent=1, colour=''), None]
        """
        implied: list[Cell | None] = [None] * self.rounds
        for other, cells in self.rows.items():
            for at, cell in enumerate(cells):
                opposite = other_side(other, cell)
                if opposite is not None and opposite[0] == self.seat:
                    implied[at] = opposite[1]
        return implied

    def wrong(self, text: str) -> str | None:
        """Return what is wrong with a line; None where nothing is."""
        words = text.split()
        if len(words) != self.rounds:
            written = "1 round" if len(words) == 1 else f"{len(words)} rounds"
            return f"These are results of {written}; write {self.rounds}, one word for each."
        implied = self.implied()
        for at, word in enumerate(words):
            reason = self._wrong_word(word, at, implied[at])
            if reason is not None:
                return f"Round {at + 1}: {reason}"
        return None

    def _wrong_word(self, word: str, at: int, reported: Cell | None) -> str | None:
        if word == IMPLIED:
            return None if reported else "no earlier seat gives this result; type it."
        cell = read_cell(word)
        if cell is None or not cell.letter:
            return f"{word!r} is not a result; type W, L, D, X or F and the opponent's seat, or B, H or U."
        if reported is not None and (cell.letter, cell.opponent) != (reported.letter, reported.opponent):
            return f"seat {reported.opponent} says {cell_text(reported)}, not {word}. {_GO_BACK}"
        if reported is not None:
            return None
        return self._wrong_opponent(cell, at)

    def _wrong_opponent(self, cell: Cell, at: int) -> str | None:
        opponent = cell.opponent
        if opponent is None:
            return "the opponent's seat is missing." if cell.letter in SCORES else None
        if cell.letter in _ALONE:
            return f"{cell.letter} has no opponent."
        if opponent == self.seat:
            return f"seat {opponent} is the player's own seat."
        if opponent > self.seats:
            return f"there is no opponent at seat {opponent}; the seats are 1 to {self.seats}."
        if opponent in self.rows and cell.letter in OTHER_SIDE:
            other = cell_text(self.rows[opponent][at])
            return f"seat {opponent} has {other} in this round. {_GO_BACK}"
        return None

    def cells(self, text: str) -> tuple[Cell, ...]:
        """Return the cells of a line without mistakes."""
        cells = []
        for word, implied in zip(text.split(), self.implied(), strict=True):
            cell = implied if word == IMPLIED else read_cell(word)
            assert cell is not None  # noqa: S101 - the line was checked
            cells.append(cell)
        return tuple(cells)


def _yes_or_no(key: str, text: str) -> Question:
    def wrong(answer: str) -> str | None:
        return None if answer.lower() in _YES and answer == answer.lower() else "Write y or n."

    return Question(key, f"{text} (y/n)", wrong, default="n")


def _wrong_text(*, least: int = 0) -> Callable[[str], str | None]:
    def wrong(text: str) -> str | None:
        if len(text) < least:
            return "It cannot be empty."
        if len(text) > _LONGEST:
            return f"It is longer than {_LONGEST} letters."
        return None if readable(text) else "It has characters that cannot be printed."

    return wrong


def _wrong_id(
    players: Mapping[str, PlayerFacts], seated: Sequence[str], *, enough: bool
) -> Callable[[str], str | None]:
    in_order = _wrong_text()

    def wrong(text: str) -> str | None:
        if not text:
            return None if enough else "A section needs at least two seats."
        if text in seated:
            return f"{players[text].name or text} is already at seat {seated.index(text) + 1}."
        return in_order(text) or ("An id cannot contain blanks." if " " in text else None)

    return wrong


def _wrong_choice(known: Sequence[str]) -> Callable[[str], str | None]:
    return lambda text: None if text in known else f"Write one of {', '.join(known)}."


def _wrong_number(text: str, most: int) -> str | None:
    fits = text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most
    return None if fits else f"Write a number from 1 to {most}."


def _wrong_day(text: str) -> str | None:
    return None if parse_day(text) else f"{text!r} is not a date; write it as 2026-11-14."


def _wrong_start(text: str, today: date) -> str | None:
    start = parse_day(text)
    return f"{start} is in the future." if start is not None and start > today else _wrong_day(text)


def _wrong_end(text: str, start: date) -> str | None:
    end = parse_day(text)
    if end is None:
        return _wrong_day(text)
    return f"The event started on {start}." if end < start else None


def _day(text: str) -> date:
    day = parse_day(text)
    assert day is not None  # noqa: S101 - the answer was checked
    return day


def _wrong_rating(text: str) -> str | None:
    if not text:
        return None
    match = _RATING.fullmatch(text)
    if match is None or not _LOWEST_RATING <= float(match[1]) <= HIGHEST_RATING:
        return "Write a rating such as 1500, 1432.5, or 1432P12 if it is based on 12 games."
    return None


def _rating(text: str) -> Rating:
    """Return the rating of an answer without mistakes.

    >>> _rating("1432P12").games, _rating("1500").games
    (12.0, None)
    """
    match = _RATING.fullmatch(text)
    assert match is not None  # noqa: S101 - the answer was checked
    return Rating(float(match[1]), None if match[2] is None else float(match[2]))


def _wrong_time_control(text: str, rulebook: Rulebook, day: date, *, online: bool) -> str | None:
    parsed = parse_time_control(text)
    if isinstance(parsed, Finding):
        return f"{parsed.message} {parsed.remedy}"
    try:
        rated = systems_for(rulebook, parsed, day, online=online)
    except RuleNotKnown as unknown:
        return str(unknown)
    return None if rated else f"No system rates {text!r} on {day}."


def _systems(text: str, rulebook: Rulebook, day: date, *, online: bool) -> tuple[System, ...]:
    parsed = parse_time_control(text)
    assert isinstance(parsed, TimeControl)  # noqa: S101 - the answer was checked
    return systems_for(rulebook, parsed, day, online=online)
