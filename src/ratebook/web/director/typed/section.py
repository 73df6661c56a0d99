"""A section of a report that is typed: its facts, its players, and a table of their results."""

from collections.abc import Mapping

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.connection import Connection
from ratebook.book.facts.members import MemberQuestion, find_members, names_of
from ratebook.findings import Finding, has_errors
from ratebook.records.players import FoundPlayer
from ratebook.reports.draft import MOST_PLAYERS, MOST_ROUNDS, DraftPlayer, DraftSection, with_other_sides
from ratebook.web.director.links import TYPED_SECTION
from ratebook.web.director.typed.event import previewed, typed_report
from ratebook.web.director.typed.mistakes import SECTION, section_mistakes
from ratebook.web.forms.context import TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.trial.kept import change

MOST_OFFERED, MOST_ASKED = 6, 12
LONGEST_NAME, LONGEST_CELL = 80, 12


@shown_to(Needs.DIRECTOR, TYPED_SECTION, costly=True)
def typed_section(
    context: TheContext, name: FromPath[str], number: FromPath[int], check: FromQuery[str] = ""
) -> Response[bytes]:
    """Show a section that is typed, and what is wrong with it; *check* also says what is missing."""
    _, draft = typed_report(context, name)
    section = draft.section(number)
    if section is None:
        raise NotFoundException
    with context.site.reading() as reader:
        names = names_of(reader.connection, [player.id for player in section.players if player.id])
        offered = _offered(reader.connection, section, names)
    mistakes = section_mistakes(section, names, missing=bool(check))
    beside: dict[str, list[Finding]] = {}
    for mistake in mistakes:
        beside.setdefault(mistake.where, []).append(mistake)
    return context.page(
        "director/typed_section.html",
        name=name,
        section=section,
        others=draft.sections,
        title=draft.event.get("name") or "An event",
        one=Form(TYPED_SECTION(name, number), "Save", SECTION, section.texts, mistakes),
        beside=beside,
        rows=[(player, offered.get(player.seat, ())) for player in section.players],
        longest=(LONGEST_NAME, LONGEST_CELL),
    )


@done_by(Needs.DIRECTOR, TYPED_SECTION, costly=True)
def save_section(context: TheContext, name: FromPath[str], number: FromPath[int]) -> Answer:
    """Keep what was typed of a section, and do what its button says."""
    trial, draft = typed_report(context, name)
    before = draft.section(number)
    if before is None:
        raise NotFoundException
    action, *arguments = context.sent.text("do").split(" ") if context.sent.text("do") else ["save"]
    with context.site.reading() as reader:
        section = typed(before, context.sent)
        section = _done(section, action, arguments)
        section, added = _with_found(reader.connection, section, context.sent.text("who"))
        section = _named(reader.connection, before, section)
    draft = draft.with_section(section)
    if action == "preview":
        if has_errors(section_mistakes(section, {}, missing=True)):
            change(context.gate, context.visitor.account, name, trial._replace(draft=draft, loaded=None))
            return onward(f"{TYPED_SECTION(name, number)}?check=yes")
        return previewed(context, name, trial._replace(draft=draft))
    change(context.gate, context.visitor.account, name, trial._replace(draft=draft, loaded=None))
    place = f"#p{section.players[-1].seat}-id" if added else "#who" if action == "find" else ""
    return onward(TYPED_SECTION(name, number) + place)


def typed(before: DraftSection, form: Sent) -> DraftSection:
    """Return a section as it was typed; what was not sent stays as it is."""
    texts = {field.name: form.text(field.name) for field in SECTION}
    players = []
    for player in before.players:
        key = f"p{player.seat}"
        if f"{key}-id" not in form.texts:
            players.append(player)
            continue
        cells = tuple(form.text(f"{key}-r{at}")[:LONGEST_CELL] for at in range(1, before.rounds + 1))
        players.append(
            DraftPlayer(
                player.seat,
                "".join(form.text(f"{key}-id").split())[:LONGEST_NAME],
                form.text(f"{key}-name")[:LONGEST_NAME],
                cells,
            )
        )
    return with_other_sides(before, before._replace(texts=texts, players=tuple(players)))


def _done(section: DraftSection, action: str, arguments: list[str]) -> DraftSection:
    """Return a section after a button was pressed."""
    if action == "round":
        return section.with_rounds(min(section.rounds + 1, MOST_ROUNDS))
    if action == "no-round":
        return section.with_rounds(max(section.rounds - 1, 1))
    if action == "remove" and arguments:
        return section._replace(
            players=tuple(player for player in section.players if str(player.seat) != arguments[0])
        )
    if action == "choose" and len(arguments) == 2:  # noqa: PLR2004 - a seat and an id
        players = tuple(
            player._replace(id=arguments[1], name="") if str(player.seat) == arguments[0] else player
            for player in section.players
        )
        return section._replace(players=players)
    return section


def _with_found(connection: Connection, section: DraftSection, who: str) -> tuple[DraftSection, bool]:
    """Return a section with the players whose ids or names were typed to be added, and whether there were any."""
    words = who.replace(",", " ").split()
    asked = words if words and all(word.isdecimal() for word in words) else who.split(";")
    added = False
    for name in (" ".join(each.split())[:LONGEST_NAME] for each in asked):
        if not name or len(section.players) >= MOST_PLAYERS:
            continue
        found, _ = find_members(connection, MemberQuestion(name, most=2))
        known = found[0] if len(found) == 1 else None
        player = DraftPlayer(0, "", name) if known is None else DraftPlayer(0, known.id, known.name)
        if known is None and name.isdecimal():
            player = DraftPlayer(0, name)
        section, added = section.with_player(player), True
    return section, added


def _named(connection: Connection, before: DraftSection, section: DraftSection) -> DraftSection:
    """Return a section with the names of the book where an id was typed or chosen just now."""
    ids = {player.seat: player.id for player in before.players}
    fresh = [
        player.id
        for player in section.players
        if player.id and (player.id != ids.get(player.seat) or not player.name)
    ]
    names = names_of(connection, fresh)
    players = tuple(
        player._replace(name=names[player.id]) if player.id in names and player.id in fresh else player
        for player in section.players
    )
    return section._replace(players=players)


def _offered(
    connection: Connection, section: DraftSection, names: Mapping[str, str]
) -> dict[int, tuple[FoundPlayer, ...]]:
    """Return the members who may be meant by players without a known id, by seat."""
    unknown = [player for player in section.players if player.id not in names and player.name]
    return {
        player.seat: tuple(find_members(connection, MemberQuestion(player.name, most=MOST_OFFERED))[0])
        for player in unknown[:MOST_ASKED]
    }
