"""The page of a player with current and official ratings, and the history of rated sections."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, NamedTuple

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect
from markupsafe import Markup

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.figures.ranks import active_ratings
from ratebook.book.ledger.history import SeriesPoint, rated_years
from ratebook.book.ledger.lists import ratings_by_month
from ratebook.book.ledger.official import ListInEffect, list_in_effect
from ratebook.book.ledger.rows import Standing
from ratebook.model import System
from ratebook.official_lists.calendar import first_day_of
from ratebook.pages.changes import what_waits
from ratebook.pages.columns import Column, Columns, event_title, points_words
from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import history_page, moved_words, read_career
from ratebook.pages.official.lists import missing_words
from ratebook.pages.opponents import lines_of, opposition_of
from ratebook.pages.ratings import floor_in_force
from ratebook.records.players import CurrentRating, Norm, Opponent, Player, Score, SectionResult
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.titles.title_rules import title_rules
from ratebook.web.layout.tables import HtmlTable, change_look, html_table
from ratebook.web.layout.words import day_words, in_title_case, person_name
from ratebook.web.pictures.activity import activity
from ratebook.web.pictures.choices import GraphQuestion, ranges_of
from ratebook.web.pictures.graph import NO_STANDARD, GraphLine, Standard, rating_graph
from ratebook.web.pictures.histogram import Histogram, histogram
from ratebook.web.pictures.pips import pips
from ratebook.web.pictures.spark import Sparkline, sparkline
from ratebook.web.public.links import HISTORY_PAGE, PLAYER_PAGE, SECTION_PAGE, WHY_PAGES, why_page
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Reader, TheSite

SECTIONS_SHOWN = 8
SECTIONS_AT_ONCE = 50
OPPONENTS_SHOWN = 5
SECTIONS_COUNTED = 100
"""Newest sections of a system in which the first page of a player looks for opponents."""


def change_words(result: SectionResult) -> str:
    """Return the difference of the ratings as they are shown; for who was unrated that there is a rating now."""
    if result.points is None:
        return "" if result.moved else "new"
    return f"{result.points:+d}" if result.points else "0"


HISTORY: Columns[SectionResult] = (
    Column(
        "Event",
        lambda one: (
            "The office" if one.event is None else in_title_case(event_title(one.event_name, one.end))
        ),
    ),
    Column("Score", lambda one: "" if one.moved else f"{points_words(one.score)} of {one.games}"),
    Column("Before", "before", "right", rating_text),
    Column("After", "after", "right", rating_text),
    Column("Change", change_words, "right"),
    Column("Why", lambda one: moved_words(one) or ("floor" if one.at_floor else "Why?")),
)


NORMS: Columns[Norm] = (
    Column("Event", lambda norm: in_title_case(event_title(norm.event_name, norm.end))),
    Column("Level", "level", "right"),
    Column("Score", lambda norm: points_words(norm.score), "right"),
    Column("Expected", "expected", "right", ".2f"),
)


_ORDER = {title.code: at for at, title in enumerate(title_rules().titles)}
"""The titles in order, those by norms before those by ratings."""


class RatingCard(NamedTuple):
    """A rating of a player as a card: its line, where its graph is, and whether the graph is of it."""

    rating: CurrentRating
    line: Sparkline | None
    address: str
    is_here: bool


class AmongActive(NamedTuple):
    """Where the official rating of a player is among those of all active players of a system."""

    system: System
    players: int
    bars: Histogram


class Rivals(NamedTuple):
    """Whom a player has met most often in a system, and the score against everybody there."""

    system: System
    opponents: list[Opponent]
    everybody: Score
    is_part: bool


@public(PLAYER_PAGE)
def player(
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System | None] = None,
    since: Annotated[date | None, QueryParameter(name="from")] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
) -> Response[bytes] | Redirect:
    """Show a player: ratings now and official, a graph of some years and systems, results, opponents, titles."""
    question = GraphQuestion(system, since, until)
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        who, (series, standings) = read_career(reader.connection, reader.federation, member, in_effect)
        if who.id != member:
            return Redirect(PLAYER_PAGE(who.id), status_code=308)
        last = history_page(
            reader.connection, reader.federation, member, before=END_OF_HISTORY, most=SECTIONS_SHOWN
        )
        standard = _standard(reader, member, tuple(question.of(series)), standings, in_effect.newest)
        waiting = what_waits(reader.connection, member, last.lines[0].end if last.lines else None)
        rivals = _rivals(reader, member, series, system)
        among = _among(reader, who, in_effect, system)
    return page(
        "public/player.html",
        reader.face,
        who=who,
        cards=[
            RatingCard(
                rating,
                sparkline(series.get(rating.system, ())),
                question._replace(system=rating.system).address,
                rating.system is system,
            )
            for rating in who.ratings
        ],
        missing=missing_words(in_effect.newest, in_effect.missing, in_effect.coming),
        last=_history_table(member, last.lines, "Recent results"),
        graph=rating_graph(
            f"Ratings of {person_name(who.name) or who.id}",
            [
                GraphLine(SYSTEM_TITLES[of], of, points, WHY_PAGES(member))
                for of, points in question.of(series).items()
            ],
            standard,
        ),
        ranges=ranges_of(series, question, reader.today),
        all_systems=question._replace(system=None).address if len(series) > 1 else "",
        chosen=system,
        asked=question != GraphQuestion(),
        highest=max(who.titles, key=lambda title: _ORDER.get(title.code, -1), default=None),
        norms=html_table(
            "Norms, newest first",
            NORMS,
            who.norms[::-1],
            {"Event": lambda norm: SECTION_PAGE(norm.event, norm.section)},
            under={"Event": lambda norm: day_words(norm.end, short=True)},
        ),
        waiting=waiting,
        rivals=rivals,
        among=among,
        activity=activity(_games_by_day(series), reader.today),
    )


def _among(reader: Reader, who: Player, in_effect: ListInEffect, system: System | None) -> AmongActive | None:
    """Return where a player is among the active ones, in the system of the page or else in that of most games."""
    ranked = [rating for rating in who.ratings if rating.rank and system in {None, rating.system}]
    rating = max(ranked, key=lambda each: each.games, default=None)
    if rating is None or rating.official is None or not in_effect.newest or not in_effect.cut_off:
        return None
    active = active_ratings(reader.connection, in_effect.newest, in_effect.cut_off, rating.system)
    bars = histogram(active.bands, rating.official.rating)
    return bars and AmongActive(rating.system, len(active.everywhere), bars)


def _games_by_day(series: Mapping[System, Sequence[SeriesPoint]]) -> Iterator[tuple[date, int]]:
    """Yield the games of each section once, with the day on which it ended."""
    counted = set()
    for point in (point for points in series.values() for point in points):
        if point.place and point.place not in counted:
            counted.add(point.place)
            yield point.end, point.played


def _rivals(
    reader: Reader, member: str, series: Mapping[System, Sequence[SeriesPoint]], system: System | None
) -> Rivals | None:
    """Return whom a player has met in the system of the page, or else in that of most sections."""
    systems = [system] if system in series else sorted(series, key=lambda one: -len(series[one]))
    if not systems or systems[0] is None:
        return None
    ends = [point.end for point in series[systems[0]]]
    is_part = len(ends) > SECTIONS_COUNTED
    since = ends[-SECTIONS_COUNTED].isoformat() if is_part else ""
    met = opposition_of(reader.connection, reader.federation, member, systems[0], since=since)
    lines = lines_of(reader.connection, met, met.most_met()[:OPPONENTS_SHOWN])
    return Rivals(systems[0], lines, met.record.score, is_part) if met.record else None


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
        (first_day_of(month), rating)
        for month, rating in ratings_by_month(reader.connection, member, system, newest or "")
    ]
    return Standard(floor, official, reader.today)


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
    table = _history_table(member, history.lines, "Rated sections, newest first")
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
    why = {id(line): why_page(member, line.event, line.section, line.system) for line in lines}
    return html_table(
        caption,
        HISTORY,
        lines,
        {
            "Event": lambda line: _led(line, SECTION_PAGE),
            "Change": lambda line: why[id(line)],
            "Why": lambda line: why[id(line)],
        },
        under={"Event": _where_and_when},
        looks={"Change": change_look},
        pictures={"Score": lambda line: pips(line.results), "Change": _on_a_phone},
        wide=["Before", "After"],
    )


def _on_a_phone(line: SectionResult) -> Markup:
    """Return the rating after, whose column a narrow screen leaves out."""
    return Markup(f'<span class="narrow">{rating_text(line.after)}<br></span>')  # noqa: S704 - a number, or a word


def _where_and_when(line: SectionResult) -> str:
    section = "" if line.section is None else in_title_case(line.section_name or f"section {line.section}")
    system = SYSTEM_TITLES[line.system].removeprefix("OTB ")
    title = "" if section.casefold() in system.casefold().split() else section
    return " · ".join(filter(None, (f"{line.end.day} {line.end:%b %Y}", system, title)))


def _led(line: SectionResult, address: Callable[[str, int], str]) -> str:
    """Return where a line leads; a rating that a decision moved has no section."""
    if line.event is None or line.section is None:
        return ""
    return address(line.event, line.section)
