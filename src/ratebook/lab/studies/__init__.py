"""Studies: a history and variants of the rules; each combination is a cell, computed once and kept."""
