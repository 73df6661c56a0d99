"""Wall charts as text, whose columns are told by the blanks between them (docs/formats/wall-charts.md)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ratebook.formats.csv_report.columns import KIND, TooMuchError
from ratebook.formats.reading.cells import parse_cell
from ratebook.formats.reading.dates import days_in, days_in_figures
from ratebook.formats.reading.page import TableHead, heads_of, with_event
from ratebook.formats.reading.sheets.figures import WRITTEN_RATING, parse_rating
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, round_of
from ratebook.formats.reading.sheets.outcomes import MANNERS, parse_outcome
from ratebook.formats.reading.sheets.synonyms import SYNONYMS
from ratebook.formats.reading.spreadsheet import MOST_ROWS, guarded

_TITLE = re.compile(r"(?:Round|Rnd|Rd|R)\.? ?[1-9][0-9]?\b\.?|name {0,2}\(\w+\)|\S+", re.IGNORECASE)
SEAT = re.compile(r"\s*[0-9]{1,4}[.:)]?(?=\s)", re.ASCII)
_PLACED = re.compile(
    r"(?P<place>\s*(?:[0-9]{1,3}(?:\s?-\s?[0-9]{1,3})?\.?)?\s+)(?P<seat>[0-9]{1,3})\.\s+[^\W\d_]"
)
"""A row that begins with the place of a player, perhaps shared, or blank below a shared one, and then the number."""
_SHARED = re.compile(r"\s*(?P<first>[0-9]{1,3})\s?[-\u2013]\s?(?P<last>[0-9]{1,3})\.?(?=\s+[^\W\d_])")
"""A place that several players share, with no number behind it."""
_ID = re.compile(r"[0-9]{6,12}", re.ASCII)
_RATING = re.compile(WRITTEN_RATING, re.ASCII)
_NEARLY_RATING = re.compile(r"(?=\D*[0-9]{3,4}(?![0-9]))\S*[^\s0-9]\S*", re.ASCII)
_NO_NAME = re.compile(rf"{_ID.pattern}|{_RATING.pattern}|[A-Z]{{3}}", re.ASCII)
_FIDE_TITLES = frozenset(("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"))
NAMES = re.compile(
    "|".join(sorted({"member", *(name.partition("_")[0] for name in SYNONYMS["report"]["name"]), "name"})),
    re.IGNORECASE,
)
_STACKED = re.compile(r"(?P<title>name|player)\s*[/(].*", re.IGNORECASE)
"""A title of what stands in two lines: the name, and below it rating and id."""
_PLAYERS = frozenset(("player", "players"))
_STATE = re.compile(r"[A-Z]{2} */ *", re.ASCII)
"""The player's state, before the id in the second line: IA / 90000001."""
_NO_ID_YET = frozenset(("NEW", "TBA", "NONE"))
_WORD = re.compile(r"\S+")
_LETTER_APART = re.compile(r"(?<!\S)(?P<letter>[WLDXFNSR])\s{1,4}(?=[0-9]{1,3}(?!\S))", re.ASCII)
"""The letter of a result apart from the opponent: W   6."""
_NUMBER_CALLED_ID = re.compile(r"^\s*ID(?=\s)")
_SEATS = "ABCDEFGHI"
_LETTER = re.compile(rf"(?:(?<=\s)|^)[{_SEATS}](?=\s|$)")
_LETTERS = re.compile(rf"(?<=\s)A(?:\s+[{_SEATS}]){{2,}}(?!\S)")
"""Titles of the columns of a grid whose players have letters."""
_SEVERAL_BLANKS = re.compile(" {2,}")
_ROWS_LOOKED_AT = 5
_NO_TITLES = frozenset('{}<>"|')
_LONGEST_LINE = 1_000
_RULER = frozenset("-=_+ ")
SAID = (
    *("event_id", "event_name", "section", "section_name", "section_start", "section_end", "time_control"),
    "type",
)
"""Columns of what is said above a chart."""

Span = tuple[int, int]


