"""What a simulation gives: a run, its files, its warnings."""
