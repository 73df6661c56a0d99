"""The winning expectancy that the documents of 1995 and 2001 share.

What it does not do: it knows nothing of the uncertainty of a rating (that is ``fics_glicko``) and nothing
of the piecewise linear expectancy of the specifications' special formula.
"""

from ratebook.calculators.validation import require_rating

LOGISTIC_SCALE = 400.0
"""Points of difference that make the odds ten to one."""


def logistic(difference: float) -> float:
    """Return the expectancy that a difference of ratings stands for.

    1 / (1 + 10 ** (-difference / 400)), written so that no difference overflows.

    Source: A01, standard rating formula; R95, appendix B, Step 3 (with the difference already attenuated).
    """
    if difference >= 0.0:
        against: float = 10.0 ** (-difference / LOGISTIC_SCALE)
        return 1.0 / (1.0 + against)
    odds: float = 10.0 ** (difference / LOGISTIC_SCALE)
    return odds / (1.0 + odds)


def winning_expectancy(own_rating: float, opponent_rating: float) -> float:
    """Return the score a player should expect from one game.

    We(R, R_opp) = 1 / (10 ** (-(R - R_opp) / 400) + 1)

    Source: A01, standard rating formula; used, but not printed, by the examples of R95, section 2.

    >>> round(winning_expectancy(1300, 1250), 3)
    0.571
    """
    require_rating(own_rating, "own rating")
    require_rating(opponent_rating, "opponent rating")
    return logistic(own_rating - opponent_rating)
