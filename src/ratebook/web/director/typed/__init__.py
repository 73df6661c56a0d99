"""Typing a report into a form: the event, its sections, and in each its players and their results."""
