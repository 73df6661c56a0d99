"""Games in tables: a row for each board, with who has White, or for each game of a ladder, with who has won."""

import contextlib
import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ratebook.formats.archive import SourceFile
from ratebook.formats.hints import section_name
from ratebook.formats.pairings.lines import (
    Board,
    NamedBye,
    PairedRound,
    PairedSection,
    Side,
    board_of,
    bye_of,
    days_of,
    is_bye,
    round_of,
    side_of,
)
from ratebook.formats.pairings.outcomes import letters_of
from ratebook.formats.reading.cells import BYE_OF_RESULT, OTHER_SIDE, cell_in, small_number
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING
from ratebook.formats.reading.page import says_when
from ratebook.formats.reading.sheets.figures import parse_rating
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, is_comment, plain_title
from ratebook.formats.reading.sheets.outcomes import RESULTS
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.sheets.synonyms import SYNONYMS, words
from ratebook.formats.reading.text import decoded_text

_BEGINNING = 1 << 16
_BLANKS = re.compile(r"\s{2,}")
_WHITE = ("white", "weiss", "wit", "vit", "hvit", "hvid", "blancs", "blancas", "bianco", "brancas")
_BLACK = ("black", "schwarz", "zwart", "svart", "sort", "noirs", "negras", "nero", "pretas")
_WINNERS = ("winner", "won", "won_by", "gewinner", "vinnare", "vinner", "vinder", "winnaar")
_LOSERS = ("loser", "lost", "lost_by", "verlierer", "förlorare", "taper", "verliezer")
_RESULT_TITLES = words(
    "result results res score ergebnis resultat uitslag résultat resultado outcome who_won"
)
_SCORE_TITLES = frozenset((*_RESULT_TITLES, *SYNONYMS["report"]["total"]))
"""Above what each side has made of a game."""
NAME_TITLES = ("name", "player", *SYNONYMS["report"]["name"])
NUMBER_TITLES = ("no", "nr", "n", "snr", "#", "number", "num", "seed", "pair", "pairing_no", "pair_no")
_DRAW_TITLES = ("draw", "drawn", "draws", "remis", "remi")
_ROUND_TITLES = ("round", "rd", "rnd", "runde", "rond", "ronde", "ronda", "r")
_OPPONENTS = words(
    "opponent opponent_name opp opponents gegner adversario adversaire tegenstander motståndare motstander"
)
_COLOUR_TITLES = ("color", "colour", "col", "farbe", "kleur", "f\u00e4rg", "farge")
_COLOURS = dict.fromkeys(("w", *_WHITE), True) | dict.fromkeys(("b", *_BLACK), False)
"""Whether a word for a colour is White."""
_SECTION_TITLES = (
    *("section", "division", "group", "gruppe", "grupo", "groupe", "gruppo", "klass", "klasse", "category"),
    *SYNONYMS["report"]["section"],
)
_DAY_TITLES = ("date", "day", "played", "played_on", "datum", "dato", "fecha", "data")
_CONTROL_TITLES = ("time_control", *SYNONYMS["report"]["time_control"])
RATING_TITLES = frozenset(("rating", *SYNONYMS["report"]["rating"]))
MEMBER_TITLES = frozenset(SYNONYMS["report"]["player"]) - {"player"}
_PLAYER_TITLES = (NAME_TITLES, NUMBER_TITLES, tuple(MEMBER_TITLES))
_MARKS = re.compile("|".join((*_WHITE, "weiß", *_WINNERS, *_RESULT_TITLES)), re.IGNORECASE)
_BEHIND_WINNER = re.compile(r"(?<=\w)\s+(?:won|wins|win)$", re.IGNORECASE)
_NO = frozenset(("", "no", "n", "false", "0", "-", "nein", "nej", "nei"))
_SIDES = {("W", "L"): "white", ("L", "W"): "black"}


class _Columns(NamedTuple):
    """Where the cells of a game are; None where there are none. The first side has White, or has won.

    Attributes:
        of_first: whether all is said of the first side, its *colour* too, and the second is the opponent.
    """

    first: int
    second: int
    has_colours: bool
    result: int | None
    scores: tuple[int | None, int | None]
    draw: int | None
    of_first: bool
    colour: int | None
    round: int | None
    section: int | None
    day: int | None
    control: int | None
    ratings: tuple[int | None, int | None]
    members: tuple[int | None, int | None]
    numbers: tuple[int | None, int | None]

    @property
    def tells_rounds(self) -> bool:
        """Whether the order of the games of each player is told, by a column or by that of the rows."""
        return self.round is not None or self.day is not None or not self.has_colours


