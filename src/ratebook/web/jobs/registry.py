"""The kinds of jobs, by the words under which the store keeps them (`ratebook.web.jobs.kinds` says how to add one)."""

from ratebook.web.jobs.imports import import_kept, try_kept
from ratebook.web.jobs.kinds import JobKind
from ratebook.web.jobs.publishing import publish_as_seen
from ratebook.web.jobs.rating import preview_rerating, rerate_as_seen, verify_book

IMPORT_PREVIEW, IMPORT = "import-preview", "import"
RERATE_PREVIEW, RERATE, VERIFY = "rerate-preview", "rerate", "verify"
PUBLISH = "publish"

KINDS = {
    IMPORT_PREVIEW: JobKind("See what an import would change", try_kept, "/office/imports/jobs/{number}"),
    IMPORT: JobKind("Import", import_kept, "/office/imports/jobs/{number}"),
    RERATE_PREVIEW: JobKind("Preview the re-rating", preview_rerating, "/office/rerate/{number}"),
    RERATE: JobKind("Rate again", rerate_as_seen, "/office/rerate/{number}"),
    PUBLISH: JobKind("Publish an official list", publish_as_seen, "/office/lists/publications/{number}"),
    VERIFY: JobKind("Verify the book", verify_book, "/office/verify?job={number}"),
}
