"""Rankings: the highest rated members of each system, of a state, of an age group."""

from enum import Enum
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.ledger.official import list_in_effect
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.official.lists import missing_words
from ratebook.pages.official.ranking import AGE_BANDS, age_day, band_words, ranking
from ratebook.records.federation import RankingPlace
from ratebook.web.layout.tables import html_table
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
    Column("Name", "name"),
    Column("Rating", "current", "right"),
    Column("State", "state"),
    Column("ID", "player"),
)


@public("/rankings")
def all_rankings(site: TheSite) -> Response[bytes]:
    """Show the highest rated members of each system, with the way to more of them."""
    with site.reading() as reader:
        lines = {
            system: ranking(
                reader.connection, reader.federation, system, today=reader.today, most=FIRST_PLACES
            )
            for system in System
        }
    tables = {
        system: html_table(
            SYSTEM_TITLES[system], RANKING, places, {"Name": lambda line: PLAYER_PAGE(line.player)}
        )
        for system, places in lines.items()
        if places
    }
    return page("public/all_rankings.html", reader.face, tables=tables, most=PLACES_SHOWN)


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
        lines = ranking(
            reader.connection,
            reader.federation,
            system,
            today=reader.today,
            most=PLACES_SHOWN,
            band=band,
            state=state,
        )
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
    caption = f"The {len(lines)} highest" if len(lines) == PLACES_SHOWN else "The highest first"
    return page(
        "public/rankings.html",
        reader.face,
        table=html_table(caption, RANKING, lines, {"Name": lambda line: PLAYER_PAGE(line.player)}),
        system=system,
        state=state,
        band=band,
        bands={each: band_words(each) for each in AGE_BANDS},
        of_age=band_words(band) if band else "",
        age_day=age_day(reader.today),
        least=reader.federation.profile.least_published_games,
        month=in_effect.newest,
        missing=missing_words(*in_effect),
    )
