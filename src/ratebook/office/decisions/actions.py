"""The decisions of an office that anyone of it may ask for: corrections of events and members, and adjustments."""

from collections.abc import Mapping

from ratebook.book.connection import Book
from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.model import FloorKind, FloorRequest, Sex
from ratebook.office.action import Action, Condition, CorrectionRow, Kind, Parameter, Together
from ratebook.office.decisions import adjustments, events, members
from ratebook.office.decisions.revision import DecisionResult
from ratebook.pages.crosstable import RESULT_WORDS
from ratebook.rating.decisions import KINDS, RATING, DecisionKind
from ratebook.records.system_titles import SYSTEM_CHOICES

DECIDED = (1, 10**9)
COUNTED = (1, 100_000)
"""Bounds of sections, seats and rounds."""
GAMES = (0, 50)
"""Games that an initial rating may be based on; no document knows more."""
LISTED = (1, 4_000)
"""Bounds of the ratings of any list."""
DOLLARS = (1, 10_000_000)
SOURCES = (("fide", "FIDE"), ("cfc", "CFC"))

RATED = Parameter("event", "Event id", argument=True)
EVENT = RATED._replace(hint="Or the number of a report in the queue.")
NUMBER_REFUSED = "is not the number of a section; ratebook book event EVENT lists them."
SECTION = Parameter(
    "section",
    "Section",
    Kind.COUNT,
    "Its number in the event.",
    argument=True,
    bounds=COUNTED,
    refusal=NUMBER_REFUSED,
)
ALL_OR_ONE = SECTION._replace(needed=False, hint="Its number; leave it out for the whole event.")
FIRST_DAY = Parameter("start", "First day", Kind.DAY, "Default: unchanged.", needed=False)
LAST_DAY = Parameter("end", "Last day", Kind.DAY)
IN_CROSSTABLE = "The player's number in the crosstable."
SEAT = Parameter("seat", "Seat", Kind.COUNT, IN_CROSSTABLE, argument=True, bounds=COUNTED)
ROUND = Parameter("number", "Round", Kind.COUNT, argument=True, bounds=COUNTED, metavar="ROUND")
MEMBER = Parameter("member", "Member ID", argument=True)
SYSTEM = Parameter("system", "System", Kind.CHOICE, argument=True, choices=SYSTEM_CHOICES)
LETTERS = [(letter, words) for letter, words in RESULT_WORDS.items() if letter]
RESULT = Parameter("result", "Result", Kind.LETTER, argument=True, choices=LETTERS)
OPPONENT_RESULT = Parameter(
    "opponent_result",
    "Result of the opponent",
    Kind.LETTER,
    "Only if it does not follow from the result.",
    needed=False,
    choices=LETTERS,
    metavar="LETTER",
)
PLACES = (
    Parameter(
        "name", "Name of the event", Kind.LINE, needed=False, metavar="TEXT", refusal="An event needs a name."
    ),
    Parameter("city", "City", Kind.LINE, needed=False, metavar="TEXT", removable=True),
    Parameter("state", "State", Kind.LINE, needed=False, metavar="TEXT", removable=True),
)
TIME_CONTROL = Parameter(
    "time_control",
    "Time control",
    hint="Such as G/25;d5 or 40/90,SD/30;+30.",
    argument=True,
    longest=1000,
    metavar="TEXT",
)

