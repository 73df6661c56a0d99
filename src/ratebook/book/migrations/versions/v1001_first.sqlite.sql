CREATE TABLE audit (
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    "by" TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    subject_kind TEXT,
    subject_id TEXT,
    section_number INTEGER,
    decision_id INTEGER,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);

CREATE INDEX ix_audit_subject ON audit (subject_kind, subject_id);

CREATE INDEX ix_audit_decision_id ON audit (decision_id) WHERE decision_id IS NOT NULL;

CREATE TABLE chain (
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    salt TEXT NOT NULL,
    digest TEXT NOT NULL,
    head TEXT NOT NULL,
    CONSTRAINT pk_chain PRIMARY KEY (number)
);

CREATE INDEX ix_chain_subject ON chain (kind, subject);

CREATE TABLE changed (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    revision INTEGER NOT NULL,
    CONSTRAINT pk_changed PRIMARY KEY (kind, subject)
)
 WITHOUT ROWID;

CREATE INDEX ix_changed_revision ON changed (revision, kind, subject);

CREATE TABLE members (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    birth_date DATE,
    adult BOOLEAN,
    state TEXT NOT NULL,
    canadian_resident BOOLEAN NOT NULL,
    usa_flag BOOLEAN NOT NULL,
    fide_opt_in BOOLEAN NOT NULL,
    merged_into TEXT,
    erased_at TEXT,
    fide_id TEXT,
    sex TEXT,
    title TEXT,
    federation TEXT,
    club TEXT,
    CONSTRAINT pk_members PRIMARY KEY (id),
    CONSTRAINT fk_members_merged_into_members FOREIGN KEY(merged_into) REFERENCES members (id)
);

CREATE INDEX ix_members_name_order ON members (upper(name), id);

