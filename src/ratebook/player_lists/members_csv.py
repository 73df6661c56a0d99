"""The members CSV: one row a player with everything that rating needs, so that no format loses a fact.

The first row names the columns, in any order; each may be left out:

* ``id name birth_date adult canadian_resident us_member usa_flag fide_opt_in titles pairing_rating
  fide_id federation sex title club state expires fide fide_as_of cfc cfc_as_of``
* for each system (``regular quick blitz online_regular online_quick online_blitz``) the rating under its name, and
  with a suffix, as in ``regular_games``: ``_games _wins _draws _losses _record _long_events _peak
  _life_master_games _published _published_games _as_of _at_least``, and ``_initial _initial_games`` for an initial
  rating that the office decided
* ``floors`` as ``regular:money:1800;quick:office:1500``, ``ceilings`` as ``regular:2000``, ``matches`` as
  ``regular:2026-05-01:23.4``

Dates are YYYY-MM-DD, flags ``true`` or ``false``. Games are a number, or ``established`` where it is not known; an
empty cell says nothing. ``expires`` is the last day of the membership, or ``life``; ``state`` is the member's home. A
name or id that a spreadsheet would take for a formula has an apostrophe before it. A semicolon or a tab may separate
the columns instead of a comma.
"""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import BinaryIO

from ratebook.findings import Finding, finding
from ratebook.formats.contract import AfterRatings, Findings, Written
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.spreadsheet import csv_text
from ratebook.formats.reading.tables import read_player
from ratebook.formats.source import SourceError
from ratebook.model import PlayerFacts, Report
from ratebook.player_lists.members_columns import (
    COLUMNS,
    TITLE_OF_PATH,
    UnreadableCellError,
    cells_of,
    plain_cell,
    read_expiry,
)
from ratebook.player_lists.row import (
    ListedPlayer,
    ListKind,
    Match,
    RowCount,
    Search,
    clean_name,
    lines_of,
    similar_player,
)

FILE_NAME = "members.csv"

_KEY = "listed"
_SEPARATORS = ",;\t"
_KNOWN_TITLES = frozenset(COLUMNS)


def titles_of(line: str) -> tuple[list[str], str]:
    """Return the titles of the columns in the first line of a file, and what separates them."""
    line = line.removeprefix("\ufeff")
    separator = max(_SEPARATORS, key=line.count)
    cells = next(csv.reader([line], delimiter=separator), [])
    return ["_".join(cell.casefold().replace("-", " ").split()) for cell in cells], separator


def looks_like_members_csv(line: str) -> bool:
    """Return whether *line* can be the header of a members CSV: an id, or a name with another known column.

    >>> looks_like_members_csv("ID,Name,Regular"), looks_like_members_csv("name,address")
    (True, False)
    """
    try:
        titles, _ = titles_of(line)
    except csv.Error:
        return False
    return "id" in titles or ("name" in titles and len(_KNOWN_TITLES.intersection(titles)) > 1)


class _Rows:
    """The rows of a members CSV, with what is wrong with the file as a whole.

    Attributes:
        columns: the known ones, by position.
        without_games: where ratings come without the number of games.

    Raises:
        SourceError: it cannot be read any further (from reading, too).
    """

    def __init__(self, stream: BinaryIO, name: str, findings: Findings) -> None:
        self.name = name
        self.findings = findings
        self.without_games: list[str] = []
        self._count = RowCount()
        lines = lines_of(stream, name, self._count)
        try:
            self.titles, separator = titles_of(next(lines, ""))
        except csv.Error as failure:
            raise self._broken(1, failure) from failure
        self.columns = dict(self._known_columns())
        self._count.width = len(self.titles)
        # Strict: a quotation mark that never closes would quietly swallow the rest of the list.
        self._rows = csv.reader(lines, delimiter=separator, strict=True)

    def __iter__(self) -> Iterator[list[str]]:
        row: list[str] = []
        try:
            for row in self._rows:
                self._count.rows += 1
                yield row
        except csv.Error as failure:
            raise self._broken(self._rows.line_num + 1, failure) from failure
        self._count.report(self.findings, row, self.where)

    @property
    def where(self) -> str:
        """The row that was read last, for findings."""
        return f"{self.name}, line {self._rows.line_num + 1}"

    def _broken(self, line: int, failure: csv.Error) -> SourceError:
        return SourceError(finding("list-unreadable.broken", f"{self.name}, line {line}", failure=failure))

    def _known_columns(self) -> Iterator[tuple[int, str]]:
        seen: set[str] = set()
        for position, title in enumerate(self.titles):
            if title in seen:
                self.findings.add("list-column-twice", f"{self.name}, line 1", title=title)
            elif title in COLUMNS:
                seen.add(title)
                yield position, title
            elif title:
                self.findings.add(
                    "list-column-unknown",
                    f"{self.name}, line 1, column {position + 1}",
                    title=shown(title),
                    word=""
                    if self.findings.full
                    else f"{close_match(title, _KNOWN_TITLES)} Otherwise nothing.",
                )

    def player(self, row: list[str]) -> ListedPlayer:
        """Return the player of the row that was read last; each cell that cannot be read is an error and left out."""
        where, width = self.where, len(self.titles)
        self._count.look_at(row, where)
        values: dict[str, object] = {}
        texts = {"id": "", "name": ""}
        expires: date | None = None
        for position, title in self.columns.items():
            cell = row[position].strip() if position < len(row) else ""
            if not cell:
                continue
            if title in texts:
                texts[title] = clean_name(plain_cell(cell))
                continue
            try:
                if title == "expires":
                    expires = read_expiry(cell)
                else:
                    path, read = COLUMNS[title]
                    _put(values, path, read(cell))
            except UnreadableCellError as failure:
                self.findings.add(
                    "list-value-unreadable.read",
                    f"{where}, {title}",
                    cell=shown(cell),
                    title=title,
                    failure=failure,
                )
                _put(values, COLUMNS[title].path, None)
        if any(cell.strip() for cell in row[width:]):
            self.findings.add("list-row-too-long", where, title_count=width)
        _check_ratings(self.findings, values, where, self.without_games)
        facts = _read_facts(self.findings, values | {"name": texts["name"]}, where)._replace(id=texts["id"])
        return ListedPlayer(ListKind.MEMBERS, where, facts, expires=expires)


