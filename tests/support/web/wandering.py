"""Someone who opens whatever a page leads to, and sends its forms with whatever comes to mind."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from httpx import Response

    from support.web.persons import Person

ODD = (
    *("", " ", "0", "-1", "1e400", "9" * 400, "NaN", "½", "²", "٣", "é" * 3_000),
    *("a\r\nb", "\x00", "'\";--", "<b>", "\ufeff", "\u202e"),
    *("0000-00-00", "2026-02-30", "9999-12-31", "0001-01-01"),
)
"""What may be typed into any input."""


class Field(NamedTuple):
    """An input: its name, its kind, what it holds, and what may be chosen."""

    name: str
    kind: str
    value: str
    choices: tuple[str, ...] = ()


class SeenForm(NamedTuple):
    """A form of a page."""

    address: str
    method: str
    fields: tuple[Field, ...]


class Page(HTMLParser):
    """The links and the forms of a page."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[SeenForm] = []
        self._here = address
        self._chosen: list[str] | None = None
        self._text: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "a" and not said.get("href", "#").startswith("#"):
            self.links.append(urldefrag(urljoin(self._here, said["href"])).url)
        elif tag == "form":
            address = urljoin(self._here, said.get("action") or self._here)
            self.forms.append(SeenForm(address, said.get("method", "get").lower(), ()))
        elif tag in {"input", "select", "textarea", "button"} and said.get("name"):
            kind = said.get("type", "text") if tag == "input" else tag
            self._add(Field(said["name"], kind, said.get("value", "")))
        elif tag == "option" and self.forms and self.forms[-1].fields:
            last = self.forms[-1].fields[-1]
            self._replace(last._replace(choices=(*last.choices, said.get("value", ""))))

    def _add(self, field: Field) -> None:
        if self.forms:
            form = self.forms[-1]
            self.forms[-1] = form._replace(fields=(*form.fields, field))

    def _replace(self, field: Field) -> None:
        form = self.forms[-1]
        self.forms[-1] = form._replace(fields=(*form.fields[:-1], field))


class Wanderer:
    """A person who wanders through the pages by chance; *known* are values that mean something, by parts of names."""

    def __init__(
        self, person: Person, chance: Random, known: Mapping[str, Sequence[str]], files: Sequence[bytes]
    ) -> None:
        self.person, self.chance, self.known, self.files = person, chance, known, files
        self.sent = 0

    def steps(self, start: Sequence[str], most: int) -> Iterator[tuple[str, Response]]:
        """Yield what was asked for and the answers; whoever gets lost begins again at one of the pages of *start*."""
        address, page = "", None
        for _ in range(most):
            if page is None or self.chance.random() < 0.2:
                address, page = self.chance.choice(start), None
                answer = self.person.get(address)
            elif page.forms and self.chance.random() < 0.7:
                sends = [one for one in page.forms if one.method == "post"]
                often = sends and self.chance.random() < 0.8
                address, answer = self._sent(self.chance.choice(sends if often else page.forms))
            elif page.links:
                near = [one for one in page.links if urlsplit(one).path.startswith(start[0])]
                address = self.chance.choice(near if near and self.chance.random() < 0.9 else page.links)
                answer = self.person.get(address)
            else:
                page = None
                continue
            yield address, answer
            for _ in range(3):
                if answer.headers.get("location", "").startswith(("/sign-in", "/account/again")):
                    self.person.sign_in()
                    address, answer = start[0], self.person.get(start[0])
                    yield address, answer
                elif answer.is_redirect:
                    address = urljoin(address, answer.headers["location"])
                    answer = self.person.get(address)
                    yield address, answer
            html = answer.headers.get("content-type", "").startswith("text/html")
            page = self._page(address, answer.text) if html else None

    def _page(self, address: str, text: str) -> Page:
        page = Page(address, text)
        page.links = [one for one in page.links if self._leads_on(one)]
        page.forms = [one for one in page.forms if self._leads_on(one.address)]
        return page

    def _leads_on(self, address: str) -> bool:
        parts = urlsplit(address)
        return parts.netloc in {"", urlsplit(str(self.person.client.base_url)).netloc} and not (
            # Whoever signs out or changes the password gets no further.
            parts.path.startswith(("/sign-", "/account"))
        )

    def _sent(self, form: SeenForm) -> tuple[str, Response]:
        said: dict[str, str] = {}
        files: dict[str, tuple[str, bytes]] = {}
        buttons = [one for one in form.fields if one.kind == "button"]
        for field in form.fields:
            if field.kind == "file":
                files[field.name] = ("a.csv", self.chance.choice(self.files))
            elif field.kind == "checkbox":
                if self.chance.random() < 0.7:
                    said[field.name] = field.value or "yes"
            elif field.kind != "button":
                said[field.name] = self._value(field)
        if buttons:
            pressed = self.chance.choice(buttons)
            said[pressed.name] = pressed.value
        if form.method == "get":
            return form.address, self.person.client.get(
                form.address.partition("?")[0], params=said, headers=self.person.headers
            )
        self.sent += 1
        return form.address, self.person.send(form.address, said, files or None)

    def _value(self, field: Field) -> str:
        luck = self.chance.random()
        if field.kind == "hidden":
            return self.chance.choice(ODD) if luck < 0.02 else field.value
        if luck < 0.12:
            return self.chance.choice(ODD)
        if field.choices:
            return self.chance.choice(field.choices)
        if field.value and luck < 0.6:
            return field.value
        fitting = next((values for part, values in self.known.items() if part in field.name), ("x",))
        return self.chance.choice(fitting)
