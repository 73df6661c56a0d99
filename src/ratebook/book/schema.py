"""The tables of a book, in the field's words; docs/book/schema.md draws them.

This is their only declaration: that page and the first version of the tables (migrations) are made from it.
"""

from sqlalchemy import CheckConstraint, Index, func

from ratebook.book.columns import index, table
from ratebook.book.columns import metadata as metadata  # noqa: PLC0414 - with all tables

rulebooks = table(
    "rulebooks",
    "The dated rules as the federation adopted them: the timeline files as JSON and the overlay as TOML.",
    """
    id key
    fingerprint text: of the timeline and the overlay
    timeline text: the dated values that came with the program, as JSON
    overlay text: the federation's own dated values, as TOML
    adopted_at text: when the book adopted them
    """,
    Index("uq_rulebooks_fingerprint", "fingerprint", unique=True),
)

book = table(
    "book",
    "The federation profile, and a revision that every change of the ledger or of its inputs raises.",
    """
    id count*: always 1
    name text: of the federation
    country text: of the federation, as its reports write it
    member_id_pattern text: regular expression of a whole member id; empty: any text
    systems text: systems that it rates in, as JSON
    cut_off text: cut-off of official lists, in the month before: third-wednesday, last-friday, 15, last-day
    least_published_games count: least number of games of an official rating
    rulebook_id rulebooks.id: the dated rules in force
    revision number: raised by every change of the ledger and of its inputs
    created_at text: when the book was made
    settings text?: checks and months of lists that differ from the usual ones, as JSON; empty: none
    """,
    CheckConstraint("id = 1", name="single"),
)

members = table(
    "members",
    "The members, who can be rated. `folded_name` is the name without case and accents, for searching.",
    """
    id bytewise*: as the federation gives it
    name text
    folded_name text: the name without case and accents, for searching
    birth_date day?: for Step 1 only; never shown
    adult flag?: whether a member without a birth date is known to be an adult
    state text
    canadian_resident flag: whether CFC ratings count in Step 1
    usa_flag flag: whether the member came with the US flag; decisions say what FIDE lists said since
    fide_opt_in flag: whether the member came with an opt-in to foreign FIDE events; decisions say what changed since
    merged_into members.id?: the id now in use; empty: this one
    erased_at text?: when the personal data were removed
    fide_id text?: the number at FIDE, by which players of a FIDE report are found
    sex text?: f, m or x, as registered
    title text?: FIDE title, as GM or WIM
    federation text?: FIDE's code of the federation
    club text?: club or school
    """,
    Index("ix_members_folded_name", "folded_name"),
)

NAME_ORDER = func.upper(members.c.name)
"""How members are ordered by name: the folded names have their words in the order of the alphabet."""
Index("ix_members_name_order", NAME_ORDER, members.c.id)
index("ix_members_merged_into", members, "merged_into", where=members.c.merged_into.is_not(None))
index("ix_members_fide_id", members, "fide_id", where=members.c.fide_id.is_not(None))

name_words = table(
    "name_words",
    "The words of members' folded names, each once, to find by how they begin.",
    """
    word bytewise*: a word of the folded name
    member_id members.id*
    """,
    Index("ix_name_words_member_id", "member_id"),
)

memberships = table(
    "memberships",
    "First and last days of memberships.",
    """
    id key, member_id members.id
    starts day: first day
    expires day: last day
    """,
    Index("ix_memberships_member_id", "member_id"),
)

external_ratings = table(
    "external_ratings",
    "FIDE and CFC ratings with the day of their lists.",
    """
    member_id members.id*
    source text*: fide or cfc
    list_date day*: day of the list
    rating points: as the list gives it
    """,
)

decisions = table(
    "decisions",
    "What the office decided: corrections, floors, ceilings, initial ratings, merges, requests, rules "
    "adopted.",
    """
    id key
    kind text: what was decided, for example correct-result or floor
    decided_by text: who decided
    decided_at text: when
    reason text
    effective day?: the day from which it applies
    member_id members.id?, system text?, event_id text?
    section_number count?: the section within the event
    value points?: rating points, where there are any
    details text: the rest of the decision, as JSON; never a birth date
    undoes number?: the decision that it takes back
    """,
    Index("ix_decisions_member_id_kind", "member_id", "kind"),
    Index("ix_decisions_event_id", "event_id"),
)

