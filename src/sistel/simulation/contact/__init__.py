"""Contacts, stops and dry friction that make their own structures: complementarity problems."""
