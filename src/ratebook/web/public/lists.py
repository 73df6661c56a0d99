"""Official lists: which there are, one with its files, what differs between two, and a player's ratings in all."""

from enum import Enum
from functools import partial
from typing import Annotated

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect
from markupsafe import Markup

from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.facts.near_members import near_members
from ratebook.book.ledger.lists import ListQuestion, list_headers
from ratebook.book.ledger.official import list_in_effect
from ratebook.model import System
from ratebook.office.publish.lists import list_file
from ratebook.official_lists.calendar import month_of
from ratebook.official_lists.write import LIST_FORMATS
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.official.lists import (
    LISTS,
    MOST_CHANGES,
    ListRow,
    difference_columns,
    list_columns,
    list_page,
    lists_compared,
    missing_words,
    month_words,
    moved_text,
    official_columns,
    official_months,
    part_around,
)
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.tables import HtmlTable, Look, change_look, html_table, spelled_out
from ratebook.web.layout.words import person_name
from ratebook.web.public.links import (
    LIST_FILE,
    LIST_PAGE,
    LISTS_AGAINST,
    OFFICIAL_PAGE,
    PLAYER_PAGE,
    player_anchor,
)
from ratebook.web.public.rankings import trends_of
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

BY_NAME = "name"
ORDERS = (BY_NAME, *(one.value for one in System))
Order = Enum("Order", [(one, one) for one in ORDERS])  # type: ignore[misc]
"""By what a list can be ordered."""
AT_FIRST = Order(BY_NAME)
MEDIA_TYPES = {
    "txt": "text/plain",
    "html": "text/html",
    "csv": "text/csv; header=present",
    "json": "application/json",
    "DBF": "application/x-dbf",
}
"""What a file is, by the ending of its name."""
KINDS = {
    "risen": "Up, largest gain first",
    "fallen": "Down, largest loss first",
    "new": "New, highest first",
    "gone": "No longer in the list, highest first",
}
UNDER_NAMES = {"State", "ID"}
TREND = Column[ListRow]("Trend", lambda _: "")
PLACE_IN_LIST: Columns[ListRow] = (Column("Place", lambda _: "Show in the list"),)
MOVED = {"Change": lambda text: Look.PLAIN if text in {"0", "new"} else change_look(text)}


@public("/lists")
def lists(site: TheSite) -> Response[bytes]:
    """Show which official lists are published."""
    with site.reading() as reader:
        headers = list_headers(reader.connection)
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
    table = html_table(
        counted(len(headers), "official list"),
        LISTS,
        headers,
        {"List": lambda one: LIST_PAGE(one.month)},
        wide=["Published"],
    )
    return page(
        "public/lists.html",
        reader.face,
        table=table,
        missing=missing_words(in_effect.newest, in_effect.missing, in_effect.coming) if headers else "",
    )


