"""Explicit steps of high order: Taylor series in machine code, from event to event."""
