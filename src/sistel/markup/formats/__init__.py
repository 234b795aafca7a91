"""What the formats of others have in common, and the table of all formats."""
