"""What the cells of a row say about a player, by the columns of `ratebook.formats.reading.sheets.player_columns`."""

from collections.abc import Mapping

from ratebook.findings import Findings, Place
from ratebook.formats.reading.dates import Days
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.kinds import Day
from ratebook.formats.reading.record import BySystem, Nested
from ratebook.formats.reading.sheets.figures import parse_rating
from ratebook.formats.reading.sheets.player_columns import COLUMNS, TITLE_OF_PATH, UnreadableCellError
from ratebook.formats.reading.tables import PLAYER, RATING, read_player
from ratebook.model import PlayerFacts

_KEY = "listed"
_RATED = frozenset(field.name for field in PLAYER.fields if isinstance(field.kind, Nested | BySystem))
_DAYS = frozenset(
    field.name for table in (PLAYER, RATING) for field in table.fields if isinstance(field.kind, Day)
)
DAY_COLUMNS = frozenset(
    title for title, column in COLUMNS.items() if column.path and column.path[-1] in _DAYS
)
_PRIVATE = {(field.name,) for field in PLAYER.fields if field.private}
PRIVATE_COLUMNS = frozenset(title for title, column in COLUMNS.items() if column.path in _PRIVATE)
WRITTEN_RATINGS = frozenset(
    title
    for title, column in COLUMNS.items()
    if column.path[-1:] == ("rating",) and column.path[0] in _RATED - {"initial"}
)
"""Columns of ratings as people write them: UNR, 1500P12."""


class PlayerCells:
    """Reads the players of one file.

    Attributes:
        without_games: where ratings come without the number of games.
    """

    def __init__(self, findings: Findings, days: Days) -> None:
        self._findings = findings
        self._days = days
        self.without_games: list[Place] = []

    def facts(self, where: Place, cells: Mapping[str, str]) -> PlayerFacts:
        """Return the facts in *cells*, by column; each cell that cannot be read is an error and left out.

        The id is not read here, since lists and reports name players without one in their own ways.
        """
        values: dict[str, object] = {}
        for title, cell in cells.items():
            column = COLUMNS[title]
            if not column.path or not cell:
                continue
            if title in WRITTEN_RATINGS:
                self._put_rating(values, title, cell, where, cells)
            elif title in DAY_COLUMNS:
                day = self._days.read(where.inner(title), cell, private=title in PRIVATE_COLUMNS)
                put(values, column.path, None if day is None else day.isoformat())
            else:
                try:
                    put(values, column.path, column.read(cell))
                except UnreadableCellError as failure:
                    self._report(where, title, cell, str(failure))
                    put(values, column.path, None)
        self._check_ratings(values, where)
        return _read_facts(self._findings, values, where)

    def _report(self, where: Place, title: str, cell: str, wanted: str) -> None:
        self._findings.add(
            "list-value-unreadable.of-list", where.inner(title), cell=shown(cell), title=title, failure=wanted
        )

    def _put_rating(
        self, values: dict[str, object], title: str, cell: str, where: Place, cells: Mapping[str, str]
    ) -> None:
        path = COLUMNS[title].path
        written = parse_rating(cell)
        if written is None:
            self._report(where, title, cell, "a rating such as 1500, 1500.4, 1500P12 or UNR")
            put(values, path, None)
        elif written.points is not None:
            put(values, path, written.points)
            games = f"{title}_games"
            if written.games is not None and not cells.get(games) and games in COLUMNS:
                put(values, COLUMNS[games].path, written.games)

    def _check_ratings(self, values: dict[str, object], where: Place) -> None:
        """Report facts of ratings that are not there, and note ratings without games."""
        ratings, initial = values.get("ratings"), values.get("initial")
        for group, path in ((ratings, "ratings"), (initial, "initial"), (values, "")):
            if not isinstance(group, dict):
                continue
            for key in ("fide", "cfc") if group is values else tuple(group):
                rating = group.get(key)
                if not isinstance(rating, dict):
                    continue
                title = TITLE_OF_PATH[".".join((path, key, "rating") if path else (key, "rating"))]
                # People fill the day of a list in for all rows; alone it says nothing.
                facts = [value for name, value in rating.items() if name != "as_of"]
                if "rating" not in rating and any(value not in {None, 0} for value in facts):
                    self._findings.add("list-rating-missing", where.inner(title), title=title)
                if rating.get("rating") is None:
                    # Missing or unreadable, and reported as such; or the player is unrated, on no games.
                    del group[key]
                elif group is ratings and "games" not in rating:
                    rating["games"] = None
                    self.without_games.append(where.inner(f"{title}_games"))


def put(values: dict[str, object], path: tuple[str, ...], value: object) -> None:
    """Put *value* where the native report has it."""
    for key in path[:-1]:
        inner = values.setdefault(key, {})
        assert isinstance(inner, dict)  # noqa: S101 - no path of the columns begins with another one; for the type checker
        values = inner
    if path:
        values[path[-1]] = value


def _read_facts(findings: Findings, values: dict[str, object], where: Place) -> PlayerFacts:
    """Return the facts in *values*, a player of the native report, checked as there."""
    inner = Findings()
    # A player with an id is always read.
    facts = read_player(inner, {**values, "id": _KEY}, 0) or PlayerFacts(_KEY)
    for reported in inner.of_file(where.file):
        path = reported.place.field
        findings.append(reported._replace(place=where.inner(TITLE_OF_PATH.get(path, path))))
    return facts
