"""Pages of events say names and titles, not codes, and one with a single section shows its crosstable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient
from pypdfium2 import PdfDocument

from ratebook.book.events import EventQuestion, find_events
from ratebook.pages.changes import event_changes
from ratebook.pages.event import event_page
from support.web.federation import EVENT, PLAYER
from support.web.served import app_of
from support.web.visits import follow, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

    Client = TestClient[Litestar]

LETTER_WITHOUT_MARGINS = 9 * 96
"""How wide a sheet is that lies, in pixels, when an inch is left at each side."""


@pytest.fixture(scope="module")
def browsing(site: Site) -> Iterator[Client]:
    """Give someone who asks for pages."""
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        yield client


def test_an_event_with_one_section_shows_its_crosstable(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        events, _ = find_events(reader.connection, EventQuestion(most=200))
    event = next(event for event in events if event.sections == 1 and not event.withdrawn)
    assert "Crosstable, OTB" in browsing.get(f"/events/{event.id}").text


NINE_ROUNDS = """
() => {
    const rounds = [...document.querySelectorAll("thead th")].filter(head => /^R[0-9]+$/.test(head.textContent));
    for (const row of document.querySelectorAll("tr")) {
        const first = row.cells[rounds[0].cellIndex];
        for (let number = rounds.length; number < 9; number++) first.after(first.cloneNode(true));
        row.querySelectorAll("td > .result").forEach(result => { result.textContent = "W24"; });
    }
}
"""


def test_a_crosstable_of_nine_rounds_fits_paper(browser: Browser, address: str) -> None:
    with browser.new_page() as page:
        page.goto(f"{address}/events/{EVENT}/1")
        portrait = PdfDocument(page.pdf(format="Letter"))[0]
        assert portrait.get_width() < portrait.get_height()
        page.evaluate(NINE_ROUNDS)
        landscape = PdfDocument(page.pdf(format="Letter"))[0]
        assert landscape.get_width() > landscape.get_height()
        page.emulate_media(media="print")
        page.set_viewport_size({"width": LETTER_WITHOUT_MARGINS, "height": 1000})
        assert page.locator("table").evaluate("table => table.offsetWidth") <= LETTER_WITHOUT_MARGINS


def test_no_code_stands_where_a_title_is_known(browsing: Client) -> None:
    page = browsing.get(f"/events/{EVENT}").text.partition("<main")[2]
    assert f"Event ID {EVENT}" in page
    assert re.search(r">(Swiss|Match|Round robin) · ", page)
    assert re.search(r">[^<]*(OTB|Online) (Regular|Quick|Blitz)", page)
    assert not re.search(r">(regular|quick|blitz|online-regular|swiss)[,<]", page)


def test_the_history_has_the_columns_in_the_order_of_what_happened(browsing: Client) -> None:
    page = browsing.get(f"/players/{PLAYER}/history").text
    headings = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', page)
    assert headings == ["Event", "Score", "Before", "After", "Change", "Why"]
    assert re.search(r'class="chip up">\+\d+<', page)
    assert re.search(r'class="chip down">\N{MINUS SIGN}\d+<', page)
    assert re.search(r'<span class="sub">\d+\s\w{3}\s\d{4}\s· (Regular|Quick|Blitz)', page)
    assert not re.search(r"· (?:Online )?(\w+)\s· \1<", page)


def test_norms_name_their_event(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        events, _ = find_events(reader.connection, EventQuestion(most=200))
    names = {event.id: event.name for event in events}
    found = 0
    for player in browsing.get("/api/v1/rankings/regular").json()["items"]:
        page = browsing.get(f"/players/{player['player']}").text
        for event, shown in re.findall(
            r'<a href="/events/([^"/]+)/\d+">([^<]*)</a>', page.partition("<caption>Norms")[2]
        ):
            assert shown == names[event]
            found += 1
    assert found


def test_a_form_with_empty_fields_is_understood(browser: Browser, address: str) -> None:
    with visit(browser, f"{address}/events") as page:
        page.get_by_label("Name", exact=True).fill("open")
        follow(page.get_by_role("button", name="Find").last)
        assert page.url.endswith("/events?name=open&from=&to=&state=")
        assert page.locator("table tbody tr").count() > 0
    with visit(browser, f"{address}/rules?on=2025-06-01&against=") as page:
        assert page.locator("h1").count() == 1


@pytest.mark.parametrize("state", ["or", "Oregon", "oregon "])
def test_a_state_is_known_by_its_code_and_its_name(browsing: Client, state: str) -> None:
    for page, rows in (("/rankings/regular", "players"), ("/events", "events")):
        by_code, asked = (
            re.findall(f'<a href="/{rows}/([0-9]+)"', browsing.get(f"{page}?state={one}").text)
            for one in ("OR", state)
        )
        assert by_code
        assert asked == by_code


def test_the_states_of_events_are_offered_and_stay_chosen(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        events, _ = find_events(reader.connection, EventQuestion(most=200))
    first = browsing.get("/events").text
    states = first.partition('<select id="state"')[2].partition("</select>")[0]
    assert set(re.findall(r'value="(\w+)"', states)) == {event.state for event in events if event.state}
    assert '<option value="OR">Oregon</option>' in states
    assert '<option value="OR" selected>Oregon</option>' in browsing.get("/events?state=oregon").text


def test_a_wrong_letter_in_the_name_of_an_event_is_forgiven(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        event = event_page(reader.connection, EVENT)
    (longest, *_) = sorted(event.name.split(), key=len, reverse=True)
    mistaken = f"{longest[:-1]}q"
    page = browsing.get("/events", params={"name": mistaken}).text
    assert f"Nothing was found for “{mistaken}”. This was found for “{longest.lower()}”" in page
    assert 'href="/events/' in page.partition("<table")[2]
    nowhere = browsing.get("/events?name=zzzzzzzz").text
    assert "Nothing was found for" not in nowhere
    assert "No such event is rated" in nowhere


def test_an_event_leads_to_later_changes_where_there_are_some(browsing: Client, site: Site) -> None:
    pages = {}
    with site.reading() as reader:
        for event in find_events(reader.connection, EventQuestion(most=200))[0]:
            changes = event_changes(reader.connection, event.id, most=100)
            pages[event.id] = bool(changes.decisions or changes.reratings or changes.waits)
    changed = next(event for event in sorted(pages) if pages[event])
    unchanged = next(event for event in sorted(pages) if not pages[event])
    assert "Later changes" in browsing.get(f"/events/{changed}").text
    page = browsing.get(f"/events/{unchanged}").text
    assert "Later changes" not in page
    assert re.search(r"<span>Rated \d+ [A-Z][a-z]+ \d{4}</span>", page)


def test_lists_say_what_of_them_is_of_today(browsing: Client) -> None:
    assert "Names and states are those of today." in browsing.get("/lists").text