class WallChart:
    """The rows of a file of wall charts, one for each line of its text; what is no row of a player is empty.

    Attributes:
        rows: those of all charts, under one header with the columns of all, in the place of the first one.
        left: numbers of the lines below the first header that were not read.
        unnumbered: lines with a name and results, and no number of a player.
        shared: numbers of the lines whose place was shared, and which have the next number instead.
    """

    def __init__(self, lines: Sequence[str], first: int, shared: Sequence[int]) -> None:
        self.shared = shared
        headers = [at for at in range(first, len(lines)) if _is_header(lines[at])]
        tables = [_Table(lines, at, end) for at, end in zip(headers, [*headers[1:], len(lines)], strict=True)]
        heads = heads_of_charts(
            [texts_of(lines[:first]), *(texts_of(each.texts_below) for each in tables[:-1])]
        )
        titles = {name: title for table in reversed(tables) for name, title in table.titles.items()}
        self.rows: list[list[str]] = [[] for _ in lines]
        self.rows[first] = [*titles.values(), *SAID]
        for number, (table, head) in enumerate(zip(tables, heads, strict=True), start=1):
            said = cells_said(number if len(tables) > 1 else None, head)
            for at, cells in table.players.items():
                self.rows[at] = [*(cells.get(name, "") for name in titles), *said]
        self.unnumbered = [line for table in tables for line in table.unnumbered]
        self.left = sorted([*(at for table in tables for at in table.left), *tables[-1].texts_below.values()])


