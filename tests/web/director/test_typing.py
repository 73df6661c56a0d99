"""A report that is typed: everything is kept as one goes, and nothing of it changes silently."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ratebook.book.facts.members import names_of
from ratebook.web.interrupted import MOST_BYTES
from ratebook.web.store.accounts import Role, change_account
from ratebook.web.store.interrupted import MOST_OF_ACCOUNT
from support.web.accounts import FROM_THIS_SITE, PASSWORD, Office, Typist, fields_in
from support.web.federation import OTHER, PLAYER
from support.web.served import app_of, asked, served
from support.web.visits import WITH_AND_WITHOUT, follow, look_at, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog, Page

    from ratebook.web.site import Site

THIRD, FOURTH, STRANGER = "90000001", "90000002", "90000003"
ENDED = "Your session ended; what you typed is kept."


@pytest.fixture
def director(written_site: Site, office: Office) -> Iterator[Typist]:
    """Give a director who asks without a browser."""
    with asked(written_site._replace(gate=office.gate)) as client:
        yield Typist(client, office, "director")


def begun(director: Typist, *players: str) -> str:
    """Return the address of a section with players and two rounds."""
    section = director.post("/director/type", name="EXAMPLE NIGHT", end="2021-02-06", do="section")
    who = " ".join(players or (PLAYER, OTHER, THIRD, FOURTH))
    director.post(section, type="swiss", time_control="G/60;d5", who=who, do="find")
    for _ in range(2):
        director.post(section, do="no-round")
    return section


def sign_in_again(director: Typist, name: str = "director") -> str:
    """Sign in by the form, and return where it leads; the director asks with the new session then."""
    form = {"name": name, "password": PASSWORD}
    answer = director.client.post("/sign-in", data=form, headers=FROM_THIS_SITE)
    director.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
    return answer.headers["location"]


def out_of_session(director: Typist, path: str, form: dict[str, str], **more: str) -> str:
    """Send a form after its session has ended."""
    data = {"type": "swiss", **form, **more}
    director.client.cookies.clear()
    answer = director.client.post(path, data=data, headers=FROM_THIS_SITE)
    return answer.headers["location"]


def test_what_is_sent_after_the_session_ended_is_there_after_signing_in(
    director: Typist, office: Office
) -> None:
    section = begun(director)
    form = director.shown(section)
    office.clock.goes_on(minutes=31)
    led = out_of_session(director, section, form, **{"p1-r1": "W2w", "p3-r2": "H"})
    assert led == "/sign-in?ended=kept"
    assert "Your session ended; what you typed is kept." in director.client.get(led).text
    onward = sign_in_again(director)
    answer = director.client.get(onward, headers=director.headers)
    assert answer.headers["location"] == f"{section}?back=yes"
    page = director.get(answer.headers["location"])
    assert ENDED in page
    fields = fields_in(page)
    assert (fields["p1-r1"], fields["p2-r1"], fields["p3-r2"]) == ("W2w", "L1b", "H")
    # It is done once.
    assert director.client.get(onward, headers=director.headers).headers["location"] == "/director"


def test_a_text_that_was_pasted_is_read_after_signing_in(director: Typist) -> None:
    form = director.shown("/director/previews/new")
    text = f"#,ID,Name,Rd 1\n1,{PLAYER},,W2\n2,{OTHER},,L1\n"
    said = {"end": "2021-02-06", "time_control": "G/60;d5"}
    led = out_of_session(director, "/director/previews", form, text=text, **said)
    assert led == "/sign-in?ended=kept"
    answer = director.client.get(sign_in_again(director), headers=director.headers)
    assert "<h1>pasted.txt " in director.get(answer.headers["location"])


def test_another_account_never_gets_what_was_kept(director: Typist) -> None:
    section = begun(director)
    form = director.shown(section)
    assert out_of_session(director, section, form, **{"p1-r1": "W2w"}) == "/sign-in?ended=kept"
    assert sign_in_again(director, "other") == "/director"
    kept = director.client.get("/director/kept", headers=director.headers)
    assert kept.headers["location"] == "/director"
    assert sign_in_again(director) == "/director/kept"
    director.client.get("/director/kept", headers=director.headers)
    assert director.shown(section)["p1-r1"] == "W2w"


@pytest.mark.parametrize("mark", ["", "1.", "1.00", "x", "99999999999.00"])
def test_a_form_that_is_no_accounts_is_not_kept(director: Typist, mark: str) -> None:
    section = begun(director)
    led = out_of_session(director, section, {**director.shown(section), "owner": mark})
    assert led == "/sign-in?ended=lost"
    assert "What you sent was not kept" in director.client.get(led).text


def test_what_is_too_large_or_comes_from_elsewhere_is_not_kept(director: Typist) -> None:
    section = begun(director)
    form = director.shown(section)
    led = out_of_session(director, section, form, who="x" * MOST_BYTES)
    assert led == "/sign-in?ended=too-large"
    assert "too large to be kept: more than 256 KB" in director.client.get(led).text
    elsewhere = director.client.post(section, data=form, headers={"sec-fetch-site": "cross-site"})
    assert elsewhere.headers["location"] == "/sign-in"
    file = {"file": ("report.csv", b"1,2")}
    upload = {"owner": form["owner"]}
    answer = director.client.post("/director/previews", data=upload, files=file, headers=FROM_THIS_SITE)
    assert answer.headers["location"] == "/sign-in?ended=file"


def test_a_few_forms_of_an_account_are_kept_for_half_a_day(director: Typist, office: Office) -> None:
    sections = [begun(director) for _ in range(MOST_OF_ACCOUNT + 1)]
    forms = [director.shown(section) for section in sections]
    for section, form in zip(sections, forms, strict=True):
        out_of_session(director, section, form, **{"p1-r1": "W2w"})
    sign_in_again(director)
    director.client.get("/director/kept", headers=director.headers)
    assert [director.shown(section)["p1-r1"] for section in sections] == ["", *["W2w"] * MOST_OF_ACCOUNT]
    out_of_session(director, sections[0], forms[0], **{"p1-r1": "W2w"})
    office.clock.goes_on(hours=13)
    assert sign_in_again(director) == "/director"


def test_a_form_of_an_older_session_is_taken_in_the_new_one_of_its_account_alone(
    director: Typist, office: Office
) -> None:
    section = begun(director)
    form = director.shown(section)
    again = Typist(director.client, office, "director")
    answer = again.client.post(section, data={**form, "p1-r1": "W2w"}, headers=again.headers)
    assert answer.headers["location"] == section
    assert director.shown(section)["p1-r1"] == "W2w"
    other = Typist(director.client, office, "other")
    sent = other.client.post(section, data={**form, "p1-r1": "D2w"}, headers=other.headers)
    assert sent.headers["location"] == "/sign-in?ended=kept"


def test_a_result_that_contradicts_the_other_row_changes_nothing_and_is_shown_with_both(
    director: Typist,
) -> None:
    section = begun(director)
    director.sends(section, director.shown(section), **{"p1-r1": "W2b"})
    director.sends(section, director.shown(section), **{"p2-r1": "W1w"})
    page = director.get(section)
    assert "Round 1: row 1 says W2b; row 2 says W1w." in page
    assert (fields_in(page)["p1-r1"], fields_in(page)["p2-r1"]) == ("W2b", "W1w")
    assert 'value="right 1 1">Row 1 is right: W2b<' in page
    director.sends(section, fields_in(page), do="right 2 1")
    decided = director.shown(section)
    assert (decided["p1-r1"], decided["p2-r1"]) == ("L2b", "W1w")


def test_a_half_that_is_cleared_after_a_contradiction_says_what_the_other_one_says(director: Typist) -> None:
    section = begun(director)
    director.sends(section, director.shown(section), **{"p1-r1": "W2b", "p2-r1": "W1w"})
    assert "Round 1: row 1 says W2b; row 2 says W1w." in director.get(section)
    director.sends(section, director.shown(section), **{"p2-r1": ""})
    page = director.get(section)
    assert (fields_in(page)["p1-r1"], fields_in(page)["p2-r1"]) == ("W2b", "L1w")
    assert "row 1 says" not in page
    # Of two halves that agree, one can be cleared: the game is to go.
    director.sends(section, fields_in(page), **{"p2-r1": ""})
    assert director.shown(section)["p2-r1"] == ""


def test_the_id_of_someone_else_keeps_the_name_that_was_typed(director: Typist) -> None:
    section = begun(director)
    before = director.shown(section)
    director.sends(section, before, **{"p1-id": STRANGER})
    page = director.get(section)
    assert fields_in(page)["p1-name"] == before["p1-name"]
    assert f"Number 1 is {before['p1-name']}, but {STRANGER} is the id of " in page
    assert 'value="rename 1">Take the name ' in page
    director.sends(section, fields_in(page), do="rename 1")
    page = director.get(section)
    assert fields_in(page)["p1-name"] not in {"", before["p1-name"]}
    assert "is the id of" not in page


def test_a_row_that_was_removed_is_put_back_with_its_results(director: Typist) -> None:
    section = begun(director)
    director.sends(section, director.shown(section), **{"p1-r1": "W2w", "p3-r1": "H"})
    director.sends(section, director.shown(section), do="remove 2")
    page = director.get(section)
    assert "names number 2, who cannot be the opponent" in page
    assert 'value="back 2">Put back number 2, ' in page
    director.sends(section, fields_in(page), do="back 2")
    page = director.get(section)
    assert (fields_in(page)["p2-id"], fields_in(page)["p2-r1"]) == (OTHER, "L1b")
    assert "Put back" not in page


def test_a_second_window_overwrites_nothing_and_says_what_changed(director: Typist) -> None:
    section = begun(director)
    first, second = director.shown(section), director.shown(section)
    director.sends(section, first, **{"p1-r1": "W2w", "time_control": "G/90;d5"})
    led = director.sends(section, second, **{"p3-r1": "D4w"})
    page = director.get(led)
    assert "another window saved" in page
    assert "<li>Round 1, row 1" in page
    fields = fields_in(page)
    assert [fields[f"p{row}-r1"] for row in (1, 2, 3, 4)] == ["W2w", "L1b", "D4w", "D3b"]
    assert fields["time_control"] == "G/90;d5"
    # The same field in both windows: both texts are there until one is chosen.
    third, fourth = director.shown(section), director.shown(section)
    director.sends(section, third, **{"p1-r2": "H"})
    director.sends(section, fourth, **{"p1-r2": "B"})
    page = director.get(section)
    assert "“H” was saved first, then “B” was typed" in page
    assert fields_in(page)["p1-r2"] == "H"
    director.sends(section, fields_in(page), do="use p1-r2")
    assert director.shown(section)["p1-r2"] == "B"
    assert "was saved first" not in director.get(section)


def test_the_event_is_kept_over_two_windows_too(director: Typist) -> None:
    event = director.post("/director/type", name="EXAMPLE NIGHT")
    first, second = director.shown(event), director.shown(event)
    director.sends(event, first, city="ITHACA", state="NY")
    led = director.sends(event, second, city="ALBANY", end="2021-02-06")
    page = director.get(led)
    fields = fields_in(page)
    assert (fields["city"], fields["state"], fields["end"]) == ("ITHACA", "NY", "2021-02-06")
    assert "City: “ITHACA” was saved first, then “ALBANY” was typed" in page
    director.sends(event, fields, do="use city")
    assert director.shown(event)["city"] == "ALBANY"


def test_a_script_is_told_what_else_changed(director: Typist) -> None:
    section = begun(director)
    form = director.shown(section)
    typed = {"p1-r1": "w2w", "p4-id": STRANGER, "p4-name": ""}
    kept = director.post(section, None, do="keep", seen=form["seen"], **typed)
    answer = json.loads(kept)
    assert answer["fields"].pop("p4-name")
    assert answer["fields"] == {"p2-r1": "L1b"}
    director.client.cookies.clear()
    ended = director.client.post(
        section, data={"owner": form["owner"]}, headers={**FROM_THIS_SITE, "accept": "application/json"}
    )
    assert ended.status_code == 401


def test_a_script_begins_an_event_with_what_the_form_said_at_first(office: Office, director: Typist) -> None:
    with office.gate.store.writing() as connection:
        change_account(connection, director.visitor.account.id, Role.DIRECTOR, PLAYER, ("A6000001",))
    director = Typist(director.client, office, "director")
    form = director.shown("/director/type")
    answer = json.loads(director.post("/director/type", None, do="keep", seen=form["seen"], name="EVENING"))
    kept = director.shown(answer["address"])
    assert (kept["name"], kept["affiliate"], kept["chief_td"]) == ("EVENING", "A6000001", PLAYER)


def test_a_field_that_is_saved_once_more_after_the_preview_leaves_the_preview(director: Typist) -> None:
    """A script saves a field when it is left, and that may come after the button was pressed."""
    section = begun(director, PLAYER, OTHER)
    typed = {"p1-r1": "W2w", "p1-r2": "W2b"}
    preview = director.post(section, do="preview", **typed)
    assert "/previews/" in preview
    director.post(section, None, do="keep", seen=director.shown(section)["seen"], **typed)
    assert "New ratings" in director.get(preview)
    director.post(section, do="save", **{"p1-r1": "L2w"})
    assert (
        director.client.get(preview, headers=director.headers)
        .headers["location"]
        .startswith("/director/type/")
    )


def test_rows_are_moved_removed_and_added_without_an_id(director: Typist) -> None:
    section = begun(director)
    director.sends(section, director.shown(section), **{"p1-r1": "W2w"}, who="Newman, Zoe", do="find")
    director.sends(section, director.shown(section), do="choose 5 new")
    page = director.get(section)
    assert fields_in(page)["p5-id"] == "new"
    assert "has no member id yet" not in page
    director.sends(section, fields_in(page), do="down 1")
    moved = director.get(section)
    assert 'id="p2-r1" name="p1-r1" value="W1w"' in moved
    assert 'id="p1-r1" name="p2-r1" value="L2b"' in moved
    director.sends(section, fields_in(moved), do="remove 4")
    assert "p4-id" not in director.shown(section)
    refused = director.sends(section, director.shown(section), **{"p3-r2": "H"}, do="no-round")
    assert "Round 2 has results, so it was not removed." in director.get(refused)


def test_an_upload_that_is_edited_keeps_its_days_and_its_time_control(director: Typist) -> None:
    text = "#,Name,Rd 1\n1,ALICE HERON,W2\n2,BRUNO ALDER,L1\n"
    said = {"name": "FALL SWISS", "start": "2021-02-06", "end": "2021-02-07", "time_control": "G/60;d5"}
    tried = director.post("/director/previews", None, text=text, **said)
    typed = director.post(f"{tried}/type")
    event = director.shown(typed)
    assert (event["name"], event["start"], event["end"]) == ("FALL SWISS", "2021-02-06", "2021-02-07")
    assert director.shown(f"{typed}/1")["time_control"] == "G/60;d5"


def test_a_round_is_typed_by_board_without_script(director: Typist) -> None:
    section = begun(director)
    rounds = f"{section}/round/1"
    boards = {"b1-white": "3", "b1-black": "1", "b1-result": "1/2", "b2-white": "2", "b2-black": "9"}
    director.sends(rounds, director.shown(rounds), **boards, **{"p4-r1": "0"})
    page = director.get(rounds)
    assert "Board 2: “9” is not the number of a player." in page
    fields = fields_in(page)
    assert [fields[f"b{board}-black"] for board in (1, 2)] == ["1", "9"]
    table = director.shown(section)
    assert [table[f"p{row}-r1"] for row in (1, 2, 3, 4)] == ["D3b", "", "D1w", "0"]
    stale = dict(fields)
    director.sends(rounds, fields, **{"b1-result": "1"})
    led = director.sends(rounds, stale, **{"p2-r1": "B"}, do="next")
    assert led == f"{section}/round/2"
    table = director.shown(section)
    assert [table[f"p{row}-r1"] for row in (1, 2, 3)] == ["L3b", "B", "W1w"]
    assert director.get(f"{section}/round/3", 404)
    assert director.sends(rounds, director.shown(rounds), do="preview") == rounds


@pytest.mark.parametrize("script", WITH_AND_WITHOUT)
def test_a_browser_comes_back_to_what_was_typed_when_its_session_ended(
    browser: Browser, written_site: Site, office: Office, *, script: bool
) -> None:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        page = opened(browser, address, script=script)
        section = section_in(page)
        page.context.clear_cookies()
        page.locator("#p1-r1").fill("W2w")
        if script:
            with page.expect_navigation():
                page.locator("#p1-r1").press("Tab")
        else:
            follow(page.get_by_role("button", name="Save").first)
        assert "Your session ended; what you typed is kept." in page.locator("main").inner_text()
        if script:
            look_at(page)
        sign_in(page, "director")
        assert page.url.partition("?")[0] == section
        assert ENDED in page.locator("main").inner_text()
        assert page.locator("#p1-r1").input_value() == "W2w"
        assert page.locator("#p2-r1").input_value() == "L1b"
        page.context.close()


def opened(browser: Browser, address: str, *, script: bool) -> Page:
    """Return a page of a director who has begun to type."""
    page = browser.new_context(java_script_enabled=script).new_page()
    page.goto(f"{address}/director/type")
    sign_in(page, "director")
    page.get_by_label("Name of the event").fill("EXAMPLE NIGHT")
    page.get_by_label("Last day").fill("2021-02-06")
    follow(page.get_by_role("button", name="Add the players"))
    page.get_by_label("Time control").fill("G/60;d5")
    page.get_by_label("Add players").fill(f"{PLAYER} {OTHER} {THIRD} {FOURTH}")
    follow(page.get_by_role("button", name="Find and add"))
    return page


def section_in(page: Page) -> str:
    return page.url.partition("#")[0].partition("?")[0]


def saved(page: Page) -> None:
    """Wait until everything typed is saved."""
    page.get_by_text("Saved.").wait_for()


def test_with_script_a_cell_is_saved_when_it_is_left(
    browser: Browser, written_site: Site, office: Office
) -> None:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        page = opened(browser, address, script=True)
        section = section_in(page)
        page.locator("#p1-r1").fill("w2w")
        page.locator("#p1-r1").press("Enter")
        assert page.evaluate("document.activeElement.id") == "p2-r1"
        page.locator("#p2-r1[value], #p2-r1").wait_for()
        saved(page)
        assert page.locator("#p2-r1").input_value() == "L1b"
        page.locator("#p2-r1").press("ArrowDown")
        page.keyboard.type("=4b")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.id") == "p1-r1"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == "p1-r2"
        page.locator("#p2-r1").fill("W1b")
        page.locator("#p2-r1").press("Tab")
        page.get_by_text("Round 1: row 1 says w2w; row 2 says W1b.").wait_for()
        assert page.locator("#p1-r1").input_value() == "w2w"
        other = page.context.new_page()
        other.goto(section)
        assert [other.locator(f"#p{row}-r1").input_value() for row in (1, 2, 3, 4)] == [
            *("w2w", "W1b"),
            *("=4b", "D3w"),
        ]
        other.close()
        # What is typed and not left yet is asked about.
        asked_about: list[str] = []

        def stay(dialog: Dialog) -> None:
            asked_about.append(dialog.type)
            dialog.dismiss()

        page.on("dialog", stay)
        page.locator("#p4-r2").press_sequentially("H")
        page.close(run_before_unload=True)
        page.locator("#p4-r2").press("Tab")
        saved(page)
        assert asked_about == ["beforeunload"]
        follow(page.get_by_role("button", name="Row 1 is right"))
        assert page.locator("#p2-r1").input_value() == "L1b"
        page.context.close()


def test_with_script_a_row_is_removed_and_put_back_and_a_name_is_kept_beside_another_id(
    browser: Browser, written_site: Site, office: Office
) -> None:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        page = opened(browser, address, script=True)
        name = page.locator("#p3-name").input_value()
        page.locator("#p3-r1").fill("H")
        page.locator("#p3-r1").press("Tab")
        saved(page)
        follow(page.get_by_role("button", name=f"Remove {name}"))
        assert not page.locator("#p3-name").count()
        follow(page.get_by_role("button", name=f"Put back number 3, {name}"))
        assert page.locator("#p3-r1").input_value() == "H"
        page.locator("#p3-id").fill(STRANGER)
        page.locator("#p3-id").press("Tab")
        page.get_by_text(f"Number 3 is {name}, but {STRANGER} is the id of").wait_for()
        assert page.locator("#p3-name").input_value() == name
        look_at(page)
        follow(page.get_by_role("button", name="Take the name"))
        assert page.locator("#p3-name").input_value() != name
        page.context.close()


def test_rounds_by_board_and_the_crosstable_on_a_telephone(
    browser: Browser, written_site: Site, office: Office
) -> None:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        page = opened(browser, address, script=True)
        section = section_in(page)
        page.goto(f"{section}/round/1")
        page.get_by_label("Board 1, White").fill("2")
        page.get_by_label("Board 1, result").fill("1")
        page.get_by_label("Board 1, Black").fill("1")
        page.get_by_label("Board 2, White").fill("3")
        page.get_by_label("Board 2, White").press("Tab")
        page.get_by_text("Board 2: the number of Black is missing.").wait_for()
        assert page.get_by_label("Board 1, result").input_value() == "1-0"
        page.get_by_label("Board 2, Black").fill("4")
        page.get_by_label("Board 2, Black").press("Tab")
        page.get_by_text("Round 1").first.wait_for()
        look_at(page)
        follow(page.get_by_role("link", name="Crosstable"))
        assert [page.locator(f"#p{row}-r1").input_value() for row in (1, 2, 3, 4)] == [
            *("L2b", "W1w"),
            *("4w", "3b"),
        ]
        look_at(page)
        region = page.get_by_role("region", name="Players and results")
        region.evaluate("region => { region.scrollLeft = region.scrollWidth; }")
        assert region.evaluate("region => region.scrollLeft") > 0
        window = region.bounding_box()
        name = page.locator("#p1-name").bounding_box()
        assert window is not None
        assert name is not None
        assert window["x"] <= name["x"] < name["x"] + name["width"] <= window["x"] + window["width"]
        page.context.close()


def test_who_is_named_with_a_wrong_letter_is_offered_under_the_right_name(
    director: Typist, written_site: Site
) -> None:
    with written_site.reading() as reader:
        name = names_of(reader.connection, [PLAYER])[PLAYER]
    section = begun(director, THIRD, FOURTH)
    director.sends(section, director.shown(section), who=f"{name.partition(',')[0][:-1]}q", do="find")
    assert f'value="choose 3 {PLAYER}"' in director.get(section)
