"""A finished report that is corrected at the prompt: one seat, one round, or the event."""

from collections.abc import Generator, Sequence
from datetime import date

from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.hints import is_seat_id, seat_id
from ratebook.formats.reading.cells import EMPTY_CELL, cell_text
from ratebook.model import Cell, Entry, PlayerFacts, Report, Section
from ratebook.reports.draft import other_side
from ratebook.reports.prompt.answers import YES, Form, FormOptions, Question, yes_or_no
from ratebook.reports.prompt.form import GO_BACK, event_questions, rating_questions
from ratebook.reports.prompt.results_line import ResultsLine
from ratebook.reports.prompt.seat_line import SeatAnswer, read_seat_line, wrong_name
from ratebook.rules.timecontrol import systems_of_section

_EVENT = "event"
_UNPAIRED = "U"


def change_form(report: Report, options: FormOptions) -> Form:
    """Return the form of one change; its value is the report itself where nothing is to be changed."""
    section = report.sections[0]
    heading = f"{report.event.name or 'The event'}. {GO_BACK}"
    if len(report.sections) > 1:
        numbers = [str(each.number) for each in report.sections]
        text = yield Question(
            "section",
            f"Section to correct ({', '.join(numbers)}); Enter: nothing more",
            lambda text: None if text in {"", *numbers} else f"Write one of {', '.join(numbers)}.",
            heading=heading,
        )
        if not text:
            return report
        section = next(each for each in report.sections if str(each.number) == text)
        heading = ""
    last, rounds = section.entries[-1].seat, _rounds_of(section)
    text = yield Question(
        "what",
        f"What to correct: a seat (1 to {last}, or {last + 1} for one more player), a round (r1 to r{rounds}, or"
        f" r{rounds + 1} for one more), or {_EVENT}; Enter: nothing more",
        lambda text: _wrong_choice(text, section),
        heading="\n".join(filter(None, (heading, *_rows(report, section)))),
    )
    if not text:
        return report
    if text == _EVENT:
        return (yield from _with_event(report, options.today))
    if text.startswith("r"):
        changed = yield from _with_round(report, section, int(text[1:]) - 1)
        return _with_section(report, changed)
    return (yield from _with_seat(report, section, int(text), options))


def _rows(report: Report, section: Section) -> list[str]:
    """Return a line for each seat: its number, the name and the results."""
    names = [report.players[entry.player].name or entry.player for entry in section.entries]
    width = max(map(len, names))
    return [
        f"{entry.seat:>4}  {name.ljust(width)}  {' '.join(_text_at(entry, at) for at in range(len(entry.rounds)))}"
        for entry, name in zip(section.entries, names, strict=True)
    ]


def _wrong_choice(text: str, section: Section) -> str | None:
    number = text.removeprefix("r")
    if text in {"", _EVENT}:
        return None
    if not (number.isascii() and number.isdecimal()):
        return f"Write a seat such as 12, a round such as r3, or {_EVENT}."
    if text.startswith("r"):
        most = min(_rounds_of(section) + 1, ROUNDS_AT_MOST)
        return None if 1 <= int(number) <= most else f"The rounds are r1 to r{most}."
    seats = {entry.seat for entry in section.entries}
    return None if int(number) in {*seats, max(seats) + 1} else f"No player has the seat {number}."


def _rounds_of(section: Section) -> int:
    return max((len(entry.rounds) for entry in section.entries), default=0)


def _with_section(report: Report, section: Section) -> Report:
    sections = (section if each.number == section.number else each for each in report.sections)
    return report._replace(sections=tuple(sections))


def _with_entry(section: Section, entry: Entry) -> Section:
    entries = tuple(entry if each.seat == entry.seat else each for each in section.entries)
    return section._replace(entries=entries)


def _with_cell(entry: Entry, at: int, cell: Cell) -> Entry:
    missing = [EMPTY_CELL] * (at + 1 - len(entry.rounds))
    cells = [*entry.rounds, *missing]
    return entry._replace(rounds=(*cells[:at], cell, *cells[at + 1 :]))


def _cell_at(entry: Entry, at: int) -> Cell:
    return entry.rounds[at] if at < len(entry.rounds) else EMPTY_CELL


def _text_at(entry: Entry, at: int) -> str:
    return cell_text(_cell_at(entry, at)) or _UNPAIRED


def _with_event(report: Report, today: date) -> Generator[Question, str, Report]:
    """Ask for the event again; sections that were played on all of its days keep to them."""
    before = report.event
    event = yield from event_questions(before, today, "The event")
    assert event.end is not None  # noqa: S101 - the form has asked for it
    sections = [
        section._replace(
            start=event.start if section.start == before.start else section.start,
            end=event.end if section.end == before.end else section.end,
        )
        for section in report.sections
    ]
    return report._replace(event=event, sections=tuple(sections))


def _with_round(report: Report, section: Section, at: int) -> Generator[Question, str, Section]:
    """Ask for a round, seat by seat, and whether it is to change; named opponents are not asked for."""
    before_round, last = section, section.entries[-1].seat
    typed: dict[int, Sequence[Cell]] = {}
    for entry in section.entries:
        row = ResultsLine(entry.seat, last, 1, typed)
        (implied,) = row.implied()
        if implied is None:
            before = _text_at(entry, at)
            text = yield Question(
                f"round {at} seat {entry.seat}",
                f"Round {at + 1}, {_seated(report, entry)}",
                row.wrong,
                default=before if row.wrong(before) is None else "",
            )
            (implied,) = row.cells(text)
        typed[entry.seat] = (implied,)
        section = _with_entry(section, _with_cell(entry, at, _with_colour(implied, entry, at)))
    changes = [
        f"  {_seated(report, entry)}: {_text_at(entry, at)} becomes {_text_at(changed, at)}"
        for entry, changed in zip(before_round.entries, section.entries, strict=True)
        if _cell_at(entry, at).letter and _text_at(entry, at) != _text_at(changed, at)
    ]
    if changes:
        heading = "\n".join((f"Round {at + 1}:", *changes))
        agreed = yield yes_or_no(f"round {at} changes", "Make these changes?", default="y", heading=heading)
        return section if YES[agreed] else before_round
    return section


