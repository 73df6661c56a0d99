"""The published text crosstable, and the rating report that is printed before an event is rated."""
