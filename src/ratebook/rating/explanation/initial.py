"""Step 1 of an explanation: the rating that the player starts from, and where it comes from."""

import math

from ratebook.rating.columns import SYSTEMS
from ratebook.rating.explanation.parts import Subject, added_up, shown_games, source_words, yes_or_no
from ratebook.rating.step1 import (
    FROM_CFC,
    FROM_FIDE,
    NO_BIRTH_DATE,
    NO_RATING,
    RATED,
    SOURCE_AGE,
    SOURCE_CFC,
    SOURCE_DEFAULT,
    SOURCE_FIDE,
    SOURCE_INITIAL,
    SOURCE_OTHER_RATINGS,
    SOURCES,
    SourceColumns,
    age_on,
    deciding_rank,
    priority_clause,
    source_of_clause,
    usable_birth_day,
)
from ratebook.records.explanations import ExplainedStep, Figures, RuleUsed
from ratebook.rules import in_force
from ratebook.rules.timeline import fields_of_rule

BEFORE = "rating before (R0)"
RATED_BEFORE = "Step 1: rating before the section"
AGE_RULES = (
    "age_rating_least_age", "age_rating_plain_least_age", "age_rating_plain_least", "age_rating_offset",
    "age_rating_slope", "age_rating_most_age", "age_rating_adult", "age_rating_default",
    "age_rating_too_young", "days_per_year",
)  # fmt: skip
CLAUSE_RULES = {
    in_force.CLAUSE_REGULAR_ESTABLISHED: ("established_above_games", "initial_most_games"),
    in_force.CLAUSE_REGULAR_FEW_GAMES: ("initial_least_games", "initial_most_games"),
    in_force.CLAUSE_QUICK_FEW_GAMES: ("initial_least_games",),
    in_force.CLAUSE_ONLINE_BLITZ_FULL: ("initial_most_games",),
}
"""The rules of the clauses that have numbers."""


def explained_start(subject: Subject) -> ExplainedStep:
    """Explain the rating before the section."""
    before, source = subject.entry.before, subject.rated.sources[subject.at]
    figures: Figures = {BEFORE: before.rating, "games (N)": shown_games(before.games)}
    if source == RATED:
        return ExplainedStep(title=RATED_BEFORE, text=("Rated before the section.",), figures=figures)
    step1 = subject.rated.step1
    if source == SOURCE_INITIAL or step1 is None:
        return _initial(figures, (), "Unrated in this system; the office decided the initial rating.")
    if subject.rules.initial_method == in_force.CONSTANT:
        rules = subject.cite("initial_method", "initial_constant")
        return _initial(figures, rules, "Unrated in this system; everyone starts from the same rating.")
    if source in (SOURCE_AGE, SOURCE_DEFAULT):
        return _by_age(subject, step1, figures)
    if subject.rules.initial_method == in_force.BLEND:
        return _by_blend(subject, step1, figures)
    return _by_priority(subject, step1, figures)


def _initial(figures: Figures, rules: tuple[RuleUsed, ...], *text: str) -> ExplainedStep:
    return ExplainedStep(title="Step 1: initial rating", text=text, figures=figures, rules=rules)


def _by_age(subject: Subject, step1: SourceColumns, figures: Figures) -> ExplainedStep:
    """Explain an initial rating by age, or the constant where no birth date can be used."""
    rules = subject.cite("initial_method")
    text = "Unrated in this system, and no other rating counts."
    if subject.rules.initial_method != in_force.BLEND:
        rank = deciding_rank(subject.rules, step1, subject.in_step1)
        text = f"Unrated in this system; the list for {_system_words(subject)} ends with the rating by age."
        if rank:
            text = f"Unrated in this system; {_clause_text(subject, rank)} decides: no other rating counts."
            rules += subject.cite(f"initial_priority_{rank}") + _skipped_rules(subject, step1)
    follows = (
        "The initial rating follows from the age at the end of the section."
        if subject.rated.sources[subject.at] == SOURCE_AGE
        else "No birth date can be used: the initial rating is the constant."
    )
    shown = {**figures, **_age_figures(subject, step1, 0.0)}
    return _initial(shown, rules + _age_rules(subject), text, follows)


def _by_priority(subject: Subject, step1: SourceColumns, figures: Figures) -> ExplainedStep:
    rank = deciding_rank(subject.rules, step1, subject.in_step1)
    clause = priority_clause(subject.rules, rank)
    source = source_of_clause(clause)
    text = (
        f"Unrated in this system; {_clause_text(subject, rank)} decides: the {source_words(source)} rating."
    )
    if rank > 1:
        text += " No clause before it applies."
    rules = subject.cite("initial_method", f"initial_priority_{rank}", *CLAUSE_RULES.get(clause, ()))
    shown = {**figures, **_source_figures(step1, subject.in_step1, source)}
    rules += _skipped_rules(subject, step1) + _source_rules(subject, source)
    return _initial(shown, rules, text)


def _skipped_rules(subject: Subject, step1: SourceColumns) -> tuple[RuleUsed, ...]:
    """Return the rule that passes over ratings on no games, where the player has such a rating."""
    first = subject.in_step1 * SOURCES
    without_games = [
        source
        for source in range(first, first + FROM_FIDE)
        if step1.rating[source] != NO_RATING and step1.games[source] <= 0.0
    ]
    return subject.cite("lists_skip_ratings_without_games") if without_games else ()


