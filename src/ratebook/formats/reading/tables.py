"""The records of a report, field by field: readers, writers, columns and pages go by these tables.

What each field means is told in `ratebook.model`.
"""

from collections.abc import Iterator
from datetime import date

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, SECTIONS_AT_MOST
from ratebook.formats.reading.cells import EMPTY_CELL, cell_text, parse_cell
from ratebook.formats.reading.fields import HIGHEST_RATING, Fields, open_object, readable, shown
from ratebook.formats.reading.kinds import (
    BIRTH_DAY,
    COUNT,
    DAY,
    FLAG,
    GAMES,
    ID,
    LIST,
    POINTS,
    PUBLISHED,
    TEXT,
    Bounds,
    Choice,
    FieldKind,
    Lines,
    Number,
    Whole,
)
from ratebook.formats.reading.record import NONE, BySystem, Field, Listed, Nested, RecordTable
from ratebook.model import (
    Bound,
    Ceiling,
    Cell,
    EarlierMatch,
    EnteredFloor,
    Entry,
    Event,
    FloorKind,
    FloorRequest,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Section,
    SectionPrize,
    SectionType,
    Sex,
    System,
)
from ratebook.rating.floors import LEVEL, LEVELS, is_level, levels_text

_CREDITED_GAMES_AT_MOST = 10
"""Step 1 credits no more games than these (D25 section 2)."""
_ESTABLISHED_ABOVE = 25
_ANY_LEVEL = min(LEVELS.values())[0], max(LEVELS.values())[1]


class FloorLevel(Number):
    """A level of floors, which depends on their kind."""

    def __init__(self) -> None:
        super().__init__(*_ANY_LEVEL, "floor-level-wrong.field")
        self.schema["multipleOf"] = LEVEL

    def read(self, fields: Fields, key: str, value: object) -> float | None:
        """Return the level, even one between two levels, which is an error."""
        floor = super().read(fields, key, value)
        word = fields.values.get("kind")
        kind = next((one for one in LEVELS if one == word), None)
        if floor is not None and kind is not None and not is_level(kind, floor):
            fields.add("floor-level-wrong", key, floor=floor, kind=kind, levels=levels_text(kind))
        return floor


class Rounds(FieldKind[tuple[Cell, ...]]):
    """What happened in each round, one text for each."""

    def __init__(self) -> None:
        cell = {"type": ["string", "null"], "pattern": r"^\s*([WLDNSRXFZBHU]([0-9]{1,4})?[wWbB]?)?\s*$"}
        super().__init__(type="array", maxItems=ROUNDS_AT_MOST, items=cell)

    def read(self, fields: Fields, key: str, value: object) -> tuple[Cell, ...] | None:
        """Return the cells, without those that cannot be read."""
        texts = LIST.read(fields, key, value) or []
        if len(texts) > ROUNDS_AT_MOST:
            fields.add("too-many-rounds.cells", key, value_count=len(texts), rounds_at_most=ROUNDS_AT_MOST)
            return None
        try:
            cells = tuple([cell for cell in map(parse_cell, texts) if cell is not None])
        except (AttributeError, TypeError):
            cells = ()
        return cells if len(cells) == len(texts) else tuple(_readable_cells(fields, texts))

    def plain(self, value: tuple[Cell, ...]) -> object:
        """Return the cells as texts."""
        return list(map(cell_text, value))


def _readable_cells(fields: Fields, texts: list[object]) -> Iterator[Cell]:
    for number, text in enumerate(texts, start=1):
        cell = EMPTY_CELL if text is None else parse_cell(text) if isinstance(text, str) else None
        if cell is not None:
            yield cell
        elif isinstance(text, str):
            fields.add("cell-unreadable.with-seat", f"round {number}", text=shown(text))
        else:
            fields.add("type-wrong.round", f"round {number}", value=shown(text))


def _check_rating(fields: Fields, rating: Rating) -> None:
    """Report games that are missing, and warn of facts that cannot all be true."""
    if "games" not in fields.values:
        fields.add("games-missing.field", "games")
    games, peak = rating.games, rating.peak
    counts = {"wins": rating.wins, "draws": rating.draws, "losses": rating.losses}
    counted = sum(count or 0 for count in counts.values())
    if games is not None:
        # Half-K games and the conversion of 2001 may explain more games than are counted, nothing far fewer.
        if None not in counts.values() and counted + _CREDITED_GAMES_AT_MOST < games:
            fields.add("counts-below-games", "games", counted=counted, games=games)
        if counted > games:
            fields.add("counts-exceed-games", "games", counted=counted, games=games)
    if peak is not None and games is not None and games <= _ESTABLISHED_ABOVE:
        fields.add("peak-without-established", "peak", games=games)
    elif peak is not None and peak < rating.rating:
        fields.add("peak-below-rating", "peak", peak=peak, rating=rating.rating)
    if record_contradicted(rating):
        words = ", ".join(f"{'unknown' if count is None else count} {name}" for name, count in counts.items())
        fields.add("record-contradicts-counts", "record", record=str(rating.record), counts=words)


