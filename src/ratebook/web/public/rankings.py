"""Rankings: the highest rated members of each system, of a state, of an age group."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect
from markupsafe import Markup

from ratebook.book.facts.near_members import near_members
from ratebook.book.facts.states import state_code, state_names
from ratebook.book.figures.ranks import NO_RATINGS, active_ratings
from ratebook.book.ledger.lists import ratings_by_list
from ratebook.book.ledger.official import list_in_effect
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.official.lists import change_text as list_change
from ratebook.pages.official.lists import missing_words
from ratebook.pages.official.ranking import AGE_BANDS, age_day, band_words, is_meant, ranking
from ratebook.records.federation import RankingPlace
from ratebook.records.players import FoundPlayer
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.tables import HtmlTable, change_look, html_table
from ratebook.web.layout.words import person_name
from ratebook.web.pictures.histogram import histogram
from ratebook.web.pictures.spark import trend
from ratebook.web.public.links import PLAYER_PAGE, RANKING_PAGE, player_anchor
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Reader, TheSite

PLACES_SHOWN, FIRST_PLACES = 100, 10
MOST_PAGES = 10
MONTHS_OF_TREND = 12
EVERY_AGE = "all"
Age = Enum("Age", [(one, one) for one in (EVERY_AGE, *AGE_BANDS)])  # type: ignore[misc]
AT_FIRST = Age(EVERY_AGE)

RANKING: Columns[RankingPlace] = (
    Column("Rank", "rank", "right"),
    Column("Name", lambda place: person_name(place.name)),
    Column("Rating", "current", "right"),
    Column("Change", lambda place: list_change(place.official, place.current), "right"),
)
TREND: Column[RankingPlace] = Column("Trend", lambda _: "")


def ranking_table(
    caption: str, places: list[RankingPlace], trends: Mapping[str, Markup] | None = None, sought: str = ""
) -> HtmlTable:
    """Return a ranking with what each rating moved since the newest official list, and with *trends*, if there are any.

    The lines of who is *sought* by name or id are marked.
    """
    return html_table(
        caption,
        (*RANKING, TREND) if trends else RANKING,
        places,
        {"Name": lambda place: PLAYER_PAGE(place.player)},
        under={"Name": lambda place: " · ".join(part for part in (place.state, place.player) if part)},
        narrow={"Rating": RANKING[-1].text} if trends else None,
        looks={"Change": change_look},
        pictures={"Trend": lambda place: (trends or {}).get(place.player, Markup())},
        wide=["Change"] if trends else (),
        sought=(lambda place: is_meant(place, sought)) if sought else None,
        anchors=lambda place: player_anchor(place.player),
    )


def highest_rated(reader: Reader) -> HtmlTable | None:
    """Return the highest rated members of the first system that has any."""
    month = list_in_effect(reader.connection, reader.federation, reader.today).newest
    for system in System:
        if places := _first_places(reader, system, month):
            return ranking_table(f"Highest rated, {SYSTEM_TITLES[system]}", places)
    return None


def _first_places(reader: Reader, system: System, month: str | None) -> list[RankingPlace]:
    return ranking(
        reader.connection, reader.federation, system, today=reader.today, most=FIRST_PLACES, month=month
    )


@public("/rankings")
def all_rankings(site: TheSite) -> Response[bytes]:
    """Show the highest rated members of each system, with links to more of them."""
    with site.reading() as reader:
        month = list_in_effect(reader.connection, reader.federation, reader.today).newest
        places = {system: _first_places(reader, system, month) for system in System}
    tables = {
        system: ranking_table(SYSTEM_TITLES[system], highest) for system, highest in places.items() if highest
    }
    return page("public/all_rankings.html", reader.face, tables=tables, most=PLACES_SHOWN, month=month)


@public(RANKING_PAGE)
def rankings(
    site: TheSite,
    system: FromPath[System],
    home: Annotated[str, QueryParameter(name="state", max_length=30)] = "",
    age: FromQuery[Age] = AT_FIRST,
    q: Annotated[str, QueryParameter(max_length=100)] = "",
    number: Annotated[int | None, QueryParameter(name="page", ge=1, le=MOST_PAGES)] = None,
) -> Response[bytes] | Redirect:
    """Show the highest rated members of a system, a state, an age group; lead to the line of a member."""
    state, band = state_code(home), "" if age is AT_FIRST else age.value
    words = " ".join(q.split())
    # An age group has one page: who is in it tells how old people are.
    last = 1 if band else MOST_PAGES
    shown = min(number or 1, last)
    near: list[FoundPlayer] = []
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)

        def part_of(first: int, most: int, month: str | None) -> list[RankingPlace]:
            return ranking(
                reader.connection,
                reader.federation,
                system,
                today=reader.today,
                most=most,
                skip=first,
                band=band,
                state=state,
                month=month,
            )

        if words and number is None:
            everyone = part_of(0, last * PLACES_SHOWN, None)
            at = next((at for at, place in enumerate(everyone) if is_meant(place, words)), None)
            if at is not None:
                query = {"state": state, "age": band, "q": words, "page": at // PLACES_SHOWN + 1}
                where = f"{RANKING_PAGE(system, **query)}#{player_anchor(everyone[at].player)}"
                return Redirect(where, status_code=303)
            ranked = {place.player for place in everyone}
            near = [player for player in near_members(reader.connection, words) if player.id in ranked]
        first = (shown - 1) * PLACES_SHOWN
        places = part_of(first, first + PLACES_SHOWN + (shown < last), in_effect.newest)
        more, places = len(places) > PLACES_SHOWN, places[:PLACES_SHOWN]
        trends = trends_of(reader, system, in_effect.newest, [place.player for place in places])
        active = (
            active_ratings(reader.connection, in_effect.newest, in_effect.cut_off, system)
            if in_effect.newest and in_effect.cut_off
            else NO_RATINGS
        )
    caption = f"Places {first + 1} to {first + len(places)}" if more or first else "Highest first"
    return page(
        "public/rankings.html",
        reader.face,
        table=ranking_table(caption, places, trends, words),
        words=words,
        lacking=bool(words) and number is None,
        near=[(person_name(player.name), player.id) for player in near],
        number=shown,
        more=more,
        most=last * PLACES_SHOWN,
        bars=histogram(active.bands),
        system=system,
        state=state,
        states=state_names(state, *active.by_state, *(place.state for place in places)),
        band=band,
        bands={each: band_words(each) for each in AGE_BANDS},
        of_age=band_words(band) if band else "",
        age_day=age_day(reader.today),
        least=reader.federation.profile.least_published_games,
        month=in_effect.newest,
        missing=missing_words(in_effect.newest, in_effect.missing, in_effect.coming),
    )


def trends_of(
    reader: Reader, system: System, newest: str | None, players: Sequence[str]
) -> dict[str, Markup]:
    """Return the official ratings of players in the year up to the *newest* list as small lines."""
    if newest is None:
        return {}
    last = _number_of(newest)
    first = f"{(last - MONTHS_OF_TREND) // 12}-{(last - MONTHS_OF_TREND) % 12 + 1:02}"
    by_player = ratings_by_list(reader.connection, first, newest, system, players)
    return {
        player: trend(
            [(_number_of(month) - last + MONTHS_OF_TREND, rating) for month, rating in line], MONTHS_OF_TREND
        )
        for player, line in by_player.items()
    }


@lru_cache(maxsize=64)
def _number_of(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1
