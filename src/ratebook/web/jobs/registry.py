"""The kinds of jobs, by the words under which the store keeps them (`ratebook.web.jobs.kinds` says how to add one)."""

from ratebook.web.jobs.kinds import JobKind

KINDS: dict[str, JobKind] = {}
