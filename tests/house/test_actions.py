"""What a person may ask for is declared once: no command and no form says it again."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from house.source import SOURCE, nodes
from ratebook.office.action import REASON, Action, By, Parameter
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.erasure.actions import ERASE, MERGE
from ratebook.office.founding.found import FOUND
from ratebook.office.imports.actions import ADD_MEMBER, CORRECTIONS, IMPORTS
from ratebook.office.profile import ADOPT_RULES, CHANGE
from ratebook.office.publish.actions import PUBLISH
from ratebook.office.queue.actions import ACCEPT, REJECT
from ratebook.web.admin import actions as accounts

if TYPE_CHECKING:
    from pathlib import Path

OF_BOOK: tuple[Action[Any, Any], ...] = (
    *(action for actions in DECISIONS.values() for action in actions),
    *IMPORTS,
    *(FOUND, CORRECTIONS, ADD_MEMBER, MERGE, ERASE, PUBLISH, ACCEPT, REJECT, CHANGE, ADOPT_RULES),
)
OF_WEB: tuple[Action[Any, Any], ...] = (
    *(accounts.ADD, accounts.CHANGE, accounts.RESET, accounts.DISABLE),
    accounts.GIVE_TOKEN,
)
ACTIONS = (*OF_BOOK, *OF_WEB)
DECLARED = {(each.name, each.label) for action in ACTIONS for each in (*action.parameters, REASON)}
OPTIONS = {"option", "argument", "flag_option", "day_option", "default_option"}
COMMANDS = {"command", "decide_command"}
BY_CHANCE = {("name", "Name")}
"""A section of a report has a name, too."""
PROMPT = [*(SOURCE / "cli" / "book").rglob("*.py"), *(SOURCE / "cli" / "web").rglob("*.py")]
FORMS = [*(SOURCE / "web" / "office").rglob("*.py"), *(SOURCE / "web" / "admin").rglob("*.py")]


def first_texts(path: Path, functions: set[str], texts: int = 1) -> set[tuple[str, ...]]:
    """Return the first arguments, where they are texts, of the calls of functions in a module."""
    calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
    return {
        tuple(str(ast.literal_eval(argument)) for argument in call.args[:texts])
        for call in calls
        if ast.unparse(call.func).rpartition(".")[2] in functions
        and call.args
        and all(isinstance(argument, ast.Constant) for argument in call.args[:texts])
    }


def actions_in(path: Path) -> list[Action[Any, Any]]:
    """Return the actions that a module names."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return [each for each in vars(import_module(".".join(parts))).values() if isinstance(each, Action)]


def flags_of(parameter: Parameter) -> set[str]:
    """Return the options that give a parameter."""
    return set() if parameter.argument else {*parameter.flag.split("/")}


@pytest.mark.parametrize("path", PROMPT, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_command_of_an_action_is_declared_by_hand(path: Path) -> None:
    of_web = {action.word for action in OF_WEB}
    declared = of_web if path.parent.name == "web" else {action.command for action in OF_BOOK}
    assert not {text for (text,) in first_texts(path, COMMANDS)} & declared


@pytest.mark.parametrize("path", PROMPT, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_command_has_no_option_of_its_own_for_what_its_action_declares(path: Path) -> None:
    declared = {
        flag
        for action in actions_in(path)
        for each in (*action.parameters, REASON)
        for flag in flags_of(each)
    }
    flags = {flag for (text,) in first_texts(path, OPTIONS) for flag in text.partition(" ")[0].split("/")}
    # The profile is shown without a reason, and changed with one.
    assert not flags & declared - ({"--reason"} if path.stem == "creation" else set())


@pytest.mark.parametrize("path", FORMS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_form_declares_the_input_of_an_action_again(path: Path) -> None:
    inputs = first_texts(path, {"Input"}, texts=2)
    assert not inputs & DECLARED - BY_CHANCE


def test_every_action_has_a_word_of_its_own_and_says_what_it_asks_for() -> None:
    commands = [(action.program, action.command) for action in ACTIONS]
    assert len(set(commands)) == len(commands)
    for action in ACTIONS:
        names = {parameter.name for parameter in action.parameters}
        assert len(names) == len(action.parameters)
        assert all({*condition.names} <= names for condition in action.conditions)


def test_pages_that_show_many_actions_are_for_those_who_may_ask_for_all_of_them() -> None:
    """The addresses of corrections and of imports have the word of an action in them."""
    decisions = [action for actions in DECISIONS.values() for action in actions]
    shown: list[Action[Any, Any]] = [*decisions, *IMPORTS, CORRECTIONS]
    for action in shown:
        assert (action.by, action.again) == (By.OFFICE, False)