opening_balances = table(
    "opening_balances",
    "The rating from which a member's ledger starts in a system; nothing up to `as_of` is rated again.",
    """
    member_id members.id*, system text*
    as_of day: nothing up to this day is rated again
    rating points: on that day, in full precision
    games points?, wins count?, draws count?, losses count?, record text?, long_events count?, peak points?,
        life_master_games count?, at_least text?, floors text, decision_id decisions.id
    """,
)
index("ix_opening_balances_ranking", opening_balances, "system, rating desc, member_id")

submissions = table(
    "submissions",
    "Reports as they arrived, as native JSON; a correction of a rated event is a further revision of its "
    "report.",
    """
    id key
    event_id text: of the reported event; the office assigns one if the report has none
    event_name text: as the report gives it
    status text: ready, held, rated, rejected or replaced
    source_name text: name of the submitted file
    received day: day on which it arrived
    submitted_by text: who submitted it
    submitted_at text: when
    report text: the report, as native JSON
    stated text: totals and other statements of the report, for the checks, as JSON
    content_hash text: of the normalised report; equal if the same report is submitted twice
    roster_hash text: of dates and players
    revises submissions.id?: the submission that this one corrects
    decision_id decisions.id?
    """,
    Index("ix_submissions_content_hash", "content_hash"),
    Index("ix_submissions_roster_hash", "roster_hash"),
    Index("ix_submissions_event_id", "event_id"),
    Index("ix_submissions_status", "status"),
)

reported_sections = table(
    "reported_sections",
    "The sections of submissions, by what was played: so a section is known that came in another report.",
    """
    submission_id submissions.id*: the submission
    number count*: of the section, within the report
    played_hash text: of its last day, its players and their results
    """,
    Index("ix_reported_sections_played_hash", "played_hash"),
)

findings = table(
    "findings",
    "What the checks found in a submission, and which warnings the office accepted.",
    """
    id key
    submission_id submissions.id: the submission
    code text: as explained on the page of findings
    severity text: error, warning or note
    place text: the parts of the place in the report, as JSON
    facts text: the case of the code and the values of its texts, as JSON
    accepted_by text?: who accepted the warning
    accepted_at text?: when
    """,
    Index("ix_findings_submission_id", "submission_id"),
)

events = table(
    "events",
    "Events with a rated section; `submission_id` is the current revision of the report.",
    """
    id bytewise*: end date and four digits, or as the report gives it
    name text, start day?, end day?
    city text: where it was played
    state text
    country text: where it was played
    affiliate text: who organized it
    chief_td text: who directed it
    submission_id submissions.id: the current revision of the report
    """,
)

sections = table(
    "sections",
    "What is rated: the sections of events, as in the current revision of the report.",
    """
    id key, event_id events.id
    number count: within the event
    place bytewise, name text, start day?, end day
    time_control text?: as the report gives it; empty: none
    type text: swiss, round-robin, match, fide (a foreign event) or other
    online flag: whether it was played online
    half_k flag: whether it was rated at half K
    youth flag: whether it is a foreign FIDE youth event, with its own conversion
    withdrawn flag: whether the office took it out of the ratings
    """,
    Index("uq_sections_event_id_number", "event_id", "number", unique=True),
    Index("uq_sections_place", "place", unique=True),
)

entries = table(
    "entries",
    "One seat of a section. Opponents in foreign FIDE events need not be members; the report gave their "
    "FIDE ratings.",
    """
    section_id sections.id*, seat count*
    member_id bytewise: id of the player; opponents in foreign FIDE events need not be members
    name text: as the report gives it
    update flag: in a foreign event: whether this player is rated
    floor_request text?: after a match: pending, granted or denied
    fide_rating points?
    """,
    Index("ix_entries_member_id", "member_id"),
)

