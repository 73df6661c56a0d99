"""What a form asks for, as data: one template shows every form, and one reader reads it."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.office.action import Kind, Parameter


class InputKind(StrEnum):
    """How an input looks, and what it takes."""

    TEXT = "text"
    LONG = "long"
    NUMBER = "number"
    COUNT = "count"
    DATE = "date"
    MONTH = "month"
    CHOICE = "choice"
    CHECK = "check"
    FILE = "file"
    PASSWORD = "password"  # noqa: S105 - a kind of input
    HIDDEN = "hidden"


class Input(NamedTuple):
    """Something that a form asks for.

    Attributes:
        name: the field of the form, and where findings about it are.
        hint: a sentence below the label.
        needed: whether it must be given.
        choices: values and what they are called, of a choice.
        most: characters.
        suggests: values that the browser offers while one types.
        complete: what the browser, or a program that keeps passwords, may fill in (HTML's ``autocomplete``).
        is_either: whether this, or the input beside it, has to be given: neither is optional.
    """

    name: str
    label: str
    kind: InputKind = InputKind.TEXT
    hint: str = ""
    needed: bool = True
    choices: Sequence[tuple[str, str]] = ()
    most: int = 200
    suggests: Sequence[str] = ()
    complete: str = "off"
    is_either: bool = False


KINDS = {
    Kind.TEXT: InputKind.TEXT,
    Kind.LINE: InputKind.TEXT,
    Kind.NAMES: InputKind.TEXT,
    Kind.DOCUMENT: InputKind.LONG,
    Kind.LETTER: InputKind.CHOICE,
    Kind.NUMBER: InputKind.NUMBER,
    Kind.COUNT: InputKind.COUNT,
    Kind.DAY: InputKind.DATE,
    Kind.CHOICE: InputKind.CHOICE,
    Kind.ANSWER: InputKind.CHOICE,
    Kind.FILE: InputKind.FILE,
    Kind.CODES: InputKind.CHECK,
    Kind.MONTHS: InputKind.TEXT,
    Kind.WORDS: InputKind.TEXT,
    Kind.SWITCH: InputKind.CHECK,
    Kind.FLAG: InputKind.CHECK,
}
ANSWERS = {"yes": True, "no": False}
ABOUT: Mapping[str, tuple[str, ...]] = {
    "birth-date-after-event": ("birth_date",),
    "dates-reversed": ("end",),
    "decision-unknown": ("decision",),
    "event-not-over": ("end",),
    "event-unknown": ("event",),
    "floor-above-ceiling": ("rating",),
    "format-unknown": ("report",),
    "floor-level-wrong": ("rating",),
    "import-id-wrong": ("id",),
    "mark-in-future": ("effective", "won"),
    "member-exists": ("id",),
    "member-unknown": ("member", "into"),
    "round-unknown": ("number",),
    "seat-unknown": ("seat",),
    "section-unknown": ("section",),
    "time-control-unreadable": ("time_control",),
}
"""Inputs beside which a finding of the book stands, by its code: its place is one of the book, not of the form."""
MOST_IN_COLUMN = 4
"""Inputs of a form that stand below each other."""


def input_of(parameter: Parameter) -> Input:
    """Return the input that asks for a parameter."""
    free = parameter.today or parameter.kind in {Kind.FLAG, Kind.ANSWER, Kind.CODES, Kind.SWITCH}
    return Input(
        parameter.name,
        parameter.label,
        KINDS[parameter.kind],
        hint=f"{parameter.hint} Default: today.".strip() if parameter.today else parameter.hint,
        needed=parameter.needed and not free,
        choices=[(word, word) for word in ANSWERS] if parameter.kind is Kind.ANSWER else parameter.choices,
        most=parameter.longest,
    )


def hidden(inputs: Iterable[Input]) -> list[Input]:
    """Return inputs as a form has them that decides what was shown: sent again, and not to be changed."""
    return [each._replace(kind=InputKind.HIDDEN) for each in inputs]


class Button(NamedTuple):
    """A further button of a form: it sends its *value* under its *name*."""

    name: str
    label: str
    value: str = "yes"


class Form(NamedTuple):
    """A form as ``parts/form.html`` shows it.

    Attributes:
        action: the address that it is sent to.
        button: what its button says.
        inputs: in their order.
        values: what the inputs hold at first, or held when the form came back.
        findings: about what was typed; those whose place is an input stand beside it.
        key: by which it is done once (`ratebook.web.forms.once`); empty where doing it twice does no harm.
        revision: of the book that the page shows; None where what moves does not matter.
        number: tells the inputs of several forms of a page apart.
        more: a button before the other one.
        was_sent: whether it was sent, and holds what was typed.
        is_grave: whether what it does cannot be taken back.
    """

    action: str
    button: str
    inputs: Sequence[Input]
    values: Mapping[str, str] = {}
    findings: Sequence[Finding] = ()
    key: str = ""
    revision: int | None = None
    number: int = 0
    more: Button | None = None
    was_sent: bool = False
    is_grave: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it is shown unfolded, where it is folded at first."""
        return self.was_sent or bool(self.findings)

    @property
    def has_files(self) -> bool:
        """Whether it sends files."""
        return any(each.kind is InputKind.FILE for each in self.inputs)

    @property
    def is_long(self) -> bool:
        """Whether it stands in columns: it asks for much, and not by boxes with long labels."""
        seen = [each for each in self.inputs if each.kind is not InputKind.HIDDEN]
        return len(seen) > MOST_IN_COLUMN and sum(each.kind is InputKind.CHECK for each in seen) * 2 < len(
            seen
        )

    @property
    def beside(self) -> dict[str, list[Finding]]:
        """Return the findings by the inputs they are about."""
        by_input: dict[str, list[Finding]] = {}
        for finding in self.findings:
            if name := self.input_about(finding):
                by_input.setdefault(name, []).append(finding)
        return by_input

    def input_about(self, finding: Finding) -> str:
        """Return the name of the input that a finding is about; empty where it is about none that is seen."""
        names = {each.name for each in self.inputs if each.kind is not InputKind.HIDDEN}
        return next((name for name in (finding.where, *ABOUT.get(finding.code, ())) if name in names), "")
