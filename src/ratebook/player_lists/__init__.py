"""Player lists: what ``--players FILE`` brings into a report, streamed so that memory does not grow with the list."""