EVENTS: tuple[Action[Book, DecisionResult], ...] = (
    Action(
        "correct result",
        "Correct a result",
        "Change the result of a game for both players.",
        (EVENT, SECTION, SEAT, ROUND, RESULT, OPPONENT_RESULT),
        lambda book, because, values: events.correct_result(
            book,
            values.at,
            events.GameResult(values.seat, values.number, values.result, values.opponent_result or ""),
            because,
        ),
        more="RESULT is the new letter for SEAT (W, D, L, X, F, ...).",
        examples=('202611140001 1 12 4 D --reason "score sheet of both players"',),
        row=CorrectionRow(
            "result",
            "the result of the `seat` in the `round` of the `section`",
            ("result", "the right letter of this seat"),
            ("opponent_result", "the right letter of the opponent's seat"),
            optional="opponent_value",
        ),
    ),
    Action(
        "correct member",
        "Correct a wrong id",
        "Assign SEAT to the member who really played. If that member has another seat of the section, the two trade"
        " places.",
        (EVENT, SECTION, SEAT, MEMBER._replace(hint="Of the member who played.")),
        lambda book, because, values: events.correct_member(
            book, values.at, values.seat, values.member, because
        ),
        examples=(
            '202611140001 1 12 90000012 --reason "digits changed places"',
            '9 1 12 90000012 --reason "report 9 waits, with a wrong id" --dry-run',
        ),
        row=CorrectionRow(
            "member",
            "the id at the `seat` of the `section`: another member's, or no one's",
            ("member", "the right member id"),
        ),
    ),
    Action(
        "correct dates",
        "Correct dates",
        "Change the days of a section or of the whole event; sections are rated in the order of their last days.",
        (EVENT, ALL_OR_ONE, FIRST_DAY, LAST_DAY),
        lambda book, because, values: events.correct_dates(
            book, values.at, values.start, values.end, because
        ),
        examples=('202611140001 --end 2026-11-15 --reason "two days, said the organizer"',),
        row=CorrectionRow(
            "date",
            "the days of the `section`, and of the event if it has no other section",
            ("start", "the right first day"),
            ("end", "the right last day"),
        ),
    ),
    Action(
        "correct time-control",
        "Correct a time control",
        "Change the time control of a section; other systems may then rate it.",
        (EVENT, SECTION, TIME_CONTROL),
        lambda book, because, values: events.correct_time_control(
            book, values.at, values.time_control, because
        ),
        examples=('202611140001 2 "G/25;d5" --reason "the report said G/30"',),
        row=CorrectionRow(
            "time-control", "the time control of the `section`", ("time_control", "the right time control")
        ),
    ),
    Action(
        "correct event",
        "Correct the name or place of an event",
        "Change the name of an event, or where it was held; its ratings stay as they are.",
        (EVENT, *PLACES),
        lambda book, because, values: events.correct_event(
            book, values.event, events.EventFacts(values.name, values.city, values.state), because
        ),
        more='An empty text removes a city or a state: --city "".',
        examples=('202611140001 --name "Maple Falls Open" --reason "the report had the name of a section"',),
        conditions=(Condition(Together.SOME, ("name", "city", "state"), "A name, a city or a state"),),
        row=CorrectionRow(
            "event-name", "the name of the event; no section", ("name", "the right name of the event")
        ),
    ),
    Action(
        "correct withdraw",
        "Withdraw an event or a section",
        "Take a section, or the event with all its sections, out of the ratings; it stays in the book.",
        (RATED, ALL_OR_ONE),
        lambda book, because, values: events.withdraw(book, values.at, because),
        more="This is one decision, and one undo reverses it.",
        examples=(
            '202611140001 --reason "was not announced as rated"',
            '202611140001 3 --reason "casual games"',
        ),
        row=CorrectionRow("withdraw", "the `section` should not have been rated"),
    ),
)


def _answering(word: str, answer: FloorRequest, reason: str) -> Action[Book, DecisionResult]:
    return Action(
        word,
        f"{word.capitalize()} a floor request",
        f"{word.capitalize()} the request of the player at SEAT to lower the floor after a match.",
        (RATED, SECTION, SEAT),
        lambda book, because, values: events.answer_floor_request(
            book, values.at, values.seat, answer, because
        ),
        examples=(f'202611140001 1 2 --reason "{reason}"',),
    )


LIFTED = "To end a floor or a ceiling from a certain day, lift it instead."
OTHERS: tuple[Action[Book, DecisionResult], ...] = (
    _answering("grant", FloorRequest.GRANTED, "asked for in writing"),
    _answering("deny", FloorRequest.DENIED, "the second match in a year"),
    Action(
        "undo",
        "Undo a decision",
        "Undo DECISION; what was in force before it is in force again.",
        (Parameter("decision", "Decision number", Kind.COUNT, LIFTED, argument=True, bounds=DECIDED),),
        lambda book, because, values: events.undo(book, values.decision, because),
        more="ratebook book decisions lists the numbers. DECISION can be the correction of an event, a merge, or a"
        " decision about a floor, a ceiling or a rating, which then counts as never made. To end a floor or a ceiling"
        " from a certain day, use ratebook book adjust --lift instead.",
        examples=('17 --reason "the score sheet was of another game"',),
    ),
)

