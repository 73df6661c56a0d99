"""Searching for members, and adding one."""

from typing import Annotated
from urllib.parse import quote

from litestar import Response
from litestar.params import FromQuery, QueryParameter

from ratebook.book.facts.members import MemberQuestion, find_members, free_id
from ratebook.book.facts.near_members import near_members
from ratebook.book.figures.size import size_of
from ratebook.findings import has_errors
from ratebook.formats.hints import is_seat_id
from ratebook.office.imports.actions import ADD_MEMBER
from ratebook.pages.columns import counted, id_last
from ratebook.pages.member import FOUND
from ratebook.web.forms.actions import does, inputs_of, shows, values_of, written
from ratebook.web.forms.context import RefusedError, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.layout.tables import html_table, spelled_out
from ratebook.web.layout.words import person_name
from ratebook.web.office import links
from ratebook.web.office.queue.repair import facts_of_seat
from ratebook.web.routing import Needs, shown_to
from ratebook.web.signed_in import own_address

DUPLICATE, MOST_PAGES, MOST_NUMBER = "possible-duplicate", 10_000, 10**9
ANOTHER = Input(DUPLICATE, "This is not the member named above", InputKind.CHECK, needed=False)
BACK = Input("back", "Page to go back to", InputKind.HIDDEN, needed=False)


@shown_to(Needs.OFFICE, links.MEMBERS)
def members_page(
    context: TheContext,
    q: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="page", ge=1, le=MOST_PAGES)] = 1,
) -> Response[bytes]:
    """Search for members by id, or by parts of the name."""
    words = " ".join(q.split())
    question = MemberQuestion(words, page=number, id_parts=True)
    with context.site.reading() as reader:
        members, total = find_members(reader.connection, question) if words else ([], 0)
        near = near_members(reader.connection, words) if words and not total else []
        has_members = total > 0 or size_of(reader.connection).members > 0
    table = html_table(
        "Did you mean …" if near else counted(total, "member"),
        spelled_out(id_last(FOUND), "Name", words=person_name),
        members or near,
        {"Name": lambda one: links.MEMBER(one.id)},
        heads="Name",
    )
    return context.page(
        "office/members/search.html",
        words=words,
        table=table,
        is_near=bool(near),
        has_members=has_members,
        number=number,
        more=total > number * question.most,
    )


@shows(ADD_MEMBER, f"{links.MEMBERS}/new")
def new_member(
    context: TheContext,
    of_report: Annotated[int, QueryParameter(name="report", ge=0, le=MOST_NUMBER)] = 0,
    section: Annotated[int, QueryParameter(ge=0, le=MOST_NUMBER)] = 0,
    seat: Annotated[int, QueryParameter(ge=0, le=MOST_NUMBER)] = 0,
) -> Response[bytes]:
    """Ask for the facts of a new member, first with those that a report has of a seat, to which it leads back then."""
    facts = facts_of_seat(context, of_report, section, seat) if of_report else None
    if facts is not None:
        values = {BACK.name: links.FIX_SEAT(of_report, section, seat)}
        for parameter in ADD_MEMBER.parameters:
            value = getattr(facts, parameter.name, None)
            if value and not (parameter.name == "id" and is_seat_id(value)):
                values |= written(parameter, value)
        context = context.saying(values)
    codes = {finding.code for finding in context.findings}
    doubted = DUPLICATE in codes or context.sent.is_checked(DUPLICATE)
    inputs = (*inputs_of(ADD_MEMBER), *([ANOTHER] if doubted else []), BACK)
    with context.site.reading() as reader:
        free = free_id(reader.connection, reader.federation.profile.member_id_pattern)
    hints = {"name": "Last name first: Adams, Ann."}
    if free:
        hints["id"] = f"{free} is the next free id."
    inputs = tuple(each._replace(hint=hints.get(each.name, each.hint)) for each in inputs)
    form = context.saying({"id": free}).form(f"{links.MEMBERS}/new", "Add the member", inputs)
    return context.page("office/members/new.html", form=form, back=own_address(context.sent.text(BACK.name)))


@does(ADD_MEMBER, f"{links.MEMBERS}/new")
def add(context: TheContext) -> Answer:
    """Add a member."""

    def work() -> str:
        values = values_of(ADD_MEMBER, context.sent)
        values["accept"] = [DUPLICATE] if context.sent.is_checked(DUPLICATE) else None
        added = ADD_MEMBER.done(context.site.book, context.because, values, context.site.today())
        if has_errors(added.findings):
            raise RefusedError(added.findings)
        back = own_address(context.sent.text(BACK.name))
        return f"{back}?member={quote(values['id'], safe='')}" if back else links.MEMBER(values["id"])

    return context.decide(inputs_of(ADD_MEMBER), work, new_member)
