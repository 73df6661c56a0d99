"""The reports in which a person sat: which seats were theirs in each version, and the versions without the person."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ratebook.formats.hints import seat_id
from ratebook.model import Entry, PlayerFacts, Report
from ratebook.office.erasure.spellings import Spellings
from ratebook.player_lists.names import name_key, names_agree

Place = tuple[int, int]
"""A section's number and a seat in it."""


class Version(NamedTuple):
    """One version of a report, by the *number* of its submission; it replaced the one that it *revises*."""

    number: int
    revises: int | None
    report: Report


class ErasedPerson(NamedTuple):
    """Who is to be erased: the ids, and the names that the book knows."""

    ids: frozenset[str]
    names: tuple[str, ...]


class SeatsOfPerson(NamedTuple):
    """The seats of a person in the versions of reports, by the numbers of their submissions.

    Attributes:
        held: which are the person's as the report holds now.
        passing: which a version says, or one that was corrected again.
    """

    held: Mapping[int, frozenset[Place]]
    passing: Mapping[int, frozenset[Place]]


def seats_of_person(versions: Iterable[Version], person: ErasedPerson) -> SeatsOfPerson:
    """Return where a person sits, or came to sit when the version was corrected; *versions* are whole chains."""
    by_number = {version.number: version for version in versions}
    replaced = {version.revises for version in by_number.values()}
    held: dict[int, frozenset[Place]] = {}
    passing: dict[int, frozenset[Place]] = {}
    for number in sorted(by_number, reverse=True):
        version = by_number[number]
        own = frozenset(place for place, entry in _entries(version.report) if entry.player in person.ids)
        passing[number] = own | passing.get(number, frozenset())
        held[number] = own if number not in replaced else held.get(number, frozenset())
        earlier = by_number.get(version.revises) if version.revises is not None else None
        if earlier is not None:
            for places in (held, passing):
                same = frozenset(
                    place for place in places[number] if _is_same_seat(earlier.report, version.report, place)
                )
                places[earlier.number] = places.get(earlier.number, frozenset()) | same
    return SeatsOfPerson(held, passing)


def _is_same_seat(earlier: Report, later: Report, place: Place) -> bool:
    """Return whether a seat was the same person's in an earlier version: half of the other seats say the same names."""
    number, seat = place
    rows = [_rows(report, number) for report in (earlier, later)]
    if seat not in rows[0] or len(rows[0]) != len(rows[1]):
        return False
    others = [
        mine[0] == theirs[0] or (mine[1] != "" and mine[1] == theirs[1])
        for other, mine in rows[0].items()
        if other != seat and (theirs := rows[1].get(other)) is not None
    ]
    return 2 * sum(others) >= len(rows[0]) - 1


def _rows(report: Report, number: int) -> dict[int, tuple[str, str]]:
    """Return who sits at each seat of a section, by key and by folded name."""
    return {
        entry.seat: (entry.player, name_key(report.players[entry.player].name))
        for section in report.sections
        if section.number == number
        for entry in section.entries
    }


def names_at_seats(
    versions: Iterable[Version], seats: SeatsOfPerson, person: ErasedPerson, others: Mapping[str, str]
) -> Iterator[str]:
    """Yield the names that reports have for a person; *others* are the names of other members, by id."""
    for version in versions:
        for place, entry in _entries(version.report):
            name = version.report.players[entry.player].name
            if name and place in seats.held[version.number] and not _is_another(entry.player, name, others):
                # Before the id was corrected, the report may have meant someone else.
                own = entry.player in person.ids or not person.names
                if own or any(names_agree(name, known) for known in person.names):
                    yield name


def _is_another(key: str, name: str, others: Mapping[str, str]) -> bool:
    return key in others and name != "" and names_agree(name, others[key])


class Emptied(NamedTuple):
    """A report without a person, whose seats have keys of their own now; *gone* are those of players it has no more."""

    report: Report
    gone: frozenset[str]


def without_person(
    version: Version,
    seats: SeatsOfPerson,
    person: ErasedPerson,
    spellings: Spellings,
    others: Mapping[str, str],
) -> Emptied:
    """Return a version of a report with nothing of a person but the id under which the numbers are kept.

    Another id at a seat of the person, from before it was corrected, goes with the name; *others* are the names that
    the book has for other members, by id: a seat that names one of them by id and name is not the person's.
    """
    report = version.report
    held, passing = (places[version.number] for places in seats)

    def is_the_persons(place: Place, key: str) -> bool:
        name = report.players[key].name
        if key in person.ids or _is_another(key, name, others):
            return False
        return place in held or (place in passing and spellings.within(name))

    moved = {
        (number, entry.player): seat_id(number, seat)
        for (number, seat), entry in _entries(report)
        if is_the_persons((number, seat), entry.player)
    }
    sections = tuple(
        section._replace(
            entries=tuple(
                entry._replace(player=moved.get((section.number, entry.player), entry.player))
                for entry in section.entries
            )
        )
        for section in report.sections
    )
    seated = {entry.player for section in sections for entry in section.entries}
    former_ids = frozenset(key for _, key in moved if key not in seated)
    remaining = {
        key: PlayerFacts(key, fide=facts.fide) if key in person.ids else facts
        for key, facts in report.players.items()
        if key not in former_ids and key not in moved.values()
    }
    prizes = tuple(
        prize._replace(player=moved.get((prize.section, prize.player), prize.player))
        for prize in report.prizes
    )
    new = {key: PlayerFacts(key) for key in moved.values()}
    return Emptied(
        report._replace(players={**remaining, **new}, sections=sections, prizes=prizes), former_ids
    )


def _entries(report: Report) -> Iterator[tuple[Place, Entry]]:
    for section in report.sections:
        for entry in section.entries:
            yield (section.number, entry.seat), entry
