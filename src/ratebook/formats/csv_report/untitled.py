"""Charts and grids as text that have no header line: each line says by its form what is in it."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from ratebook.formats.csv_report import wall_chart
from ratebook.formats.reading.sheets.figures import WRITTEN_RATING
from ratebook.formats.reading.sheets.outcomes import Manner, name_each_other, opponent_in

_FACTS = (
    r"(?:(?P<seat>[0-9]{1,4})[.:)]?\s+)?(?:(?P<first>[0-9]{6,12})\s+)?(?P<name>[^\W\d_][^\d\t|;<>{}]{1,60}?(?<![\s)-]))(?:\s+(?P<player>[0-9]{6,12}))?"
    rf"(?:\s+(?:[(\[]?(?:new|NEW|none|TBA)[)\]]?\s+)?(?P<rating>{WRITTEN_RATING}(?<!\b[0-9])(?<!\b[0-9]{{2}})))?"
)
_CELL = (
    r"(?:[A-Za-z+=-][0-9]{1,4}[wb]?|[0-9]{1,4}[WBwb][10\u00bd=WDLwdl]|[0-9]{1,4}[WDLwdl][wb]?|-?[HBUXFhbuxf]-?"
    r"|[Bb][Yy][Ee]|[Hh](?:alf|ALF)|[WLDwld][WBwb]?-[0-9]{1,4}|-{1,4})"
)
_CHART = re.compile(
    rf"{_FACTS}(?P<later>)(?:\s+(?P<before>[0-9]{{0,2}}(?:[.,][05]|\u00bd)))?(?P<results>(?:\s+{_CELL})+)"
    r"(?:\s+(?P<total>[0-9]{1,2}(?:[.,][05])?|[0-9]{0,2}(?:[.,][05]|\u00bd)))?"
)
"""A line of a chart."""
_GRID = re.compile(
    rf"{_FACTS}(?:\s+(?P<later>[0-9]{{6,12}}))?"
    r"(?P<results>(?:\s+(?:[Xx*]|1/2|[0-9]{0,2}(?:[.,][05]|\u00bd)|[0-9=]))+)(?P<before>)(?P<total>)"
)
"""A line of a grid: an X, or a star, where a player would meet himself; its id may stand behind the rating."""
_FIGURES = re.compile(
    r"(?:\s*(?:r(?:d|nd|ound)?\.?\s?)?(?:[1-9][0-9]?\.?|tot(?:al)?\.?|pts\.?|points|score)(?=\s|$))+",
    re.IGNORECASE,
)
"""Titles of rounds or opponents alone, which name neither an event nor a section."""
_TOLD = re.compile(
    r"(?:[0-9]{1,3}[.)]\s+)?(?P<name>[^\W\d_][^\d:()\[\]]{1,60}?)\s*[(\[]?(?P<rating>[0-9]{3,4})?[)\]]?"
    r"(?:\s*[(\[]?[0-9]{1,2}(?:[.,][05]|\u00bd)?(?: ?(?:pts?|points?))?[)\]]?)?\s*[:\u2013-]\s*"
    r"(?P<games>(?:beat|def|won|lost|drew|draw).*)",
    re.IGNORECASE,
)
"""A player, and behind a colon the games in words: Cole (1600): beat Dean, Hale, drew Bond."""
_VERB = re.compile(
    r"\s*(?:(?P<W>beat|def(?:\.|eated)?|won (?:against|over|vs\.?))|(?P<L>lost (?:to|against|vs\.?)|lost)"
    r"|(?P<D>(?:drew|draw)(?: (?:with|against|vs\.?))?))\s+",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_POINTS_OF = {"W": "1", "D": "\u00bd", "L": "0"}
_OWN_CELL = re.compile("[Xx*]")
_TITLES = ("seat", "name", "player", "rating")
_LEAST_PLAYERS = 2
_LEAST_SIGNS = 2
_SIGNS = re.compile(r"[()|]|(?<=[0-9wb])[,;]| [-\u2013:] ")


def untitled_chart_of(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the rows of charts or grids without header lines, one for each of *lines*, under titles above the first.

    Each line of a player has perhaps a number, a name, perhaps an id and a rating, results, and perhaps a total. Where
    no line has a number, results name players by their order, and both sides of all games must agree. What is no
    player's line is left as it is. Results may be told in words.
    """
    lines = _told_in_words(lines)
    if rows := _rows_of(lines, _CHART) or _rows_of(lines, _GRID):
        return rows
    plain = [_without_signs(line) for line in lines]
    return (
        None if any(map(_are_titles, lines, lines[1:])) else _rows_of(plain, _CHART) or _rows_of(plain, _GRID)
    )