def record_contradicted(rating: Rating) -> bool:
    """Return whether the record of *rating* cannot be, given the counts."""
    wins, draws, losses = rating.wins, rating.draws, rating.losses
    if rating.record is Record.WINS:
        return bool(draws or losses)
    if rating.record is Record.LOSSES:
        return bool(draws or wins)
    if rating.record is None or wins is None or draws is None or losses is None:
        return False
    return draws == 0 and (wins == 0) != (losses == 0)


def check_dates(fields: Fields, start: date | None, end: date | None) -> None:
    """Report that something ends before it starts."""
    if start is not None and end is not None and end < start:
        fields.add("dates-reversed.fields", "end", end=end, start=start)


def _check_player(fields: Fields, player: PlayerFacts) -> None:
    for system in player.initial.keys() & player.ratings.keys():
        fields.add("initial-ignored.with-rating", f"initial.{system}", system=system)


MOST_DOLLARS = 10_000_000.0

_SYSTEM = Field("system", Choice(System, "system-unknown.choice"), "rating system", required=True)

RATING = RecordTable(
    Rating,
    Field("rating", POINTS, "rating", unknown=POINTS.low, required=True, basic=True),
    Field(
        "games",
        GAMES,
        "number of games",
        stated=True,
        basic=True,
        about="null: established, on an unknown number of games",
    ),
    Field("wins", COUNT, "number of wins"),
    Field("draws", COUNT, "number of draws"),
    Field("losses", COUNT, "number of losses"),
    Field(
        "record", Choice(Record, "record-unknown"), "record of a rating", about="what all rated games were"
    ),
    Field("long_events", COUNT, "number of long events", about="sections with three or more rated games"),
    Field("peak", POINTS, "peak rating", about="the highest established rating so far"),
    Field(
        "life_master_games",
        COUNT,
        "number of Life Master games",
        about="played from an established rating of 2200 or more",
    ),
    Field("published", PUBLISHED, "official rating", about="for match eligibility"),
    Field("published_games", GAMES, "number of games of an official rating", about="absent: established"),
    Field("as_of", DAY, "date of a rating", about="absent: the last day of the section"),
    Field(
        "at_least",
        Bounds(),
        "mark of lower bounds",
        unknown=Bound(0),
        about="which of peak, counts and life_master_games are only lower bounds; absent: none",
    ),
    check=_check_rating,
)
FOREIGN = RecordTable(
    ForeignRating,
    Field("rating", POINTS, "rating", unknown=POINTS.low, required=True),
    Field("as_of", DAY, "date of its list"),
)
INITIAL = RecordTable(
    InitialRating,
    Field("rating", POINTS, "rating", unknown=POINTS.low, required=True),
    Field("games", GAMES, "number of games", unknown=0.0, stated=True),
)
FLOOR = RecordTable(
    EnteredFloor,
    _SYSTEM,
    Field("kind", Choice(FloorKind, "floor-kind-unknown"), "who or what set it", required=True),
    Field("floor", FloorLevel(), "level", required=True),
)
CEILING = RecordTable(Ceiling, _SYSTEM, Field("ceiling", POINTS, "level", required=True))
MATCH = RecordTable(
    EarlierMatch,
    _SYSTEM,
    Field("end", DAY, "last day", required=True),
    Field(
        "change",
        Number(-HIGHEST_RATING, HIGHEST_RATING, unit="rating points"),
        "change of the rating",
        required=True,
    ),
)
PLAYER = RecordTable(
    PlayerFacts,
    Field("id", ID, "id", unknown="", required=True, basic=True, about="member id, or the report's own key"),
    Field("name", TEXT, "name", unknown=""),
    Field("birth_date", BIRTH_DAY, "birth date"),
    Field("adult", FLAG, "adult mark", about="where the birth date is not known"),
    Field("canadian_resident", FLAG, "mark of a Canadian resident", unknown=False),
    Field(
        "ratings",
        BySystem(RATING),
        "player's ratings",
        unknown=NONE,
        about="a system that is absent: unrated in it",
    ),
    Field("fide", Nested(FOREIGN), "FIDE rating"),
    Field("cfc", Nested(FOREIGN), "CFC rating"),
    Field("floors", Listed(FLOOR, "floor"), "player's entered floors", unknown=()),
    Field("ceilings", Listed(CEILING, "ceiling"), "player's ceilings", unknown=()),
    Field("us_member", FLAG, "mark of a member", unknown=False),
    Field("usa_flag", FLAG, "mark of the US flag", unknown=False),
    Field("fide_opt_in", FLAG, "FIDE opt-in", unknown=False),
    Field("matches", Listed(MATCH, "match"), "player's earlier matches", unknown=()),
    Field(
        "initial",
        BySystem(INITIAL),
        "player's initial ratings by the office",
        unknown=NONE,
        about="they override Step 1",
    ),
    Field(
        "titles", TEXT, "player's titles", unknown="", about="codes of titles held, separated by spaces: C NM"
    ),
    Field(
        "pairing_rating",
        POINTS,
        "pairing rating",
        about="it names no system, and is used for players without any rating",
    ),
    Field("fide_id", TEXT, "FIDE id", unknown=""),
    Field("federation", TEXT, "federation", unknown="", about="FIDE's code, such as USA"),
    Field("sex", Choice(Sex, "sex-unknown"), "sex"),
    Field("title", TEXT, "FIDE title", unknown=""),
    Field("club", TEXT, "club or school", unknown=""),
    Field("state", TEXT, "player's state", unknown="", about="home of the player"),
    check=_check_player,
)
EVENT = RecordTable(
    Event,
    Field("id", TEXT, "event id", unknown=""),
    Field("name", TEXT, "event name", unknown=""),
    Field("start", DAY, "first day of the event"),
    Field("end", DAY, "last day of the event"),
    Field("city", TEXT, "city", unknown=""),
    Field("state", TEXT, "state", unknown=""),
    Field("country", TEXT, "country", unknown=""),
    Field("affiliate", TEXT, "affiliate", unknown=""),
    Field("chief_td", TEXT, "chief tournament director", unknown=""),
    Field("assistant_td", TEXT, "assistant tournament director", unknown=""),
    Field("other_tds", TEXT, "other tournament directors", unknown=""),
    Field("postal_code", TEXT, "postal code", unknown=""),
    check=lambda fields, event: check_dates(fields, event.start, event.end),
)
ENTRY = RecordTable(
    Entry,
    Field("seat", Whole(1, SEATS_AT_MOST), "pairing number", required=True, basic=True),
    Field("player", TEXT, "id of a player in the list", unknown="", required=True, basic=True),
    Field(
        "rounds", Rounds(), "result, opponent and colour of each round", unknown=(), required=True, basic=True
    ),
    Field("update", FLAG, "mark of an entry to be updated", unknown=False, about="in foreign FIDE events"),
    Field("floor_request", Choice(FloorRequest, "floor-request-unknown.choice"), "answer to a floor request"),
    Field("rank", Whole(1, SEATS_AT_MOST), "final rank", about="absent: by points"),
)
SECTION = RecordTable(
    Section,
    Field("number", Whole(1, SECTIONS_AT_MOST), "number", required=True, basic=True),
    Field("name", TEXT, "section name", unknown="", stated=True),
    Field("start", DAY, "first day of a section", about="absent: that of the event"),
    Field("end", DAY, "last day of a section", about="absent: that of the event"),
    Field("time_control", TEXT, "time control", about="as the tournament director wrote it"),
    Field(
        "type",
        Choice(SectionType, "section-type-unknown.choice"),
        "section type",
        unknown=SectionType.OTHER,
        stated=True,
    ),
    Field("online", FLAG, "mark of an online section", unknown=False, stated=True),
    Field("half_k", FLAG, "mark of a half-K section", unknown=False, about="before March 2006"),
    Field("youth", FLAG, "mark of a youth event", unknown=False, about="in foreign FIDE events"),
    Field(
        "entries",
        Listed(ENTRY, "seat", minItems=1, maxItems=SEATS_AT_MOST),
        "seats",
        unknown=(),
        required=True,
        basic=True,
    ),
    Field("chief_td", TEXT, "chief director of a section", unknown="", about="absent: that of the event"),
    Field("assistant_td", TEXT, "assistant director of a section", unknown=""),
    Field("scholastic", TEXT, "scholastic level", unknown="", about="S, P or J, as in format 2C"),
    Field("grand_prix", FLAG, "mark of a Grand Prix section", unknown=False),
    Field("grand_prix_points", COUNT, "number of Grand Prix points"),
    Field("fide_rated", FLAG, "mark of a section that FIDE rates", unknown=False),
    Field("described", TEXT, "words for the type of tournament", unknown="", about="record 092 of a TRF"),
    Field("pairing_system", TEXT, "code of the pairing system", unknown="", about="record 192 of a TRF"),
    Field(
        "trf_records",
        Lines(),
        "other records of a tournament report",
        unknown=(),
        about="lines of a TRF as they are",
    ),
)


PRIZE = RecordTable(
    SectionPrize,
    Field("section", Whole(1, SECTIONS_AT_MOST), "number of a section", required=True),
    Field("player", TEXT, "id of a player in the list", unknown="", required=True),
    Field("amount", Number(1, MOST_DOLLARS, unit="dollars"), "amount of a prize", required=True),
    Field("limit", POINTS, "limit of a prize", required=True, about="it was open to players rated below"),
)


def read_player(findings: Findings, value: object, position: int) -> PlayerFacts | None:
    """Return the player in *value*, number *position* of the list, or None where it has no usable id."""
    key = value.get("id") if isinstance(value, dict) else None
    named = isinstance(key, str) and key and readable(key)
    where = Place(players=(str(key),)) if named else Place(subject="players", position=position)
    fields = open_object(findings, value, where, PLAYER.keys)
    if fields is None:
        return None
    player = PLAYER.read(fields)
    if key == "":
        fields.add("id-empty", "id")
    return player if named else None
