"""The 18 variants of examples/lab/committee-2012, as rules; a test compares them with the files there."""

from collections.abc import Mapping
from datetime import date
from itertools import product

from ratebook.rules.rulebook import Rulebook, load_rulebook

Values = Mapping[str, float] | float | str

FIRST_DAY = date(2001, 1, 1)
EFFECTIVE_GAMES: Mapping[str, Values] = {
    "2001": {"most": 50, "constant": 1, "slope": 0.00001, "centre": 2200, "knee": 2200},
    "between": {"most": 50, "constant": 0.831, "slope": 0.000008695, "centre": 2384.5, "knee": 2277.5},
    "2013": {"most": 50, "constant": 0.662, "slope": 0.00000739, "centre": 2569, "knee": 2355},
}
STRONG = {"above": 2200, "least_from": 2500}
REDUCED_K: Mapping[str, Values] = {
    "none": "off",
    "mild": {**STRONG, "intercept": 3.75, "slope": 0.00125, "least_numerator": 500},
    "2013": {**STRONG, "intercept": 6.5, "slope": 0.0025, "least_numerator": 200},
}
THRESHOLDS = (6, 8)


def overlay_of(effective_games: str, reduced_k: str, threshold: float) -> dict[str, object]:
    """Return an overlay in the format of the timeline."""
    dual: dict[str, object] = {"from": FIRST_DAY, "is": REDUCED_K[reduced_k]}
    if reduced_k != "none":
        dual["systems"] = ["regular"]
    return {
        "effective_games": {"values": [{"from": FIRST_DAY, "is": EFFECTIVE_GAMES[effective_games]}]},
        "reduced_k": {"values": [dual]},
        "bonus_multiplier": {"values": [{"from": FIRST_DAY, "is": threshold}]},
    }


def variant(effective_games: str, reduced_k: str, threshold: float) -> Rulebook:
    """Return the rules of a variant."""
    return load_rulebook().with_overlay_file(overlay_of(effective_games, reduced_k, threshold))


def variants() -> dict[tuple[str, str, int], Rulebook]:
    """Return the rules of all 18 by their levels."""
    return {levels: variant(*levels) for levels in product(EFFECTIVE_GAMES, REDUCED_K, THRESHOLDS)}
