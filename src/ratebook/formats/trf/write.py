"""Writing FIDE tournament report files, TRF16 and TRF26.

Each section becomes a tournament with a file of its own.
Source: docs/formats/trf.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, AfterRatings, Written
from ratebook.formats.hints import is_seat_id, seat_id
from ratebook.formats.losses import Losses
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, readable
from ratebook.formats.trf import lines as trf
from ratebook.formats.trf.lines import TypeRecords
from ratebook.formats.trf.records import KEPT_BY_BOTH
from ratebook.formats.trf.times import encode_time_control, words_for
from ratebook.model import (
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
from ratebook.rating.formulas import rounded
from ratebook.rules.timecontrol import parse_time_control

# FIDE asks for CR at the end of a line; with LF after it, editors and readers that split at LF show lines too.
_LINE_END = "\r\n"

_ASYMMETRIC = frozenset("NSR")
# What add_facts need not count; where a reader may still find another thing, it is counted here.
_HELD = frozenset(
    {
        *("event.name", "event.start", "event.end", "event.city", "event.country", "event.chief_td"),
        *("section.name", "section.start", "section.end", "section.time_control", "section.type"),
        *("player.name", "player.birth_date", "player.fide", "player.usa_flag", "player.sex"),
        *("player.fide_id", "player.federation", "player.title", "event.assistant_td", "entry.rank"),
        *("section.described", "section.pairing_system", "section.trf_records"),
    }
)
_TITLE_WIDTH = 3
_FEDERATION_WIDTH = 3
_QUICK_BELOW = 30
_BLITZ_UP_TO = 10

_CLASSES = (
    (System.REGULAR, System.QUICK, System.BLITZ),
    (System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ),
)


def write(report: Report, after: AfterRatings | None = None, *, edition: int) -> Written:
    """Return *report* as files of the *edition* (16 or 26), one for each section, and what they cannot hold.

    TRF26 writes a player's id and rating into a national record of the USA. TRF16 has none: ids are written as one
    service adds them, in records DAT.
    """
    new = edition == trf.NEW_EDITION
    losses = Losses()
    losses.add_facts(report, _HELD | {"player.cfc", "player.pairing_rating"} if new else _HELD)
    sections = report.sections
    alone = len(sections) == 1
    names = trf.tournament_names(_one_line(report.event.name), [_one_line(each.name) for each in sections])
    # An id made of a seat is enough for a player who has no other seat.
    seats = Counter(entry.player for section in sections for entry in section.entries)
    files = {}
    for section, name in zip(sections, names, strict=True):
        entries = _writable(section, losses)
        number = 1 if alone else section.number
        ids = [_id_written(report, entry, number, seats[entry.player], edition) for entry in entries]
        # The records in which one service adds US Chess ids.
        id_lines = (
            f"DAT {entry.seat:>4} ID:USCF {member}"
            for entry, member in zip(entries, ids, strict=True)
            if member
        )
        lines = [
            *_tournament_lines(report, section, name, entries, edition),
            *_player_lines(report.players, entries),
            *(_national_lines(report.players, section, entries, ids) if new else id_lines),
            *_kept_lines(section, losses, edition),
        ]
        file = "report.trf" if alone else f"section-{section.number}.trf"
        files[file] = (_LINE_END.join(lines) + _LINE_END).encode(errors="replace")
        _count_section(section, losses, edition)
        for entry, written in zip(entries, ids, strict=True):
            lost = not written and not _told_by_seat(report, entry, number, seats[entry.player])
            losses.add("player id that is long or has blanks", lost)
    if sections:
        _count_names(report.event, sections, names, losses)
    _count_foreign(report, edition, losses)
    losses.add("rating after the event", len(after or ()))
    cut = sum(_name_written(report.players[key].name) != report.players[key].name for key in seats)
    place = next(iter(files), "report")
    findings = losses.findings(place)
    if cut:
        findings += (finding("names-cut-in-trf", Place(file=place), name_width=trf.NAME_WIDTH, cut=cut),)
    return Written(files, findings)


def _one_line(text: str) -> str:
    if not readable(text):
        text = "".join(character if readable(character) else " " for character in text)
    return text.strip()


def _name_written(name: str) -> str:
    return _one_line(name)[: trf.NAME_WIDTH].rstrip()


def _writable(section: Section, losses: Losses) -> list[Entry]:
    """Return the entries whose seats and rounds fit; a valid report has no others."""
    entries = [
        entry._replace(rounds=entry.rounds[:ROUNDS_AT_MOST])
        for entry in section.entries
        if 1 <= entry.seat <= SEATS_AT_MOST
    ]
    losses.add("seat beyond four digits", len(section.entries) - len(entries))
    cut = (max(0, len(entry.rounds) - ROUNDS_AT_MOST) for entry in section.entries)
    losses.add(f"round beyond the {ROUNDS_AT_MOST}th", sum(cut))
    return entries


def _id_written(report: Report, entry: Entry, section: int, seats: int, edition: int) -> str:
    """Return the id as it is written, empty where it cannot be, or where a reader makes the same of the seat."""
    key = entry.player
    if _told_by_seat(report, entry, section, seats):
        return ""
    fits = key == _one_line(key) and key.strip("0") != ""
    fits = fits and (len(key) <= trf.NUMBER_WIDTH if edition == trf.NEW_EDITION else len(key.split()) == 1)
    return key if fits else ""


def _told_by_seat(report: Report, entry: Entry, section: int, seats: int) -> bool:
    """Return whether the seat, or the FIDE number at several of them, tells who a player without an id is."""
    alone = seats == 1 and entry.player == seat_id(section, entry.seat)
    return alone or (is_seat_id(entry.player) and _number_written(report.players[entry.player]) != "")


def _number_written(facts: PlayerFacts) -> str:
    number = facts.fide_id
    fits = number.isascii() and number.isdecimal() and len(number) <= trf.NUMBER_WIDTH
    return number if fits and number.strip("0") else ""


def _tournament_lines(
    report: Report, section: Section, name: str, entries: Sequence[Entry], edition: int
) -> list[str]:
    event = report.event
    rounds = max((len(entry.rounds) for entry in entries), default=0)
    rated = sum(_points(report.players[entry.player].fide) != "" for entry in entries)
    new = edition == trf.NEW_EDITION
    type_records = _type_records(section, edition)
    ranked = any(line.startswith("172") for line in section.trf_records)
    has_days = any(line.startswith("132") for line in section.trf_records)
    days = [] if has_days or section.start != section.end else [trf.date_text(section.end)[2:]] * rounds
    records = (
        ("012", name),
        ("022", _one_line(event.city)),
        ("032", _one_line(event.country)),
        ("042", "" if section.start is None else trf.date_text(section.start)),
        ("052", trf.date_text(section.end)),
        ("062", str(len(entries))),
        ("072", str(rated)),
        ("092", type_records.words),
        ("102", _one_line(event.chief_td)),
        *(("112", _one_line(deputy)) for deputy in event.assistant_td.split(trf.DEPUTIES)),
        ("122", _one_line(words_for(section.time_control))),
        ("132", " " * (trf.FIRST_ROUND - len("132 ")) + "  ".join(days) if days else ""),
        ("142", str(rounds) if new else ""),
        ("172", trf.RANKING_UNKNOWN.removeprefix("172 ") if new and not ranked else ""),
        ("192", type_records.coded if new else ""),
        ("222", encode_time_control(section.time_control) if new else ""),
        # TRF16 has no record for the rounds; pairing programs agreed on this one, and some want it in TRF26 too.
        ("XXR", str(rounds)),
    )
    return [f"{tag} {text}" for tag, text in records if text]


def _type_records(section: Section, edition: int) -> TypeRecords:
    """Return what is written of the section's type: its own words and code, where a reader finds the type in them."""
    usual = trf.usual_type_records(section.type)
    own = TypeRecords(
        _one_line(section.described) or usual.words, _one_line(section.pairing_system) or usual.coded
    )
    if edition != trf.NEW_EDITION:
        usual, own = usual._replace(coded=""), own._replace(coded="")
    return own if own.type is usual.type else usual