SEXES = ((Sex.FEMALE, "female"), (Sex.MALE, "male"), (Sex.OTHER, "neither"))
FACTS = (
    Parameter(
        "name",
        "Name",
        Kind.LINE,
        "Last name first: Adams, Ann.",
        refusal="A member needs a name; ratebook book erase removes personal data.",
    ),
    Parameter(
        "birth_date",
        "Birth date",
        Kind.DAY,
        "Only the office sees it.",
        private=True,
        help="The birth date, which is stored but never printed.",
    ),
    Parameter("adult", "Adult", Kind.ANSWER, "If the birth date is not known.", option="--adult/--not-adult"),
    Parameter(
        "canadian_resident",
        "Lives in Canada",
        Kind.ANSWER,
        "If so, CFC ratings count.",
        help="Whether the member lives in Canada, so that CFC ratings count.",
        option="--canadian-resident/--not-canadian-resident",
    ),
    Parameter(
        "state",
        "State",
        Kind.LINE,
        "Or the region that the federation uses.",
        help="The state, or the region that the federation uses.",
        removable=True,
    ),
    Parameter("fide_id", "FIDE id", Kind.LINE, metavar="ID", removable=True),
    Parameter("sex", "Sex", Kind.CHOICE, choices=SEXES, help="The sex: f, m, or x for neither."),
    Parameter("title", "FIDE title", Kind.LINE, metavar="CODE", removable=True),
    Parameter(
        "federation",
        "FIDE federation",
        Kind.LINE,
        "Such as USA.",
        help="The FIDE federation, such as USA.",
        metavar="CODE",
        removable=True,
    ),
    Parameter("club", "Club or school", Kind.LINE, removable=True),
)
"""Facts of a person, as `ChangedFacts` has them."""
OPTS_IN = "fide_opt_in"
NAMES = tuple(fact.name for fact in FACTS)

MEMBERS: tuple[Action[Book, DecisionResult], ...] = (
    Action(
        "correct facts",
        "Change facts about a member",
        "Change the facts you enter about MEMBER; the rest stay. Initial ratings depend on age and residence.",
        (
            MEMBER,
            *(fact._replace(needed=False) for fact in FACTS),
            Parameter(
                OPTS_IN,
                "Foreign FIDE events that begin after today update the member's rating",
                Kind.FLAG,
                in_forms=False,
            ),
        ),
        lambda book, because, values: (
            members.decide_mark(book, members.Mark(values.member, members.OPT_IN_WORD, values.today), because)
            if values.fide_opt_in
            else members.correct_facts(
                book,
                values.member,
                members.ChangedFacts(**{name: getattr(values, name) for name in NAMES}),
                because,
            )
        ),
        more='An empty text removes a fact: --club "". The opt-in is dated today; use ratebook book adjust opt-in'
        " for other days, or to opt out.",
        examples=(
            '90000012 --birth-date 2014-05-02 --reason "birth certificate seen"',
            '90000012 --fide-id 99900012 --club "Lincoln School" --reason "letter"',
        ),
        conditions=(
            Condition(Together.ALONE, (OPTS_IN, *NAMES), "it is a decision of its own"),
            Condition(Together.SOME, (*NAMES, OPTS_IN), "A fact to be changed"),
        ),
        row=CorrectionRow(
            "birth-date",
            "a birth date of a member; no event",
            ("member", "the member id"),
            ("birth_date", "the right birth date"),
        ),
    ),
    Action(
        "correct foreign-rating",
        "Enter a foreign rating",
        "Enter, change or remove the FIDE or CFC rating of MEMBER in one list.",
        (
            MEMBER,
            Parameter("source", "List", Kind.CHOICE, argument=True, choices=SOURCES),
            Parameter("rating", "Rating in that list", Kind.NUMBER, needed=False, bounds=LISTED, metavar="R"),
            Parameter("remove", "The member was not in that list", Kind.FLAG),
            Parameter("list_date", "Day of the list", Kind.DAY),
        ),
        lambda book, because, values: members.correct_foreign_rating(
            book, values.member, ListedForeign(values.source, values.list_date, values.rating), because
        ),
        examples=('90000012 fide --rating 2015 --list-date 2026-11-01 --reason "FIDE list"',),
        conditions=(Condition(Together.EITHER, ("rating", "remove")),),
    ),
)

LIFT = Parameter("lift", "Lift it", Kind.FLAG, "Instead of entering points.")
APPROVED = Parameter(
    "approved_by",
    "Approved by",
    Kind.LINE,
    needed=False,
    metavar="NAME",
    help="Who approved it.",
    refusal="An approval needs a name; say who gave it.",
)
FLOOR_KINDS = [(each, each.value) for each in FloorKind]
GAMES_BEFORE = "Games it is based on"
OF_KINDS = (
    Parameter(
        "floor_kind",
        "Kind of floor",
        Kind.CHOICE,
        option="--kind",
        choices=FLOOR_KINDS,
        default=FloorKind.OFFICE,
    ),
    Parameter("games", GAMES_BEFORE, Kind.NUMBER, needed=False, bounds=GAMES, default=0, metavar="N"),
    APPROVED,
    Parameter("national", "Based on the rating of another national federation", Kind.FLAG, default=False),
)
"""What some kinds of adjustments ask for beside a rating."""
TITLES = {
    "floor": "Set or lift a floor",
    "ceiling": "Set or lift a ceiling",
    "rating": "Adjust a rating",
    "initial": "Set an initial rating",
}


