"""Events, and the crosstables of their sections."""

from litestar import Response
from litestar.params import FromPath

from ratebook.pages.event import SECTIONS, event_page
from ratebook.pages.section import result_columns, section_tables
from ratebook.web.public.links import player_page, section_page
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public("/events/{event_id:str}")
def event(site: TheSite, event_id: FromPath[str]) -> Response[bytes]:
    """Show an event with its sections."""
    with site.reading() as reader:
        found = event_page(reader.connection, event_id)
    table = html_table(
        "Sections",
        SECTIONS,
        found.sections,
        {"Name": lambda one: section_page(event_id, one.number)},
        heads="Name",
    )
    return page("event.html", event=found, table=table)


@public("/events/{event_id:str}/{number:int}")
def section(site: TheSite, event_id: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """Show the crosstables of a section: one for each system that rates it."""
    with site.reading() as reader:
        found = section_tables(reader.connection, reader.federation, event_id, number)
        header = event_page(reader.connection, event_id)
    tables = [
        html_table(
            f"Crosstable, {one.system}",
            result_columns(one.lines),
            one.lines,
            {"Name": lambda line: player_page(line.member)},
            heads="Name",
        )
        for one in found
    ]
    return page("section.html", event=header, found=found, tables=tables, number=number)
