"""The interface for programs: the same facts as the public pages, as JSON, CSV and ND-JSON."""
