"""Coverage-guided fuzzing of everything that reads: ``make fuzz`` (FUZZ_SECONDS=600, FUZZ_INPUTS=10000000)."""
