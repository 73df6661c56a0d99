"""The administrator changes the profile and the rules, and takes copies of the book."""

from __future__ import annotations

import io
import re
import zipfile
from base64 import b64encode
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor, open_book
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import Profile, read_federation
from ratebook.office.decisions.revision import Reason
from ratebook.office.profile import adjust_profile
from ratebook.web.store.log import LogKind, newest_entries
from support.web.accounts import Office
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

TRY = "/admin/profile/face/try"
LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0\n9 9z" fill="#c00"/></svg>'
FACE_FILES = re.compile(r'(?:href|src)="(/face/[^"]+)"')
RULES = '[[bonus_multiplier.values]]\nfrom = 2020-01-01\nis = 9\nwhere = "the board"\n'


@pytest.fixture
def keeper(own_site: Site, office: Office) -> Iterator[Person]:
    """Give the administrator of a book of the test's own."""
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "administrator")


def profile_of(site: Site) -> Profile:
    with site.book.reading() as connection:
        return read_federation(connection).profile


def test_a_setting_is_changed_with_a_reason_and_a_wrong_one_is_named(keeper: Person, own_site: Site) -> None:
    before = profile_of(own_site)
    form = keeper.filled("/admin/profile", "/admin/profile") | {one.value: "yes" for one in before.systems}
    wrong = keeper.send("/admin/profile", form | {"cut_off": "sometimes", "reason": "the board"})
    assert wrong.status_code == 422
    assert 'href="#cut_off"' in wrong.text
    assert '<option value="third-wednesday">The third Wednesday</option>' in wrong.text
    assert profile_of(own_site) == before
    right = {
        "cut_off": "15",
        "contact": "office@example.org",
        "checks_off": "report-late",
        "reason": "the board",
    }
    assert keeper.send("/admin/profile", form | right).status_code == 303
    checks = before.checks._replace(off=("report-late",))
    assert profile_of(own_site) == before._replace(cut_off="15", contact="office@example.org", checks=checks)


def test_warnings_are_turned_off_by_their_words_and_on_again_by_their_boxes(
    keeper: Person, own_site: Site
) -> None:
    page = "/admin/profile"
    kept = {one.value: "yes" for one in profile_of(own_site).systems} | {"reason": "a league of schools"}

    def status_of(sent: dict[str, str]) -> int:
        return keeper.send(page, keeper.filled(page, page) | kept | sent).status_code

    assert status_of({"checks_off": "report-late"}) == 303
    shown = keeper.get(page).text
    (label,) = re.findall(r'<label for="off-report-late">\s*([^<]+?)\s*<', shown)
    assert label == "Do not warn: Report late"
    (hint,) = re.findall(r'id="off-report-late-hint">([^<]+)<', shown)
    assert hint.startswith("The report was received later ")
    assert '<option value="report-late">' not in shown
    assert '<option value="membership-expired">Membership expired: The list of members says ' in shown
    assert status_of({"off-report-late": "yes", "checks_off": "membership-expired"}) == 303
    assert profile_of(own_site).checks.off == ("membership-expired", "report-late")
    assert status_of({"off-membership-expired": "yes"}) == 303
    assert profile_of(own_site).checks.off == ("membership-expired",)
    assert status_of({"checks_off": "no-such-warning"}) == 422


def test_pages_call_systems_as_the_federation_does(keeper: Person, own_site: Site) -> None:
    form = keeper.filled("/admin/profile", "/admin/profile")
    form |= {one.value: "yes" for one in profile_of(own_site).systems} | {"reason": "as our members say"}
    assert keeper.send("/admin/profile", form | {"name-of-regular": "Classical"}).status_code == 303
    assert profile_of(own_site).system_names == "regular=Classical"
    for name, words in (("A, B", "a name without commas"), ("OTB Quick", "a name that no other system has")):
        newer = form | keeper.filled("/admin/profile", "/admin/profile")
        refused = keeper.send("/admin/profile", newer | {"name-of-regular": name, "reason": "another"})
        assert refused.status_code == 422
        assert words in refused.text
        assert f'value="{name}"' in refused.text
        assert 'class="mistake" id="name-of-regular-wrong"' in refused.text
    months = keeper.send("/admin/profile", newer | {"list_months": "spring, 4", "reason": "another"})
    assert "Months of official lists cannot be &#39;spring, 4&#39;." in months.text
    for address in ("/rankings/regular", "/calculator", "/players?q=e"):
        page = keeper.get(address).text
        assert "Classical" in page, address
        assert "OTB Regular" not in page, address
        assert "OTB Quick" in page, address
    assert "Classical" in keeper.get("/rules/2021-02-01").text
    form = keeper.filled("/admin/profile", "/admin/profile")
    form |= {"regular": "yes", "reason": "one for all"}
    assert keeper.send("/admin/profile", form).status_code == 303
    for address in ("/rankings/regular", "/rules/2021-02-01"):
        assert ">OTB Quick</a>" not in keeper.get(address).text, address


