"""Lagrange's equations of planar trees by SymPy, from nothing but the geometry of the bodies: a second derivation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sistel.model import Model


def numbers_of(model: Model) -> dict[str, Any]:
    """The numbers of every body, in the form that `lagrange` takes."""
    found: dict[str, Any] = {"down": model.gravity[:2]}
    for body in model.bodies:
        assert body.R_PB[2][2] == 1 == body.R_PB[0][0]
        found[body.name] = {
            "mass": body.mass,
            "place": body.p_PB[:2],
            "com": body.p_BoBcm_B[:2],
            "inertia": body.I_BBcm_B[2],
        }
    return found


def lagrange(model: Model, sympy: Any, values: Mapping[str, Any]) -> list[Any]:
    """Generalized forces of a planar tree of hinges and slides, in symbols q1, v1, a1, …

    Args:
        model: The system; only its joints are looked at.
        sympy: The module.
        values: The acceleration of free fall under "down", and mass, place, com and inertia under the name of each body.
    """
    n = model.nv
    q, v, a = (sympy.symbols(f"{letter}1:{n + 1}") for letter in "qva")

    def rate(f: Any) -> Any:
        return sum(sympy.diff(f, q[i]) * v[i] for i in range(n))

    place: dict[int, tuple[Any, Any]] = {0: (0, 0)}
    angle: dict[int, Any] = {0: 0}
    kinetic = potential = 0
    for body in model.bodies:
        own, key, first = values[body.name], body.joint.type.key, body.first_q
        c, s = sympy.cos(angle[body.base]), sympy.sin(angle[body.base])
        px, py = own["place"]
        if key == "prismatic":
            px, py = (p + round(x) * q[first] for p, x in zip((px, py), body.joint.axis, strict=False))
        elif key in ("prismatic2", "free"):
            px, py = px + q[first], py + q[first + 1]
        x, y = place[body.base]
        place[body.number] = x, y = x + c * px - s * py, y + s * px + c * py
        turned = {"revolute": first, "free": first + 2}.get(key)
        angle[body.number] = angle[body.base] + (0 if turned is None else q[turned])
        c, s = sympy.cos(angle[body.number]), sympy.sin(angle[body.number])
        cx, cy = own["com"]
        centre = (x + c * cx - s * cy, y + s * cx + c * cy)
        speed = rate(centre[0]) ** 2 + rate(centre[1]) ** 2
        kinetic += own["mass"] * speed / 2 + own["inertia"] * rate(angle[body.number]) ** 2 / 2
        potential -= own["mass"] * (values["down"][0] * centre[0] + values["down"][1] * centre[1])
    forces = []
    for i in range(n):
        momentum = sympy.diff(kinetic, v[i])
        gain = sum(sympy.diff(momentum, q[j]) * v[j] + sympy.diff(momentum, v[j]) * a[j] for j in range(n))
        forces.append(gain - sympy.diff(kinetic, q[i]) + sympy.diff(potential, q[i]))
    return forces


def operations(sympy: Any, formulas: list[Any]) -> tuple[int, int, int]:
    """Multiplications with divisions, additions with subtractions, and sine-cosine pairs, after SymPy's own `cse`."""
    replaced, rest = sympy.cse(formulas)
    times = plus = 0
    angles = set()
    for formula in [*(value for _, value in replaced), *rest]:
        for node in sympy.preorder_traversal(formula):
            if node.is_Add:
                plus += len(node.args) - 1
            elif node.is_Mul:
                # A sign change is free.
                times += len([factor for factor in node.args if factor != -1]) - 1
            elif node.is_Pow:
                assert node.exp.is_Integer
                times += abs(int(node.exp)) - 1 + (1 if node.exp < 0 else 0)
            elif node.func in (sympy.sin, sympy.cos):
                angles.add(node.args[0])
    return times, plus, len(angles)
