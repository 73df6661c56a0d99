"""Round cells as people write them in a sheet, for those that the report's own spelling cannot read."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ratebook.formats.reading.cells import OTHER_COLOUR, parse_cell
from ratebook.model import Cell

_KEPT = 4_096
BYE_WORDS = (
    *("spielfrei", "frei", "vrij", "exempt", "exe", "fri"),
    *("libre", "descansa", "riposa", "friplads", "frirond"),
)
"""A bye in other languages."""
BYES = {
    **dict.fromkeys(
        ("bye", "b", "full", "fullbye", "1bye", "bye1", "fpb", "frei", "fri", "exe", *BYE_WORDS), "B"
    ),
    **dict.fromkeys(
        (
            *("h", "half", "halfbye", "hbye", "hpb", "½", "½bye", "bye½", "bye1/2", "bye0.5", "bye.5"),
            *("0.5", "0,5", "1/2", "1/2bye", "0.5bye"),
        ),
        "H",
    ),
    **dict.fromkeys(
        (
            *("u", "0", "zero", "zerobye", "0bye", "zpb", "none", "unplayed", "unpaired", "out"),
            *("withdrew", "withdrawn", "withdraws", "wd", "w/d", "absent", "dropped"),
        ),
        "U",
    ),
    "x": "X",
    "f": "F",
    "": "",
}
"""Cells without an opponent."""
RESULTS = {
    **dict.fromkeys(("1", "win", "won", "w", "beat", "beats", "def"), "W"),
    **dict.fromkeys(("½", "=", "0.5", "0,5", "1/2", "draw", "drew", "tied", "d"), "D"),
    **dict.fromkeys(("0", "loss", "lost", "l"), "L"),
    **dict.fromkeys(("n", "s", "r", "x", "f", "z"), ""),
}
"""Words of results before a seat; an empty one: the letter itself."""
_GAME = re.compile(
    r"(?P<result>1/2|0[.,]5|[10½=]|[a-z]+)(?P<between>(?: (?:to|vs?|with|against) |[ .:/-])*)"
    r"\(?#?(?P<opponent>[0-9]{1,4})\)?[ /-]*\(?(?P<colour>[wbnszv]|white|black)?\)?",
    re.ASCII | re.IGNORECASE,
)
_OPPONENT_FIRST = re.compile(
    r"(?P<opponent>[1-9][0-9]{0,3})\s?(?P<colour>[wbnszv])\s?(?P<result>[10½+-]|1/2|0[.,]5)",
    re.ASCII | re.IGNORECASE,
)
_OTHER_ORDERS = tuple(
    re.compile(
        order.format(opponent="#?(?P<opponent>[1-9][0-9]{0,3})", colour="(?P<colour>[wbnszv])"), re.ASCII
    )
    for order in (
        "{opponent}[ .:/-]*{colour}[ .:/-]*(?P<result>[wdl])",
        "{opponent}[ .:/-]*(?P<result>[wdl])[ .:/-]*{colour}",
        # WW4 may be two games.
        "(?P<result>[wdl])(?:[ .:/-]+|(?=b)){colour}[ .:/-]*{opponent}",
        "{colour}[ .:/-]*{opponent}[ .:/-]*(?P<result>[wdl])",
        "(?P<result>[10\u00bd=])[ .:/-]+{colour}[ .:/-]*{opponent}",
    )
)
"""Opponent, colour and result, which are told apart by what they are."""
DAY_OF_HALF = re.compile(
    r"0?2[-. ]{1,2}Jan|Jan-0?2|0?1[-. ]{1,2}Feb|Feb-0?1|[0-9]{4}-(?:01-02|02-01)(?:[ T]00:00:00)?",
    re.IGNORECASE,
)
"""What programs for spreadsheets make of 1/2: the second of January, or the first of February."""
_IN_BYES = re.compile(r"[ _()-]|point|pts?\b|(?<=\b[0-9])\.0\b")
_WITH_SCORE = re.compile(r"[0-9]{1,2}(?:[.,][05])?\s*\((?P<cell>[^()]{2,8})\)")
"""A result behind the points so far: 2.5 (W4)."""
_IN_BRACKETS = re.compile(r"\s*\(([wbnszv])\)\s*", re.IGNORECASE)
"""A colour: W (b) 4."""
_FORFEIT = re.compile(
    r"(?P<result>w(?:in|on)?|l(?:oss|ost)?)[ .]*(?P<before>\(?f(?:f|orfeit)?\)?)?[ .:/]*"
    r"(?P<opponent>[0-9]{1,4})(?P<colour>[wb])?[ ]*(?P<behind>\(?f(?:f|orfeit)?\)?)?",
    re.ASCII,
)
_COLOUR_FIRST = re.compile(
    r"(?P<colour>[wbnszv])[ -]?(?P<opponent>[0-9]{1,4})[ :]+(?P<result>1/2|0[.,]5|[10½=])",
    re.ASCII | re.IGNORECASE,
)
_RESULT_LAST = re.compile(r"(?P<opponent>[0-9]{1,4})\s?(?P<result>[wdl])", re.ASCII | re.IGNORECASE)
_SIGN_ALONE = re.compile(r"(?P<sign>[+=-])\s?(?P<opponent>[1-9][0-9]{0,3})", re.ASCII)
_SIGN_FIRST = re.compile(
    r"(?P<sign>[+=-])\s?(?:(?P<before>[wbnszv])\s?)?(?P<opponent>[1-9][0-9]{0,3})\s?(?(before)(?P<forfeit>f)?|(?P<behind>[wbnszv]))",
    re.ASCII,
)
_SIGN_LAST = re.compile(r"(?P<colour>[wbnszv])\s?(?P<opponent>[1-9][0-9]{0,3})\s?(?P<sign>[+=-])", re.ASCII)
_SIGN_OF_FORFEIT = re.compile(r"(?P<sign>[<>])\s?(?P<opponent>[1-9][0-9]{0,3})", re.ASCII)
_SIGN_OF_BYE = re.compile(r"(?P<sign>[+=-])\s?(?:bye|exe(?:mpt)?)")
_SIGNS = {"+": "w", "=": "d", "-": "l", ">": "x", "<": "f"}
_FORFEITS = {"+": "x", "=": "d", "-": "f", "w": "x", "l": "f"}
_FIGURES = frozenset(("1", "0", "\u00bd", "1/2"))
_BYES_OF_SIGNS = {"+": "b", "=": "h", "-": "u"}
_BYES_OF_SERVERS = {"-1": "B", "-½": "H", "-0": "U", "-+": "B", "+": "B", "--": "U", "": ""}
_RESULTS_OF_SERVERS = {"1": "W", "½": "D", "1/2": "D", "0.5": "D", "0,5": "D", "0": "L", "+": "X", "-": "F"}


_COLOUR = re.compile(r"[0-9]\s?(?P<colour>[wbnszv])\s?(?:[10½+-]|1/2|0[.,]5)?$", re.ASCII | re.IGNORECASE)
_PAIRING = re.compile(r"[0-9]{1,4}\s?[wbnszv]", re.ASCII | re.IGNORECASE)
_DOUBLE = re.compile(
    r"(?P<first>[WDL])(?P<second>[WDL]) ?(?P<opponent>[0-9]{1,4})(?P<colour>[wb])?", re.IGNORECASE
)


_OWN_LETTER = re.compile(r"(?P<letter>[A-Z])[0-9]{1,4}", re.ASCII)
_LETTERS_OF_LANGUAGES = ("VTH", "VNP", "VRF", "VRT", "GRV", "WRV", "GTP", "GNP", "SRN")
"""Win, draw and loss in Finnish, Italian, Swedish, Danish and Norwegian, German, Dutch, Spanish, French, and German."""


def letters_in(texts: Iterable[str]) -> str:
    """Return the letters of win, draw and loss of the language in which *texts* are, empty where it is English.

    >>> letters_in(["V4", "R2", "F1"]), letters_in(["W4", "R2", "F1"]), letters_in(["G4w", "T2", "P3"])
    ('VRF', '', 'GTP')
    """
    used = {found["letter"] for text in texts if (found := _OWN_LETTER.match(text.strip()))}
    return next(
        (
            letters
            for letters in _LETTERS_OF_LANGUAGES
            if {letters[0], letters[-1]} <= used <= {*letters, "X", "B", "H", "U"}
        ),
        "",
    )


class Manner(NamedTuple):
    """How the round cells of a table are written.

    Attributes:
        opponent_first: whether games are opponent, colour, result, as result servers such as chess-results print them.
        colours: the letters of white and black: wb; bn in Spanish, French and Italian, ws in German, wz in Dutch, vs
            in Swedish.
        orders: the orders of opponent, colour and result that other cells of the table tell.
        signs: whether games are a sign and the opponent: +2, =3, -4. Of a server, -1 is a bye.
        forfeits: whether + and - are forfeits, since games have figures.
    """

    opponent_first: bool = False
    colours: str = "wb"
    orders: tuple[re.Pattern[str], ...] = ()
    signs: bool = False
    forfeits: bool = False


USUAL = Manner()
MANNERS = (Manner(opponent_first=True), Manner(signs=True), Manner(orders=(_COLOUR_FIRST, _RESULT_LAST)))
"""All, for asking whether a text is a result at all."""


def manner_of(texts: Iterable[str]) -> Manner:
    """Return how the cells of a table are written that are among *texts*.

    >>> manner_of(["12w½", "-1"]).opponent_first, manner_of(["3n1", "2b0"]).colours
    (True, 'bn')
    >>> manner_of(["+2", "=3"]).signs, manner_of(["2b+", "-1"]).signs
    (True, False)
    """
    texts = [_without_brackets(text) for text in texts]
    used = {*map(_colour_in, map(str.lower, texts))} - {""}
    colours = next((pair for pair in ("wb", "bn", "ws", "wz", "vs") if used <= {*pair}), "wb")
    orders = []
    if any(text[:1] in "Bb" and _COLOUR_FIRST.fullmatch(text) for text in texts):
        orders.append(_COLOUR_FIRST)
    if any(text[-1:] in "DdLl" and _RESULT_LAST.fullmatch(text) for text in texts) and not any(
        text[-1:] in "Bb" and is_pairing(text) for text in texts
    ):
        orders.append(_RESULT_LAST)
    opponent_first = any(map(_OPPONENT_FIRST.fullmatch, texts))
    signed = [found for text in texts if (found := _SIGN_ALONE.fullmatch(text))]
    # Where all are +1 and -1, they may be points.
    signs = {"+"} < {found["sign"] for found in signed} and any(found["opponent"] != "1" for found in signed)
    forfeits = any(
        game["between"] and game["result"] in _FIGURES for text in texts if (game := _GAME.fullmatch(text))
    )
    return Manner(opponent_first, colours, tuple(orders), signs and not opponent_first, forfeits)


@functools.lru_cache(maxsize=_KEPT)
def parse_outcome(text: str, manner: Manner = USUAL) -> Cell | None:
    """Return the cell that *text*, written in this *manner*, stands for, or None where it cannot be read.

    >>> server = Manner(opponent_first=True)
    >>> parse_outcome("12b½", server), parse_outcome("-1", server)
    (Cell(letter='D', opponent=12, colour='b'), Cell(letter='B', opponent=None, colour=''))
    >>> parse_outcome("L-1"), parse_outcome("½ 3 b")
    (Cell(letter='L', opponent=1, colour=''), Cell(letter='D', opponent=3, colour='b'))
    >>> parse_outcome("+W4"), parse_outcome("=B2")
    (Cell(letter='W', opponent=4, colour='w'), Cell(letter='D', opponent=2, colour='b'))
    >>> parse_outcome("+4b"), parse_outcome("-1") is None
    (Cell(letter='W', opponent=4, colour='b'), True)
    >>> parse_outcome("3wL") == parse_outcome("3 L w") == parse_outcome("L w 3") == parse_outcome("L(w)3")
    True
    >>> parse_outcome("2 (b) 0", manner_of(["2 (b) 0", "3 (w) 1"]))
    Cell(letter='L', opponent=2, colour='b')
    >>> parse_outcome("b2 0", manner_of(["b2 0"])), parse_outcome("2D", manner_of(["2D", "3W"]))
    (Cell(letter='L', opponent=2, colour='b'), Cell(letter='D', opponent=2, colour=''))
    >>> parse_outcome("withdrew"), parse_outcome("W/D")
    (Cell(letter='U', opponent=None, colour=''), Cell(letter='U', opponent=None, colour=''))
    >>> parse_outcome("-H-"), parse_outcome("BYE"), parse_outcome("15") is None
    (Cell(letter='H', opponent=None, colour=''), Cell(letter='B', opponent=None, colour=''), True)
    >>> parse_outcome("2-Jan")
    Cell(letter='H', opponent=None, colour='')
    """
    text = _without_brackets(text)
    if manner.opponent_first and (cell := _outcome_of_server(text, manner)):
        return cell
    plain = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{EN DASH}", "-").strip().lower()
    plain = "\u00bd" if DAY_OF_HALF.fullmatch(plain) else _without_sign(plain, manner)
    bare = _IN_BYES.sub("", plain.strip("-_ .*"))
    if bare in BYES and (bare or set(plain) <= set("-_ .*")):
        return Cell(BYES[bare])
    if (
        (running := _WITH_SCORE.fullmatch(plain))
        and (cell := parse_cell(running["cell"].upper()))
        and cell.opponent
    ):
        return cell
    if (forfeit := _FORFEIT.fullmatch(plain)) and bool(forfeit["before"]) is not bool(forfeit["behind"]):
        plain = f"{'x' if forfeit['result'][0] == 'w' else 'f'}{forfeit['opponent']}{forfeit['colour'] or ''}"
    match = _GAME.fullmatch(plain.lstrip("- "))
    # 15 may be a win against 5, or the opponent alone.
    if (
        match is None
        or match["result"] not in RESULTS
        or (match["result"][-1] in "0123456789" and not match["between"])
    ):
        orders = (*_OTHER_ORDERS, *manner.orders)
        match = next((found for order in orders if (found := order.fullmatch(plain))), None)
    if match is None:
        return None
    word = match["result"]
    letter = RESULTS[word]
    colour = match.groupdict().get("colour") or ""
    if colour not in {"white", "black"}:
        colour = _colour(colour, manner)
    return None if colour is None else parse_cell(f"{letter or word.upper()}{match['opponent']}{colour[:1]}")


def opponent_in(text: str, manner: Manner) -> int | None:
    """Return whom a round cell names, in the report's own spelling or in this *manner*."""
    cell = parse_cell(text) or parse_outcome(text, manner)
    return None if cell is None else cell.opponent


