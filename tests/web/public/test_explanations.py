"""Public explanations of the invented federation: each lists its games, and few figures are withheld."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select

from ratebook.book import schema
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.public import DEPENDS, explain_in_public
from ratebook.records.explanations import Span

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.records.explanations import Explanation

SAMPLE = 80
EXACT, RANGED, WITHHELD = "exact", "ranged", "withheld"


def rated_games(book: Book) -> list[tuple[str, int, str]]:
    """Return event, section and member of every rating that a section gave, the highest first."""
    ledger, sections = schema.ledger, schema.sections
    with book.reading() as connection:
        rows = connection.execute(
            select(sections.c.event_id, sections.c.number, ledger.c.member_id)
            .select_from(ledger.join(sections, sections.c.id == ledger.c.section_id))
            .where(ledger.c.superseded_by.is_(None))
            .order_by(ledger.c.rating.desc(), ledger.c.id)
        )
        return list(dict.fromkeys((row[0], row[1], row[2]) for row in rows))


def kinds_of(public: Explanation, office: Explanation) -> Counter[str]:
    """Return how many figures of the office's steps the public reads as they are, as ranges, and not at all."""
    counted: Counter[str] = Counter()
    read = {(step.title, name): value for step in public.steps for name, value in step.figures.items()}
    for step in office.steps[1:]:
        for figure in step.figures:
            value = read.get((step.title, figure))
            if isinstance(value, Span) or value == DEPENDS:
                counted[RANGED] += 1
            else:
                counted[EXACT if (step.title, figure) in read else WITHHELD] += 1
    return counted


def test_every_public_explanation_lists_its_games_and_withholds_little(federation: Book) -> None:
    counted: Counter[str] = Counter()
    explained = 0
    sample = rated_games(federation)
    for event, number, member in sample[:: max(1, len(sample) // SAMPLE)]:
        asked = AskedRatings(number)
        public = explain_rating(federation, member, event, asked, explain_in_public)
        office = explain_rating(federation, member, event, asked, explain)
        for shown, whole in zip(public, office, strict=True):
            explained += 1
            played = {(game.round, game.opponent_seat) for step in whole.steps for game in step.games}
            assert {(game.round, game.opponent_seat) for game in shown.games} == played
            assert [step.title for step in shown.steps[1:]] == [step.title for step in whole.steps[1:]]
            counted += kinds_of(shown, whole)
    assert explained >= SAMPLE
    # The exact rating after is withheld of each; the rest are sums of players whose own start is not public.
    assert counted[WITHHELD] - explained < 0.05 * counted.total()
    assert counted[EXACT] > 0.7 * counted.total()
    assert counted[RANGED] > 0
