"""Forms of actions: their inputs, and the values that were sent, follow from what the office declares."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ratebook.findings import ALL, Finding, Place, finding
from ratebook.office.action import Action, Condition, Kind, Parameter, Together
from ratebook.official_lists.calendar import EVERY_MONTH
from ratebook.player_lists.row import clean_name
from ratebook.web.forms.context import RefusedError
from ratebook.web.forms.inputs import ANSWERS, Input, InputKind, input_of
from ratebook.web.forms.sent import Sent
from ratebook.web.routing import Declares, Needs, done_by, shown_to

EVERY = "every"
REMOVED = "remove"
LONG_NUMBER = 10_000
"""Numbers from this one on have commas; ratings have none."""


def shows(action: Action[Any, Any], *paths: str, costly: bool = False) -> Declares:
    """Declare a page that leads to an action, for those who may ask for it (`shown_to`)."""
    return shown_to(Needs(action.by), *paths, again=action.again, costly=costly)


def does(action: Action[Any, Any], *paths: str, costly: bool = False) -> Declares:
    """Declare what the form of an action does, for those who may ask for it (`done_by`)."""
    return done_by(Needs(action.by), *paths, again=action.again, costly=costly)


def inputs_of(action: Action[Any, Any], *known: str) -> tuple[Input, ...]:
    """Return the inputs of an action's form, but for the parameters that are *known* by the address.

    One more input chooses what is removed, where something can be.
    """
    inputs = asked(parameter for parameter in action.parameters if parameter.name not in known)
    removable = [(each.name, each.label) for each in action.parameters if each.removable]
    if removable:
        inputs.append(Input(REMOVED, "Remove a fact", InputKind.CHOICE, needed=False, choices=removable))
    return tuple(inputs)


def asked(parameters: Iterable[Parameter]) -> list[Input]:
    """Return the inputs that ask for parameters."""
    inputs = []
    for parameter in parameters:
        if parameter.kind is Kind.SEVERAL:
            boxes = parameter.choices
            inputs += [
                Input(value, title, InputKind.CHECK, parameter.hint, needed=False) for value, title in boxes
            ]
        elif parameter.in_forms:
            inputs.append(input_of(parameter))
    return inputs


def written(parameter: Parameter, value: Any) -> dict[str, str]:  # noqa: ANN401 - what its kind takes
    """Return what the inputs that ask for a parameter hold where it has a value."""
    if parameter.kind is Kind.SEVERAL:
        return {str(one): "yes" for one in value}
    if isinstance(value, bool):
        return {parameter.name: "yes" if value else ""}
    if isinstance(value, tuple):
        return {parameter.name: ", ".join(map(str, value))}
    return {parameter.name: str(value)}


def values_of(action: Action[Any, Any], sent: Sent, *known: str) -> dict[str, Any]:
    """Return what a form asks for, by the names of the action's parameters."""
    parameters = (each for each in action.parameters if each.in_forms and each.name not in known)
    return {parameter.name: value_of(parameter, sent) for parameter in parameters}


def fitting_values(action: Action[Any, Any], sent: Sent, *known: str) -> dict[str, Any]:
    """Return what a form asks for, but for what is *known* by its address.

    Raises:
        RefusedError: a number is out of its bounds, or values do not go together.
    """
    values = values_of(action, sent, *known)
    wrong = [*_none_chosen(action, values)]
    wrong += [found for each in action.parameters for found in _out_of_bounds(each, values.get(each.name))]
    wrong += [
        _broken(action, condition, values) for condition in action.conditions if condition.is_broken(values)
    ]
    if wrong:
        raise RefusedError(wrong)
    return values


def value_of(parameter: Parameter, sent: Sent) -> object:
    """Return the value of a parameter that was sent, None where it was not."""
    if parameter.removable and sent.text(REMOVED) == parameter.name:
        return ""
    if parameter.kind is Kind.SEVERAL:
        return tuple(value for value, _ in parameter.choices if sent.is_checked(value))
    return READ[parameter.kind](sent, parameter.name) if parameter.kind in READ else _chosen(parameter, sent)


def _listed(sent: Sent, name: str) -> tuple[str, ...]:
    return tuple(sent.text(name).replace(",", " ").split())


def _names(sent: Sent, name: str) -> tuple[str, ...]:
    return tuple(text for part in sent.text(name).split(";") if (text := clean_name(part)))


def _chosen(parameter: Parameter, sent: Sent) -> str | None:
    text = sent.text(parameter.name)
    return next((value for value, _ in parameter.choices if value == text), None)


READ: Mapping[Kind, Callable[[Sent, str], object]] = {
    Kind.TEXT: lambda sent, name: sent.text(name) or None,
    Kind.LINE: lambda sent, name: clean_name(sent.text(name)) or None,
    Kind.NAMES: _names,
    Kind.DOCUMENT: lambda sent, name: sent.text(name).replace("\r\n", "\n") or None,
    Kind.LETTER: lambda sent, name: sent.text(name) or None,
    Kind.NUMBER: Sent.number,
    Kind.COUNT: Sent.whole,
    Kind.DAY: Sent.day,
    Kind.ANSWER: lambda sent, name: ANSWERS.get(sent.text(name)),
    Kind.FILE: Sent.file,
    Kind.CODES: lambda sent, name: (ALL,) if sent.is_checked(name) else None,
    Kind.MONTHS: lambda sent, name: (
        tuple(int(part) if part.isdecimal() else part for part in _listed(sent, name))
        if sent.text(name) != EVERY
        else EVERY_MONTH
    ),
    Kind.WORDS: _listed,
    Kind.SWITCH: Sent.is_checked,
    Kind.FLAG: lambda sent, name: sent.is_checked(name) or None,
}
"""How the values of the kinds are read; those of a choice are among its own."""


def _out_of_bounds(parameter: Parameter, value: object) -> list[Finding]:
    if parameter.bounds is None or not isinstance(value, int | float):
        return []
    least, most = parameter.bounds
    if least <= value <= most:
        return []
    words = [f"{bound:,.0f}" if bound >= LONG_NUMBER else f"{bound:g}" for bound in parameter.bounds]
    place = Place(input=parameter.name)
    return [finding("form-out-of-range", place, label=parameter.label, least=words[0], most=words[1])]


def _none_chosen(action: Action[Any, Any], values: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what is missing of which some must be chosen."""
    for parameter in action.parameters:
        if parameter.kind is Kind.SEVERAL and parameter.needed and not values[parameter.name]:
            yield finding("form-missing", Place(input=parameter.choices[0][0]), label=parameter.label)


def _broken(action: Action[Any, Any], condition: Condition, values: dict[str, Any]) -> Finding:
    first, second = (action.parameter(name) for name in condition.names[:2])
    match condition.how:
        case Together.EITHER:
            return finding("form-either", Place(input=first.name), first=first.label, second=second.label)
        case Together.BOTH:
            missing = second if values[first.name] else first
            return finding("form-missing", Place(input=missing.name), label=missing.label)
        case Together.WITH:
            return finding("form-missing", Place(input=first.name), label=first.label)
        case Together.SOME | Together.ALONE:
            return finding("form-missing", Place(input=first.name), label=condition.why)