CREATE INDEX ix_members_merged_into ON members (merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX ix_members_folded_name ON members (folded_name);

CREATE INDEX ix_members_fide_id ON members (fide_id) WHERE fide_id IS NOT NULL;

CREATE TABLE published_lists (
    id TEXT NOT NULL,
    cut_off DATE NOT NULL,
    published_by TEXT NOT NULL,
    published_at TEXT NOT NULL,
    least_games INTEGER NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_published_lists PRIMARY KEY (id)
);

CREATE TABLE rule_sets (
    fingerprint TEXT NOT NULL,
    numbers TEXT NOT NULL,
    CONSTRAINT pk_rule_sets PRIMARY KEY (fingerprint)
);

CREATE TABLE rulebooks (
    id INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    timeline TEXT NOT NULL,
    overlay TEXT NOT NULL,
    adopted_at TEXT NOT NULL,
    CONSTRAINT pk_rulebooks PRIMARY KEY (id)
);

CREATE UNIQUE INDEX uq_rulebooks_fingerprint ON rulebooks (fingerprint);

CREATE TABLE book (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    member_id_pattern TEXT NOT NULL,
    systems TEXT NOT NULL,
    cut_off TEXT NOT NULL,
    least_published_games INTEGER NOT NULL,
    rulebook_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    settings TEXT,
    CONSTRAINT pk_book PRIMARY KEY (id),
    CONSTRAINT ck_book_single CHECK (id = 1),
    CONSTRAINT fk_book_rulebook_id_rulebooks FOREIGN KEY(rulebook_id) REFERENCES rulebooks (id)
);

CREATE TABLE decisions (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    effective DATE,
    member_id TEXT,
    system TEXT,
    event_id TEXT,
    section_number INTEGER,
    value DOUBLE,
    details TEXT NOT NULL,
    undoes INTEGER,
    CONSTRAINT pk_decisions PRIMARY KEY (id),
    CONSTRAINT fk_decisions_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);

CREATE INDEX ix_decisions_member_id_kind ON decisions (member_id, kind);

CREATE INDEX ix_decisions_event_id ON decisions (event_id);

CREATE TABLE external_ratings (
    member_id TEXT NOT NULL,
    source TEXT NOT NULL,
    list_date DATE NOT NULL,
    rating DOUBLE NOT NULL,
    CONSTRAINT pk_external_ratings PRIMARY KEY (member_id, source, list_date),
    CONSTRAINT fk_external_ratings_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
)
 WITHOUT ROWID;

CREATE TABLE memberships (
    id INTEGER NOT NULL,
    member_id TEXT NOT NULL,
    starts DATE NOT NULL,
    expires DATE NOT NULL,
    CONSTRAINT pk_memberships PRIMARY KEY (id),
    CONSTRAINT fk_memberships_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);

CREATE INDEX ix_memberships_member_id ON memberships (member_id);

CREATE TABLE name_words (
    word TEXT NOT NULL,
    member_id TEXT NOT NULL,
    CONSTRAINT pk_name_words PRIMARY KEY (word, member_id),
    CONSTRAINT fk_name_words_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_name_words_member_id ON name_words (member_id);

CREATE TABLE published_ratings (
    list_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    system TEXT NOT NULL,
    rating INTEGER NOT NULL,
    provisional_games INTEGER,
    CONSTRAINT pk_published_ratings PRIMARY KEY (list_id, member_id, system),
    CONSTRAINT fk_published_ratings_list_id_published_lists FOREIGN KEY(list_id) REFERENCES published_lists (id),
    CONSTRAINT fk_published_ratings_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_published_ratings_ranking ON published_ratings (list_id, system, rating DESC, member_id);

CREATE INDEX ix_published_ratings_member_id ON published_ratings (member_id, system, list_id, rating, provisional_games);

CREATE TABLE runs (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    started_by TEXT NOT NULL,
    engine TEXT NOT NULL,
    platform TEXT NOT NULL,
    rulebook_id INTEGER NOT NULL,
    CONSTRAINT pk_runs PRIMARY KEY (id),
    CONSTRAINT fk_runs_rulebook_id_rulebooks FOREIGN KEY(rulebook_id) REFERENCES rulebooks (id)
);

CREATE TABLE titles (
    member_id TEXT NOT NULL,
    title TEXT NOT NULL,
    earned DATE NOT NULL,
    CONSTRAINT pk_titles PRIMARY KEY (member_id, title),
    CONSTRAINT fk_titles_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
)
 WITHOUT ROWID;

CREATE TABLE opening_balances (
    member_id TEXT NOT NULL,
    system TEXT NOT NULL,
    as_of DATE NOT NULL,
    rating DOUBLE NOT NULL,
    games DOUBLE,
    wins INTEGER,
    draws INTEGER,
    losses INTEGER,
    record TEXT,
    long_events INTEGER,
    peak DOUBLE,
    life_master_games INTEGER,
    at_least TEXT,
    floors TEXT NOT NULL,
    decision_id INTEGER NOT NULL,
    CONSTRAINT pk_opening_balances PRIMARY KEY (member_id, system),
    CONSTRAINT fk_opening_balances_member_id_members FOREIGN KEY(member_id) REFERENCES members (id),
    CONSTRAINT fk_opening_balances_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_opening_balances_ranking ON opening_balances (system, rating DESC, member_id);

CREATE TABLE submissions (
    id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    event_name TEXT NOT NULL,
    status TEXT NOT NULL,
    source_name TEXT NOT NULL,
    received DATE NOT NULL,
    submitted_by TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    report TEXT NOT NULL,
    stated TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    roster_hash TEXT NOT NULL,
    revises INTEGER,
    decision_id INTEGER,
    CONSTRAINT pk_submissions PRIMARY KEY (id),
    CONSTRAINT fk_submissions_revises_submissions FOREIGN KEY(revises) REFERENCES submissions (id),
    CONSTRAINT fk_submissions_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)
);

CREATE INDEX ix_submissions_status ON submissions (status);

CREATE INDEX ix_submissions_roster_hash ON submissions (roster_hash);

CREATE INDEX ix_submissions_event_id ON submissions (event_id);

CREATE INDEX ix_submissions_content_hash ON submissions (content_hash);

CREATE TABLE events (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    start DATE,
    "end" DATE,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    country TEXT NOT NULL,
    affiliate TEXT NOT NULL,
    chief_td TEXT NOT NULL,
    submission_id INTEGER NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (id),
    CONSTRAINT fk_events_submission_id_submissions FOREIGN KEY(submission_id) REFERENCES submissions (id)
);

CREATE TABLE findings (
    id INTEGER NOT NULL,
    submission_id INTEGER NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    place TEXT NOT NULL,
    facts TEXT NOT NULL,
    accepted_by TEXT,
    accepted_at TEXT,
    CONSTRAINT pk_findings PRIMARY KEY (id),
    CONSTRAINT fk_findings_submission_id_submissions FOREIGN KEY(submission_id) REFERENCES submissions (id)
);

CREATE INDEX ix_findings_submission_id ON findings (submission_id);

CREATE TABLE reported_sections (
    submission_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    played_hash TEXT NOT NULL,
    CONSTRAINT pk_reported_sections PRIMARY KEY (submission_id, number),
    CONSTRAINT fk_reported_sections_submission_id_submissions FOREIGN KEY(submission_id) REFERENCES submissions (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_reported_sections_played_hash ON reported_sections (played_hash);

CREATE TABLE sections (
    id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    place TEXT NOT NULL,
    name TEXT NOT NULL,
    start DATE,
    "end" DATE NOT NULL,
    time_control TEXT,
    type TEXT NOT NULL,
    online BOOLEAN NOT NULL,
    half_k BOOLEAN NOT NULL,
    youth BOOLEAN NOT NULL,
    withdrawn BOOLEAN NOT NULL,
    CONSTRAINT pk_sections PRIMARY KEY (id),
    CONSTRAINT fk_sections_event_id_events FOREIGN KEY(event_id) REFERENCES events (id)
);

CREATE UNIQUE INDEX uq_sections_place ON sections (place);

CREATE UNIQUE INDEX uq_sections_event_id_number ON sections (event_id, number);

CREATE TABLE entries (
    section_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    member_id TEXT NOT NULL,
    name TEXT NOT NULL,
    "update" BOOLEAN NOT NULL,
    floor_request TEXT,
    fide_rating DOUBLE,
    CONSTRAINT pk_entries PRIMARY KEY (section_id, seat),
    CONSTRAINT fk_entries_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_entries_member_id ON entries (member_id);

CREATE TABLE games (
    section_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    round INTEGER NOT NULL,
    result TEXT NOT NULL,
    opponent INTEGER,
    colour TEXT NOT NULL,
    CONSTRAINT pk_games PRIMARY KEY (section_id, seat, round),
    CONSTRAINT fk_games_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
)
 WITHOUT ROWID;

CREATE TABLE norms (
    member_id TEXT NOT NULL,
    section_id INTEGER NOT NULL,
    place TEXT NOT NULL,
    level INTEGER NOT NULL,
    score DOUBLE NOT NULL,
    expected DOUBLE NOT NULL,
    played INTEGER NOT NULL,
    CONSTRAINT pk_norms PRIMARY KEY (member_id, place),
    CONSTRAINT fk_norms_member_id_members FOREIGN KEY(member_id) REFERENCES members (id),
    CONSTRAINT fk_norms_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_norms_section_id ON norms (section_id);

CREATE TABLE postings (
    id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    section_id INTEGER,
    system TEXT NOT NULL,
    place TEXT NOT NULL,
    dual_rated BOOLEAN NOT NULL,
    withdrawn BOOLEAN NOT NULL,
    rules TEXT,
    input_hash TEXT NOT NULL,
    superseded_by INTEGER,
    decision_id INTEGER,
    CONSTRAINT pk_postings PRIMARY KEY (id),
    CONSTRAINT fk_postings_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id),
    CONSTRAINT fk_postings_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id),
    CONSTRAINT fk_postings_rules_rule_sets FOREIGN KEY(rules) REFERENCES rule_sets (fingerprint),
    CONSTRAINT fk_postings_superseded_by_postings FOREIGN KEY(superseded_by) REFERENCES postings (id),
    CONSTRAINT fk_postings_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)
);

CREATE UNIQUE INDEX uq_postings_current ON postings (section_id, system) WHERE superseded_by IS NULL;

CREATE INDEX ix_postings_run_id ON postings (run_id);

CREATE TABLE rerate_marks (
    id INTEGER NOT NULL,
    place TEXT NOT NULL,
    member_id TEXT,
    section_id INTEGER,
    reason TEXT NOT NULL,
    done_by INTEGER,
    decision_id INTEGER,
    late_event TEXT,
    CONSTRAINT pk_rerate_marks PRIMARY KEY (id),
    CONSTRAINT fk_rerate_marks_member_id_members FOREIGN KEY(member_id) REFERENCES members (id),
    CONSTRAINT fk_rerate_marks_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id),
    CONSTRAINT fk_rerate_marks_done_by_runs FOREIGN KEY(done_by) REFERENCES runs (id)
);

CREATE INDEX ix_rerate_marks_done_by ON rerate_marks (done_by);

CREATE TABLE ledger (
    id INTEGER NOT NULL,
    posting_id INTEGER NOT NULL,
    section_id INTEGER,
    member_id TEXT NOT NULL,
    system TEXT NOT NULL,
    place TEXT NOT NULL,
    source TEXT NOT NULL,
    rating_before DOUBLE NOT NULL,
    games_before DOUBLE,
    rating DOUBLE NOT NULL,
    games DOUBLE,
    wins INTEGER,
    draws INTEGER,
    losses INTEGER,
    record TEXT,
    long_events INTEGER,
    peak DOUBLE,
    life_master_games INTEGER,
    at_least TEXT,
    floors TEXT NOT NULL,
    match_change DOUBLE,
    played INTEGER NOT NULL,
    formula TEXT NOT NULL,
    effective_games DOUBLE NOT NULL,
    k DOUBLE,
    score DOUBLE NOT NULL,
    expected DOUBLE NOT NULL,
    bonus DOUBLE,
    step3 DOUBLE,
    step4 DOUBLE,
    step5 DOUBLE NOT NULL,
    floor_applied DOUBLE,
    superseded_by INTEGER,
    CONSTRAINT pk_ledger PRIMARY KEY (id),
    CONSTRAINT fk_ledger_posting_id_postings FOREIGN KEY(posting_id) REFERENCES postings (id),
    CONSTRAINT fk_ledger_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id),
    CONSTRAINT fk_ledger_member_id_members FOREIGN KEY(member_id) REFERENCES members (id),
    CONSTRAINT fk_ledger_superseded_by_postings FOREIGN KEY(superseded_by) REFERENCES postings (id)
);

CREATE UNIQUE INDEX uq_ledger_current ON ledger (member_id, system, place) WHERE superseded_by IS NULL;

CREATE INDEX ix_ledger_superseded_by ON ledger (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE INDEX ix_ledger_replaced_of_section ON ledger (section_id) WHERE superseded_by IS NOT NULL;

CREATE INDEX ix_ledger_replaced_of_member ON ledger (member_id, superseded_by) WHERE superseded_by IS NOT NULL;

CREATE INDEX ix_ledger_ranking ON ledger (system, rating DESC, member_id) WHERE superseded_by IS NULL;

CREATE INDEX ix_ledger_posting_id ON ledger (posting_id);

CREATE INDEX ix_ledger_moved_ratings ON ledger (member_id) WHERE superseded_by IS NULL AND section_id IS NULL;

CREATE INDEX ix_ledger_current_section ON ledger (section_id, member_id, system, source, rating_before) WHERE superseded_by IS NULL;

CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of audit are kept'); END;

CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
WHEN (NEW."id", NEW."at", NEW."by", NEW."action", NEW."subject_kind", NEW."section_number", NEW."decision_id") IS NOT (OLD."id", OLD."at", OLD."by", OLD."action", OLD."subject_kind", OLD."section_number", OLD."decision_id")
OR (NEW.subject IS NOT OLD.subject AND instr(NEW.subject, '(erased)') = 0)
OR (NEW.subject_id IS NOT OLD.subject_id AND instr(NEW.subject_id, '(erased)') = 0)
OR (NEW.details IS NOT OLD.details AND instr(NEW.details, '(erased)') = 0)
BEGIN SELECT RAISE(ABORT, 'rows of audit do not change'); END;

CREATE TRIGGER audit_replaces_nothing BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'rows of audit are not replaced'); END;

CREATE TRIGGER chain_keeps_rows BEFORE DELETE ON chain
BEGIN SELECT RAISE(ABORT, 'rows of chain are kept'); END;

CREATE TRIGGER chain_never_changes BEFORE UPDATE ON chain
WHEN (NEW."number", NEW."kind", NEW."subject", NEW."digest", NEW."head") IS NOT (OLD."number", OLD."kind", OLD."subject", OLD."digest", OLD."head")
OR NEW.salt <> ''
BEGIN SELECT RAISE(ABORT, 'rows of chain do not change'); END;

CREATE TRIGGER chain_replaces_nothing BEFORE INSERT ON chain
WHEN EXISTS (SELECT 1 FROM chain WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'rows of chain are not replaced'); END;

CREATE TRIGGER decisions_keeps_rows BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'rows of decisions are kept'); END;

CREATE TRIGGER decisions_never_changes BEFORE UPDATE ON decisions
WHEN (NEW."id", NEW."kind", NEW."decided_by", NEW."decided_at", NEW."effective", NEW."member_id", NEW."system", NEW."event_id", NEW."section_number", NEW."value", NEW."undoes") IS NOT (OLD."id", OLD."kind", OLD."decided_by", OLD."decided_at", OLD."effective", OLD."member_id", OLD."system", OLD."event_id", OLD."section_number", OLD."value", OLD."undoes")
OR (NEW.reason IS NOT OLD.reason AND instr(NEW.reason, '(erased)') = 0)
OR (NEW.details IS NOT OLD.details AND instr(NEW.details, '(erased)') = 0)
BEGIN SELECT RAISE(ABORT, 'rows of decisions do not change'); END;

CREATE TRIGGER decisions_replaces_nothing BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'rows of decisions are not replaced'); END;

CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of ledger are kept'); END;

CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
WHEN (NEW."id", NEW."posting_id", NEW."section_id", NEW."member_id", NEW."system", NEW."place", NEW."source", NEW."rating_before", NEW."games_before", NEW."rating", NEW."games", NEW."wins", NEW."draws", NEW."losses", NEW."record", NEW."long_events", NEW."peak", NEW."life_master_games", NEW."at_least", NEW."floors", NEW."match_change", NEW."played", NEW."formula", NEW."effective_games", NEW."k", NEW."score", NEW."expected", NEW."bonus", NEW."step3", NEW."step4", NEW."step5", NEW."floor_applied") IS NOT (OLD."id", OLD."posting_id", OLD."section_id", OLD."member_id", OLD."system", OLD."place", OLD."source", OLD."rating_before", OLD."games_before", OLD."rating", OLD."games", OLD."wins", OLD."draws", OLD."losses", OLD."record", OLD."long_events", OLD."peak", OLD."life_master_games", OLD."at_least", OLD."floors", OLD."match_change", OLD."played", OLD."formula", OLD."effective_games", OLD."k", OLD."score", OLD."expected", OLD."bonus", OLD."step3", OLD."step4", OLD."step5", OLD."floor_applied")
OR OLD.superseded_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'rows of ledger do not change'); END;

