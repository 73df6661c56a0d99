"""Searching for members, and adding one."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from litestar import Response
from litestar.params import FromQuery, QueryParameter

from ratebook.book.facts.members import MemberQuestion, find_members
from ratebook.findings import Finding, has_errors
from ratebook.model import PlayerFacts, Sex
from ratebook.office.imports.members import add_member
from ratebook.pages.columns import counted, id_last
from ratebook.pages.member import FOUND
from ratebook.player_lists.row import clean_name
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer, form_key
from ratebook.web.office import links
from ratebook.web.rendering import html_table
from ratebook.web.routing import Needs, done_by, shown_to

DUPLICATE, MOST_PAGES = "possible-duplicate", 10_000
TEXTS = ("state", "club", "fide_id", "title", "federation")
ADULT = (("yes", "yes"), ("no", "no"))
SEXES = ((Sex.FEMALE.value, "female"), (Sex.MALE.value, "male"), (Sex.OTHER.value, "neither"))
FACTS = (
    Input("id", "Member id"),
    Input("name", "Name", hint="The last name first: Adams, Ann."),
    Input("birth_date", "Birth date", InputKind.DATE, needed=False, hint="Shown to the office alone."),
    Input(
        "adult",
        "Adult",
        InputKind.CHOICE,
        needed=False,
        choices=ADULT,
        hint="Where the birth date is not known.",
    ),
    Input("state", "State", needed=False),
    Input("club", "Club or school", needed=False),
    Input("expires", "Last day of the membership", InputKind.DATE, needed=False),
    Input("fide_id", "FIDE id", needed=False),
    Input("sex", "Sex", InputKind.CHOICE, needed=False, choices=SEXES),
    Input("title", "FIDE title", needed=False),
    Input("federation", "FIDE federation", needed=False, hint="Such as USA."),
    Input("canadian_resident", "Lives in Canada, so that CFC ratings count", InputKind.CHECK, needed=False),
    Input(DUPLICATE, "Another person than the member who is named above", InputKind.CHECK, needed=False),
)


@shown_to(Needs.OFFICE, links.MEMBERS)
def members_page(
    context: TheContext,
    q: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="page", ge=1, le=MOST_PAGES)] = 1,
) -> Response[bytes]:
    """Search for members by id, or by parts of the name."""
    words = " ".join(q.split())
    asked = MemberQuestion(words, page=number)
    with context.site.reading() as reader:
        found, total = find_members(reader.connection, asked) if words else ([], 0)
    table = html_table(
        counted(total, "member"),
        id_last(FOUND),
        found,
        {"Name": lambda one: links.member_address(one.id)},
        heads="Name",
    )
    return context.page(
        "office/members/search.html",
        words=words,
        table=table,
        number=number,
        more=total > number * asked.most,
    )


@shown_to(Needs.OFFICE, f"{links.MEMBERS}/new")
def new_member(
    context: TheContext,
    number: Annotated[str, QueryParameter(name="id")] = "",
    name: FromQuery[str] = "",
) -> Response[bytes]:
    """Ask for the facts of a new member."""
    return _page(context.saying({"id": number, "name": name}))


@done_by(Needs.OFFICE, f"{links.MEMBERS}/new")
def add(context: TheContext) -> Answer:
    """Add a member."""

    def work() -> str:
        number = context.sent.text("id")
        texts: dict[str, Any] = {one: clean_name(context.sent.text(one)) for one in TEXTS}
        facts = PlayerFacts(
            number,
            clean_name(context.sent.text("name")),
            birth_date=context.sent.day("birth_date"),
            adult={"yes": True, "no": False}.get(context.sent.text("adult")),
            canadian_resident=context.sent.is_checked("canadian_resident"),
            sex=Sex(context.sent.text("sex")) if context.sent.text("sex") else None,
            **texts,
        )
        accepted = [DUPLICATE] if context.sent.is_checked(DUPLICATE) else []
        added = add_member(
            context.site.book,
            facts,
            context.because.actor,
            expires=context.sent.day("expires"),
            accepted=accepted,
        )
        if has_errors(added.findings):
            raise RefusedError(added.findings)
        return links.member_address(number)

    return context.decide(FACTS, work, partial(_page, context))


def _page(context: RequestContext, findings: Sequence[Finding] = (), status: int = 200) -> Response[bytes]:
    doubted = any(one.code == DUPLICATE for one in findings) or context.sent.is_checked(DUPLICATE)
    inputs = FACTS if doubted else FACTS[:-1]
    values = context.sent.values(inputs)
    form = Form(f"{links.MEMBERS}/new", "Add the member", inputs, values, findings, form_key(context.gate))
    return context.page("office/members/new.html", status=status, form=form)
