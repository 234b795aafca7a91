"""Trained networks as data of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sistel.errors import Text
from sistel.views.lesson._begin import refuse

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.solve.anfis import Anfis, DynamicsNets, IkNets


def nets_data(
    model: Model, networks: Sequence[IkNets | DynamicsNets], frame: str | None
) -> tuple[dict[str, Any], str | None]:
    """Networks of inverse kinematics and of dynamics, None for those that are not given; and the frame they are for.

    Raises:
        SistelError: They are of another system or frame, or of no kind that a lesson knows.
    """
    from sistel.solve.anfis import DynamicsNets, IkNets

    found: dict[str, Any] = {"ik": None, "dynamics": None}
    told: str | None = None
    for nets in networks:
        if not isinstance(nets, (IkNets, DynamicsNets)):
            refuse("bad-networks", Text("networks are IkNets or DynamicsNets", "networks — IkNets или DynamicsNets"))
        if nets.fingerprint != model.fingerprint:
            refuse(
                "bad-networks", Text("the networks were trained for another system", "сети обучены для другой системы")
            )
        common = {"networks": [_network(each) for each in nets.networks], "nodes": list(nets.nodes)}
        if isinstance(nets, DynamicsNets):
            found["dynamics"] = {**common, "uses": [list(used) for used in nets.uses]}
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
            **common,
            "orientation": nets.orientation,
            "uses": list(nets.uses),
            "middle": nets.middle.tolist(),
            "low": nets.low.tolist(),
            "high": nets.high.tolist(),
        }
    return found, told


def _network(net: Anfis) -> dict[str, Any]:
    """The numbers of a network, to the last bit."""
    return {name: getattr(net, name).tolist() for name in ("low", "span", "centres", "widths", "consequents")}
