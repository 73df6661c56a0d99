"""What the form of a report asks for, and what is wrong with what was typed; places are its fields."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.book.facts.members import names_of
from ratebook.findings import Finding, Place, finding
from ratebook.model import SectionType
from ratebook.pages.event import TYPES
from ratebook.reports.boards import wrong_boards
from ratebook.reports.draft import Draft, DraftSection, wrong_players, wrong_results
from ratebook.rules.timecontrol import parse_time_control
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.site import Reader
from ratebook.web.store.accounts import Account

EVENT = (
    Input("name", "Name of the event"),
    Input("start", "First day", InputKind.DATE, hint="If it lasted several days.", needed=False),
    Input("end", "Last day", InputKind.DATE),
    Input("city", "City", needed=False),
    Input("state", "State", needed=False, most=20),
    Input("affiliate", "Affiliate", hint="Its id.", needed=False, most=20),
    Input("chief_td", "Chief director", hint="The member id.", needed=False, most=20),
    Input("id", "Event id", hint="Otherwise the office assigns one.", needed=False, most=40),
)
SECTION = (
    Input("name", "Name", hint="For example Open, or Under 1400.", needed=False, most=80),
    Input("time_control", "Time control", hint="For example G/60;d5"),
    Input(
        "type",
        "How it was played",
        InputKind.CHOICE,
        choices=[(kind, title) for kind, title in TYPES if kind != SectionType.FIDE],
    ),
    Input("start", "First day", InputKind.DATE, hint="If it differs from that of the event.", needed=False),
    Input("end", "Last day", InputKind.DATE, hint="If it differs from that of the event.", needed=False),
    Input("online", "It was played online", InputKind.CHECK, needed=False),
)


def event_inputs(owner: Account) -> tuple[Input, ...]:
    """Return what is asked of an event; the browser offers the affiliates of its *owner*."""
    return tuple(one._replace(suggests=owner.affiliates) if one.name == "affiliate" else one for one in EVENT)


class TypedSection(NamedTuple):
    """A section in the list of an event that is typed."""

    section: DraftSection
    mistakes: int


def event_mistakes(draft: Draft, *, missing: bool) -> Iterator[Finding]:
    """Yield what is wrong with the texts of an event, and what is *missing* where that is asked."""
    texts = Sent({name: (text,) for name, text in draft.event.items()}, {})
    yield from (one for one in texts.wrong(EVENT) if missing or one.code != "form-missing")
    yield from _reversed_dates(draft.event)


def incomplete(listed: list[TypedSection]) -> Iterator[Finding]:
    """Yield why an event cannot be previewed yet."""
    if not listed:
        yield finding("typed-section.none", Place(subject="sections"))
    for typed in listed:
        number = typed.section.number
        if len(typed.section.players) < 2:  # noqa: PLR2004 - who play each other
            yield finding("typed-section.too-few", Place(input=f"section-{number}"), number=number)
        elif typed.mistakes:
            yield finding(
                "typed-section.to-mend", Place(input=f"section-{number}"), number=number, count=typed.mistakes
            )


def mistakes_of(reader: Reader, section: DraftSection) -> list[Finding]:
    """Return what keeps a section from being previewed."""
    names = names_of(reader.connection, [one.id for one in section.players if one.id])
    found = section_mistakes(section, names, missing=True)
    return [one for one in found if one.severity == "error"]


def field_words(section: DraftSection, field: str) -> str:
    """Return what people call a field of a section's form.

    >>> from ratebook.reports.draft import DraftPlayer
    >>> field_words(DraftSection(1, {}, 4, (DraftPlayer(3, key=7, name="HERON, ALICE"),)), "p7-r2")
    'Round 2, row 3 (HERON, ALICE)'
    """
    labels = {asked.name: asked.label for asked in SECTION}
    row, _, what = field.removeprefix("p").partition("-")
    player = next((each for each in section.players if str(each.row) == row), None)
    if player is None:
        return labels.get(field, field)
    whose = f"row {player.seat}" + (f" ({player.name})" if player.name else "")
    column = {"id": "Member ID", "name": "Name", "seat": "Number"}.get(
        what, f"Round {what.removeprefix('r')}"
    )
    return f"{column}, {whose}"


def section_mistakes(section: DraftSection, names: Mapping[str, str], *, missing: bool) -> list[Finding]:
    """Return what is wrong with a section, and what is *missing* where that is asked; places are its fields."""
    return list(_mistakes(section, names, missing=missing))


def _mistakes(section: DraftSection, names: Mapping[str, str], *, missing: bool) -> Iterator[Finding]:
    texts = Sent({name: (text,) for name, text in section.texts.items()}, {})
    yield from (one for one in texts.wrong(SECTION) if missing or one.code != "form-missing")
    yield from _reversed_dates(section.texts)
    control = parse_time_control(section.texts.get("time_control", "") or "G/60;d5")
    if isinstance(control, Finding):
        yield control._replace(place=Place(input="time_control"))
    yield from wrong_players(section, names)
    yield from wrong_results(section)
    for played in range(1, section.rounds + 1):
        boards = {wrong.place.input.partition("-")[0][1:] for wrong in wrong_boards(section, played)}
        for board in sorted(boards, key=int):
            yield finding("typed-board.in-round", Place(input=f"round-{played}"), board=board, round=played)


def _reversed_dates(texts: Mapping[str, str]) -> Iterator[Finding]:
    start, end = texts.get("start", ""), texts.get("end", "")
    try:
        wrong = date.fromisoformat(end) < date.fromisoformat(start)
    except ValueError:  # what is not a date has a finding of its own
        return
    if wrong:
        yield finding("dates-reversed.records", Place(input="end"), end=end, start=start)
