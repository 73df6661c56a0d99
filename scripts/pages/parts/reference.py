"""The reference of the library: every public name with its signature and docstring."""

from __future__ import annotations

import enum
import inspect
import re
import textwrap
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from scripts.pages.places import MADE_BY

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = f"""# Reference of the library

{MADE_BY} from the docstrings of what is [public](public.md).
[The library](library.md) and [the client](client.md) have examples.
"""
MODULES = ("ratebook", "ratebook.client", "ratebook.replay")
PLAIN_DEFAULTS = (type(None), bool, int, float, str)
WIDTH = 100
SECTION = re.compile(r"(Args|Attributes|Raises|Returns|Yields|Source):\s*")


def reference_page() -> str:
    """Return the page with each module's names: functions, then classes with their fields and methods."""
    lines = [HEAD]
    for name in MODULES:
        module = import_module(name)
        lines += [f"## {name}", ""]
        for public in sorted(each for each in module.__all__ if not each.startswith("_")):
            lines += [f"### {public}", "", *lines_of(public, inspect.unwrap(getattr(module, public)))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def lines_of(name: str, public: Any) -> Iterator[str]:  # noqa: ANN401 - whatever is public
    """Yield signature, fields, docstring and methods."""
    if inspect.isfunction(public):
        yield from fenced(f"{name}{signature_of(public)}")
        yield from described(public)
        return
    if issubclass(public, enum.Enum):
        yield from fenced(*(f"{member.name} = {member.value!r}" for member in public))
    elif fields := vars(public).get("_fields") or vars(public).get("__dataclass_fields__"):
        hints = public.__annotations__
        yield from fenced(*(f"{field}: {type_text(hints[field])}" for field in fields))
    yield from described(public)
    for method, function in sorted(vars(public).items()):
        if not method.startswith("_") and inspect.isfunction(function):
            yield from fenced(f"{name}.{method}{signature_of(function)}")
            yield from described(function)


def fenced(*lines: str) -> Iterator[str]:
    """Yield a block of code that no test runs; long signatures are broken between parameters alone."""
    yield "```text"
    for line in lines:
        kept = re.sub(r"(?<=:) | (?=[=|>-])|(?<=[=|>]) ", "\N{NO-BREAK SPACE}", line)
        for piece in textwrap.wrap(kept, WIDTH, subsequent_indent="    ", break_on_hyphens=False):
            yield piece.replace("\N{NO-BREAK SPACE}", " ")
    yield from ("```", "")


class SignatureText(str):
    """A piece of a signature, as it is to be read."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def signature_of(function: Any) -> str:  # noqa: ANN401 - as above
    """Return the parameters and the type of what is returned; long defaults are left out."""
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(
            annotation=SignatureText(type_text(parameter.annotation)), default=default_text(parameter.default)
        )
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    return str(
        signature.replace(
            parameters=parameters, return_annotation=SignatureText(type_text(signature.return_annotation))
        )
    )


def default_text(default: object) -> object:
    """Return what is shown for a default."""
    if default is inspect.Parameter.empty:
        return default
    if isinstance(default, enum.Enum):
        return SignatureText(f"{type(default).__name__}.{default.name}")
    return default if isinstance(default, PLAIN_DEFAULTS) else SignatureText("...")


def type_text(annotation: object) -> str:
    """Return a type without the modules of its parts."""
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__name__
    text = re.sub(
        r"\b(?:[a-z_]\w*\.)+(?=\w)|ForwardRef\('(\w+)'\)|'", lambda found: found[1] or "", str(annotation)
    )
    return re.sub(r"Annotated\[(\w+), [^\]]*\]", r"\1", text)


def described(public: object) -> Iterator[str]:
    """Yield a docstring as Markdown: paragraphs, and lists for arguments and errors; examples are left out."""
    is_example = False
    for line in (inspect.getdoc(public) or "").split("\n"):
        is_example = line.lstrip().startswith(">>>") or (is_example and bool(line.strip()))
        heading = SECTION.match(line)
        if is_example:
            continue
        if heading:
            yield f"*{heading[1]}:* {line[heading.end() :]}".rstrip()
            yield from ("",) if heading.end() == len(line) else ()
        elif item := re.match(r"    (\w[\w, ]*): (.*)", line):
            yield f"* `{item[1]}`: {item[2]}"
        else:
            yield f"  {line.strip()}" if line.startswith("    ") else line
    yield ""
