"""What a correction changes, in words that name people: before and after of a report or of a member."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from ratebook.book.facts.members import MemberFacts
from ratebook.model import Cell, PlayerFacts, Report, Section, SectionType
from ratebook.pages.crosstable import RESULT_WORDS

_PRIVATE = "birth_date"
_OF_EVENTS = (("name", "event"), ("city", "city"), ("state", "state"), ("affiliate", "affiliate"))
_OF_SECTIONS = (
    ("name", "name"),
    ("start", "first day"),
    ("end", "last day"),
    ("time_control", "time control"),
    ("type", "type"),
    ("online", "online"),
)
_UNSAID = ("", None, False, SectionType.OTHER)


def changes_of_member(old: MemberFacts, new: MemberFacts) -> Iterator[str]:
    """Yield what differs between two versions of a member; a birth date is not shown."""
    for name in MemberFacts._fields:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            title = name.replace("_", " ").replace("fide", "FIDE")
            shown = "changed" if name == _PRIVATE and before else f"{_word(before)} -> {_word(after)}"
            yield f"{title}: {'entered' if name == _PRIVATE and not before else shown}"


def _word(value: object) -> str:
    """Return a value in a word.

    >>> _word(True), _word(None), _word("")
    ('yes', 'unknown', 'none')
    """
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "none"


def changes_of_report(old: Report, new: Report) -> Iterator[str]:
    """Yield what differs between two versions of a report; a game is named once, from the lower seat."""
    yield from _changed_facts(old.event, new.event, _OF_EVENTS)
    before = {section.number: section for section in old.sections}
    several = len(new.sections) > 1
    for section in new.sections:
        earlier = before.get(section.number)
        if earlier is None or earlier == section:
            continue
        for words in _changes_of_section(earlier, section, {**old.players, **new.players}):
            yield f"section {section.number}, {words}" if several else words


def changes_said(old: Report, new: Report) -> Iterator[str]:
    """Yield what differs as `changes_of_report` does; what *new* does not say, such as colours, is no difference."""
    before = {section.number: section for section in old.sections}
    event = {name: value for name, value in new.event._asdict().items() if value}
    sections = (_completed(section, before.get(section.number, section)) for section in new.sections)
    yield from changes_of_report(
        old, new._replace(event=old.event._replace(**event), sections=tuple(sections))
    )


def _completed(section: Section, before: Section) -> Section:
    """Return a section with the facts and the colours of the one *before* where it says none itself."""
    facts = {
        name: getattr(section if getattr(section, name) not in _UNSAID else before, name)
        for name, _ in _OF_SECTIONS
    }
    earlier = {entry.seat: entry.rounds for entry in before.entries}
    entries = (
        entry._replace(
            rounds=tuple(
                cell._replace(colour=cell.colour or (was.colour if was.opponent == cell.opponent else ""))
                for cell, was in zip_longest(
                    entry.rounds, earlier.get(entry.seat, ())[: len(entry.rounds)], fillvalue=Cell()
                )
            )
        )
        for entry in section.entries
    )
    return section._replace(**facts, entries=tuple(entries))


def _changed_facts(old: object, new: object, facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the *facts*, by their names and titles, that differ between two records."""
    for name, title in facts:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            words = (_word("" if one is None else one) for one in (before, after))
            yield f"{title}: {' -> '.join(words)}"


def _changes_of_section(old: Section, new: Section, players: Mapping[str, PlayerFacts]) -> Iterator[str]:
    yield from _changed_facts(old, new, _OF_SECTIONS)
    entries = {entry.seat: entry for entry in old.entries}
    mirrored: set[tuple[int, int]] = set()
    for entry in new.entries:
        earlier = entries.get(entry.seat)
        if earlier is None or earlier == entry:
            continue
        seat = f"seat {entry.seat} {_name(players, entry.player)}"
        if earlier.player != entry.player:
            yield (
                f"seat {entry.seat}: {earlier.player} {_name(players, earlier.player)}"
                f" -> {entry.player} {_name(players, entry.player)}"
            )
        if earlier.floor_request != entry.floor_request:
            yield f"{seat}, floor request: {earlier.floor_request or 'none'} -> {entry.floor_request or 'none'}"
        for number, cells in enumerate(zip_longest(earlier.rounds, entry.rounds, fillvalue=Cell()), start=1):
            if cells[0] != cells[1] and (entry.seat, number) not in mirrored:
                mirrored.add((cells[1].opponent or 0, number))
                yield f"{seat}, round {number}: {_change_of_game(*cells)}"


def _change_of_game(before: Cell, after: Cell) -> str:
    opponent = f" against seat {after.opponent}" if after.opponent is not None else ""
    if before.opponent != after.opponent and before.opponent is not None:
        return f"{RESULT_WORDS[before.letter]} against seat {before.opponent} -> {RESULT_WORDS[after.letter]}{opponent}"
    colour = f", colour {before.colour or 'unknown'} -> {after.colour or 'unknown'}"
    changed = colour if before.colour != after.colour else ""
    return f"{RESULT_WORDS[before.letter]} -> {RESULT_WORDS[after.letter]}{opponent}{changed}"


def _name(players: Mapping[str, PlayerFacts], player: str) -> str:
    facts = players.get(player)
    return facts.name if facts is not None and facts.name else player
