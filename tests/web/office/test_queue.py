"""The office's queue in the browser: reports are accepted, mended, tried and rated."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import TYPE_CHECKING

import pytest

from ratebook.book.ledger.pending import read_pending
from ratebook.book.reports import stored_report
from ratebook.book.submissions import Status, read_submission, waiting
from ratebook.cli.web.demo import WRONG_ID
from ratebook.model import PlayerFacts, Sex
from ratebook.office.decisions.members import ChangedFacts, correct_facts
from ratebook.office.decisions.revision import Reason
from ratebook.office.queue.submit import reject
from ratebook.web.office.queue import rating
from ratebook.web.store.log import LogKind, newest_entries
from support.book_federation import ACTOR
from support.book_reports import member_id, report, send
from support.web.accounts import Office
from support.web.federation import LATE, PLAYER, READY, WRONG
from support.web.persons import Forms, Person, boxes_on
from support.web.served import app_of, asked, served
from support.web.visits import follow, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx import Response
    from playwright.sync_api import Browser, Locator

    from ratebook.book.submissions import StoredReport
    from ratebook.web.site import Site

QUEUE, RATE = "/office/queue", "/office/rate"
LATE_PAGE = f"{QUEUE}/{LATE}"


@pytest.fixture
def person(own_site: Site, office: Office) -> Iterator[Person]:
    """Give someone of the office, whose site no other test writes to."""
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "office")


def submission(site: Site, number: int) -> StoredReport:
    with site.reading() as reader:
        found = read_submission(reader.connection, number)
    assert found is not None
    return found


def number_of(answer: Response) -> int:
    """Return the number of the submission that an answer leads to."""
    return int(answer.headers["location"].rpartition("/")[2])


def test_warnings_are_accepted_by_choice_with_a_reason_and_once(person: Person, own_site: Site) -> None:
    accept = f"{LATE_PAGE}/accept"
    form = person.filled(LATE_PAGE, accept)
    nothing_chosen = person.send(accept, form | {"reason": "the director was ill"})
    assert nothing_chosen.status_code == 422
    assert 'value="the director was ill"' in nothing_chosen.text
    boxes = boxes_on(person.get(LATE_PAGE))
    late = next(name for label, name in boxes.items() if label.startswith("The report was received on"))
    expired = "All 3 expired memberships"
    assert expired in boxes
    assert person.send(accept, form | {late: "yes"}).status_code == 422
    chosen = form | {late: "yes", "reason": "the director was ill"}
    assert [person.send(accept, chosen).headers["location"] for _ in range(2)] == [LATE_PAGE] * 2
    assert submission(own_site, LATE).status is Status.HELD
    everywhere = f"{QUEUE}/accept"
    page = f"{QUEUE}?code=membership-expired"
    assert person.fill_in(page, everywhere, reason="renewed on the day").status_code == 422
    of_reports = boxes_on(person.get(page))
    assert next(iter(of_reports)) == "All 2 reports: 5 findings"
    of_late = next(name for label, name in of_reports.items() if label.startswith(f"Report {LATE}, "))
    answer = person.fill_in(page, everywhere, reason="renewed on the day", **{of_late: "yes"})
    assert answer.headers["location"] == QUEUE
    assert submission(own_site, LATE).status is Status.READY
    assert "accepted by office" in person.get(LATE_PAGE).text
    # Of the report that was not chosen, and that was not counted when this page was made, nothing was accepted.
    assert "membership-expired" in person.get(QUEUE).text
    all_of_them = {of_reports["All 2 reports: 5 findings"]: "yes"}
    assert person.fill_in(page, everywhere, reason="renewed", **all_of_them).status_code == 409
    assert "membership-expired" in person.get(QUEUE).text


def test_a_report_is_mended_in_forms_each_of_which_makes_a_version(person: Person, own_site: Site) -> None:
    seat = f"{QUEUE}/{WRONG}/fix/1/1"
    assert WRONG_ID in person.get(seat).text
    assert person.fill_in(seat, seat, member=PLAYER, reason="").status_code == 422
    mended = person.fill_in(seat, seat, member=PLAYER, reason="the digits were another's")
    assert mended.headers["location"] != f"{QUEUE}/{WRONG}"
    newer = number_of(mended)
    assert submission(own_site, WRONG).status is Status.REPLACED
    report, _ = stored_report(submission(own_site, newer))
    first = report.sections[0].entries[0]
    assert first.player == PLAYER

    # What waits no more is not mended, but leads to what became of it.
    assert person.get(f"{seat}/1").headers["location"] == f"{QUEUE}/{WRONG}"
    met = next(at for at, cell in enumerate(first.rounds) if cell.letter in {"W", "L"})
    before, opponent = first.rounds[met].letter, first.rounds[met].opponent
    game = f"{QUEUE}/{newer}/fix/1/1/{met + 1}"
    seats = {one.seat: report.players[one.player].name for one in report.sections[0].entries}
    labels = re.findall(r">Result of ([^<]+?) *<", person.get(game).text)
    named = [sorted(re.findall(r"\w+", name.title())) for name in labels]
    assert named == [sorted(re.findall(r"\w+", seats[at or 0].title())) for at in (first.seat, opponent)]
    turned = person.fill_in(game, game, result="L" if before == "W" else "W", reason="the score sheet")
    report, _ = stored_report(submission(own_site, number_of(turned)))
    entries = {one.seat: one.rounds[met].letter for one in report.sections[0].entries}
    assert (entries[opponent or 0], entries[first.seat]) == (before, "L" if before == "W" else "W")

    section = turned.headers["location"] + "/fix/1"
    facts = {"type": "swiss", "time_control": "G/90;d5", "end": "2021-01-04", "online": ""}
    changed = person.fill_in(section, section, **facts, reason="the organizer")
    report, _ = stored_report(submission(own_site, number_of(changed)))
    told = report.sections[0]
    assert (told.time_control, str(told.end), told.online) == ("G/90;d5", "2021-01-04", False)
    section = changed.headers["location"] + "/fix/1"
    in_future = person.fill_in(section, section, **facts | {"end": "2031-01-04"}, reason="typed")
    assert in_future.status_code == 422


def test_another_version_comes_as_a_file_which_is_read_first(person: Person, own_site: Site) -> None:
    upload = f"{LATE_PAGE}/upload"
    form = person.filled(LATE_PAGE, upload)
    text = person.get(f"{LATE_PAGE}/report.json").content
    unread = person.send(upload, form, {"report": ("<b>.txt", b"hello")})
    assert unread.status_code == 422
    assert "The report is in no known format" in unread.text
    assert submission(own_site, LATE).status is Status.HELD
    edited = text.replace(b"EXAMPLE LATE OPEN", b"EXAMPLE TIMELY OPEN")
    sent = person.send(upload, form, {"report": ("b.json", edited)})
    newer = submission(own_site, number_of(sent))
    assert (newer.revises, newer.event_name, newer.source_name) == (LATE, "EXAMPLE TIMELY OPEN", "b.json")
    assert person.fill_in(f"{QUEUE}/{newer.id}", f"{QUEUE}/{newer.id}/recheck").status_code == 303
    reject = f"{QUEUE}/{newer.id}/reject"
    assert person.fill_in(f"{QUEUE}/{newer.id}", reject, reason="was never played").status_code == 303
    assert submission(own_site, newer.id).status is Status.REJECTED
    gone = person.send(reject, {"csrf": form["csrf"], "key": "another", "reason": "again"})
    assert gone.status_code == 422


def test_ratings_are_kept_on_the_book_whose_preview_was_seen(person: Person, own_site: Site) -> None:
    form = person.filled(RATE, RATE)
    assert form["numbers"] == str(READY)
    because = Reason(ACTOR, "meanwhile", ["all"])
    correct_facts(own_site.book, PLAYER, ChangedFacts(club="Example Club"), because)
    moved = person.send(RATE, form)
    assert moved.status_code == 409
    assert "The book has changed since" in moved.text
    assert submission(own_site, READY).status is Status.READY
    # The answer has the new preview, which can be kept.
    assert person.fill_in(RATE, RATE).headers["location"] == f"{RATE}?done={READY}"
    assert submission(own_site, READY).status is Status.RATED
    late = person.send(RATE, form | {"key": "another", "numbers": str(LATE)})
    assert (late.status_code, "no longer ready" in late.text) == (409, True)


def test_reports_are_rated_in_the_order_of_history_whatever_their_numbers(
    person: Person, own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones of four, one of which has a section after all others, leave nothing to be rated again."""
    monkeypatch.setattr(rating, "MOST_AT_ONCE", 2)
    reject(own_site.book, [READY], "not played", ACTOR)
    long = report("2021-02-01", [6, 40], ["W2", "L1"], event_id="202102010009")
    section = long.sections[0]
    second = section._replace(number=2, start=date(2021, 2, 9), end=date(2021, 2, 9))
    long = long._replace(event=long.event._replace(end=second.end), sections=(section, second))
    days = ("2021-02-04", "2021-02-03", "2021-02-02")
    sent = [send(own_site.book, report(day, [6, 40], ["W2", "L1"]), ACTOR).number for day in days]
    first = send(own_site.book, long, ACTOR).number
    with own_site.reading() as reader:
        waited = len(read_pending(reader.connection))
    asked = []
    while (form := Forms(person.get(RATE).text).found.get(RATE)) is not None:
        asked.append(form["numbers"])
        assert person.send(RATE, form).status_code == 303
    with own_site.reading() as reader:
        assert len(read_pending(reader.connection)) == waited
        assert not waiting(reader.connection, [Status.READY.value])
    assert asked == [f"{first},{sent[2]}", f"{sent[1]},{sent[0]}", f"{first}"]


