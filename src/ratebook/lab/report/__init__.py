"""The report of a study: one page that can be handed to a committee as it is, with its pictures and their numbers."""
