"""A section of a report that is typed: its facts, its players, and a table of their results."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.connection import Connection
from ratebook.book.facts.members import MemberQuestion, find_members, names_of
from ratebook.book.facts.near_members import near_members
from ratebook.findings import Finding, has_errors
from ratebook.formats.reading.cells import small_number
from ratebook.player_lists.names import names_agree
from ratebook.records.players import FoundPlayer
from ratebook.reports.draft import (
    MOST_PLAYERS,
    MOST_ROUNDS,
    NEWCOMER,
    Draft,
    DraftPlayer,
    DraftSection,
    has_id,
)
from ratebook.reports.merging import decided, fields_of, merged_section
from ratebook.reports.other_sides import settled, with_opponents_results
from ratebook.web.director.links import CHOOSE, PREVIEW, TYPED_ROUND, TYPED_SECTION
from ratebook.web.director.typed.event import previewed, read_again, typed_report, unsent
from ratebook.web.director.typed.fields import (
    KEEP,
    LONGEST_CELL,
    LONGEST_ID,
    LONGEST_NAME,
    differing,
    kept_answer,
    player_fields_in,
    seen_in,
    seen_text,
    texts_in,
)
from ratebook.web.director.typed.mistakes import SECTION, field_words, section_mistakes
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.trial.kept import Trial, change

NO_RESULT = "empty"
"""The case of findings of which one line says all."""
MOST_OFFERED, MOST_ASKED, MOST_NEWS = 6, 12, 30
SECTION_NAMES = tuple(field.name for field in SECTION)


class Offer(NamedTuple):
    """Members who may be meant by a player without a known id, or with that of another name.

    Attributes:
        seat: of the player.
        total: how many there are, of whom the first are offered.
    """

    seat: int
    who: str
    members: Sequence[FoundPlayer]
    total: int


@shown_to(Needs.DIRECTOR, TYPED_SECTION, costly=True)
def typed_section(
    context: TheContext,
    name: FromPath[str],
    number: FromPath[int],
    check: FromQuery[str] = "",
    news: FromQuery[str] = "",
    full: FromQuery[str] = "",
    back: FromQuery[str] = "",
) -> Response[bytes]:
    """Show a section that is typed, and what is wrong with it; *check* also says what is missing.

    *news* are fields that another window changed since the form was shown; *full* says that the last round has results
    and was not removed, *back* that the session had ended and what was sent then is kept.
    """
    trial, draft = typed_report(context, name)
    section = section_of(draft, number)
    about = problems(context, section, missing=bool(check))
    fields = fields_of(section)
    return context.page(
        "director/typed_section.html",
        address=TYPED_SECTION(name, number),
        played=0,
        one=Form(TYPED_SECTION(name, number), "Save", SECTION, section.texts, about["findings"]),
        longest=(LONGEST_ID, LONGEST_NAME, LONGEST_CELL),
        full=bool(full),
        unready=bool(check),
        back=bool(back),
        **about,
        **parts_of_both(name, trial, section, fields, news),
    )


def parts_of_both(
    name: str, trial: Trial, section: DraftSection, fields: Mapping[str, str], news: str
) -> dict[str, Any]:
    """Return what the pages of a section and of one of its rounds have both; *fields* are those that are shown."""
    assert trial.draft is not None, "it is typed"  # noqa: S101 - tells the type checker
    changed = (field for field in news.split(" ")[:MOST_NEWS] if field in fields)
    return {
        "name": name,
        "section": section,
        "others": trial.draft.sections,
        "title": trial.draft.event.get("name") or "An event",
        "rounds": [(at, TYPED_ROUND(name, section.number, at)) for at in range(1, section.rounds + 1)],
        "seen": seen_text(fields),
        "news": [(field_words(section, field), fields[field]) for field in changed],
        "text": trial.text,
    }


def section_of(draft: Draft, number: int) -> DraftSection:
    """Return a section of a draft.

    Raises:
        NotFoundException: there is none of this number.
    """
    section = draft.section(number)
    if section is None:
        raise NotFoundException
    return section


def problems(context: RequestContext, section: DraftSection, *, missing: bool) -> dict[str, Any]:
    """Return what a page says of a section: findings, conflicts, members who may be meant, whom no result has."""
    with context.site.reading() as reader:
        names = names_of(reader.connection, [player.id for player in section.players if player.id])
        offers = _offered(reader.connection, section, names)
    findings = section_mistakes(section, names, missing=missing)
    waiting: dict[int, list[int]] = {}
    for finding in findings:
        if finding.case == NO_RESULT:
            values = dict(finding.values)
            waiting.setdefault(int(str(values["round"])), []).append(int(str(values["seat"])))
    findings = [finding for finding in findings if finding.case != NO_RESULT]
    beside: dict[str, list[Finding]] = {}
    for finding in findings:
        beside.setdefault(finding.where, []).append(finding)
    fields = fields_of(section)
    conflicts = [
        (field_words(section, conflict.field), conflict, fields.get(conflict.field, ""))
        for conflict in section.conflicts
    ]
    return {
        "findings": findings,
        "beside": beside,
        "offers": offers,
        "conflicts": conflicts,
        "waiting": waiting,
    }


@done_by(Needs.DIRECTOR, TYPED_SECTION, costly=True, lasting=True)
def save_section(context: TheContext, name: FromPath[str], number: FromPath[int]) -> Answer:
    """Keep what was typed of a section, do what its button says, and lead to what it looks like then."""
    trial, draft = typed_report(context, name)
    before = section_of(draft, number)
    action, *arguments = context.sent.text("do").split(" ") if context.sent.text("do") else ["save"]
    typed = texts_in(context.sent, SECTION_NAMES) | player_fields_in(context.sent)
    merge = merged_section(before, typed, seen_in(context.sent))
    section = done(merge.section, action, arguments)
    with context.site.reading() as reader:
        section, added = _with_found(reader.connection, section, context.sent.text("who"))
        section = _named(reader.connection, before, section)
    address = TYPED_SECTION(name, number)
    if action == "preview" and not section.conflicts:
        return section_previewed(context, name, trial, draft.with_section(section), number)
    change(context.gate, context.visitor.account, name, trial.typed(draft.with_section(section)))
    if action == KEEP:
        fields = differing(fields_of(section), fields_of(before), typed)
        return kept_answer(
            fields, "director/typed_problems.html", **problems(context, section, missing=False)
        )
    query = {
        "news": " ".join(merge.news[:MOST_NEWS]) or None,
        "full": "yes" if action == "no-round" and section.rounds == merge.section.rounds else None,
    }
    places = {"find": "#who", "remove": "#removed"}
    place = f"#p{added}-id" if added else places.get(action, "")
    return onward(TYPED_SECTION(name, number, **query) + place if any(query.values()) else address + place)


@done_by(Needs.DIRECTOR, CHOOSE, costly=True)
def choose_member(context: TheContext, name: FromPath[str]) -> Answer:
    """Take a member for the player of a preview, and preview it again."""
    trial = unsent(context, name)
    number, seat, member, *_ = (*context.sent.text("who").split(" "), "", "", "")
    with context.site.reading() as reader:
        names = names_of(reader.connection, [member])
        if not names:
            raise NotFoundException
        if trial.draft is None:
            taking = trial.taking(_number(number), _number(seat), member, names[member])
            change(context.gate, context.visitor.account, name, taking)
            return onward(PREVIEW(name))
        before = section_of(trial.draft, _number(number))
        section = _named(reader.connection, before, _with_member(before, _number(seat), member))
    return read_again(context, name, trial, trial.draft.with_section(section))


def section_previewed(context: RequestContext, name: str, trial: Trial, draft: Draft, number: int) -> Answer:
    """Lead to the preview of a draft, or to what is wrong with the section that is typed."""
    if has_errors(section_mistakes(section_of(draft, number), {}, missing=True)):
        change(context.gate, context.visitor.account, name, trial.typed(draft))
        return onward(TYPED_SECTION(name, number, check="yes"))
    return previewed(context, name, trial._replace(draft=draft))


def done(section: DraftSection, action: str, arguments: list[str]) -> DraftSection:
    """Return a section after a button was pressed."""
    match action, arguments:
        case "round", []:
            changed = section.with_rounds(min(section.rounds + 1, MOST_ROUNDS))
        case "no-round", [] if not any(player.cells[-1:] > ("",) for player in section.players):
            changed = section.with_rounds(max(section.rounds - 1, 1))
        case "choose", [seat, chosen]:
            changed = _with_member(section, _number(seat), chosen)
        case "remove", [seat]:
            changed = section.without_player(_number(seat))
        case "back", [row]:
            changed = section.with_player_back(_number(row))
        case "rename", [seat]:
            changed = _without_name(section, _number(seat))
        case "up" | "down", [seat]:
            changed = section.with_player_moved(_number(seat), -1 if action == "up" else 1)
        case "right", [seat, played] if 1 <= _number(played) <= section.rounds:
            changed = settled(section, _number(seat), _number(played) - 1)
        case "use" | "leave", [field]:
            changed = decided(section, field, take=action == "use")
        case _:
            changed = section
    return changed


def _with_member(section: DraftSection, seat: int, chosen: str) -> DraftSection:
    """Return a section in which a player is a member, or a newcomer, whose name stays as it was typed."""
    players = tuple(
        player._replace(id=chosen) if player.seat == seat else player for player in section.players
    )
    section = section._replace(players=players)
    return section if chosen == NEWCOMER else _without_name(section, seat)


def _without_name(section: DraftSection, seat: int) -> DraftSection:
    """Return a section in which a player has no name, so that the book's is taken."""
    players = tuple(player._replace(name="") if player.seat == seat else player for player in section.players)
    return section._replace(players=players)


