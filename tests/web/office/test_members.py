"""Members and imports in the browser: private facts, additions, merges, erasures, files that are tried first."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.connection import Actor
from ratebook.book.events import read_event
from ratebook.book.facts.members import MemberQuestion, find_members, load_members
from ratebook.book.submissions import read_submission, waiting
from ratebook.cli.web.demo import WRONG_ID
from ratebook.office.decisions.revision import Reason
from ratebook.office.erasure.erase import erase
from ratebook.web.layout.words import person_name
from ratebook.web.office.links import FIX_SEAT
from ratebook.web.store.accounts import find_account
from ratebook.web.store.jobs import JobState, add_job, end_job, read_job
from ratebook.web.store.log import LogKind, newest_entries
from ratebook.web.store.reports.previews import keep_preview, read_preview
from ratebook.web.store.schema import moment
from support.web.accounts import Office
from support.web.federation import EVENT, LATE, OTHER, PLAYER, WRONG
from support.web.persons import Forms, Person, boxes_on
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx import Response
    from litestar import Litestar

    from ratebook.book.facts.members import MemberFacts
    from ratebook.web.site import Site

MEMBERS, IMPORTS = "/office/members", "/office/imports"
NEW = f"{MEMBERS}/new"
LONG = 60
"""Seconds after which a job that was to end is missing; no test waits for them."""
HEADER = "id,name,birth_date,state,club\n"


@pytest.fixture
def client(own_site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a client of a site that no other test writes to."""
    with asked(own_site._replace(gate=office.gate)) as client:
        yield client


@pytest.fixture
def person(client: TestClient[Litestar], office: Office) -> Person:
    """Give someone of the office."""
    return Person(client, office, "office")


def facts_of(site: Site, member: str) -> MemberFacts:
    with site.reading() as reader:
        return load_members(reader.connection, [member])[member].facts


def views(office: Office) -> list[str]:
    with office.gate.store.reading() as connection:
        log = newest_entries(connection, 10)
    return [one.details for one in log if one.kind == LogKind.PRIVATE_VIEWED]


def test_each_look_at_private_facts_is_in_the_log_and_kept_nowhere(
    person: Person, own_site: Site, office: Office
) -> None:
    born = facts_of(own_site, OTHER).birth_date
    assert born is not None
    page = person.get(f"{MEMBERS}/{OTHER}")
    assert f"{born.day} {born:%B %Y}" in page.text
    assert page.headers["cache-control"] == "no-store"
    why = person.get(f"/office/why/{PLAYER}/{EVENT}/1")
    assert "every figure; for the office only" in why.text
    # The public page gives the same answer, from published ratings.
    answers = [
        re.findall(r"scored [^<]* expected", page.text)
        for page in (why, person.get(f"/players/{PLAYER}/why/{EVENT}/1"))
    ]
    assert answers[0] == answers[1] != []
    assert views(office) == [f"member {PLAYER}, event {EVENT}, section 1", f"member {OTHER}"]
    assert f"{born.day} {born:%B %Y}" not in person.get(f"{MEMBERS}?q={OTHER}").text


def test_a_member_is_added_and_another_of_the_same_name_and_day_after_a_second_thought(
    person: Person, own_site: Site
) -> None:
    typed = {"id": "90000901", "name": "Newman, Ned", "birth_date": "2001-05-02", "state": "NY", "adult": ""}
    assert person.fill_in(NEW, NEW, **typed).headers["location"] == f"{MEMBERS}/90000901"
    assert facts_of(own_site, "90000901").name == "Newman, Ned"
    twin = person.filled(NEW, NEW) | typed | {"id": "90000902"}
    doubted = person.send(NEW, twin)
    assert doubted.status_code == 422
    assert "90000901" in doubted.text
    assert 'name="possible-duplicate"' in doubted.text
    sure = person.send(NEW, twin | {"possible-duplicate": "yes"})
    assert sure.headers["location"] == f"{MEMBERS}/90000902"
    assert person.fill_in(NEW, NEW, **typed).status_code == 422