class _Table:
    """One chart.

    Attributes:
        titles: its columns, by the names that the reader has for them.
        players: the cells of each player by these names, by line.
        left: numbers of the lines between players that say nothing that is read.
        unnumbered: the lines of players without a number.
        texts_below: the lines below the last player, with their numbers: they may be the next chart's heading.
    """

    def __init__(self, lines: Sequence[str], header: int, end: int) -> None:
        places = _titles_of(lines[header])
        stacked = (start for start, stop in places if _STACKED.fullmatch(lines[header][start:stop]))
        # Below a name that is followed by rating and id, a line may begin with a number too, further to the right.
        before = next(stacked, _LONGEST_LINE)
        numbered = [at for at in range(header + 1, end) if SEAT.match(lines[at])]
        rows = [at for at in numbered if len(lines[at]) - len(lines[at].lstrip()) < before]
        printed = [lines[at] for at in (header, *rows)]
        titles = [_title(lines[header][start:stop]) for start, stop in places]
        spans = _spans_of(places, printed) if any("  " in line.strip() for line in printed) else []
        # As many cells everywhere: a table by tabs that became blanks, in line or not.
        apart = {len(_apart(line)) for line in printed[1:]} == {len(titles)}
        self._kinds = _columns_of(titles)
        if spans and not self._has_results(spans, printed[1:]):
            below_titles = self._below_titles(places, spans)
            spans = below_titles if self._has_results(below_titles, printed[1:]) else spans
        self._names = [kind or title for kind, title in zip(self._kinds, titles, strict=True)]
        self.titles = dict(zip(self._names, titles, strict=True))
        self.players: dict[int, dict[str, str]] = {}
        self.left: list[int] = []
        self.unnumbered: list[tuple[int, str]] = []
        self.texts_below: dict[str, int] = {}
        for at in range(header + 1, end):
            line = lines[at]
            if at in rows:
                cells = self._cells_of(line, spans, apart=apart)
                self.players[at] = dict(zip(self._names, cells, strict=True))
                self.left += self.texts_below.values()
                self.texts_below = {}
            elif not _RULER.issuperset(line):
                above, cells = self.players.get(at - 1), _cut(line, spans)
                if spans and self._is_player(cells):
                    self.unnumbered.append((at + 1, line.strip()))
                elif above is None or not spans or not self._completes(above, cells):
                    self.texts_below[line] = at + 1

    def _cells_of(self, line: str, spans: Sequence[Span], *, apart: bool) -> list[str]:
        """Return the cells of a row: by the columns if these divide no word, else by the words of the row alone."""
        if apart:
            return _apart(line)
        by_words = self._told_apart(_LETTER_APART.sub(r"\g<letter>", line).split())
        if not spans:
            return by_words
        by_columns = _cut(line, spans)
        is_divided = any(
            not {*line[end - 1 : end + 1]} & {" ", ""} for _, end in spans[:-1] if end < len(line)
        )
        is_ragged = is_divided or not self._is_whole(by_columns)
        return by_words if is_ragged and self._is_whole(by_words) else by_columns

    def _is_whole(self, cells: Sequence[str]) -> bool:
        """Return whether each of *cells* is what its title says."""
        kinds = [*zip(self._kinds, cells, strict=True)]
        return all(
            is_result(cell) and bool(cell)
            if round_of(kind)
            else bool(cell) and cell.rstrip(".").isdecimal()
            if kind == "seat"
            else kind != "rating" or parse_rating(cell) is not None
            for kind, cell in kinds
        )

    def _has_results(self, spans: Sequence[Span], lines: Iterable[str]) -> bool:
        """Return whether all cells of rounds can be read if the columns are *spans*."""
        rounds = [span for span, kind in zip(spans, self._kinds, strict=True) if round_of(kind)]
        return all(is_result(cell) for line in lines for cell in _cut(line, rounds))

    def _below_titles(self, titles: Sequence[Span], spans: Sequence[Span]) -> list[Span]:
        """Return *spans* with columns of rounds that begin below their titles, as if no blank were between them."""
        before = ["", *self._kinds]
        starts = [
            title[0] if round_of(kind) or round_of(left) else span[0]
            for title, span, kind, left in zip(titles, spans, self._kinds, before, strict=False)
        ]
        return list(zip(starts, [*starts[1:], spans[-1][1]], strict=True))

    def _is_player(self, cells: Sequence[str]) -> bool:
        """Return whether *cells* are a name and as many results as there are rounds."""
        below = dict(zip(self._names, cells, strict=True))
        results = [below[name] for name in below if round_of(name)]
        is_named = any(map(str.isalpha, "".join(_words_below(below["name"]))))
        return is_named and all(results) and all(map(is_result, results))

    def _completes(self, player: dict[str, str], cells: Sequence[str]) -> bool:
        """Return whether *cells* are the second line of *player*: id, rating under the name, colours under results."""
        below = dict(zip(self._names, cells, strict=True))
        words = _words_below(below["name"])
        ids = [word for word in words if _ID.fullmatch(word)]
        ratings = [word for word in words if _RATING.fullmatch(word)]
        rounds = [name for name in below if round_of(name) and below[name]]
        if below["seat"] or len(ids) > 1 or len(ratings) > 1 or len(words) > len(ids) + len(ratings):
            return False
        if not (ids or rounds or (ratings and "rating" not in self._kinds)):
            return False
        if ratings and not player.get("rating"):
            self.titles.setdefault("rating", "rating")
            player["rating"] = ratings[0]
        if ids and not player.get("player"):
            self.titles.setdefault("player", "player")
            player["player"] = ids[0]
        if all(below[name] in "WBwb" and player[name][-1:].isdecimal() for name in rounds):
            for name in rounds:
                player[name] += below[name].lower()
        return True

    def _told_apart(self, words: list[str]) -> list[str]:
        """Return the cells of a row with a single blank between any two words, counted from both of its ends.

        Between the number of a player and the results, a word is told by what it can be.
        """
        first_round = next(at for at, kind in enumerate(self._kinds) if round_of(kind))
        name_at = self._kinds.index("name")
        results = max(name_at, len(words) - (len(self._kinds) - first_round))
        middle = words[name_at:results]
        if middle and middle[0] in _FIDE_TITLES:
            middle = middle[1:]
        length = next((at for at, word in enumerate(middle) if at and _NO_NAME.fullmatch(word)), len(middle))
        others = middle[length:]
        cells = [*words[:name_at], " ".join(middle[:length])]
        for kind in self._kinds[name_at + 1 : first_round]:
            # The last one: a name may end with such a word. What is nearly a rating stays, to be named as unreadable.
            forms = (_ID,) if kind == "player" else (_RATING, _NEARLY_RATING) if kind else ()
            cells.append(
                next((word for form in forms for word in reversed(others) if form.fullmatch(word)), "")
            )
        cells += words[results:]
        return [*cells, *[""] * len(self._kinds)][: len(self._kinds)]


def header_of(lines: Sequence[str]) -> int | None:
    """Return which of the first *lines* names the columns of a wall chart, None where none does."""
    for at, line in enumerate(lines[:MOST_ROWS_ABOVE]):
        if _is_header(line) and any(map(SEAT.match, lines[at + 1 : at + 1 + _ROWS_LOOKED_AT])):
            return at
    return None


