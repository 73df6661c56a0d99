"""An explanation as lines of text, in short first, then step by step; and which player it is asked for."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

import click

from ratebook.cli.show import fail_with
from ratebook.findings import Place, list_text
from ratebook.pages.columns import number_text
from ratebook.player_lists.names import name_key
from ratebook.rating.explanation.explain import Explainer, explain
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rating.results import RatedSection
from ratebook.records.explanations import ExplainedStep, Explanation, Span
from ratebook.rules.rulebook import Rulebook

INFERRED_MARK = "  [inferred]"
EXACT_DIGITS = (4, 6)
PUBLISHED_DIGITS = (0, 2)
"""Decimals of the rating used and of the expected score of a game."""
COLOURS = {"w": "white", "b": "black"}


def explainer_for(*, public: bool) -> Explainer:
    """Return what explains a rating to the *public*, or to the office."""
    return explain_in_public if public else explain


def explained_or_failed(
    sections: tuple[RatedSection, ...], seat: int, rulebook: Rulebook, explainer: Explainer
) -> list[Explanation]:
    """Return the explanation of *seat* in each of *sections*; end with status 1 if no such seat was rated."""
    explanations = (explainer(rated, seat, rulebook) for rated in sections)
    explained = [explanation for explanation in explanations if explanation is not None]
    if not explained:
        ranges = ", ".join(
            f"section {rated.section.number} ({rated.system}): {rated.entries[0].seat} to {rated.entries[-1].seat}"
            for rated in sections
            if rated.entries
        )
        known = ranges or "there is none"
        fail_with("seat-unknown.not-rated", Place(option=f"--seat {seat}"), seat=seat, ranges=known)
    return explained


def print_explanations(explained: Iterable[Explanation], *, short: bool = False) -> None:
    """Print explanations line by line."""
    for explanation in explained:
        for line in explanation_lines(explanation, short=short):
            click.echo(line)


def explanation_lines(explanation: Explanation, *, short: bool = False) -> Iterator[str]:
    """Yield the lines of *explanation*: title, the short form, then each step with figures, games and rules."""
    name = explanation.name or explanation.player
    yield (
        f"Section {explanation.section}, seat {explanation.seat}, {name}: {explanation.system} rating"
        f" by the rules of {explanation.rules_date}"
    )
    yield from (f"  {sentence}" for sentence in explanation.short)
    if short:
        return
    yield from played_lines(explanation)
    for step in explanation.steps:
        yield ""
        yield step.title
        yield from (f"  {text}" for text in step.text)
        yield from figure_lines(step)
        yield from game_lines(step, exact=explanation.exact)
        yield from rule_lines(step)
    yield ""


def figure_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each figure, names aligned."""
    width = max(map(len, step.figures), default=0)
    for name, value in step.figures.items():
        yield f"    {name.ljust(width)}  {number_text(value)}"


def played_lines(explanation: Explanation) -> Iterator[str]:
    """Yield one line for each game of an explanation for the public, with the opponent's published rating before."""
    if not explanation.games:
        return
    yield ""
    yield "Games"
    yield "    round  colour  score  rating before  opponent"
    for game in explanation.games:
        before = "unrated" if game.rating_before is None else game.rating_before
        colour = COLOURS.get(game.colour, "-")
        yield (
            f"    {game.round:>5}  {colour:<6}  {game.score:>5g}  {before:>13}"
            f"  {game.opponent} (seat {game.opponent_seat})"
        )


def game_lines(step: ExplainedStep, *, exact: bool) -> Iterator[str]:
    """Yield one line for each game: the opponent's rating used, the expected score, and the opponent."""
    if not step.games:
        return
    whole, small = EXACT_DIGITS if exact else PUBLISHED_DIGITS
    used = [with_digits(game.opponent_rating, whole) for game in step.games]
    expected = [with_digits(game.expected, small) for game in step.games]
    widths = max(map(len, ("rating used", *used))), max(map(len, ("expected", *expected)))
    yield f"    round  score  {'rating used':>{widths[0]}}  {'expected':>{widths[1]}}  opponent"
    for game, rating, score in zip(step.games, used, expected, strict=True):
        yield (
            f"    {game.round:>5}  {game.score:>5g}  {rating:>{widths[0]}}  {score:>{widths[1]}}"
            f"  {game.opponent} (seat {game.opponent_seat})"
        )


def with_digits(value: float | Span, digits: int) -> str:
    """Return a figure of a game with so many decimals.

    >>> with_digits(1500.0, 2), with_digits(Span(least=0.5, most=0.625), 2)
    ('1500.00', '0.50 to 0.62')
    """
    if isinstance(value, Span):
        return f"{value.least:.{digits}f} to {value.most:.{digits}f}"
    return f"{value:.{digits}f}"


def rule_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each rule with its source, inferred ones marked, and the notes of this project's readings."""
    for rule in step.rules:
        mark = INFERRED_MARK if rule.status == "inferred" else ""
        yield f"    rule {rule.rule} = {number_text(rule.value)} ({rule.document}, {rule.where}){mark}"
    yield from (f"  {note}" for note in step.readings)


_SHOWN = 12


def is_called(name: str, sought: str) -> bool:
    """Return whether each word of *sought* begins a word of *name*, in any order, without accents and case.

    >>> is_called("García López, Sam", "sam garcia"), is_called("Garcia, Sam", "ana")
    (True, False)
    """
    words = name_key(name).split()
    beginnings = name_key(sought).split()
    return bool(beginnings) and all(any(word.startswith(part) for word in words) for part in beginnings)


def _is_near(name: str, sought: str) -> bool:
    """Return whether each word of *sought* is nearly a word of *name*."""
    words = name_key(name).split()
    return all(get_close_matches(part, words, 1) for part in name_key(sought).split())


def player_asked_for(sections: Sequence[RatedSection], person: str) -> str:
    """Return the key of the one player with the id or the name of a *person*; end with status 1 where it is not one."""
    names = {
        entry.player: section.facts[entry.player].name for section in sections for entry in section.entries
    }
    if person.strip() in names:
        return person.strip()
    matching = [key for key, name in names.items() if is_called(name, person)]
    exact = [key for key in matching if name_key(names[key]) == name_key(person)]
    players = exact or matching
    if not players:
        near = [f"{name!r}" for name in names.values() if _is_near(name, person)][:_SHOWN]
        code = "person-unknown.near" if near else "person-unknown.at-all"
        fail_with(code, Place(option=f"--who {person}"), asked=person, near=list_text(near))
    if len(players) > 1:
        seats = _listed(sections, players)
        fail_with("person-ambiguous", Place(option=f"--who {person}"), asked=person, seats=seats)
    return players[0]


def _listed(sections: Iterable[RatedSection], keys: Sequence[str]) -> str:
    places = {
        f"section {rated.section.number}, seat {entry.seat}: {rated.facts[entry.player].name}": None
        for rated in sections
        for entry in rated.entries
        if entry.player in keys
    }
    shown = list(places)[:_SHOWN]
    return "; ".join(shown) + (f" and {len(places) - len(shown)} more" if len(places) > len(shown) else "")
