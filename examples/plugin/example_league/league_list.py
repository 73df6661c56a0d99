"""The list of the league's players: a line of text for each, in columns of fixed widths."""

from collections.abc import Iterator, Sequence

from ratebook import PlayerFacts, Rating, System

HEADING = "LEAGUE LIST"


def looks_like(lines: Sequence[str]) -> bool:
    """Return whether a file that begins with these lines is the league's list."""
    return lines[0].startswith(HEADING)


def players(lines: Iterator[str]) -> Iterator[tuple[int, PlayerFacts]]:
    """Yield the players with the numbers of their lines."""
    for number, line in enumerate(lines, start=1):
        member, rating, name = line[:8], line[9:13], line[14:]
        if member.isdecimal():
            ratings = {System.REGULAR: Rating(float(rating))} if rating.strip() else {}
            yield number, PlayerFacts(member, name=name, ratings=ratings)
