"""Letters for the numbers that a textbook would name: masses, moments of inertia, places of hinges and of centres."""

from __future__ import annotations

from dataclasses import replace

from sistel.expr import Traced
from sistel.model import Body, Lettered, Parameter
from sistel.pose import Vector3
from sistel.units import INERTIA, LENGTH, MASS, Dimension

_MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")


def name_numbers(traced: Lettered) -> Lettered:
    """The same model with a parameter of its own for every plain number of a body that is not 0.

    m₁ is the mass of body 1, J₁ its moment of inertia about the centre of mass, c₁ the place of the centre of mass, l₁
    the place of its pole in the base; letters get x, y and z where several components are there.
    """
    names = _Names(traced)
    bodies = tuple(names.body(body, traced.model.planar) for body in traced.model.bodies)
    return replace(traced, model=replace(traced.model, bodies=bodies), parameters=tuple(names.parameters))


class _Names:
    def __init__(self, traced: Lettered) -> None:
        self.trace = traced.trace
        self.parameters = list(traced.parameters)
        self.taken = {parameter.name for parameter in traced.parameters}

    def body(self, body: Body, planar: bool) -> Body:
        number = str(body.number)
        inertia = [value for value in body.I_BBcm_B if value]
        xx, yy, zz, xy, xz, yz = (
            self.symbol(f"J{number}" if planar or len(inertia) == 1 else f"J{number}_{name}", value, INERTIA, body)
            for name, value in zip(_MOMENTS, body.I_BBcm_B, strict=True)
        )
        return replace(
            body,
            mass=self.symbol(f"m{number}", body.mass, MASS, body),
            p_PB=self.vector(f"l{number}", body.p_PB, body),
            p_BoBcm_B=self.vector(f"c{number}", body.p_BoBcm_B, body),
            I_BBcm_B=(xx, yy, zz, xy, xz, yz),
        )

    def vector(self, name: str, vector: Vector3, body: Body) -> Vector3:
        several = sum(bool(component) for component in vector) > 1
        x, y, z = (
            self.symbol(f"{name}_{axis}" if several else name, component, LENGTH, body)
            for axis, component in zip("xyz", vector, strict=True)
        )
        return (x, y, z)

    def symbol(self, name: str, value: float, dimension: Dimension, body: Body) -> float:
        """A traced number in the place of a plain one; 0 stays, and what has letters already."""
        if isinstance(value, Traced) or value == 0:
            return value
        while name in self.taken:
            name += "_0"
        self.taken.add(name)
        # The sign of a component is not a part of its letter.
        size = abs(value)
        self.parameters.append(Parameter(name=name, value=size, dimension=dimension, about=body.name, span=body.span))
        letter = self.trace.symbol(name, size)
        return letter if value > 0 else -letter
