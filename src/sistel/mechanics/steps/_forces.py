"""Steps of Newton and Euler: motion outward, forces inward."""

from __future__ import annotations

from functools import partial

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Vector, cross, dot, symmetric
from sistel.mechanics.steps._step import (
    VELOCITIES,
    Kind,
    Recursion,
    Results,
    Sweep,
    Values,
    direction,
    flat,
    kept,
    matrix,
    place,
)


def _ground(_: Kind, x: Values, *, moving: bool) -> Results:
    """The ground is at rest; weight is an acceleration of the ground, upward."""
    results: Results = {"self.R": flat(IDENTITY), "self.a": -Vector(*x["w.gravity"]), "self.F": ZERO, "self.N": ZERO}
    return results | {"self.w": ZERO, "self.dw": ZERO} if moving else results


def _outward(kind: Kind, x: Values, *, moving: bool, driven: bool) -> Results:
    R, r, d = place(kind, x)
    still: list[Scalar] = [0.0] * VELOCITIES[kind]
    v, gain = x["v"] if moving else still, x["a"] if driven else still
    w, dw = (Vector(*x["up.w"]), Vector(*x["up.dw"])) if moving else (ZERO, ZERO)
    a, tangential, centripetal = Vector(*x["up.a"]), cross(dw, r), cross(w, cross(w, r))
    a = a + tangential + centripetal
    if kind == "turn":
        spin = v[0] * d
        total, own, carried = w + spin, gain[0] * d, cross(w, spin)
        w, dw = total, dw + own + carried
    elif kind == "slide":
        own, coriolis = gain[0] * d, 2.0 * cross(w, v[0] * d)
        a = a + own + coriolis
    elif kind in ("ball", "free"):
        spin = R @ v[:3]
        if kind == "free":
            # Velocities are along the axes of the body: their change has a part from the turning of the axes.
            speed = R @ v[3:6]
            own, coriolis, turning = R @ gain[3:6], 2.0 * cross(w, speed), cross(spin, speed)
            a = a + own + coriolis + turning
        total, own, carried = w + spin, R @ gain[:3], cross(w, spin)
        w, dw = total, dw + own + carried
    F, N = own_wrench(x, R, w, dw, a)
    results = kept(kind, R, r, d) | {"self.a": a, "self.F": F, "self.N": N}
    return results | {"self.w": w, "self.dw": dw} if moving else results


def own_wrench(x: Values, R: Matrix, w: Vector, dw: Vector, a: Vector) -> tuple[Vector, Vector]:
    """Force and moment that a link alone needs for its motion."""
    s, A = R @ x["c.s"], symmetric(x["c.A"])
    F, tangential, centripetal = x["c.m"][0] * a, cross(dw, s), cross(w, cross(w, s))
    F = F + tangential + centripetal
    # The tensor stays along the link's own axes: turning three vectors costs less than turning it.
    w_L = R.T @ w
    turning = A @ (R.T @ dw) + cross(w_L, A @ w_L)
    return F, R @ turning + cross(s, a)


def _inward(kind: Kind, x: Values, *, driven: bool) -> Results:
    F, N = Vector(*x["self.F"]), Vector(*x["self.N"])
    results: Results = {"up+F": F, "up+N": N + cross(x["self.r"], F)}
    if kind == "fixed":
        return results
    if kind in ("turn", "slide"):
        felt: list[Scalar] = [dot(direction(kind, x), N if kind == "turn" else F)]
    else:
        R = matrix(x["self.R"])
        felt = [*(R.T @ N), *(R.T @ F if kind == "free" else ())]
    if driven:
        felt = [force + rotor * gain for force, rotor, gain in zip(felt, x["rotor"], x["a"], strict=True)]
    return results | {"out": felt}


def _recursion(*inputs: str) -> Recursion:
    moving, driven = "v" in inputs, "a" in inputs
    return Recursion(
        inputs=inputs,
        sweeps=(
            Sweep(step=partial(_ground, moving=moving), order="ground"),
            Sweep(step=partial(_outward, moving=moving, driven=driven)),
            Sweep(step=partial(_inward, driven=driven), inward=True),
        ),
    )


INVERSE_DYNAMICS = _recursion("q", "v", "a")
BIAS_FORCES = _recursion("q", "v")
GRAVITY_FORCES = _recursion("q")
