"""How much ratings change: mean K and mean change of a section by class of rating, and whether surprises persist.

The autocorrelation is that of S - E, score less forecast, in consecutive sections of established players. Where K is
too small it is positive: what was not forecast last time is not forecast again. Where K is too large it is negative.
"""

import math

import numpy as np

from ratebook.lab.cells.content import ChangeClass, ChangeFigures
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import CLASS_POINTS, CLASSES, add_by_class, values_before
from ratebook.replay.memory import Array

MEASURES = (
    Measure(
        "autocorrelation",
        "Autocorrelation",
        "of score minus forecast, from section to section; above zero, ratings change too little",
        lambda cell: cell.changes.autocorrelation,
        digits=3,
        signed=True,
    ),
    Measure("change", "Change", "mean of a section, points", lambda cell: cell.changes.change, digits=1),
)


class Changes:
    """Sums over sections of established players.

    Attributes:
        classes: by class of the rating before: sections, the sum of absolute changes, sections with a K, the sum of K.
        pairs: consecutive sections, and sums of x, y, x^2, y^2 and xy, where x is S - E of the earlier one.
    """

    def __init__(self, members: int) -> None:
        self.classes = np.zeros((CLASSES, 4))
        self.pairs = np.zeros(6)
        self._latest = np.full(members, math.nan)

    def add(self, rows: dict[str, Array], established: Array, surplus: Array) -> None:
        """Add ledger rows in their order.

        Args:
            rows: columns of the ledger.
            established: whether the rating before is, by row.
            surplus: S - E by row, games.
        """
        before = rows["rating_before"][established]
        k = rows["k"][established]
        change = np.abs(rows["rating"][established] - before)
        add_by_class(self.classes, before, np.ones_like(before), change, ~np.isnan(k), np.nan_to_num(k))
        surplus = surplus[established]
        order, earlier = values_before(self._latest, rows["member"][established], surplus)
        known = ~np.isnan(earlier)
        x, y = earlier[known], surplus[order][known]
        self.pairs += (len(x), x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum())

    def content(self) -> ChangeFigures:
        """Return the autocorrelation, the mean absolute change a section, and both means by class."""
        pairs, x, y, x2, y2, xy = self.pairs.tolist()
        spread = (x2 - x * x / pairs) * (y2 - y * y / pairs) if pairs else 0.0
        sections, change = self.classes[:, :2].sum(axis=0).tolist()
        return ChangeFigures(
            pairs=int(pairs),
            autocorrelation=(xy - x * y / pairs) / math.sqrt(spread) if spread > 0.0 else math.nan,
            change=change / sections if sections else math.nan,
            classes=tuple(
                ChangeClass(
                    lowest=place * CLASS_POINTS,
                    sections=int(count),
                    change=moved / count,
                    k=total / with_k if with_k else math.nan,
                )
                for place, (count, moved, with_k, total) in enumerate(self.classes.tolist())
                if count
            ),
        )