def test_two_ids_are_merged_as_they_were_compared(person: Person) -> None:
    person.fill_in(NEW, NEW, id="90000901", name="Newman, Ned", adult="")
    merge = f"{MEMBERS}/90000901/merge"
    assert "no member" in person.get(f"{merge}?into=1").text
    form = person.filled(f"{merge}?into={OTHER}", merge) | {"reason": "joined twice"}
    person.fill_in(NEW, NEW, id="90000903", name="Meanwhile, Mia", adult="")
    assert person.send(merge, form).status_code == 409
    form = person.filled(f"{merge}?into={OTHER}", merge) | {"reason": "joined twice"}
    doubtful = person.send(merge, form)
    assert doubtful.status_code == 422
    assert "raises warnings that are not accepted." in doubtful.text
    (box,) = boxes_on(doubtful).values()
    form = Forms(doubtful.text).found[merge] | {box: "yes"}
    assert person.send(merge, form).headers["location"] == f"{MEMBERS}/{OTHER}"
    assert person.get(f"{MEMBERS}/90000901").headers["location"] == f"{MEMBERS}/{OTHER}"


def test_whoever_is_erased_is_gone_at_once_everywhere(person: Person, own_site: Site, office: Office) -> None:
    erase, name = f"{MEMBERS}/{PLAYER}/erase", facts_of(own_site, PLAYER).name
    surname, given = name.split(", ")
    shown = f"{given} {surname}"
    assert shown in person.get(f"/players/{PLAYER}").text
    form = person.filled(erase, erase) | {"reason": "asked for by letter"}
    unsure = person.send(erase, form)
    assert unsure.status_code == 422
    assert f"Remove name, birth date and home of member {shown} ({PLAYER}) for good" in unsure.text
    with office.gate.store.writing() as connection:
        account = find_account(connection, "office")
        assert account is not None
        results = [
            (add_job(connection, "rerate", {}, account.id, 1, office.clock()), one) for one in (PLAYER, OTHER)
        ]
        for number, member in results:
            end_job(connection, number, JobState.DONE, f'{{"names":{{"{member}":"A NAME"}}}}', office.clock())
        tried = {"by id": PLAYER, "by name": name, "other": OTHER}
        for one, text in tried.items():
            content = f"a report of {text}".encode()
            keep_preview(connection, one, account.id, content, office.clock(), "REPORT")
    office.clock.goes_on(minutes=11)
    assert person.send(erase, form | {"sure": "yes"}).headers["location"].startswith("/account/again")
    again = Person(person.client, office, "office")
    form |= again.filled(erase, erase)
    done = again.send(erase, form | {"sure": "yes", "reason": "asked for"})
    assert (done.status_code, name in done.text, shown in done.text) == (200, False, False)
    assert again.send(erase, form | {"sure": "yes", "reason": "asked for"}).status_code == 303
    erased_page = again.get(erase).text
    assert f"<h1>Remove what is left of the personal data of {PLAYER}</h1>" in erased_page
    assert f"home of member {PLAYER} for good" in erased_page
    assert f"<h1>Merge {PLAYER}</h1>" in again.get(f"{MEMBERS}/{PLAYER}/merge").text
    for address in (f"/players/{PLAYER}", f"{MEMBERS}/{PLAYER}", f"/players?q={surname}"):
        text = again.get(address).text
        assert name not in text, address
        assert shown not in text, address
    assert f">{PLAYER}</a>" in again.get(f"{MEMBERS}?q={PLAYER}").text
    with office.gate.store.reading() as connection:
        kept = [job.result for number, _ in results if (job := read_job(connection, number)) is not None]
        left = [one for one in tried if read_preview(connection, one, account.id, office.clock())]
    assert kept == [None, f'{{"names":{{"{OTHER}":"A NAME"}}}}']
    assert left == ["other"]


