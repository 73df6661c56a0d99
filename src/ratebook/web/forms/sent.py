"""What was sent with a form, read as its inputs say; whatever is wrong is a finding, and everything typed is kept."""

from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from litestar import Request
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency

from ratebook.findings import Finding, Place, finding
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.gate.bodies import form_of


class SentFile(NamedTuple):
    """A file as a browser sends it."""

    name: str
    content: bytes


class Sent(NamedTuple):
    """What a form held: texts by the names of inputs, several where a name comes often, and files."""

    texts: Mapping[str, tuple[str, ...]]
    files: Mapping[str, tuple[SentFile, ...]]

    def text(self, name: str) -> str:
        """Return the text of an input without the blanks around it; empty where it was not sent."""
        return self.secret(name).strip()

    def secret(self, name: str) -> str:
        """Return a password as it was typed, blanks and all."""
        return self.texts.get(name, ("",))[0]

    def is_checked(self, name: str) -> bool:
        """Return whether a box is checked."""
        return bool(self.text(name))

    def number(self, name: str) -> float | None:
        """Return a number; None where there is none."""
        return _number(self.text(name))

    def whole(self, name: str) -> int | None:
        """Return a whole number; None where there is none."""
        found = self.number(name)
        return int(found) if found is not None and found.is_integer() else None

    def day(self, name: str) -> date | None:
        """Return a day; None where there is none."""
        return _day(self.text(name))

    def file(self, name: str) -> SentFile | None:
        """Return a file; None where none was chosen."""
        found = self.files.get(name, ())
        return found[0] if found and (found[0].name or found[0].content) else None

    def values(self, inputs: Sequence[Input]) -> dict[str, str]:
        """Return what was typed, to be shown again; never a password."""
        return {one.name: self.text(one.name) for one in inputs if one.kind is not InputKind.PASSWORD}

    def wrong(self, inputs: Sequence[Input]) -> tuple[Finding, ...]:
        """Return what is missing or cannot be read."""
        return tuple(found for one in inputs for found in self._wrong(one))

    def _wrong(self, field: Input) -> list[Finding]:
        name, text = field.name, self.text(field.name)
        has_text = self.file(name) is not None if field.kind is InputKind.FILE else bool(text)
        if not has_text and field.needed and field.kind is InputKind.CHECK:
            return [finding("form-not-confirmed", Place(input=name))]
        if not has_text:
            return [finding("form-missing", Place(input=name), label=field.label)] if field.needed else []
        if len(text) > field.most:
            return [finding("form-too-long", Place(input=name), label=field.label, most=field.most)]
        if _readable(field, text):
            return []
        wanted = "one of those offered" if field.kind is InputKind.CHOICE else WANTED[field.kind]
        return [finding("form-not-read", Place(input=name), label=field.label, text=text[:40], wanted=wanted)]


TheForm: TypeAlias = NamedDependency[Sent]
"""How a handler asks what was sent."""

WANTED = {
    InputKind.NUMBER: "a number, such as 1500 or 12.5",
    InputKind.COUNT: "a whole number, such as 3",
    InputKind.DATE: "a date, such as 2026-11-22",
    InputKind.MONTH: "a month, such as 2026-11",
}


async def sent_form(request: Request[Any, Any, Any]) -> Sent:
    """Return what was sent with a request."""
    texts: dict[str, list[str]] = {}
    files: dict[str, list[SentFile]] = {}
    for name, value in (await form_of(request)).multi_items():
        if isinstance(value, UploadFile):
            files.setdefault(name, []).append(SentFile(value.filename, await value.read()))
        else:
            texts.setdefault(name, []).append(str(value).replace("\0", ""))
    return Sent(
        {name: tuple(them) for name, them in texts.items()},
        {name: tuple(them) for name, them in files.items()},
    )


def _readable(field: Input, text: str) -> bool:
    match field.kind:
        case InputKind.NUMBER:
            return _number(text) is not None
        case InputKind.COUNT:
            number = _number(text)
            return number is not None and number.is_integer()
        case InputKind.DATE:
            return _day(text) is not None
        case InputKind.MONTH:
            return _day(f"{text}-01") is not None
        case InputKind.CHOICE:
            return text in {value for value, _ in field.choices}
        case _:
            return True


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