def _with_colour(cell: Cell, entry: Entry, at: int) -> Cell:
    """Return a cell with the colour that was known before, where the game is the same and no colour is said."""
    if at >= len(entry.rounds):
        return cell
    before = entry.rounds[at]
    is_same = (cell.letter, cell.opponent) == (before.letter or _UNPAIRED, before.opponent)
    return before if is_same and not cell.colour else cell


def _seated(report: Report, entry: Entry) -> str:
    return f"seat {entry.seat}, {report.players[entry.player].name or entry.player}"


def _with_seat(
    report: Report, section: Section, seat: int, options: FormOptions
) -> Generator[Question, str, Report]:
    """Ask for a seat again: who sits there, the ratings, and the results."""
    entry = next((each for each in section.entries if each.seat == seat), Entry(seat, "", ()))
    before = report.players.get(entry.player, PlayerFacts(""))
    player = yield from _seated_player(report, section, entry, options.id_pattern)
    systems = systems_of_section(section, options.rulebook)
    player = yield from rating_questions(player, seat, systems, again=True)
    report = _with_player(report, section, before.id, player)
    rounds = _rounds_of(section)
    row = ResultsLine(seat, max(seat, section.entries[-1].seat), rounds, {})
    known = " ".join(_text_at(entry, at) for at in range(rounds)) if before.id else ""
    text = yield Question(f"seat {seat} results", f"Seat {seat}, {player.name}, results", row.wrong, known)
    cells = tuple(_with_colour(cell, entry, at) for at, cell in enumerate(row.cells(text)))
    changed = entry._replace(player=player.id, rounds=cells)
    entries = [*(each for each in section.entries if each.seat != seat), changed]
    section = section._replace(entries=tuple(sorted(entries, key=lambda each: each.seat)))
    report = _with_section(report, section)
    for at, cell in enumerate(cells):
        if cell != _cell_at(entry, at):
            section = yield from _agreed(report, section, changed, at)
    return _with_section(report, section)


def _seated_player(
    report: Report, section: Section, entry: Entry, id_pattern: str | None
) -> Generator[Question, str, PlayerFacts]:
    """Ask who sits at a seat; a name alone keeps the id, an id alone keeps the name, and ``new`` takes the id away."""
    before = report.players.get(entry.player, PlayerFacts(""))
    known_id = "" if is_seat_id(before.id) else before.id
    others = {key: player for key, player in report.players.items() if key != before.id}
    seated = {each.player: each.seat for each in section.entries if each.seat != entry.seat}
    known = " ".join(filter(None, (known_id, before.name)))
    answer = SeatAnswer(others, seated, id_pattern, name=before.name)
    text = yield Question(
        f"seat {entry.seat} id",
        f"Seat {entry.seat}, id and name (no id yet: new and the name)",
        answer.wrong,
        known,
    )
    line = read_seat_line(text)
    assert line is not None  # noqa: S101 - the answer was checked
    own_id = "" if line.is_new else line.id or known_id
    key = own_id or seat_id(section.number, entry.seat)
    facts = others.get(key, before)
    name = line.name or facts.name or (yield Question("seat name", f"Seat {entry.seat}, name", wrong_name))
    return facts._replace(id=key, name=name)


def _with_player(report: Report, section: Section, before: str, player: PlayerFacts) -> Report:
    """Return the report with a player in the place of another one, who is left out where no other seat has him."""
    elsewhere = {
        entry.player for each in report.sections if each.number != section.number for entry in each.entries
    }
    players = dict(report.players)
    if before != player.id and before not in elsewhere:
        players.pop(before, None)
    prizes = tuple(
        prize._replace(player=player.id)
        if prize.player == before and prize.section == section.number
        else prize
        for prize in report.prizes
    )
    return report._replace(players={**players, player.id: player}, prizes=prizes)


def _agreed(report: Report, section: Section, changed: Entry, at: int) -> Generator[Question, str, Section]:
    """Ask what happens to rows that disagree with a result that was *changed*; none of them changes by itself."""
    mirrored = other_side(changed.seat, changed.rounds[at])
    last = section.entries[-1].seat
    for entry in section.entries:
        cell, seated = _cell_at(entry, at), _seated(report, entry)
        shown = f"{seated[0].upper()}{seated[1:]}, has {_text_at(entry, at)} in round {at + 1}"
        key = f"round {at} seat {entry.seat} after {changed.seat}"
        if mirrored is not None and entry.seat == mirrored[0]:
            if (cell.letter, cell.opponent) == (mirrored[1].letter, mirrored[1].opponent):
                continue
            text = f"{shown}. Make it {cell_text(mirrored[1])}?"
            if YES[(yield yes_or_no(key, text, default="y"))]:
                section = _with_entry(section, _with_cell(entry, at, mirrored[1]))
        elif cell.opponent == changed.seat and entry.seat != changed.seat:
            row = ResultsLine(entry.seat, last, 1, {})
            text = f"{shown}, but seat {changed.seat} played another game. The result"
            (agreed,) = row.cells((yield Question(key, text, row.wrong, _UNPAIRED)))
            section = _with_entry(section, _with_cell(entry, at, agreed))
    return section
