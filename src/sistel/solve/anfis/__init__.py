"""Adaptive neuro-fuzzy inference (ANFIS): first-order Sugeno rules with Gaussian memberships, on NumPy alone.

`build_network` makes rules from data, `train` lets them learn, `save` and `load` keep them. `train_ik` and
`train_dynamics` teach networks an arm, one per joint, and report how far they are from what is so: they are no
substitute for a solver, but `as_seed` gives one a place to start from.
"""

from sistel.solve.anfis._arms import Arm
from sistel.solve.anfis._clusters import Clusters, fuzzy_clusters, subtractive_clusters
from sistel.solve.anfis._dynamics import DynamicsNets, train_dynamics
from sistel.solve.anfis._errors import Errors, measure
from sistel.solve.anfis._files import load, save
from sistel.solve.anfis._fit import fit_consequents, premise_gradient
from sistel.solve.anfis._ik import IkNets, as_seed, train_ik
from sistel.solve.anfis._learning import Epoch, Trained, train
from sistel.solve.anfis._network import Anfis, node_count
from sistel.solve.anfis._reports import DynamicsReport, IkReport, Seeding
from sistel.solve.anfis._structure import build_network

__all__ = [
    "Anfis",
    "Arm",
    "Clusters",
    "DynamicsNets",
    "DynamicsReport",
    "Epoch",
    "Errors",
    "IkNets",
    "IkReport",
    "Seeding",
    "Trained",
    "as_seed",
    "build_network",
    "fit_consequents",
    "fuzzy_clusters",
    "load",
    "measure",
    "node_count",
    "premise_gradient",
    "save",
    "subtractive_clusters",
    "train",
    "train_dynamics",
    "train_ik",
]
