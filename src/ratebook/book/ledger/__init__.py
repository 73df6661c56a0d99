"""The append-only ledger: rows, postings, runs, titles, official ratings and lists, and what waits for a re-rating."""