games = table(
    "games",
    "One round of one seat: games from the seat's side, byes and empty rounds.",
    """
    section_id sections.id*, seat count*
    round count*: number of the round
    result text: letter of the result, from this seat
    opponent count?: seat of the opponent; empty: none
    colour text: w or b; empty where it is not known
    """,
)

runs = table(
    "runs",
    "Rating runs: which program on which machine, with which rulebook.",
    """
    id key
    kind text: rate or rerate
    started_at text: when it started
    finished_at text?: when it ended; empty: it was interrupted
    started_by text: by whom
    engine text: version of the program
    platform text: machine, system and Python, on which figures may depend
    rulebook_id rulebooks.id
    """,
)

rule_sets = table(
    "rule_sets",
    "The numbers that rated sections, by fingerprint, so that every row can be computed again.",
    """
    fingerprint text*: of the numbers
    numbers text: the rules in force for one section in one system, as JSON
    """,
)

postings = table(
    "postings",
    "One section rated in one system by one run; the hash covers everything that was read "
    "(office/rating/inputs.py). Or, without a section, a rating that a decision moved.",
    """
    id key
    run_id runs.id: the run that rated it
    section_id sections.id?, system text, place bytewise
    dual_rated flag: whether the section is rated in two systems
    withdrawn flag: whether this posting takes the section out of the ratings
    rules rule_sets.fingerprint?: fingerprint of the numbers that rated it; empty: withdrawn
    input_hash text: of everything that the rating read
    superseded_by postings.id?, decision_id decisions.id?
    """,
    Index("ix_postings_run_id", "run_id"),
)
_latest = postings.c.superseded_by.is_(None)
index("uq_postings_current", postings, "section_id, system", unique=True, where=_latest)

ledger = table(
    "ledger",
    "The append-only ledger: a row for each player of a rated section and system; the next section starts "
    "from it. A rating that a decision moved has a row without a section, which follows from the row "
    "before it and from decisions. `games` without a value means an established rating on an unknown "
    "number of games. `superseded_by` is written once, when a later posting replaces the row or drops it; "
    "triggers refuse every other change (book/migrations).",
    """
    id key
    posting_id postings.id: the posting that wrote it
    section_id sections.id?, member_id members.id, system text, place bytewise
    source text: source of the rating before: rated (the ledger or an opening balance), what Step 1 took (fide, cfc,
        age, other-ratings, default), or initial (the office)
    rating_before points: rating before the section, in full precision
    games_before points?: games that it is based on; empty: established, number unknown
    rating points: rating after the section, in full precision
    games points?, wins count?, draws count?, losses count?, record text?, long_events count?, peak points?,
        life_master_games count?, at_least text?, floors text
    match_change points?: change by a match, for the limits on matches
    played count: rated games of the section
    formula text: standard, special or not-rated
    effective_games points: N of the formulas
    k points?: K of the standard formula
    score points: points scored
    expected points: sum of the winning expectancies
    bonus points?: bonus points of the standard formula
    step3 points?: result of Step 3
    step4 points?: result of Step 4
    step5 points: result of Step 5
    floor_applied points?: the floor that decided the rating; empty: none
    superseded_by postings.id?
    """,
    Index("ix_ledger_posting_id", "posting_id"),
)
_current, _replaced = ledger.c.superseded_by.is_(None), ledger.c.superseded_by.is_not(None)
index("uq_ledger_current", ledger, "member_id, system, place", unique=True, where=_current)
# Without the condition SQLite would look for the rows that hold through this index, and they are nearly all.
index("ix_ledger_superseded_by", ledger, "superseded_by", where=_replaced)
index("ix_ledger_replaced_of_member", ledger, "member_id, superseded_by", where=_replaced)
index("ix_ledger_replaced_of_section", ledger, "section_id", where=_replaced)
# The member comes before the system: both sides of a game are looked up by section and member. The ratings of
# both are in it too, since a page of opponents reads those of thousands of games.
_of_section = "section_id, member_id, system, source, rating_before"
index("ix_ledger_current_section", ledger, _of_section, where=_current)
# All that a graph and a page of opponents take from thousands of rows, which lie on as many pages of the file.
_of_career = "member_id, system, place, section_id, source, rating_before, rating, games, played"
index("ix_ledger_career", ledger, _of_career, where=_current)
index("ix_ledger_ranking", ledger, "system, rating desc, member_id", where=_current)
index("ix_ledger_moved_ratings", ledger, "member_id", where=_current & ledger.c.section_id.is_(None))

