"""Rated events in the office: each id, result and fact leads to its correction, which is seen, decided and re-rated."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from ratebook.book.events import read_sections
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import revision
from support.web.accounts import office_in
from support.web.federation import EVENT, PLAYER
from support.web.persons import Forms, Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

HERE = "/office/corrections"
LONG = 60
WORDS = {"W": "win", "L": "loss", "D": "draw"}


@pytest.fixture
def person(own_site: Site, tmp_path: Path) -> Iterator[Person]:
    """Give someone of the office at a site whose book may be written to."""
    office = office_in(tmp_path / "web")
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "office")
    office.gate.store.close()


def links(page: str, word: str) -> list[str]:
    return [unescape(one) for one in re.findall(rf'href="({HERE}/{word}\?[^"]+)"', page)]


def test_every_cell_of_a_rated_section_leads_to_its_correction(person: Person, own_site: Site) -> None:
    page = person.get(f"/office/events/{EVENT}").text
    with own_site.reading() as reader:
        (stored,) = read_sections(reader.connection, event_id=EVENT)
    section = stored.section
    rounds = {(entry.seat, at) for entry in section.entries for at, _ in enumerate(entry.rounds, start=1)}
    pattern = rf"event={EVENT}&section=1&seat=(\d+)&number=(\d+)&result=\w"
    found = [re.search(pattern, one) for one in links(page, "result")]
    assert {(int(one[1]), int(one[2])) for one in found if one} == rounds
    assert len(links(page, "member")) == len(section.entries)
    for word, name, value in (
        ("dates", "end", str(section.end)),
        ("time-control", "time_control", section.time_control),
        ("withdraw", "section", "1"),
    ):
        (address,) = links(page, word)
        form = Forms(person.get(address).text).found[f"{HERE}/{word}"]
        assert (form["event"], form[name]) == (EVENT, value)


def test_a_result_is_corrected_by_the_names_of_the_players_and_not_by_ids(
    person: Person, own_site: Site
) -> None:
    with own_site.reading() as reader:
        (stored,) = read_sections(reader.connection, event_id=EVENT)
        names = names_of(reader.connection, [entry.player for entry in stored.section.entries])
    called = {
        entry.seat: " ".join(reversed(names[entry.player].split(", "))) for entry in stored.section.entries
    }
    first = next(entry for entry in stored.section.entries if entry.rounds[0].colour == "w")
    player, opponent = called[first.seat], called[first.rounds[0].opponent or 0]
    address = next(
        one
        for one in links(person.get(f"/office/events/{EVENT}").text, "result")
        if f"&seat={first.seat}&number=1&" in one
    )
    page = unescape(person.get(address).text)
    assert f"Round 1: {player} (White) \u2013 {opponent}<" in page
    assert f"{player} now has: {WORDS[first.rounds[0].letter]}" in page
    assert f"Result of {player}<" in page
    assert f"Result of {opponent} <" in page
    for name in ("event", "section", "seat", "number"):
        assert re.search(rf'<input type="hidden" name="{name}" value="\w+">', page)
        assert f'<label for="{name}"' not in page
    other = next(letter for letter in "DW" if letter != first.rounds[0].letter)
    tried = person.fill_in(address, f"{HERE}/result", result=other, reason="score sheet")
    assert f"<li>seat {first.seat} {player}, round 1: " in unescape(tried.text)
    wrong = f"{HERE}/result?event={EVENT}&section=1&seat={first.seat}&number=99"
    assert '<label for="number"' in person.get(wrong).text


def test_the_form_of_a_wrong_id_names_the_player_and_leads_back_to_the_crosstable(person: Person) -> None:
    page = person.get(f"{HERE}/member?event={EVENT}&section=1&seat=1").text
    assert re.search(r"<span>Seat 1: [A-Z][a-z]+ [A-Z][a-z]+</span>", page)
    assert f'href="/office/events/{EVENT}/1">Back to the event<' in page
    assert '<label for="member"' in page
    assert "Back to the event<" not in person.get(f"{HERE}/member?event=no-such-event&section=1").text


def test_a_result_is_corrected_and_rated_again_in_three_clicks_from_its_section(
    person: Person, own_site: Site
) -> None:
    page = person.get(f"/office/events/{EVENT}/1").text
    won = next(one for one in links(page, "result") if one.endswith("&result=W"))
    tried = person.fill_in(won, f"{HERE}/result", result="D", reason="score sheet")
    assert tried.status_code == 200
    assert "current ratings would change" in tried.text
    assert "Record and re-rate" in tried.text
    decided = person.send(f"{HERE}/result/decide", and_rerated(tried.text))
    assert decided.status_code == 303
    with own_site.reading() as reader:
        assert int(and_rerated(tried.text)["rerate"]) == revision(reader.connection)
    job = decided.headers["location"]
    assert job.startswith("/office/jobs/")
    assert person.client.app.state.jobs.idle.wait(LONG)
    with own_site.reading() as reader:
        assert not read_pending(reader.connection)
    result = person.get(job.replace("jobs", "rerate")).text
    # What was shown before is what came: the same changes in the same order.
    assert chips(result) == chips(tried.text) != []
    assert result.count("+0.00") == result.count("-0.00") == 0


def and_rerated(page: str) -> dict[str, str]:
    """Return what the button sends that decides and rates again."""
    (after,) = re.findall(r'name="rerate" value="(\d+)"', page)
    return Forms(page).found[f"{HERE}/result/decide"] | {"rerate": after}


def test_what_somebody_else_decides_meanwhile_is_not_rated_again_unseen(
    person: Person, own_site: Site
) -> None:
    page = person.get(f"/office/events/{EVENT}/1").text
    won = next(one for one in links(page, "result") if one.endswith("&result=W"))
    tried = person.fill_in(won, f"{HERE}/result", result="D", reason="score sheet")
    form = and_rerated(tried.text)
    # As if the book had moved on between the decision and the re-rating.
    decided = person.send(f"{HERE}/result/decide", form | {"rerate": str(int(form["rerate"]) - 1)})
    assert decided.status_code == 303
    assert person.client.app.state.jobs.idle.wait(LONG)
    assert "It could not be done. Nothing was changed." in person.get(decided.headers["location"]).text
    with own_site.reading() as reader:
        assert read_pending(reader.connection)


def chips(page: str) -> list[str]:
    return re.findall(r'class="chip[^"]*">([^<]+)<', page)


def test_ratings_are_not_tried_where_something_else_waits(person: Person) -> None:
    page = person.get(f"/office/events/{EVENT}").text
    first, second = [one for one in links(page, "result") if one.endswith("&result=W")][:2]
    tried = person.fill_in(first, f"{HERE}/result", result="D", reason="score sheet")
    assert person.send_shown(tried, f"{HERE}/result/decide").status_code == 303
    again = person.fill_in(second, f"{HERE}/result", result="D", reason="score sheet")
    assert again.status_code == 200
    assert "Record and re-rate" not in again.text
    assert "Ratings change once they are rated again" in again.text


def test_a_withdrawn_section_says_so_and_is_withdrawn_no_more(person: Person) -> None:
    address = f"/office/events/{EVENT}/1"
    (withdraw,) = links(person.get(address).text, "withdraw")
    tried = person.fill_in(withdraw, f"{HERE}/withdraw", reason="casual games")
    assert person.send_shown(tried, f"{HERE}/withdraw/decide").status_code == 303
    page = person.get(address).text
    assert "This section is withdrawn" in page
    assert links(page, "withdraw") == []


def test_the_name_of_a_rated_event_is_corrected_from_its_page(person: Person) -> None:
    (named,) = links(person.get(f"/office/events/{EVENT}").text, "event")
    assert Forms(person.get(named).text).found[f"{HERE}/event"]["event"] == EVENT
    tried = person.fill_in(named, f"{HERE}/event", name="Maple Falls Open", reason="the director's letter")
    assert "→ Maple Falls Open" in tried.text
    assert "Nothing would have to be rated again." in tried.text
    assert person.send_shown(tried, f"{HERE}/event/decide").status_code == 303
    assert "<h1>Maple Falls Open</h1>" in person.get(f"/events/{EVENT}").text
    assert "the name or place of the event was corrected" in person.get(f"/events/{EVENT}/changes").text


def test_events_are_found_by_name_and_id(person: Person) -> None:
    assert f'href="/office/events/{EVENT}"' in person.get(f"/office/events?name={EVENT}").text
    assert "No such event is rated" in person.get("/office/events?name=no+such+event").text
    for missing in (f"/office/events/{EVENT}/99", "/office/events/199901010001"):
        assert person.get(missing).status_code == 404


def test_corrections_of_a_member_name_the_member_and_lead_back(person: Person, own_site: Site) -> None:
    with own_site.reading() as reader:
        surname, given = names_of(reader.connection, [PLAYER])[PLAYER].split(", ")
    kinds = person.get(f"{HERE}?member={PLAYER}").text
    form = person.get(f"{HERE}/floor?member={PLAYER}").text
    for page in (kinds, form):
        assert f"<span>{given} {surname}</span><span>{PLAYER}</span>" in unescape(page)
        assert f'href="/office/members/{PLAYER}">Back to the member<' in page
    assert f"{HERE}/floor?member={PLAYER}" in kinds
    assert f"{HERE}/result" not in kinds
    assert f'<input type="hidden" name="member" value="{PLAYER}">' in form
    assert '<label for="member"' not in form
    assert "Back to the member<" not in person.get(f"{HERE}/floor?member=no-such-member").text
