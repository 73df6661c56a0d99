"""The page of the chain of a book: what it is, and the changes that a test makes and `verify` notices."""

from __future__ import annotations

import tomllib

from scripts.pages.places import DOCS, MADE_BY

_TEXT = """\
# The chain: changes made without ratebook

Anyone who can write to the file or the database of a book can change it without ratebook: ratings, lists, the audit
log. `ratebook book verify` notices that, because everything that ratebook writes gets a link in a chain of hashes.

```text
ratebook book verify --deep              the store, the chain, then the whole ledger computed again
ratebook book verify --new               what came since the last verification
ratebook book seal                       how far the chain goes: a number and a hash
ratebook book verify --seal 1234:3f2a…   whether everything up to there is as it was
```

## Seals

Anyone who can change the book and knows how the chain is made can make a new chain, but not one that has the same hash
at the same number. So note it where the book's keepers cannot reach it:

* every official list carries the seal from the moment of its publication, on paper and on other people's disks;
* `ratebook book seal --out 2026-12.seal` writes a seal to a file, which you can send to an auditor;
* with `--key office.pem` the file is signed (Ed25519), and `verify --seal 2026-12.seal --public-key office.pem.pub`
  checks that the office made it. `ratebook book seal-key office.pem` makes the pair of keys.

If `verify` says `seal-not-found`, something before that seal was rewritten, or the book was replaced by another one.

## Only what is new

A verification without an error leaves an entry in the audit log, with the head of the chain that it saw. `ratebook book
verify --new` starts from there: it reads all links, looks whether that head is still among them and whether everything
they vouch for is there, compares what has a newer link with its content, and computes again what came, changed or was
rated since, with the next section of each player it concerns. Older rows that were changed without ratebook are found
by a verification of everything alone. The profile says after how many days that is due (`days_between_verifications`),
and `verify --new` warns from then on ([decision 62](../decisions/0062-what-is-new-is-verified-alone.md)).

## On a PostgreSQL server

Let the office work as a role that does not own the tables: the owner runs `ratebook book server-role office`. That role
rates, decides and publishes, but cannot change or delete ratings, decisions, lists, runs, rules or the audit log, and
cannot switch off the triggers that protect them. Only the owner can upgrade and restore.

There is one exception: when a person is erased, the name is removed from reasons and details of decisions and from the
audit log. The triggers allow such a text to be replaced by one that contains `(erased)`, and nothing else in the row.
If another program did that, the chain shows it.

## How a link is made

| column | what |
| --- | --- |
| `number` | 1, 2, 3, … without a gap |
| `kind`, `subject` | what the link is about: `posting 12`, `member 90000001`, `list 2026-12` |
| `salt` | 32 letters, different for each link; empty once a person whom it may name has been erased |
| `digest` | SHA-256 of `salt` and content, in hexadecimal letters; empty: the book no longer has it |
| `head` | SHA-256 of the head before, number, kind, subject and digest, each on its own line |

The content is a list in JSON without spaces: the row of the table, then, for each table that belongs to it, a list of
its rows, sorted as text. A row is an object with its [columns](schema.md) in the order of their names, without empty
columns, numbers that the store assigns, `superseded_by`, the column that refers to the subject, and the book's
`revision`. A posting is followed by its rows of the ledger, the members whose rows it ended, and the postings it
replaced. Days are written as `2026-11-14`.

If an upgrade splits a text into columns, rows whose links were intact get new links. A row that was changed without
ratebook keeps its link, and `verify` still reports it.

Only the newest link about a subject is compared with the book. The games of a section, withdrawn or not, are compared
with its report, and each value with what its column can hold: if a word is in place of a day, `verify` names the table
and the row.

## What is noticed

A test makes each of these changes in both stores, after disabling the triggers that would refuse it.

| change | noticed |
| --- | --- |
"""

_NOT = """
Not noticed, because no rating depends on them, are changes in the tables `changed`, from which copies of the public
data learn what is new, and `name_words`, which finds members by name; changes of the book's `revision`; and changes of
the numbers that the store assigns to rows of the ledger, to findings and to memberships. A link whose salt was emptied
is not noticed either, and an older copy in place of the whole book is noticed only if you check a newer seal.
"""


def chain_page() -> str:
    """Return the page of the chain."""
    said = tomllib.loads((DOCS / "book" / "tampering.toml").read_text(encoding="utf-8"))
    rows = "".join(f"| {change['what']} | yes |\n" for change in said["change"])
    first, _, rest = _TEXT.partition("\n\n")
    return f"{first}\n\n{MADE_BY} from `docs/book/tampering.toml` and `scripts/pages/chain.py`.\n\n{rest}{rows}{_NOT}"
