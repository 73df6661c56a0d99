"""Members in the browser: found, looked at with private facts, added, merged, erased."""
