"""The CSV report: one row for each player and section."""
