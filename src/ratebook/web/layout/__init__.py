"""What all pages are made of: the face of the federation, and tables."""
