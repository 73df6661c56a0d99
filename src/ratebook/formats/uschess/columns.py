"""The columns of the current upload files, and fitting values into them (docs/formats/uschess.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.rules.timecontrol import TimeControl, parse_time_control

if TYPE_CHECKING:
    from datetime import date

    from ratebook.formats.losses import Losses

# H_OTHER_TD is 254 wide in every real file, 255 in the published text.
HEADER_FIELDS = (
    ("H_FORMAT", 5),
    ("H_PROGRAM", 10),
    ("H_EVENT_ID", 12),
    ("H_NAME", 35),
    ("H_TOT_SECT", 2),
    ("H_BEG_DATE", 8),
    ("H_END_DATE", 8),
    ("H_AFF_ID", 8),
    ("H_CITY", 21),
    ("H_STATE", 2),
    ("H_ZIPCODE", 10),
    ("H_COUNTRY", 21),
    ("H_SENDCROS", 1),
    ("H_CTD_ID", 8),
    ("H_ATD_ID", 8),
    ("H_OTHER_TD", 254),
)

SECTION_FIELDS = (
    ("S_EVENT_ID", 12),
    ("S_SEC_NUM", 2),
    ("S_SEC_NAME", 30),
    ("S_R_SYSTEM", 1),
    ("S_TIMECTL", 40),
    ("S_CTD_ID", 8),
    ("S_ATD_ID", 8),
    ("S_TRN_TYPE", 1),
    ("S_TOT_RNDS", 2),
    ("S_LST_PAIR", 4),
    ("S_BEG_DATE", 8),
    ("S_END_DATE", 8),
    ("S_SCH_LVL", 1),
    ("S_GR_PRIX", 1),
    ("S_GP_PTS", 3),
    ("S_FIDE", 1),
)

PLAYER_FIELDS = (
    ("D_EVENT_ID", 12),
    ("D_SEC_NUM", 2),
    ("D_PAIR_NUM", 4),
    ("D_MEM_ID", 8),
    ("D_NAME", 30),
    ("D_STATE", 2),
    ("D_RATING", 4),
)

_ROUND_WIDTH = 7
_WIDTHS = dict(HEADER_FIELDS + SECTION_FIELDS + PLAYER_FIELDS)

# Letters and signs that have no decomposition into a base letter and an accent.
_PLAIN_LETTERS = str.maketrans(
    {
        **dict(zip("øØđĐðÐłŁħĦŧŦ\N{LATIN SMALL LETTER DOTLESS I}", "oOdDdDlLhHtTi", strict=True)),
        **dict(zip("ßẞæÆœŒþÞ", ("ss", "SS", "ae", "AE", "oe", "OE", "th", "TH"), strict=True)),
        **dict.fromkeys("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}", "'"),
        **dict.fromkeys("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}", '"'),
        **dict.fromkeys("\N{EN DASH}\N{EM DASH}", "-"),
    }
)


def round_fields(rounds: int) -> list[tuple[str, int]]:
    """Return the columns of *rounds* rounds.

    >>> round_fields(2)
    [('D_RND01', 7), ('D_RND02', 7)]
    """
    return [(f"D_RND{number:02}", _ROUND_WIDTH) for number in range(1, rounds + 1)]


def ascii_text(text: str) -> str:
    """Return *text* in ASCII: letters without their accents, a question mark for what has no such letter.

    >>> ascii_text("Łukasz MUÑOZ")
    'Lukasz MUNOZ'
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize  # noqa: PLC0415 - start-up: most reports are ASCII

    plain = normalize("NFKD", text.translate(_PLAIN_LETTERS))
    return "".join(
        character if character.isascii() else "?" for character in plain if not combining(character)
    )


def fitted_text(losses: Losses, column: str, what: str, text: str) -> str:
    """Return *text* as *column* can hold it: ASCII, and cut to its width."""
    width = _WIDTHS[column]
    plain = ascii_text(text).strip()
    if plain != text:
        losses.add(f"{what}: accents and characters beyond ASCII ({column})")
    if len(plain) <= width:
        return plain
    losses.add(f"{what}: what is longer than {width} characters ({column})")
    return plain[:width].rstrip()


def fitted_code(losses: Losses, column: str, what: str, text: str) -> str:
    """Return *text*, or nothing where *column* cannot hold all of it: a part of a code would be another code."""
    if text.isascii() and text.isprintable() and text == text.strip() and len(text) <= _WIDTHS[column]:
        return text
    losses.add(f"{what} that does not fit into {_WIDTHS[column]} plain characters ({column})")
    return ""


def fitted_time_control(losses: Losses, text: str | None) -> str:
    """Return a time control of at most 40 characters that means the same, or nothing.

    Cut off at the end, ``;d10`` would become ``;d1``, which may be another rating system.
    """
    if not text:
        return ""
    width = _WIDTHS["S_TIMECTL"]
    if len(text) <= width and text.isascii() and text == text.strip():
        return text
    shorter = "".join(ascii_text(text).split())
    if len(shorter) <= width and _same_control(shorter, text):
        return shorter
    losses.add(f"time control that does not fit into {width} plain characters (S_TIMECTL)")
    return ""


def _same_control(one: str, other: str) -> bool:
    first, second = parse_time_control(one), parse_time_control(other)
    return (
        isinstance(first, TimeControl)
        and isinstance(second, TimeControl)
        and first._replace(text="") == second._replace(text="")
    )


def day_text(day: date | None) -> str:
    """Return a day as YYYYMMDD, nothing for None."""
    return "" if day is None else day.strftime("%Y%m%d")
