"""The CSV report written; `ratebook.formats.csv_report.read` tells what its columns hold."""

from collections.abc import Iterator, Mapping, Sequence

from ratebook.formats.contract import AfterRatings, Written
from ratebook.formats.csv_report.columns import EVENT_COLUMNS, FACT_COLUMNS, SECTION_COLUMNS, SYSTEM_COLUMNS
from ratebook.formats.losses import Losses
from ratebook.formats.reading.cells import cell_text, plain_number
from ratebook.formats.reading.record import Field
from ratebook.formats.reading.sheets.player_columns import COLUMNS, cells_of
from ratebook.formats.reading.spreadsheet import csv_text, guarded
from ratebook.formats.reading.tables import PLAYER, RATING
from ratebook.formats.reading.text import BYTE_ORDER_MARK
from ratebook.model import Event, PlayerFacts, Report, Section, System

FILE_NAME = "report.csv"

HELD = frozenset(
    {
        *(f"event.{field.name}" for field in EVENT_COLUMNS.values()),
        *(f"section.{field.name}" for field in SECTION_COLUMNS.values()),
        *("entry.update", "entry.floor_request"),
        *(f"player.{field.name}" for field in PLAYER.fields if field.name != "state"),
        *(f"rating.{field.name}" for field in RATING.fields),
    }
)
_FACTS = tuple(title for title in COLUMNS if title in FACT_COLUMNS and title != "pairing_rating")
"""Facts of players have the columns of a members CSV."""


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as one CSV file, with notes of all that it cannot hold; ratings *after* are the rated CSV's."""
    del after
    losses = Losses()
    losses.add_facts(report, HELD)
    if report.event.start is not None:
        place = sum(section.start is None for section in report.sections)
        losses.add("unknown first day of a section, which reads as the event's", place)
    seated = {entry.player for section in report.sections for entry in section.entries}
    rated = {system for player in seated for system in report.players[player].ratings}
    systems = [system for system in System if system in rated]
    paired = any(report.players[player].pairing_rating is not None for player in seated)
    rounds = max((len(entry.rounds) for section in report.sections for entry in section.entries), default=0)
    facts = {player: cells_of(report.players[player]) for player in seated}
    used = {title for cells in facts.values() for title in cells}
    titles = [title for title in _FACTS if title in used]
    header = [
        *(*EVENT_COLUMNS, "section", *SECTION_COLUMNS, "seat", "player", "name"),
        *(["rating"] if paired else ()),
        *(f"round{number}" for number in range(1, max(1, rounds) + 1)),
        "update",
        "floor_request",
        *(
            column
            for system in systems
            for column in (SYSTEM_COLUMNS[system], f"{SYSTEM_COLUMNS[system]}_games")
        ),
        *titles,
    ]
    rows = _rows_of_report(report, systems, max(1, rounds), losses, paired=paired)
    text = csv_text(
        [header, *([*row, *_facts_of(facts.pop(player, {}), titles, losses)] for player, row in rows)]
    )
    data = text.encode()
    return Written(
        {FILE_NAME: data if text.isascii() else BYTE_ORDER_MARK + data}, losses.findings(FILE_NAME)
    )


def _rows_of_report(
    report: Report, systems: list[System], rounds: int, losses: Losses, *, paired: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield player and row of each entry; event, sections and ratings stand in the first rows that concern them."""
    event = _facts(report.event, EVENT_COLUMNS, losses)
    shown_players: set[str] = set()
    for section in report.sections:
        facts = _facts(section, SECTION_COLUMNS, losses)
        for entry in section.entries:
            player = report.players[entry.player]
            first = entry.player not in shown_players
            shown_players.add(entry.player)
            cells = [cell_text(cell) for cell in entry.rounds]
            yield (
                entry.player,
                [
                    *event,
                    str(section.number),
                    *facts,
                    str(entry.seat),
                    guarded(entry.player),
                    _plain(player.name, losses) if first else guarded(player.name.strip()),
                    *([_number(player.pairing_rating) if first else ""] if paired else ()),
                    *cells,
                    *[""] * (rounds - len(cells)),
                    "yes" if entry.update else "",
                    entry.floor_request or "",
                    *(_ratings(player, systems) if first else [""] * (2 * len(systems))),
                ],
            )
            event = [""] * len(event)
            facts = [""] * len(facts)


def _facts_of(cells: Mapping[str, str], titles: Sequence[str], losses: Losses) -> list[str]:
    said = [cells.get(title, "") for title in titles]
    losses.add("blanks around a text", sum(text != text.strip() for text in said))
    return [text if text == text.strip() else guarded(text.strip()) for text in said]


def _facts(record: Event | Section, columns: Mapping[str, Field], losses: Losses) -> list[str]:
    values = [getattr(record, field.name) for field in columns.values()]
    return ["yes" if value is True else _plain(str(value), losses) if value else "" for value in values]


def _plain(text: str, losses: Losses) -> str:
    losses.add("blanks around a text", int(text != text.strip()))
    return guarded(text.strip())


def _ratings(player: PlayerFacts, systems: list[System]) -> Iterator[str]:
    """Yield points and games of each system; nothing where the player is unrated in it."""
    for system in systems:
        rating = player.ratings.get(system)
        if rating is None:
            yield from ("", "")
        else:
            yield _number(rating.rating)
            yield _number(rating.games)


def _number(value: float | None) -> str:
    return "" if value is None else repr(plain_number(value))
