"""A report that brings everything along: loaded, planned, rated."""
