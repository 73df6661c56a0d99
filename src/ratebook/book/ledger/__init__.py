"""The append-only ledger: rows, postings, runs, official ratings, and what waits for a re-rating."""
