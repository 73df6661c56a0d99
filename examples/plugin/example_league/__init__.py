"""What an invented league adds to ratebook: the table of its pairing program, and a check of its own."""
