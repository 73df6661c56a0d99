"""What moved, for programs that keep a copy: each thing once, at the revision at which it changed last."""

from typing import Annotated
from urllib.parse import quote

from litestar import Response
from litestar.params import QueryParameter

from ratebook.book.ledger.lists import all_lists
from ratebook.book.mirrors import Changed, ChangedSection, Changing, changed_since, sections_by_id
from ratebook.pages.member import CopiedPlayer, players_now
from ratebook.web.api.answers import NEXT, ApiRequest, Limit, listed
from ratebook.web.api.contents import published, titles_named
from ratebook.web.api.routing import PREFIX, collection
from ratebook.web.site import Reader, TheSite
from ratebook.wire import Change, Items, ListSummary, PlayerNow, RatingNow, SectionNow

LATEST = 10**15
Since = Annotated[
    int, QueryParameter(ge=0, le=LATEST, description="The revision that a copy has; 0 for one that is empty.")
]
Place = Annotated[
    str,
    QueryParameter(
        max_length=200,
        pattern=r"^([0-9]{1,15} (list|player|section) [^\x00-\x1f]+)?$",
        description=NEXT,
    ),
]
LAST = "zzz"
"""Sorts after every kind, in any language of a server."""


@collection(
    "/changes", "What changed since a revision, in the order of revisions, to keep a copy up to date."
)
def changes(
    request: ApiRequest, site: TheSite, since_revision: Since = 0, limit: Limit = 200, cursor: Place = ""
) -> Response[Items[Change]]:
    """Read what changed, with what it is now. A copy has the last item's revision once `next` is null."""
    after = _place(cursor) if cursor.strip() else Changed(since_revision, LAST, "")
    with site.reading() as reader:
        found = changed_since(reader.connection, after, limit + 1)
        items = _items(reader, found[:limit])
    following = found[limit - 1] if len(found) > limit else None
    return listed(
        request, Change, items, None if following is None else " ".join(str(part) for part in following)
    )


def _place(cursor: str) -> Changed:
    """Return after what a part begins."""
    revision, kind, subject = cursor.split(" ", 2)
    return Changed(int(revision), kind, subject)


def _items(reader: Reader, found: list[Changed]) -> list[Change]:
    def of_kind(kind: Changing) -> list[str]:
        return [one.subject for one in found if one.kind == kind]

    players = players_now(reader.connection, reader.federation, of_kind(Changing.PLAYER))
    sections = sections_by_id(reader.connection, map(int, of_kind(Changing.SECTION)))
    wanted = set(of_kind(Changing.LIST))
    lists = {one.month: one for one in all_lists(reader.connection)} if wanted else {}
    items = []
    for one in found:
        match one.kind:
            case Changing.PLAYER:
                items.append(_player(one.revision, players[one.subject]))
            case Changing.SECTION:
                items.append(_section(one.revision, sections[int(one.subject)]))
            case _:
                there = lists[one.subject]
                items.append(
                    Change(
                        one.revision,
                        "list",
                        f"{PREFIX}/lists/{one.subject}",
                        list=ListSummary(there.month, there.cut_off, there.ratings),
                    )
                )
    return items


def _player(revision: int, one: CopiedPlayer) -> Change:
    address = f"{PREFIX}/players/{quote(one.id, safe='')}"
    if one.merged_into is not None:
        return Change(revision, "merge", address, into=one.merged_into)
    now = PlayerNow(
        one.id,
        one.name,
        one.state,
        [
            RatingNow(each.system, published(each.current), each.rating_class, each.as_of)
            for each in one.ratings
        ],
        titles_named(one.titles),
    )
    return Change(revision, "erasure" if one.erased else "player", address, player=now)


def _section(revision: int, one: ChangedSection) -> Change:
    address = f"{PREFIX}/events/{quote(one.event_id, safe='')}/sections/{one.number}"
    now = SectionNow(
        one.event_id, one.event_name, one.number, one.name, one.end, list(one.systems), one.withdrawn
    )
    return Change(revision, "section", address, section=now)


HANDLERS = changes
