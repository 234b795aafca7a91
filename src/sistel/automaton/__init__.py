"""The hybrid automaton of a system."""
