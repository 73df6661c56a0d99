"""Rankings: the highest rated members of each system, of a state, of an age group."""

from enum import Enum
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.ledger.official import list_in_effect
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.official.lists import change_text as list_change
from ratebook.pages.official.lists import missing_words
from ratebook.pages.official.ranking import AGE_BANDS, age_day, band_words, ranking
from ratebook.records.federation import RankingPlace
from ratebook.web.layout.tables import HtmlTable, change_look, html_table
from ratebook.web.layout.words import person_name
from ratebook.web.public.links import PLAYER_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

PLACES_SHOWN, FIRST_PLACES = 100, 10
EVERY_AGE = "all"
Age = Enum("Age", [(one, one) for one in (EVERY_AGE, *AGE_BANDS)])  # type: ignore[misc]
AT_FIRST = Age(EVERY_AGE)

RANKING: Columns[RankingPlace] = (
    Column("Rank", "rank", "right"),
    Column("Name", lambda place: person_name(place.name)),
    Column("Rating", "current", "right"),
    Column("Change", lambda place: list_change(place.official, place.current), "right"),
)


def ranking_table(caption: str, places: list[RankingPlace]) -> HtmlTable:
    """Return a ranking with what each rating moved since the newest official list."""
    return html_table(
        caption,
        RANKING,
        places,
        {"Name": lambda place: PLAYER_PAGE(place.player)},
        under={"Name": lambda place: " · ".join(part for part in (place.state, place.player) if part)},
        looks={"Change": change_look},
    )


@public("/rankings")
def all_rankings(site: TheSite) -> Response[bytes]:
    """Show the highest rated members of each system, with the way to more of them."""
    with site.reading() as reader:
        month = list_in_effect(reader.connection, reader.federation, reader.today).newest
        places = {
            system: ranking(
                reader.connection,
                reader.federation,
                system,
                today=reader.today,
                most=FIRST_PLACES,
                month=month,
            )
            for system in System
        }
    tables = {
        system: ranking_table(SYSTEM_TITLES[system], highest) for system, highest in places.items() if highest
    }
    return page("public/all_rankings.html", reader.face, tables=tables, most=PLACES_SHOWN, month=month)


@public("/rankings/{system:str}")
def rankings(
    site: TheSite,
    system: FromPath[System],
    home: Annotated[str, QueryParameter(name="state", max_length=20)] = "",
    age: FromQuery[Age] = AT_FIRST,
) -> Response[bytes]:
    """Show the hundred highest rated members of a system, of one state or all, of an age group or all."""
    state, band = home.strip(), "" if age is AT_FIRST else age.value
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        places = ranking(
            reader.connection,
            reader.federation,
            system,
            today=reader.today,
            most=PLACES_SHOWN,
            band=band,
            state=state,
            month=in_effect.newest,
        )
    caption = f"The {len(places)} highest" if len(places) == PLACES_SHOWN else "The highest first"
    return page(
        "public/rankings.html",
        reader.face,
        table=ranking_table(caption, places),
        system=system,
        state=state,
        band=band,
        bands={each: band_words(each) for each in AGE_BANDS},
        of_age=band_words(band) if band else "",
        age_day=age_day(reader.today),
        least=reader.federation.profile.least_published_games,
        month=in_effect.newest,
        missing=missing_words(in_effect.newest, in_effect.missing),
    )
