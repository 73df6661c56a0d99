"""Pages of imports: which there are, the file of one, what it would change, and doing it."""

from collections.abc import Sequence

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.profile import revision
from ratebook.findings import Finding
from ratebook.office.decisions.revision import Reason
from ratebook.pages.submission import HISTORY, folded_now
from ratebook.web.findings import Place, shown_findings
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer, book_as_seen, form_key
from ratebook.web.forms.sent import Sent, TheForm
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import TheVisitor
from ratebook.web.office import links
from ratebook.web.office.deciding import UNPROCESSABLE, Desk, RefusedError
from ratebook.web.office.imports.kept import Kept, keep, kept_import, run_import, tried
from ratebook.web.office.imports.kinds import KINDS, ImportKind
from ratebook.web.rendering import html_table
from ratebook.web.rooms import onward, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import TheSite

IMPORTS = "/office/imports"
OF_KIND, WAITING = f"{IMPORTS}/{{kind:str}}", f"{IMPORTS}/{{kind:str}}/{{name:str}}"
ACTIONS = (
    "import-members",
    "import-memberships",
    "import-external-ratings",
    "import-foreign-list",
    "import-opening-balances",
    "add-member",
)
MOST_ENTRIES, MOST_CHANGES = 10, 200


@shown_to(Needs.OFFICE, IMPORTS)
def imports(site: TheSite, visitor: TheVisitor) -> Response[bytes]:
    """Show what can be imported, and what was last."""
    with site.reading() as reader:
        last = newest_entries(reader.connection, MOST_ENTRIES, RecordFilter(kinds=ACTIONS))
    table = html_table("The last imports", HISTORY, last)
    return room_page(site, visitor, "office/imports/imports.html", kinds=KINDS, last=table)


@shown_to(Needs.OFFICE, OF_KIND)
def import_form(site: TheSite, gate: TheGate, visitor: TheVisitor, kind: FromPath[str]) -> Response[bytes]:
    """Ask for the file of an import."""
    return _asking(Desk(site, gate, visitor, Sent({}, {})), kind)


@done_by(Needs.OFFICE, OF_KIND)
def try_import(
    site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm, kind: FromPath[str]
) -> Answer:
    """Keep the file, and go where it is tried; nothing is imported yet."""
    inputs = _of(kind).asked
    if wrong := form.wrong(inputs):
        return _asking(Desk(site, gate, visitor, form), kind, wrong)
    return onward(f"{IMPORTS}/{kind}/{keep(gate, visitor, kind, form, inputs)}")


@shown_to(Needs.OFFICE, WAITING)
def import_preview(
    site: TheSite, gate: TheGate, visitor: TheVisitor, kind: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """Show what an import would change."""
    return _preview(Desk(site, gate, visitor, Sent({}, {})), kind, name)


@done_by(Needs.OFFICE, WAITING)
def do_import(
    site: TheSite,
    gate: TheGate,
    visitor: TheVisitor,
    form: TheForm,
    kind: FromPath[str],
    name: FromPath[str],
) -> Answer:
    """Import the file, if the book is as it was when that was tried."""
    desk = Desk(site, gate, visitor, form)
    kept = _waits(desk, kind, name)

    def work(_: Reason) -> str:
        done = run_import(kept, book_as_seen(site.book, form), site, gate, visitor)
        if not done.is_whole:
            raise RefusedError(done.findings)
        return links.QUEUE if kind == "reports" else IMPORTS

    def again(findings: Sequence[Finding], status: int) -> Response[bytes]:
        return _preview(desk, kind, name, findings, status)

    return desk.decide((), work, again)


def _of(kind: str) -> ImportKind:
    if kind not in KINDS:
        raise NotFoundException
    return KINDS[kind]


def _waits(desk: Desk, kind: str, name: str) -> Kept:
    kept = kept_import(desk.gate, desk.visitor, kind, name)
    if kept is None or kind not in KINDS:
        raise NotFoundException
    return kept


def _asking(desk: Desk, kind: str, findings: Sequence[Finding] = ()) -> Response[bytes]:
    of_kind = _of(kind)
    values = desk.sent.values(of_kind.asked)
    form = Form(f"{IMPORTS}/{kind}", "See what it would change", of_kind.asked, values, findings)
    status = UNPROCESSABLE if findings else 200
    return room_page(
        desk.site, desk.visitor, "office/imports/file.html", status=status, kind=of_kind, form=form
    )


def _preview(
    desk: Desk, kind: str, name: str, refused: Sequence[Finding] = (), status: int = 200
) -> Response[bytes]:
    kept, of_kind = _waits(desk, kind, name), _of(kind)
    with desk.site.reading() as reader:
        seen = revision(reader.connection)
    outcome = tried(kept, desk.site, desk.gate, desk.visitor)
    form = None
    if outcome.is_whole:
        address = f"{IMPORTS}/{kind}/{name}"
        form = Form(address, "Import", (), {}, refused, form_key(desk.gate), seen)
    return room_page(
        desk.site,
        desk.visitor,
        "office/imports/preview.html",
        status=status,
        kind=of_kind,
        address=f"{IMPORTS}/{kind}",
        file=next(iter(kept.files.values())).name[:80],
        outcome=outcome,
        findings=shown_findings(folded_now(outcome.findings), lambda place: Place(place, "")),
        changes=outcome.changes[:MOST_CHANGES],
        more=len(outcome.changes) - MOST_CHANGES,
        form=form,
    )
