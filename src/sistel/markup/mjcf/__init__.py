"""MJCF, read and written."""