def _kept_lines(section: Section, losses: Losses, edition: int) -> Iterator[str]:
    """Yield the lines that a tournament report had and the *edition* has too."""
    for line in section.trf_records:
        fits = readable(line) and (edition == trf.NEW_EDITION or line[:3] in KEPT_BY_BOTH)
        if fits:
            yield line
        losses.add("other records of a tournament report", not fits)


def _player_lines(players: Mapping[str, PlayerFacts], entries: Sequence[Entry]) -> Iterator[str]:
    points = [trf.points_of(entry.rounds) for entry in entries]
    byes = _bye_codes(entries)
    for entry, score, rank in zip(entries, points, trf.ranks_by_points(points), strict=True):
        facts = players[entry.player]
        birth_date = "" if facts.birth_date is None else trf.date_text(facts.birth_date)
        rounds = "".join(
            f"  {trf.result_text(cell, bye)}" for cell, bye in zip(entry.rounds, byes, strict=False)
        )
        sex = "" if facts.sex is None else trf.SEXES_WRITTEN.get(facts.sex, "")
        yield (
            f"{trf.PLAYER_RECORD} {entry.seat:>4} {sex:<1}{_title(facts):>3} "
            f"{_name_written(facts.name):<{trf.NAME_WIDTH}} {_points(facts.fide):>4} {_federation(facts):<3} "
            f"{_number_written(facts):>{trf.NUMBER_WIDTH}} {birth_date:<10} {score:>4.1f} "
            f"{entry.rank or rank:>4}{rounds}"
        )