def _by_blend(subject: Subject, step1: SourceColumns, figures: Figures) -> ExplainedStep:
    at, first = subject.in_step1, subject.in_step1 * SOURCES
    used = used_sources(subject)
    shown = dict(figures)
    rules = subject.cite("initial_method", "blend_most_games", "blend_rounding")
    for source in used:
        word, place = source_words(source), first + source
        shown |= {
            **_source_figures(step1, at, source),
            f"{word}: rating on the US scale (X)": step1.converted[place],
            f"{word}: game factor (G)": step1.factor[place],
            f"{word}: days old (D)": step1.staleness_days[place],
            f"{word}: age-based rating then (P)": step1.age_rating[place],
            f"{word}: strength for age (Z)": step1.strength[place],
            f"{word}: staleness factor (S)": step1.staleness[place],
            f"{word}: weight (W)": step1.weight[place],
        }
        if source < len(SYSTEMS):
            rules += subject.cite("blend_factor_" + SYSTEMS[source].value.replace("-", "_"))
        rules += _source_rules(subject, source)
    weights = [step1.weight[first + source] for source in used]
    shown["sum of the weights (sum W)"] = added_up(weights)
    shown |= _age_figures(subject, step1, max(step1.staleness_days[first + source] for source in used))
    rounded = ", rounded" if subject.rules.blend_rounding == in_force.NEAREST else ""
    text = (
        f"Unrated in this system; other ratings are blended by weight, R0 = sum W X / sum W{rounded}.",
        "N is sum W, rounded up, at least 1 and at most the most games of a blend.",
        "W = G S, S = exp(rate (Z - most) D / days a year), Z = (X - P) / scale, but not above most.",
    )
    rules += subject.cite("blend_staleness_rate", "blend_strength_most", "blend_strength_scale")
    return ExplainedStep(
        title="Step 1: initial rating (blend)", text=text, figures=shown, rules=rules + _age_rules(subject)
    )


def used_sources(subject: Subject) -> list[int]:
    """Return the other ratings that an initial rating rests on: those with weight, or the one of the clause."""
    step1 = subject.rated.step1
    if step1 is None or subject.rated.sources[subject.at] not in (
        SOURCE_FIDE,
        SOURCE_CFC,
        SOURCE_OTHER_RATINGS,
    ):
        return []
    if subject.rules.initial_method == in_force.BLEND:
        return [
            source for source in range(SOURCES) if step1.weight[subject.in_step1 * SOURCES + source] > 0.0
        ]
    rank = deciding_rank(subject.rules, step1, subject.in_step1)
    return [source_of_clause(priority_clause(subject.rules, rank))]


def _system_words(subject: Subject) -> str:
    return source_words(SYSTEMS.index(subject.rated.system))


def _clause_text(subject: Subject, rank: int) -> str:
    return f"clause {rank} of the list for {_system_words(subject)}"


def _source_figures(step1: SourceColumns, player: int, source: int) -> Figures:
    """Return another rating as it was known: points, and N of those of US Chess."""
    word, at = source_words(source), player * SOURCES + source
    rating = {f"{word}: rating": step1.rating[at]}
    if source in (FROM_FIDE, FROM_CFC):
        return rating
    return {**rating, f"{word}: games (N)": shown_games(step1.games[at])}


def _source_rules(subject: Subject, source: int) -> tuple[RuleUsed, ...]:
    """Return the rules that bring a FIDE or CFC rating to the US scale and say what it counts as."""
    if source == FROM_FIDE:
        return subject.cite(*fields_of_rule("fide_conversion"), *fields_of_rule("fide_games"))
    if source == FROM_CFC:
        cited = ["cfc_conversion_knees_belong_below"]
        for piece in range(1, 5):
            cited += [f"cfc_conversion_intercept_{piece}", f"cfc_conversion_slope_{piece}"]
            knee = f"cfc_conversion_knee_{piece}"
            if math.isinf(getattr(subject.rules, knee, math.inf)):
                break
            cited.append(knee)
        return subject.cite("cfc_residents_only", *cited, *fields_of_rule("cfc_games"))
    return ()


def _age_rules(subject: Subject) -> tuple[RuleUsed, ...]:
    return subject.cite(*(field for field in AGE_RULES if getattr(subject.rules, field) != in_force.OFF))


def _age_figures(subject: Subject, step1: SourceColumns, most_days_old: float) -> Figures:
    """Return the age at the end of the section, as far as the figures need it, or what takes its place."""
    rules, end = subject.rules, float(subject.rated.section.end.toordinal())
    birth_day = step1.birth_day[subject.in_step1]
    name = "age at the end of the section"
    if not usable_birth_day(rules, birth_day, end):
        missing = "not known" if birth_day == NO_BIRTH_DATE else f"less than {rules.age_rating_least_age:g}"
        return {name: missing, "known to be an adult": yes_or_no(step1.adult[subject.in_step1])}
    if age_on(rules, birth_day, end - most_days_old) > rules.age_rating_most_age:
        return {name: f"more than {rules.age_rating_most_age:g} on every day"}
    return {name: age_on(rules, birth_day, end)}
