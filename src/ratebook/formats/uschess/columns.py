"""The columns of format 2C, by which its files are read and written, and fitting values into them.

Source: docs/formats/uschess.md.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.formats.losses import Losses
from ratebook.model import Event, SectionType
from ratebook.rules.timecontrol import same_control

FORMAT_WORD = "2C"


class UploadColumn(NamedTuple):
    """One column of the upload files.

    Attributes:
        field: what of the event, section or seat it holds; empty where it holds nothing that is known.
        constant: what is then written into every record.
        whole: whether a part of a value would be another one, so that a value that is too long is left out.
    """

    name: str
    width: int
    field: str = ""
    constant: str = ""
    whole: bool = False


# H_OTHER_TD is 254 wide in every real file, 255 in the published text. All real files have N in H_SENDCROS.
EVENT_COLUMNS = (
    UploadColumn("H_FORMAT", 5, constant=FORMAT_WORD),
    UploadColumn("H_PROGRAM", 10, constant="RATEBOOK"),
    UploadColumn("H_EVENT_ID", 12, "id", whole=True),
    UploadColumn("H_NAME", 35, "name"),
    UploadColumn("H_TOT_SECT", 2, "sections"),
    UploadColumn("H_BEG_DATE", 8, "start"),
    UploadColumn("H_END_DATE", 8, "end"),
    UploadColumn("H_AFF_ID", 8, "affiliate", whole=True),
    UploadColumn("H_CITY", 21, "city"),
    UploadColumn("H_STATE", 2, "state", whole=True),
    UploadColumn("H_ZIPCODE", 10, "postal_code", whole=True),
    UploadColumn("H_COUNTRY", 21, "country"),
    UploadColumn("H_SENDCROS", 1, constant="N"),
    UploadColumn("H_CTD_ID", 8, "chief_td", whole=True),
    UploadColumn("H_ATD_ID", 8, "assistant_td", whole=True),
    UploadColumn("H_OTHER_TD", 254, "other_tds"),
)

SECTION_COLUMNS = (
    UploadColumn("S_EVENT_ID", 12, "event"),
    UploadColumn("S_SEC_NUM", 2, "number"),
    UploadColumn("S_SEC_NAME", 30, "name"),
    UploadColumn("S_R_SYSTEM", 1, "system"),
    UploadColumn("S_TIMECTL", 40, "time_control"),
    UploadColumn("S_CTD_ID", 8, "chief_td", whole=True),
    UploadColumn("S_ATD_ID", 8, "assistant_td", whole=True),
    UploadColumn("S_TRN_TYPE", 1, "type"),
    UploadColumn("S_TOT_RNDS", 2, "rounds"),
    UploadColumn("S_LST_PAIR", 4, "last_seat"),
    UploadColumn("S_BEG_DATE", 8, "start"),
    UploadColumn("S_END_DATE", 8, "end"),
    UploadColumn("S_SCH_LVL", 1, "scholastic", whole=True),
    UploadColumn("S_GR_PRIX", 1, "grand_prix"),
    UploadColumn("S_GP_PTS", 3, "grand_prix_points"),
    UploadColumn("S_FIDE", 1, "fide_rated"),
)

PLAYER_COLUMNS = (
    UploadColumn("D_EVENT_ID", 12, "event"),
    UploadColumn("D_SEC_NUM", 2, "section"),
    UploadColumn("D_PAIR_NUM", 4, "seat"),
    UploadColumn("D_MEM_ID", 8, "member"),
    UploadColumn("D_NAME", 30, "name"),
    UploadColumn("D_STATE", 2, "state", whole=True),
    UploadColumn("D_RATING", 4, "rating"),
)

_COLUMNS = {column.name: column for column in EVENT_COLUMNS + SECTION_COLUMNS + PLAYER_COLUMNS}

_OF_EVENT = {column.field: column.name for column in EVENT_COLUMNS}
EVENT_TEXTS = {field: _OF_EVENT[field] for field in Event._fields if field not in {"start", "end"}}
"""The columns of an event that are texts, by field."""

YES, NO = "Y", "N"
NOT_SCHOLASTIC = NO

DOUBLE_GAMES = "2"
SECTION_TYPES = {
    "S": SectionType.SWISS,
    "C": SectionType.SWISS,
    DOUBLE_GAMES: SectionType.SWISS,
    "R": SectionType.ROUND_ROBIN,
    "M": SectionType.MATCH,
}
"""S_TRN_TYPE: Swiss, cumulative Swiss, double-game Swiss, round robin, match."""

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


def round_columns(rounds: int) -> list[UploadColumn]:
    """Return the columns of so many rounds.

    >>> [column.name for column in round_columns(2)]
    ['D_RND01', 'D_RND02']
    """
    return [UploadColumn(f"D_RND{number:02}", 7) for number in range(1, rounds + 1)]


def record_of(columns: Iterable[UploadColumn], values: Mapping[str, object]) -> list[str]:
    """Return a record: the *values* by field, in the order of *columns*; days are written YYYYMMDD."""
    cells = [values[column.field] if column.field else column.constant for column in columns]
    return [
        value.strftime("%Y%m%d") if isinstance(value, date) else "" if value is None else str(value)
        for value in cells
    ]


def ascii_text(text: str) -> str:
    """Return *text* in ASCII: letters without their accents, a question mark for what has no such letter.

    >>> ascii_text("Łukasz MUÑOZ")
    'Lukasz MUNOZ'
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize  # noqa: PLC0415 - start-up: most reports are ASCII

    plain = normalize("NFKD", text.translate(_PLAIN_LETTERS))
    return "".join(letter if letter.isascii() else "?" for letter in plain if not combining(letter))


def fits(name: str, text: str) -> bool:
    """Return whether the column *name* holds *text* as it is."""
    return (
        len(text) <= _COLUMNS[name].width and text.isascii() and text.isprintable() and text == text.strip()
    )


def fitted(losses: Losses, name: str, label: str, text: str) -> str:
    """Return *text* as the column *name* can hold it: ASCII, and cut to its width; nothing where it must be whole."""
    if fits(name, text):
        return text
    width = _COLUMNS[name].width
    if _COLUMNS[name].whole:
        losses.add(f"{label} that does not fit into {width} plain characters ({name})")
        return ""
    plain = ascii_text(text).strip()
    if plain != text:
        losses.add(f"{label}: accents and characters beyond ASCII ({name})")
    if len(plain) <= width:
        return plain
    losses.add(f"{label}: what is longer than {width} characters ({name})")
    return plain[:width].rstrip()


def fitted_time_control(losses: Losses, text: str | None) -> str:
    """Return a time control of at most 40 characters that means the same, or nothing.

    Cut off at the end, ``;d10`` would become ``;d1``, which may be another rating system.
    """
    width = _COLUMNS["S_TIMECTL"].width
    if not text or (len(text) <= width and text.isascii() and text == text.strip()):
        return text or ""
    shorter = "".join(ascii_text(text).split())
    if len(shorter) <= width and same_control(shorter, text):
        return shorter
    losses.add(f"time control that does not fit into {width} plain characters (S_TIMECTL)")
    return ""