def _title(facts: PlayerFacts) -> str:
    return _fitting(trf.OLD_TITLES.get(facts.title, facts.title), _TITLE_WIDTH)


def _fitting(text: str, width: int) -> str:
    return text if len(text) <= width and text == _one_line(text) else ""


def _federation(facts: PlayerFacts) -> str:
    return _fitting(facts.federation, _FEDERATION_WIDTH) or (trf.HOME_FEDERATION if facts.usa_flag else "")


def _bye_codes(entries: Sequence[Entry]) -> list[str]:
    """Return the code of a full bye in each round: only one player of a round can have the allocated one."""
    rounds = zip_longest(*(entry.rounds for entry in entries), fillvalue=EMPTY_CELL)
    byes = (sum(cell.letter == "B" for cell in cells) for cells in rounds)
    return [trf.ALLOCATED_BYE if count == 1 else trf.FULL_BYE for count in byes]


def _national_lines(
    players: Mapping[str, PlayerFacts], section: Section, entries: Sequence[Entry], ids: Sequence[str]
) -> Iterator[str]:
    """Yield the national records: of the USA with id and rating, of Canada with the CFC rating.

    Name and birth date are optional where they are those of the player.
    """
    systems = _rating_order(section)
    for entry, member in zip(entries, ids, strict=True):
        facts = players[entry.player]
        rating = _rating_of(facts, systems)
        own = (trf.HOME_FEDERATION, _points(rating), member), (trf.CANADA, _points(facts.cfc), "")
        for federation, points, number in own:
            if points or number:
                line = f"{federation} {entry.seat:>4}      {'':<{trf.NAME_WIDTH}} {points:>4}"
                yield f"{line}     {number:>{trf.NUMBER_WIDTH}}".rstrip()


def _rating_of(facts: PlayerFacts, systems: Sequence[System]) -> Rating | ForeignRating | None:
    """Return the rating in the first of *systems*, else the one by which the player was paired, else another one."""
    rating = facts.ratings.get(systems[0])
    if rating is None and facts.pairing_rating is not None:
        return ForeignRating(facts.pairing_rating)
    return next((facts.ratings[system] for system in systems if system in facts.ratings), None)