def _told_in_words(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* with figures for the results that players tell in words, if each tells those of all games.

    >>> _told_in_words(["Cole 1600: beat Dean", "Dean 1500: lost to Cole"])
    ['1 Cole 1600 W2', '2 Dean 1500 L1']
    >>> _told_in_words(
    ...     ["Cole: beat Dean, Hale", "Dean: lost to Cole, drew Hale", "Hale: drew Dean, lost to Cole"]
    ... )
    ['1 Cole X 1 1', '2 Dean 0 X ½', '3 Hale 0 ½ X']
    """
    players = {at: match for at, line in enumerate(lines) if (match := _TOLD.fullmatch(line.strip()))}
    if len(players) < _LEAST_PLAYERS:
        return lines
    names = [" ".join(match["name"].casefold().split()) for match in players.values()]
    games: list[list[tuple[str, int]]] = []
    for match in players.values():
        games.append([])
        verb = ""
        for clause in _CLAUSES.split(match["games"].strip(" .")):
            words = _VERB.match(clause)
            verb = words.lastgroup or "" if words else verb
            name = " ".join(clause[words.end() if words else 0 :].casefold().split())
            meant = [
                at for at, known in enumerate(names) if name in (known, *known.replace(",", " ").split())
            ]
            if not verb or len(meant) != 1:
                return lines
            games[-1].append((verb, meant[0]))
    cells = [[f"{verb}{opponent + 1}" for verb, opponent in row] for row in games]
    if not _agree(cells):
        # Not in the order of rounds: a grid, where everybody has met everybody.
        cells = [["X" if at == to else "" for to in range(len(names))] for at in range(len(names))]
        for at, row in enumerate(games):
            for verb, opponent in row:
                cells[at][opponent] += _POINTS_OF[verb]
        if any(len(cell) != 1 for row in cells for cell in row):
            return lines
    figures = [*lines]
    for number, (at, match) in enumerate(players.items()):
        facts = (str(number + 1), match["name"].strip(), match["rating"] or "", *cells[number])
        figures[at] = " ".join(filter(None, facts))
    return figures


def _are_titles(line: str, below: str) -> bool:
    """Return whether *line* has as many cells as the row of a player *below*, and is none."""
    signs = [line.count(sign) for sign in ",;"]
    return (
        max(signs) >= _LEAST_SIGNS
        and signs == [below.count(sign) for sign in ",;"]
        and wall_chart.SEAT.match(re.sub("[,;]", " ", below)) is not None
        and wall_chart.SEAT.match(re.sub("[,;]", " ", line)) is None
    )


def _without_signs(line: str) -> str:
    """Return *line* with blanks for the signs between its cells.

    >>> _without_signs('1,"Cole, Dan",1700,W4,W2'), _without_signs("1. Dan Cole (1700) - W4, W2 - 2")
    ('1  Cole, Dan  1700  W4  W2', '1. Dan Cole  1700  W4  W2 2')
    """
    for sign in ",;":
        cells = next(csv.reader([line], delimiter=sign), []) if line.count(sign) >= _LEAST_SIGNS else []
        if cells and wall_chart.SEAT.match(f"{cells[0]} "):
            line = "  ".join(cells)
    return _SIGNS.sub(" ", line)


def _rows_of(lines: Sequence[str], kind: re.Pattern[str]) -> list[list[str]] | None:
    players = {
        at: match
        for at, line in enumerate(lines)
        if (match := kind.fullmatch(line.strip())) and not wall_chart.NAMES.match(match["name"])
    }
    groups = _groups_of(lines, players, _is_grid if kind is _GRID else _agree)
    if len(players) < _LEAST_PLAYERS or not groups:
        return None
    first, last = min(players), max(players)
    if any(wall_chart.SEAT.match(lines[at]) and at not in players for at in range(first, last)):
        return None
    cells_of = _cells_of(players, groups, kind)
    if cells_of is None:
        return None
    ends = [max(group) for group in groups]
    starts = [0, *(end + 1 for end in ends)]
    above = [
        [text for text in wall_chart.texts_of(lines[start : min(group)]) if not _FIGURES.fullmatch(text)]
        for start, group in zip(starts, groups, strict=False)
    ]
    heads = [
        head._replace(section=head.section or f"Section {number}")
        for number, head in enumerate(wall_chart.heads_of_charts(above), start=1)
    ]
    titles = _TITLES if players[first]["seat"] else _TITLES[1:]
    rounds = max(len(cells) for cells, _ in cells_of.values())
    # What is between charts names sections, and a header line nobody.
    outside = [
        not (first <= at <= last or wall_chart.NAMES.match(line.strip()) or _FIGURES.fullmatch(line.strip()))
        for at, line in enumerate(lines)
    ]
    rows = [[line] if line.strip() and is_left else [] for line, is_left in zip(lines, outside, strict=True)]
    for number, group in enumerate(groups, start=1):
        above_it = wall_chart.cells_said(number, heads[number - 1]) if len(groups) > 1 else []
        for at in group:
            cells, total = cells_of[at]
            facts = [
                players[at][name]
                or (name == "player" and (players[at]["first"] or players[at]["later"]))
                or ""
                for name in titles
            ]
            rows[at] = [
                *facts,
                *cells,
                *[""] * (rounds - len(cells)),
                total.replace(",", ".").replace("\u00bd", ".5"),
                *above_it,
            ]
    numbers = (f"{'round' if kind is _CHART else ''}{number + 1}" for number in range(rounds))
    # Instead of a blank line, so that the numbers of the players' lines remain.
    blank = next((at for at in reversed(range(first)) if not rows[at]), None)
    if blank is not None:
        del rows[blank]
    header = [*titles, *numbers, "total", *(wall_chart.SAID if len(groups) > 1 else ())]
    rows.insert(first if blank is None else first - 1, header)
    return rows


def _groups_of(
    lines: Sequence[str],
    players: Mapping[int, re.Match[str]],
    agree: Callable[[Sequence[Sequence[str]]], bool],
) -> list[list[int]]:
    """Return the lines of the *players* of each chart; none where they cannot be told apart.

    Players without numbers are those of one chart if their results *agree*.
    """
    seats = {at: int(match["seat"]) for at, match in players.items() if match["seat"]}
    if seats and len(seats) < len(players):
        return []
    for is_apart in (
        lambda _before, _at: False,
        lambda before, at: any(map(str.strip, lines[before + 1 : at])),
        lambda before, at: at > before + 1,
        lambda before, at: bool(seats) and seats[at] <= seats[before],
    ):
        groups = _parted([*players], is_apart)
        if all(
            len({seats[at] for at in group}) == len(group)
            if seats
            else agree([players[at]["results"].split() for at in group])
            for group in groups
        ):
            return groups
    return []


def _cells_of(
    players: Mapping[int, re.Match[str]], groups: Sequence[Sequence[int]], kind: re.Pattern[str]
) -> dict[int, tuple[list[str], str]] | None:
    """Return the results and the total of each line; None where they cannot be those of charts or grids."""
    lines = {
        at: (match["results"].split(), match["total"] or match["before"] or "")
        for at, match in players.items()
    }
    for group in groups:
        rows = [lines[at][0] for at in group]
        if kind is _GRID:
            if not _is_grid(rows):
                return None
            lines |= {
                at: (row[: len(rows)], "".join(row[len(rows) :])) for at, row in zip(group, rows, strict=True)
            }
        elif len({*map(len, rows)}) > 1 or not all(
            wall_chart.is_result(cell) for row in rows for cell in row
        ):
            return None
    return lines


def _is_grid(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether *rows* are as long as they are many, or longer by a total, and nobody meets himself."""
    return all(
        len(row) - len(rows) in {0, 1} and _OWN_CELL.fullmatch(row[at]) is not None
        for at, row in enumerate(rows)
    )


def _parted(rows: Sequence[int], is_apart: Callable[[int, int], bool]) -> list[list[int]]:
    groups: list[list[int]] = []
    for at in rows:
        if groups and not is_apart(groups[-1][-1], at):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _agree(results: Sequence[Sequence[str]]) -> bool:
    """Return whether both sides of all games name each other, if players are named by their order."""
    manner = Manner(opponent_first=True)
    opponents = {
        ("", number): [opponent_in(cell, manner) for cell in cells]
        for number, cells in enumerate(results, start=1)
    }
    return any(filter(None, chain(*opponents.values()))) and name_each_other(opponents)
