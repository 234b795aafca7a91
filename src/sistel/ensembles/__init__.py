"""Ensembles: thousands to millions of runs, what became of each, and pictures of them.

A chunk of runs is plain data (`Piece`), and `do_piece` is a function of it alone: it can be pickled, sent to another
process or machine, and done there with the same result to the bit. What comes back (`Part`) joins associatively.
"""

from sistel.ensembles._chunk import do_piece
from sistel.ensembles._ensemble import Ensemble, do_ensemble
from sistel.ensembles._part import OUTCOMES, Part, Passage, join
from sistel.ensembles._request import chunk_of, options_of, work_of
from sistel.ensembles._summary import Summary
from sistel.ensembles._work import Blueprint, Options, Piece, Work

__all__ = [
    "OUTCOMES",
    "Blueprint",
    "Ensemble",
    "Options",
    "Part",
    "Passage",
    "Piece",
    "Summary",
    "Work",
    "chunk_of",
    "do_ensemble",
    "do_piece",
    "join",
    "options_of",
    "work_of",
]
