"""An explanation in short: a few sentences that a player can follow, in the right words for each kind of rating.

The player, the office and everyone else read them: they say "the opponents", not "your opponents".
"""

from collections.abc import Iterable, Iterator

from ratebook.rating.explanation.initial import used_sources
from ratebook.rating.explanation.parts import Subject, added_up, source_words
from ratebook.rating.explanation.passes import has_reduced_k
from ratebook.rating.explanation.result import FLOOR_WORDS
from ratebook.rating.floors import ENTERED, NO_FLOOR
from ratebook.rating.formulas import rounded
from ratebook.rating.settlement import NO_CEILING
from ratebook.rating.special import ALL_LOSSES, ALL_WINS
from ratebook.rating.step1 import RATED, SOURCE_AGE, SOURCE_CFC, SOURCE_DEFAULT, SOURCE_FIDE, SOURCE_INITIAL
from ratebook.rating.steps import SPECIAL
from ratebook.rules.in_force import CONSTANT, INTEGER_AWAY

NOTHING_CHANGES = "No rated game in this section: nothing changes."
SCORED = "Scored"

SHOWN = 0.5
"""The least part of a rating that is not displayed as 0."""

START_WORDS = {
    SOURCE_AGE: "by age",
    SOURCE_DEFAULT: "without a birth date, by the constant",
    SOURCE_FIDE: "from the FIDE rating",
    SOURCE_CFC: "from the CFC rating",
    SOURCE_INITIAL: "as the office decided",
}


def in_short(subject: Subject) -> Iterator[str]:
    """Yield the sentences: what was scored against whom, what changed it, and the rating before and after."""
    if subject.entry.workings is None:
        yield NOTHING_CHANGES
        return
    if subject.rated.sources[subject.at] != RATED:
        yield start(subject)
    yield from _special_score(subject) if subject.columns.formula[subject.at] == SPECIAL else _score(subject)
    yield from settlement(subject)
    yield from result_in_short(subject)


def result_in_short(subject: Subject) -> Iterator[str]:
    """Yield the rating before and after, as displayed; nothing for who is still unrated."""
    after = subject.entry.after
    if after is not None:
        before = shown(subject.columns.rating[subject.at])
        first = subject.rated.sources[subject.at] != RATED
        counted = "established" if after.established else f"provisional on {_games_in_words(after.games)}"
        yield f"{'First rating:' if first else f'{before} ->'} {after.published}, {counted}."


def start(subject: Subject) -> str:
    """Return where a player who was unrated starts."""
    source, rating = subject.rated.sources[subject.at], shown(subject.columns.rating[subject.at])
    if source == SOURCE_DEFAULT and subject.rules.initial_method == CONSTANT:
        return f"Unrated before; everyone starts from {rating}."
    games = _games_in_words(subject.columns.games[subject.at])
    word = (
        START_WORDS.get(source)
        or f"from other ratings ({', '.join(map(source_words, used_sources(subject)))})"
    )
    return f"Unrated before; the starting rating, {word}, is {rating} and counts as {games}."


def _score(subject: Subject) -> Iterator[str]:
    """Yield score, expected score and change by the standard formula."""
    columns, at = subject.columns, subject.at
    expected = f"{columns.expected[at]:.2f} expected"
    change = signed(columns.step5[at], columns.rating[at])
    text = f"{scored(subject)} against {expected}: {change}"
    if columns.bonus[at] >= SHOWN:
        text += f", of which {shown(columns.bonus[at])} are bonus"
    yield f"{text}."
    yield from kind(subject)
    yield opponents(subject)


def kind(subject: Subject) -> Iterator[str]:
    """Yield what is particular about K or the passes."""
    if subject.foreign:
        yield "Computed once, against converted FIDE ratings."
    elif subject.half_k:
        yield "Half K applies."
    elif has_reduced_k(subject):
        yield "Reduced K applies."


