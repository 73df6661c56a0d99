"""Writing FIDE tournament report files, TRF16 and TRF26.

Each section becomes a tournament with a file of its own.
Source: docs/formats/trf.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from ratebook.findings import Finding, finding
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, AfterRatings, Written
from ratebook.formats.hints import seat_id
from ratebook.formats.losses import Losses
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, readable
from ratebook.formats.trf.lines import (
    ALLOCATED_BYE,
    CANADA,
    FIRST_ROUND,
    FULL_BYE,
    HOME_FEDERATION,
    NAME_WIDTH,
    NEW_EDITION,
    NUMBER_WIDTH,
    PLAYER_RECORD,
    date_text,
    names_of,
    result_text,
    tournament_names,
)
from ratebook.formats.trf.times import encode_time_control, words_for
from ratebook.model import (
    POINTS,
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
        *("player.name", "player.birth_date", "player.fide", "player.usa_flag"),
    }
)
_QUICK_BELOW = 30
_BLITZ_UP_TO = 10

_TYPES_IN_WORDS = {
    SectionType.SWISS: "Swiss",
    SectionType.ROUND_ROBIN: "Round robin",
    SectionType.MATCH: "Match",
}
# The code table has no match, and no one said by which rules of FIDE the pairings were made.
_TYPES_CODED = {SectionType.SWISS: "CUSTOM_SWISS", SectionType.ROUND_ROBIN: "CUSTOM_ROUNDROBIN"}

_CLASSES = (
    (System.REGULAR, System.QUICK, System.BLITZ),
    (System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ),
)


def write(report: Report, after: AfterRatings | None = None, *, edition: int) -> Written:
    """Return *report* as files of the *edition* (16 or 26), one for each section, and what they cannot hold.

    TRF26 writes a player's id and rating into a national record of the USA. TRF16 has none: an id of digits is written
    in the place of the FIDE number, and a note says so.
    """
    new = edition == NEW_EDITION
    losses = Losses()
    losses.add_facts(report, _HELD | {"player.cfc", "player.pairing_rating"} if new else _HELD)
    misplaced = 0
    sections = report.sections
    alone = len(sections) == 1
    names = tournament_names(_one_line(report.event.name), [_one_line(section.name) for section in sections])
    # An id made of a seat is enough for a player who has no other seat.
    seats = Counter(entry.player for section in sections for entry in section.entries)
    files = {}
    for section, name in zip(sections, names, strict=True):
        entries = _writable(section, losses)
        number = 1 if alone else section.number
        ids = [_id_written(entry, number, seats[entry.player], edition) for entry in entries]
        lines = [
            *_tournament_lines(report, section, name, entries, edition),
            *_player_lines(report.players, entries, [""] * len(ids) if new else ids),
            *(_national_lines(report.players, section, entries, ids) if new else ()),
        ]
        file = "report.trf" if alone else f"section-{section.number}.trf"
        files[file] = (_LINE_END.join(lines) + _LINE_END).encode(errors="replace")
        _count_section(section, losses)
        for entry, written in zip(entries, ids, strict=True):
            lost = not written and entry.player != seat_id(number, entry.seat)
            losses.add("id of a player, unless of digits, at most 11", lost)
            misplaced += bool(written) and not new
    if sections:
        _count_names(report.event, sections, names, losses)
    _count_foreign(report, edition, losses)
    losses.add("rating after the event", len(after or ()))
    cut = sum(_name_written(report.players[key].name) != report.players[key].name for key in seats)
    place = next(iter(files), "report")
    found = losses.findings(place)
    if cut:
        found += (finding("names-cut-in-trf", place, name_width=NAME_WIDTH, cut=cut),)
    if misplaced:
        found += (finding("ids-as-fide-numbers", place, misplaced=misplaced),)
    return Written(files, found)


def _one_line(text: str) -> str:
    """Return *text* without what would break a line or a column."""
    if not readable(text):
        text = "".join(character if readable(character) else " " for character in text)
    return text.strip()


def _name_written(name: str) -> str:
    return _one_line(name)[:NAME_WIDTH].rstrip()


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


def _id_written(entry: Entry, section: int, seats: int, edition: int) -> str:
    """Return the id as it is written, empty where it cannot be, or where a reader makes the same of the seat."""
    key = entry.player
    if seats == 1 and key == seat_id(section, entry.seat):
        return ""
    fits = len(key) <= NUMBER_WIDTH and key == _one_line(key) and key.strip("0")
    return key if fits and (edition == NEW_EDITION or (key.isascii() and key.isdecimal())) else ""


def _tournament_lines(
    report: Report, section: Section, name: str, entries: Sequence[Entry], edition: int
) -> list[str]:
    """Return the tournament records."""
    event = report.event
    rounds = max((len(entry.rounds) for entry in entries), default=0)
    rated = sum(_points(report.players[entry.player].fide) != "" for entry in entries)
    new = edition == NEW_EDITION
    days = [] if section.start != section.end else [date_text(section.end)[2:]] * rounds
    records = (
        ("012", name),
        ("022", _one_line(event.city)),
        ("032", _one_line(event.country)),
        ("042", "" if section.start is None else date_text(section.start)),
        ("052", date_text(section.end)),
        ("062", str(len(entries))),
        ("072", str(rated)),
        ("092", _TYPES_IN_WORDS.get(section.type, "")),
        ("102", _one_line(event.chief_td)),
        ("122", _one_line(words_for(section.time_control))),
        ("132", " " * (FIRST_ROUND - len("132 ")) + "  ".join(days) if days else ""),
        ("142", str(rounds) if new else ""),
        # Needed with national records; by which rating the players were ranked is not known.
        ("172", f"{HOME_FEDERATION} OTHER" if new else ""),
        ("192", _TYPES_CODED.get(section.type, "") if new else ""),
        ("222", encode_time_control(section.time_control) if new else ""),
        # TRF16 has no record for the rounds; pairing programs agreed on this one.
        ("XXR", "" if new else str(rounds)),
    )
    return [f"{tag} {text}" for tag, text in records if text]


def _player_lines(
    players: Mapping[str, PlayerFacts], entries: Sequence[Entry], numbers: Sequence[str]
) -> Iterator[str]:
    """Yield the player records; *numbers* are written in the place of the FIDE number."""
    points = [sum(POINTS.get(cell.letter, 0.0) for cell in entry.rounds) for entry in entries]
    ranks: dict[float, int] = {}
    for rank, value in enumerate(sorted(points, reverse=True), start=1):
        ranks.setdefault(value, rank)
    byes = _bye_codes(entries)
    for entry, number, score in zip(entries, numbers, points, strict=True):
        facts = players[entry.player]
        birth_date = "" if facts.birth_date is None else date_text(facts.birth_date)
        rounds = "".join(f"  {result_text(cell, bye)}" for cell, bye in zip(entry.rounds, byes, strict=False))
        yield (
            f"{PLAYER_RECORD} {entry.seat:>4}      {_name_written(facts.name):<{NAME_WIDTH}} "
            f"{_points(facts.fide):>4} {HOME_FEDERATION if facts.usa_flag else '':<3} "
            f"{number:>{NUMBER_WIDTH}} {birth_date:<10} {score:>4.1f} {ranks[score]:>4}{rounds}"
        )


def _bye_codes(entries: Sequence[Entry]) -> list[str]:
    """Return the code of a full bye in each round: only one player of a round can have the allocated one."""
    rounds = zip_longest(*(entry.rounds for entry in entries), fillvalue=EMPTY_CELL)
    byes = (sum(cell.letter == "B" for cell in cells) for cells in rounds)
    return [ALLOCATED_BYE if count == 1 else FULL_BYE for count in byes]


def _national_lines(
    players: Mapping[str, PlayerFacts], section: Section, entries: Sequence[Entry], ids: Sequence[str]
) -> Iterator[str]:
    """Yield the national records: of the USA with id and rating, of Canada with the CFC rating.

    Name and birth date are optional where they are those of the player.
    """
    systems = _rating_order(section)
    for entry, member in zip(entries, ids, strict=True):
        facts = players[entry.player]
        rating: Rating | ForeignRating | None = next(
            (facts.ratings[system] for system in systems if system in facts.ratings), None
        )
        if facts.pairing_rating is not None:
            rating = ForeignRating(facts.pairing_rating)
        own = (HOME_FEDERATION, _points(rating), member), (CANADA, _points(facts.cfc), "")
        for federation, points, number in own:
            if points or number:
                line = f"{federation} {entry.seat:>4}      {'':<{NAME_WIDTH}} {points:>4}"
                yield f"{line}     {number:>{NUMBER_WIDTH}}".rstrip()


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
    """Return *rating* rounded as ratings are shown, empty where there is none or it does not fit."""
    points = 0 if rating is None else int(rounded(rating.rating))
    return str(points) if LOWEST_RATING <= points <= HIGHEST_RATING else ""


def _count_names(event: Event, sections: Sequence[Section], names: Sequence[str], losses: Losses) -> None:
    """Count the names and days of the event that differ when the files are read."""
    title, section_names = names_of(names)
    losses.add("event name apart from those of its sections", event.name != title)
    differing = sum(section.name != name for section, name in zip(sections, section_names, strict=True))
    losses.add("section name apart from that of the event", differing)
    starts = [section.start for section in sections if section.start is not None]
    first = min(starts) if len(starts) == len(sections) else None
    losses.add("first day of the event apart from those of its sections", event.start != first)
    last = max(section.end for section in sections)
    losses.add("last day of the event apart from those of its sections", event.end != last)
    losses.add(
        "blank or control character in a text of the event",
        sum(text != _one_line(text) for text in (event.city, event.country, event.chief_td)),
    )
    if len(sections) == 1:
        losses.add("number of a section that is alone", sections[0].number != 1)


def _count_section(section: Section, losses: Losses) -> None:
    losses.add("mark of a foreign FIDE event", section.type is SectionType.FIDE)
    cells = [cell for entry in section.entries for cell in entry.rounds]
    losses.add(
        "mark of a result that one side alone reports (N, S, R), written as 1, 0, =",
        sum(cell.letter in _ASYMMETRIC for cell in cells),
    )
    without_result = sum(not cell.letter and cell != EMPTY_CELL for cell in cells)
    losses.add("opponent of a round without result", without_result)


def _count_foreign(report: Report, edition: int, losses: Losses) -> None:
    """Count dates and fractions of the FIDE and, in TRF26, the CFC ratings."""
    for facts in report.players.values():
        for whose, rating in (("FIDE", facts.fide), ("CFC", facts.cfc if edition == NEW_EDITION else None)):
            if rating is not None:
                losses.add(f"date of a {whose} rating", rating.as_of is not None)
                losses.add(f"fraction of a {whose} rating", _points(rating) != f"{rating.rating:g}")