def ratings_in(table: Locator) -> list[tuple[str, str]]:
    """Return the ratings before and after of a crosstable, line by line."""
    headings = table.locator("thead th").all_inner_texts()
    before, after = headings.index("Before") + 1, headings.index("After") + 1
    return list(
        zip(
            table.locator(f"tbody tr > :nth-child({before})").all_inner_texts(),
            table.locator(f"tbody tr > :nth-child({after})").all_inner_texts(),
            strict=True,
        )
    )


@pytest.mark.long
def test_a_journey_through_the_queue(browser: Browser, own_site: Site, office: Office) -> None:
    """A held report is accepted, another one mended in the form, and all are rated with a preview."""
    with served(app_of(own_site._replace(gate=office.gate))) as address:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{address}{QUEUE}")
        sign_in(page, "office", office.code())

        follow(page.get_by_role("link", name="Example Late Open"))
        for label in ("The report was received on", "All 3 expired memberships"):
            page.get_by_label(label).check()
        page.get_by_label("Reason").first.fill("the director was ill, and dues were paid on the day")
        follow(page.get_by_role("button", name="Accept", exact=True))
        assert f"Report {LATE}, Example Late Open is ready." in page.get_by_role("status").inner_text()
        follow(page.get_by_role("link", name=f"player {WRONG_ID}"))
        with own_site.reading() as reader:
            found = read_submission(reader.connection, LATE)
            assert found is not None
            report, _ = stored_report(found)
        right = report.sections[0].entries[0].player
        page.get_by_label("Name or id").fill(report.players[right].name)
        follow(page.get_by_role("button", name="Search"))
        follow(page.get_by_role("link", name=right))
        assert page.get_by_label("Member ID").input_value() == right
        page.get_by_label("Reason").fill("the director gave the right id")
        follow(page.get_by_role("button", name="Assign this member"))
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_label("Reason").first.fill("looked through with the director")
        follow(page.get_by_role("button", name="Accept", exact=True))
        page.get_by_text("Nothing blocks it.").wait_for()

        follow(page.get_by_role("link", name=re.compile(r"^Rate \d")).first)
        preview = [ratings_in(table) for table in page.get_by_role("table").all()[1:]]
        assert len(preview) == 3
        follow(page.get_by_role("button", name=re.compile("^Rate . report")))
        page.get_by_role("heading", name="No other report is ready").wait_for()
        with own_site.reading() as reader:
            assert waiting(reader.connection) == []
        # What the preview showed is what everyone reads now.
        follow(page.get_by_role("link", name="Example Ready Open"))
        follow(page.get_by_role("link", name="The event as rated"))
        assert ratings_in(page.get_by_role("table").first) in preview
        context.close()


