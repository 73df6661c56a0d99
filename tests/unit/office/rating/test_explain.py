from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.profile import read_federation
from ratebook.checks import ReportedFacts
from ratebook.model import System
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.queue.submit import fix
from ratebook.office.rating.explain import CORRECTED, explain_rating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.pages.member import history, member_page
from ratebook.reports.load import LoadedReport
from support.book_reports import member_id, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 3, 5)


def test_an_explanation_ends_at_the_rating_of_the_ledger(season: Book) -> None:
    explanations = explain_rating(season, member_id(3), "202601100001")
    with season.reading() as connection:
        federation = read_federation(connection)
        lines = [
            line for line in history(connection, federation, member_id(3)) if line.event == "202601100001"
        ]
        assert member_page(connection, federation, member_id(3), TODAY).ratings
    assert [(one.system, one.name) for one in explanations] == [
        ("regular", "EXAMPLE, PLAYER 3"),
        ("quick", "EXAMPLE, PLAYER 3"),
    ]
    for explanation, line in zip(
        explanations, sorted(lines, key=lambda one: list(System).index(one.system)), strict=True
    ):
        figures = [value for step in explanation.steps for value in step.figures.values()]
        assert line.rating in figures


def test_what_waits_for_a_rerating_is_explained_as_it_was_published(season: Book) -> None:
    published = explain_rating(season, member_id(3), "202601030001")
    because = Reason(ACTOR, "the score sheet", ["all"])
    for letter in ("L", "D"):
        correct_result(season, SectionRef("202601030001", 1), GameResult(1, 1, letter), because)
    waiting = explain_rating(season, member_id(3), "202601030001")
    assert [one.steps[0].text[-1] for one in waiting] == [CORRECTED] * len(published)
    assert [one.steps[1:] for one in waiting] == [one.steps[1:] for one in published]
    assert [one.steps[0].figures for one in waiting] == [one.steps[0].figures for one in published]
    assert explain_rating(season, member_id(3), "202601100001"), "the ledger still says what it said"
    rerate(season, ACTOR)
    rated_again = explain_rating(season, member_id(3), "202601030001")
    assert rated_again != published
    assert CORRECTED not in rated_again[0].steps[0].text


def test_a_version_that_named_a_stranger_was_never_rated_and_explains_nothing(season: Book) -> None:
    rounds = ("W2 D3", "L1 W4", "W4 D1", "L3 L2")
    waiting = send(season, report("2026-02-21", [1, 2, 3, 99], rounds), ACTOR)
    mended = LoadedReport(report("2026-02-21", [1, 2, 3, 5], rounds), (), {}, ReportedFacts())
    assert waiting.number is not None
    event = fix(season, waiting.number, mended, "report.json", ACTOR).event_id
    rate_ready(season, ACTOR)
    assert explain_rating(season, member_id(5), event)
    send(season, report("2026-02-20", [1, 2, 3, 4], rounds), ACTOR)
    rate_ready(season, ACTOR)
    with pytest.raises(BookError) as refused:
        explain_rating(season, member_id(1), event)
    assert refused.value.finding.code == "rerate-waits"
    assert "the office has re-rated" in refused.value.finding.for_sender


@pytest.mark.parametrize("member", [member_id(5), "12345678"])
def test_nothing_to_explain_is_a_finding(season: Book, member: str) -> None:
    with pytest.raises(BookError) as refused:
        explain_rating(season, member, "202601100001")
    assert refused.value.finding.code in {"nothing-to-explain", "member-unknown"}