def plain_chart(lines: Sequence[str]) -> list[str]:
    """Return *lines* as charts usually are: the numbers of the players first, under a title.

    >>> plain_chart(["   Name   A  B  C", "A  Hale   X  1  0", "B  Penn   0  X  1", "C  Dunn   1  0  X"])
    ['#  Name   1  2  3', '1  Hale   X  1  0', '2  Penn   0  X  1', '3  Dunn   1  0  X']
    """
    lines = _with_numbers([*_with_places(_without_places(lines))])
    for at, line in enumerate(lines):
        if line[:1] != " " or not NAMES.search(line) or _is_header(line):
            continue
        titled = _NUMBER_CALLED_ID.sub(lambda name: "#".rjust(len(name[0])), line.replace("|", " "), count=1)
        titled = f"#{titled[1:]}" if titled.lstrip() == line.lstrip() else titled
        below = [row for row in lines[at + 1 : at + 3] if not _RULER.issuperset(row)]
        if below and SEAT.match(below[0]) and _is_header(titled):
            return [*lines[:at], titled, *(row.replace("|", " ") for row in lines[at + 1 :])]
    return lines


def _with_numbers(lines: list[str]) -> list[str]:
    """Return *lines* with figures for the letters that the players of a grid have in place of numbers."""
    for at, line in enumerate(lines):
        letters = match[0].split() if (match := _LETTERS.search(line)) else []
        rows = range(at + 1, min(at + 1 + len(letters), len(lines)))
        if letters and letters == [lines[row][:1] for row in rows] == [*_SEATS[: len(letters)]]:
            for row in (at, *rows):
                lines[row] = _LETTER.sub(lambda letter: str(_SEATS.index(letter[0]) + 1), lines[row])
    return lines


def _without_places(lines: Sequence[str]) -> list[str]:
    """Return *lines* with blanks for the places of players, if they are shared and numbers follow them.

    >>> _without_places([" 1-2  1. Hale  W2", "      2. Penn  L1"])
    ['      1. Hale  W2', '      2. Penn  L1']
    """
    placed = {at: row for at, line in enumerate(lines) if (row := _PLACED.match(line))}
    if not any("-" in row["place"] for row in placed.values()):
        return [*lines]
    if len({row["seat"] for row in placed.values()}) < len(placed):
        return [*lines]
    return [
        " " * len(placed[at]["place"]) + line[placed[at].end("place") :] if at in placed else line
        for at, line in enumerate(lines)
    ]


def _with_places(lines: Sequence[str]) -> Iterator[str]:
    """Yield *lines* with the next number for each place that is shared.

    >>> [*_with_places(["1   Hale  W2", "2-3 Penn  L1", "2-3 Dunn  B"])]
    ['1   Hale  W2', '2   Penn  L1', '3   Dunn  B']
    """
    last = 0
    for line in lines:
        shared = _SHARED.match(line)
        if shared and int(shared["first"]) <= last + 1 <= int(shared["last"]) and not days_in(line):
            last += 1
            yield f"{str(last).ljust(shared.end())}{line[shared.end() :]}"
        else:
            last = int(seat[0].strip(" .:)")) if (seat := SEAT.match(line)) else last
            yield line


def wall_chart_of(text: str) -> WallChart | None:
    """Return the wall charts in *text*, None where there is none.

    Raises:
        TooMuchError: it has more lines than any report.
    """
    printed = [line.expandtabs().rstrip() for line in text.split("\n")]
    lines = plain_chart(printed)
    header = header_of(lines)
    if header is None or max(map(len, lines)) > _LONGEST_LINE:
        return None
    if len(lines) > MOST_ROWS:
        raise TooMuchError(f"more than {MOST_ROWS:,} lines")
    pairs = enumerate(zip(printed, lines, strict=True), start=1)
    return WallChart(
        lines, header, [at for at, (line, row) in pairs if _SHARED.match(line) and SEAT.match(row)]
    )


def _is_header(line: str) -> bool:
    if (
        len(line) > _LONGEST_LINE
        or SEAT.match(line)
        or not (NAMES.search(line) and _NO_TITLES.isdisjoint(line))
    ):
        return False
    columns = _columns_of([_title(line[start:end]) for start, end in _titles_of(line)])
    named = [column for column in columns if column]
    return {"seat", "name"} <= {*named} and len({*named}) == len(named) and any(map(round_of, named))


