"""Steps of kinematics, of energies and of composite bodies."""

from __future__ import annotations

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Vector, cross, dot, symmetric
from sistel.mechanics.steps._step import (
    Kind,
    Recursion,
    Results,
    Step,
    Sweep,
    Values,
    column,
    direction,
    flat,
    kept,
    matrix,
    place,
    six,
)


def _summed(ground: Step, link: Step, total: Step) -> tuple[Sweep, ...]:
    """Sweeps that gather in the ground what every link has, and make the result of it there."""
    return (Sweep(step=ground, order="ground"), Sweep(step=link), Sweep(step=total, order="ground"))


def _from_the_tip(ground: Step, outward: Step, tip: Step, inward: Step) -> tuple[Sweep, ...]:
    """Sweeps along the way to a frame, and back from it."""
    return (
        Sweep(step=ground, order="ground"),
        Sweep(step=outward, order="path"),
        Sweep(step=tip, order="tip"),
        Sweep(step=inward, order="path", inward=True),
    )


# --- energies and centre of mass --------------------------------------------------------------------------------------


def _energy_ground(_: Kind, x: Values) -> Results:
    """What is fixed to the ground has no speed, but it has weight."""
    return {
        "self.R": flat(IDENTITY),
        "self.p": ZERO,
        "self.w": ZERO,
        "self.u": ZERO,
        "self.K": [0.0],
        "self.sum": x["w.s"],
    }


def _motion(kind: Kind, x: Values) -> tuple[Matrix, Vector, Vector, Vector]:
    """Axes and place of a link, its angular velocity and the velocity of its origin."""
    R, r, d = place(kind, x)
    w, slid = _speeds(kind, x, R, d)
    return R, Vector(*x["up.p"]) + r, w, Vector(*x["up.u"]) + cross(x["up.w"], r) + slid


def _speeds(kind: Kind, x: Values, R: Matrix, d: Vector) -> tuple[Vector, Vector]:
    """Angular velocity of a link, and the part of the velocity of its origin that is the joint's."""
    w = Vector(*x["up.w"])
    if kind == "turn":
        return w + x["v"][0] * d, ZERO
    if kind == "slide":
        return w, x["v"][0] * d
    if kind == "fixed":
        return w, ZERO
    return w + R @ x["v"][:3], R @ x["v"][3:6] if kind == "free" else ZERO


def _energy(kind: Kind, x: Values) -> Results:
    R, p, w, u = _motion(kind, x)
    m, s, w_L = x["c.m"][0], R @ x["c.s"], R.T @ w
    turning = dot(w_L, symmetric(x["c.A"]) @ w_L)
    moving = dot(u, m * u + 2.0 * cross(w, s))
    twice = moving + turning
    for rotor, rate in zip(x["rotor"], x["v"], strict=True):
        twice = twice + rotor * (rate * rate)
    return {
        "self.R": flat(R),
        "self.p": p,
        "self.w": w,
        "self.u": u,
        "ground+K": [0.5 * twice],
        "ground+sum": m * p + s,
    }


def _energy_total(_: Kind, x: Values) -> Results:
    potential = -dot(x["w.gravity"], x["self.sum"])
    return {"result": [x["self.K"][0], potential, *(x["w.share"][0] * Vector(*x["self.sum"]))]}


ENERGIES = Recursion(inputs=("q", "v"), sweeps=_summed(_energy_ground, _energy, _energy_total))

# --- momentum ---------------------------------------------------------------------------------------------------------


def _momentum_ground(_: Kind, x: Values) -> Results:
    still: Results = {f"self.{name}": ZERO for name in ("p", "w", "u", "L", "P")}
    return still | {"self.R": flat(IDENTITY)}


