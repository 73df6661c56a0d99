"""Round cells as people write them in a sheet, for those that the report's own spelling cannot read."""

import functools
import re

from ratebook.formats.reading.cells import parse_cell
from ratebook.model import Cell

_KEPT = 4_096
_BYES = {
    **dict.fromkeys(("bye", "b", "full", "fullbye", "1bye", "bye1", "fpb"), "B"),
    **dict.fromkeys(
        ("h", "half", "halfbye", "hbye", "hpb", "½", "½bye", "bye½", "0.5", "0,5", "1/2", "1/2bye", "0.5bye"),
        "H",
    ),
    **dict.fromkeys(("u", "0", "zero", "zerobye", "0bye", "zpb", "none", "unplayed", "unpaired", "out"), "U"),
    "": "",
}
_RESULTS = {
    **dict.fromkeys(("1", "win", "won", "w"), "W"),
    **dict.fromkeys(("½", "0.5", "0,5", "1/2", "draw", "drew", "d"), "D"),
    **dict.fromkeys(("0", "loss", "lost", "l"), "L"),
    **dict.fromkeys(("n", "s", "r", "x", "f", "z"), ""),
}
_GAME = re.compile(
    r"(?P<result>1/2|0[.,]5|[10½]|[a-z]+)(?P<between>[ .:/-]*)\(?#?(?P<opponent>[0-9]{1,4})\)?"
    r"[ /-]*\(?(?P<colour>[wb]|white|black)?\)?",
    re.ASCII | re.IGNORECASE,
)


@functools.lru_cache(maxsize=_KEPT)
def parse_outcome(text: str) -> Cell | None:
    """Return the cell that *text* stands for, or None where it cannot be read.

    >>> parse_outcome("L-1"), parse_outcome("½ 3 b")
    (Cell(letter='L', opponent=1, colour=''), Cell(letter='D', opponent=3, colour='b'))
    >>> parse_outcome("-H-"), parse_outcome("BYE"), parse_outcome("15") is None
    (Cell(letter='H', opponent=None, colour=''), Cell(letter='B', opponent=None, colour=''), True)
    """
    plain = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{EN DASH}", "-").strip().lower()
    bare = plain.strip("-_ .*").replace(" ", "").replace("-", "").replace("_", "")
    if bare in _BYES and (bare or set(plain) <= set("-_ .*")):
        return Cell(_BYES[bare])
    found = _GAME.fullmatch(plain.lstrip("- "))
    if found is None:
        return None
    word = found["result"]
    if word[-1] in "0123456789" and not found["between"]:
        # 15 may be a win against 5, or the opponent alone.
        return None
    letter = _RESULTS.get(word)
    if letter is None:
        return None
    return parse_cell(f"{letter or word.upper()}{found['opponent']}{(found['colour'] or '')[:1]}")
