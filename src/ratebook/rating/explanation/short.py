"""An explanation in short: a few sentences that the player can follow, in the right words for each kind of rating."""

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
    yield _special_score(subject) if subject.columns.formula[subject.at] == SPECIAL else score(subject)
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
    return f"Unrated before; {word} you start from {rating}, which counts as {games}."


def score(subject: Subject) -> str:
    """Return score, expected score and change by the standard formula."""
    columns, at = subject.columns, subject.at
    expected = f"{columns.expected[at]:.2f} expected"
    change = signed(columns.step5[at], columns.rating[at])
    text = f"{kind(subject)}{scored(subject)} against {expected}: {change}"
    if columns.bonus[at] >= SHOWN:
        text += f", of which {shown(columns.bonus[at])} are bonus"
    return f"{text}; {opponents(subject)}."


def kind(subject: Subject) -> str:
    """Return what is particular about K or the passes, before the score."""
    if subject.foreign:
        return "Once against converted FIDE ratings, "
    if subject.half_k:
        return "At half K, "
    return "At reduced K, " if has_reduced_k(subject) else ""


def _special_score(subject: Subject) -> str:
    """Return the score and the rating that balances it with the games before, by the special formula."""
    rules = subject.rules
    text = f"{scored(subject)}; {opponents(subject)}. {earlier_games(subject)}"
    result = subject.columns.step5[subject.at]
    if result in (rules.absolute_floor, rules.special_ceiling):
        end = "lowest" if result == rules.absolute_floor else "highest"
        return f"{text}That gives {shown(result)}, the {end} rating that the formula can give."
    return f"{text}That is the score to expect of a rating of {shown(result)}."


def earlier_games(subject: Subject) -> str:
    """Return what the games before the section count as, by the special formula."""
    columns, at = subject.columns, subject.at
    rating, shift = columns.rating[at], subject.rules.special_unbroken_shift
    games = _games_in_words(columns.effective_games[at])
    if columns.record[at] == ALL_WINS:
        return f"Before that you had only wins: they count as {games} won at {shown(rating - shift)}. "
    if columns.record[at] == ALL_LOSSES:
        return f"Before that you had only losses: they count as {games} lost at {shown(rating + shift)}. "
    if columns.effective_games[at] > 0.0:
        return f"The rating before counts as {games} with an even score at {shown(rating)}. "
    return ""


def scored(subject: Subject) -> str:
    """Return the score of the rated games."""
    return f"{subject.columns.total_score[subject.at]:g} of {len(subject.games)}"


def opponents(*ends: Subject) -> str:
    """Return the average of the ratings that the opponents had in the last pass, a range where its *ends* differ."""
    averages = []
    for subject in ends:
        faced = subject.columns.rating if subject.foreign else subject.columns.step4
        ratings = [faced[subject.columns.opponent[game]] for game in subject.games]
        averages.append(added_up(ratings) / len(ratings))
    average = spanned(map(shown, averages))
    if len(ends[0].opponents()) == 1:
        return f"your opponent was rated {average}"
    return f"your opponents averaged {average}"


def settlement(subject: Subject) -> Iterator[str]:
    """Yield what changed the result of the formula."""
    settled, at, before = subject.settled, subject.at, subject.columns.rating[subject.at]
    if subject.match and settled.limited[at] != subject.columns.step5[at]:
        yield f"The limits of match play allow {signed(settled.limited[at], before)}."
    if settled.stored[at] != settled.limited[at] and subject.rules.stored_precision == INTEGER_AWAY:
        yield f"Stored as a whole number, as was done then: {shown(settled.stored[at])}."
    floor = f"your {FLOOR_WORDS[settled.floor_kind[at]]} of {shown(settled.floor[at])}"
    if settled.floor_kind[at] == ENTERED:
        floor = f"the floor of {shown(settled.floor[at])} that the office has entered"
    if settled.lowered_to[at] != NO_FLOOR:
        yield (
            f"That is below {floor}; the office granted the floor request,"
            f" and the floor is now {shown(settled.lowered_to[at])}."
        )
    elif settled.floor_applied[at]:
        raised = "raises the rating" if settled.floor[at] > before else "holds"
        yield f"That is below {floor}, which {raised}."
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
