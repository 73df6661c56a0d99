CREATE TABLE accounts (
    id INTEGER NOT NULL,
    folded_name TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    member_id TEXT NOT NULL,
    affiliates TEXT NOT NULL,
    made_at TEXT NOT NULL,
    password TEXT,
    disabled_at TEXT,
    secret TEXT,
    counter INTEGER NOT NULL,
    CONSTRAINT pk_accounts PRIMARY KEY (id),
    CONSTRAINT uq_accounts_folded_name UNIQUE (folded_name)
);

CREATE TABLE log (
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    details TEXT NOT NULL,
    CONSTRAINT pk_log PRIMARY KEY (id)
);

CREATE INDEX ix_log_address_kind_at ON log (address, kind, at);

CREATE TABLE throttle (
    subject TEXT NOT NULL,
    failures INTEGER NOT NULL,
    counted_from TEXT NOT NULL,
    wait_until TEXT NOT NULL,
    CONSTRAINT pk_throttle PRIMARY KEY (subject)
);

CREATE TABLE desks (
    report INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    taken_at TEXT NOT NULL,
    CONSTRAINT pk_desks PRIMARY KEY (report),
    CONSTRAINT fk_desks_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TABLE interrupted (
    id INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    path TEXT NOT NULL,
    page TEXT NOT NULL,
    content TEXT NOT NULL,
    CONSTRAINT pk_interrupted PRIMARY KEY (id),
    CONSTRAINT fk_interrupted_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE INDEX ix_interrupted_account_id ON interrupted (account_id);

CREATE TABLE jobs (
    id INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    made_at TEXT NOT NULL,
    ended_at TEXT,
    result TEXT,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    CONSTRAINT pk_jobs PRIMARY KEY (id),
    CONSTRAINT fk_jobs_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TABLE links (
    digest TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    expires_at TEXT NOT NULL,
    CONSTRAINT pk_links PRIMARY KEY (digest),
    CONSTRAINT fk_links_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TABLE notes (
    id INTEGER NOT NULL,
    report INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    written_at TEXT NOT NULL,
    words TEXT NOT NULL,
    reader TEXT NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (id),
    CONSTRAINT fk_notes_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE INDEX ix_notes_report ON notes (report);

CREATE TABLE previews (
    name TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    content BLOB NOT NULL,
    title TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_previews PRIMARY KEY (name),
    CONSTRAINT fk_previews_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TABLE recovery_codes (
    digest TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    CONSTRAINT pk_recovery_codes PRIMARY KEY (digest),
    CONSTRAINT fk_recovery_codes_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE INDEX ix_recovery_codes_account_id ON recovery_codes (account_id);

CREATE TABLE sendings (
    account_id INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    made_at TEXT NOT NULL,
    led_to TEXT NOT NULL,
    CONSTRAINT pk_sendings PRIMARY KEY (account_id, "key"),
    CONSTRAINT fk_sendings_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
)
 WITHOUT ROWID;

CREATE TABLE sent (
    submission_id INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    sent_at TEXT NOT NULL,
    withdrawn_at TEXT,
    ratings BLOB,
    CONSTRAINT pk_sent PRIMARY KEY (submission_id),
    CONSTRAINT fk_sent_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE INDEX ix_sent_account_id ON sent (account_id);

CREATE TABLE sessions (
    id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    confirmed_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    offered TEXT,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT uq_sessions_digest UNIQUE (digest),
    CONSTRAINT fk_sessions_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE INDEX ix_sessions_account_id ON sessions (account_id);

CREATE TABLE tokens (
    id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    CONSTRAINT pk_tokens PRIMARY KEY (id),
    CONSTRAINT uq_tokens_digest UNIQUE (digest),
    CONSTRAINT fk_tokens_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TRIGGER log_UPDATE BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TRIGGER log_DELETE BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END
