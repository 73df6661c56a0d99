"""Findings: what is wrong with an input, where, and what to do about it.

Bad input never raises. A parser or a check returns findings; nothing is rated while one of them is an error. A finding
is a fact: its code, the case of the code, its place and the values. What it says of them is declared in
``findings.toml``, and is put into words here when somebody reads it.
"""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Self, TypeAlias

from ratebook.plugins import ContractError, declared_text

Value: TypeAlias = int | float | str | tuple[str, ...]
"""What a finding says of its place: a number, a text or several; days are texts as ISO 8601 writes them."""

_LONGEST_SAID = 200
MOST_SAID = 12
"""Of more seats or players than these, words say how many there are; JSON has all."""


class Severity(StrEnum):
    """How much a finding matters: an error stops the rating, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Place(NamedTuple):
    """Where a finding is: the parts that are known, in the order in which they are said.

    >>> str(Place(file="quad.csv", line=3, field="birth_date"))
    'quad.csv, line 3, birth_date'
    >>> str(Place(section=1, seats=(2, 5), round=3))
    'section 1, seats 2, 5, round 3'

    Attributes:
        file: the name or the address of a file, a folder or a book, as it was given.
        table: a table of a history or of a book.
        line: the line of a text, counted from 1.
        rows: rows of a table.
        record: the kind of record within a file.
        subject: what a finding is about that is a whole: ``report``, ``ledger``, ``rules``.
        month: the month of an official list.
        board: the board of a round, in a list of its games.
        player_keys: players, by their keys in the report.
        position: which of a list in the file it is, counted from 1.
        field: a field of a record, or the columns of a table, as the file names it.
        input: the name of a field in a form, of a parameter or of a header in what was asked.
        option: an option of a command.
        setting: a setting of a federation's profile.
        code: the code of a finding.
    """

    file: str = ""
    table: str = ""
    line: int | None = None
    rows: tuple[int, ...] = ()
    record: str = ""
    subject: str = ""
    link: int | None = None
    submission: int | None = None
    decision: int | None = None
    job: int | None = None
    month: str = ""
    event: str = ""
    section: int | None = None
    prize: int | None = None
    seats: tuple[int, ...] = ()
    round: int | None = None
    board: int | None = None
    players: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    system: str = ""
    position: int | None = None
    field: str = ""
    input: str = ""
    option: str = ""
    setting: str = ""
    account: str = ""
    token: int | None = None
    code: str = ""

    def but(self, **parts: Any) -> Self:  # noqa: ANN401 - the types are those of the fields
        """Return the place with other parts.

        >>> str(Place(section=1, seats=(3,)).but(round=2))
        'section 1, seat 3, round 2'
        """
        return self._replace(**parts)

    def inner(self, field: str) -> Self:
        """Return the place of a field, within the field that the place may have.

        >>> str(Place(players=("P1",)).inner("ratings").inner("regular"))
        'player P1, ratings.regular'
        """
        return self._replace(field=f"{self.field}.{field}" if self.field else field)

    def within(self, outer: "Place") -> "Place":
        """Return the place with the parts of an *outer* one that it does not say itself.

        >>> str(Place(section=1).within(Place(file="a.csv", line=3)))
        'a.csv, line 3, section 1'
        """
        return Place._make(
            theirs if own is None or own in {"", ()} else own for own, theirs in zip(self, outer, strict=True)
        )

    @property
    def known(self) -> dict[str, Any]:
        """The parts that are known, by their names, as JSON has them.

        >>> Place(section=1, seats=(3,)).known
        {'section': 1, 'seats': (3,)}
        """
        pairs = zip(self._fields, self, strict=True)
        return {part: value for part, value in pairs if value is not None and value not in {"", ()}}

    def words(self, name_of: "NameOf | None" = None, most: int = MOST_SAID) -> list[str]:
        """Return the parts in words, with the names of people, and at most so many seats, players and members.

        >>> Place(section=1, seats=(2, 5)).words(lambda part, value: "Ann" if value == 2 else "")
        ['section 1', 'seats 2 (Ann), 5']
        >>> Place(rows=(7, 8, 9), field="round2").words(most=2)
        ['rows 7, 8 and 1 more', 'column round2']
        >>> Place(round=2, board=3).words()
        ['board 3 of round 2']
        """
        words: list[str] = []
        known = self.known
        if "board" in known and "round" in known:
            known["board"] = f"{self.board} of round {known.pop('round')}"
        for part, value in known.items():
            several = value if isinstance(value, tuple) else (value,)
            named = [
                f"{_said(item)} ({name})" if name_of and (name := name_of(part, item)) else _said(item)
                for item in several[:most]
            ]
            of_rows = part == "field" and self.rows and not self.table
            template = "column {}" if of_rows else _WORDS.get(part, "{}")
            if len(several) > 1:
                template = template.replace(" ", "s ", 1)
            more = f" and {len(several) - most:,} more" if len(several) > most else ""
            words.append(template.format(list_text(named)) + more)
        return words

    def __str__(self) -> str:
        """Return the place in words."""
        return ", ".join(self.words())

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Place":
        """Return the place of which these parts have the `values`, as JSON has them."""
        parts: Any = {part: tuple(v) if isinstance(v, list) else v for part, v in values.items()}
        return cls(**parts)


def _said(item: int | str) -> str:
    r"""Return a part of a place as it is said: a key that is too long or not printable in quotes.

    >>> _said("P1"), _said("a\nb")
    ('P1', "'a\\nb'")
    """
    text = str(item)
    return text if text.isprintable() and len(text) <= _LONGEST_SAID else repr(text[:_LONGEST_SAID])


NameOf: TypeAlias = Callable[[str, Any], str]
"""The name of the person behind a part of a place and its value, or nothing."""

NOWHERE = Place()

_WORDS = {
    "line": "line {}",
    "rows": "row {}",
    "record": "record {}",
    "link": "link {}",
    "submission": "report {}",
    "decision": "decision {}",
    "job": "job {}",
    "month": "official list {}",
    "event": "event {}",
    "section": "section {}",
    "prize": "prize {} of the list",
    "seats": "seat {}",
    "round": "round {}",
    "board": "board {}",
    "players": "player {}",
    "members": "member {}",
    "position": "number {} of the list",
    "setting": "profile, {}",
    "account": "account {}",
    "token": "token {}",
    "code": "code {}",
}
"""How the parts of a place are said; the others are said as they are."""

ALL = "all"
"""Accepts every warning, as a code accepts those that have it."""

_KEY_LETTERS = 16


class Finding(NamedTuple):
    """One finding; what it says is computed from ``findings.toml`` when it is asked for.

    Attributes:
        code: stable short name, for example ``opponent-missing``.
        case: which text of the code, where it has several.
        place: where it is.
        values: what fills the places of its texts, by name.
        accepted: whether it is a warning that was looked at and is right, and with that a note.
    """

    code: str
    case: str
    place: Place
    values: tuple[tuple[str, Value], ...] = ()
    accepted: bool = False

    @property
    def text(self) -> "FindingText":
        """What ``findings.toml`` declares."""
        try:
            return text_of(f"{self.code}.{self.case}" if self.case else self.code) or _UNKNOWN
        except ContractError:
            return _UNKNOWN

    @property
    def severity(self) -> Severity:
        """Error, warning or note."""
        return Severity.NOTE if self.accepted else self.text.severity

    @property
    def where(self) -> str:
        """Its place in words."""
        return str(self.place)

    @property
    def message(self) -> str:
        """What is wrong, as a sentence."""
        return f"{'Accepted: ' if self.accepted else ''}{self._filled(self.text.message)}"

    @property
    def remedy(self) -> str:
        """What the user can do about it."""
        return self._filled(self.text.remedy)

    @property
    def on_page(self) -> str:
        """What the user can do about it in a browser, where there are no commands and options."""
        return self._filled(self.text.on_page or self.text.remedy)

    @property
    def for_sender(self) -> str:
        """What who sends a report can do about it in a browser.

        >>> finding(
        ...     "rerate-waits.verified-without", Place(subject="ledger"), pending_count=1, stale=2
        ... ).for_sender
        'Correct the report if it is wrong; else the office settles this.'
        >>> finding("result-asymmetric", Place(section=1, seats=(3,), round=2), letter="N").for_sender
        'If that is intended, send the report as it is. Otherwise write W, D or L for both players.'
        """
        if not self.text.for_sender and self.text.by == "office":
            return _OFFICES
        return self._filled(self.text.for_sender or self.text.on_page or self.text.remedy)

    @property
    def key(self) -> str:
        """A short name of it, by its code, its place and its values: what an acceptance names.

        >>> finding("name-twice", Place(section=1, seats=(3,)), first=2).key
        'dad9eb5e1be880f6'
        """
        fact = json.dumps([self.code, self.case, self.place.known, dict(self.values)])
        return hashlib.sha256(fact.encode()).hexdigest()[:_KEY_LETTERS]

    def at(self, **parts: Any) -> Self:  # noqa: ANN401 - the types are those of `Place`
        """Return it with other parts of its place."""
        return self._replace(place=self.place.but(**parts))

    def within(self, outer: Place) -> Self:
        """Return it at a place that is within an *outer* one."""
        return self._replace(place=self.place.within(outer))

    def is_accepted_by(self, accepted: Collection[str]) -> bool:
        """Return whether it is a warning among those *accepted*: by its key, by its code, or with all others."""
        return self.severity is Severity.WARNING and not {ALL, self.code, self.key}.isdisjoint(accepted)

    def _filled(self, text: str) -> str:
        try:
            return filled(text, dict(self.values))
        except (KeyError, ValueError):  # a store may have kept the values of an older text
            return text


class FindingText(NamedTuple):
    """What a finding of one code says; message and remedy have ``{places}`` for values.

    Attributes:
        on_page: the remedy in a browser, where the other one names commands or options; empty: the same.
        by: ``office`` where the remedy is the office's, and none of who sends a report; empty: anybody's.
        for_sender: the remedy of who sends a report in a browser, where it is another than the office's; empty: the
            same, or the office's alone.
        brief: the code in a few words with a number, ``{count:noun|nouns}``, for lists of reports.
    """

    severity: Severity
    message: str
    remedy: str
    on_page: str = ""
    by: str = ""
    for_sender: str = ""
    brief: str = ""


_OFFICES = "Correct the report if it is wrong; else the office settles this."
_UNKNOWN = FindingText(
    Severity.ERROR,
    "This version of ratebook has no words for a finding of this code.",
    "Use the version that stored it, or let the report be checked again.",
)


@cache
def texts() -> Mapping[str, FindingText]:
    """Return every text of this program by ``code``, or ``code.case`` where one code has several."""
    codes = stored_findings()["codes"].values()
    stored = {name: text for _, cases in codes for name, (text, _) in cases.items()}
    return {name: FindingText(Severity(severity), *words) for name, (severity, *words) in stored.items()}


@cache
def stored_findings() -> Mapping[str, Any]:
    """Return the samples and, of each code, its explanation and its texts by name, with their examples.

    They are ``findings.toml`` as ``make docs`` parses it, which costs a third of the start-up; a wheel has no other.
    """
    with open(os.path.join(os.path.dirname(__file__), "findings.json"), "rb") as stream:
        content: Mapping[str, Any] = json.loads(stream.read())
    return content


def text_of(name: str) -> FindingText | None:
    """Return the text of a code or a code and its case, of this program or of an installed package.

    Raises:
        ContractError: the package's own ``findings.toml`` cannot be used.
    """
    known = texts().get(name)
    if known is not None or (declared := declared_text(name)) is None:
        return known
    severity, *words = declared
    return FindingText(Severity(severity), *words)


def finding(name: str, place: Place, /, **values: object) -> Finding:
    """Return the finding that ``findings.toml`` declares under *name*: ``code`` or ``code.case``.

    *values* fill the places in the texts: ``{count:game|games}`` is a number with its noun, ``{count:=is|are}`` the
    word alone that agrees with it.

    >>> finding("peak-missing", Place(players=("P1",)), system="regular").where
    'player P1'
    """
    if text_of(name) is None:
        raise KeyError(name)
    code, _, case = name.partition(".")
    return Finding(code, case, place, tuple((key, _fact(value)) for key, value in values.items()))


def _fact(value: object) -> Value:
    """Return a value as a store gives it back."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, int | float | str):
        return value
    return tuple(map(str, value)) if isinstance(value, tuple | list) else str(value)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return *text* with the *values* in their places.

    >>> filled("{left:line|lines} {left:=was|were} left out", {"left": 1})
    '1 line was left out'
    >>> filled("Known: {known}.", {"known": ("a", "b")})
    'Known: a, b.'
    """
    return text.format_map({key: _worded(value) for key, value in values.items()})


def _worded(value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(value)
    return _Count(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _Count(int):
    """A number in a text, with which words agree."""

    def __format__(self, spec: str) -> str:
        singular, between, several = spec.removeprefix("=").partition("|")
        if not between:
            return super().__format__(spec)
        word = singular if self == 1 else several
        return word if spec.startswith("=") else f"{int(self):,} {word}"


def list_text(values: Iterable[object], most: int = MOST_SAID, between: str = ", ") -> str:
    """Return *values* as a finding lists them: at most so many, and how many more there are.

    >>> list_text([3, 8]), list_text(range(1, 20), most=2)
    ('3, 8', '1, 2 and 17 more')
    """
    words = list(map(str, values))
    more = len(words) - most
    return between.join(words[:most]) + (f" and {more:,} more" if more > 0 else "")


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return whether any of *findings* is an error.

    >>> has_errors([finding("peak-missing", Place(players=("P1",)), system="regular")])
    False
    """
    return any(one.severity is Severity.ERROR for one in findings)


