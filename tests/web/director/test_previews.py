"""What a director brings is read, asked for and kept: newcomers, files that lack something, tries, what was sent."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook

from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.store.accounts import Role, change_account
from support.web.accounts import PREVIEWS, SENT, Director, Office, fields_in, key_in, page_of
from support.web.federation import OTHER, PLAYER
from support.web.served import app_of, served
from support.web.tried import match_of_two, table_of_two
from support.web.visits import WITH_AND_WITHOUT, follow, look_at, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FilePayload

    from ratebook.web.site import Site

QUAD = f"""#,Name,ID,Rating,Rd 1,Rd 2,Rd 3
1,,{PLAYER},,W4w,W3b,W2w
2,,{OTHER},,W3w,W4b,L1b
3,"Newman, Zoe",NEW,unr,L2b,L1w,W4w
4,"Heron, Alice",99999999,1450,L1b,L2w,L3b
"""
DROPPED = """rows => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([rows], "quad.csv", {type: "text/csv"}));
  return dropped;
}"""
SAID = {"start": "2021-02-06", "end": "2021-02-06", "time_control": "G/60;d5"}


def of_seven_rounds() -> str:
    """Return the quad as if its three rounds had been played more than twice."""
    head, *lines = (line.split(",") for line in QUAD.splitlines())
    rounds = [f"Rd {number}" for number in range(1, 8)]
    rows = [[*head[:-3], *rounds], *([*line[:-3], *(line[-3:] * 3)[:7]] for line in lines)]
    return "".join(",".join(row) + "\n" for row in rows)


def table(page: str, name: str = "New ratings") -> str:
    """Return the part of a page from a heading to the next one, or to what is folded."""
    return re.split('<h2|<details class="card"', page.partition(f"<h2>{name}")[2], maxsplit=1)[0]


def test_a_section_of_seven_rounds_is_seen_whole_even_with_problems(
    browser: Browser, written_site: Site, office: Office, director: Director
) -> None:
    preview = director.post(PREVIEWS, text=of_seven_rounds(), **SAID)
    with served(app_of(written_site._replace(gate=office.gate))) as address, browser.new_context() as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{address}{preview}")
        sign_in(page, "director")
        assert page.locator("th", has_text="R7").count()
        assert page.locator(".findings .error").count()
        wider = page.locator(".scrolls").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth)"
        )
        assert wider == []


def test_a_newcomer_and_a_wrong_id_are_rated_and_hold_the_report_back(director: Director) -> None:
    page = director.get(director.post(PREVIEWS, text=QUAD, **SAID))
    ratings = table(page)
    for name in ("Zoe Newman", "Alice Heron", f"/players/{PLAYER}"):
        assert name in ratings
    assert "2 errors will hold the report back until you or the office settle them" in page
    assert "cannot be rated" not in page
    assert "/players/99999999" not in page
    problems = table(page, "Problems")
    assert "seat 3 (Zoe Newman)" in problems
    assert "seat 4 (Alice Heron)" in problems
    assert "seat-3" not in page


def test_a_misspelt_name_beside_a_right_id_is_mended_with_a_click(director: Director) -> None:
    tried = director.post(PREVIEWS, text=QUAD.replace(f"1,,{PLAYER}", f'1,"Qwx, Zyv",{PLAYER}'), **SAID)
    assert "but the book calls this id" in director.get(tried)
    assert f'name="who" value="1 1 {PLAYER}"' in director.get(tried)
    director.post(f"{tried}/member", who=f"1 1 {PLAYER}")
    page = director.get(tried)
    assert "but the book calls this id" not in page
    assert "Qwx" not in page
    assert f"/players/{PLAYER}" in table(page)


def test_a_member_who_may_be_meant_is_taken_with_a_click_and_the_file_stays_the_file(
    director: Director,
) -> None:
    mistyped = PLAYER[:-2] + PLAYER[-1] + PLAYER[-2]
    totals = ("Pts", "3", "2", "1", "2")
    rows = QUAD.replace(f"1,,{PLAYER}", f"1,,{mistyped}").splitlines()
    text = "\n".join(f"{row},{total}" for row, total in zip(rows, totals, strict=True))
    tried = director.post(PREVIEWS, text=text)
    (choice,) = re.findall(rf'name="who" value="(1 1 {PLAYER})"', director.get(tried))
    assert director.post(f"{tried}/member", who=choice) == tried
    for wrong in ("", "9 9 9", f"1 99 {PLAYER}"):
        director.post(f"{tried}/member", who=wrong)
    assert director.post(f"{tried}/complete", **SAID) == tried

    def has_both(page: str) -> None:
        assert mistyped not in page
        assert f"/players/{PLAYER}" in table(page)
        assert "Newman" in page
        assert "The printed total is &#39;2&#39;, but the results add up to 0" in table(page, "Problems")

    page = director.get(tried)
    has_both(page)
    assert "<h1>pasted.txt " in page
    form = director.post(f"{tried}/type")
    director.post(f"{form}/1", do="save", **{"p3-id": "new", "p4-id": "new"})
    page = director.get(director.post(form, name="SMALL QUAD", end="2021-02-06", do="preview"))
    has_both(page)
    assert "from pasted.txt, changed in the form" in page


def test_a_text_that_cannot_be_read_stays_beside_the_form(director: Director) -> None:
    tried = director.post(PREVIEWS, text="Ann beat Bo, then they both lost to Cy.")
    assert "It cannot be read as a report." in director.get(tried)
    form = director.post(f"{tried}/type")
    for page in (form, f"{form}/1", f"{form}/1/round/1"):
        assert "Ann beat Bo, then they both lost to Cy.</textarea>" in director.get(page)


def test_what_a_file_does_not_say_is_asked_for_beside_all_its_problems(director: Director) -> None:
    tried = director.post(PREVIEWS, text=QUAD)
    page = director.get(tried)
    asked = table(page, "What is missing").partition("<details")[0]
    assert [name in asked for name in ('name="end"', 'name="time_control"', 'name="ratings"')] == [
        True,
        True,
        False,
    ]
    for code in ("end-missing", "time-control-missing", "member-unknown"):
        assert f"<code>{code}</code>" in page
    assert "The report as it was read" in page
    assert "Send to the office" not in page
    assert director.post(f"{tried}/complete", end="2021-02-06") == tried
    page = director.get(tried)
    assert 'value="2021-02-06"' in page
    assert "<code>end-missing</code>" not in page
    assert "<code>time-control-missing</code>" in page
    assert director.post(f"{tried}/complete", **SAID) == tried
    page = director.get(tried)
    assert "Zoe Newman" in table(page)
    assert "Send to the office" in page


def test_a_time_control_that_cannot_be_read_is_asked_for(director: Director) -> None:
    tried = director.post(PREVIEWS, text=f"Time control: slow\n{QUAD}", end="2021-02-06")
    page = director.get(tried)
    assert "The time control &#39;slow&#39; cannot be read" in page
    assert "(optional)" not in label_of(page, "time_control")
    assert director.post(f"{tried}/complete", **SAID) == tried
    assert "Zoe Newman" in table(director.get(tried))


def test_one_of_several_events_is_chosen_or_their_common_name_is_given(director: Director) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name, day in (("Maple", 6), ("Oak", 13)):
            title = f"{name} Night - {day} February 2021 - G/60;d5"
            packed.writestr(f"{name}.csv", f"{title}\n#,ID,Rd 1\n1,{PLAYER},W2w\n2,{OTHER},L1b\n")
    tried = director.post(PREVIEWS, archive.getvalue())
    page = director.get(tried)
    assert "These are different events" in page
    asked = table(page, "What is missing").partition("<details")[0]
    assert '<option value="Maple">' in asked
    assert director.post(f"{tried}/complete", sheet="Oak") == tried
    page = director.get(tried)
    assert "1 section<" in page
    assert "different events" not in page
    assert director.post(f"{tried}/complete", name="February Nights", sheet="") == tried
    assert "2 sections" in director.get(tried)


def test_names_of_sections_are_asked_for_and_kept(director: Director) -> None:
    sections = f"section,#,ID,Rd 1\n1,1,{PLAYER},W2\n1,2,{OTHER},L1\n2,1,{PLAYER},W2\n2,2,{OTHER},L1\n"
    tried = director.post(PREVIEWS, text=sections)
    asked = table(director.get(tried), "What is missing").partition("<details")[0]
    assert "Name of section 1" in asked
    assert "Name of section 2" in asked
    names = {"section-name-1": "Open", "section-name-2": "Reserve  U1400"}
    assert director.post(f"{tried}/complete", None, **SAID, **names) == tried
    page = director.get(tried)
    assert "Section 1, Open" in page
    assert 'value="Reserve U1400"' in page
    assert director.post(f"{tried}/complete", None, **SAID, **{**names, "section-name-1": ""}) == tried
    page = director.get(tried)
    assert "Open" not in page
    assert "Reserve U1400" in page


def test_names_of_sections_in_a_file_can_be_changed(director: Director) -> None:
    named = f"section,section_name,#,ID,Rd 1\n1,Opne,1,{PLAYER},W2\n1,Opne,2,{OTHER},L1\n"
    tried = director.post(PREVIEWS, None, text=named, **SAID)
    assert 'name="section-name-1" value="Opne"' in director.get(tried)
    director.post(f"{tried}/complete", None, **SAID, **{"section-name-1": "Open"})
    page = director.get(tried)
    assert "Opne" not in page
    assert 'name="section-name-1" value="Open"' in page
    director.post(f"{tried}/complete", None, **SAID, sheet="other", **{"section-name-1": "Open"})
    assert "No sheet or file is called" in director.get(tried)


def test_a_problem_says_its_row_and_column_and_its_code_last(director: Director) -> None:
    wrong = QUAD.replace("L1b,L2w,L3b", "L1b,Q9,L3b")
    page = director.get(director.post(PREVIEWS, text=wrong, **SAID))
    problem = table(page, "Problems").partition("column Rd 2")
    assert problem[0].endswith("<span>row 5, ")
    assert problem[0].rpartition("<li")[2].startswith(' class="error" id="problem-cell-unreadable"><strong')
    assert "<code>cell-unreadable</code></summary>" in problem[2].partition("</li>")[0]


def test_players_of_two_sections_are_named_at_their_seats(director: Director) -> None:
    sections = f"""section,#,Name,ID,Rd 1
