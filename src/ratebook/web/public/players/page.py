"""The page of a player with current and official ratings, and the history of rated sections."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.history import rated_years, rating_series
from ratebook.book.ledger.lists import published_ratings
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.rows import Standing
from ratebook.model import System
from ratebook.official_lists.calendar import first_day_of
from ratebook.pages.changes import what_waits
from ratebook.pages.columns import Column, Columns, event_title, id_last, shown
from ratebook.pages.crosstable import SYSTEM_TITLES, rating_text
from ratebook.pages.member import (
    NORMS,
    TITLES,
    history_page,
    member_and_standings,
    moved_words,
    rating_columns,
)
from ratebook.pages.official.lists import missing_words
from ratebook.pages.ratings import floor_in_force
from ratebook.rating.formulas import rounded
from ratebook.records.players import SectionResult
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.pictures.choices import GraphQuestion, choices
from ratebook.web.pictures.graph import NO_STANDARD, Standard, rating_graph
from ratebook.web.public.links import (
    EVENT_PAGE,
    HISTORY_PAGE,
    PLAYER_PAGE,
    SECTION_PAGE,
    TITLES_PAGE,
    why_page,
)
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Reader, TheSite

SECTIONS_SHOWN = 10
SECTIONS_AT_ONCE = 50


def _change(result: SectionResult) -> str:
    """Return the difference of the ratings as they are shown."""
    if result.change is None:
        return ""
    points = rounded(result.rating) - rounded(result.rating - result.change)
    return f"{points:+.0f}" if points else "0"


HISTORY: Columns[SectionResult] = (
    Column("Date", "end"),
    Column("Event", lambda one: "The office" if one.event is None else event_title(one.event_name, one.end)),
    Column("Score", lambda one: "" if one.moved else f"{one.score:g} of {one.games}", "right"),
    Column("Before", "before", "right", rating_text),
    Column("After", "after", "right", rating_text),
    Column("Change", _change, "right"),
    Column("Why", lambda one: moved_words(one) or ("floor" if one.at_floor else "why?")),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("Section", lambda one: one.section_name or shown(one.section)),
)


@public(PLAYER_PAGE)
def player(
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System | None] = None,
    since: Annotated[date | None, QueryParameter(name="from")] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
) -> Response[bytes] | Redirect:
    """Show a player: ratings now and official, a graph of some years and systems, the last sections, titles, norms."""
    question = GraphQuestion(system, since, until)
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        who, standings = member_and_standings(reader.connection, reader.federation, member, in_effect)
        if who.id != member:
            return Redirect(PLAYER_PAGE(who.id), status_code=308)
        last = history_page(
            reader.connection, reader.federation, member, before=END_OF_HISTORY, most=SECTIONS_SHOWN
        )
        series = rating_series(reader.connection, member)
        standard = _standard(reader, member, tuple(question.of(series)), standings, in_effect.newest)
        waiting = what_waits(reader.connection, member, last.lines[0].end if last.lines else None)
    return page(
        "public/player.html",
        reader.face,
        who=who,
        ratings=html_table("Ratings", rating_columns(in_effect.newest), who.ratings, heads="System"),
        missing=missing_words(*in_effect),
        last=_history_table(member, last.lines, "Last rated sections"),
        graph=rating_graph(
            who.name or who.id,
            question.of(series),
            lambda point, of: why_page(member, point.event_id, point.section, of),
            standard,
        ),
        choices=choices(series, question, reader.today),
        asked=question != GraphQuestion(),
        titles=html_table("Titles", TITLES, who.titles, {"Title": lambda one: TITLES_PAGE(level=one.code)}),
        norms=html_table("Norms", id_last(NORMS), who.norms, {"Event": lambda one: EVENT_PAGE(one.event)}),
        waiting=waiting,
    )


def _standard(
    reader: Reader,
    member: str,
    systems: tuple[System, ...],
    standings: Mapping[System, Standing],
    newest: str | None,
) -> Standard:
    """Return floor and official ratings, to the *newest* list, of the one system of a graph; none if it has several."""
    if len(systems) != 1:
        return NO_STANDARD
    (system,) = systems
    standing = standings.get(system)
    floor = None if standing is None else floor_in_force(reader.federation, system, standing, reader.today)
    official = [
        (first_day_of(rating.month), rating.official.rating)
        for rating in published_ratings(reader.connection, member)
        if rating.system is system and newest is not None and rating.month <= newest
    ]
    return Standard(floor, sorted(official), reader.today)


@public(HISTORY_PAGE)
def player_history(
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System | None] = None,
    year: Annotated[int | None, QueryParameter(ge=1900, le=9998)] = None,
    before: FromQuery[str] = END_OF_HISTORY,
) -> Response[bytes] | Redirect:
    """Show the rated sections of a player in a system and a year or in all, the newest first, some at a time."""
    first, end = ("", END_OF_HISTORY) if year is None else (str(year), str(year + 1))
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(HISTORY_PAGE(holding), status_code=308)
        systems = tuple(System) if system is None else (system,)
        history = history_page(
            reader.connection,
            reader.federation,
            holding,
            systems,
            before=min(before, end),
            since=first,
            most=SECTIONS_AT_ONCE,
        )
        years = rated_years(reader.connection, holding)
        name = names_of(reader.connection, [holding])[holding]
    table = _history_table(member, history.lines, "Rated sections, the newest first")
    return page(
        "public/history.html",
        reader.face,
        member=member,
        name=name,
        table=table,
        system=system,
        year=year,
        years=years,
        older=history.older,
    )


def _history_table(member: str, lines: tuple[SectionResult, ...], caption: str) -> HtmlTable:
    return html_table(
        caption,
        HISTORY,
        lines,
        {
            "Event": lambda line: _led(line, lambda event, _: EVENT_PAGE(event)),
            "Section": lambda line: _led(line, SECTION_PAGE),
            "Why": lambda line: why_page(member, line.event, line.section, line.system),
        },
    )


def _led(line: SectionResult, address: Callable[[str, int], str]) -> str:
    """Return where a line leads; a rating that a decision moved has no section."""
    if line.event is None or line.section is None:
        return ""
    return address(line.event, line.section)