def _number(text: str) -> int:
    return small_number(text) or 0


def _with_found(connection: Connection, section: DraftSection, who: str) -> tuple[DraftSection, int]:
    """Return a section with the players whose ids or names were typed to be added, and the number of the last one."""
    words = who.replace(",", " ").split()
    asked = words if words and all(word.isdecimal() for word in words) else who.split(";")
    added = 0
    for name in (" ".join(each.split())[:LONGEST_NAME] for each in asked):
        if not name or len(section.players) >= MOST_PLAYERS:
            continue
        found, _ = find_members(connection, MemberQuestion(name, most=2))
        known = found[0] if len(found) == 1 else None
        player = DraftPlayer(0, "", name) if known is None else DraftPlayer(0, known.id, known.name)
        if known is None and name.isdecimal():
            player = DraftPlayer(0, name)
        before = {seated.seat for seated in section.players}
        section = section.with_player(player)
        (added,) = {seated.seat for seated in section.players} - before
        section = with_opponents_results(section, added)
    return section, added


def _named(connection: Connection, before: DraftSection, section: DraftSection) -> DraftSection:
    """Return a section with the names of the book where an id was typed or chosen just now.

    A name of someone else stays as it was typed.
    """
    ids = {player.row: player.id for player in before.players}
    fresh = [
        player.id
        for player in section.players
        if player.id and (player.id != ids.get(player.row) or not player.name)
    ]
    names = names_of(connection, fresh)
    players = tuple(
        player._replace(name=names[player.id])
        if player.id in names and (not player.name or names_agree(player.name, names[player.id]))
        else player
        for player in section.players
    )
    return section._replace(players=players)


def _offered(connection: Connection, section: DraftSection, names: Mapping[str, str]) -> list[Offer]:
    """Return the members who may be meant by players without a known id, or with that of another name."""
    unknown = [
        player
        for player in section.players
        if player.name and player.id != NEWCOMER
        if not has_id(player) or not names_agree(player.name, names.get(player.id, ""))
    ]
    offers = []
    for player in unknown[:MOST_ASKED]:
        found, total = find_members(connection, MemberQuestion(player.name, most=MOST_OFFERED))
        found = found or near_members(connection, player.name)
        offers.append(Offer(player.seat, player.name, found, max(total, len(found))))
    return offers
