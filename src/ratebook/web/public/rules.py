"""The dated rules: those in force on a day, and what differs between two days."""

from datetime import date

from litestar import Response
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.model import System
from ratebook.pages.rules import changes_by_theme, rules_by_theme, rules_of_day, systems_in_words
from ratebook.web.public.links import RULES_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public("/rules")
def rules_today(
    site: TheSite, on: FromQuery[date | None] = None, against: FromQuery[date | None] = None
) -> Redirect:
    """Lead to the rules of a day, of today if none is given, or to what differs between two."""
    day = on or site.today()
    address = RULES_PAGE(day) if against is None else f"/rules/{day}/against/{against}"
    return Redirect(address, status_code=303)


@public(RULES_PAGE)
def rules(site: TheSite, day: FromPath[date], system: FromQuery[System] = System.REGULAR) -> Response[bytes]:
    """Show every rule of a system that is in force on a day, with its source."""
    with site.reading() as reader:
        rulebook = reader.federation.rulebook
    lines = rules_of_day(rulebook, system, day)
    return page(
        "public/rules.html",
        reader.face,
        themes=rules_by_theme(rulebook, system, day, lines),
        day=day,
        system=system,
        documents=rulebook.documents,
    )


@public("/rules/{first:date}/against/{second:date}")
def rules_compared(site: TheSite, first: FromPath[date], second: FromPath[date]) -> Response[bytes]:
    """Show the values that differ between two days."""
    with site.reading() as reader:
        rulebook = reader.federation.rulebook
    return page(
        "public/rules_compared.html",
        reader.face,
        themes=changes_by_theme(rulebook, first, second),
        systems_in_words=systems_in_words,
        documents=rulebook.documents,
        first=first,
        second=second,
    )
