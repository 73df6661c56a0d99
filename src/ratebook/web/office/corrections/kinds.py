"""What can be corrected and adjusted in the browser: what each kind asks for, and the decision that it makes.

The inputs have the names of the parameters of the commands ``ratebook book correct`` and ``adjust``, which a test
compares; kinds of adjustments are those of `ratebook.rating.decisions.KINDS`.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Book
from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.findings import finding
from ratebook.model import FloorKind, FloorRequest, Sex, System
from ratebook.office.decisions.events import (
    GameResult,
    answer_floor_request,
    correct_dates,
    correct_member,
    correct_result,
    correct_time_control,
    undo,
    withdraw,
)
from ratebook.office.decisions.marks import OPT_IN_WORD, Mark, decide_mark
from ratebook.office.decisions.members import (
    HIGHEST,
    LOWEST,
    Adjustment,
    ChangedFacts,
    Prize,
    adjust,
    correct_facts,
    correct_foreign_rating,
    enter_prize,
)
from ratebook.office.decisions.revision import DecisionResult, Reason, SectionRef
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.player_lists.row import clean_name
from ratebook.rating.decisions import KINDS as ADJUSTMENTS
from ratebook.rating.decisions import DecisionKind
from ratebook.web.forms.context import REASON, RefusedError
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.office.queue.repair import OTHERS, RESULT

MOST_COUNTED = 100_000
MOST_RATING = 4_000
MOST_GAMES = 50
MOST_DOLLARS = 10_000_000
BOUNDS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("section", "seat", "number"), (1, MOST_COUNTED)),
    "decision": (1, 10**9),
    "games": (0, MOST_GAMES),
    "amount": (1, MOST_DOLLARS),
    "limit": (LOWEST, HIGHEST),
}
"""The least and the greatest number that an input takes."""

EVENT = Input("event", "Event id", hint="Or the number of a submission that waits.")
RATED = Input("event", "Event id")
SECTION = Input("section", "Section", InputKind.COUNT, hint="Its number.")
ALL_OR_ONE = SECTION._replace(needed=False, hint="Its number; without one, the whole event is meant.")
SEAT = Input("seat", "Seat", InputKind.COUNT, hint="The player's number in the crosstable.")
MEMBER = Input("member", "Member id")
SYSTEM = Input(
    "system", "System", InputKind.CHOICE, choices=[(one.value, SYSTEM_TITLES[one]) for one in System]
)
LIFT = Input("lift", "Lift what was set earlier", InputKind.CHECK, needed=False, hint="Instead of a rating.")
APPROVED = Input("approved_by", "Approved by", needed=False)
DECISION = Input("decision", "Number of the decision", InputKind.COUNT)
YES_OR_NO = (("yes", "yes"), ("no", "no"))
REMOVABLE = ("state", "fide_id", "title", "federation", "club")
FACTS = (
    Input("name", "Name", hint="Last name first.", needed=False),
    Input("birth_date", "Birth date", InputKind.DATE, needed=False),
    Input(
        "adult",
        "Adult",
        InputKind.CHOICE,
        "Where the birth date is not known.",
        needed=False,
        choices=YES_OR_NO,
    ),
    Input("canadian_resident", "Lives in Canada", InputKind.CHOICE, needed=False, choices=YES_OR_NO),
    Input("state", "State", needed=False),
    Input("fide_id", "FIDE id", needed=False),
    Input("sex", "Sex", InputKind.CHOICE, needed=False, choices=[(one.value, one.value) for one in Sex]),
    Input("title", "FIDE title", needed=False),
    Input("federation", "FIDE federation", hint="Such as USA.", needed=False),
    Input("club", "Club or school", needed=False),
)
REMOVE_FACT = Input(
    "remove",
    "Remove a fact",
    InputKind.CHOICE,
    needed=False,
    choices=[(one.name, one.label) for one in FACTS if one.name in REMOVABLE],
)

Decide = Callable[[Book, Sent, Reason, date], DecisionResult]


class CorrectionKind(NamedTuple):
    """A kind of decision that has a form.

    Attributes:
        decide: makes the decision of what was sent, on a day.
        bounds: of its numbers, by the names of inputs, beside `BOUNDS`.
    """

    title: str
    about: str
    group: str
    inputs: Sequence[Input]
    decide: Decide
    bounds: Mapping[str, tuple[float, float]] = {}

    @property
    def asked(self) -> tuple[Input, ...]:
        """Return all that it asks for."""
        return (*self.inputs, REASON)

    def require_bounds(self, sent: Sent) -> None:
        """Refuse a number that is too small or too great.

        Raises:
            RefusedError: one is.
        """
        wrong = []
        for one in self.inputs:
            number = sent.number(one.name)
            bounds = {**BOUNDS, **self.bounds}.get(one.name)
            if bounds is not None and number is not None and not bounds[0] <= number <= bounds[1]:
                least, most = bounds
                wrong.append(finding("form-out-of-range", one.name, label=one.label, least=least, most=most))
        if wrong:
            raise RefusedError(wrong)


def _at(sent: Sent) -> SectionRef:
    return SectionRef(sent.text("event"), sent.whole("section"))


def _whole(sent: Sent, name: str) -> int:
    return sent.whole(name) or 0


def _one_of(first: Input, second: Input) -> RefusedError:
    return RefusedError([finding("form-either", first.name, first=first.label, second=second.label)])


def _result(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    result, other = sent.text("result"), sent.text("opponent_result")
    game = GameResult(_whole(sent, "seat"), _whole(sent, "number"), result, other)
    return correct_result(book, _at(sent), game, because)


def _member(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    return correct_member(book, _at(sent), _whole(sent, "seat"), sent.text("member"), because)


def _dates(book: Book, sent: Sent, because: Reason, today: date) -> DecisionResult:
    return correct_dates(book, _at(sent), sent.day("start"), sent.day("end") or today, because)


def _time_control(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    return correct_time_control(book, _at(sent), sent.text("time_control"), because)


def _withdraw(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    return withdraw(book, _at(sent), because)


def _facts(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    removed, sex = sent.text(REMOVE_FACT.name), sent.text("sex")
    texts = {
        name: "" if name == removed else clean_name(sent.text(name)) or None for name in ("name", *REMOVABLE)
    }
    facts = ChangedFacts(
        sent.day("birth_date"),
        _answer(sent, "adult"),
        _answer(sent, "canadian_resident"),
        sex=Sex(sex) if sex else None,
        **texts,
    )
    if facts == ChangedFacts():
        raise RefusedError([finding("form-missing", "name", label="A fact to be changed")])
    return correct_facts(book, sent.text("member"), facts, because)


def _answer(sent: Sent, name: str) -> bool | None:
    return {"yes": True, "no": False}.get(sent.text(name))


def _foreign(book: Book, sent: Sent, because: Reason, today: date) -> DecisionResult:
    rating = sent.number("rating")
    if sent.is_checked("remove") == (rating is not None):
        raise _one_of(*_FOREIGN_RATING)
    listed = ListedForeign(sent.text("source"), sent.day("list_date") or today, rating)
    return correct_foreign_rating(book, sent.text("member"), listed, because)


def _answering(answer: FloorRequest) -> Decide:
    return lambda book, sent, because, _: answer_floor_request(
        book, _at(sent), _whole(sent, "seat"), answer, because
    )


def _undo(book: Book, sent: Sent, because: Reason, _: date) -> DecisionResult:
    return undo(book, _whole(sent, "decision"), because)


def _prize(book: Book, sent: Sent, because: Reason, today: date) -> DecisionResult:
    prize = Prize(
        sent.text("member"),
        System(sent.text("system")),
        sent.number("amount") or 0.0,
        sent.number("limit") or 0.0,
        sent.day("won") or today,
    )
    return enter_prize(book, prize, because)


_FOREIGN_RATING = (
    Input("rating", "Rating in that list", InputKind.NUMBER, needed=False),
    Input("remove", "The member was not in that list", InputKind.CHECK, needed=False),
)
_EVENTS, _MEMBERS, _ADJUSTMENTS, _OTHERS = "Events", "Members", "Adjustments", "Other decisions"


def _adjusting(word: str, kind: DecisionKind) -> CorrectionKind:
    """Return the form of a kind that sets a number of a member in a system."""
    rating = Input("rating", "Rating", InputKind.NUMBER, "Rating points.", needed=not kind.lifted)
    day = Input(
        "effective",
        "From",
        InputKind.DATE,
        "The first day on which it holds; today if it is left empty.",
        needed=False,
    )
    offered = {
        "floor_kind": Input(
            "floor_kind",
            "Kind of floor",
            InputKind.CHOICE,
            choices=[(one.value, one.value) for one in FloorKind],
        ),
        "games": Input("games", "Games that it is based on", InputKind.COUNT, needed=False),
        "approved_by": APPROVED,
        "national": Input(
            "national", "It is decided from another national rating", InputKind.CHECK, needed=False
        ),
    }
    more = [offered[name] for name in (*kind.columns, *kind.details) if name in offered]

    def decide(book: Book, sent: Sent, because: Reason, today: date) -> DecisionResult:
        value, lift = sent.number("rating"), sent.is_checked("lift")
        if kind.lifted and lift == (value is not None):
            raise _one_of(rating, LIFT)
        adjustment = Adjustment(
            sent.text("member"), System(sent.text("system")), value, sent.day("effective") or today
        )
        names = {one.name for one in more}
        if "floor_kind" in names:
            adjustment = adjustment._replace(floor_kind=FloorKind(sent.text("floor_kind")))
        if "games" in names:
            adjustment = adjustment._replace(games=sent.number("games") or 0.0)
        if "approved_by" in names:
            adjustment = adjustment._replace(approved_by=sent.text("approved_by") or None)
        if "national" in names:
            adjustment = adjustment._replace(national=sent.is_checked("national"))
        return adjust(book, word, adjustment, because)

    inputs = (MEMBER, SYSTEM, rating, *((LIFT,) if kind.lifted else ()), *more, day)
    return CorrectionKind(
        _TITLES[word], _plain(kind.help), _ADJUSTMENTS, inputs, decide, {"rating": (LOWEST, HIGHEST)}
    )


_TITLES = {
    "floor": "Set or lift a floor",
    "ceiling": "Set or lift a ceiling",
    "rating": "Adjust a rating",
    "initial": "Set an initial rating",
}


def _marking(word: str, kind: DecisionKind) -> CorrectionKind:
    """Return the form of a kind that is a mark of the member."""
    opts_in = word == OPT_IN_WORD
    lift = LIFT._replace(
        label="Withdraw the opt-in (an opt-out)" if opts_in else "Withdraw the flag", hint=""
    )
    said = (
        "Day on which the office received it, or on which it was approved"
        if opts_in
        else "Day of the FIDE list"
    )
    day = Input("day", said, InputKind.DATE, "Today if it is left empty.", needed=False)
    approved = APPROVED._replace(hint="Who allowed the opt-out.")

    def decide(book: Book, sent: Sent, because: Reason, today: date) -> DecisionResult:
        lifts, by = sent.is_checked("lift"), sent.text("approved_by")
        if opts_in and lifts != bool(by):
            raise RefusedError(
                [
                    finding(
                        "form-missing",
                        "approved_by" if lifts else "lift",
                        label=(approved if lifts else lift).label,
                    )
                ]
            )
        mark = Mark(sent.text("member"), word, sent.day("day") or today, not lifts, by)
        return decide_mark(book, mark, because)

    inputs = (MEMBER, lift, *((approved,) if opts_in else ()), day)
    title = "Opt in to foreign FIDE events, or out" if opts_in else "Play under the US flag"
    return CorrectionKind(title, _plain(kind.help), _ADJUSTMENTS, inputs, decide)


def _plain(text: str) -> str:
    """Return the help of a command as a page says it.

    >>> _plain("Set a floor of MEMBER in SYSTEM.")
    'Set a floor of a member in a system.'
    """
    return (
        text.replace("MEMBER, unrated in SYSTEM,", "a member who is unrated in a system")
        .replace("MEMBER", "a member")
        .replace("SYSTEM", "a system")
    )


KINDS = {
    "result": CorrectionKind(
        "Correct a result",
        "Change the result of a game for both players.",
        _EVENTS,
        (
            EVENT,
            SECTION,
            SEAT,
            Input("number", "Round", InputKind.COUNT),
            RESULT,
            OTHERS._replace(name="opponent_result"),
        ),
        _result,
    ),
    "member": CorrectionKind(
        "Correct a wrong id",
        "Another member played at a seat.",
        _EVENTS,
        (EVENT, SECTION, SEAT, MEMBER._replace(hint="Of the member who played.")),
        _member,
    ),
    "dates": CorrectionKind(
        "Correct dates",
        "Change the days of a section or an event, and so its place in history.",
        _EVENTS,
        (
            EVENT,
            ALL_OR_ONE,
            Input(
                "start", "First day", InputKind.DATE, "It stays as it is if this is left empty.", needed=False
            ),
            Input("end", "Last day", InputKind.DATE),
        ),
        _dates,
    ),
    "time-control": CorrectionKind(
        "Correct a time control",
        "Other systems may then rate the section.",
        _EVENTS,
        (EVENT, SECTION, Input("time_control", "Time control", hint="Such as G/25;d5.", most=1000)),
        _time_control,
    ),
    "withdraw": CorrectionKind(
        "Withdraw an event or a section",
        "It stays in the book but is no longer rated.",
        _EVENTS,
        (RATED, ALL_OR_ONE),
        _withdraw,
    ),
    "facts": CorrectionKind(
        "Change facts about a member",
        "Initial ratings depend on age and home. What is left empty stays as it is.",
        _MEMBERS,
        (MEMBER, *FACTS, REMOVE_FACT),
        _facts,
    ),
    "foreign-rating": CorrectionKind(
        "Enter a foreign rating",
        "Enter, change or remove the FIDE or CFC rating of a member in one list.",
        _MEMBERS,
        (
            MEMBER,
            Input("source", "List", InputKind.CHOICE, choices=[("fide", "FIDE"), ("cfc", "CFC")]),
            *_FOREIGN_RATING,
            Input("list_date", "Day of the list", InputKind.DATE),
        ),
        _foreign,
        {"rating": (1, MOST_RATING)},
    ),
    **{word: (_marking if kind.mark else _adjusting)(word, kind) for word, kind in ADJUSTMENTS.items()},
    "prize": CorrectionKind(
        "Enter a cash prize",
        "The rules of its day make the floor.",
        _ADJUSTMENTS,
        (
            MEMBER,
            SYSTEM,
            Input("amount", "Dollars won", InputKind.NUMBER),
            Input(
                "limit",
                "Upper limit",
                InputKind.NUMBER,
                "Of the section or prize: it was open to players rated below it.",
            ),
            Input(
                "won", "Day on which it was won", InputKind.DATE, "Today if it is left empty.", needed=False
            ),
        ),
        _prize,
    ),
    "grant": CorrectionKind(
        "Grant a floor request",
        "Let the floor of a player be lower after a match, as was asked for.",
        _OTHERS,
        (RATED, SECTION, SEAT),
        _answering(FloorRequest.GRANTED),
    ),
    "deny": CorrectionKind(
        "Deny a floor request",
        "Leave the floor of a player as it was before a match.",
        _OTHERS,
        (RATED, SECTION, SEAT),
        _answering(FloorRequest.DENIED),
    ),
    "undo": CorrectionKind(
        "Undo a decision",
        "What was there before is valid again. To end a floor or a ceiling from a day on, lift it instead.",
        _OTHERS,
        (DECISION,),
        _undo,
    ),
}
"""The kinds, by the words of their commands."""