def _rating_order(section: Section) -> tuple[System, ...]:
    """Return the systems whose rating players of *section* were paired by, the likeliest first."""
    regular, quick, blitz = _CLASSES[section.online]
    control = None if section.time_control is None else parse_time_control(section.time_control)
    if control is None or isinstance(control, Finding) or control.total >= _QUICK_BELOW:
        return regular, quick, blitz
    if control.total > _BLITZ_UP_TO:
        return quick, regular, blitz
    return blitz, quick, regular


def _points(rating: Rating | ForeignRating | None) -> str:
    points = 0 if rating is None else int(rounded(rating.rating))
    return str(points) if LOWEST_RATING <= points <= HIGHEST_RATING else ""


def _count_names(event: Event, sections: Sequence[Section], names: Sequence[str], losses: Losses) -> None:
    """Count the names and days of the event that differ when the files are read."""
    title, section_names = trf.names_of(names)
    differing = sum(section.name != name for section, name in zip(sections, section_names, strict=True))
    starts = [section.start for section in sections if section.start is not None]
    first = min(starts) if len(starts) == len(sections) else None
    last = max(section.end for section in sections)
    texts = (event.city, event.country, event.chief_td, event.assistant_td)
    losses.add_all(
        {
            "event name that differs from those of its sections": event.name != title,
            "section name that differs from that of the event": differing,
            "first day of the event that differs from those of its sections": event.start != first,
            "last day of the event that differs from those of its sections": event.end != last,
            "blank or control character in a text of the event": sum(
                text != _one_line(text) for text in texts
            ),
            "number of the only section": len(sections) == 1 and sections[0].number != 1,
        }
    )


def _count_section(section: Section, losses: Losses, edition: int) -> None:
    written = _type_records(section, edition)
    cells = [cell for entry in section.entries for cell in entry.rounds]
    lone_forfeits = sum(cell.letter == "F" and cell.opponent is None for cell in cells)
    one_sided = "mark of a result that only one side reports (N, S, R), written as 1, 0, ="
    losses.add_all(
        {
            "words for the type of tournament": section.described not in {"", written.words},
            "code of the pairing system": section.pairing_system not in {"", written.coded},
            "mark of a foreign FIDE event": section.type is SectionType.FIDE,
            one_sided: sum(cell.letter in _ASYMMETRIC for cell in cells),
            "forfeit without an opponent, which reads as not paired": lone_forfeits,
            "opponent of a round without result": sum(
                not cell.letter and cell != EMPTY_CELL for cell in cells
            ),
        }
    )


def _count_foreign(report: Report, edition: int, losses: Losses) -> None:
    """Count what does not fit its columns, and dates and fractions of the FIDE and, in TRF26, the CFC ratings."""
    seated = {entry.player: section for section in report.sections for entry in section.entries}
    for key, facts in report.players.items():
        written = _federation(facts)
        at_home = written == trf.HOME_FEDERATION
        losses.add_all(
            {
                "FIDE id that is not a number of at most 11 digits": facts.fide_id != _number_written(facts),
                "FIDE title beyond three letters": bool(facts.title) > bool(_title(facts)),
                "old letters of a FIDE title, written as today's": facts.title in trf.OLD_TITLES,
                "federation beyond three letters": facts.federation not in {"", written},
                "mark of the US flag beside another federation": facts.usa_flag > at_home,
                "USA as federation without the mark of the US flag": facts.usa_flag < at_home,
                "sex that is neither m nor w": facts.sex not in {None, *trf.SEXES_WRITTEN},
            }
        )
        paired = facts.pairing_rating
        if edition == trf.NEW_EDITION and paired is not None and key in seated:
            rating = _rating_of(facts, _rating_order(seated[key]))
            place = rating == ForeignRating(paired) and not paired.is_integer()
            losses.add("decimals of a pairing rating", place)
            losses.add("pairing rating beside a rating", rating != ForeignRating(paired))
        for whose, rating in (
            ("FIDE", facts.fide),
            ("CFC", facts.cfc if edition == trf.NEW_EDITION else None),
        ):
            if rating is not None:
                losses.add(f"date of a {whose} rating", rating.as_of is not None)
                losses.add(f"fraction of a {whose} rating", _points(rating) != f"{rating.rating:g}")
