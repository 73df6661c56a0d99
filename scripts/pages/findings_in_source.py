"""Every finding that the source can make, read from its syntax: code, severities, messages."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from scripts.pages.places import SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEVERITIES = ("error", "warning", "note")
MESSAGE_PLACE = 2
"""Constructors of findings take code, where, message, remedy (`ratebook.findings`)."""


class Finding(NamedTuple):
    """What the source says of one code: its severities and the forms of its messages."""

    severities: frozenset[str]
    messages: frozenset[str]


class Carrier(NamedTuple):
    """A function that makes a finding from a code that it is given.

    Attributes:
        parameter, place: name and position of the code's parameter (without self).
        severities: of the findings made.
        messages: forms of their messages.
        message_place: position of the parameter that holds the message, where the caller gives it.
    """

    parameter: str
    place: int
    severities: frozenset[str]
    messages: frozenset[str]
    message_place: int | None


Function = ast.FunctionDef | ast.AsyncFunctionDef


def message_form(node: ast.expr, function: Function | None) -> str:
    """Return a message as it is written, with … for what the case fills in; empty where it is another's text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Name) and function is not None:
        given = [
            statement.value
            for statement in ast.walk(function)
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in statement.targets)
        ]
        return message_form(given[0], None) if len(given) == 1 else ""
    return ""


def parameters_of(function: Function) -> list[str]:
    """Return the names of positional parameters without self."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] == ["self"] else names


def argument_at(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """Return the argument of *call* for the parameter *name* at *place*."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if place < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: place + 1]):
        return call.args[place]
    return None


def calls_of(tree: ast.AST) -> Iterator[tuple[ast.Call, str, Function | None]]:
    """Yield every call with the name of what is called and the innermost function around it."""

    def visit(node: ast.AST, function: Function | None) -> Iterator[tuple[ast.Call, str, Function | None]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                yield node, called.id, function
            elif isinstance(called, ast.Attribute):
                yield node, called.attr, function
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    yield from visit(tree, None)


def messages_of(call: ast.Call, carrier: Carrier, function: Function | None) -> frozenset[str]:
    """Return the forms of the messages of the finding that *call* makes."""
    if carrier.message_place is None:
        return carrier.messages
    message = argument_at(call, carrier.message_place, "message")
    form = "" if message is None else message_form(message, function)
    return frozenset({form}) if form else frozenset()


def carriers_in(trees: list[ast.Module]) -> dict[str, Carrier]:
    """Return all functions that make a finding from a code that they are given, by name."""
    carriers = {
        severity: Carrier("code", 0, frozenset({severity}), frozenset(), MESSAGE_PLACE)
        for severity in SEVERITIES
    }
    growing = True
    while growing:
        growing = False
        for tree in trees:
            for call, name, function in calls_of(tree):
                carrier = carriers.get(name)
                if carrier is None or function is None or function.name in carriers:
                    continue
                code = argument_at(call, carrier.place, carrier.parameter)
                names = parameters_of(function)
                if isinstance(code, ast.Name) and code.id in names:
                    carriers[function.name] = carrier_through(function, call, carrier, code.id)
                    growing = True
    return carriers


def carrier_through(function: Function, call: ast.Call, carrier: Carrier, parameter: str) -> Carrier:
    """Return what *function* is when it hands its *parameter* as the code to *call*."""
    names = parameters_of(function)
    message_place = None
    if carrier.message_place is not None:
        message = argument_at(call, carrier.message_place, "message")
        if isinstance(message, ast.Name) and message.id in names:
            message_place = names.index(message.id)
    messages = messages_of(call, carrier, function) if message_place is None else frozenset[str]()
    return Carrier(parameter, names.index(parameter), carrier.severities, messages, message_place)


def literal_codes(node: ast.expr | None) -> list[str]:
    """Return the codes that an argument can be, where they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*literal_codes(node.body), *literal_codes(node.orelse)]
    return []


def default_of(function: Function, parameter: str) -> ast.expr | None:
    """Return the default of a positional parameter."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    defaults = [None] * (len(arguments) - len(function.args.defaults)) + [*function.args.defaults]
    for argument, default in zip(arguments, defaults, strict=True):
        if argument.arg == parameter:
            return default
    return None


def findings_in_source(folder: Path = SOURCE) -> dict[str, Finding]:
    """Return every code that the source can give, with severities and messages, by code."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    carriers = carriers_in(trees)
    found: dict[str, Finding] = {}

    def add(code: str, carrier: Carrier, messages: frozenset[str]) -> None:
        known = found.get(code, Finding(frozenset(), frozenset()))
        found[code] = Finding(known.severities | carrier.severities, known.messages | messages)

    for tree in trees:
        for call, name, function in calls_of(tree):
            carrier = carriers.get(name)
            if carrier is not None:
                for code in literal_codes(argument_at(call, carrier.place, carrier.parameter)):
                    add(code, carrier, messages_of(call, carrier, function))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in carriers:
                carrier = carriers[node.name]
                for code in literal_codes(default_of(node, carrier.parameter)):
                    add(code, carrier, carrier.messages)
    return dict(sorted(found.items()))
