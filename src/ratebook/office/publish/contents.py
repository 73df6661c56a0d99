"""A published list as the writers of lists take it: with names, states and memberships as known today."""

from ratebook.book.connection import Connection
from ratebook.book.facts.members import membership_ends
from ratebook.book.ledger.lists import ListedRating, cut_off_of_list
from ratebook.book.profile import read_federation
from ratebook.office.publish.lists import published_list
from ratebook.official_lists.contents import ListMember, OfficialList


def official_list(connection: Connection, month: str) -> OfficialList:
    """Return the published list of *month*.

    Ratings are as they were published; who the members are is as the book knows today.

    Raises:
        BookError: it is not published.
    """
    found: dict[str, list[ListedRating]] = {}
    for one in published_list(connection, month):
        found.setdefault(one.member, []).append(one)
    expires = membership_ends(connection, found)
    return OfficialList(
        federation=read_federation(connection).profile.name,
        month=month,
        cut_off=cut_off_of_list(connection, month),
        members=tuple(
            ListMember(
                member,
                ratings[0].name,
                ratings[0].state,
                expires.get(member),
                {one.system: one.official for one in ratings},
            )
            for member, ratings in found.items()
        ),
    )