def _adjustment(word: str, kind: DecisionKind) -> Action[Book, DecisionResult]:
    """Return the action that sets or lifts a number of a member in a system."""
    more = [parameter for parameter in OF_KINDS if parameter.name in {*kind.columns, *kind.details}]
    bounds, first = (adjustments.LOWEST, adjustments.HIGHEST), "First day "
    return Action(
        f"adjust {word}",
        TITLES[word],
        kind.help,
        (
            MEMBER,
            SYSTEM,
            Parameter(
                "rating", "Rating points", Kind.NUMBER, needed=not kind.lifted, bounds=bounds, metavar="R"
            ),
            *([LIFT._replace(label=f"Lift the {word}")] if kind.lifted else []),
            *more,
            Parameter("effective", f"{first}of the rating", Kind.DAY, today=True)
            if kind.number == RATING
            else Parameter("effective", f"{first}it applies", Kind.DAY, option="--from", today=True),
        ),
        lambda book, because, values: adjustments.adjust(
            book,
            word,
            adjustments.Adjustment(
                values.member,
                values.system,
                values.rating,
                values.effective,
                **{parameter.name: getattr(values, parameter.name) for parameter in more},
            ),
            because,
        ),
        examples=kind.examples,
        conditions=[Condition(Together.EITHER, ("rating", "lift"))] if kind.lifted else (),
    )


def _mark(word: str, kind: DecisionKind) -> Action[Book, DecisionResult]:
    """Return the action that says of a member what foreign FIDE events read."""
    opts_in = word == members.OPT_IN_WORD
    return Action(
        f"adjust {word}",
        "Foreign FIDE events: opt in or out" if opts_in else "US flag of a member",
        kind.help,
        (
            MEMBER,
            LIFT._replace(label="Opt out instead" if opts_in else "No longer under the US flag", hint=""),
            *(
                [APPROVED._replace(hint="Who allowed the opt-out.", help="Who allowed the opt-out.")]
                if opts_in
                else []
            ),
            Parameter(
                "day",
                "Day received" if opts_in else "Day of the FIDE list",
                Kind.DAY,
                "Of an opt-out: the day it was approved." if opts_in else "",
                option="--received" if opts_in else "--from",
                today=True,
            ),
        ),
        lambda book, because, values: members.decide_mark(
            book,
            members.Mark(
                values.member, word, values.day, not values.lift, getattr(values, "approved_by", None) or ""
            ),
            because,
        ),
        examples=kind.examples,
        conditions=[Condition(Together.BOTH, ("lift", "approved_by"), "An opt-out needs an approval")]
        if opts_in
        else (),
    )


ADJUSTMENTS: tuple[Action[Book, DecisionResult], ...] = (
    *((_mark if kind.mark else _adjustment)(word, kind) for word, kind in KINDS.items()),
    Action(
        "adjust prize",
        "Enter a cash prize",
        "Enter a cash prize that MEMBER won in SYSTEM; the floor follows from the rules of that day.",
        (
            MEMBER,
            SYSTEM,
            Parameter("amount", "Dollars won", Kind.NUMBER, bounds=DOLLARS, metavar="DOLLARS"),
            Parameter(
                "limit",
                "Upper limit of the section or prize",
                Kind.NUMBER,
                "It was open to players rated below this.",
                bounds=(adjustments.LOWEST, adjustments.HIGHEST),
                metavar="R",
            ),
            Parameter("won", "Day it was won", Kind.DAY, option="--from", today=True),
        ),
        lambda book, because, values: adjustments.enter_prize(
            book,
            adjustments.Prize(values.member, values.system, values.amount, values.limit, values.won),
            because,
        ),
        examples=('90000012 regular --amount 4000 --limit 1800 --from 2026-07-05 --reason "World Open"',),
    ),
)

DECISIONS: Mapping[str, tuple[Action[Book, DecisionResult], ...]] = {
    "Events": EVENTS,
    "Members": MEMBERS,
    "Adjustments": ADJUSTMENTS,
    "Other decisions": OTHERS,
}
"""All of them, in groups as pages show them."""