rerate_marks = table(
    "rerate_marks",
    "Pending changes, from a place in history on: of one member, of one section, or (neither is given) of "
    "everything. They follow from a decision, from an event that came late, or from what the reason says "
    "alone.",
    """
    id key
    place bytewise: from this position in history on
    member_id members.id?: the member concerned; empty: not a single member
    section_id sections.id?: the section concerned; empty: not a single section
    reason text
    done_by runs.id?: the run that dealt with it; empty: pending
    decision_id number?: the decision that it follows from
    late_event bytewise?: the id of the event that came late, where that is why
    """,
    Index("ix_rerate_marks_done_by", "done_by"),
)

norms = table(
    "norms",
    "Norms earned, by the ratings after the section; a re-rating writes them anew.",
    """
    member_id members.id*, section_id sections.id, place bytewise*
    level count: 1200 to 2400
    score points: points scored
    expected points: points that a player of the level is expected to make
    played count: games
    """,
    Index("ix_norms_section_id", "section_id"),
)

titles = table(
    "titles",
    "Titles earned; none is ever lost but by a re-rating or a correction.",
    """
    member_id members.id*
    title text*: name of the title
    earned day: last day of the section that completed it
    """,
)

published_lists = table(
    "published_lists",
    "Official lists, named after their month (`2026-12`); they never change.",
    """
    id text*: year and month, for example 2026-12
    cut_off day: sections that ended up to this day count
    published_by text: who published it
    published_at text: when
    least_games count: least number of games of a rating
    digest text: of the ratings; reveals any later change
    """,
)

published_ratings = table(
    "published_ratings",
    "The ratings of official lists; they never change.",
    """
    list_id published_lists.id*: the list
    member_id members.id*, system text*
    rating count: rounded
    provisional_games count?: games of a provisional rating; empty: established
    """,
    Index("ix_published_ratings_member_id", "member_id", "system", "list_id", "rating", "provisional_games"),
)
index("ix_published_ratings_ranking", published_ratings, "list_id, system, rating desc, member_id")

changed = table(
    "changed",
    "At which revision a player, a section or a list last changed for the public (book/mirrors.py).",
    """
    kind text*: player, section or list
    subject bytewise*: member id, number of the section in the store, or month of the list
    revision number: the revision of the book at which it last changed
    """,
)
index("ix_changed_revision", changed, "revision, kind, subject")

chain = table(
    "chain",
    "A link for whatever the book has kept, each with the hash of the one before (book/chain).",
    """
    number number*: 1, 2, 3, … without a gap
    kind text: what it is about: posting, member, list and so on
    subject bytewise: which one: number, member id or month
    salt text: kept from guessing: different for each link, empty once the person was erased
    digest text: SHA-256 of salt and content; empty: removed
    head text: SHA-256 of the head before, number, kind, subject and digest
    """,
)
index("ix_chain_subject", chain, "kind, subject")

audit = table(
    "audit",
    "Who did what when: `subject` is what people read; the columns after `details` are for queries.",
    """
    id key
    at text: when, in UTC
    by text: who: the name given, or the user of the system
    action text: what was done, for example rate-section
    subject text: what it was done to
    details text
    subject_kind text?: what kind of thing `subject` names: `event`, `member`, `submission`, `book`, `file`, …
    subject_id bytewise?: its id; empty where there is one of the kind, as the book
    section_number count?: the section, where it is about one of an event
    decision_id number?: the decision that was recorded with it
    """,
    Index("ix_audit_subject", "subject_kind", "subject_id"),
)
index("ix_audit_decision_id", audit, "decision_id", where=audit.c.decision_id.is_not(None))
