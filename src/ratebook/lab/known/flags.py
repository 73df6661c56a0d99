"""What a search must not call an optimum: a value of a rule without effect, and one on the edge of its range."""

import math
from collections.abc import Iterator
from pathlib import Path

from ratebook.lab.known.answers import KnownAnswer, KnownFigure, same
from ratebook.lab.studies.search import Evaluator, Objective, Verdict, score_of, search
from ratebook.lab.studies.study import Range, read_study

STUDY = """
[world]
preset = "still"
years = 2
members = 60
regions = 1
events = 8.0
"""
FREE = (Range("logistic_scale", 5.0, 300.0), Range("match_change", 60.0, 80.0))
"""A scale that is too small at its upper end still, and a limit of matches where no one plays one."""
MOST = 12


def _flags(folder: Path) -> Iterator[KnownFigure]:
    path = folder / "flags.toml"
    path.write_text(STUDY, encoding="utf-8")
    evaluate = Evaluator(read_study(path), folder, FREE, score_of(Objective.EXCESS), lambda _: None)
    found = search(evaluate, FREE, everywhere=False, most=MOST, seed=1)
    edge, inert = found.verdicts
    yield same("verdicts other than 'on the edge' where more would be better", edge is not Verdict.EDGE)
    yield same("verdicts other than 'inert' where nothing changes", inert is not Verdict.INERT)
    passed_over = sum(one.result is None for one in found.tried)
    yield KnownFigure("values that rate nothing and are passed over", 1.0, math.inf, passed_over)


FLAGS = (
    KnownAnswer(
        "A18",
        "neither a rule without effect nor a value on the edge of its range is called an optimum",
        "strengths fit a scale of 400, and no one plays a match",
        _flags,
    ),
)
