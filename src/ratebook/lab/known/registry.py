"""All known answers, in their order: `ratebook lab check` computes them, and so do the tests."""

from ratebook.lab.fits.known import FITS
from ratebook.lab.known.answers import KnownAnswer
from ratebook.lab.known.coverage import COVERAGE
from ratebook.lab.known.elo import ELO
from ratebook.lab.known.flags import FLAGS
from ratebook.lab.known.glicko import GLICKO
from ratebook.lab.known.quads import QUADS
from ratebook.lab.known.replays import REPLAYS
from ratebook.lab.known.reports import REPORTS
from ratebook.lab.known.strengths import STRENGTHS

ROOMS = (COVERAGE, ELO, FITS, FLAGS, GLICKO, QUADS, REPLAYS, REPORTS, STRENGTHS)

ANSWERS: tuple[KnownAnswer, ...] = tuple(
    sorted((one for room in ROOMS for one in room), key=lambda one: (int(one.number[1:]), one.long))
)