def _special_score(subject: Subject) -> Iterator[str]:
    """Yield the score and the rating that balances it with the games before, by the special formula."""
    rules = subject.rules
    yield f"{scored(subject)}."
    yield opponents(subject)
    yield from earlier_games(subject)
    result = subject.columns.step5[subject.at]
    if result in (rules.absolute_floor, rules.special_ceiling):
        end = "lowest" if result == rules.absolute_floor else "highest"
        yield f"The formula gives {shown(result)}, the {end} rating that it can give."
    else:
        yield f"A player rated {shown(result)} would be expected to score the same in all these games."


def earlier_games(subject: Subject) -> Iterator[str]:
    """Yield what the games before the section count as, by the special formula."""
    columns, at = subject.columns, subject.at
    rating, shift = columns.rating[at], subject.rules.special_unbroken_shift
    games = _games_in_words(columns.effective_games[at])
    if columns.record[at] == ALL_WINS:
        yield f"All games before were won; they count as {games} won at {shown(rating - shift)}."
    elif columns.record[at] == ALL_LOSSES:
        yield f"All games before were lost; they count as {games} lost at {shown(rating + shift)}."
    elif columns.effective_games[at] > 0.0:
        yield f"The rating before counts as {games} with an even score at {shown(rating)}."


def scored(subject: Subject) -> str:
    """Return the score of the rated games."""
    return f"{SCORED} {subject.columns.total_score[subject.at]:g} of {len(subject.games)}"


def says_score(sentence: str) -> bool:
    """Return whether a sentence says what was scored.

    >>> says_score("Scored 2.5 of 3 against 2.23 expected: +9."), says_score("1860 -> 1858, established.")
    (True, False)
    """
    return sentence.startswith(SCORED)


def opponents(*ends: Subject) -> str:
    """Return what the opponents were rated in the last pass on average, a range where its *ends* differ."""
    averages = []
    for subject in ends:
        faced = subject.columns.rating if subject.foreign else subject.columns.step4
        ratings = [faced[subject.columns.opponent[game]] for game in subject.games]
        averages.append(added_up(ratings) / len(ratings))
    average = spanned(map(shown, averages))
    if len(ends[0].opponents()) == 1:
        return f"The opponent was rated {average}."
    return f"The opponents averaged {average}."


def settlement(subject: Subject) -> Iterator[str]:
    """Yield what changed the result of the formula."""
    settled, at, before = subject.settled, subject.at, subject.columns.rating[subject.at]
    if subject.match and settled.limited[at] != subject.columns.step5[at]:
        yield f"The limits of match play allow {signed(settled.limited[at], before)}."
    if settled.stored[at] != settled.limited[at] and subject.rules.stored_precision == INTEGER_AWAY:
        yield f"Stored as a whole number, as was done then: {shown(settled.stored[at])}."
    floor = f"the {FLOOR_WORDS[settled.floor_kind[at]]} of {shown(settled.floor[at])}"
    if settled.floor_kind[at] == ENTERED:
        floor = f"the floor of {shown(settled.floor[at])} that the office has entered"
    if settled.lowered_to[at] != NO_FLOOR:
        yield (
            f"The computed rating is below {floor}; the office granted the floor request,"
            f" and the floor is now {shown(settled.lowered_to[at])}."
        )
    elif settled.floor_applied[at]:
        raised = "raises the rating" if settled.floor[at] > before else "holds"
        yield f"The computed rating is below {floor}, which {raised}."
    if settled.request_open[at]:
        yield "The office has not yet answered the floor request."
    if settled.ceiling[at] != NO_CEILING and settled.ceiling_applied[at]:
        yield f"The office has set a ceiling of {shown(settled.ceiling[at])}."


def spanned(texts: Iterable[str]) -> str:
    """Return the texts of a least and a most as one, or the one that both are.

    >>> spanned(["2.31", "2.44"]), spanned(["1500", "1500"])
    ('2.31 to 2.44', '1500')
    """
    return " to ".join(dict.fromkeys(texts))


def shown(rating: float) -> str:
    """Return a rating or a part of it as it is displayed."""
    return f"{rounded(rating):.0f}"


def _games_in_words(games: float) -> str:
    return "one game" if games == 1.0 else f"{games:.3g} games"


def signed(after: float, before: float) -> str:
    """Return the change between two ratings as they are displayed."""
    return f"{rounded(after) - rounded(before):+.0f}"