CREATE TRIGGER ledger_replaces_nothing BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger WHERE id = NEW.id)
OR EXISTS (SELECT 1 FROM ledger WHERE member_id = NEW.member_id AND system = NEW.system AND place = NEW.place AND superseded_by IS NULL AND NEW.superseded_by IS NULL)
BEGIN SELECT RAISE(ABORT, 'rows of ledger are not replaced'); END;

CREATE TRIGGER postings_keeps_rows BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'rows of postings are kept'); END;

CREATE TRIGGER postings_never_changes BEFORE UPDATE ON postings
WHEN (NEW."id", NEW."run_id", NEW."section_id", NEW."system", NEW."place", NEW."dual_rated", NEW."withdrawn", NEW."rules", NEW."input_hash", NEW."decision_id") IS NOT (OLD."id", OLD."run_id", OLD."section_id", OLD."system", OLD."place", OLD."dual_rated", OLD."withdrawn", OLD."rules", OLD."input_hash", OLD."decision_id")
BEGIN SELECT RAISE(ABORT, 'rows of postings do not change'); END;

CREATE TRIGGER postings_replaces_nothing BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM postings WHERE id = NEW.id)
OR EXISTS (SELECT 1 FROM postings WHERE section_id = NEW.section_id AND system = NEW.system AND superseded_by IS NULL AND NEW.superseded_by IS NULL)
BEGIN SELECT RAISE(ABORT, 'rows of postings are not replaced'); END;

