"""Studies in the browser: from a question to a report that a committee prints, with no dead end between."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

import pytest
from pypdfium2 import PdfDocument

from ratebook.lab.studies.draft import READY
from ratebook.web.jobs.registry import KINDS, STUDY
from ratebook.web.jobs.studies import StudyResult, compute_study
from ratebook.web.office import studies
from support.web.accounts import office_in
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from ratebook.web.site import Site

HERE = "/office/studies"
BONUS = f"{HERE}/rules/bonus_multiplier"
A4_WIDTH = 702
"""Pixels of 1/96 inch between the margins of the sheet."""
MARGIN = 12.0 / 25.4 * 72.0
"""Points of 1/72 inch."""
SMALL = """
title = "Bonus"
[factor.bonus]
10 = { bonus_multiplier = 10 }
6 = { bonus_multiplier = 6 }
[world]
members = 40
regions = 1
years = 2
"""


class Steps(NamedTuple):
    """What became of a small study: its result, and the progress that was told."""

    result: StudyResult
    told: list[tuple[int, int]]


@pytest.fixture(scope="module")
def computed() -> Steps:
    """Give the result of a small study, computed as the job does it."""
    told: list[tuple[int, int]] = []
    return Steps(compute_study(SMALL, lambda done, total: told.append((done, total))), told)


@pytest.fixture
def person(site: Site, tmp_path: Path) -> Iterator[Person]:
    """Give someone of the office; no job runs unless a test lets it."""
    office = office_in(tmp_path / "web")
    with asked(site._replace(gate=office.gate)) as client:
        yield Person(client, office, "office")
    office.gate.store.close()


@pytest.mark.long
def test_a_study_is_computed_step_by_step_in_another_process(computed: Steps) -> None:
    assert computed.told == [(0, 2), (1, 2), (2, 2)]
    assert "With bonus 10, the favourite wins" in " ".join(computed.result.sentences)
    assert computed.result.page.startswith("<!doctype html>")
    assert "Bonus multiplier: 6 instead of 10" in computed.result.page


@pytest.mark.long
def test_from_the_question_to_the_report_each_page_leads_on(
    person: Person, computed: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four steps: the question, its values with the cost, the job, and the study, which leads to its report."""
    monkeypatch.setitem(KINDS, STUDY, KINDS[STUDY]._replace(run=lambda _: computed.result))
    first = person.get(HERE).text
    for question in READY.values():
        assert f"{HERE}/rules/{question.rule}" in first
    form = person.get(BONUS).text
    assert "three values take 19 seconds" in form
    assert 'value="10, 6, 14"' in form
    job = person.fill_in(BONUS, BONUS).headers["location"]
    assert person.client.app.state.jobs.idle.wait(60)
    result = job.replace("/office/jobs", HERE)
    assert result in person.get(job).text
    found = person.get(result).text
    assert "Bonus multiplier: 10, 6, 14" in found
    assert computed.result.sentences[0].replace(" -", " \N{MINUS SIGN}") in found
    assert f"{result}/report" in found
    report = person.get(f"{result}/report")
    assert report.text == computed.result.page
    assert "style-src 'sha256-" in report.headers["content-security-policy"]
    assert "unsafe" not in report.headers["content-security-policy"]
    assert result in person.get(HERE).text


@pytest.mark.long
def test_the_report_fits_paper_and_phone_under_its_policy(browser: Browser, computed: Steps) -> None:
    """On A4 every column of every table and every word of a picture is within the page; at 360 px the page is."""
    report, complaints = computed.result.page, list[str]()
    headers = {"content-security-policy": studies.policy_of(report), "content-type": "text/html"}
    page = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.route("**/*", lambda route: route.fulfill(body=report, headers=headers))
    page.goto("https://report.example/")
    assert page.evaluate("getComputedStyle(document.body).overflowWrap") == "break-word"
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    scrolled = (
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText.slice(0, 100))"
    )
    assert page.locator(".scrolls").evaluate_all(scrolled) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4_WIDTH, "height": 1000})
    outside = page.evaluate(
        """width => [...document.querySelectorAll("th, td, svg text")].filter(element => {
            const place = element.getBoundingClientRect();
            return place.left < -1 || place.right > width + 1;
        }).map(element => element.textContent)""",
        A4_WIDTH,
    )
    assert outside == []
    assert complaints == []
    printed = ""
    for sheet in PdfDocument(page.pdf(prefer_css_page_size=True)):
        text = sheet.get_textpage()
        places = [place for place in range(text.count_chars()) if text.get_text_range(place, 1).strip()]
        left, _, right, _ = zip(*map(text.get_charbox, places), strict=True)
        assert min(left) > MARGIN - 1.0
        assert max(right) < sheet.get_width() - MARGIN + 1.0
        printed += text.get_text_range()
    headings = {
        words for head in re.findall(r"<th [^>]*>([^<]+)<", report) for words in unescape(head).split()
    }
    assert headings - set(printed.split()) == set()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("10", "compares 2 to 6 different values"),
        ("10, 10", "compares 2 to 6 different values"),
        ("1,2,3,4,5,6,7", "compares 2 to 6 different values"),
        ("10, ten", "cannot have the value “ten”"),
        ("10, nan", "cannot have the value “nan”"),
        ("10, -5", "cannot have the value “-5”"),
    ],
)
def test_values_that_cannot_be_tried_are_refused_beside_their_input(
    person: Person, values: str, message: str
) -> None:
    answer = person.fill_in(BONUS, BONUS, values=values)
    assert answer.status_code == 422
    assert message in answer.text
    assert f'value="{values}"' in answer.text


@pytest.mark.parametrize("rule", ["established_above_games", "age_rating_offset", "special_tolerance"])
def test_the_values_that_a_form_suggests_are_accepted(
    person: Person, computed: Steps, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """A whole number, one that cannot be lower, and a tiny one."""
    monkeypatch.setitem(KINDS, STUDY, KINDS[STUDY]._replace(run=lambda _: computed.result))
    address = f"{HERE}/rules/{rule}"
    assert person.fill_in(address, address).headers["location"].startswith("/office/jobs/")


def test_without_the_extra_the_page_says_which_one(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "missing_library", lambda *_: None)
    assert ".[lab]" not in person.get(BONUS).text
    monkeypatch.undo()
    monkeypatch.setattr("ratebook.extras.find_spec", lambda name: None if name == "scipy" else object())
    for address in (HERE, BONUS):
        page = person.get(address).text
        assert "needs the library scipy" in page
        assert "pip install &#39;.[lab]&#39;" in page
    assert "Run the study" not in page


def test_a_rule_that_is_not_there_has_no_page(person: Person) -> None:
    assert person.get(f"{HERE}/rules/bonus").status_code == 404
    linked = set(re.findall(rf'href="{HERE}/rules/([a-z0-9_]+)"', person.get(HERE).text))
    assert {"bonus_multiplier", "k_numerator", "age_rating_adult", "peak_floor_drop"} <= linked
    # The simulated federation has no matches.
    assert not any(rule.startswith("match_") for rule in linked)
