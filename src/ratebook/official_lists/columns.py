"""The columns of official lists, format by format.

The dBASE lists of US Chess (docs/formats/player-lists.md#us-chess) were not seen: field names are those that public
programs read, the widths of names and ratings are known from a description, the others are inferred (docs/inferred.md,
official lists in dBASE files).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from ratebook.formats.reading.dates import LIFE
from ratebook.formats.reading.sheets.player_columns import cells_of, prefix_of
from ratebook.formats.reading.spreadsheet import guarded
from ratebook.model import PlayerFacts, Rating, Sex, Shown, System
from ratebook.official_lists.contents import ListMember, PersonFacts, shown_rating
from ratebook.records.record import plain

ID_WIDTH = 8
EXPIRY_WIDTH = 8
STATE_WIDTH = 2
TITLES_WIDTH = 24
_RATING_WIDTH = 7
_MONTH_WIDTH = 6
_LAST_OF_1999 = "19991231"
"""How dBASE lists write a life membership."""


Columns: TypeAlias = Mapping[str, Callable[[ListMember], str]]
"""What each column of a list says of a member, by title."""


def text_columns(systems: Sequence[System]) -> Columns:
    """Return the columns of a list to be read by people."""
    texts = {title: attrgetter(title.lower()) for title in ("ID", "Name", "State")}
    columns = texts | {system.value: _rating_in(system, shown_rating) for system in systems}
    return columns | {"Titles": titles_text}


def csv_columns(systems: Sequence[System]) -> Columns:
    """Return the columns of a table for spreadsheets: each rating in one, its provisional games in the next."""
    columns: dict[str, Callable[[ListMember], str]] = {
        "id": lambda member: guarded(member.id),
        "name": lambda member: guarded(member.name),
        "state": lambda member: guarded(member.state),
        "expires": lambda member: expiry_word(member.expires) or "",
        "titles": titles_text,
    }
    for system in systems:
        columns[prefix_of(system)] = _rating_in(system, _points)
        columns[f"{prefix_of(system)}_provisional_games"] = _rating_in(system, _games)
    return columns | {name: _guarded_fact(name) for name in PersonFacts._fields}


def _guarded_fact(name: str) -> Callable[[ListMember], str]:
    return lambda member: guarded(getattr(member.person, name))


def titles_text(member: ListMember) -> str:
    """Return the codes of a member's titles, separated by spaces."""
    return " ".join(member.titles)


def _rating_in(system: System, show: Callable[[Shown | None], str]) -> Callable[[ListMember], str]:
    return lambda member: show(member.ratings.get(system))


def rating_column(system: System) -> Callable[[ListMember], str]:
    """Return what shows a member's rating in a system as printed lists have it."""
    return _rating_in(system, shown_rating)


def _points(rating: Shown | None) -> str:
    return "" if rating is None else str(rating.rating)


def _games(rating: Shown | None) -> str:
    return "" if rating is None or rating.provisional_games is None else str(rating.provisional_games)


def members_csv_cells(member: ListMember, cut_off: date) -> dict[str, str]:
    """Return a member's row of a members CSV; the rating is the official one, as of the list's cut-off."""
    ratings = {
        system: Rating(
            shown.rating,
            shown.provisional_games,
            published=shown.rating,
            published_games=shown.provisional_games,
            as_of=cut_off,
        )
        for system, shown in member.ratings.items()
    }
    person = member.person._asdict() | {"sex": Sex(member.person.sex) if member.person.sex else None}
    facts = PlayerFacts(member.id, member.name, ratings=ratings, titles=titles_text(member), **person)
    cells = cells_of(facts)
    expires = expiry_word(member.expires)
    return cells if expires is None else cells | {"expires": expires}


def json_fields(member: ListMember) -> Mapping[str, object]:
    """Return a member as a JSON object; ``provisional_games`` is null where a rating is established."""
    return {
        "id": member.id,
        "name": member.name,
        "state": member.state,
        "expires": expiry_word(member.expires),
        "titles": list(member.titles),
        **member.person._asdict(),
        "ratings": {system.value: plain(rating) for system, rating in member.ratings.items()},
    }


def expiry_word(day: date | None) -> str | None:
    """Return the last day of a membership as text, None where none is known."""
    return None if day is None else "life" if day == LIFE else day.isoformat()


def expiry_digits(day: date | None) -> str:
    """Return the last day of a membership as dBASE lists have it."""
    return "" if day is None else _LAST_OF_1999 if day == LIFE else day.strftime("%Y%m%d")


class DbfColumns(NamedTuple):
    """The columns of a dBASE list: id, name, expiry, state, two ratings, and perhaps the month and the titles."""

    list_name: str
    titles: tuple[str, ...]
    name_width: int
    unrated: str
    established: str
    provisional: str

    @property
    def fields(self) -> tuple[tuple[str, int], ...]:
        """The columns with their widths."""
        widths = (
            *(ID_WIDTH, self.name_width, EXPIRY_WIDTH, STATE_WIDTH),
            *(_RATING_WIDTH, _RATING_WIDTH, _MONTH_WIDTH, TITLES_WIDTH),
        )
        return tuple(zip(self.titles, widths, strict=False))

    def rating(self, rating: Shown | None) -> str:
        """Return a rating as the table has it.

        >>> GOLDEN.rating(Shown(1575)), GOLDEN.rating(Shown(612, 8)), GOLDEN.rating(None)
        ('1575E', '0612P08', '0000U')
        >>> (SUPPLEMENT.rating(Shown(1575)), SUPPLEMENT.rating(Shown(612, 8)), SUPPLEMENT.rating(None))
        ('1575', '0612/08', '')
        """
        if rating is None:
            return self.unrated
        template = self.established if rating.provisional_games is None else self.provisional
        return template.format(rating.rating, rating.provisional_games)


GOLDEN = DbfColumns(
    "Golden Database",
    ("MEM_ID", "MEM_NAME", "EXPIRED", "STATE", "R_LPB_RAT", "Q_LPB_RAT", "SUPP_DATE"),
    name_width=17,
    unrated="0000U",
    established="{:04d}E",
    provisional="{:04d}P{:02d}",
)
TITLED = GOLDEN._replace(list_name="list with titles", titles=(*GOLDEN.titles, "TITLES"))
"""A Golden Database with one field more, which programs that look for fields by name do not mind."""
SUPPLEMENT = DbfColumns(
    "rating supplement",
    ("R_MEM_ID", "R_MEM_NAME", "R_EXP_DATE", "R_STATE", "R_RATING1", "R_RATING2"),
    name_width=27,
    unrated="",
    established="{:04d}",
    provisional="{:04d}/{:02d}",
)