def name_each_other(opponents: Mapping[tuple[str, int], Sequence[int | None]]) -> bool:
    """Return whether both sides of all games name each other; *opponents* by round, of each section and number."""
    return all(
        opponent != number and [*opponents.get((section, opponent), ())][played : played + 1] == [number]
        for (section, number), row in opponents.items()
        for played, opponent in enumerate(row)
        if opponent is not None
    )


def _without_brackets(text: str) -> str:
    return _IN_BRACKETS.sub(r" \1 ", text).strip()


def _without_sign(plain: str, manner: Manner) -> str:
    """Return a cell with the letter of the result that its sign stands for.

    >>> [_without_sign(cell, USUAL) for cell in ("+ bye", "> 7", "-b8f", "+w3", "w4")]
    ['b', 'x7', 'f8b', 'w3w', 'w4']
    """
    if bye := _SIGN_OF_BYE.fullmatch(plain):
        return _BYES_OF_SIGNS[bye["sign"]]
    if forfeit := _SIGN_OF_FORFEIT.fullmatch(plain):
        return f"{_SIGNS[forfeit['sign']]}{forfeit['opponent']}"
    if (manner.signs or manner.forfeits) and (signed := _SIGN_ALONE.fullmatch(plain)):
        return f"{(_FORFEITS if manner.forfeits else _SIGNS)[signed['sign']]}{signed['opponent']}"
    if signed := _SIGN_LAST.fullmatch(plain):
        return f"{_SIGNS[signed['sign']]}{signed['opponent']}{signed['colour']}"
    if signed := _SIGN_FIRST.fullmatch(plain):
        letter = _SIGNS[signed["sign"]]
        letter = _FORFEITS[letter] if signed["forfeit"] else letter
        return f"{letter}{signed['opponent']}{signed['before'] or signed['behind'] or ''}"
    return plain


