"""Trained networks as data of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.views._lesson_data import Network, Networks

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.solve.anfis import Anfis, DynamicsNets, IkNets


def nets_data(model: Model, given: Sequence[IkNets | DynamicsNets], frame: str | None) -> tuple[Networks, str | None]:
    """Networks of inverse kinematics and of dynamics, None for those that are not given; and the frame they are for.

    Raises:
        SistelError: They are of another system or frame, or of no kind that a lesson knows.
    """
    from sistel.solve.anfis import DynamicsNets, IkNets

    found: Networks = {"ik": None, "dynamics": None}
    told: str | None = None
    for nets in given:
        if not isinstance(nets, (IkNets, DynamicsNets)):
            refuse("bad-networks", Text("networks are IkNets or DynamicsNets", "networks — IkNets или DynamicsNets"))
        if nets.fingerprint != model.fingerprint:
            refuse(
                "bad-networks", Text("the networks were trained for another system", "сети обучены для другой системы")
            )
        networks, nodes = [_network(each) for each in nets.networks], list(nets.nodes)
        if isinstance(nets, DynamicsNets):
            found["dynamics"] = {"networks": networks, "nodes": nodes, "uses": [list(used) for used in nets.uses]}
            continue
        if frame is not None and nets.frame != frame:
            refuse(
                "bad-networks",
                Text(
                    f'the networks were trained for the frame "{nets.frame}"', f"сети обучены для репера «{nets.frame}»"
                ),
            )
        told = nets.frame
        found["ik"] = {
            "networks": networks,
            "nodes": nodes,
            "orientation": nets.orientation,
            "uses": list(nets.uses),
            "middle": nets.middle.tolist(),
            "low": nets.low.tolist(),
            "high": nets.high.tolist(),
        }
    return found, told


def _network(net: Anfis) -> Network:
    """The numbers of a network, to the last bit."""
    return {
        "low": net.low.tolist(),
        "span": net.span.tolist(),
        "centres": net.centres.tolist(),
        "widths": net.widths.tolist(),
        "consequents": net.consequents.tolist(),
    }
