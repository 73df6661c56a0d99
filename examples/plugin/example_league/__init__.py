"""What an invented league adds to ratebook: its pairing program's table, a check, and its clubs' rating system."""