def test_whoever_is_erased_at_a_prompt_is_gone_from_the_results_of_jobs(
    person: Person, own_site: Site, office: Office
) -> None:
    with office.gate.store.writing() as connection:
        account = find_account(connection, "office")
        assert account is not None
        number = add_job(connection, "rerate", {}, account.id, 1, office.clock())
        end_job(connection, number, JobState.DONE, f'{{"names":{{"{PLAYER}":"A NAME"}}}}', office.clock())
    office.clock.goes_on(minutes=1)
    erase(own_site.book, PLAYER, Reason(Actor("prompt", moment(office.clock())), "asked for"))
    assert person.get(f"/office/jobs/{number}").status_code == 200
    with office.gate.store.reading() as connection:
        job = read_job(connection, number)
    assert job is not None
    assert job.result is None


def test_a_file_is_tried_first_and_then_imported_on_the_book_that_was_seen(
    person: Person, own_site: Site, office: Office
) -> None:
    address, known = f"{IMPORTS}/members", facts_of(own_site, OTHER)
    text = f'{HEADER}{OTHER},,,,"New Club"\n90000901,"Newman, Ned",2001-05-02,NY,\n'
    kept = person.send(
        address, person.filled(address, address), {"file": ("../Members 2026.csv", text.encode())}
    ).headers["location"]
    tried = person.get(kept)
    assert "1 added, 1 changed, 0 unchanged" in tried.text
    assert f"{OTHER} {person_name(known.name)}: club: {known.club or 'none'} → New Club" in tried.text
    assert facts_of(own_site, OTHER) == known
    # It is the sender's own, and no report that a director tries.
    assert kept.rpartition("/")[2] not in person.get("/director").text
    assert person.get(f"/director/previews/{kept.rpartition('/')[2]}").status_code == 404
    assert Person(person.client, office, "new").get(kept).status_code in {303, 404}
    form = person.filled(kept, kept)
    person.fill_in(NEW, NEW, id="90000903", name="Meanwhile, Mia", adult="")
    assert person.send(kept, form).status_code == 409
    form = person.filled(kept, kept)
    answers = [person.send(kept, form).headers["location"] for _ in range(2)]
    assert answers == [f"{IMPORTS}?done=yes"] * 2
    assert "Imported Members_2026.csv: 2 rows, 1 added, 1 changed" in person.get(answers[0]).text
    assert facts_of(own_site, OTHER).club == "New Club"
    with own_site.reading() as reader:
        assert find_members(reader.connection, MemberQuestion("newman"))[1] == 1
    office.clock.goes_on(hours=25)
    assert Person(person.client, office, "office").get(kept).status_code == 404


def test_a_file_with_a_mistake_says_where_and_cannot_be_imported(person: Person) -> None:
    address = f"{IMPORTS}/memberships"
    text = f"member_id,starts,expires\n{PLAYER},2021-02-01,2020-02-01\n"
    kept = person.send(address, person.filled(address, address), {"file": ("m.csv", text.encode())})
    tried = person.get(kept.headers["location"])
    assert tried.status_code == 200
    assert "m.csv, line 2" in tried.text
    assert ">Import</button>" not in tried.text


def test_a_file_that_changes_nothing_says_so(person: Person) -> None:
    address, text = f"{IMPORTS}/members", f'{HEADER}{OTHER},,,,"New Club"\n'

    def tried() -> Response:
        sent = person.send(address, person.filled(address, address), {"file": ("m.csv", text.encode())})
        return person.get(sent.headers["location"])

    first = tried()
    (waits,) = [each for each in Forms(first.text).found if each.startswith(address)]
    person.send_shown(first, waits)
    again = tried().text
    assert "1 row: the book has all of this already, and nothing changes." in again
    assert ">Import</button>" not in again
    recent = person.get(IMPORTS).text
    assert "1 row, 0 added, 1 changed" in recent
    assert "wait for a re-rating" not in recent