def test_chosen_reports_are_shown_in_words_and_then_decided_for_one_reason(
    person: Person, own_site: Site
) -> None:
    chosen = f"{QUEUE}/chosen"
    assert f'name="report" value="{LATE}"' in person.get(QUEUE).text
    page = f"{chosen}?work=accept&report={LATE}&report={WRONG}"
    boxes = boxes_on(person.get(page))
    of_late = {
        label: name
        for label, name in boxes.items()
        if label.startswith(f"Report {LATE}, Example Late Open: ")
    }
    assert any("3 expired memberships (section 1, " in label for label in of_late)
    assert any(label.endswith(": 1 late report") for label in of_late)
    assert [label for label in boxes if label.startswith(f"Report {WRONG}, ")]
    form = person.filled(page, chosen)
    assert person.send(chosen, form).status_code == 422, "no reason was given"
    only_late = {name: text for name, text in form.items() if name not in boxes.values()}
    only_late |= dict.fromkeys(of_late.values(), "yes") | {"reason": "looked through"}
    assert person.send(chosen, only_late).headers["location"] == QUEUE
    assert submission(own_site, LATE).status is Status.READY
    assert submission(own_site, WRONG).status is Status.HELD
    # What was accepted meanwhile has no box any more.
    assert person.send(chosen, only_late | {"key": "another"}).status_code == 409

    recheck = f"{chosen}?work=recheck&report={LATE}&report={WRONG}"
    checked = dict.fromkeys(boxes_on(person.get(recheck)).values(), "yes")
    assert len(checked) == 2
    assert person.fill_in(recheck, chosen, **checked).headers["location"] == QUEUE
    away = f"{chosen}?work=reject&report={LATE}&report={READY}"
    checked = dict.fromkeys(boxes_on(person.get(away)).values(), "yes")
    form = person.filled(away, chosen) | checked | {"reason": "the event was never played"}
    reject(own_site.book, [LATE], "meanwhile", ACTOR)
    assert person.send(chosen, form).status_code == 409
    assert submission(own_site, READY).status is Status.READY, "all of them or none"
    checked = dict.fromkeys(boxes_on(person.get(away)).values(), "yes")
    assert person.fill_in(away, chosen, reason="never played", **checked).headers["location"] == QUEUE
    assert submission(own_site, READY).status is Status.REJECTED
    for nothing in ("", "?work=reject&report=99999", "?work=accept&report=99999999999"):
        assert "No report was chosen" in person.get(f"{chosen}{nothing}").text
    assert person.get(f"{chosen}?work=sell").status_code == 400