def _columns_of(row: Sequence[str]) -> _Columns | None:
    """Return where the columns are that *row* names, None where it does not name both sides of a game and a result."""
    titles = [*map(plain_title, row)]
    if any(map(str.isdecimal, titles)):
        # A row below titles: "won" and "lost" are words in its cells.
        return None
    titles = [
        side if (side := title.removesuffix("_player").removeprefix("player_")) in _COLOURS else title
        for title in titles
    ]
    has_colours = _place(titles, _WHITE) is not None
    first, second = (
        _place(titles, words) for words in ((_WHITE, _BLACK) if has_colours else (_WINNERS, _LOSERS))
    )
    scores = _of_sides(titles, _SCORE_TITLES)
    if has_colours and scores == (None, None):
        # What each has made, between the players.
        scores = _place(titles, ("w",)), _place(titles, ("b",))
    has_scores = None not in scores
    result = None if has_scores else _place(titles, (*_RESULT_TITLES, *(_WINNERS if has_colours else ())))
    of_first = first is None and result is not None and _place(titles, _OPPONENTS) is not None
    if of_first:
        first, second, has_colours = _place(titles, NAME_TITLES), _place(titles, _OPPONENTS), True
    elif first is None and second is None and (has_scores or result is not None):
        # Two columns of names, or else of numbers or ids; beside a result, the one before it has White.
        sides = ((words, _of_sides(titles, frozenset(words))) for words in _PLAYER_TITLES)
        words, (first, second) = next((side for side in sides if None not in side[1]), ((), (None, None)))
        named = [joined for side in _WHITE for word in words for joined in _joined(side, word)]
        is_between = first is not None and second is not None and first < (result or -1) < second
        has_colours = not has_scores and (is_between or _place(titles, named) is not None)
    if first is None or second is None or (has_colours and result is None and not has_scores):
        return None
    if not has_colours and _place(titles, _WINNERS) is None and not has_scores:
        return None
    return _Columns(
        first=first,
        second=second,
        has_colours=has_colours,
        result=result,
        scores=scores if has_scores else (None, None),
        draw=_place(titles, _DRAW_TITLES),
        of_first=of_first,
        colour=_place(titles, _COLOUR_TITLES),
        round=_place(titles, _ROUND_TITLES),
        section=_place(titles, _SECTION_TITLES),
        day=_place(titles, _DAY_TITLES),
        control=_place(titles, _CONTROL_TITLES),
        ratings=_of_sides(titles, RATING_TITLES),
        members=_of_sides(titles, MEMBER_TITLES),
        numbers=_of_sides(titles, frozenset(NUMBER_TITLES)),
    )


def _place(titles: Sequence[str], words: Sequence[str]) -> int | None:
    return next((at for at, title in enumerate(titles) if title in words), None)


def _of_sides(titles: Sequence[str], words: frozenset[str]) -> tuple[int | None, int | None]:
    """Return where a fact of both sides is: under titles such as "White ID", or under the same title twice."""
    named = [
        _place(titles, [joined for side in sides for word in words for joined in _joined(side, word)])
        for sides in (
            (*_WHITE, *_WINNERS, "w", "1", "a", "player", "player_1"),
            (*_BLACK, *_LOSERS, "b", "2", "opponent", "opp", "player_2"),
        )
    ]
    twice = [at for at, title in enumerate(titles) if title in words]
    first, second = twice if len(twice) == len(named) else named
    return first, second


def _joined(side: str, word: str) -> tuple[str, ...]:
    """Return how a title can say a fact of one side: "White Elo", "WhiteElo", "Elo White"."""
    return f"{side}_{word}", f"{side}{word}", f"{word}_{side}"


class TableOfGames(NamedTuple):
    """The first line that names the columns of games, its number, and whether something tells the rounds."""

    number: int
    titles: str
    tells_rounds: bool


def table_of_games(file: SourceFile) -> TableOfGames | None:
    """Return the first table of games at the beginning of *file*, None where there is none."""
    text = decoded_text(file.data[:_BEGINNING])[0]
    if "\0" in text or not _MARKS.search(text):
        return None
    begun = bool(round_of(section_name(file.name)))
    table: TableOfGames | None = None
    with contextlib.suppress(csv.Error):
        for number, row in rows_in(text):
            texts = [cell for cell in row if cell]
            begun = begun or (len(texts) == 1 and bool(round_of(texts[0])))
            if table is not None:
                # A heading of a round may also come right below the titles.
                return table._replace(tells_rounds=begun or table.tells_rounds)
            if columns := _columns_of(row):
                table = TableOfGames(number, ", ".join(texts), begun or columns.tells_rounds)
    return table


def is_evening(file: SourceFile) -> bool:
    """Return whether nothing in *file* tells the rounds of its table, and nobody plays twice: all games are of one."""
    table = table_of_games(file)
    if table is None or table.tells_rounds:
        return False
    with contextlib.suppress(csv.Error):
        rounds = [paired for section in sections_in([file]) for paired in section.rounds]
        return [paired.number for paired in rounds] == [1] and len(rounds[0].boards) > 1
    return False


