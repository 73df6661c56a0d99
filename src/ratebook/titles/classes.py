"""The class of a rating: Senior Master, Master, Expert, Class A to Class J."""

import math

from ratebook.rating.formulas import rounded
from ratebook.titles.title_rules import RatingClass, TitleRules, title_rules


def rating_class(rating: float, *, rules: TitleRules | None = None) -> RatingClass:
    """Return the class of *rating*, by the rating as it is displayed.

    A rating below the lowest class is in that class too, since no rating falls below 100.

    The rules of titles are the packaged ones where none are given; a rating that is not finite raises ``ValueError``.

    Source: docs/rules/outside.md#6c-rating-classes.

    >>> rating_class(1999.4).name, rating_class(1999.5).name, rating_class(100).code
    ('Class A', 'Expert', 'J')
    """
    if not math.isfinite(rating):
        raise ValueError(f"a rating is a finite number, not {rating}")
    classes = (rules or title_rules()).classes
    displayed = rounded(rating)
    return next((one for one in classes if displayed >= one.lowest), classes[-1])