@functools.lru_cache(maxsize=_KEPT)
def parse_double(text: str) -> tuple[Cell, Cell] | None:
    """Return the two games against one opponent that *text* stands for, or None; the second one has the other colour.

    >>> parse_double("WL2w")
    (Cell(letter='W', opponent=2, colour='w'), Cell(letter='L', opponent=2, colour='b'))
    """
    match = _DOUBLE.fullmatch(text.strip())
    if match is None or not int(match["opponent"]):
        return None
    colour = (match["colour"] or "").lower()
    opponent = int(match["opponent"])
    first = Cell(match["first"].upper(), opponent, colour)
    return first, Cell(match["second"].upper(), opponent, OTHER_COLOUR[colour])


def _colour_in(text: str) -> str:
    """Return the letter of a colour in a cell in small letters, empty where it has none."""
    if beside := _COLOUR.search(text) or _SIGN_LAST.fullmatch(text):
        return beside["colour"]
    signed = _SIGN_FIRST.fullmatch(text)
    return (signed["before"] or "") if signed else ""


def is_pairing(text: str) -> bool:
    """Return whether *text* is an opponent and a colour without a result, as in the table of a running event.

    >>> is_pairing("13b"), is_pairing("13b1"), is_pairing("W13b")
    (True, False, False)
    """
    return _PAIRING.fullmatch(text.strip()) is not None


def _colour(letter: str, manner: Manner) -> str | None:
    """Return w or b, empty where no letter is written, None where it is none of the table's."""
    if not letter:
        return ""
    at = manner.colours.find(letter)
    return None if at < 0 else "wb"[at]


def _outcome_of_server(text: str, manner: Manner) -> Cell | None:
    game = _OPPONENT_FIRST.fullmatch(text.lower())
    if game is None:
        return Cell(_BYES_OF_SERVERS[text]) if text in _BYES_OF_SERVERS else None
    colour = _colour(game["colour"], manner)
    return (
        None
        if colour is None
        else parse_cell(f"{_RESULTS_OF_SERVERS[game['result']]}{game['opponent']}{colour}")
    )
