"""Files that wait for their import: what each asks for, how it is kept, and how it is run."""