def _columns_of(titles: Sequence[str]) -> list[str]:
    """Return the column of each title; below "Player" are names where no other column has them."""
    columns = KIND.columns_of(titles)
    at = next((at for at, title in enumerate(titles) if title.strip().casefold() in _PLAYERS), None)
    return columns if at is None or "name" in columns else [*columns[:at], "name", *columns[at + 1 :]]


def _title(text: str) -> str:
    stacked = _STACKED.fullmatch(text)
    return stacked["title"] if stacked else text


def is_result(cell: str) -> bool:
    """Return whether a cell of a chart is a result."""
    return parse_cell(cell) is not None or any(parse_outcome(cell, manner) is not None for manner in MANNERS)


def heads_of_charts(texts: Sequence[Sequence[str]]) -> list[TableHead]:
    """Return what is above each chart; the only name is that of the event."""
    first, *others = heads_of(texts)
    return [first if any(head.section for head in others) else with_event(first), *others]


def cells_said(section: int | None, head: TableHead) -> list[str]:
    """Return what is above a chart, as cells of the columns `SAID`; no number where it is the only one."""
    start, end, control, kind = head.played
    days = [day.isoformat() if day is not None else "" for day in (start, end)]
    if not days[1] and head.unclear_days:
        written = days_in_figures(head.unclear_days) or [head.unclear_days]
        days = [guarded(written[0]), guarded(written[-1])]
    names = guarded(head.event), "" if section is None else str(section), guarded(head.section)
    return [head.event_id, *names, *days, control or "", kind.value if kind else ""]


def texts_of(lines: Iterable[str]) -> list[str]:
    """Return the lines that have a text."""
    return [text for line in lines if (text := line.strip()) and not _RULER.issuperset(text)]


def _words_below(name: str) -> list[str]:
    """Return the words below the name of a player, without a state and what is written for no id."""
    return [word for word in _STATE.sub("", name, count=1).split() if word.upper() not in _NO_ID_YET]


def _apart(line: str) -> list[str]:
    return _SEVERAL_BLANKS.split(line.strip())


def _cut(line: str, spans: Sequence[Span]) -> list[str]:
    return [line[start:end].strip() for start, end in spans]


def _titles_of(line: str) -> list[Span]:
    """Return where the titles of a header line are; two words are one title where a column is called so.

    >>> _titles_of("No. Name   USCF ID  Rd 1")
    [(0, 3), (4, 8), (11, 18), (20, 24)]
    """
    titles: list[Span] = []
    for start, end in (found.span() for found in _TITLE.finditer(line)):
        if titles and titles[-1][1] == start - 1 and any(KIND.columns_of([line[titles[-1][0] : end]])):
            titles[-1] = (titles[-1][0], end)
        else:
            titles.append((start, end))
    return titles


def _spans_of(titles: Sequence[Span], lines: Sequence[str]) -> list[Span]:
    """Return from where to where the cells under each of *titles* are.

    A column ends where all lines have a blank; what is under no title belongs to the nearer column.
    """
    groups = list(_printed(lines))
    ends = [end for _, end in titles]
    starts = [start for start, _ in titles]
    for first, last in groups:
        under = [at for at, (start, end) in enumerate(titles) if first < end and last > start]
        if len(under) == 1:
            starts[under[0]] = min(first, starts[under[0]])
            ends[under[0]] = max(last, ends[under[0]])
    for first, last in groups:
        at = sum(start <= first for start in starts)
        if 0 < at < len(titles) and first >= ends[at - 1]:
            before, after = first - ends[at - 1], starts[at] - last
            # One blank is between words of one cell.
            if after < before or after == before > 1:
                starts[at] = first
            else:
                ends[at - 1] = last
    starts[0] = 0
    return list(zip(starts, [*starts[1:], max(map(len, lines))], strict=True))


def _printed(lines: Iterable[str]) -> Iterator[Span]:
    """Return the ranges in which at least one line has something else than a blank."""
    inked = bytearray(b" " * _LONGEST_LINE)
    for line in lines:
        for start, end in (found.span() for found in _WORD.finditer(line)):
            inked[start:end] = b"x" * (end - start)
    return (found.span() for found in _WORD.finditer(inked.decode()))