CREATE TRIGGER published_lists_keeps_rows BEFORE DELETE ON published_lists
BEGIN SELECT RAISE(ABORT, 'rows of published_lists are kept'); END;

CREATE TRIGGER published_lists_never_changes BEFORE UPDATE ON published_lists
BEGIN SELECT RAISE(ABORT, 'rows of published_lists do not change'); END;

CREATE TRIGGER published_lists_replaces_nothing BEFORE INSERT ON published_lists
WHEN EXISTS (SELECT 1 FROM published_lists WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'rows of published_lists are not replaced'); END;

CREATE TRIGGER published_ratings_keeps_rows BEFORE DELETE ON published_ratings
BEGIN SELECT RAISE(ABORT, 'rows of published_ratings are kept'); END;

CREATE TRIGGER published_ratings_never_changes BEFORE UPDATE ON published_ratings
BEGIN SELECT RAISE(ABORT, 'rows of published_ratings do not change'); END;

CREATE TRIGGER published_ratings_replaces_nothing BEFORE INSERT ON published_ratings
WHEN EXISTS (SELECT 1 FROM published_ratings WHERE list_id = NEW.list_id AND member_id = NEW.member_id AND system = NEW.system)
BEGIN SELECT RAISE(ABORT, 'rows of published_ratings are not replaced'); END;

