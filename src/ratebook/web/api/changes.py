"""What moved, for programs that keep a copy: each thing once, at the revision at which it changed last."""

from typing import Annotated, Literal
from urllib.parse import quote

from litestar import Response
from litestar.params import QueryParameter

from ratebook.book.facts.members import load_members
from ratebook.book.ledger.lists import all_lists
from ratebook.book.mirrors import Changed, Changing, changed_since, sections_by_id
from ratebook.pages.member import players_now
from ratebook.records.changes import Change
from ratebook.web.api.answers import NEXT, ApiRequest, Limit, listed
from ratebook.web.api.routing import PREFIX, collection
from ratebook.web.site import Reader, TheSite
from ratebook.wire import Items

LATEST = 10**15
Since = Annotated[
    int, QueryParameter(ge=0, le=LATEST, description="The revision of the copy; 0 if it is empty.")
]
Place = Annotated[
    str,
    QueryParameter(
        max_length=200, pattern=r"^([0-9]{1,15} (list|player|section) [^\x00-\x1f]+)?$", description=NEXT
    ),
]
LAST = "zzz"
"""Sorts after every kind, in any language of a server."""


@collection("/changes")
def changes(
    request: ApiRequest, site: TheSite, since_revision: Since = 0, limit: Limit = 200, cursor: Place = ""
) -> Response[Items[Change]]:
    """What changed since a revision, in the order of revisions, to keep a copy up to date.

    A copy has the last item's revision once `next` is null.
    """
    after = _place(cursor) if cursor.strip() else Changed(since_revision, LAST, "")
    with site.reading() as reader:
        changed = changed_since(reader.connection, after, limit + 1)
        items = _items(reader, changed[:limit])
    following = " ".join(map(str, changed[limit - 1])) if len(changed) > limit else None
    return listed(request, Change, items, following)


def _place(cursor: str) -> Changed:
    """Return after what a part begins."""
    revision, kind, subject = cursor.split(" ", 2)
    return Changed(int(revision), kind, subject)


def _items(reader: Reader, changes: list[Changed]) -> list[Change]:
    def of_kind(kind: Changing) -> list[str]:
        return [change.subject for change in changes if change.kind == kind]

    members = load_members(reader.connection, of_kind(Changing.PLAYER))
    rated = [member for member in members.values() if member.merged_into is None]
    players = players_now(reader.connection, reader.federation, rated)
    sections = sections_by_id(reader.connection, map(int, of_kind(Changing.SECTION)))
    lists = (
        {summary.month: summary for summary in all_lists(reader.connection)} if of_kind(Changing.LIST) else {}
    )

    def item(changed: Changed) -> Change:
        revision, subject = changed.revision, changed.subject
        match changed.kind:
            case Changing.PLAYER:
                address, member = f"{PREFIX}/players/{quote(subject, safe='')}", members[subject]
                if member.merged_into is not None:
                    return Change(revision=revision, kind="merge", address=address, into=member.merged_into)
                kind: Literal["erasure", "player"] = "erasure" if member.erased else "player"
                return Change(revision=revision, kind=kind, address=address, player=players[subject])
            case Changing.SECTION:
                section = sections[int(subject)]
                address = f"{PREFIX}/events/{quote(section.event, safe='')}/sections/{section.number}"
                return Change(revision=revision, kind="section", address=address, section=section)
            case _:
                address = f"{PREFIX}/lists/{subject}"
                return Change(revision=revision, kind="list", address=address, list=lists[subject])

    return list(map(item, changes))
