"""Decisions of the office about events, members, persons and rules."""
