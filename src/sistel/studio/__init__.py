"""The studio: a place in the browser to write a system, to see it, to run it and to compare what it does."""
