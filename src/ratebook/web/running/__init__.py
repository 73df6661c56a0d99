"""What whoever runs a server needs of it: its place below a name, its log, its figures, and whether it works."""