def test_a_report_is_taken_given_back_and_noted_on_whatever_its_version(person: Person) -> None:
    seat = f"{QUEUE}/{WRONG}"
    assert person.fill_in(seat, f"{seat}/take").headers["location"] == seat
    assert person.fill_in(seat, f"{seat}/note", words="The director was asked.").status_code == 303
    assert person.fill_in(seat, f"{seat}/note", words="").status_code == 422
    assert "office has it" in person.get(QUEUE).text
    nobody = person.fill_in(f"{seat}/fix/1/1", f"{seat}/fix/1/1", member="90009998", reason="the card")
    assert nobody.status_code == 422
    assert '<a href="#member">The book has no member with this id.</a>' in nobody.text
    mended = person.fill_in(f"{seat}/fix/1/1", f"{seat}/fix/1/1", member=PLAYER, reason="the card")
    newer = mended.headers["location"]
    page = person.get(newer).text
    assert "You have it" in page
    assert f'which replaced <a href="{seat}">report {WRONG}</a>' in page
    assert "The director was asked." in page
    assert "office has it" in person.get(QUEUE).text
    assert person.fill_in(newer, f"{newer}/give-back").headers["location"] == newer
    assert "office has it" not in person.get(QUEUE).text
    # The old number leads to the new one.
    old = person.get(seat).text
    assert f"Report {WRONG} was replaced." in old
    assert f'<a href="{newer}">' in old


