"""Two ids that are one person's, and personal data that are to be removed."""

from litestar import Response
from litestar.params import FromPath, FromQuery

from ratebook.book.facts.members import load_members
from ratebook.book.failures import BookError, refused
from ratebook.book.profile import revision
from ratebook.findings import Place, Severity
from ratebook.office.decisions.persons import MergePreview, preview_merge
from ratebook.office.erasure.actions import ERASE, MERGE
from ratebook.office.erasure.erase import ErasedElsewhere, Erasure
from ratebook.web.forms.acceptance import Box, accepted_keys, boxes_of
from ratebook.web.forms.actions import does, inputs_of, shows, values_of
from ratebook.web.forms.context import REASON, TheContext, made
from ratebook.web.forms.inputs import Input, InputKind, hidden
from ratebook.web.forms.once import Answer
from ratebook.web.layout.words import person_name
from ratebook.web.office import links
from ratebook.web.site import Site
from ratebook.web.store.erasure import erase_from_store

MERGING, ERASING = f"{links.MEMBER}/merge", f"{links.MEMBER}/erase"
(INTO,) = hidden(inputs_of(MERGE, "old"))


@shows(MERGE, MERGING)
def merge_page(context: TheContext, member: FromPath[str], into: FromQuery[str] = "") -> Response[bytes]:
    """Show both members, and doubts whether they are one person."""
    context = context.saying({INTO.name: into})
    into, findings = context.sent.text(INTO.name), context.findings
    preview: MergePreview | None = None
    with context.site.reading() as reader:
        seen = revision(reader.connection)
        name = _name(context.site, member)
        try:
            preview = preview_merge(reader.connection, member, into) if into else None
        except BookError as failure:
            findings = findings or (failure.finding,)
    form = None
    if preview is not None:
        inputs = (INTO, *(one.asked for one in _boxes(preview)), REASON)
        button = MERGE.sure.format(old=member, into=into)
        form = context.form(f"{links.MEMBER(member)}/merge", button, inputs, revision=seen)
    return context.page(
        "office/members/merge.html",
        member=member,
        name=name,
        into=into,
        preview=preview,
        form=form,
        findings=findings,
    )


@does(MERGE, MERGING)
def merge_members(context: TheContext, member: FromPath[str]) -> Answer:
    """Merge a member into another."""
    into = context.sent.text(INTO.name)

    def work() -> str:
        with context.site.reading() as reader:
            boxes = _boxes(preview_merge(reader.connection, member, into))
        because = context.because._replace(accepted=accepted_keys(context.sent, boxes))
        made(MERGE.done(context.book, because, {"old": member, "into": into}, context.site.today()))
        return links.MEMBER(into)

    return context.decide((INTO, REASON), work, lambda refused: merge_page(refused, member))


def _boxes(preview: MergePreview) -> list[Box]:
    return boxes_of(one for one in preview.findings if one.severity is Severity.WARNING)


@shows(ERASE, ERASING)
def erase_page(context: TheContext, member: FromPath[str]) -> Response[bytes]:
    """Ask whether the personal data of a member are to be removed."""
    inputs, address = _erasing(context.site, member), f"{links.MEMBER(member)}/erase"
    form = context.form(address, ERASE.title, inputs, revision=context.site.revision())._replace(
        is_grave=True
    )
    name = _name(context.site, member)
    return context.page("office/members/erase.html", member=member, name=name, form=form)


@does(ERASE, ERASING)
def erase_member(context: TheContext, member: FromPath[str]) -> Answer:
    """Remove the personal data of a member."""

    def beside(person: Erasure) -> ErasedElsewhere:
        return erase_from_store(context.gate.store, person, context.gate.now())

    def work() -> Response[bytes]:
        values = {**values_of(ERASE, context.sent, "member"), "member": member, "elsewhere": beside}
        erased = made(ERASE.done(context.book, context.because, values, context.site.today()))
        return context.page("office/members/erased.html", member=member, erased=erased)

    inputs, address = _erasing(context.site, member), links.MEMBER(member)
    return context.show_once(inputs, work, address, lambda refused: erase_page(refused, member))


def _erasing(site: Site, member: str) -> tuple[Input, ...]:
    name = person_name(_name(site, member))
    label = ERASE.sure.format(member=f"{name} ({member})" if name else member)
    return Input("sure", label, InputKind.CHECK), *inputs_of(ERASE, "member"), REASON


def _name(site: Site, member: str) -> str:
    """Return the name of a member; empty where the personal data are removed."""
    with site.reading() as reader:
        stored = load_members(reader.connection, [member]).get(member)
    if stored is None:
        raise refused("member-unknown.id", Place(members=(member,)))
    return stored.facts.name
