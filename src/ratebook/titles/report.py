"""What a rated report is worth in classes, norms and titles, as far as the report tells of the sections before."""

from collections.abc import Iterable
from typing import NamedTuple

from ratebook.model import PlayerFacts, Rating, System
from ratebook.rating.rate import facts_after
from ratebook.rating.results import RatedEntry, RatedSection
from ratebook.titles import awards
from ratebook.titles.classes import rating_class
from ratebook.titles.norms import norms_of_rated_section
from ratebook.titles.title_rules import title_rules


class PlayerTitles(NamedTuple):
    """What one section in OTB Regular made of a player.

    Attributes:
        class_before, class_after: names of rating classes; None where there was no rating.
        norm: the highest level at which a norm was made; None where none was.
        earned: names of the titles that the section gave.
    """

    section: int
    seat: int
    player: str
    name: str
    class_before: str | None
    class_after: str | None
    norm: int | None
    earned: tuple[str, ...]

    @property
    def says_something(self) -> bool:
        """Whether there is a norm, a title or another class."""
        return self.norm is not None or bool(self.earned) or self.class_before != self.class_after

    @property
    def is_new(self) -> bool:
        """Whether there is a new title, or a class in the place of another one."""
        return bool(self.earned) or self.class_before not in {None, self.class_after}


def held_titles(facts: PlayerFacts) -> tuple[str, ...]:
    """Return the codes of the titles that a report says a player holds, as far as they are known ones.

    >>> held_titles(PlayerFacts("A", titles="NM C XYZ"))
    ('NM', 'C')
    """
    known = {title.code for title in title_rules().titles}
    return tuple(code for code in facts.titles.split() if code in known)


def titles_of_report(sections: Iterable[RatedSection]) -> tuple[PlayerTitles, ...]:
    """Return a line for each player of each section in OTB Regular, in the order of sections and seats.

    Norms of earlier events are not known to a report, so that a title from five norms appears only where all five were
    made in it. An established rating before the report has given its titles already.

    Source: docs/rules/outside.md#6a-titles-from-norms; docs/rules/readings.md#titles.
    """
    states: dict[str, awards.TitleState] = {}
    names = {title.code: title.name for title in title_rules().titles}
    lines: list[PlayerTitles] = []
    rated_in_order = sorted(
        (rated for rated in sections if rated.system is System.REGULAR),
        key=lambda rated: (rated.section.end, rated.section.number),
    )
    for rated in rated_in_order:
        levels = {norm.player: norm.level for norm in norms_of_rated_section(rated)}
        after = facts_after(rated)
        place = awards.RatedAt(rated.section.end, "", rated.section.number)
        players: set[str] = set()
        for entry in rated.entries:
            if entry.after is None or entry.workings is None or entry.player in players:
                continue
            players.add(entry.player)
            facts = rated.facts[entry.player]
            rating = facts.ratings.get(System.REGULAR)
            state = states.get(entry.player) or _opening(rated, facts, rating)
            games = after[entry.player].ratings[System.REGULAR].life_master_games
            outcome = awards.SectionOutcome(
                place,
                levels[entry.player],
                entry.after.rating if entry.after.established else None,
                awards.has_life_master_games(rated.rules, games),
            )
            states[entry.player], earned = awards.state_after(state, outcome)
            titles = tuple(names[award.title] for award in earned)
            lines.append(_line(rated, entry, rating, outcome.norm, titles))
    return tuple(lines)


def _opening(rated: RatedSection, facts: PlayerFacts, rating: Rating | None) -> awards.TitleState:
    """Return the state of a player before the first section of a report."""
    peak = None
    if rating is not None:
        established = rating.games is None or rating.games > rated.rules.established_above_games
        known = [rating.peak, rating.rating if established else None]
        peak = max((one for one in known if one is not None), default=None)
    held = held_titles(facts)
    games = None if rating is None else rating.life_master_games
    if awards.has_life_master_games(rated.rules, games):
        held = (*held, *(title.code for title in title_rules().titles if title.original_life_master))
    return awards.opening_state(peak=peak, titles=held)


def _line(
    rated: RatedSection, entry: RatedEntry, rating: Rating | None, norm: int | None, earned: tuple[str, ...]
) -> PlayerTitles:
    assert entry.after is not None  # noqa: S101 - the caller has looked, for the type checker
    return PlayerTitles(
        section=rated.section.number,
        seat=entry.seat,
        player=entry.player,
        name=rated.facts[entry.player].name or entry.player,
        class_before=None if rating is None else rating_class(rating.rating).name,
        class_after=rating_class(entry.after.rating).name,
        norm=norm,
        earned=earned,
    )
