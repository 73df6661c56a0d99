"""Round cells as people write them in a sheet, for those that the report's own spelling cannot read."""

import functools
import re

from ratebook.formats.reading.cells import parse_cell
from ratebook.model import Cell

_KEPT = 4_096
BYES = {
    **dict.fromkeys(("bye", "b", "full", "fullbye", "1bye", "bye1", "fpb"), "B"),
    **dict.fromkeys(
        ("h", "half", "halfbye", "hbye", "hpb", "½", "½bye", "bye½", "0.5", "0,5", "1/2", "1/2bye", "0.5bye"),
        "H",
    ),
    **dict.fromkeys(("u", "0", "zero", "zerobye", "0bye", "zpb", "none", "unplayed", "unpaired", "out"), "U"),
    "": "",
}
"""Cells without a game."""
RESULTS = {
    **dict.fromkeys(("1", "win", "won", "w"), "W"),
    **dict.fromkeys(("½", "0.5", "0,5", "1/2", "draw", "drew", "d"), "D"),
    **dict.fromkeys(("0", "loss", "lost", "l"), "L"),
    **dict.fromkeys(("n", "s", "r", "x", "f", "z"), ""),
}
"""Words of results before a seat; an empty one: the letter itself."""
_GAME = re.compile(
    r"(?P<result>1/2|0[.,]5|[10½]|[a-z]+)(?P<between>[ .:/-]*)\(?#?(?P<opponent>[0-9]{1,4})\)?"
    r"[ /-]*\(?(?P<colour>[wb]|white|black)?\)?",
    re.ASCII | re.IGNORECASE,
)
_OPPONENT_FIRST = re.compile(
    r"(?P<opponent>[0-9]{1,4})\s?(?P<colour>[wb])\s?(?P<result>[10½+-]|1/2|0[.,]5)", re.ASCII
)
_BYES_OF_SERVERS = {"-1": "B", "-½": "H", "-0": "U", "-+": "B", "--": "U", "": ""}
_RESULTS_OF_SERVERS = {"1": "W", "½": "D", "1/2": "D", "0.5": "D", "0,5": "D", "0": "L", "+": "X", "-": "F"}


def is_opponent_first(text: str) -> bool:
    """Return whether *text* is a game as result servers such as chess-results print it: opponent, colour, result.

    >>> is_opponent_first("12w½"), is_opponent_first("W12w")
    (True, False)
    """
    return _OPPONENT_FIRST.fullmatch(text.strip()) is not None


@functools.lru_cache(maxsize=_KEPT)
def parse_outcome(text: str, *, opponent_first: bool = False) -> Cell | None:
    """Return the cell that *text* stands for, or None where it cannot be read; *opponent_first* as servers print it.

    >>> parse_outcome("12b½", opponent_first=True), parse_outcome("-1", opponent_first=True)
    (Cell(letter='D', opponent=12, colour='b'), Cell(letter='B', opponent=None, colour=''))
    >>> parse_outcome("L-1"), parse_outcome("½ 3 b")
    (Cell(letter='L', opponent=1, colour=''), Cell(letter='D', opponent=3, colour='b'))
    >>> parse_outcome("-H-"), parse_outcome("BYE"), parse_outcome("15") is None
    (Cell(letter='H', opponent=None, colour=''), Cell(letter='B', opponent=None, colour=''), True)
    """
    if opponent_first and (cell := _outcome_of_server(text.strip())):
        return cell
    plain = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{EN DASH}", "-").strip().lower()
    bare = plain.strip("-_ .*").replace(" ", "").replace("-", "").replace("_", "")
    if bare in BYES and (bare or set(plain) <= set("-_ .*")):
        return Cell(BYES[bare])
    match = _GAME.fullmatch(plain.lstrip("- "))
    if match is None:
        return None
    word = match["result"]
    if word[-1] in "0123456789" and not match["between"]:
        # 15 may be a win against 5, or the opponent alone.
        return None
    letter = RESULTS.get(word)
    if letter is None:
        return None
    return parse_cell(f"{letter or word.upper()}{match['opponent']}{(match['colour'] or '')[:1]}")


def _outcome_of_server(text: str) -> Cell | None:
    game = _OPPONENT_FIRST.fullmatch(text)
    if game is not None:
        return parse_cell(f"{_RESULTS_OF_SERVERS[game['result']]}{game['opponent']}{game['colour']}")
    return Cell(_BYES_OF_SERVERS[text]) if text in _BYES_OF_SERVERS else None
