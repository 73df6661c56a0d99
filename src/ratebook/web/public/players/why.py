"""Why a rating moved, by steps with their figures and the sources of the rules, and what was changed later."""

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.opponents import members_by_seat
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.pages.changes import PUBLIC_CHANGES, changes_of_section, changes_page, what_waits
from ratebook.pages.columns import Columns
from ratebook.pages.event import event_page
from ratebook.pages.players.answer import answer_of
from ratebook.rating.explanation.public import explain_in_public
from ratebook.records.players import PlayerChange
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.layout.words import day_words
from ratebook.web.public.events import MOST_CHANGES, corrected_event
from ratebook.web.public.links import EVENT_CHANGES_PAGE, PLAYER_CHANGES_PAGE, WHY_PAGE, why_page
from ratebook.web.rendering import page
from ratebook.web.routing import NO_NUMBER, public
from ratebook.web.site import TheSite


@public(WHY_PAGE)
def why(
    site: TheSite,
    member: FromPath[str],
    event: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[bytes] | Redirect:
    """Explain what a section did to a rating, without figures that would reveal the age of a newcomer."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        header = event_page(reader.connection, event)
        rulebook = reader.federation.rulebook
        former = changes_of_section(reader.connection, reader.federation, holding, event, number)
        seats = members_by_seat(reader.connection, event, number)
        waiting = what_waits(reader.connection, holding, header.end)
    if holding != member:
        return Redirect(WHY_PAGE(holding, event, number, system=system), status_code=308)
    asked = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(site.book, member, event, asked, explain_in_public)
    rerated = tuple(change for change in former if system in {None, change.system})
    return page(
        "public/why.html",
        reader.face,
        member=member,
        name=explanations[0].name or member,
        event=header,
        number=number,
        explanations=[(explanation, answer_of(explanation)) for explanation in explanations],
        documents=rulebook.documents,
        former=_former_ratings(rerated),
        rerated=bool(rerated),
        seats=seats,
        waiting=waiting,
    )


@public(PLAYER_CHANGES_PAGE)
def player_changes(
    site: TheSite,
    member: FromPath[str],
    before: Annotated[int | None, QueryParameter(ge=1, lt=NO_NUMBER)] = None,
) -> Response[bytes] | Redirect:
    """Show the ratings of a player that were changed after they were first given, the newest changes first."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(PLAYER_CHANGES_PAGE(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        changes = changes_page(reader.connection, reader.federation, member, before=before, most=MOST_CHANGES)
    table = html_table(
        "Changed ratings, newest change first",
        _without("Section", "End", "System"),
        changes.lines,
        {
            "Event": lambda change: why_page(member, change.event, change.section, change.system),
            "Because": lambda change: (
                corrected_event(change.because) or (EVENT_CHANGES_PAGE(change.event) if change.event else "")
            ),
        },
        heads="Event",
        under={"Event": _when_and_where},
        narrow={"Event": lambda change: f"changed on {day_words(change.until, short=True)}"},
        wide=["Changed"],
        below=["Because"],
    )
    return page(
        "public/player_changes.html",
        reader.face,
        member=member,
        name=name,
        table=table,
        older=changes.older,
        before=before,
    )


def _without(*titles: str) -> Columns[PlayerChange]:
    return tuple(column for column in PUBLIC_CHANGES if column.title not in titles)


def _when_and_where(change: PlayerChange) -> str:
    return f"{day_words(change.end, short=True)} · {SYSTEM_TITLES[change.system].removeprefix('OTB ')}"


def _former_ratings(lines: tuple[PlayerChange, ...]) -> HtmlTable:
    """Return the former ratings of a player after one section, as the page of its explanation shows them."""
    return html_table(
        "It was re-rated",
        _without("Event", "Section", "End"),
        lines,
        {"Because": lambda one: corrected_event(one.because)},
        heads="Changed",
        below=["System", "Because"],
    )
