"""A report typed in by hand: the questions of a form, one after the other.

The form is a generator that yields questions and is sent answers without mistakes; its value is the report. Who asks,
and where answers are kept until the form is complete, is the caller's business (``cli.report.enter``).
"""

from collections.abc import Generator, Sequence
from datetime import date

from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.hints import seat_id
from ratebook.formats.reading.cells import cell_text
from ratebook.model import Entry, Event, PlayerFacts, Report, Section, SectionType, System
from ratebook.reports.prompt import answers
from ratebook.reports.prompt.answers import Form, FormOptions, Question
from ratebook.reports.prompt.results_line import IMPLIED, ResultsLine
from ratebook.reports.prompt.seat_line import SeatAnswer, read_seat_line, seats_of, wrong_name

GO_BACK = "Type < to go back to the question before. Enter takes what is in brackets."
SEATS_HEADING = (
    "Players, seat by seat: id and name in one line, in any order. No id yet: type the name alone.\n"
    "An empty line ends the list."
)
RESULTS_HEADING = (
    "Results, a line for each seat and a word for each round: W12 won against seat 12, L, D; X and F forfeits;\n"
    "B full bye, H half bye, U unpaired. Type a dot for the result in brackets, which an earlier seat gives."
)


def report_form(options: FormOptions) -> Form:
    """Return the form of a report."""
    event = yield from event_questions(Event(), options.today, f"The event. {GO_BACK}")
    players: dict[str, PlayerFacts] = {}
    sections: list[Section] = []
    while True:
        number = len(sections) + 1
        sections.append((yield from _section(number, event, players, options)))
        if not answers.YES[(yield answers.yes_or_no(f"another section {number + 1}", "Another section?"))]:
            return Report(event, players, tuple(sections))


def event_questions(known: Event, today: date, heading: str) -> Generator[Question, str, Event]:
    """Ask for the event, of which some facts may be *known*."""
    name = yield Question("event name", "Name of the event", answers.wrong_text(least=1), known.name, heading)
    number = yield Question("event id", "Event id, or an empty line", answers.wrong_event_id, known.id)
    first, wrong = str(known.start or ""), lambda text: answers.wrong_start(text, today)
    start = answers.day_of((yield Question("event start", "First day (YYYY-MM-DD)", wrong, first)))
    last = str(known.end) if known.end and known.end >= start else start.isoformat()
    end = answers.day_of(
        (yield Question("event end", "Last day", lambda text: answers.wrong_end(text, start), last))
    )
    city = yield Question("event city", "City, or an empty line", answers.wrong_text(), known.city)
    state = yield Question("event state", "State, or an empty line", answers.wrong_text(), known.state)
    return known._replace(id=number, name=name, start=start, end=end, city=city, state=state)


def _section(
    number: int, event: Event, players: dict[str, PlayerFacts], options: FormOptions
) -> Generator[Question, str, Section]:
    """Ask for one section; new *players* are added to those known."""
    key = f"section {number}"
    heading = f"Section {number}"
    name = yield Question(
        f"{key} name", "Name of the section, or an empty line", answers.wrong_text(), "", heading
    )
    online = answers.YES[(yield answers.yes_or_no(f"{key} online", "Was it played online?"))]
    assert event.start is not None  # noqa: S101 - the form has asked for both, for the type checker
    assert event.end is not None  # noqa: S101 - as above
    day = event.start
    control = yield Question(
        f"{key} time control",
        'Time control, e.g. "G/60;d5"',
        lambda text: answers.wrong_time_control(text, options.rulebook, day, online=online),
    )
    kinds = [kind.value for kind in SectionType if kind is not SectionType.FIDE]
    kind = yield Question(
        f"{key} type", f"How it was played ({', '.join(kinds)})", answers.wrong_choice(kinds), kinds[0]
    )
    rounds = int(
        (
            yield Question(
                f"{key} rounds", "Number of rounds", lambda text: answers.wrong_number(text, ROUNDS_AT_MOST)
            )
        )
    )
    systems = answers.systems_of(control, options.rulebook, day, online=online) if options.ratings else ()
    seated = yield from _seats(number, players, systems, options.id_pattern)
    entries: list[Entry] = []
    for seat, player in enumerate(seated, start=1):
        row = ResultsLine(seat, len(seated), rounds, {entry.seat: entry.rounds for entry in entries})
        implied = row.implied()
        shown = " ".join(cell_text(cell) if cell else IMPLIED for cell in implied)
        reported = f" [{shown}]" if any(implied) and not all(implied) else ""
        answer = yield Question(
            f"{key} seat {seat} results of {rounds} of {len(seated)}",
            f"Seat {seat}, {players[player].name or player}{reported}",
            row.wrong,
            default=shown if all(implied) else "",
            heading="" if seat > 1 else RESULTS_HEADING,
        )
        entries.append(Entry(seat, player, row.cells(answer)))
    return Section(
        number=number,
        name=name,
        start=event.start,
        end=event.end,
        time_control=control,
        type=SectionType(kind),
        online=online,
        entries=tuple(entries),
    )


def _seats(
    section: int, players: dict[str, PlayerFacts], systems: Sequence[System], id_pattern: str | None
) -> Generator[Question, str, list[str]]:
    """Ask who sits where; an empty line ends the list."""
    seated: list[str] = []
    while len(seated) < SEATS_AT_MOST:
        seat = len(seated) + 1
        answer = SeatAnswer(players, seats_of(seated), id_pattern, enough=len(seated) > 1)
        heading = SEATS_HEADING if seat == 1 else ""
        text = yield Question(
            f"section {section} seat {seat} id", f"Seat {seat}, id and name", answer.wrong, "", heading
        )
        if not text:
            break
        line = read_seat_line(text)
        assert line is not None  # noqa: S101 - the answer was checked
        key = line.id or seat_id(section, seat)
        facts = players.get(key)
        if facts is None:
            name = line.name or (yield Question(f"{key} name", f"Seat {seat}, name", wrong_name))
            facts = PlayerFacts(key, name)
        seated.append(key)
        players[key] = yield from rating_questions(facts, seat, systems)
    return seated


def rating_questions(
    player: PlayerFacts, seat: int, systems: Sequence[System], *, again: bool = False
) -> Generator[Question, str, PlayerFacts]:
    """Ask for the ratings of a player in *systems*, and for the birth date of one who has none in one of them.

    What is known already is offered *again*, or not asked for.
    """
    ratings = dict(player.ratings)
    unrated = False
    for system in systems:
        if system in ratings and not again:
            continue
        default = answers.rating_text(ratings.get(system)) if again else ""
        unrated_word = "unr" if again else "empty"
        prompt = f"Seat {seat}, {system} rating, e.g. 1500 or 1432P12; {unrated_word}: unrated"
        text = yield Question(f"{player.id} {system} rating", prompt, answers.wrong_rating, default)
        if not answers.is_unrated(text):
            ratings[system] = answers.rating_of(text) if text != default else ratings[system]
            continue
        unrated = True
        ratings.pop(system, None)
    birth = player.birth_date
    if unrated and birth is None:
        prompt = f"Seat {seat}, birth date (YYYY-MM-DD); empty: not known"
        text = yield Question(
            f"{player.id} birth date", prompt, lambda text: answers.wrong_day(text) if text else None
        )
        birth = answers.day_of(text) if text else None
    return player._replace(ratings=ratings, birth_date=birth)