def test_a_face_is_looked_at_before_it_is_used_and_every_page_wears_it(
    keeper: Person, own_site: Site
) -> None:
    before = profile_of(own_site)
    assert 'name="no_logo"' not in keeper.get("/admin/profile").text
    typed = keeper.filled("/admin/profile", TRY) | {
        "name": "Maple Chess League",
        "accent": "#0B5D2A",
        "footer": "Founded in 1912",
        "reason": "our own face",
    }
    shown = keeper.send(TRY, typed, {"logo": ("a.svg", LOGO)})
    assert shown.status_code == 200
    assert profile_of(own_site) == before
    tried = FACE_FILES.findall(shown.text)
    assert {name.rpartition(".")[2] for name in tried} == {"svg", "css"}
    for name in tried:
        assert keeper.client.get(name).status_code == 200
    assert keeper.send_shown(shown, "/admin/profile/face").status_code == 303
    after = profile_of(own_site)
    assert after == before._replace(
        name="Maple Chess League",
        logo=after.logo,
        accent="#0b5d2a",
        footer="Founded in 1912",
        title_case=False,
    )
    assert after.logo.startswith("<svg xmlns=")
    for address in ("/", "/admin", "/sign-in"):
        page = keeper.get(address).text
        assert set(FACE_FILES.findall(page)) == set(tried)
        assert "Founded in 1912" in page
    for name in tried:
        answer = keeper.client.get(name)
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "immutable" in answer.headers["cache-control"]
        kinds = {"svg": "image/svg+xml", "css": "text/css; charset=utf-8"}
        assert answer.headers["content-type"] == kinds[name.rpartition(".")[2]]
    for gone in ("/face/logo.000000000000.svg", "/face/style.css", "/face/..%2Fapp.py"):
        assert keeper.client.get(gone).status_code == 404
    assert 'name="no_logo"' in keeper.get("/admin/profile").text
    removed = keeper.filled("/admin/profile", TRY) | {"no_logo": "yes", "accent": "", "reason": "too green"}
    keeper.send_shown(keeper.send(TRY, removed), "/admin/profile/face")
    assert (profile_of(own_site).logo, profile_of(own_site).accent) == ("", "")
    assert FACE_FILES.findall(keeper.get("/").text) == []


@pytest.mark.parametrize(
    ("values", "logo", "said"),
    [
        ({"accent": "green"}, b"", "Accent colour cannot be &#39;green&#39;"),
        ({"accent": "#ffcc00"}, b"", "#896e00"),
        ({"footer": "x" * 300}, b"", "200"),
        ({"name": " "}, b"", "Name of the federation"),
        ({}, LOGO.replace(b"<path", b"<script/><path"), "the element &#39;script&#39;"),
        ({}, b"GIF89a", "not an SVG file"),
        ({}, b"x" * 40_000, "40,000 bytes"),
    ],
)
def test_a_face_that_does_not_fit_is_refused_beside_its_input(
    keeper: Person, own_site: Site, values: dict[str, str], logo: bytes, said: str
) -> None:
    before = profile_of(own_site)
    typed = keeper.filled("/admin/profile", TRY) | {"reason": "our own face"} | values
    files = {"logo": ("a.svg", logo)} if logo else None
    refused = keeper.send(TRY, typed, files)
    assert refused.status_code == 422
    assert said in refused.text
    assert f'href="#{next(iter(values), "logo")}-1"' in refused.text
    typed["revision"] = keeper.filled("/admin/profile", "/admin/profile")["revision"]
    sent = {**typed, "logo_file": b64encode(logo).decode()}
    assert keeper.send("/admin/profile/face", sent).status_code == 422
    assert (
        keeper.send(
            "/admin/profile/face", {**typed, "accent": "", "name": "A", "footer": "", "logo_file": "%"}
        ).status_code
        == 422
    )
    assert profile_of(own_site) == before


def test_rules_are_shown_before_they_are_adopted(keeper: Person, own_site: Site) -> None:
    tried = keeper.filled("/admin/rules", "/admin/rules/try") | {
        "overlay": RULES,
        "reason": "the vote of May",
    }
    shown = keeper.send("/admin/rules/try", tried)
    assert shown.status_code == 200
    assert "own rules: new: Bonus multiplier." in shown.text
    assert profile_of(own_site).overlay == ""
    adopted = keeper.send_shown(shown, "/admin/rules")
    assert "The rules were adopted." in keeper.get(adopted.headers["location"]).text
    assert "bonus_multiplier" in profile_of(own_site).overlay
    with own_site.book.reading() as connection:
        assert read_pending(connection)
    bad = keeper.filled("/admin/rules", "/admin/rules/try") | {"overlay": "[[bonus", "reason": "a slip"}
    assert keeper.send("/admin/rules/try", bad).status_code == 422


def test_a_backup_is_a_book_and_an_export_has_its_tables(
    keeper: Person, own_site: Site, office: Office, tmp_path: Path
) -> None:
    copied = tmp_path / "backup.book"
    copied.write_bytes(
        keeper.send("/admin/copies/backup", keeper.filled("/admin/copies", "/admin/copies/backup")).content
    )
    with closing(open_book(str(copied))) as book, book.reading() as connection:
        assert read_federation(connection).profile == profile_of(own_site)
    answer = keeper.fill_in("/admin/copies", "/admin/copies/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert any(name.endswith("manifest.json") for name in archive.namelist())
    with office.gate.store.reading() as connection:
        kinds = [(one.kind, one.details) for one in newest_entries(connection, 20)]
    assert kinds.count((LogKind.COPY_TAKEN, "backup")) == kinds.count((LogKind.COPY_TAKEN, "export")) == 1


def test_names_that_came_in_capitals_are_shown_as_the_profile_says(keeper: Person, own_site: Site) -> None:
    with own_site.book.writing() as connection:
        write_members(connection, [MemberFacts("90000001", "HERON, ALICE", date(1980, 1, 1))])
    assert "Alice Heron" in keeper.get("/players/90000001").text
    as_they_came = profile_of(own_site)._replace(title_case=False)
    adjust_profile(own_site.book, as_they_came, Reason(Actor("office", "2026-11-22T12:00:00Z"), "the board"))
    page = keeper.get("/players/90000001").text
    assert "ALICE HERON" in page
    assert "Alice Heron" not in page
