"""The federation for programs: what the book is, rankings, lists, rules."""

from datetime import date
from enum import Enum
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook import __version__
from ratebook.book.failures import refused
from ratebook.book.ledger.history import newest_section
from ratebook.book.ledger.lists import all_lists, members_after, newest_list, read_list
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.profile import revision
from ratebook.findings import Place
from ratebook.model import System
from ratebook.office.publish.lists import list_file, require_published
from ratebook.official_lists.write import LIST_FORMATS
from ratebook.pages.official.ranking import AGE_BANDS, ranking
from ratebook.pages.rules import rules_of_day
from ratebook.records.federation import BookSummary, ListSummary, RankingPlace, RatingOfList, RuleInForce
from ratebook.web.api.answers import ApiRequest, Cursor, Limit, json_answer, listed
from ratebook.web.api.routing import FILE, collection, resource
from ratebook.web.site import TheSite
from ratebook.wire import Items

AgeBand = Enum("AgeBand", [(one, one) for one in AGE_BANDS])  # type: ignore[misc]
ListForm = Enum("ListForm", [(one.name, one.name) for one in LIST_FORMATS])  # type: ignore[misc]


@resource("/book")
def book(site: TheSite) -> Response[BookSummary]:
    """The federation that is served, and how recent its ratings are."""
    with site.reading() as reader:
        return json_answer(
            BookSummary(
                name=reader.federation.profile.name,
                revision=revision(reader.connection),
                newest_section=newest_section(reader.connection),
                newest_list=newest_list(reader.connection) or None,
                systems=reader.federation.profile.systems,
                version=__version__,
            )
        )


@collection("/rankings/{system:str}")
def rankings(
    request: ApiRequest,
    site: TheSite,
    system: FromPath[System],
    home: Annotated[str, QueryParameter(name="state", max_length=20)] = "",
    age: Annotated[
        AgeBand | None, QueryParameter(description="Under (u) or at least (o) this age on 1 January.")
    ] = None,
    limit: Limit = 50,
) -> Response[Items[RankingPlace]]:
    """The highest rated players of a system; equal ratings share a rank."""
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        lines = ranking(
            reader.connection,
            reader.federation,
            system,
            today=reader.today,
            most=limit,
            band="" if age is None else age.value,
            state=home,
            month=in_effect.newest,
        )
    return listed(request, RankingPlace, lines)


@collection("/lists")
def lists(request: ApiRequest, site: TheSite) -> Response[Items[ListSummary]]:
    """The published official lists, the newest first."""
    with site.reading() as reader:
        return listed(request, ListSummary, all_lists(reader.connection))


@resource("/lists/{month:str}")
def official_list_of(site: TheSite, month: FromPath[str]) -> Response[ListSummary]:
    """An official list: its cut-off, and how many ratings it has."""
    with site.reading() as reader:
        lists = all_lists(reader.connection)
    summary = next((each for each in lists if each.month == month), None)
    if summary is None:
        raise refused(
            "list-unknown.not-published", Place(month=month), known=", ".join(each.month for each in lists)
        )
    return json_answer(summary)


@resource("/lists/{month:str}/files/{file:str}", of_bytes=True)
def list_as_file(site: TheSite, month: FromPath[str], file: FromPath[ListForm]) -> Response[bytes]:
    """An official list as a file in one of its formats."""
    with site.reading() as reader:
        taken = list_file(reader.connection, month, file.value)
    headers = {"content-disposition": f'attachment; filename="{taken.name}"'}
    return Response(taken.content, media_type=FILE, headers=headers)


@collection("/lists/{month:str}/ratings")
def list_ratings(
    request: ApiRequest, site: TheSite, month: FromPath[str], limit: Limit = 200, cursor: Cursor = ""
) -> Response[Items[RatingOfList]]:
    """The ratings of an official list, by player and system."""
    with site.reading() as reader:
        require_published(reader.connection, month)
        members = members_after(reader.connection, month, cursor, limit + 1)
        part = members[:limit]
        lines = read_list(reader.connection, month, among=(part[0], part[-1])) if part else []
    return listed(request, RatingOfList, lines, part[-1] if len(members) > limit else None)


@collection("/rules")
def rules(
    request: ApiRequest,
    site: TheSite,
    on: FromQuery[date | None] = None,
    system: FromQuery[System] = System.REGULAR,
) -> Response[Items[RuleInForce]]:
    """Every rule of a system that is in force on a day, and where it is written."""
    with site.reading() as reader:
        rules = rules_of_day(reader.federation.rulebook, system, on or reader.today)
    return listed(request, RuleInForce, rules)
