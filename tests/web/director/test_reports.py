"""The director's room: a report is typed or uploaded, mended, previewed, sent once, followed and withdrawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ratebook.book.submissions import EVER, Status, filtered, read_findings, read_submission
from ratebook.book.submissions import QueueFilter as Asked
from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.store.accounts import Role, change_account
from ratebook.web.store.sendings import note_sent
from support.web.accounts import AT, KEY, PREVIEWS, SENT, Director, Office, key_in, number_in, page_of
from support.web.federation import OTHER, PLAYER, WRONG
from support.web.served import app_of, served
from support.web.tried import TRIED, match_of_two
from support.web.visits import WITH_AND_WITHOUT, follow, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from ratebook.book.submissions import QueuedReport
    from ratebook.web.site import Site


def sent_reports(site: Site, name: str) -> list[QueuedReport]:
    with site.book.reading() as connection:
        return [one for one in filtered(connection, Asked(EVER)) if one.event_name == name]


@pytest.mark.long
@pytest.mark.parametrize("script", WITH_AND_WITHOUT)
def test_an_event_is_typed_mended_previewed_and_sent(
    browser: Browser, written_site: Site, office: Office, *, script: bool
) -> None:
    name = f"EXAMPLE TYPED {'WITH' if script else 'WITHOUT'}"
    day = "2021-02-06" if script else "2021-02-07"
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        context = browser.new_context(java_script_enabled=script)
        page = context.new_page()
        page.goto(f"{address}/director")
        sign_in(page, "director")
        follow(page.get_by_role("link", name="Type a report"))
        page.get_by_label("Name of the event").fill(name)
        page.get_by_label("First day").fill(day)
        page.get_by_label("Last day").fill(day)
        follow(page.get_by_role("button", name="Add the players"))
        page.get_by_label("Time control").fill("G/30;d5")
        page.get_by_label("Add players").fill(f"{PLAYER} {OTHER}")
        follow(page.get_by_role("button", name="Find and add"))
        assert page.get_by_label("Member ID of").count() == 2
        page.get_by_label("Add players").fill("aspen,")
        if script:
            page.get_by_label("Add players").press_sequentially(" a")
            offered = page.locator("#who-list option")
            offered.first.wait_for(state="attached")
            page.get_by_label("Add players").fill(offered.first.get_attribute("value") or "")
        follow(page.get_by_role("button", name="Find and add"))
        if not script:
            follow(page.get_by_role("button", name=re.compile("Aspen.*, OR$")).first)
        for _ in range(2):
            follow(page.get_by_role("button", name="Remove the last round"))
        page.locator("#p1-r1").fill("W2w")
        page.locator("#p1-r2").fill("w3b")
        page.locator("#p3-r1").fill("B")
        page.locator("#p2-r2").fill("Q")
        follow(page.get_by_role("button", name="Preview").first)
        follow(page.get_by_role("link", name=re.compile("round 2: “Q” is not a result")))
        assert page.url.endswith("#p2-r2")
        assert [page.locator(f"#{one}").input_value() for one in ("p2-r1", "p2-r2", "p3-r2")] == [
            "L1b",
            "Q",
            "L1w",
        ]
        page.locator("#p2-r2").fill("B")
        follow(page.get_by_role("button", name="Preview").first)
        assert page.locator("main").inner_text().lower().count("not official") == 1
        follow(page.get_by_role("table", name="OTB Quick").locator("a[href*='/why/']").first)
        assert "scored" in page.locator("h1").inner_text()
        page.go_back()
        follow(page.get_by_role("button", name="Send to the office"))
        (sent,) = sent_reports(written_site, name)
        assert page_of(page.url) == f"{address}{SENT}/{sent.id}"
        assert f"Sent as report {sent.id}." in page.get_by_role("status").inner_text()
        assert page.get_by_role("table", name="OTB Quick").count() == 1
        assert (sent.submitted_by, str(sent.received)) == ("director", "2021-02-10")
        follow(page.get_by_role("link", name="Your reports"))
        assert page.get_by_role("row", name=re.compile(name, re.IGNORECASE)).count() == 1
        context.close()


def test_a_report_is_sent_once_followed_answered_and_withdrawn(
    director: Director, written_site: Site
) -> None:
    tried = director.post(PREVIEWS, match_of_two("2021-02-08"))
    key = key_in(director.get(tried))
    first, second = (director.post(f"{tried}/send", key=key) for _ in range(2))
    assert first == second
    number = number_in(first)
    assert "match-not-coded" in director.get(first)
    assert re.search(
        rf'held back: <a href="{page_of(first)}">open (it|the newest)</a>', director.get("/director")
    )
    # A form of the preview that is still open in another tab leads there too, and so does the preview.
    assert director.post(f"{tried}/send", key="another-key") == page_of(first)
    assert director.client.get(tried, headers=director.headers).headers["location"] == page_of(first)
    again = director.get(director.post(PREVIEWS, match_of_two("2021-02-08")))
    assert "The office has this report already" in again
    answer = director.post(f"{SENT}/{number}/answer", match_of_two("2021-02-08").replace(b"swiss", b"match"))
    newer = director.post(f"{answer}/send", key=key_in(director.get(answer)))
    assert number_in(newer) > number
    newest = page_of(newer)
    assert f'href="{newest}"' in director.get(first)
    held = director.get(newest)
    assert "match-not-coded" not in held
    keys = KEY.findall(held)
    assert director.post(f"{newest}/withdraw", key=keys[-1]) == newest
    withdrawn = director.get(newer)
    assert "withdrawn by you" in withdrawn
    assert "What becomes of it" not in withdrawn
    with written_site.book.reading() as connection:
        states = [read_submission(connection, number_in(one)) for one in (first, newer)]
    assert [one and one.status for one in states] == [Status.REPLACED, Status.REJECTED]


def test_being_published_is_the_last_step_of_a_report(
    director: Director, office: Office, written_site: Site
) -> None:
    """The cut-off of January's list is 16 December 2020, and that of December's is 18 November."""
    with written_site.book.reading() as connection:
        rated = [one for one in filtered(connection, Asked((Status.RATED.value,))) if one.event_id]
    lists = {"202012160001": "January 2021", "202010270001": "December 2020"}
    numbers = {one.event_id: one.id for one in rated if one.event_id in lists}
    with office.gate.store.writing() as connection:
        for number in numbers.values():
            note_sent(connection, director.visitor.account.id, number, AT)
    for event, month in lists.items():
        page = director.get(f"{SENT}/{numbers[event]}")
        assert f'aria-current="step">Published in the list of {month}</li>' in page
    assert '<li class="open">Published</li>' in director.get(f"{SENT}/{WRONG}")


def test_a_wrong_file_is_said_to_be_one_and_changes_nothing(director: Director, written_site: Site) -> None:
    with written_site.book.reading() as connection:
        before = len(filtered(connection, Asked(EVER)))
    shown = director.get(director.post(PREVIEWS, b"1. e4 e5 2. Nf3"))
    assert "It cannot be read as a report" in shown
    assert "Send to the office" not in shown
    assert "neither a file nor text" in director.post(PREVIEWS)
    pasted = director.post(PREVIEWS, text="nothing of use", time_control="G/60;d5")
    assert "It cannot be read as a report" in director.get(pasted)
    with written_site.book.reading() as connection:
        assert len(filtered(connection, Asked(EVER))) == before


def test_more_than_a_server_takes_is_refused_before_it_is_read(director: Director) -> None:
    form = {"csrf": director.visitor.csrf}
    large = {"file": ("large.csv", b"x" * (MOST_BODY_BYTES + 1))}
    answer = director.client.post(PREVIEWS, data=form, files=large, headers=director.headers)
    assert answer.status_code == 413
    assert "too large" in answer.text


def test_a_report_of_another_affiliate_and_director_says_so_to_both(
    director: Director, office: Office, written_site: Site
) -> None:
    with office.gate.store.writing() as connection:
        change_account(connection, director.visitor.account.id, Role.DIRECTOR, PLAYER, ("A9000002",))
    director = Director(director.client, office, "director")
    report = match_of_two("2021-02-09").replace(
        b'"event": {', b'"event": {"affiliate": "A9000001", "chief_td": "90000001", '
    )
    tried = director.post(PREVIEWS, report)
    shown = director.get(tried)
    assert "sends reports for A9000002" in shown
    assert f"The account that sent the report (member {PLAYER})" in shown
    assert "Add yourself as a director" in shown
    sent = director.post(f"{tried}/send", key=key_in(shown))
    with written_site.book.reading() as connection:
        codes = {one.finding.code for one in read_findings(connection, number_in(sent))}
    assert codes >= {"affiliate-not-own", "director-not-own"}


def test_a_submission_is_edited_in_the_form_without_losing_what_it_does_not_ask_for(
    director: Director, written_site: Site
) -> None:
    report = match_of_two("2021-02-05").replace(b'"seat": 2,', b'"seat": 2, "rank": 2,')
    tried = director.post(PREVIEWS, report.replace(b'"event": {', b'"event": {"postal_code": "12345", '))
    sent = director.post(f"{tried}/send", key=key_in(director.get(tried)))
    keys = KEY.findall(director.get(sent))
    typed = director.post(f"{page_of(sent)}/type", key=keys[0])
    page = director.get(f"{typed}/1")
    assert 'value="W2w"' in page
    fields = dict(re.findall(r'<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"', page))
    cells = {name: value for name, value in fields.items() if name.startswith("p")}
    form = {
        **cells,
        "p1-r2": "W2b",
        "p2-r2": "L1w",
        "time_control": "G/60;d5",
        "type": "match",
        "do": "preview",
    }
    preview = director.post(f"{typed}/1", None, **form)
    newer = director.post(f"{preview}/send", key=key_in(director.get(preview)))
    with written_site.book.reading() as connection:
        stored = read_submission(connection, number_in(newer))
    assert stored is not None
    assert stored.revises == number_in(sent)
    for kept in ('"postal_code": "12345"', '"rank": 2', '["L1b", "L1w"]', '"match"'):
        assert kept in stored.report


def test_findings_of_a_typed_report_lead_to_their_fields(director: Director) -> None:
    tried = director.post(PREVIEWS, match_of_two("2021-02-04", "90009999"))
    assert "90009999" in director.get(tried)
    assert "#p2-id" not in director.get(tried)
    typed = director.post(f"{tried}/type")
    form = {"p2-id": "90009999", "p2-name": "NO ONE", "p2-r1": "L1b", "p2-r2": "D1w", "do": "preview"}
    shown = director.get(director.post(f"{typed}/1", None, **form, time_control="G/60;d5", type="match"))
    assert f'href="{typed}/1#p2-id"' in shown
    assert "the office adds the member" in shown
    assert "(No One)" in shown


def test_days_in_the_wrong_order_are_said_beside_the_last_day(director: Director) -> None:
    late, early = "2021-02-06", "2021-02-05"
    event = director.post("/director/type", name="EXAMPLE", start=late, end=early, do="section")
    said = "The last day, 5 February 2021, is before the first day, 6 February 2021."
    assert f'<a href="#end">{said}</a>' in director.get(event)
    assert director.post(event, name="EXAMPLE", start=late, end=early, do="section") == event
    section = director.post(event, name="EXAMPLE", start=early, end=late, do="section")
    assert said not in director.get(event)
    assert f'<a href="#end">{said}</a>' in director.get(
        director.post(section, type="swiss", do="save", start=late, end=early)
    )


def test_a_preview_is_gone_after_a_day_and_only_so_many_are_taken(director: Director, office: Office) -> None:
    refused = [director.post("/director/type", name="EXAMPLE") for _ in range(49)][-1]
    assert "which is the limit" in refused
    office.clock.goes_on(hours=25)
    later = Director(director.client, office, "director")
    assert later.get(f"{PREVIEWS}/{TRIED}", 404)
    assert later.post("/director/type", name="EXAMPLE").startswith("/director/type/")


def test_a_report_that_was_sent_from_another_try_is_named_with_a_link(director: Director) -> None:
    report = match_of_two("2021-02-15")
    tries = [director.post(PREVIEWS, report) for _ in range(2)]
    keys = [key_in(director.get(each)) for each in tries]
    sent = page_of(director.post(f"{tries[0]}/send", key=keys[0]))
    refused = director.post(f"{tries[1]}/send", key=keys[1])
    assert f'<a href="{sent}">report {number_in(sent)}</a>' in refused
    assert "A waiting report can be changed on its page" in refused
    assert "“Corrections”" not in refused


def test_a_withdrawn_report_is_tried_and_sent_again(director: Director) -> None:
    tried = director.post(PREVIEWS, match_of_two("2021-02-16"))
    sent = page_of(director.post(f"{tried}/send", key=key_in(director.get(tried))))
    shown = director.get(sent)
    assert "You can send it again later, from this page." in shown
    assert f'action="{sent}/try"' not in shown
    assert director.post(f"{sent}/withdraw", key=KEY.findall(shown)[-1]) == sent
    withdrawn = director.get(sent)
    assert f'action="{sent}/try"' in withdrawn
    again = director.post(f"{sent}/try", key=key_in(withdrawn))
    assert again.startswith(f"{PREVIEWS}/")
    newer = director.post(f"{again}/send", key=key_in(director.get(again)))
    assert number_in(newer) > number_in(sent)


def test_a_field_of_a_section_that_cannot_be_read_is_marked(director: Director) -> None:
    section = director.post("/director/type", name="EXAMPLE NIGHT", end="2021-02-06", do="section")
    assert "time_control-wrong" not in director.get(section)
    director.post(section, type="swiss", time_control="soon")
    page = director.get(section)
    assert page.count('id="time_control-wrong"') == 1
    marked = 'name="time_control" aria-describedby="time_control-hint time_control-wrong" aria-invalid="true"'
    assert marked in page
    assert "The time control &#39;soon&#39; cannot be read.</a>" in page
