"""What a person may ask the office's program to do, declared once: command, form, table and docs derive from it."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from ratebook.office.decisions.revision import Reason, SectionRef

Target = TypeVar("Target")
Outcome = TypeVar("Outcome")
Bounds = tuple[float, float]


class Kind(StrEnum):
    """What a parameter takes."""

    TEXT = "text"
    LINE = "line"
    """A text on one line that can be printed."""
    NAMES = "names"
    """Some lines; a form has semicolons between them."""
    LETTER = "letter"
    """A letter; forms offer choices, and another one is refused when the action is run."""
    NUMBER = "number"
    COUNT = "count"
    DAY = "day"
    CHOICE = "choice"
    ANSWER = "answer"
    """Yes, no, or nothing at all."""
    FILE = "file"
    DOCUMENT = "document"
    """A long text: a form has the text itself, a command takes the file that has it."""
    CODES = "codes"
    """Codes of warnings that are accepted; a form accepts all of them or none."""
    SEVERAL = "several"
    """Some of the choices, each of which is a box of a form."""
    MONTHS = "months"
    """Months of the year, by their numbers."""
    WORDS = "words"
    """Some words; a form has commas or blanks between them."""
    SWITCH = "switch"
    """Yes or no; a form has what holds."""
    FLAG = "flag"
    """Yes, or nothing at all."""


class Parameter(NamedTuple):
    """Something that an action asks for.

    Attributes:
        name: of the value, and of the input of a form.
        label: of the input.
        hint: a sentence below the input.
        argument: whether a command takes it as an argument, and not as an option.
        option: how a command takes it, where it is not called as its name is.
        needed: whether it must be given; flags and answers need not.
        choices: values and what they are called.
        bounds: the least and the greatest number.
        longest: characters of a text.
        default: its value where it is not given.
        today: whether a day that is not given is today.
        private: whether its value must not be repeated, as that of a birth date.
        metavar: what a command calls its value.
        help: of the option, where label and hint do not say it.
        refusal: what a command says of a value that it cannot take.
        removable: whether the text that is there can be removed: at the prompt, an empty text does it.
        in_forms: whether forms ask for it.
    """

    name: str
    label: str
    kind: Kind = Kind.TEXT
    hint: str = ""
    argument: bool = False
    option: str = ""
    needed: bool = True
    choices: Sequence[tuple[str, str]] = ()
    bounds: Bounds | None = None
    longest: int = 200
    default: object = None
    today: bool = False
    private: bool = False
    metavar: str = ""
    help: str = ""
    refusal: str = ""
    removable: bool = False
    in_forms: bool = True

    @property
    def flag(self) -> str:
        """Return the option of a command by which it is given."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def about(self) -> str:
        """Return what the help of a command says of it."""
        text = (self.help or f"{self.label}. {self.hint}").removesuffix(" ").removesuffix(".")
        return f"{text}{' (default: today)' * self.today}."


REASON = Parameter(
    "reason",
    "Reason",
    Kind.LINE,
    "It is kept with the decision.",
    longest=500,
    metavar="TEXT",
    help="The reason, which is kept with the decision.",
    refusal="A decision needs a reason; say why in a few words.",
)
"""Every decision has one."""


class Together(StrEnum):
    """How parameters go together."""

    EITHER = "exactly one of two is given"
    BOTH = "two are given, or neither"
    SOME = "at least one is given"
    ALONE = "the first is given without the others"
    WITH = "the others are given with the first only"


class Condition(NamedTuple):
    """What must be so of several parameters, by their names; *why*, in words."""

    how: Together
    names: tuple[str, ...]
    why: str = ""

    def is_broken(self, values: Mapping[str, object]) -> bool:
        """Return whether the *values* of an action break it."""
        first, *others = (values.get(name) is not None for name in self.names)
        match self.how:
            case Together.EITHER | Together.BOTH:
                return (first is others[0]) is (self.how is Together.EITHER)
            case Together.SOME:
                return not (first or any(others))
            case Together.ALONE | Together.WITH:
                return first is (self.how is Together.ALONE) and any(others)


class CorrectionRow(NamedTuple):
    """An action as a row of a table of corrections asks for it.

    Attributes:
        kind: its word in the table.
        about: what is wrong.
        value, opponent_value: the parameter that the column has, and what it says.
        optional: the column that may be empty.
    """

    kind: str
    about: str
    value: tuple[str, str] = ("", "")
    opponent_value: tuple[str, str] = ("", "")
    optional: str = ""

    def columns(self, action: "Action[Any, Any]") -> Mapping[str, Parameter]:
        """Return the columns that it reads, and the parameters that they have."""
        names = {"event_id": "event", "section": "section", "seat": "seat", "round": "number"}
        names |= {"value": self.value[0], "opponent_value": self.opponent_value[0]}
        parameters = {parameter.name: parameter for parameter in action.parameters}
        return {column: parameters[name] for column, name in names.items() if name in parameters}


class Values(SimpleNamespace):
    """The values of an action's parameters, by name; *today* is the day on which it is run."""

    @property
    def at(self) -> "SectionRef":
        """The section or the event that is meant."""
        from ratebook.office.decisions.revision import SectionRef  # noqa: PLC0415 - what checks a report takes long to load

        return SectionRef(self.event, self.section)

    @property
    def accepted(self) -> Sequence[str]:
        """The codes of warnings that are accepted."""
        return tuple(self.accept or ())


class By(StrEnum):
    """Who may ask for an action in the browser."""

    OFFICE = "office"
    ADMINISTRATOR = "administrator"


class Action(NamedTuple, Generic[Target, Outcome]):
    """Something that a person may ask for.

    Attributes:
        command: its words after those of the program.
        title: of the page.
        about: of command and page; the command's arguments stand in it in capital letters.
        parameters: all that it asks for.
        run: given the book, or what else it changes, the reason, and the values of the parameters by name.
        more: of the command alone.
        examples: what follows the command.
        row: as a table of corrections has it.
        at_once: whether it runs in one transaction.
        program: the group that has the command.
        by: who may ask for it in the browser.
        again: whether the password must have been given just now.
        sure: what has to be confirmed, with the values of parameters in braces: a form has a box for it.
    """

    command: str
    title: str
    about: str
    parameters: Sequence[Parameter]
    run: "Callable[[Target, Reason, Values], Outcome]"
    more: str = ""
    examples: Sequence[str] = ()
    conditions: Sequence[Condition] = ()
    row: CorrectionRow | None = None
    at_once: bool = True
    program: str = "ratebook book"
    by: By = By.OFFICE
    again: bool = False
    sure: str = ""

    @property
    def word(self) -> str:
        """Return the last word of the command, by which pages know it too."""
        return self.command.rpartition(" ")[2]

    @property
    def plain(self) -> str:
        """Return what it is about, as a page says it: "of a member", where the command has "of MEMBER"."""
        arguments = "|".join(parameter.name.upper() for parameter in self.parameters if parameter.argument)
        return re.sub(rf"\b(?:{arguments})\b", lambda word: f"a {word[0].lower()}", self.about)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of a name."""
        return next(parameter for parameter in self.parameters if parameter.name == name)

    def done(self, target: Target, because: "Reason", values: Mapping[str, Any], today: date) -> Outcome:
        """Run it with *values* by the names of parameters; those that are not given have their defaults."""
        defaults = {
            parameter.name: today if parameter.today else parameter.default for parameter in self.parameters
        }
        stated = {name: value for name, value in values.items() if value is not None}
        return self.run(target, because, Values(**defaults | stated, today=today))
