"""What happened lately in a federation, and how its ratings are spread."""

from datetime import date

from sqlalchemy import Connection, func, select

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT, ledger
from ratebook.model import SCORES, Shown, System
from ratebook.rating.formulas import rounded
from ratebook.records.federation import Activity, BigChange, RatingBand

sections, games, runs = schema.sections, schema.games, schema.runs
BAND = 100
"""Rating points of a bar of the distribution."""
ESTABLISHED_GAMES = 26
"""A provisional rating moves by hundreds of points, which says little of its player."""


def activity_since(connection: Connection, since: date) -> Activity:
    """Return how much was rated of the sections that ended since a day, and when the book was rated last.

    A game is counted once, although both seats have it.
    """
    of_day = sections.c.place >= since.isoformat()
    rated = select(sections.c.id).where(of_day, sections.c.withdrawn.is_(False))
    played, number = connection.execute(
        select(func.count(), func.count(games.c.section_id.distinct())).where(
            games.c.section_id.in_(rated), games.c.opponent > games.c.seat, games.c.result.in_(SCORES)
        )
    ).one()
    last = connection.execute(select(func.max(runs.c.started_at)).where(runs.c.kind == "rate")).scalar_one()
    return Activity(games=played, sections=number, rated_at=last)


def last_day(connection: Connection) -> date | None:
    """Return the day on which the newest rated section ended, None where none is rated."""
    newest = select(sections.c.end).where(sections.c.withdrawn.is_(False)).order_by(sections.c.place.desc())
    return connection.execute(newest.limit(1)).scalar_one_or_none()


def biggest_changes(connection: Connection, since: date, most: int) -> tuple[BigChange, ...]:
    """Return the sections in which established ratings rose most, then those in which they fell most.

    There are at most *most* of each, of those that ended since a day, the largest first.
    """
    members, recent = schema.members, sections.alias()
    change = ledger.c.rating - ledger.c.rating_before
    order = (func.abs(change).desc(), members.c.id, ledger.c.system)
    moved = (
        select(
            members.c.id,
            members.c.name,
            ledger.c.system,
            ledger.c.rating_before,
            ledger.c.rating,
            sections.c.event_id,
            sections.c.number,
            func.row_number().over(partition_by=change > 0, order_by=order).label("place"),
        )
        .join_from(ledger, sections, sections.c.id == ledger.c.section_id)
        .join(members, members.c.id == ledger.c.member_id)
        .where(
            CURRENT,
            ledger.c.section_id.in_(select(recent.c.id).where(recent.c.place >= since.isoformat())),
            ledger.c.source == "rated",
            ledger.c.games_before.is_(None) | (ledger.c.games_before >= ESTABLISHED_GAMES),
            change != 0,
        )
        .subquery()
    )
    rose = moved.c.rating > moved.c.rating_before
    rows = connection.execute(select(moved).where(moved.c.place <= most).order_by(rose.desc(), moved.c.place))
    return tuple(
        BigChange(
            player=row.id,
            name=row.name,
            system=System(row.system),
            before=Shown(int(rounded(row.rating_before))),
            after=Shown(int(rounded(row.rating))),
            event=row.event_id,
            section=row.number,
        )
        for row in rows
    )


def distribution(connection: Connection, month: str, system: System) -> tuple[RatingBand, ...]:
    """Return how many of the ratings of an official list are in each hundred, the lowest first, none left out."""
    published = schema.published_ratings
    hundreds = published.c.rating // BAND
    rows = connection.execute(
        select(hundreds.label("band"), func.count())
        .where(published.c.list_id == month, published.c.system == system.value)
        .group_by(hundreds)
    ).all()
    counts = {int(band): int(number) for band, number in rows}
    if not counts:
        return ()
    return tuple(
        RatingBand(least=band * BAND, players=counts.get(band, 0))
        for band in range(min(counts), max(counts) + 1)
    )
