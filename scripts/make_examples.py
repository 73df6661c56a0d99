"""Writes ``examples/festival``: one synthetic event with everything in it, in every format that can be written or read.

Four sections: a dual-rated Swiss with newcomers, byes, forfeits and an asymmetric result; extra games with one player
at two seats; double games at blitz; a match. ``tests/unit/reports/test_festival.py`` proves that it rates identically
from each format once the members list brings what the format cannot hold.
"""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from pathlib import Path

from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.registry import built_in, write_report
from ratebook.formats.uschess.dbf import read_dbf, write_dbf
from ratebook.model import (
    Cell,
    Entry,
    Event,
    ForeignRating,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.reports.rate import after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "festival"
FIRST, LAST = date(2026, 8, 28), date(2026, 8, 30)
REGULAR, QUICK, BLITZ = System.REGULAR, System.QUICK, System.BLITZ

DOUBLE_CODES = {"WW": "$", "DD": "%", "LL": "L"}
"""Double-game results whose two legs are alike, so that their order does not matter.

Source: docs/formats/uschess.md#double-games.
"""


def rating(points: float, games: float | None, **known: object) -> Rating:
    """Return a rating with complete counts, as an office would know it."""
    return Rating(points, games, as_of=date(2026, 7, 15), **known)  # type: ignore[arg-type]  # fields of Rating by name


def players() -> dict[str, PlayerFacts]:
    """Return the ten invented players."""
    adult = date(1990, 3, 1)
    known = [
        PlayerFacts(
            "90000001",
            "ADAMS EXAMPLE",
            adult,
            ratings={
                REGULAR: rating(1843.27, 412, peak=1901.5, published=1840, published_games=400),
                QUICK: rating(1790.5, 120),
                BLITZ: rating(1755.0, 88),
            },
        ),
        PlayerFacts(
            "90000002",
            "BAKER EXAMPLE",
            adult,
            ratings={
                REGULAR: rating(1702.88, 95, peak=1760.0, published=1705, published_games=90),
                QUICK: rating(1688.0, 41),
                BLITZ: rating(1640.25, 30),
            },
        ),
        PlayerFacts(
            "90000003",
            "CLARK EXAMPLE",
            adult,
            ratings={REGULAR: rating(1511.4, 17), QUICK: rating(1490.0, 12)},
        ),
        PlayerFacts(
            "90000004",
            "DAVIS EXAMPLE",
            date(2014, 5, 2),
            ratings={REGULAR: rating(655.31, 22), QUICK: rating(640.0, 22)},
        ),
        PlayerFacts("90000005", "EVANS EXAMPLE", date(2015, 9, 9)),
        PlayerFacts("90000006", "FROST EXAMPLE", adult, fide=ForeignRating(1830, date(2026, 8, 1))),
        PlayerFacts(
            "90000007",
            "GREEN EXAMPLE",
            adult,
            ratings={REGULAR: rating(1204.6, 6, wins=6, draws=0, losses=0)},
        ),
        PlayerFacts(
            "90000008",
            "HAYES EXAMPLE",
            adult,
            ratings={REGULAR: rating(1330.0, 51), QUICK: rating(1301.0, 8)},
        ),
    ]
    return {player.id: player for player in known}


def cell(text: str) -> Cell:
    """Return a round written as ``W2w``."""
    colour = text[-1] if text[-1:] in {"w", "b"} else ""
    digits = text[1:].removesuffix(colour) if colour else text[1:]
    return Cell(text[0], int(digits) if digits else None, colour)


def section(number: int, name: str, control: str, kind: SectionType, rows: list[tuple[str, str]]) -> Section:
    """Return a section from its players and their rounds."""
    entries = tuple(
        Entry(seat, f"9000000{player}", tuple(cell(text) for text in rounds.split()))
        for seat, (player, rounds) in enumerate(rows, start=1)
    )
    return Section(
        number, name, FIRST, LAST, control, kind, online=False, half_k=False, youth=False, entries=entries
    )


def festival() -> Report:
    """Return the event."""
    open_rows = [
        ("1", "W5w W3b D2w W4b"),
        ("2", "W6b H D1b L3w"),
        ("3", "W7w L1w W8b W2b"),
        ("4", "X F W6w L1w"),
        ("5", "L1b W8w B U"),
        ("6", "L2w W7b L4b U"),
        ("7", "L3b L6w U N8b"),
        ("8", "B L5b L3w S7w"),
    ]
    # The last game of seats 7 and 8 is reported by each side for itself.
    extra_rows = [("3", "W2w U"), ("4", "L1b U"), ("3", "U D4b"), ("8", "U D3w")]
    double_rows = [
        ("1", "W2w W2b D4w D4b"),
        ("2", "L1b L1w W3w W3b"),
        ("7", "L4w L4b L2b L2w"),
        ("8", "W3b W3w D1b D1w"),
    ]
    match_rows = [("1", "W2w D2b L2w D2b"), ("2", "L1b D1w W1b D1w")]
    sections = (
        section(1, "OPEN", "G/60;d5", SectionType.SWISS, open_rows),
        section(2, "EXTRA GAMES", "G/60;d5", SectionType.SWISS, extra_rows),
        section(3, "DOUBLE BLITZ", "G/5;d2", SectionType.SWISS, double_rows),
        section(4, "MATCH", "G/90;d5", SectionType.MATCH, match_rows),
    )
    event = Event(
        "202608300001", "SUMMER FESTIVAL", FIRST, LAST, "SPRINGFIELD", "IL", "USA", "A9000001", "90000009"
    )
    return Report(event, players(), sections)


def with_double_games(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the 2C files with section 3 as pairing programs report double games: one cell for two games."""
    changed = dict(files)
    details = read_dbf(files["TDEXPORT.DBF"], "TDEXPORT.DBF")
    names = [field.name for field in details.fields]
    rounds = [at for at, name in enumerate(names) if name.startswith("D_RND")]
    rows = []
    for record in details.records:
        row = list(record)
        if row[names.index("D_SEC_NUM")] == "3":
            played = [row[at] for at in rounds]
            pairs = [(played[0], played[1]), (played[2], played[3])]
            cells = [DOUBLE_CODES[first[0] + second[0]] + first[1:] for first, second in pairs]
            for at, text in zip(rounds, [*cells, "U0", "U0"], strict=True):
                row[at] = text
        rows.append(row)
    changed["TDEXPORT.DBF"] = write_dbf([(field.name, field.width) for field in details.fields], rows, LAST)
    heads = read_dbf(files["TSEXPORT.DBF"], "TSEXPORT.DBF")
    names = [field.name for field in heads.fields]
    rows = [list(record) for record in heads.records]
    for row in rows:
        if row[names.index("S_SEC_NUM")] == "3":
            row[names.index("S_TRN_TYPE")] = "2"
            row[names.index("S_TOT_RNDS")] = "2"
    changed["TSEXPORT.DBF"] = write_dbf([(field.name, field.width) for field in heads.fields], rows, LAST)
    return changed


def standings(report: Report, number: int) -> bytes:
    """Return one section as the ratings API publishes it: standings with decimals, and the section's details."""
    chosen = report.sections[number - 1]
    after = after_ratings(rate_report(report._replace(sections=(chosen,)), load_rulebook()).sections)
    letters = {System.REGULAR: "R", System.QUICK: "Q", System.BLITZ: "B"}
    outcomes = {
        "W": "Win", "L": "Loss", "D": "Draw", "N": "WinAsym", "S": "LossAsym", "R": "DrawAsym", "X": "WinForfeit",
        "F": "Forfeit", "Z": "DrawForfeit", "B": "ByeFull", "H": "ByeHalf", "U": "Unpaired",
    }  # fmt: skip
    items = []
    for entry in chosen.entries:
        known = report.players[entry.player]
        ratings = []
        for (_, seat, system), result in after.items():
            if seat == entry.seat:
                before = known.ratings.get(system)
                ratings.append(
                    {
                        "ratingSystem": letters[system],
                        "preRating": None if before is None else round(before.rating),
                        "preRatingDecimal": None if before is None else before.rating,
                        "postRating": result.published,
                        "postRatingDecimal": result.rating,
                        "postProvisionalGameCount": None if result.established else int(result.games),
                    }
                )
        items.append(
            {
                "ordinal": entry.seat,
                "pairingNumber": entry.seat,
                "memberId": entry.player,
                "firstName": "EXAMPLE",
                "lastName": known.name.split()[0],
                "roundOutcomes": [
                    {
                        "roundNumber": number,
                        "outcome": outcomes[cell.letter],
                        "color": {"w": "White", "b": "Black", "": "Unknown"}[cell.colour],
                        "opponentOrdinal": cell.opponent,
                        "opponentPairingNumber": cell.opponent,
                    }
                    for number, cell in enumerate(entry.rounds, start=1)
                ],
                "ratings": ratings,
            }
        )
    details = {
        "number": chosen.number, "name": chosen.name, "startDate": FIRST.isoformat(), "endDate": LAST.isoformat(),
        "timeControl": chosen.time_control, "isOnline": False, "format": "Swiss",
    }  # fmt: skip
    return json.dumps(
        {"section": details, "standings": {"items": items, "offset": 0, "pageSize": 100}}, indent=1
    ).encode()


def layout_of_1991(report: Report, number: int) -> dict[str, bytes]:
    """Return one section as the three files of 1991: no names, no colours, no time control.

    Source: docs/formats/uschess.md#the-layout-of-1991.
    """
    chosen = report.sections[number - 1]
    letter = {SectionType.MATCH: "M"}.get(chosen.type, "S")
    days = (FIRST.strftime("%Y%m%d"), LAST.strftime("%Y%m%d"))
    heads = {
        "H_EVENT_ID": (9, "260830001"), "H_NAME": (35, report.event.name), "H_TOT_SECT": (2, "1"),
        "H_BEG_DATE": (8, days[0]), "H_END_DATE": (8, days[1]), "H_RCV_DATE": (8, ""), "H_ENT_DATE": (8, ""),
        "H_AFF_ID": (8, report.event.affiliate), "H_CITY": (21, report.event.city), "H_STATE": (2, report.event.state),
        "H_ZIPCODE": (10, ""), "H_COUNTRY": (21, report.event.country), "H_SENDCROS": (1, "N"), "H_SCHOLAST": (1, "N"),
        "H_SECREC01": (7, "1"),
    }  # fmt: skip
    sections = {
        "S_EVENT_ID": (9, "260830001"), "S_SEC_NUM": (2, "1"), "S_SEC_NAME": (10, chosen.name), "S_K_FACTOR": (1, "F"),
        "S_R_SYSTEM": (1, "R"), "S_CTD_ID": (8, report.event.chief_td), "S_ATD_ID": (8, ""), "S_TRN_TYPE": (1, letter),
        "S_TOT_RNDS": (2, str(len(chosen.entries[0].rounds))), "S_LST_PAIR": (4, str(len(chosen.entries))),
        "S_DTLREC01": (7, "1"), "S_OPER": (2, "XX"), "S_STATUS": (1, "#"),
    }  # fmt: skip
    detail = {"D_EVENT_ID": 9, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_REC_SEQ": 1, "D_MEM_ID": 8}
    detail |= {f"D_RND{number:02}": 5 for number in range(1, 11)}
    rows = []
    for entry in chosen.entries:
        cells = [f"{one.letter}{one.opponent or 0:>4}" for one in entry.rounds]
        rows.append(
            ["260830001", "1", str(entry.seat), "1", entry.player, *cells, *["    0"] * (10 - len(cells))]
        )
    return {
        "THEXPORT.DBF": one_record(heads),
        "TSEXPORT.DBF": one_record(sections),
        "TDEXPORT.DBF": write_dbf(list(detail.items()), rows, LAST),
    }


def one_record(fields: dict[str, tuple[int, str]]) -> bytes:
    """Return a table of one record, from the width and the text of each field."""
    widths = [(name, width) for name, (width, _) in fields.items()]
    return write_dbf(widths, [[text[:width] for width, text in fields.values()]], LAST)


def swisssys(report: Report, number: int) -> bytes:
    """Return one section as SwissSys 11 saves an event, with a section that nobody has played and what is private.

    Source: docs/formats/swisssys.md.
    """
    chosen = report.sections[number - 1]
    results = {"W": "+", "L": "-", "D": "=", "": "U"}
    colours = {"w": "W", "b": "B", "": "-"}
    players = []
    for entry in chosen.entries:
        known = report.players[entry.player]
        own_rating = known.ratings.get(REGULAR)
        players.append(
            {
                "Pair number": entry.seat,
                "Name": known.name,
                "ID": entry.player,
                "Rating": 0 if own_rating is None else round(own_rating.rating),
                "State": "NY",
                "Email": "player@chess.example",
                "Phone": "555-0100",
                "Results": [
                    f"{results.get(cell.letter, cell.letter)};{cell.opponent or 10_000};{colours[cell.colour]};1;0;0;0"
                    for cell in entry.rounds
                ],
            }
        )
    rounds = len(chosen.entries[0].rounds)
    section = {
        "Type": 0,
        "Section time control": chosen.time_control,
        "Rounds paired": rounds,
        "Blitz": False,
    }
    waiting = {
        "Section name": "Waiting_List",
        "Section title": "Waiting list",
        "Rounds played": 0,
        "Players": [],
    }
    event = {
        "Overview": {
            "Program": "SwissSys",
            "Version": 11.34,
            "Tournament title": report.event.name,
            "Starting date": FIRST.isoformat(),
            "Ending date": LAST.isoformat(),
            "NACH passcode": "invented",
        },
        "Sections": [
            section | {"Section title": chosen.name, "Rounds played": rounds, "Players": players},
            section | waiting,
        ],
    }
    return json.dumps(event, indent=1).encode()


def pairings(report: Report, number: int) -> bytes:
    """Return a section, all of whose games have colours, as a list of pairings by round and board.

    Source: docs/formats/pairings.md.
    """
    chosen = report.sections[number - 1]
    names = {entry.seat: report.players[entry.player].name for entry in chosen.entries}
    lines = [
        report.event.name,
        f"{chosen.name}, {FIRST:%B} {FIRST.day}-{LAST.day}, {LAST.year}, {chosen.time_control}",
        "",
        *(f"{entry.seat:>2} {names[entry.seat]:<16} {entry.player}" for entry in chosen.entries),
    ]
    results = {"W": "1-0", "D": "\u00bd-\u00bd", "L": "0-1"}
    for at in range(len(chosen.entries[0].rounds)):
        whites = [entry for entry in chosen.entries if entry.rounds[at].colour == "w"]
        lines += ["", f"Round {at + 1}"]
        for board, entry in enumerate(whites, start=1):
            played = entry.rounds[at]
            white, black = names[entry.seat], names[played.opponent or 0]
            lines.append(f"{board}. {white}  {results[played.letter]}  {black}")
    return "\n".join([*lines, ""]).encode()


def without_ratings_after(crosstable: bytes) -> bytes:
    """Return a crosstable as the rating report that precedes it: the same table with the ratings before alone."""
    crosstable = crosstable.replace(b"(Pre->Post)", b"(Pre)      ")
    return re.sub(rb"->( *\d+(?:P\d+)? *)", lambda after: b" " * (2 + len(after.group(1))), crosstable)


def write_all(folder: Path) -> None:
    """Write the event in every format into *folder*."""
    report = festival()
    rated = rate_report(report, load_rulebook())
    after = after_ratings(rated.sections)
    single = {"native": "festival.json", "csv": "festival.csv", "members-csv": "members.csv"}
    folder.mkdir(parents=True, exist_ok=True)
    for target in BUILT_IN:
        if not target.writer or target.name == "crosstable":
            continue
        files = dict(write_report(report, target, after).files)
        if target.name == "uschess-2c":
            files = with_double_games(files)
        place = folder if target.name in single else folder / target.name
        place.mkdir(exist_ok=True)
        for file, data in files.items():
            (place / single.get(target.name, file)).write_bytes(data)
    crosstables = built_in("crosstable")
    (folder / "crosstable").mkdir(exist_ok=True)
    for chosen in report.sections:
        # A text crosstable does not say its time control: one file for each section.
        files = dict(write_report(report._replace(sections=(chosen,)), crosstables, after).files)
        table = next(iter(files.values()))
        (folder / "crosstable" / f"section-{chosen.number}.txt").write_bytes(table)
        (folder / f"rating-report-{chosen.number}.txt").write_bytes(without_ratings_after(table))
        old = folder / "uschess-1991" / f"section-{chosen.number}"
        old.mkdir(parents=True, exist_ok=True)
        for file, data in layout_of_1991(report, chosen.number).items():
            (old / file).write_bytes(data)
    (folder / "festival.sjson").write_bytes(swisssys(report, 2))
    (folder / "pairings-3.txt").write_bytes(pairings(report, 3))
    for number in (1, 3):
        (folder / f"standings-{number}.json").write_bytes(standings(report, number))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
