"""What a format cannot hold: counted kind by kind, one note for each kind."""

from collections.abc import Iterator, Mapping, Sequence

from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.record import Record, RecordTable
from ratebook.formats.reading.tables import ENTRY, EVENT, PLAYER, RATING, SECTION
from ratebook.model import Report


class Losses:
    """Counts what is lost, in the order in which kinds first occur.

    >>> losses = Losses()
    >>> losses.add("birth date")
    >>> losses.add("birth date")
    >>> losses.findings("quad.csv")[0].message
    'The format has no place for: birth date (2 times).'
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, loss: str, count: int = 1) -> None:
        """Add *count* losses of the kind *loss*."""
        if count:
            self._counts[loss] = self._counts.get(loss, 0) + count

    def add_all(self, losses: Mapping[str, int]) -> None:
        """Add so many losses of each kind."""
        for loss, count in losses.items():
            self.add(loss, count)

    def add_facts(self, report: Report, held: frozenset[str]) -> None:
        """Add every fact of *report* whose field is not among those *held*.

        Fields are named as ``event.city``, ``section.type``, ``entry.update``, ``player.fide`` and ``rating.peak``.
        The rating and the games of a rating, seats, players and rounds are the writer's own business.
        """
        for kind in _facts_of(report, held):
            self.add(kind)
        self.add("cash prize", len(report.prizes))
        seated = {entry.player for section in report.sections for entry in section.entries}
        self.add("player who sits in no section", len(report.players.keys() - seated))

    def findings(self, name: str) -> tuple[Finding, ...]:
        """Return one note for each kind, about the file *name*."""
        return tuple(
            finding("lost-in-conversion.facts", Place(file=name), what=what, count=count)
            for what, count in self._counts.items()
        )


def _facts_of(report: Report, held: frozenset[str]) -> Iterator[str]:
    """Yield the kind of each fact that *report* states, without those whose field is among *held*."""
    yield from _stated("event", EVENT, [report.event], held)
    for section in report.sections:
        yield from _stated("section", SECTION, [section], held)
        yield from _stated("entry", ENTRY, section.entries, held)
    for player in report.players.values():
        yield from _stated("player", PLAYER, [player], held)
        if "player.ratings" in held:
            for rating in player.ratings.values():
                yield from _stated("rating", RATING, [rating], held)


def _stated(
    name: str, table: RecordTable[Record], records: Sequence[Record], held: frozenset[str]
) -> Iterator[str]:
    for at, field in enumerate(table.fields):
        if not field.basic and f"{name}.{field.name}" not in held:
            for record in records:
                if record[at] != field.unknown:
                    yield field.title
