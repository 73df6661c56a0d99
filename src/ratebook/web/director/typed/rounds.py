"""A round of a section that is typed by board: who has White, who has Black, and the result."""

import re
from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.reports.boards import boards_of, with_boards, without_game, wrong_boards
from ratebook.reports.draft import DraftSection, TypedBoard
from ratebook.reports.merging import fields_of, merged_section
from ratebook.web.director.links import TYPED_ROUND, TYPED_SECTION
from ratebook.web.director.typed.event import typed_report
from ratebook.web.director.typed.fields import (
    KEEP,
    LONGEST_CELL,
    differing,
    kept_answer,
    player_fields_in,
    seen_in,
)
from ratebook.web.director.typed.section import (
    MOST_NEWS,
    done,
    parts_of_both,
    problems,
    section_of,
    section_previewed,
)
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.trial.kept import change

MOST_BOARDS = 200
_BOARD = re.compile(r"b([0-9]{1,3})-(white|black|result)", re.ASCII)


@shown_to(Needs.DIRECTOR, TYPED_ROUND, costly=True)
def typed_round(
    context: TheContext,
    name: FromPath[str],
    number: FromPath[int],
    played: FromPath[int],
    news: FromQuery[str] = "",
    back: FromQuery[str] = "",
) -> Response[bytes]:
    """Show a round of a section by board.

    *news* are fields that another window changed since the form was shown; *back* says that the session had ended and
    what was sent then is kept.
    """
    trial, draft = typed_report(context, name)
    section = _with_round(section_of(draft, number), played)
    fields = _fields_of(section, played)
    boards = boards_of(section, played)
    blank = max(0, len(section.players) // 2 - len(boards))
    return context.page(
        "director/typed_round.html",
        address=TYPED_ROUND(name, number, played),
        crosstable=TYPED_SECTION(name, number),
        played=played,
        boards=[*boards, *[TypedBoard()] * blank],
        alone=without_game(section, played),
        names={str(player.seat): player.name for player in section.players},
        longest=LONGEST_CELL,
        back=bool(back),
        unready=False,
        **_problems(context, section, played),
        **parts_of_both(name, trial, section, fields, news),
    )


@done_by(Needs.DIRECTOR, TYPED_ROUND, costly=True, lasting=True)
def save_round(
    context: TheContext, name: FromPath[str], number: FromPath[int], played: FromPath[int]
) -> Answer:
    """Keep what was typed of a round, do what its button says, and lead to what it looks like then."""
    trial, draft = typed_report(context, name)
    before = _with_round(section_of(draft, number), played)
    typed, seen = player_fields_in(context.sent), seen_in(context.sent)
    own = {field: text for field, text in typed.items() if field.endswith(f"-r{played}")}
    merge = merged_section(before, own, seen)
    shown = _fields_of(before, played) if seen is None else seen
    sent = _sent_boards(context.sent)
    section = with_boards(merge.section, played, _boards_in({**shown, **sent}), _boards_in(shown))
    action, *arguments = context.sent.text("do").split(" ") if context.sent.text("do") else ["save"]
    section = done(section, action, arguments)
    draft = draft.with_section(section)
    if action == "preview" and not section.conflicts and not any(wrong_boards(section, played)):
        return section_previewed(context, name, trial, draft, number)
    change(context.gate, context.visitor.account, name, trial.typed(draft))
    if action == KEEP:
        fields = differing(_fields_of(section, played), _fields_of(before, played), {**own, **sent})
        about = _problems(context, section, played)
        return kept_answer(fields, "director/typed_problems.html", **about)
    if action == "next" and played < section.rounds:
        return onward(TYPED_ROUND(name, number, played + 1))
    news = " ".join(merge.news[:MOST_NEWS])
    address = TYPED_ROUND(name, number, played)
    return onward(TYPED_ROUND(name, number, played, news=news) if news else address)


def _with_round(section: DraftSection, played: int) -> DraftSection:
    """Return a section that has a round."""
    if not 1 <= played <= section.rounds:
        raise NotFoundException
    return section


def _problems(context: RequestContext, section: DraftSection, played: int) -> dict[str, Any]:
    """Return what is said of a round: what is wrong with its boards and its results, and conflicts."""
    about = problems(context, section, missing=False)
    boards = list(wrong_boards(section, played))
    of_round = [
        each
        for each in about["findings"]
        if (dict(each.values).get("round") == played) is not (each.case == "in-round")
    ]
    waiting = {each: rows for each, rows in about["waiting"].items() if each == played}
    findings = [*boards, *of_round]
    return {
        **about,
        "findings": findings,
        "beside": {each.where: [each] for each in reversed(findings)},
        "offers": (),
        "waiting": waiting,
    }


def _fields_of(section: DraftSection, played: int) -> dict[str, str]:
    """Return what the form of a round shows, by the names of its fields."""
    own = {
        field: text
        for field, text in fields_of(section).items()
        if field.endswith((f"-r{played}", "-seat")) and field.startswith("p")
    }
    boards = {
        f"b{at}-{side}": text
        for at, board in enumerate(boards_of(section, played), start=1)
        for side, text in zip(("white", "black", "result"), board[:3], strict=True)
        if text
    }
    return own | boards


def _sent_boards(sent: Sent) -> dict[str, str]:
    return {name: sent.text(name)[:LONGEST_CELL] for name in sent.texts if _BOARD.fullmatch(name)}


def _boards_in(fields: dict[str, str]) -> list[TypedBoard]:
    """Return the boards that the fields of a form hold."""
    numbers = [int(match[1]) for name in fields if (match := _BOARD.fullmatch(name))]
    most = min(max(numbers, default=0), MOST_BOARDS)
    return [
        TypedBoard(
            fields.get(f"b{at}-white", ""), fields.get(f"b{at}-black", ""), fields.get(f"b{at}-result", "")
        )
        for at in range(1, most + 1)
    ]
