"""What a person may ask for is declared once, in the office: no command and no form says it again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from house.source import SOURCE, nodes
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.imports.actions import ADD_MEMBER, CORRECTIONS, IMPORTS
from ratebook.office.profile import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

ACTIONS = (
    *(action for actions in DECISIONS.values() for action in actions),
    *IMPORTS,
    CORRECTIONS,
    ADD_MEMBER,
)
DECLARED = {
    (each.name, each.label)
    for parameters in (*(a.parameters for a in ACTIONS), SETTINGS)
    for each in parameters
}
OF_COMMANDS = {"option", "argument", "flag_option", "day_option", "default_option"}
BY_CHANCE = 3
"""A section and an account have names, too."""
DERIVED = ("cli/book/decisions/corrections.py",)
"""Modules of which every command is an action."""
FORMS = [*(SOURCE / "web" / "office").rglob("*.py"), *(SOURCE / "web" / "admin").rglob("*.py")]


def calls(path: Path, *names: str) -> list[ast.Call]:
    """Return the calls in a module of functions with these names."""
    return [
        node
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names
    ]


@pytest.mark.parametrize("module", DERIVED)
def test_a_command_of_an_action_has_no_option_of_its_own(module: str) -> None:
    assert not calls(SOURCE / module, *OF_COMMANDS)


def test_no_option_of_a_book_sets_what_a_setting_declares() -> None:
    flags = {flag for setting in SETTINGS for flag in setting.flag.split("/")}
    options = calls(SOURCE / "cli" / "book" / "creation.py", *OF_COMMANDS)
    assert options
    assert not [
        call
        for call in options
        if call.args
        and isinstance(call.args[0], ast.Constant)
        and flags & {*str(call.args[0].value).split("/")}
    ]


def declared_inputs(path: Path) -> set[tuple[str, str]]:
    """Return the names and labels of inputs that a module declares."""
    return {
        (ast.literal_eval(call.args[0]), ast.literal_eval(call.args[1]))
        for call in calls(path, "Input")
        if len(call.args) > 1 and all(isinstance(argument, ast.Constant) for argument in call.args[:2])
    }


def test_no_form_declares_the_input_of_an_action_again() -> None:
    again = {str(path.relative_to(SOURCE)): declared_inputs(path) & DECLARED for path in FORMS}
    assert again
    assert {path: inputs for path, inputs in again.items() if len(inputs) >= BY_CHANCE} == {}


def test_every_action_has_a_word_of_its_own_and_says_what_it_asks_for() -> None:
    commands = [action.command for action in ACTIONS]
    assert len(set(commands)) == len(commands)
    for action in ACTIONS:
        names = {parameter.name for parameter in action.parameters}
        assert len(names) == len(action.parameters)
        assert all({*condition.names} <= names for condition in action.conditions)
