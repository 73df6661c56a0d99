"""The highest rated members of a system."""

from datetime import date, timedelta

from ratebook.book.connection import Connection
from ratebook.book.ledger.history import highest_rated
from ratebook.book.ledger.lists import ratings_in_lists
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.ratings import current_rating
from ratebook.player_lists.names import name_key
from ratebook.rating.formulas import rounded
from ratebook.records.federation import RankingPlace

OLDEST_BIRTH_YEARS = 200


AGE_BANDS = {
    **{f"u{age}": (0, age - 1) for age in (8, 10, 12, 14, 16, 18, 20)},
    **{f"o{age}": (age, OLDEST_BIRTH_YEARS) for age in (50, 65)},
}
"""The age groups of which there are rankings: with any others one could find out how old someone is."""


def band_words(band: str) -> str:
    """Return an age group in words.

    >>> band_words("u12"), band_words("o50")
    ('under 12', '50 and older')
    """
    return f"under {band[1:]}" if band.startswith("u") else f"{band[1:]} and older"


def age_day(today: date) -> date:
    """Return the day on which ages count for rankings (docs/decisions, 34).

    >>> age_day(date(2026, 11, 22))
    datetime.date(2026, 1, 1)
    """
    return today.replace(month=1, day=1)


RANKING: Columns[RankingPlace] = (
    Column("Rank", "rank", "right"),
    Column("ID", "player"),
    Column("Name", "name"),
    Column("State", "state"),
    Column("Rating", "current", "right"),
)


def ranking(  # noqa: PLR0913 - whom it is of
    connection: Connection,
    federation: Federation,
    system: System,
    *,
    today: date,
    most: int = 50,
    skip: int = 0,
    band: str = "",
    state: str = "",
    month: str | None = None,
) -> list[RankingPlace]:
    """Return the highest rated members of a system who have as many games as an official rating needs.

    Of *most*, so many are left out at the beginning as *skip* says. Each has the official rating of the list
    of a *month*, if there is one. Where *band* names an age group of `AGE_BANDS`, only its members are meant, of whom
    the birth date is known.

    Raises:
        KeyError: there is no such group.
    """
    born = None
    if band:
        (youngest, oldest), on = AGE_BANDS[band], age_day(today)
        born = (_birthday(on, oldest + 1), _birthday(on, youngest))
    least = federation.profile.least_published_games
    players = highest_rated(connection, system, least, most=most, born=born, state=state)
    # Decimals order nothing: they are not published, and could be traced back to an initial rating.
    players.sort(key=lambda player: (-rounded(player.rating), player.member))
    first_places: dict[float, int] = {}
    for place, player in enumerate(players, start=1):
        first_places.setdefault(rounded(player.rating), place)
    shown = players[skip:]
    listed = {} if month is None else ratings_in_lists(connection, [month], [one.member for one in shown])
    return [
        RankingPlace(
            rank=first_places[rounded(player.rating)],
            player=player.member,
            name=player.name,
            state=player.state,
            rating=player.rating,
            current=current_rating(federation, system, player.rating, player.games, player.as_of),
            official=listed.get((month or "", player.member), {}).get(system),
        )
        for player in shown
    ]


def is_meant(place: RankingPlace, text: str) -> bool:
    """Return whether *text* is the id of the player of a place, or has beginnings of words of the name alone.

    >>> from ratebook.model import Shown
    >>> heron = RankingPlace(rank=1, player="90000001", name="HERON, ALICE", state="OR", current=Shown(2393))
    >>> is_meant(heron, "alice her"), is_meant(heron, "90000001"), is_meant(heron, "eron")
    (True, True, False)
    """
    words = name_key(place.name).split()
    parts = name_key(text).split()
    return place.player == text or (
        bool(parts) and all(any(word.startswith(part) for word in words) for part in parts)
    )


def _birthday(on: date, years: int) -> date:
    """Return the last day on which someone was born who is *years* old on that day.

    >>> _birthday(date(2026, 2, 28), 10), _birthday(date(2024, 2, 29), 1)
    (datetime.date(2016, 2, 28), datetime.date(2023, 2, 28))
    """
    year = max(on.year - min(years, OLDEST_BIRTH_YEARS), 1)
    try:
        return on.replace(year=year)
    except ValueError:
        return on.replace(year=year, month=3, day=1) - timedelta(days=1)
