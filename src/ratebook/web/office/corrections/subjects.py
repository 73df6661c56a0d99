"""What a correction is about, in words: what its ids lead to need not be typed, nor read as ids."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.decisions import read_decision
from ratebook.book.events import StoredSection, known_events, read_sections, seat_names
from ratebook.book.facts.members import LATER_FACTS, load_members
from ratebook.model import Entry
from ratebook.office.decisions.actions import SEXES
from ratebook.pages.crosstable import RESULT_WORDS
from ratebook.web.forms.inputs import Input, hidden
from ratebook.web.layout.words import code_words, day_words, in_title_case, person_name, with_days_in_words
from ratebook.web.office import links
from ratebook.web.office.records import LARGEST_NUMBER, RecordNames

COLOURS = {"w": " (White)", "b": " (Black)"}
OPPONENT = "opponent_result"
SEX_WORDS: Mapping[str, str] = {sex.value: word for sex, word in SEXES}


class CorrectedPart(NamedTuple):
    """What a correction is about.

    Attributes:
        kind: what has the office's page on which it was chosen.
        address: of that page.
        facts: what it is, from the event to the game.
        settled: the inputs that say so.
        labels: what inputs are called where the players are known.
        values: what the book has of the inputs, which a form that changes some of them says beside each.
    """

    kind: str
    address: str
    facts: tuple[str, ...]
    settled: tuple[str, ...]
    labels: Mapping[str, str] = {}
    values: Mapping[str, str] = {}

    def inputs(self, inputs: Sequence[Input]) -> list[Input]:
        """Return the inputs of a form; those that are settled are sent again and not shown."""
        named = [self._known(each) for each in inputs]
        settled = {each.name: each for each in hidden(each for each in named if each.name in self.settled)}
        return [settled.get(each.name, each) for each in named]

    def _known(self, field: Input) -> Input:
        now = self.values.get(field.name, "")
        hint = " ".join(filter(None, (field.hint, f"Now: {now}." if now else "")))
        return field._replace(label=self.labels.get(field.name, field.label), hint=hint)


def subject_in(connection: Connection, values: Mapping[str, str]) -> CorrectedPart | None:
    """Return what the texts of a form lead to, as far as they do; None if not even to a rated event or a member."""
    if values.get("decision", "").isdecimal():
        return _undone_in(connection, int(values["decision"]))
    if "event" not in values:
        return member_in(connection, values)
    event_id, number = values.get("event", ""), values.get("section", "")
    name = known_events(connection, [event_id]).get(event_id)
    if name is None:
        return None
    of_event = CorrectedPart("event", links.EVENT(event_id), (in_title_case(name) or event_id,), ("event",))
    for stored in read_sections(connection, event_id=event_id) if number else ():
        if str(stored.section.number) == number:
            return _in_section(connection, stored, of_event, values)
    return of_event


def member_in(connection: Connection, values: Mapping[str, str]) -> CorrectedPart | None:
    """Return the member whose id the texts of a form or of an address have; None if the book has none of it."""
    member = values.get("member", "")
    stored = load_members(connection, [member]).get(member)
    if stored is None:
        return None
    facts = stored.facts
    # Birth dates are shown where each view is noted.
    texts = {name: getattr(facts, name) for name in ("name", "state", *LATER_FACTS)}
    texts["sex"] = SEX_WORDS.get(facts.sex, "")
    return CorrectedPart(
        "member",
        links.MEMBER(member),
        (person_name(facts.name) or "(no name)", member),
        ("member",),
        values=texts,
    )


def _undone_in(connection: Connection, number: int) -> CorrectedPart | None:
    """Return the decision that would be undone; None if there is none of this number."""
    decision = read_decision(connection, number) if number < LARGEST_NUMBER else None
    if decision is None:
        return None
    names = RecordNames.of(connection, [decision])
    about = names.cell(decision.event_id, decision.section_number, decision.member_id)
    by = f"{in_title_case(decision.decided_by)}, {day_words(decision.decided_at)}: {decision.reason}"
    facts = (
        f"Decision {number}: {code_words(decision.kind).lower()}",
        about.text,
        with_days_in_words(names.what(decision)),
        with_days_in_words(by),
    )
    return CorrectedPart("decision", links.DECISION(number), tuple(filter(None, facts)), ("decision",))


def _in_section(
    connection: Connection, stored: StoredSection, of_event: CorrectedPart, values: Mapping[str, str]
) -> CorrectedPart:
    section = stored.section
    of_section = of_event._replace(
        address=links.SECTION(stored.event_id, section.number),
        facts=(*of_event.facts, in_title_case(section.name) or f"Section {section.number}"),
        settled=(*of_event.settled, "section"),
    )
    entries = {str(entry.seat): entry for entry in section.entries}
    entry = entries.get(values.get("seat", ""))
    if entry is None:
        return of_section
    reported = seat_names(connection, [stored.id])[stored.id]
    names = {seat: person_name(reported.get(each.seat, "")) or each.player for seat, each in entries.items()}
    of_seat = of_section._replace(settled=(*of_section.settled, "seat"))
    if "number" in values:
        return _of_game(of_seat, entry, values["number"], names)
    return of_seat._replace(facts=(*of_seat.facts, f"Seat {entry.seat}: {names[str(entry.seat)]}"))


def _of_game(of_seat: CorrectedPart, entry: Entry, number: str, names: Mapping[str, str]) -> CorrectedPart:
    player = names[str(entry.seat)]
    cell = next((cell for at, cell in enumerate(entry.rounds, start=1) if str(at) == number), None)
    if cell is None:
        return of_seat._replace(facts=(*of_seat.facts, player))
    opponent = names.get(str(cell.opponent), "")
    players = " \u2013 ".join(filter(None, (f"{player}{COLOURS.get(cell.colour, '')}", opponent)))
    labels = {"result": f"Result of {player}"} | ({OPPONENT: f"Result of {opponent}"} if opponent else {})
    return of_seat._replace(
        facts=(
            *of_seat.facts,
            f"Round {number}: {players}",
            f"{player} now has: {RESULT_WORDS[cell.letter]}",
        ),
        settled=(*of_seat.settled, "number"),
        labels=labels,
    )