CREATE TRIGGER rule_sets_keeps_rows BEFORE DELETE ON rule_sets
BEGIN SELECT RAISE(ABORT, 'rows of rule_sets are kept'); END;

CREATE TRIGGER rule_sets_never_changes BEFORE UPDATE ON rule_sets
BEGIN SELECT RAISE(ABORT, 'rows of rule_sets do not change'); END;

CREATE TRIGGER rule_sets_replaces_nothing BEFORE INSERT ON rule_sets
WHEN EXISTS (SELECT 1 FROM rule_sets WHERE fingerprint = NEW.fingerprint)
BEGIN SELECT RAISE(ABORT, 'rows of rule_sets are not replaced'); END;

CREATE TRIGGER rulebooks_keeps_rows BEFORE DELETE ON rulebooks
BEGIN SELECT RAISE(ABORT, 'rows of rulebooks are kept'); END;

CREATE TRIGGER rulebooks_never_changes BEFORE UPDATE ON rulebooks
BEGIN SELECT RAISE(ABORT, 'rows of rulebooks do not change'); END;

CREATE TRIGGER rulebooks_replaces_nothing BEFORE INSERT ON rulebooks
WHEN EXISTS (SELECT 1 FROM rulebooks WHERE id = NEW.id)
OR EXISTS (SELECT 1 FROM rulebooks WHERE fingerprint = NEW.fingerprint)
BEGIN SELECT RAISE(ABORT, 'rows of rulebooks are not replaced'); END;

CREATE TRIGGER runs_keeps_rows BEFORE DELETE ON runs
BEGIN SELECT RAISE(ABORT, 'rows of runs are kept'); END;

CREATE TRIGGER runs_never_changes BEFORE UPDATE ON runs
WHEN (NEW."id", NEW."kind", NEW."started_at", NEW."started_by", NEW."engine", NEW."platform", NEW."rulebook_id") IS NOT (OLD."id", OLD."kind", OLD."started_at", OLD."started_by", OLD."engine", OLD."platform", OLD."rulebook_id")
OR OLD.finished_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'rows of runs do not change'); END;

CREATE TRIGGER runs_replaces_nothing BEFORE INSERT ON runs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'rows of runs are not replaced'); END