def test_candidates_are_links_to_the_form_with_the_member_filled_in(person: Person) -> None:
    page = person.get(f"{QUEUE}/{WRONG}").text
    offered = re.findall(rf'href="({QUEUE}/{WRONG}/fix/1/\d+\?member=(\d+))">([^<]+), \2</a>', page)
    assert offered
    address, member, _ = offered[0]
    assert Forms(person.get(address).text).found[address.partition("?")[0]]["member"] == member
    # Where there are no buttons, the words name the candidates: in the letter, not in the remedy.
    assert page.count(f"Perhaps {member}") == page.partition('id="letter"')[2].count(f"Perhaps {member}") == 1
    assert "Choose who is meant, or correct the id." in page
    # The letter has the words of who sent it, not those of the office.
    assert "If the player is new," in page.partition('id="letter"')[2]
    assert "add the member under" not in page.partition('id="letter"')[2]
    assert "We cannot rate it yet." in page


def test_a_report_that_was_sent_again_is_linked_with_the_first_one(person: Person, own_site: Site) -> None:
    reject(own_site.book, [LATE], "unsigned", ACTOR)
    report, _ = stored_report(submission(own_site, LATE))
    again = send(own_site.book, report, ACTOR).number
    assert again is not None
    assert f'<a href="{QUEUE}/{LATE}">report {LATE}</a> (rejected' in person.get(f"{QUEUE}/{again}").text
    assert (
        f'<a href="{QUEUE}/{again}">report {again}</a> ({submission(own_site, again).status}'
        in person.get(LATE_PAGE).text
    )


def test_a_decision_leads_to_the_report_after_the_one_decided(person: Person, own_site: Site) -> None:
    """The places of reports in the queue stay when they are corrected, though their numbers do not."""
    first, second, third = (
        send(own_site.book, report(f"2021-02-0{day}", [6, 999], ["W2", "L1"]), ACTOR).number
        for day in (2, 3, 4)
    )
    fix = f"{QUEUE}/{second}/fix/1/2"
    led = person.fill_in(fix, fix, member=member_id(40), reason="the card").headers["location"]
    newer = (third or 0) + 1
    assert led == f"{QUEUE}/{newer}", "it is still held back"
    assert f'href="{QUEUE}/{third}" rel="next"' in person.get(led).text
    rejected = person.fill_in(led, f"{led}/reject", reason="never played").headers["location"]
    assert rejected == f"{QUEUE}/{third}?after={newer}"
    said = person.get(rejected).text
    assert f'<a href="{led}">' in said
    assert "is rejected." in said
    before = person.fill_in(f"{QUEUE}/{first}", f"{QUEUE}/{first}/reject", reason="never played")
    assert before.headers["location"] == f"{QUEUE}/{third}?after={first}"


