"""W3C SCXML 1.0: behaviours read and written."""
