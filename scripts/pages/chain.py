"""The page of the chain of a book: what it is, and the changes that a test makes and `verify` notices."""

from __future__ import annotations

import tomllib

from scripts.pages.places import DOCS, MADE_BY

_TEXT = """\
# The chain: what was changed past ratebook

Whoever can write to the file or the database of a book can change it without ratebook: rating, lists, the audit log.
`ratebook book verify` notices that, because whatever ratebook writes gets a link in a chain of hashes.

```text
ratebook book verify --deep              the store, the chain, then the whole ledger computed again
ratebook book seal                       how far the chain goes: a number and a hash
ratebook book verify --seal 1234:3f2a…   whether everything up to there is as it was
```

## Seals

Somebody who can change the book and knows how the chain is made can make a new one. Nobody can make a new one that has
the same hash at the same number. So note it where the book's keepers cannot reach it:

* every official list carries the seal of the moment when it was published, on paper and on other people's disks;
* `ratebook book seal --out 2026-12.seal` writes one to a file, to be sent to an auditor;
* with `--key office.pem` the file is signed (Ed25519), and `verify --seal 2026-12.seal --public-key office.pem.pub`
  tells whether the office made it. `ratebook book seal-key office.pem` makes the pair of keys.

If `verify` says `seal-not-found`, something before that seal was rewritten, or the book was replaced by another one.

## On a PostgreSQL server

Let the office work as a role that does not own the tables: `ratebook book server-role office`, run by the owner. That
role rates, decides and publishes, but cannot change or delete ratings, decisions, lists, runs, rules or the audit log,
and cannot switch off the triggers that keep them. Upgrades and restores need the owner.

One thing changes there: when a person is erased, the name goes from reasons and details of decisions and from the audit
log. The triggers let such a text become one that has `(erased)` in it, and nothing else of the row; the chain notices
if it was not this program.

## How a link is made

| column | what |
| --- | --- |
| `number` | 1, 2, 3, … without a gap |
| `kind`, `subject` | what it is about: `posting 12`, `member 90000001`, `list 2026-12` |
| `salt` | 32 letters, different for each link; empty once a person whom it may name was erased |
| `digest` | SHA-256 of `salt` and content, in hexadecimal letters; empty: the book no longer has it |
| `head` | SHA-256 of head before, number, kind, subject and digest, each on a line of its own |

The content is a list in JSON without spaces: the row of the table, then a list for each table that belongs to it, of
its rows, sorted as text. A row is an object with its [columns](schema.md) in the order of their names. Left out are
empty columns, numbers that the store gives, `superseded_by`, the column that refers to the subject, and the book's
`revision`. A posting is followed by its rows of the ledger, the members whose rows it ended, and the postings it
replaced. Days are written as `2026-11-14`.

An upgrade that gives rows columns of their own for what they said in words links those anew whose links held; a row
that was changed past ratebook keeps its link, and `verify` still says so.

Only the newest link about a subject is compared with the book. The games of a section, withdrawn or not, are compared
with its report, and each value with what its column can hold: a word in place of a day is named by table and row.

## What is noticed

A test makes each of these changes in a book on either store, with the triggers that would refuse it out of force.

| change | noticed |
| --- | --- |
"""

_NOT = """
Not noticed, as no rating depends on them: other words and numbers in the tables `changed`, from which copies of the
public data learn what is new, and `name_words`, by which members are found; the book's `revision`; and the numbers that
the store gives to rows of the ledger, to findings and to memberships. Nor is a link's salt made empty, or the whole
book replaced by an older copy of itself, unless you check a seal that is newer.
"""


def chain_page() -> str:
    """Return the page of the chain."""
    said = tomllib.loads((DOCS / "book" / "tampering.toml").read_text(encoding="utf-8"))
    rows = "".join(f"| {change['what']} | yes |\n" for change in said["change"])
    first, _, rest = _TEXT.partition("\n\n")
    return f"{first}\n\n{MADE_BY} from `docs/book/tampering.toml` and `scripts/pages/chain.py`.\n\n{rest}{rows}{_NOT}"
