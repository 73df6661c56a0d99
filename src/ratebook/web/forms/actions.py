"""Forms of actions: their inputs, and the values that were sent, follow from what the office declares."""

from typing import Any

from ratebook.findings import Finding, Place, finding
from ratebook.office.action import Action, Condition, Kind, Parameter, Together
from ratebook.player_lists.row import clean_name
from ratebook.web.forms.context import RefusedError
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent

KINDS = {
    Kind.TEXT: InputKind.TEXT,
    Kind.LINE: InputKind.TEXT,
    Kind.LETTER: InputKind.CHOICE,
    Kind.NUMBER: InputKind.NUMBER,
    Kind.COUNT: InputKind.COUNT,
    Kind.DAY: InputKind.DATE,
    Kind.CHOICE: InputKind.CHOICE,
    Kind.ANSWER: InputKind.CHOICE,
    Kind.FLAG: InputKind.CHECK,
}
ANSWERS = {"yes": True, "no": False}
REMOVED = "remove"


def inputs_of(action: Action[Any]) -> tuple[Input, ...]:
    """Return the inputs of an action's form; one more chooses what is removed, where something can be."""
    inputs = [input_of(parameter) for parameter in action.parameters if parameter.in_forms]
    removable = [(each.name, each.label) for each in action.parameters if each.removable]
    if removable:
        inputs.append(Input(REMOVED, "Remove a fact", InputKind.CHOICE, needed=False, choices=removable))
    return tuple(inputs)


def input_of(parameter: Parameter) -> Input:
    """Return the input that asks for a parameter."""
    free = parameter.today or parameter.kind in {Kind.FLAG, Kind.ANSWER}
    return Input(
        parameter.name,
        parameter.label,
        KINDS[parameter.kind],
        hint=f"{parameter.hint} Today if it is left empty.".strip() if parameter.today else parameter.hint,
        needed=parameter.needed and not free,
        choices=[(word, word) for word in ANSWERS] if parameter.kind is Kind.ANSWER else parameter.choices,
        most=parameter.longest,
    )


def values_of(action: Action[Any], sent: Sent) -> dict[str, Any]:
    """Return what a form asks for, by the names of the action's parameters.

    Raises:
        RefusedError: a number is out of its bounds, or values do not go together.
    """
    values = {each.name: value_of(each, sent) for each in action.parameters if each.in_forms}
    wrong = [found for each in action.parameters for found in _out_of_bounds(each, values.get(each.name))]
    wrong += [
        _broken(action, condition, values) for condition in action.conditions if condition.is_broken(values)
    ]
    if wrong:
        raise RefusedError(wrong)
    return values


def value_of(parameter: Parameter, sent: Sent) -> object:
    """Return the value of a parameter that was sent, None where it was not."""
    text = sent.text(parameter.name)
    match parameter.kind:
        case Kind.LINE:
            removed = parameter.removable and sent.text(REMOVED) == parameter.name
            value: object = "" if removed else clean_name(text) or None
        case Kind.NUMBER:
            value = sent.number(parameter.name)
        case Kind.COUNT:
            value = sent.whole(parameter.name)
        case Kind.DAY:
            value = sent.day(parameter.name)
        case Kind.CHOICE:
            value = next((value for value, _ in parameter.choices if value == text), None)
        case Kind.ANSWER:
            value = ANSWERS.get(text)
        case Kind.FLAG:
            value = sent.is_checked(parameter.name) or None
        case Kind.TEXT | Kind.LETTER:
            value = text or None
    return value


def _out_of_bounds(parameter: Parameter, value: object) -> list[Finding]:
    if parameter.bounds is None or not isinstance(value, int | float):
        return []
    least, most = parameter.bounds
    if least <= value <= most:
        return []
    return [
        finding(
            "form-out-of-range", Place(input=parameter.name), label=parameter.label, least=least, most=most
        )
    ]


def _broken(action: Action[Any], condition: Condition, values: dict[str, Any]) -> Finding:
    first, second = (action.parameter(name) for name in condition.names[:2])
    match condition.how:
        case Together.EITHER:
            return finding("form-either", Place(input=first.name), first=first.label, second=second.label)
        case Together.BOTH:
            missing = second if values[first.name] else first
            return finding("form-missing", Place(input=missing.name), label=missing.label)
        case Together.SOME | Together.ALONE:
            return finding("form-missing", Place(input=first.name), label=condition.why)