def rows_in(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have a cell, with their numbers."""
    lines = text.split("\n")
    by_blanks = any(
        # Between two tabs is an empty cell.
        "\t" not in line and _MARKS.search(line) and _columns_of(_BLANKS.split(line.strip()))
        for line in lines[:MOST_ROWS_ABOVE]
    )
    rows = (
        (_BLANKS.split(line.strip()) for line in lines)
        if by_blanks
        else csv.reader(lines, delimiter=separator_of(lines))
    )
    for number, row in enumerate(rows, start=1):
        if any(map(str.strip, row)) and not is_comment(row):
            yield number, [cell.strip() for cell in row]


def sections_in(files: Sequence[SourceFile]) -> list[PairedSection]:
    """Return the sections in the tables of *files*; a sheet that is called "Round 2" is that round of the section.

    Raises:
        csv.Error: a row cannot be read.
    """
    reader = _Reader()
    for file in files:
        reader.begin(round_of(section_name(file.name)))
        for number, row in rows_in(decoded_text(file.data)[0]):
            reader.read(number, row)
    return [listing.section for listing in reader.listings if listing.section.rounds]


class _Listing:
    """A section whose games are read, and which round comes last."""

    def __init__(self) -> None:
        self.section = PairedSection(above=[], players=[], rounds=[], unread=[], left=[], days=[])
        self.round = 0
        self.latest: dict[str, int] = {}
        self.rounds: dict[int, PairedRound] = {}

    def paired(self, played: int) -> PairedRound:
        """Return a round of the section."""
        if played not in self.rounds:
            self.rounds[played] = PairedRound(played, [], [])
            self.section.rounds.append(self.rounds[played])
        return self.rounds[played]


class _Reader:
    """Reads rows; a round that is no later one than that before begins another section."""

    def __init__(self) -> None:
        self._columns: _Columns | None = None
        self.listings: list[_Listing] = []
        self._named: dict[str, _Listing] = {}

    def begin(self, number: int) -> None:
        """Begin a file, which is the round of this *number*, or a section (0)."""
        self._columns = None
        self._begin_round(number) if number else self._begin_section()

    def _begin_section(self) -> None:
        self._listing = _Listing()
        self.listings.append(self._listing)

    def _begin_round(self, number: int) -> None:
        if self.listings and number == self._listing.round and number not in self._listing.rounds:
            # The name of the sheet has said it, and the title above the table says it again.
            return
        if not self.listings or number <= self._listing.round:
            self._begin_section()
        self._listing.round = number

    def _go_to(self, name: str) -> None:
        """Go on with the section of this *name*."""
        if name not in self._named:
            if self._listing.section.rounds:
                self._begin_section()
            self._listing.section.above.append(f"Section: {name}")
            self._named[name] = self._listing
        self._listing = self._named[name]

    def read(self, number: int, row: list[str]) -> None:
        """Read a *row*: a heading, titles, a game, or what is said of the section."""
        texts = [cell for cell in row if cell]
        section = self._listing.section
        if len(texts) == 1 and (heading := round_of(texts[0])):
            self._begin_round(heading)
            self._listing.section.days.extend((number, day) for day in days_of(texts[0]))
        elif columns := _columns_of(row):
            self._columns = columns
        elif self._columns is not None and (
            (len(texts) > 1 and self._enter_row(self._columns, number, row))
            or self._enter_byes(number, texts)
        ):
            return
        elif self._columns is not None and says_when(texts):
            section.above.extend(texts)
        elif self._columns is not None and self._enter_line(number, row):
            return
        elif self._columns is not None and len(texts) > 1:
            self._listing.section.unread.append((number, ", ".join(texts)))
        elif not section.rounds:
            section.above.append("\t".join(texts))
        elif texts[0] not in section.above:
            section.left.append((number, ", ".join(texts)))

    def _enter_row(self, columns: _Columns, number: int, row: list[str]) -> bool:
        if name := cell_in(row, columns.section):
            self._go_to(name)
        above = self._listing.section.above
        if (control := cell_in(row, columns.control)) and (line := f"Time control: {control}") not in above:
            above.append(line)
        return self._enter(columns, number, row)

    def _enter_line(self, number: int, row: Sequence[str]) -> bool:
        """Enter the game in a row whose cells are not those of the titles; return whether it is one."""
        board = board_of("  ".join(filter(None, row)), number) if self._listing.round else None
        if board is None or board.letters is None:
            return False
        self._listing.paired(self._listing.round).boards.append(board)
        return True

    def _enter_byes(self, number: int, texts: Sequence[str]) -> bool:
        """Enter who has no opponent in a row whose cells are below no titles; return whether it says so."""
        byes = bye_of("  ".join(texts), number) if self._listing.round else []
        if byes:
            self._listing.paired(self._listing.round).byes.extend(byes)
        return bool(byes)

    def _enter(self, columns: _Columns, number: int, row: list[str]) -> bool:
        """Enter the game in a *row*; return whether it is one."""
        sides = [
            side_in(number, *(cell_in(row, at) for at in (place, member, rating, seat)))
            for place, member, rating, seat in zip(
                (columns.first, columns.second),
                columns.members,
                columns.ratings,
                columns.numbers,
                strict=True,
            )
        ]
        letters = _letters(columns, row)
        if letters is None and letters_of(cell_in(row, columns.second)) is not None:
            # Only the result is apart from the players: De Vries - Bakker   1 - 0.
            if (board := board_of("  ".join(filter(None, row)), number)) is None:
                return False
            sides, letters = [board.white, board.black], board.letters
        result = "" if columns.result is None else cell_in(row, columns.result)
        absent = [
            at
            for at, side in enumerate(sides)
            if is_bye(side) or not any((side.name, side.number, side.member))
        ]
        is_told = letters is not None or not result or (absent and is_bye(side_of(result, number)))
        played = self._number_of(columns, row, sides)
        if not is_told or not played or len(absent) > 1:
            return False
        paired = self._listing.paired(played)
        if day := cell_in(row, columns.day):
            self._listing.section.days.append((number, day))
        if absent:
            own = sides[1 - absent[0]]
            if letters is None and not sides[absent[0]].name and not result:
                return False
            said = bye_of(f"{own.name}  {sides[absent[0]].name or result}", number)
            letter = BYE_OF_RESULT[letters[1 - absent[0]]] if letters else said[0].letter if said else "B"
            paired.byes.append(NamedBye(own, letter))
        else:
            board = _with_colours(Board(sides[0], sides[1], letters), columns, row)
            if not (columns.of_first and any(_is_same(board, other) for other in paired.boards)):
                paired.boards.append(board)
        return True

    def _number_of(self, columns: _Columns, row: Sequence[str], sides: Sequence[Side]) -> int:
        """Return the round of a game: its column's, that of the heading, or the next one of both players."""
        if columns.round is not None:
            text = cell_in(row, columns.round)
            self._listing.round = small_number(text) or round_of(text) or (0 if text else self._listing.round)
        if columns.round is not None or self._listing.round:
            return self._listing.round
        played = 1 + max(self._listing.latest.get(side.name, 0) for side in sides)
        self._listing.latest.update(dict.fromkeys((side.name for side in sides), played))
        return played


def _with_colours(board: Board, columns: _Columns, row: Sequence[str]) -> Board:
    """Return the game of a *row* with White first, as far as the row says who had White."""
    if not columns.of_first:
        return board._replace(has_colours=columns.has_colours)
    has_white = _COLOURS.get(cell_in(row, columns.colour).casefold())
    board = board._replace(has_colours=has_white is not None)
    return board.turned() if has_white is False else board


def _is_same(board: Board, other: Board) -> bool:
    """Return whether both sides have told the same game."""
    named = [(each.white.name, each.black.name, each.letters) for each in (board, other, other.turned())]
    return named[0] in named[1:]


def side_in(number: int, name: str, member: str, rating: str, seat: str) -> Side:
    """Return the player in the cells of row *number*."""
    side = side_of(name, number)
    if seat and side.name:
        side = side._replace(number=small_number(seat) or side.number)
    written = parse_rating(rating) if rating else None
    points = written.points if written else None
    if points is not None and not LOWEST_RATING <= points <= HIGHEST_RATING:
        points = None
    return side._replace(member=member or side.member, rating=side.rating if points is None else points)


def _letters(columns: _Columns, row: Sequence[str]) -> tuple[str, str] | None:
    """Return the letters of both sides, None where the row has no result that can be read."""
    text = _BEHIND_WINNER.sub("", cell_in(row, columns.result))
    if None not in columns.scores:
        return letters_of("-".join(cell_in(row, at) for at in columns.scores))
    if not columns.has_colours:
        is_draw = cell_in(row, columns.draw).casefold() not in _NO
        letters = letters_of(text) or ("W", "L")
        return ("D", "D") if is_draw or RESULTS.get(text.casefold()) == "D" else letters
    for at, letters in ((columns.first, ("W", "L")), (columns.second, ("L", "W"))):
        if text and text.casefold() in {cell_in(row, at).casefold(), _SIDES[letters]}:
            return letters
    letter = RESULTS.get(text.casefold(), "")
    return (letter, OTHER_SIDE[letter]) if letter else letters_of(text)