def _momentum(kind: Kind, x: Values) -> Results:
    R, p, w, u = _motion(kind, x)
    m, s = x["c.m"][0], R @ x["c.s"]
    push = m * u + cross(w, s)
    spin, lever, orbit = R @ (symmetric(x["c.A"]) @ (R.T @ w)), cross(s, u), cross(p, push)
    turning = spin + lever + orbit
    return {"self.R": flat(R), "self.p": p, "self.w": w, "self.u": u, "ground+L": turning, "ground+P": push}


def _momentum_total(_: Kind, x: Values) -> Results:
    return {"result": [*x["self.L"], *x["self.P"]]}


MOMENTUM = Recursion(inputs=("q", "v"), sweeps=_summed(_momentum_ground, _momentum, _momentum_total))

# --- a frame ----------------------------------------------------------------------------------------------------------


def _frame_ground(_: Kind, x: Values) -> Results:
    return {"self.R": flat(IDENTITY), "self.p": ZERO}


def _pose(kind: Kind, x: Values) -> Results:
    R, r, _ = place(kind, x)
    return {"self.R": flat(R), "self.p": Vector(*x["up.p"]) + r}


def _pose_result(_: Kind, x: Values) -> Results:
    R = matrix(x["self.R"])
    axes, p = R @ matrix(x["w.R"]), Vector(*x["self.p"]) + R @ x["w.p"]
    return {"result": [*axes[0], p[0], *axes[1], p[1], *axes[2], p[2], 0.0, 0.0, 0.0, 1.0]}


POSE = Recursion(
    inputs=("q",),
    sweeps=(
        Sweep(step=_frame_ground, order="ground"),
        Sweep(step=_pose, order="path"),
        Sweep(step=_pose_result, order="tip"),
    ),
)


def _arm_ground(_: Kind, x: Values) -> Results:
    return {"self.R": flat(IDENTITY), "self.arm": ZERO}


def _arm_outward(kind: Kind, x: Values) -> Results:
    return kept(kind, *place(kind, x)) | {"self.arm": ZERO}


def _arm_tip(_: Kind, x: Values) -> Results:
    return {"self.arm": matrix(x["self.R"]) @ x["w.p"]}


def _arm_inward(kind: Kind, x: Values) -> Results:
    """The way from each joint to the point grows link by link: nothing is lost to the distance from the ground."""
    arm = Vector(*x["self.arm"])
    results: Results = {"up+arm": arm + x["self.r"]}
    columns: list[Scalar] = []
    for turn, slide in _twists(kind, x):
        columns += [*turn, *(cross(turn, arm) if slide == ZERO else slide)]
    return results | ({"columns": columns} if columns else {})


def _twists(kind: Kind, x: Values) -> list[tuple[Vector, Vector]]:
    """What each velocity of a joint does: an angular velocity or a velocity."""
    if kind == "turn":
        return [(direction(kind, x), ZERO)]
    if kind == "slide":
        return [(ZERO, direction(kind, x))]
    if kind == "fixed":
        return []
    units = [column(matrix(x["self.R"]), i) for i in range(3)]
    return [(unit, ZERO) for unit in units] + ([(ZERO, unit) for unit in units] if kind == "free" else [])


JACOBIAN = Recursion(inputs=("q",), sweeps=_from_the_tip(_arm_ground, _arm_outward, _arm_tip, _arm_inward), blank=True)

# --- the rate of the Jacobian -----------------------------------------------------------------------------------------


def _rate_ground(_: Kind, x: Values) -> Results:
    still: Results = {f"self.{name}": ZERO for name in ("w", "arm", "u")}
    return still | {"self.R": flat(IDENTITY)}


def _rate_outward(kind: Kind, x: Values) -> Results:
    R, r, d = place(kind, x)
    w, slid = _speeds(kind, x, R, d)
    rate = cross(x["up.w"], r) + slid
    return kept(kind, R, r, d) | {"self.w": w, "self.dr": rate, "self.arm": ZERO, "self.u": ZERO}


