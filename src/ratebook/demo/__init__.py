"""An invented federation with realistic habits: no person in it is real, and the same arguments give the same bytes.

`build.build_federation` makes it, `files.federation_files` writes it.
"""
