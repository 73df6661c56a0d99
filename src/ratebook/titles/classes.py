"""The class of a rating: Senior Master, Master, Expert, Class A to Class J."""

import math

from ratebook.rating.formulas import rounded
from ratebook.titles.title_rules import RatingClass, title_rules


def rating_class(rating: float) -> RatingClass:
    """Return the class of *rating*, by the rating as it is displayed.

    A rating below the lowest class is in that class too, since no rating falls below 100.

    A rating that is not finite raises ``ValueError``.

    Source: docs/rules/outside.md#6c-rating-classes.

    >>> rating_class(1999.4).name, rating_class(1999.5).name, rating_class(100).code
    ('Class A', 'Expert', 'J')
    """
    if not math.isfinite(rating):
        raise ValueError(f"a rating is a finite number, not {rating}")
    classes, displayed = title_rules().classes, rounded(rating)
    return next((one for one in classes if displayed >= one.lowest), classes[-1])