@pytest.mark.long
def test_keys_go_through_the_queue_and_a_report(browser: Browser, own_site: Site, office: Office) -> None:
    with served(app_of(own_site._replace(gate=office.gate))) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}{QUEUE}")
        sign_in(page, "office", office.code())
        focused = page.locator(":focus")
        names = []
        for key in "jjk":
            page.keyboard.press(key)
            names.append(focused.inner_text())
        assert names[0] == names[2] != names[1]
        assert focused.evaluate("each => getComputedStyle(each).outlineStyle") == "solid", "the focus is seen"
        page.keyboard.press("x")
        page.get_by_role("checkbox", checked=True).wait_for()
        # A box that was clicked is no field in which one types.
        page.get_by_role("checkbox").nth(1).click()
        page.keyboard.press("k")
        assert focused.inner_text() == names[0]
        page.keyboard.press("a")
        page.wait_for_url("**/chosen?**")
        assert page.get_by_role("heading", level=1).inner_text().endswith("2 reports")

        page.goto(f"{address}{QUEUE}")
        page.keyboard.press("?")
        assert "choose the row" in page.get_by_role("dialog").inner_text()

        page.goto(f"{address}{QUEUE}/{WRONG}")
        page.keyboard.press("?")
        help_text = page.get_by_role("dialog").inner_text()
        assert "Accept warnings" in help_text
        assert "Reason" not in help_text, "a key is named by its button, not by the form behind it"
        assert "choose the row" not in help_text, "no row of it has a box"
        middle = "each => { const at = each.getBoundingClientRect(); return (at.left + at.right - innerWidth) / 2 }"
        assert abs(page.get_by_role("dialog").evaluate(middle)) < 1
        # The focus may still be on the button of the help that is closing.
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.locator("#accept[open]").wait_for(state="attached")
        page.locator("#accept :focus").wait_for(state="attached")
        page.goto(f"{address}{QUEUE}/{WRONG}")
        page.keyboard.press("e")
        page.wait_for_url(f"**/{WRONG}/fix/**")
        page.goto(f"{address}{QUEUE}/{WRONG}")
        page.keyboard.press("n")
        page.wait_for_url(f"**{LATE_PAGE}")
        page.keyboard.press("r")
        page.wait_for_url("**/preview")
        for here in ("/office", "/office/events", "/office/decisions"):
            page.goto(address + here)
            # A field of the page may have the focus, or get it at any moment.
            page.get_by_role("heading", level=1).click()
            page.keyboard.press("?")
            page.get_by_role("dialog").get_by_text("next row").wait_for()
        page.goto(f"{address}/office/members")
        assert focused.get_attribute("name") == "q"
        context.close()


def test_the_age_that_a_report_says_of_someone_unknown_is_beside_the_seat(
    person: Person, own_site: Site, office: Office
) -> None:
    sent = report("2026-03-01", [1, 2, 3, 4], ["W2", "L1", "W4", "L3"], time_control="G/90;d5")
    born = date(1991, 3, 2)
    newcomer = PlayerFacts(
        "section-1-seat-4", "NEW, PLAYER", born, sex=Sex.FEMALE, state="NY", club="Lincoln School"
    )
    (section,) = sent.sections
    entries = (*section.entries[:3], section.entries[3]._replace(player=newcomer.id))
    with_age = sent._replace(
        players={**sent.players, newcomer.id: newcomer}, sections=(section._replace(entries=entries),)
    )
    number = send(own_site.book, with_age, ACTOR).number
    assert "born on" not in person.get(f"{QUEUE}/{number}/fix/1/1").text
    page = person.get(f"{QUEUE}/{number}/fix/1/4").text
    assert "born on 2 March 1991" in page
    # Nothing private is in an address: the form of the new member is filled in from the report.
    address = f"/office/members/new?report={number}&section=1&seat=4"
    assert address in unescape(page)
    form = person.filled(address, "/office/members/new")
    # An id that only names the seat is none: the first free one is filled in.
    wanted = {"name": "NEW, PLAYER", "birth_date": "1991-03-02", "state": "NY"}
    assert form | wanted | {"club": "Lincoln School", "back": f"{QUEUE}/{number}/fix/1/4"} == form
    page = person.get(address).text
    assert '<option value="f" selected>' in page
    assert f"{form['id']} is the next free id." in page
    with office.gate.store.reading() as store:
        viewed = [
            entry.details for entry in newest_entries(store, 10) if entry.kind == LogKind.PRIVATE_VIEWED
        ]
    assert viewed == [f"submission {number}, seat 4"] * 3
