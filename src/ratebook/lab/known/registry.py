"""All known answers, in their order: `ratebook lab check` computes them, and so do the tests."""

from ratebook.lab.known.answers import KnownAnswer
from ratebook.lab.known.quads import QUADS
from ratebook.lab.known.replays import REPLAYS
from ratebook.lab.known.strengths import STRENGTHS

ANSWERS: tuple[KnownAnswer, ...] = tuple(
    sorted((*QUADS, *REPLAYS, *STRENGTHS), key=lambda one: (int(one.number[1:]), one.long))
)