def test_a_large_file_is_tried_and_imported_by_jobs(
    person: Person, own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ratebook.web.office.imports.pages.AT_ONCE_BYTES", 10)
    address, text = f"{IMPORTS}/members", f'{HEADER}{OTHER},,,,"New Club"\n'

    def result(answer: Response) -> str:
        job = answer.headers["location"]
        assert person.client.app.state.jobs.idle.wait(LONG)
        return job.replace("/office/jobs/", f"{IMPORTS}/jobs/")

    tried = result(person.send(address, person.filled(address, address), {"file": ("m.csv", text.encode())}))
    assert "0 added, 1 changed, 0 unchanged. Nothing has been changed yet." in person.get(tried).text
    (waits,) = [one for one in Forms(person.get(tried).text).found if one.startswith(address)]
    form = person.filled(tried, waits)
    person.fill_in(NEW, NEW, id="90000903", name="Meanwhile, Mia", adult="")
    failed = person.send(waits, form).headers["location"]
    assert person.client.app.state.jobs.idle.wait(LONG)
    assert "The book has changed since" in person.get(failed).text
    tried = result(person.send(address, person.filled(address, address), {"file": ("m.csv", text.encode())}))
    (waits,) = [one for one in Forms(person.get(tried).text).found if one.startswith(address)]
    done = result(person.fill_in(tried, waits))
    assert "what m.csv changed" in person.get(done).text
    assert facts_of(own_site, OTHER).club == "New Club"


def test_an_archive_of_reports_comes_into_the_queue(person: Person, own_site: Site) -> None:
    address, archive = f"{IMPORTS}/reports", io.BytesIO()
    with own_site.reading() as reader:
        stored = read_submission(reader.connection, LATE)
        before = len(waiting(reader.connection))
    assert stored is not None
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.json", stored.report.replace("2021-01-10", "2021-01-17"))
        packed.writestr("b.txt", "nothing that is known")
    kept = person.send(
        address, person.filled(address, address), {"file": ("reports.zip", archive.getvalue())}
    ).headers["location"]
    assert "2 files: 0 reports ready, 2 held back, 0 already known." in person.get(kept).text
    with own_site.reading() as reader:
        assert len(waiting(reader.connection)) == before
    assert person.fill_in(kept, kept).headers["location"] == "/office/queue"
    with own_site.reading() as reader:
        assert len(waiting(reader.connection)) == before + 2


def test_a_wrong_letter_is_forgiven_in_each_search_of_the_office(person: Person, own_site: Site) -> None:
    with own_site.reading() as reader:
        (found,), _ = find_members(reader.connection, MemberQuestion(PLAYER))
        report, event = read_submission(reader.connection, LATE), read_event(reader.connection, EVENT)
    assert report is not None
    assert event is not None
    last = found.name.partition(",")[0]
    word, of_event = (max(name.split(), key=len) for name in (report.event_name, event.name))
    for address, mistaken, where in (
        (f"{MEMBERS}?q=", f"{last[:-1]}q", f"{MEMBERS}/{PLAYER}"),
        (f"/office/queue/{WRONG}/fix/1/1?q=", f"{last[:-1]}q", f"?member={PLAYER}"),
        ("/office/queue?text=", f"{word[:-1]}q", f"/office/queue/{LATE}"),
        ("/office/events?name=", f"{of_event[:-1]}q", "/office/events/"),
    ):
        assert where in person.get(f"{address}{mistaken}").text.partition("<table")[2], address


def test_a_member_who_is_missing_in_a_report_is_added_under_a_free_id_and_put_on_the_seat(
    person: Person,
) -> None:
    seat = FIX_SEAT(WRONG, 1, 1)
    page = person.get(f"{NEW}?report={WRONG}&section=1&seat=1")
    free = re.search(r"([0-9]{8}) is the next free id", page.text)
    assert free is not None
    form = Forms(page.text).found[NEW]
    assert (form["id"], form["back"]) == (WRONG_ID, seat)
    added = person.send(NEW, form | {"id": free[1], "reason": "plays for the first time"})
    assert added.headers["location"] == f"{seat}?member={free[1]}"
    assert free[0] not in person.get(NEW).text
