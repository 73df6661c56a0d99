"""Commands that keep a book safe, or hand it on: portable files, complete tables, backups, seals, and verify."""

from pathlib import Path

import click

from ratebook.book.chain.links import Head
from ratebook.book.connection import is_url, open_any_version, shown_place
from ratebook.book.failures import failure_of_file
from ratebook.bounded_files import bounded_bytes
from ratebook.cli.book.session import acting, book_place, confirm, findings_shown, open_session, what_waits
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, PATH_TEXT, default_option, flag_option, today
from ratebook.cli.output import progress_bar
from ratebook.cli.output_files import write_or_fail
from ratebook.cli.show import fail_with, json_option, need, show
from ratebook.findings import Place
from ratebook.office.copies.backup import backup, restore
from ratebook.office.copies.export import Manifest, export_book, import_book
from ratebook.office.publish.data_files import write_data
from ratebook.office.publish.seals import new_keys, public_key_of, read_seal, require_signature, seal
from ratebook.office.rating.history_columns import export_history
from ratebook.office.rating.verify import keep_verified, verify, verify_new
from ratebook.pages.columns import counted
from ratebook.records.data_files import ENDINGS


def _show_manifest(manifest: Manifest, what: str, done: str) -> None:
    rows = sum(table.rows for table in manifest.tables)
    show(f"book-{what}", manifest._asdict(), f"{done}: {rows:,} rows of {len(manifest.tables)} tables.")


@command("export", json_option)
@click.argument("target", type=PATH_TEXT, metavar="FOLDER")
@flag_option("--parquet", "Write the rated history instead, as Parquet columns for ratebook replay.")
@flag_option(
    "--with-birth-dates", "Include birth dates in the history, for studies of initial ratings or ages."
)
def export_command(target: str, *, parquet: bool, with_birth_dates: bool) -> None:
    """Write the whole book as portable files into a new FOLDER. The same book always gives the same bytes.

    The files contain everything, including birth dates: protect them like the book. A history (--parquet) has no names,
    and birth dates only if you ask for them; initial ratings that follow from birth dates are in it as decided.

    Examples:
      ratebook book export league-2026-11
      ratebook book export --parquet league-history
    """
    if with_birth_dates and not parquet:
        raise click.UsageError("--with-birth-dates is for --parquet; an export without it has everything.")
    if parquet:
        with open_session() as session, progress_bar("Writing") as progress:
            history = export_history(session.book, Path(target), progress, with_birth_dates=with_birth_dates)
            with session.book.reading() as connection:
                waits = what_waits(connection)
        words = f"{history.sections:,} sections, {history.games:,} games, {history.members:,} members."
        show("book-export", history._asdict(), words, findings=waits)
        return
    with open_session() as session, progress_bar("Writing") as progress:
        manifest = export_book(session.book, target, progress)
    _show_manifest(manifest, "export", f"Exported to {target}")


@command("data", json_option)
@click.argument("folder", type=PATH_TEXT, metavar="FOLDER")
@default_option(
    "--format",
    "Format of the files; repeatable. Parquet needs the extra bulk.",
    click.Choice([*ENDINGS]),
    name="formats",
    multiple=True,
    default=("csv",),
)
def data_command(folder: str, formats: tuple[str, ...]) -> None:
    """Write what the public pages show to FOLDER, as complete tables for mirrors and researchers.

    There are tables of players, ratings, titles, sections, standings and histories, with a file for each year
    of sections and histories, and a manifest with their hashes. Run it again after the book has changed: an
    unchanged file keeps its name, and mirrors do not fetch it again. The same revision of the book gives the
    same bytes.

    Examples:
      ratebook book data public-data
      ratebook book data public-data --format csv --format ndjson --format parquet
    """
    with open_session() as session, progress_bar("Writing") as progress:
        written = write_data(session.book, Path(folder), tuple(dict.fromkeys(formats)), progress)
        with session.book.reading() as connection:
            waits = what_waits(connection)
    manifest = written.manifest
    words = (
        f"Revision {manifest.revision} in {folder}: {len(manifest.files)} files, {written.made} of them new."
    )
    content = {"revision": manifest.revision, "files": manifest.files, "new": written.made}
    show("book-data", content, words, findings=waits)


@command("import-book", json_option)
@click.argument("folder", type=PATH_TEXT, metavar="FOLDER")
def import_book_command(folder: str) -> None:
    """Make a new book at the place given by --book, from a FOLDER that export has written.

    Examples:
      ratebook book --book postgresql://office@server/league import-book league-2026-11
    """
    with findings_shown(), progress_bar("Reading") as progress:
        manifest = import_book(folder, book_place(), progress)
    _show_manifest(manifest, "import-book", "Made the book")


@command("backup", json_option)
@click.argument("target", type=PATH_TEXT, metavar="TARGET")
def backup_command(target: str) -> None:
    """Copy the book to a new file (from a server: to a new folder), while others may work with it.

    Examples:
      ratebook book backup league-2026-11-20.book
    """
    with open_session(open_any_version) as session, progress_bar("Copying") as progress:
        backup(session.book, target, session.actor, progress)
    show("book-backup", {"target": target}, f"The book is copied to {target}.")


