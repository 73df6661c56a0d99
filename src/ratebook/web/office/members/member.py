"""A member with what only the office may see; each look is noted in the log."""

from datetime import date
from typing import NamedTuple

from litestar import Response
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.audit import RecordFilter
from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.decisions import newest_decisions
from ratebook.book.facts.member_files import MemberBalance, MemberDecision, load_member_files
from ratebook.book.facts.members import MemberFacts, holding_id, load_members
from ratebook.book.facts.memberships import FROM_EVER
from ratebook.model import Shown, System
from ratebook.pages.columns import Column, Columns, event_title, used_columns
from ratebook.pages.member import history_page, member_page, rating_columns, would_be_official
from ratebook.pages.official.lists import change_text, missing_words, month_words
from ratebook.pages.records import OFFICIAL
from ratebook.records.players import SectionResult
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.context import TheContext
from ratebook.web.layout.tables import change_look, html_table
from ratebook.web.layout.words import code_words, day_words
from ratebook.web.office import links
from ratebook.web.office.records import decisions_table
from ratebook.web.routing import Needs, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.log import LogKind

MOST_DECISIONS, SECTIONS_SHOWN = 50, 10


class ForeignLine(NamedTuple):
    """A rating on a list of another federation."""

    source: str
    day: str
    rating: float


BALANCES: Columns[tuple[System, MemberBalance]] = (
    Column("System", lambda one: SYSTEM_TITLES[one[0]]),
    Column("As of", lambda one: str(one[1].as_of)),
    Column("Rating", lambda one: f"{one[1].rating.rating:g}", "right"),
    Column("Games", lambda one: "" if one[1].rating.games is None else f"{one[1].rating.games:g}", "right"),
    Column("Peak", lambda one: "" if one[1].rating.peak is None else f"{one[1].rating.peak:g}", "right"),
    Column("Floors", lambda one: ", ".join(f"{floor.kind.value} {floor.floor:g}" for floor in one[1].floors)),
)
HOLDS: Columns[MemberDecision] = (
    Column("Kind", lambda one: code_words(one.kind)),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("From", "effective"),
    Column("Value", lambda one: "" if one.value is None else f"{one.value:g}", "right"),
    Column("Decision", "id", "right"),
)
LAST: Columns[SectionResult] = (
    Column("End", "end"),
    Column("Event", lambda one: "The office" if one.event is None else event_title(one.event_name, one.end)),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("Before", "before", "right"),
    Column("After", "after", "right"),
    Column("Change", lambda one: change_text(one.before, one.after), "right"),
)
MEMBERSHIPS: Columns[tuple[str, str]] = (
    Column("First day", lambda one: one[0]),
    Column("Last day", lambda one: one[1]),
)
FOREIGN: Columns[ForeignLine] = (
    Column("List", "source"),
    Column("Of", "day"),
    Column("Rating", "rating", "right"),
)


@shown_to(Needs.OFFICE, links.MEMBER)
def member(context: TheContext, member: FromPath[str]) -> Response[bytes] | Redirect:
    """Show a member: private facts, ratings, balances, what decisions hold, memberships."""
    with context.site.reading() as reader:
        connection = reader.connection
        holding = holding_id(connection, member)
        if holding != member:
            return onward(links.MEMBER(holding))
        stored = load_members(connection, [member])[member]
        about = load_member_files(connection, [member])[member]
        who = member_page(connection, reader.federation, member, reader.today)
        would_be: list[tuple[System, Shown]] = []
        if who.missing_list is not None:
            would_be += would_be_official(connection, reader.federation, member, who.missing_list).items()
        last = history_page(connection, reader.federation, member, before=END_OF_HISTORY, most=SECTIONS_SHOWN)
        subject = RecordFilter(subject=f"member {member}")
        decisions = decisions_table(
            connection, newest_decisions(connection, MOST_DECISIONS, subject), whose=member
        )
    with context.gate.store.writing() as log:
        context.note(log, LogKind.PRIVATE_VIEWED, f"member {member}")
    foreign = [
        ForeignLine(source.upper(), str(rating.as_of or ""), rating.rating)
        for source, ratings in about.foreign.items()
        for rating in reversed(ratings)
    ]
    periods = [
        ("" if first == FROM_EVER else str(first), "for life" if last == date.max else str(last))
        for first, last in reversed(about.memberships)
    ]
    return context.page(
        "office/members/member.html",
        who=who,
        erased=stored.erased,
        facts=_facts(stored.facts),
        marks={
            "US flag": about.flag_on(context.site.today()),
            "opted in to foreign FIDE events": about.opted_in_before(context.site.today()),
        },
        ratings=html_table(
            "Ratings",
            used_columns(rating_columns(who.official_list), who.ratings),
            who.ratings,
            heads="System",
            wide=("Class", "As of", "Rank"),
        ),
        missing=missing_words(who.official_list, who.missing_list),
        would_be=html_table(
            f"What the list of {month_words(who.missing_list)} would say if it were published now"
            if who.missing_list
            else "",
            OFFICIAL,
            would_be,
            heads="System",
        ),
        last=html_table(
            "Last rated sections, and why the rating moved",
            LAST,
            last.lines,
            {
                "Event": lambda line: links.SECTION(line.event, line.section) if line.section else "",
                "After": lambda line: links.WHY(member, line.event, line.section) if line.section else "",
            },
            heads="Event",
            narrow={
                "Event": lambda line: f"{day_words(line.end, short=True)} · {SYSTEM_TITLES[line.system]}"
            },
            looks={"Change": change_look},
            wide=("End", "System", "Before"),
        ),
        balances=html_table(
            "Opening balances", BALANCES, list(about.balances.items()), wide=("As of", "Peak")
        ),
        holds=html_table("Decisions in force", HOLDS, about.decisions),
        memberships=html_table("Memberships", MEMBERSHIPS, periods),
        foreign=html_table("Ratings on other lists", FOREIGN, foreign),
        decisions=decisions,
    )


def _facts(facts: MemberFacts) -> dict[str, str]:
    """Return the private facts of a member in words."""
    adult = {True: "yes", False: "no", None: ""}[facts.adult]
    texts = {
        "Birth date": day_words(facts.birth_date),
        "Adult": adult,
        "Sex": facts.sex,
        "State": facts.state,
        "Lives in Canada": "yes" if facts.canadian_resident else "",
        "Club or school": facts.club,
        "FIDE id": facts.fide_id,
        "FIDE title": facts.title,
        "FIDE federation": facts.federation,
    }
    return {name: text for name, text in texts.items() if text}
