"""Proofs: every quantity of a system computed in two independent ways, with tolerances that rounding explains."""

from sistel.proofs._prove import STRUCTURE_CLAIMS, TREE_CLAIMS, prove
from sistel.proofs._sheet import RULES, Proof, ProofSheet, Section

__all__ = ["RULES", "STRUCTURE_CLAIMS", "TREE_CLAIMS", "Proof", "ProofSheet", "Section", "prove"]
