"""The page of the parts of which pages are made has all of them, so that what is looked at there is everything."""

from __future__ import annotations

from typing import NamedTuple

from jinja2 import Environment, nodes

from ratebook.web.rendering import templates

DESIGN, BASE = "public/design.html", "base.html"
PARTS = {"parts/cards.html", "parts/pictures.html"}
"""Files of which every macro is a part; of the others, one shows how it looks."""
CONTENTS = {"parts/answer.html", "parts/explanation.html", "parts/brand.html"}
"""What pages of an explanation consist of, and what is at the head of every page."""


class Macro(NamedTuple):
    """A macro of a file."""

    file: str
    name: str


def macros_of(environment: Environment) -> dict[Macro, nodes.Macro]:
    """Return all macros of the parts."""
    return {
        Macro(file, each.name): each
        for file in environment.list_templates(filter_func=lambda name: name.startswith("parts/"))
        for each in parsed(environment, file).find_all(nodes.Macro)
    }


def parsed(environment: Environment, file: str) -> nodes.Template:
    assert environment.loader is not None
    return environment.parse(environment.loader.get_source(environment, file)[0])


def names_in(environment: Environment, file: str) -> dict[str, Macro]:
    """Return the macros that a file can call: its own, and those it imports, by how it calls them."""
    tree = parsed(environment, file)
    named = {each.name: Macro(file, each.name) for each in tree.find_all(nodes.Macro)}
    for each in tree.find_all(nodes.Import):
        assert isinstance(each.template, nodes.Const)
        own = parsed(environment, each.template.value).find_all(nodes.Macro)
        named |= {f"{each.target}.{one.name}": Macro(each.template.value, one.name) for one in own}
    for brought in tree.find_all(nodes.FromImport):
        assert isinstance(brought.template, nodes.Const)
        for name in brought.names:
            original, alias = name if isinstance(name, tuple) else (name, name)
            named[alias] = Macro(brought.template.value, original)
    return named


def called_in(tree: nodes.Node, names: dict[str, Macro]) -> set[Macro]:
    """Return the macros that a part of a template calls."""
    called = set()
    for call in tree.find_all(nodes.Call):
        match call.node:
            case nodes.Getattr(node=nodes.Name(name=module), attr=name):
                called.add(names.get(f"{module}.{name}"))
            case nodes.Name(name=name):
                called.add(names.get(name))
    return {macro for macro in called if macro is not None}


def test_each_part_is_on_its_page() -> None:
    environment = templates()
    macros = macros_of(environment)
    shown: set[Macro] = set()
    reached = called_in(
        parsed(environment, DESIGN), names_in(environment, BASE) | names_in(environment, DESIGN)
    )
    while new := reached - shown:
        shown |= new
        reached = {
            inner for macro in new for inner in called_in(macros[macro], names_in(environment, macro.file))
        }
    files = {macro.file for macro in shown}
    assert {macro for macro in macros if macro.file in PARTS} - shown == set()
    assert {macro.file for macro in macros} - files - CONTENTS == set()
