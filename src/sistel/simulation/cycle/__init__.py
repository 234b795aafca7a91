"""Limit cycles: their search, their derivatives, their branches."""