def _rate_tip(_: Kind, x: Values) -> Results:
    arm = matrix(x["self.R"]) @ x["w.p"]
    return {"self.arm": arm, "self.u": cross(x["self.w"], arm)}


def _rate_inward(kind: Kind, x: Values) -> Results:
    """The way to the point, and its rate, grow link by link."""
    arm, rate = Vector(*x["self.arm"]), Vector(*x["self.u"])
    results: Results = {"up+arm": arm + x["self.r"], "up+u": rate + x["self.dr"]}
    # A turn or a slide has its direction from what carries it, the other joints from their own bodies.
    carrier = x["up.w"] if kind in ("turn", "slide") else x["self.w"]
    columns: list[Scalar] = []
    for turn, slide in _twists(kind, x):
        turned = cross(carrier, turn)
        moved = cross(turned, arm) + cross(turn, rate) if slide == ZERO else cross(carrier, slide)
        columns += [*turned, *moved]
    return results | ({"columns": columns} if columns else {})


JACOBIAN_RATE = Recursion(
    inputs=("q", "v"), sweeps=_from_the_tip(_rate_ground, _rate_outward, _rate_tip, _rate_inward), blank=True
)

# --- the mass matrix --------------------------------------------------------------------------------------------------


def _composite_ground(_: Kind, x: Values) -> Results:
    return {"self.R": flat(IDENTITY), "self.m": [0.0], "self.s": ZERO, "self.A": [0.0] * 6}


def _composite_outward(kind: Kind, x: Values) -> Results:
    R, r, d = place(kind, x)
    A = R @ symmetric(x["c.A"]) @ R.T
    return kept(kind, R, r, d) | {"self.m": x["c.m"], "self.s": R @ x["c.s"], "self.A": six(A)}


def _composite_inward(kind: Kind, x: Values) -> Results:
    """Wrenches that give unit accelerations to all beyond the joint; then add that to the parent."""
    m, s, A, r = x["self.m"][0], Vector(*x["self.s"]), symmetric(x["self.A"]), Vector(*x["self.r"])
    freedoms: list[Scalar] = []
    wrenches: list[Scalar] = []
    for number, (turn, slide) in enumerate(_twists(kind, x)):
        # Freedoms of one joint lie at one point: only the first of them is away from the one before.
        freedoms += [*turn, *slide, *(ZERO if number else r)]
        if slide == ZERO:
            wrenches += [*(A @ turn), *cross(turn, s)]
        else:
            wrenches += [*cross(s, slide), *(m * slide)]
    # About the parent's origin: A + (r·s + r·t) 1 − (s rᵀ + r tᵀ) with t = s + m r.
    t = s + m * r
    grown = dot(r, s) + dot(r, t)
    A_moved = [
        *(A[i][i] + (grown - (s[i] * r[i] + r[i] * t[i])) for i in range(3)),
        *(A[i][j] - (s[i] * r[j] + r[i] * t[j]) for i, j in ((0, 1), (0, 2), (1, 2))),
    ]
    results: Results = {"up+m": [m], "up+s": t, "up+A": A_moved}
    return results | ({"freedoms": freedoms, "wrenches": wrenches} if freedoms else {})


def walk(kind: Kind, x: Values) -> Results:
    """One stretch of the way of a wrench (moment, force) to the ground: what a freedom feels, and the moment there."""
    twist, r = x["freedom"][:6], x["freedom"][6:]
    moment, force = x["wrench"][:3], x["wrench"][3:]
    return {
        "entry": [dot(twist[:3], moment) + dot(twist[3:], force)],
        "moment": Vector(*moment) + cross(r, force),
    }


MASS_MATRIX = Recursion(
    inputs=("q",),
    sweeps=(
        Sweep(step=_composite_ground, order="ground"),
        Sweep(step=_composite_outward),
        Sweep(step=_composite_inward, inward=True),
        Sweep(step=walk, order="walk"),
    ),
    blank=True,
)