@command("restore", json_option)
@click.argument("source", type=PATH_TEXT, metavar="BACKUP")
@flag_option("--yes", "Do not ask for confirmation; the current contents of the book are lost.")
def restore_command(source: str, *, yes: bool) -> None:
    """Replace the book with a backup, which is first copied beside it and verified as a whole.

    Examples:
      ratebook book restore league-2026-11-20.book --yes
    """
    place, actor = book_place(), acting()
    if not yes and (is_url(place) or Path(place).exists()):
        confirm(f"Replace the current contents of {shown_place(place)} with {source}?", shown_place(place))
    with findings_shown(), progress_bar("Verifying the backup") as progress:
        restored = restore(source, place, actor, progress)
    counted = f"{restored.sections:,} sections and {restored.rows:,} ledger rows computed again"
    content = {"sections": restored.sections, "rows": restored.rows}
    show("book-restore", content, f"Restored: {counted}, nothing differs.", findings=restored.findings)


@command("seal", json_option)
@option("--key KEY.pem", "Sign with this private key (see seal-key).", PATH)
@option("--out FILE", "Write the seal to a new file.", PATH)
def seal_command(*, key: Path | None, out: Path | None) -> None:
    """Print a seal: one number and one hash that stand for everything in the book so far.

    Keep it where no one who can change the book can change the seal: on paper, or with the printed list of the month.
    Later, ratebook book verify --seal shows whether everything up to the seal is still as it was.

    Examples:
      ratebook book seal
      ratebook book seal --key office.pem --out 2026-12.seal
    """
    if key is not None:
        need("sign")
    with open_session() as session:
        sealed = seal(session.book, session.actor.at, None if key is None else _content(key))
    if out is not None:
        _write(out, sealed.text.encode())
    content = {
        "federation": sealed.federation,
        "link": sealed.head.number,
        "head": sealed.head.head,
        "made": sealed.made,
    }
    show("book-seal", {**content, "signature": sealed.signature}, sealed.text.rstrip("\n"))


@command("seal-key", json_option)
@click.argument("target", type=PATH, metavar="KEY.pem")
def seal_key_command(target: Path) -> None:
    """Make a private key that signs seals, and KEY.pem.pub, with which anyone can check them.

    Only you can read the file of the private key, which has no password. If KEY.pem exists but KEY.pem.pub does not,
    the public key is made from the private one.

    Examples:
      ratebook book seal-key office.pem
    """
    need("sign")
    if target.name in {"", ".."} or target.is_dir():
        fail_with("output-exists.folder", Place(file=str(target)))
    public = target.with_name(f"{target.name}.pub")
    if target.exists() and not public.exists():
        with findings_shown():
            _write(public, public_key_of(_content(target)))
        summary = f"Made {public}, which anyone may have, from {target}."
    else:
        keys = new_keys()
        if public.exists():
            fail_with("output-exists.kept", Place(file=str(public)))
        _write(target, keys["private"], private=True)
        _write(public, keys["public"])
        summary = f"Made {target}, which the office keeps, and {public}, which anyone may have."
    show("book-seal-key", {"private": str(target), "public": str(public)}, summary)


@command("verify", json_option)
@option("--seal SEAL", "An earlier seal: its file, or NUMBER:HASH.", PATH_TEXT, name="sealed")
@option("--public-key KEY.pem.pub", "The public key of the office that must have signed the seal.", PATH)
@flag_option("--deep", "Also have the store check all of its pages and indexes.")
@flag_option("--new", "Verify only what is new since the last verification.", name="only_new")
def verify_command(*, sealed: str | None, public_key: Path | None, deep: bool, only_new: bool) -> None:
    """Check the store and the chain; recompute the ledger from balances, reports, decisions and stored rules.

    This prints what differs, and what was changed, removed or added by anything other than ratebook
    (docs/book/chain.md). The exit status is 1 if there is anything to print.

    If nothing is wrong, the audit log notes what was verified, and --new starts from there: it checks that the chain
    still has what was seen then, and recomputes what was added, changed or rated since. The profile says
    after how many days everything should be verified again.

    Examples:
      ratebook book verify
      ratebook book verify --new
      ratebook book verify --deep --seal 2026-12.seal --public-key office.pem.pub
    """
    if public_key is not None:
        if sealed is None:
            raise click.UsageError("--public-key checks a seal: give one with --seal.")
        need("sign")
    if only_new and deep:
        raise click.UsageError("--deep checks everything that is stored: give it without --new.")
    with open_session() as session, progress_bar("Verifying") as progress:
        head = None if sealed is None else _head(sealed, public_key)
        if only_new:
            verified = verify_new(session.book, today(), progress, sealed=head)
        else:
            verified = verify(session.book, progress, sealed=head, deep=deep)
        unnoted = keep_verified(session.book, session.actor, verified)
    wrong = sum(finding.severity == "error" for finding in verified.findings)
    words = counted(wrong, "error") if wrong else "nothing differs"
    since = None if verified.since is None else verified.since.at
    part = "" if since is None else f", of what came after the verification of {since}"
    shown = f"{verified.sections:,} sections and {verified.rows:,} ledger rows computed again{part}: {words}."
    content = {"sections": verified.sections, "rows": verified.rows, "since": since}
    show("book-verify", content, shown, findings=[*verified.findings, *unnoted])


def _head(sealed: str, public_key: Path | None) -> Head:
    there = Path(sealed)
    text = _content(there).decode(errors="replace") if there.is_file() else sealed
    read = read_seal(text, sealed)
    if public_key is not None:
        require_signature(read, _content(public_key), sealed)
    return read.head


def _content(path: Path) -> bytes:
    try:
        return bounded_bytes(path)
    except OSError as failure:
        raise failure_of_file(failure, str(path)) from failure


def _write(target: Path, content: bytes, *, private: bool = False) -> None:
    if target.exists():
        fail_with("output-exists.kept", Place(file=str(target)))
    write_or_fail({target.name: content}, target, private=private)
