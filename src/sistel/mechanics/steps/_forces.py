"""Steps of Newton and Euler: motion outward, forces inward."""

from __future__ import annotations

from functools import partial

from sistel.mechanics._vectors import IDENTITY, ZERO, Matrix, Scalar, Vector, add, apply, cross, dot, scale
from sistel.mechanics.steps._step import (
    VELOCITIES,
    Kind,
    Recursion,
    Results,
    Sweep,
    Values,
    back,
    direction,
    flat,
    kept,
    matrix,
    place,
    symmetric,
    vector,
)


def _ground(_: Kind, x: Values, *, moving: bool) -> Results:
    """The ground is at rest; weight is an acceleration of the ground, upward."""
    results: Results = {"self.R": flat(IDENTITY), "self.a": scale(-1.0, x["w.gravity"]), "self.F": ZERO, "self.N": ZERO}
    return results | {"self.w": ZERO, "self.dw": ZERO} if moving else results


def _outward(kind: Kind, x: Values, *, moving: bool, driven: bool) -> Results:
    R, r, d = place(kind, x)
    still: list[Scalar] = [0.0] * VELOCITIES[kind]
    v, gain = x["v"] if moving else still, x["a"] if driven else still
    w, dw = (vector(x["up.w"]), vector(x["up.dw"])) if moving else (ZERO, ZERO)
    a = add(x["up.a"], cross(dw, r), cross(w, cross(w, r)))
    if kind == "turn":
        spin = scale(v[0], d)
        w, dw = add(w, spin), add(dw, scale(gain[0], d), cross(w, spin))
    elif kind == "slide":
        a = add(a, scale(gain[0], d), scale(2.0, cross(w, scale(v[0], d))))
    elif kind in ("ball", "free"):
        spin = apply(R, v[:3])
        if kind == "free":
            # Velocities are along the axes of the body: their change has a part from the turning of the axes.
            speed = apply(R, v[3:6])
            a = add(a, apply(R, gain[3:6]), scale(2.0, cross(w, speed)), cross(spin, speed))
        w, dw = add(w, spin), add(dw, apply(R, gain[:3]), cross(w, spin))
    F, N = own_wrench(x, R, w, dw, a)
    results = kept(kind, R, r, d) | {"self.a": a, "self.F": F, "self.N": N}
    return results | {"self.w": w, "self.dw": dw} if moving else results


def own_wrench(x: Values, R: Matrix, w: Vector, dw: Vector, a: Vector) -> tuple[Vector, Vector]:
    """Force and moment that a link alone needs for its motion."""
    s, A = apply(R, x["c.s"]), symmetric(x["c.A"])
    F = add(scale(x["c.m"][0], a), cross(dw, s), cross(w, cross(w, s)))
    # The tensor stays along the link's own axes: turning three vectors costs less than turning it.
    w_L = back(R, w)
    turning = add(apply(A, back(R, dw)), cross(w_L, apply(A, w_L)))
    return F, add(apply(R, turning), cross(s, a))


def _inward(kind: Kind, x: Values, *, driven: bool) -> Results:
    F, N = vector(x["self.F"]), vector(x["self.N"])
    results: Results = {"up+F": F, "up+N": add(N, cross(x["self.r"], F))}
    if kind == "fixed":
        return results
    if kind in ("turn", "slide"):
        felt: list[Scalar] = [dot(direction(kind, x), N if kind == "turn" else F)]
    else:
        R = matrix(x["self.R"])
        felt = [*back(R, N), *(back(R, F) if kind == "free" else ())]
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
