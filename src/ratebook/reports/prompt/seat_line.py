"""A player's id and name as they are typed in one line, in any order; newcomers have no id yet."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ratebook.checks.member_ids import corrected_id
from ratebook.checks.submission import MEMBER_ID
from ratebook.formats.hints import is_placeholder, is_seat_id
from ratebook.formats.reading.cells import parse_cell
from ratebook.model import PlayerFacts
from ratebook.reports.prompt.answers import wrong_text

_BETWEEN = " \t,;"
_NUMBERED = re.compile(r"(?<=[A-Za-z]{3})[0-9]{1,3}$")
"""What tells several newcomers apart, as in NEW1."""
_LEAST_DIGITS = 4
"""A number with fewer digits is a seat or a rank."""


class TypedSeat(NamedTuple):
    """What a line says of a player: an id, a name, or both."""

    id: str = ""
    name: str = ""
    is_new: bool = False


def read_seat_line(text: str) -> TypedSeat | None:
    """Return id and name in a line; None where more than one word of it has digits.

    >>> read_seat_line("Heron, Alice 90000011"), read_seat_line("90000011; Heron, Alice").name
    (TypedSeat(id='90000011', name='Heron, Alice', is_new=False), 'Heron, Alice')
    >>> read_seat_line("Heron, Alice"), read_seat_line("NEW1 Heron, Alice").is_new
    (TypedSeat(id='', name='Heron, Alice', is_new=False), True)
    """
    words = text.replace(";", " ").split()
    ids = [word for word in words if any(map(str.isdecimal, word))]
    if not ids and words and is_placeholder(words[0]):
        ids = words[:1]
    if len(ids) > 1:
        return None
    names = [word for word in words if word not in ids]
    name = " ".join(names).strip(_BETWEEN)
    player = ids[0].strip(_BETWEEN) if ids else ""
    if player and is_placeholder(_NUMBERED.sub("", player)):
        return TypedSeat(name=name, is_new=True)
    return TypedSeat(player, name)


class SeatAnswer(NamedTuple):
    """What an answer for a seat is checked against.

    Attributes:
        players: those known already.
        seated: who sits in the section, by the players' keys, with their seats.
        pattern: the form of member ids; empty: any text.
        enough: whether the list of players may end here.
        name: who sits there until now, whom an id alone does not replace.
    """

    players: Mapping[str, PlayerFacts]
    seated: Mapping[str, int]
    pattern: str | None = None
    enough: bool = False
    name: str = ""

    def wrong(self, text: str) -> str | None:
        """Return what is wrong with a line; None where nothing is."""
        if not text:
            return None if self.enough else "A section needs at least two seats."
        line = read_seat_line(text)
        if line is None:
            return "Two words have digits. Write one id and the name."
        return wrong_text()(text) or wrong_id(line.id, self.pattern) or self._wrong_player(line)

    def _wrong_player(self, line: TypedSeat) -> str | None:
        known = self.players.get(line.id)
        if line.id in self.seated:
            name = known.name if known else ""
            return f"{name or line.id} is already at seat {self.seated[line.id]}."
        if known is not None and known.name and line.name and known.name != line.name:
            return f"{line.id} is {known.name} in another section. Write the id alone, or correct it."
        if known is not None and known.name and not line.name and self.name not in {"", known.name}:
            return (
                f"{line.id} is {known.name}, and {self.name} has this seat."
                f" If {known.name} played here, write {line.id} {known.name}."
            )
        return wrong_name(line.name) if line.name else None


def wrong_id(text: str, pattern: str | None) -> str | None:
    """Return what is wrong with an id; None where nothing is.

    A pattern of None stands for ids of eight digits, and keys of the report's own beside them.

    >>> wrong_id("9000001", None)
    "'9000001' has 7 digits; a member id has eight. --id-form says another form."
    >>> wrong_id("9000OO11", None), wrong_id("P1", None), wrong_id("90000011", None)
    ("'9000OO11' is not a member id; perhaps 90000011.", None, None)
    >>> wrong_id("W4", None) == wrong_id("3", None)
    True
    """
    form = re.compile(pattern or MEMBER_ID)
    if not text or pattern == "" or form.fullmatch(text):
        return None
    corrected = corrected_id(text, form)
    if corrected:
        return f"{text!r} is not a member id; perhaps {corrected}."
    if pattern is not None:
        return f"{text!r} does not have the form of a member id."
    if text.isdecimal() and len(text) >= _LEAST_DIGITS:
        return f"{text!r} has {len(text)} digits; a member id has eight. --id-form says another form."
    if text.isdecimal() or is_seat_id(text) or parse_cell(text.upper()):
        return "That is no id. Write the player's name, after the id if there is one; results are asked for later."
    return None


def wrong_name(text: str) -> str | None:
    """Return what is wrong with a name; None where nothing is.

    >>> wrong_name("Heron, Alice"), wrong_name("90000022")
    (None, "'90000022' is not a name: it has digits. If it is the id, type < to go back.")
    """
    if any(map(str.isdecimal, text)):
        return f"{text!r} is not a name: it has digits. If it is the id, type < to go back."
    return wrong_text(least=1)(text)


def seats_of(players: Sequence[str]) -> dict[str, int]:
    """Return the seats of players by their keys."""
    return {player: seat for seat, player in enumerate(players, start=1)}