FINDINGS_SHOWN = 1_000
"""More findings than this help no one; the rest is counted."""
OF_READABLE = frozenset({"member-names-differ.in-section", "name-differs.in-section"})
"""Errors with which a report can be read all the same, so that what else is wrong is found with them."""
OF_TENTATIVE = OF_READABLE | {f"dates-reversed.{case}" for case in ("fields", "records", "with-options")}
"""Likewise of a report that is only read to find what else is wrong."""


class Findings:
    """Collects the findings of one parser, at most `FINDINGS_SHOWN` errors and as many others.

    >>> findings = Findings()
    >>> findings.add("file-empty.json", "report.json")
    >>> findings.has_errors
    True
    """

    def __init__(self, *, is_tentative: bool = False) -> None:
        self._readable = OF_TENTATIVE if is_tentative else OF_READABLE
        self._kept: list[Finding] = []
        self._errors = 0
        self._of_readable = 0
        self._others = 0

    @property
    def has_errors(self) -> bool:
        """Whether an error was found with which there is no report."""
        return self._errors > self._of_readable

    @property
    def full(self) -> bool:
        """Whether no further error will be shown, so that costly remedies need not be looked for."""
        return self._errors >= FINDINGS_SHOWN

    def add(self, name: str, place: Place, /, **values: object) -> None:
        """Add the finding that ``findings.toml`` declares under *name* (`ratebook.findings.finding`)."""
        text = text_of(name)
        self._of_readable += name in self._readable
        if text is None or self._is_shown(text.severity):
            self._kept.append(finding(name, place, **values))

    def append(self, reported: Finding) -> None:
        """Add a finding that was made elsewhere."""
        if self._is_shown(reported.severity):
            self._kept.append(reported)

    def _is_shown(self, severity: Severity) -> bool:
        """Count one more finding, and return whether it is among those that are kept."""
        if severity is Severity.ERROR:
            self._errors += 1
            return self._errors <= FINDINGS_SHOWN
        self._others += 1
        return self._others <= FINDINGS_SHOWN

    def of_file(self, name: str) -> tuple[Finding, ...]:
        """Return what was found in the file *name*; too much is cut, and a note gives the total."""
        count = self._errors + self._others
        if count <= FINDINGS_SHOWN:
            return tuple(self._kept)
        shown = sorted(self._kept, key=lambda one: one.severity is not Severity.ERROR)[:FINDINGS_SHOWN]
        place = Place(file=name)
        return (
            *shown,
            finding("too-many-findings.of-file", place, found=count, findings_shown=FINDINGS_SHOWN),
        )
