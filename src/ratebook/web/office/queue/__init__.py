"""The queue in the browser: reports that wait, one of them, and what is decided about it."""
