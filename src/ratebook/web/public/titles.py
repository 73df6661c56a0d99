"""Titles: which there are, who has one and by which sections, and who is on the way to it."""

from typing import Annotated

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from ratebook.pages.columns import Column, Columns
from ratebook.pages.official.titles import CANDIDATES, NumberedTitle, numbered_titles
from ratebook.pages.official.titles import title_page as page_of_title
from ratebook.titles.title_rules import title_rules
from ratebook.web.layout.tables import html_table, spelled_out
from ratebook.web.layout.words import person_name
from ratebook.web.public.links import PLAYER_PAGE, SECTION_PAGE, TITLES_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import TheSite

HOLDERS_AT_ONCE = 50

TITLES: Columns[NumberedTitle] = (Column("Title", "name"), Column("Players", "number", "right", ","))


@public(TITLES_PAGE)
def titles(
    site: TheSite, level: Annotated[str, QueryParameter(max_length=10)] = "", number: PageNumber = 1
) -> Response[bytes]:
    """Show all titles, or the holders of one, some at a time."""
    with site.reading() as reader:
        if not level:
            table = html_table(
                "All titles",
                TITLES,
                numbered_titles(reader.connection),
                {"Title": lambda row: TITLES_PAGE(level=row.code)},
                under={"Title": lambda row: row.asks},
            )
            return page("public/titles.html", reader.face, table=table)
        title = next((each for each in title_rules().titles if each.code == level), None)
        if title is None:
            raise NotFoundException
        holders = page_of_title(reader.connection, title, most=HOLDERS_AT_ONCE, number=number)
    candidates = html_table(
        "On the way: norms made so far",
        spelled_out(CANDIDATES[:-2], "Name", words=person_name),
        holders.candidates,
        {"Name": lambda candidate: PLAYER_PAGE(candidate.member)},
        under={"Name": lambda candidate: " · ".join(filter(None, (candidate.state, candidate.member)))},
    )
    return page(
        "public/title.html",
        reader.face,
        found=holders,
        number=number,
        candidates=candidates,
        player_page=PLAYER_PAGE,
        section_page=SECTION_PAGE,
    )