@public(LIST_PAGE)
def list_of_month(
    site: TheSite,
    month: FromPath[str],
    q: Annotated[str, QueryParameter(max_length=100)] = "",
    sort: FromQuery[Order] = AT_FIRST,
    after: Annotated[str, QueryParameter(max_length=40)] = "",
    at: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[bytes]:
    """Show a part of an official list, by name or rating: the first, or the one with a player; and its files."""
    words = " ".join(q.split())
    system = None if sort.value == BY_NAME else System(sort.value)
    with site.reading() as reader:
        around = part_around(reader.connection, month, system, at) if at and not after else None
        official = list_page(reader.connection, month, around or ListQuestion(words, system, after))
        near = near_members(reader.connection, words) if words and not official.rows and not after else []
        members = [row.member for row in official.rows]
        trends = trends_of(reader, system, month, members) if system is not None else {}
    order = "By name" if system is None else f"By {SYSTEM_TITLES[system]}, highest first"
    columns = tuple(one for one in list_columns(official, system) if one.title not in UNDER_NAMES)
    if system is not None:
        columns = (*spelled_out(columns, "Name", words=person_name), TREND)
    table = html_table(
        order,
        (*columns, *(PLACE_IN_LIST if words else ())),
        official.rows,
        {
            "Name": lambda row: PLAYER_PAGE(row.member),
            "Place": lambda row: (
                f"{LIST_PAGE(month, sort=sort.value, at=row.member)}#{player_anchor(row.member)}"
            ),
        },
        under={"Name": lambda row: " · ".join(filter(None, (row.state, row.member)))},
        narrow={SYSTEM_TITLES[system]: lambda row: row.change} if system else None,
        looks=MOVED,
        pictures={"Trend": lambda row: trends.get(row.member, Markup())} if trends else None,
        wide=("Trend", "Change"),
        below=[SYSTEM_TITLES[other] for other in System if other is not system],
        sought=lambda row: row.member == at,
        anchors=lambda row: player_anchor(row.member),
    )
    return page(
        "public/list.html",
        reader.face,
        found=official,
        table=table,
        words=words,
        near=[(person_name(player.name), LIST_PAGE(month, sort=sort.value, at=player.id)) for player in near],
        sort=sort.value,
        is_coming=month > month_of(reader.today),
        is_part=bool(after or around),
        lacking=at if at and not any(row.member == at for row in official.rows) else "",
        formats=[
            (form.title[:1].upper() + form.title[1:], LIST_FILE(month, form.name)) for form in LIST_FORMATS
        ],
        difference="" if official.before is None else LISTS_AGAINST(official.before.month, month),
    )


@public(LISTS_AGAINST)
def lists_difference(
    site: TheSite, earlier: FromPath[str], later: FromPath[str], system: FromQuery[System | None] = None
) -> Response[bytes]:
    """Show what differs between two lists in a system: what rose and fell most, who is new and who is gone."""
    with site.reading() as reader:
        compared = lists_compared(reader.connection, earlier, later, system)

    def table(kind: str) -> HtmlTable:
        number = compared.counts[kind]
        shown = f" ({MOST_CHANGES} of {number:,})" if number > MOST_CHANGES else ""
        links = {"Name": lambda one: PLAYER_PAGE(one.member)}
        names = {member: person_name(name) for member, name in compared.names.items()}
        return html_table(
            KINDS[kind] + shown,
            difference_columns(earlier, later, kind, names)[:-1],
            compared.rows[kind],
            links,
            under={"Name": lambda change: change.member},
            looks=MOVED,
            wide=[month_words(earlier)] if kind != "gone" else (),
        )

    return page(
        "public/lists_compared.html",
        reader.face,
        months=(earlier, later),
        links=(LIST_PAGE(earlier), LIST_PAGE(later)),
        found=compared,
        tables=[table(kind) for kind in KINDS],
    )


@public(LIST_FILE)
def list_in_file(site: TheSite, month: FromPath[str], kind: FromPath[str]) -> Response[bytes]:
    """Give an official list as a file, as the office publishes it, without what is not public."""
    if kind not in {one.name for one in LIST_FORMATS}:
        raise NotFoundException
    with site.reading() as reader:
        file = list_file(reader.connection, month, kind)
    return Response(
        file.content,
        media_type=MEDIA_TYPES[file.name.rpartition(".")[2]],
        headers={"content-disposition": f'attachment; filename="{file.name}"'},
    )


@public(OFFICIAL_PAGE)
def official_ratings(site: TheSite, member: FromPath[str]) -> Response[bytes] | Redirect:
    """Show a player's ratings in the official lists, the newest first, and by how much each moved."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(OFFICIAL_PAGE(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        months = official_months(reader.connection, member)
    table = html_table(
        "Official ratings, newest list first",
        (Column("List", lambda one: month_words(one.month, short=True)), *official_columns(months)[1:]),
        months,
        {"List": lambda one: LIST_PAGE(one.month)},
        narrow={SYSTEM_TITLES[system]: partial(moved_text, system=system) for system in System},
        looks=MOVED,
        wide=["Change"],
        below=list(SYSTEM_TITLES.values()),
    )
    return page("public/official.html", reader.face, member=member, name=name, table=table)
