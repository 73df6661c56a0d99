"""What to say of a report in no known format: what it is instead, or which kind it nearly is and what it lacks."""

import re
from collections.abc import Iterator, Sequence

from ratebook.findings import Finding, finding, list_text
from ratebook.formats.archive import is_called_workbook
from ratebook.formats.csv_report.columns import KIND
from ratebook.formats.foreign_files import kind_of_file, kind_of_json
from ratebook.formats.pairings.lines import is_board, round_of
from ratebook.formats.pairings.table import table_of_games
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.header import round_of as round_of_title
from ratebook.formats.reading.text import decoded_text
from ratebook.formats.source import Source

_LINES_LOOKED_AT = 200
_LONGEST_LINE = 1_000
_LOOKED_AT = 1 << 16
_LEAST_COLUMNS = 2
_MOST_SHOWN = 6
_APART = re.compile(r"\s*[,;\t|]\s*|\s{2,}")
_WORDS = re.compile(r"\s+")
_IN_WORDS = re.compile(
    r"\b(?:beat|beats|defeated|defeats|drew with|draws with|lost to|loses to)\b", re.IGNORECASE
)
_SCORE = re.compile(
    r"[^\W\d_].*(?<![\w:./-])(?:[01]\s?[-:]\s?[01]|1/2\s?-\s?1/2|\u00bd\s?-\s?\u00bd)(?![\w:./-])"
)
"""A name and a result, though perhaps not two names alone."""
_NEEDED = ("a number (#)", "a name", "rounds (Rd 1, Rd 2, …)")


def finding_of_unread(source: Source, plain: Source, titles: str) -> Finding:
    """Return what is wrong with *source*, which no reader knows; *plain* is its text, *titles* the formats."""
    for file in source.files:
        if foreign := kind_of_file(file.data, file.name) or kind_of_json(file.data):
            return finding("format-unknown.like", source.place, what=foreign.kind, how=foreign.remedy)
    lines = list(_lines_of(plain))
    if len(source.files) == 1 and is_called_workbook(source.files[0].name):
        text = (
            f"text that begins with {shown(lines[0][1].strip())}" if lines else "neither a workbook nor text"
        )
        return finding("format-unknown.no-workbook", source.place, text=text)
    if games := _finding_of_games(source, plain, lines):
        return games
    if nearest := _nearest_header(lines):
        number, titles_there, missing = nearest
        return finding(
            "format-unknown.columns",
            source.place.but(line=number),
            titles=list_text([shown(title) for title in titles_there], _MOST_SHOWN),
            missing=list_text(missing),
        )
    if lines:
        return finding("format-unknown.text", source.place, text=shown(lines[0][1].strip()))
    return finding("format-unknown.nothing", source.place, titles=titles)


def _finding_of_games(source: Source, plain: Source, lines: Sequence[tuple[int, str]]) -> Finding | None:
    """Return what games need to be read as pairings, None where *plain*, whose *lines* these are, has none."""
    for file in plain.files:
        if table := table_of_games(file):
            place = source.place.but(line=table.number)
            return finding("format-unknown.games-without-rounds", place, titles=shown(table.titles))
    rounds = [at for at, (_, line) in enumerate(lines) if round_of(line)]
    below = [lines[at + 1] for at in rounds if at + 1 < len(lines) and at + 1 not in rounds]
    boards = [] if rounds else [line for line in lines if is_board(line[1]) or _SCORE.search(line[1])]
    in_words = [line for line in lines if _IN_WORDS.search(line[1])]
    for code, (number, line) in (
        *(("format-unknown.games-unread", line) for line in below),
        *(("format-unknown.without-rounds", line) for line in boards),
        *(("format-unknown.games-in-words", line) for line in in_words),
    ):
        return finding(code, source.place.but(line=number), text=shown(line.strip()))
    return None


def _lines_of(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the first lines that are not blank of the files that are text, with their numbers."""
    for file in source.files:
        beginning = file.data[:_LOOKED_AT]
        if b"\0" in beginning:
            continue
        lines = decoded_text(beginning)[0].split("\n")[:_LINES_LOOKED_AT]
        yield from (
            (number, line[:_LONGEST_LINE])
            for number, line in enumerate(lines, start=1)
            if line.strip() and line.isprintable() | ("\t" in line)
        )


def _nearest_header(lines: Sequence[tuple[int, str]]) -> tuple[int, list[str], list[str]] | None:
    """Return the line that names the most columns of a table of players, its titles, and what they lack."""
    best: tuple[int, int, list[str], list[str]] | None = None
    for number, line in lines:
        for pattern in (_APART, _WORDS):
            titles = [title for title in pattern.split(line.strip()) if title]
            columns = [column for column in KIND.columns_of(titles) if column]
            known = len({column for column in columns if not round_of_title(column)}) + any(
                map(round_of_title, columns)
            )
            if (
                known >= _LEAST_COLUMNS
                and (pattern is _APART or 2 * len(columns) > len(titles))
                and (best is None or known > best[0])
            ):
                present = ("seat" in columns, "name" in columns, any(map(round_of_title, columns)))
                missing = [what for what, there in zip(_NEEDED, present, strict=True) if not there]
                best = known, number, titles, missing
    return best[1:] if best and best[3] else None