def iter_members_csv(
    stream: BinaryIO, name: str, search: Search, findings: Findings
) -> Iterator[ListedPlayer]:
    """Yield the rows of the members CSV in *stream* that *search* asks for.

    Raises:
        SourceError: it cannot be read any further.
    """
    rows = _Rows(stream, name, findings)
    titles = rows.titles
    at_id = titles.index("id") if "id" in titles else len(titles)
    at_name = titles.index("name") if "name" in titles else len(titles)
    match = search.match
    for row in rows:
        number = row[at_id] if at_id < len(row) else ""
        player = row[at_name] if at_name < len(row) else ""
        if "'" in number:
            number = plain_cell(number)
        if "'" in player:
            player = plain_cell(player)
        kept = match(number, player)
        if kept is Match.WANTED:
            yield rows.player(row)
        elif kept is Match.SIMILAR:
            yield similar_player(ListKind.MEMBERS, rows.where, number, player)
    if rows.without_games:
        findings.add(
            "games-missing.iter-members-csv",
            rows.without_games[0],
            without_game_count=len(rows.without_games),
            name=name,
        )


def iter_members_said(
    stream: BinaryIO, name: str, findings: Findings
) -> Iterator[tuple[ListedPlayer, frozenset[str]]]:
    """Yield every row of the members CSV in *stream*, each with the columns in which it says something.

    Raises:
        SourceError: it cannot be read any further.
    """
    rows = _Rows(stream, name, findings)
    if "id" not in rows.columns.values():
        raise SourceError(finding("list-columns-missing.iter-members-said", f"{name}, line 1"))
    for row in rows:
        said = frozenset(
            title
            for position, title in rows.columns.items()
            if position < len(row) and not row[position].isspace() and row[position]
        )
        if said:
            yield rows.player(row), said


def _put(values: dict[str, object], path: tuple[str, ...], value: object) -> None:
    """Put *value* where the native report has it."""
    for key in path[:-1]:
        inner = values.setdefault(key, {})
        assert isinstance(inner, dict)  # noqa: S101 - no path of the columns begins with another one; for the type checker
        values = inner
    if path:
        values[path[-1]] = value


def _check_ratings(
    findings: Findings, values: dict[str, object], where: str, without_games: list[str]
) -> None:
    """Report facts of ratings that are not there, and note ratings without games."""
    ratings, initial = values.get("ratings"), values.get("initial")
    for group, path in ((ratings, "ratings"), (initial, "initial"), (values, "")):
        if not isinstance(group, dict):
            continue
        for key in ("fide", "cfc") if group is values else tuple(group):
            one = group.get(key)
            if not isinstance(one, dict):
                continue
            title = TITLE_OF_PATH[".".join((path, key, "rating") if path else (key, "rating"))]
            if "rating" not in one:
                findings.add("list-rating-missing", f"{where}, {title}", title=title)
            if one.get("rating") is None:
                # Missing or unreadable, and reported as such.
                del group[key]
            elif group is ratings and "games" not in one:
                one["games"] = None
                without_games.append(f"{where}, {title}_games")


def _read_facts(findings: Findings, values: dict[str, object], where: str) -> PlayerFacts:
    """Return the facts in *values*, a player of the native report, checked as there."""
    found = Findings()
    # A player with an id is always read.
    facts = read_player(found, {**values, "id": _KEY}, 0) or PlayerFacts(_KEY)
    for one in found.of_file(where):
        path = one.where.removeprefix(f"player {_KEY}").removeprefix(", ")
        place = f"{where}, {TITLE_OF_PATH.get(path, path)}" if path else where
        findings.append(one._replace(where=place))
    return facts


def write(report: Report, after: AfterRatings | None = None) -> Written:  # noqa: ARG001 - as all writers; a list of players before the event
    """Return the players of *report* as a members CSV; columns that are empty for all of them are left out."""
    table = members_table([cells_of(player) for player in report.players.values()])
    # A valid report has no halves of surrogate pairs; any other must not stop the writing.
    return Written({FILE_NAME: table.encode(errors="replace")}, tuple(_lost(report)))


def members_table(rows: Sequence[Mapping[str, str]], always: Collection[str] = ("id",)) -> str:
    """Return *rows*, cells by column, as CSV; a column is left out if all rows are empty in it, unless in *always*."""
    used = set(always).union(*(row.keys() for row in rows))
    titles = [title for title in COLUMNS if title in used]
    return csv_text([titles, *([row.get(title, "") for title in titles] for row in rows)])


def _lost(report: Report) -> Iterator[Finding]:
    """Yield a note for each kind of thing in *report* that a list of players has no place for."""
    if report.sections:
        yield finding("lost-in-members-csv.lost", FILE_NAME, section_count=len(report.sections))
    changed = [key for key, player in report.players.items() if player.name != clean_name(player.name)]
    if changed:
        yield finding("lost-in-members-csv.members-csv", f"{FILE_NAME}, name", changed_count=len(changed))
