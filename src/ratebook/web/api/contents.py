"""What a book says, as programs read it."""

from collections.abc import Iterable

from ratebook.book.ledger.careers import EarnedTitle
from ratebook.titles.title_rules import title_rules
from ratebook.wire import PublishedRating, Title


def published(text: str) -> PublishedRating | None:
    """Return a rating as it is written; None where *text* says that there is none.

    >>> published("1657P24"), published("unrated")
    (PublishedRating(rating=1657, provisional_games=24), None)
    """
    points, _, games = text.partition("P")
    if not points.isdecimal():
        return None
    return PublishedRating(int(points), int(games) if games else None)


def certain(text: str) -> PublishedRating:
    """Return a rating that there is."""
    rating = published(text)
    assert rating is not None  # noqa: S101 - a rating after a section is always written as one
    return rating


def titles_named(earned: Iterable[EarnedTitle]) -> list[Title]:
    """Return titles with their names."""
    names = {kind.code: kind.name for kind in title_rules().titles}
    return [Title(one.title, names.get(one.title, one.title), one.earned) for one in earned]
