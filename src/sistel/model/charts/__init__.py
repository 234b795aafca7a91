"""Behaviours: state charts with the semantics of W3C SCXML 1.0, read, checked and made into what a tick computes."""

from sistel.model.charts._chart import Action, Chart, Datum, External, Go, State

__all__ = ["Action", "Chart", "Datum", "External", "Go", "State"]
