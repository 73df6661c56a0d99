"""One cell of a study: a history replayed under one set of rules, and scored while it is."""