1,1,,{PLAYER},W2
1,2,,{OTHER},L1
2,1,"Newman, Zoe",NEW,W2
2,2,"Alder, Bruno",99999999,L1
"""
    problems = table(director.get(director.post(PREVIEWS, text=sections, **SAID)), "Problems")
    assert "section 2, seat 1 (Zoe Newman)" in problems
    assert "section 2, seat 2 (Bruno Alder)" in problems
    assert "section-2-seat-1" not in problems


def test_what_an_unknown_column_holds_is_asked_for_and_can_be_said_otherwise(director: Director) -> None:
    table_with_ratings = f"#,Name,ID,Wertung,Rd 1\n1,,{PLAYER},1500,W2w\n2,,{OTHER},1400,L1b\n"
    tried = director.post(PREVIEWS, None, text=table_with_ratings, **SAID)
    page = director.get(tried)
    assert "The column “Wertung” holds" in page
    assert "<code>column-unclear</code>" in page
    assert director.post(f"{tried}/complete", None, **SAID, **{"column-1": "none"}) == tried
    page = director.get(tried)
    assert "New ratings" in page
    assert '<option value="none" selected>' in page
    assert "is none of those offered" not in page
    assert 'href="#column-1"' in director.post(f"{tried}/complete", None, **SAID, **{"column-1": "luck"})


def test_one_sheet_of_a_workbook_is_chosen(director: Director) -> None:
    workbook = Workbook()
    sheets = [workbook.active, workbook.create_sheet("Reserve")]
    for sheet, title in zip(sheets, ("Open", "Reserve"), strict=True):
        assert sheet is not None
        sheet.title = title
        for row in (["#", "ID", "Rd 1"], [1, PLAYER, "W2w"], [2, OTHER, "L1b"]):
            sheet.append(row)
    content = io.BytesIO()
    workbook.save(content)
    tried = director.post(PREVIEWS, content.getvalue(), **SAID)
    page = director.get(tried)
    assert "2 sections" in page
    assert '<option value="Open">Open</option><option value="Reserve">Reserve</option>' in page
    assert director.post(f"{tried}/complete", None, **SAID, sheet="Reserve") == tried
    page = director.get(tried)
    assert "1 section<" in page
    assert '<option value="Reserve" selected>' in page
    assert 'href="#sheet"' in director.post(f"{tried}/complete", None, **SAID, sheet="Lounge")
    assert director.post(f"{tried}/complete", None, **SAID, sheet="") == tried
    assert "2 sections" in director.get(tried)
    unknown = director.post(PREVIEWS, content.getvalue(), **SAID, sheet="Lounge")
    page = director.get(unknown)
    assert "No sheet or file is called" in page
    assert '<option value="Open">' in page
    typed = director.post(PREVIEWS, content.getvalue(), **SAID, sheet="reserve")
    assert '<option value="Reserve" selected>' in director.get(typed)


def test_one_event_of_a_file_with_several_is_chosen(director: Director) -> None:
    rows = "".join(
        f"{event},{seat},{player},{cell}\n"
        for event in ("202601100001", "202601110001")
        for seat, player, cell in ((1, PLAYER, "W2w"), (2, OTHER, "L1b"))
    )
    tried = director.post(PREVIEWS, None, text=f"event_id,#,ID,Rd 1\n{rows}", **SAID)
    page = director.get(tried)
    assert "The file has several events" in page
    chosen = '<option value="202601110001"'
    assert f"{chosen}>202601110001</option>" in page
    assert director.post(f"{tried}/complete", None, **SAID, event="202601110001") == tried
    page = director.get(tried)
    assert "New ratings" in page
    assert f"{chosen} selected>" in page
    assert 'href="#event"' in director.post(f"{tried}/complete", None, **SAID, event="202601120001")


def label_of(page: str, field: str) -> str:
    return page.partition(f'<label for="{field}">')[2].partition("</label>")[0]


def test_the_name_of_the_event_is_asked_for_and_what_is_needed_is_not_called_optional(
    director: Director,
) -> None:
    text = f"#,ID,Rd 1\n1,{PLAYER},W2w\n2,{OTHER},L1b\n"
    upload = director.get(f"{PREVIEWS}/new")
    assert 'name="sheet"' not in upload
    assert 'name="event"' not in upload
    # One of the two is needed.
    assert [label_of(upload, field) for field in ("file", "text")] == ["A file", "Or paste its text"]
    tried = director.post(PREVIEWS, None, text=text)
    missing = director.get(tried).partition("Other details that the file may not state")[0]
    labels = {field: label_of(missing, field) for field in ("start", "end", "time_control", "name")}
    assert {field for field, label in labels.items() if "(optional)" in label} == {"start"}
    assert labels["name"] == "Name of the event"
    told = {**SAID, "name": "EXAMPLE NIGHT"}
    assert director.post(f"{tried}/complete", None, **told) == tried
    page = director.get(tried)
    assert "<h1>Example Night <" in page
    for field in ("end", "time_control", "name"):
        assert "(optional)" not in label_of(page, field)
    assert 'name="sheet"' not in page
    # A file that has a name is not asked for one.
    named = director.get(director.post(PREVIEWS, None, text=f"event_name,{text}".replace("\n", "\nFALL,", 2)))
    assert "(optional)" in label_of(named, "name")


def test_reversed_days_and_what_is_no_day_come_back_beside_their_fields(director: Director) -> None:
    reversed_days = {"start": "2021-02-07", "end": "2021-02-06"}
    said = "The last day, 6 February 2021, is before the first day, 7 February 2021."
    assert f'<a href="#end">{said}</a>' in director.post(PREVIEWS, text=QUAD, **reversed_days)
    tried = director.post(PREVIEWS, text=QUAD)
    page = director.post(f"{tried}/complete", **reversed_days)
    assert f'<a href="#end">{said}</a>' in page
    assert 'value="2021-02-07"' in page
    assert '<a href="#end">' in director.post(f"{tried}/complete", end="soon")


def test_what_a_file_does_not_say_is_folded_at_a_new_try(director: Director) -> None:
    folded = director.get(f"{PREVIEWS}/new").partition("<details>")[2].partition("</details>")[0]
    assert "<summary>What the file does not say</summary>" in folded
    assert 'name="end"' in folded


def test_problems_and_the_rows_that_they_mean_lead_to_each_other(director: Director) -> None:
    page = director.get(director.post(PREVIEWS, text=QUAD, **SAID))
    row = page.partition('<tr id="row-1-4" class="marked">')[2].partition("</tr>")[0]
    assert '<a href="#problem-member-unknown">4</a>' in row
    assert "unknown member" in row
    assert '<a href="#row-1-4">seat 4 (Alice Heron)</a>' in table(page, "Problems")
    assert page.count('id="problem-member-unknown"') == 1
    assert '<tr id="row-1-1">' in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= set(re.findall(r'id="([^"]+)"', page))


def test_a_try_is_deleted_by_its_owner(director: Director, office: Office) -> None:
    tried = director.post(PREVIEWS, text="nothing of use")
    home = director.get("/director")
    # The first click only shows the button.
    assert re.search(rf'<details><summary[^>]*>Delete</summary><form action="{tried}/delete"', home)
    assert director.post(f"{tried}/delete") == "/director"
    assert tried not in director.get("/director")
    director.get(tried, 404)
    another = type(director)(director.client, office, "office")
    kept = director.post(PREVIEWS, text="nothing of use")
    another.post(f"{kept}/delete")
    assert kept in director.get("/director")


def test_the_ratings_of_a_preview_stay_with_what_was_sent(director: Director) -> None:
    tried = director.post(PREVIEWS, text=QUAD.replace("W3b", "D3b").replace("L1w", "D1w"), **SAID)
    preview = director.get(tried)
    sent = director.post(f"{tried}/send", key=key_in(preview))
    page = director.get(sent)
    number = page_of(sent).rpartition("/")[2]
    assert f"Sent as report {number}." in page
    assert f"Sent as report {number}." not in director.get(page_of(sent))
    cells = re.compile(r'<t[hd] class="number">(?:<a [^>]*>)?([^<]*)')
    assert cells.findall(table(page, "New ratings when you sent it")) == cells.findall(table(preview))
    assert tried not in director.get("/director")
    assert f'href="{page_of(sent)}"' in director.get("/director")


def test_a_file_that_is_too_large_leads_back_to_the_form_and_names_the_limit(director: Director) -> None:
    form = {"csrf": director.visitor.csrf}
    large = {"file": ("large.csv", b"x" * (MOST_BODY_BYTES + 1))}
    answer = director.client.post(PREVIEWS, data=form, files=large, headers=director.headers)
    assert answer.status_code == 413
    assert "8 MB" in answer.text
    assert f'href="{PREVIEWS}/new"' in answer.text


def test_an_uploaded_report_is_edited_with_its_days_and_who_sends_it(
    office: Office, director: Director
) -> None:
    with office.gate.store.writing() as connection:
        change_account(connection, director.visitor.account.id, Role.DIRECTOR, PLAYER, ("A6000001",))
    director = Director(director.client, office, "director")
    tried = director.post(PREVIEWS, text=table_of_two().decode(), **SAID)
    event = fields_in(director.get(director.post(f"{tried}/type")))
    assert [event[name] for name in ("start", "end", "affiliate", "chief_td")] == [
        *["2021-02-06"] * 2,
        "A6000001",
        PLAYER,
    ]


@pytest.mark.long
@pytest.mark.parametrize("script", WITH_AND_WITHOUT)
def test_a_spreadsheet_is_uploaded_completed_and_sent(
    browser: Browser, written_site: Site, office: Office, *, script: bool
) -> None:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        context = browser.new_context(java_script_enabled=script)
        page = context.new_page()
        looked_at = look_at if script else lambda _: None
        page.goto(f"{address}{PREVIEWS}/new")
        sign_in(page, "director")
        looked_at(page)
        rows = QUAD.replace("Heron, Alice", f"Heron, Alice {'A' if script else 'B'}")
        file: FilePayload = {"name": "quad.csv", "mimeType": "text/csv", "buffer": rows.encode()}
        if script:
            dropped = page.evaluate_handle(DROPPED, rows)
            page.dispatch_event("h1", "drop", {"dataTransfer": dropped})
        else:
            page.get_by_label("File").set_input_files(file)
        follow(page.get_by_role("button", name="Preview"))
        looked_at(page)
        page.get_by_label("Last day").fill("2021-02-06" if script else "2021-02-07")
        page.get_by_label("Time control").fill("G/60;d5")
        page.get_by_label("Name of the event").fill("EXAMPLE NIGHT")
        follow(page.get_by_role("button", name="Read the file again"))
        looked_at(page)
        assert page.get_by_role("table").first.locator("thead th").all_text_contents()[1:5] == [
            "Name",
            "New rating",
            "Change",
            "Before",
        ]
        follow(page.get_by_role("button", name="Send to the office"))
        looked_at(page)
        page.go_back()
        if "/previews/" in page.url:
            page.reload()
        assert f"{address}{SENT}/" in page.url
        context.close()


def test_what_was_sent_as_a_native_report_is_previewed_as_before(director: Director) -> None:
    page = director.get(director.post(PREVIEWS, match_of_two("2021-02-03")))
    assert "New ratings" in page
    assert "What is missing" not in page


def test_the_address_of_a_form_leads_to_its_page(director: Director) -> None:
    tried = director.post(PREVIEWS, match_of_two("2021-02-12"))
    sent = director.post(f"{director.post(PREVIEWS, match_of_two('2021-02-13'))}/send", key="once")
    pages = {
        f"{tried}/complete": tried,
        f"{tried}/send": tried,
        PREVIEWS: f"{PREVIEWS}/new",
        f"{page_of(sent)}/withdraw": page_of(sent),
        "/account/sessions/7/end": "/account",
        "/sign-out": "/",
    }
    for form, page in pages.items():
        answer = director.client.get(form, headers=director.headers, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, page)


def test_a_try_that_was_deleted_in_another_tab_is_said_to_be_deleted(director: Director) -> None:
    tried = director.post(PREVIEWS, match_of_two("2021-02-14"))
    assert re.search(
        r"<summary class=\"button\" aria-label=\"Delete this preview\">Delete</summary><form [^>]*/delete",
        director.get(tried),
    )
    director.post(f"{tried}/delete")
    for page in (director.post(f"{tried}/send", key="late"), director.get(tried, 404)):
        assert "<h1>This preview was deleted</h1>" in page
        assert 'href="/director">To your reports</a>' in page
        assert ">Account </span>director <" in page
    unknown = director.get(f"{SENT}/999999", 404)
    assert ">Account </span>director <" in unknown
    assert 'href="/director">To your reports</a>' in director.get("/director/nothing", 404)
    assert 'href="/rankings"' not in unknown
