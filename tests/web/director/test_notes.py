"""What a director and the office say to each other: notes, corrections asked for, and why a report came back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.office.decisions.events import withdraw
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.queue.actions import ACCEPT, REJECT
from ratebook.office.rating.rate_queue import rate_ready
from support.web.accounts import PREVIEWS, Director, Office, key_in, number_in, page_of
from support.web.federation import TODAY
from support.web.served import app_of, served
from support.web.tried import TRIED, match_of_two
from support.web.visits import follow, look_at, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

BY_OFFICE = Reason(Actor("office", "2026-11-22T12:00:00"), "the wall chart is missing")
LATE = "The hall was closed, so the report is late."


@pytest.fixture
def office_person(director: Director, office: Office) -> Director:
    """Give someone of the office, who asks with the same client."""
    return Director(director.client, office, "office")


def sent_by(director: Director, day: str) -> str:
    """Return the address of a report that was sent."""
    tried = director.post(PREVIEWS, match_of_two(day))
    return page_of(director.post(f"{tried}/send", key=key_in(director.get(tried))))


def test_a_browser_sends_a_note_with_a_report_and_after_it(
    browser: Browser, own_site: Site, office: Office
) -> None:
    with served(app_of(own_site._replace(gate=office.gate))) as address:
        page = browser.new_context().new_page()
        page.goto(f"{address}{PREVIEWS}/{TRIED}")
        sign_in(page, "director")
        page.get_by_text("Tell the office something").click()
        page.get_by_label("Note to the office").fill(LATE)
        look_at(page)
        # Whichever button sends the report, what was typed goes with it.
        follow(page.get_by_role("button", name="Send to the office"))
        assert "Sent as report" in page.locator("main").inner_text()
        assert LATE in page.locator("#notes").inner_text()
        page.get_by_label("Note to the office").fill("The arbiter was Ann.")
        follow(page.get_by_role("button", name="Send the note"))
        look_at(page)
        page.context.clear_cookies()
        page.goto(f"{address}/office")
        sign_in(page, "office", office.code())
        follow(page.get_by_role("link", name="Example Evening").first)
        told = page.locator("#letter").inner_text()
        assert LATE in told
        assert "The arbiter was Ann." in told
        page.locator("#letter textarea").fill("Thank you.")
        follow(page.get_by_role("button", name="Send it to the sender"))
        page.goto(f"{address}/office")
        assert "wrote to the office" not in page.locator("main").inner_text()
        page.context.close()


def test_notes_of_the_office_are_its_own_and_letters_are_answered(
    director: Director, office_person: Director, office: Office
) -> None:
    sent = sent_by(director, "2021-03-01")
    queued = f"/office/queue/{number_in(sent)}"
    office_person.post(f"{queued}/note", words="Wait for the fee.", key="office-note")
    assert "Wait for the fee." in office_person.get(queued)
    assert "Wait for the fee." not in director.get(sent)
    # The letter begins with what holds the report back.
    assert re.search(r"<textarea[^>]* name=\"letter\"[^>]*>About your report", office_person.get(queued))
    led = office_person.post(f"{queued}/letter", letter="Who won round 2?\nPlease answer.", key="a-letter")
    assert led == f"{queued}#letter"
    home = director.get("/director")
    assert f'wrote to you</strong> about 1 of your reports: <a href="{sent}">open it</a>' in home
    asked = director.get(sent)
    assert "Who won round 2?\nPlease answer." in asked
    assert "Answer to the office" in asked
    assert "Wait for the fee." not in asked
    assert "its sender wrote" not in office_person.get("/office/queue")
    director.post(f"{sent}/note", words="It was drawn.", key=key_in(asked))
    assert "The office wrote to you" not in director.get(sent) + director.get("/director")
    assert "its sender wrote" in office_person.get("/office/queue")
    assert "It was drawn." in office_person.get(queued).partition('id="letter"')[2].partition('id="notes"')[0]
    other = Director(director.client, office, "other")
    other.get(sent, 404)
    assert "Who won round 2?" not in other.get("/director")


def test_who_sent_a_report_is_told_what_the_office_did_after_it_was_rated(
    director: Director, written_site: Site
) -> None:
    sent = sent_by(director, "2021-03-06")
    number, book = number_in(sent), written_site.book
    ACCEPT.done(book, BY_OFFICE, {"findings": {number: ["all"]}}, TODAY)
    rate_ready(book, BY_OFFICE.actor, only=[number])
    assert "Status: <strong>rated</strong>" in director.get(sent)
    withdraw(book, SectionRef("202103060001", None), BY_OFFICE)
    page = director.get(sent)
    assert "Status: <strong>withdrawn by the office</strong>" in page
    assert "Crosstables with the new ratings" not in page
    assert "withdrawn by the office" in director.get("/director")


def test_a_director_is_told_why_a_report_was_not_accepted(director: Director, written_site: Site) -> None:
    sent = sent_by(director, "2021-03-02")
    assert "send the report as it is" not in director.get(sent)
    REJECT.done(written_site.book, BY_OFFICE, {"number": number_in(sent)}, TODAY)
    page = director.get(sent)
    assert "The office did not accept it:</strong> the wall chart is missing" in page
    assert "send the report as it is" not in page
    withdrawn = sent_by(director, "2021-03-03")
    director.post(f"{withdrawn}/withdraw", key=key_in(director.get(withdrawn)))
    assert "did not accept it" not in director.get(withdrawn)


def test_a_correction_of_a_rated_report_is_asked_for_on_its_page(
    director: Director, office_person: Director, written_site: Site
) -> None:
    sent = sent_by(director, "2021-03-04")
    number = number_in(sent)
    ACCEPT.done(written_site.book, BY_OFFICE, {"findings": {number: ["all"]}}, TODAY)
    rate_ready(written_site.book, BY_OFFICE.actor, only=[number])
    page = director.get(sent)
    assert "Ask for a correction" in page
    again = match_of_two("2021-03-04").replace(b'"W2w"', b'"D2w"').replace(b'"L1b"', b'"D1b"')
    # Another club sends it; it is the same event all the same.
    again = again.replace(b'"event": {', b'"event": {"affiliate": "A7000009", ')
    # What the second file does not say is no difference: it has no colours in round 2.
    again = again.replace(b'"D2b"', b'"D2"').replace(b'"D1w"', b'"D1"')
    tried = director.post(PREVIEWS, again)
    assert f"looks like report {number}, which is rated" in director.get(tried)
    assert f'href="{sent}?ask={tried.rpartition("/")[2]}#notes"' in director.get(tried)
    filled_in = director.get(f"{sent}?ask={tried.rpartition('/')[2]}")
    (words,) = re.findall(r"<textarea[^>]*>([^<]+)</textarea>", filled_in)
    affiliate, game = words.splitlines()
    assert affiliate == "affiliate: none → A7000009"
    assert re.fullmatch(r"seat 1 \w+ \w+, round 1: win → draw against seat 2", game)
    assert re.search(r"<textarea[^>]*></textarea>", director.get(f"{sent}?ask=yes"))
    second = page_of(director.post(f"{tried}/send", key=key_in(director.get(tried))))
    assert f'withdraw this one, and <a href="{sent}?ask=yes#notes">' in director.get(second)
    queued = office_person.get(f"/office/queue/{number_in(second)}")
    assert f'<a class="button" href="/office/queue/{number}">Open report {number}</a>' in queued
    assert 'href="/office/events/202103040001">Correct event 202103040001</a>' in queued
    led = director.post(f"{sent}/note", words="Round 1 was drawn.", key=key_in(page))
    assert led == f"{sent}#notes"
    assert "Reports whose directors wrote to the office" in office_person.get("/office")
    asked = office_person.get(f"/office/queue/{number}")
    assert "Round 1 was drawn." in asked
    assert "Correct it" in asked
