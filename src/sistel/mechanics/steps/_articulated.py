"""Steps of articulated bodies: forward dynamics and, with one sweep more, the loads of all joints.

The formulas are those of `_articulated`, along the axes of the world: a link with all that hangs on it answers

    n = A α + B a + n₀,    f = Bᵀ α + M a + f₀.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import (
    IDENTITY,
    ZERO,
    Matrix,
    Scalar,
    Scalars,
    Vector,
    absolute,
    cross,
    cross_matrix,
    dot,
    less_equal,
    symmetric,
)
from sistel.mechanics._linear import inner
from sistel.mechanics.steps._forces import own_wrench
from sistel.mechanics.steps._step import (
    SINGULAR,
    Kind,
    Recursion,
    Results,
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

PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Of the six numbers of a symmetric matrix."""

_Body = tuple[Matrix, Matrix, Matrix, Vector, Vector]
"""A, B, M, n₀ and f₀."""


def _ground(_: Kind, x: Values) -> Results:
    none: Results = {f"self.{name}": [0.0] * size for name, size in (("A", 6), ("B", 9), ("M", 6), ("sizes", 2))}
    rest: Results = {"self.w": ZERO, "self.dw": ZERO, "self.n": ZERO, "self.f": ZERO, "self.flag": [0.0]}
    return none | rest | {"self.R": flat(IDENTITY), "self.a": -Vector(*x["w.gravity"])}


def _outward(kind: Kind, x: Values) -> Results:
    """Velocities, the accelerations that come from them alone, and each link as a rigid body."""
    R, r, d = place(kind, x)
    before = w = Vector(*x["up.w"])
    cw, ca = ZERO, cross(before, cross(before, r))
    if kind == "turn":
        spin = x["v"][0] * d
        w, cw = w + spin, cross(before, spin)
    elif kind == "slide":
        ca = ca + 2.0 * cross(before, x["v"][0] * d)
    elif kind in ("ball", "free"):
        spin = R @ x["v"][:3]
        w, cw = w + spin, cross(before, spin)
        if kind == "free":
            speed = R @ x["v"][3:6]
            coriolis, turning = 2.0 * cross(before, speed), cross(spin, speed)
            ca = ca + coriolis + turning
    s = R @ x["c.s"]
    A = R @ symmetric(x["c.A"]) @ R.T
    m = x["c.m"][0]
    own: Results = {
        "self.A": six(A),
        "self.B": flat(cross_matrix(s)),
        "self.M": [m, m, m, 0.0, 0.0, 0.0],
        "self.n": cross(w, A @ w),
        "self.f": cross(w, cross(w, s)),
        "self.flag": [0.0],
        "self.sizes": [0.0, 0.0],
    }
    return kept(kind, R, r, d) | {"self.w": w, "self.cw": cw, "self.ca": ca} | own


def _inward(kind: Kind, x: Values) -> Results:
    """Take the freedom of the joint out of the body and add what is left to the parent."""
    body: _Body = (
        symmetric(x["self.A"]),
        matrix(x["self.B"]),
        symmetric(x["self.M"]),
        Vector(*x["self.n"]),
        Vector(*x["self.f"]),
    )
    r, traces = Vector(*x["self.r"]), (_trace(body[0]), _trace(body[2]))
    # What the matrices were made from: a pivot far below is what rounding left of nothing.
    sizes = x["self.sizes"][0] + traces[0], x["self.sizes"][1] + traces[1]
    results: Results = {}
    flag: Scalar = 0.0
    if kind in ("turn", "slide"):
        body, flag, results = _freed_one(kind, x, body, sizes)
    elif kind in ("ball", "free"):
        body, flag = _freed_many(kind, x, body, sizes)
    total = flag + x["self.flag"][0]
    results |= _shifted(body, x["self.cw"], x["self.ca"], r) | {"self.flag": [total], "up+flag": [total]}
    if kind != "free":
        turning, moving = sizes if kind == "fixed" else traces
        results["up+sizes"] = [turning + dot(r, r) * moving, moving]
    return results


def _freed_one(kind: Kind, x: Values, body: _Body, sizes: tuple[Scalar, Scalar]) -> tuple[_Body, Scalar, Results]:
    """What is left of a body when its hinge or slide gives way: I − U Uᵀ/D, and the bias with the driving force."""
    A, B, M, n, f = body
    d = direction(kind, x)
    Un, Uf = (A @ d, B.T @ d) if kind == "turn" else (B @ d, M @ d)
    pivot = dot(d, Un if kind == "turn" else Uf) + x["rotor"][0]
    gain, given = 1.0 / pivot, x["tau"][0] - dot(d, n if kind == "turn" else f)
    kn, kf = gain * Un, gain * Uf
    left = symmetric(six(_less(A, kn, Un))), _less(B, kn, Uf), symmetric(six(_less(M, kf, Uf)))
    bias = n + given * kn, f + given * kf
    flag = _vanishes(pivot, sizes[0] if kind == "turn" else sizes[1])
    return (*left, *bias), flag, {"self.U": [*Un, *Uf], "self.gain": [gain, given]}


def _freed_many(kind: Kind, x: Values, body: _Body, sizes: tuple[Scalar, Scalar]) -> tuple[_Body, Scalar]:
    """The same for a ball or a free joint, whose freedoms are taken along the axes of the world."""
    A, B, M, n, f = body
    D, P, given = _driven(kind, x)
    L, pivots = factors(D)
    y = substitute(L, pivots, given)
    # With D = I + P what is left, I − I D⁻¹ I, is P − P D⁻¹ P: without rotors it is nothing, exactly.
    Z = [substitute(L, pivots, row) for row in P]
    left = [[P[i][j] - inner(P[i], Z[j]) for j in range(len(D))] for i in range(len(D))]
    taken = [(*n, *f)[i] + (drive - inner(P[i], y)) for i, drive in enumerate(given)]
    A = symmetric([left[i][j] for i, j in PLACES])
    if kind == "free":
        B = Matrix(left[0][3:], left[1][3:], left[2][3:])
        M = symmetric([left[3 + i][3 + j] for i, j in PLACES])
        f = Vector(*taken[3:])
    else:
        X = [substitute(L, pivots, column(B, i)) for i in range(3)]
        f = f + B.T @ y
        M = symmetric([M[i][j] - inner(column(B, i), X[j]) for i, j in PLACES])
        B = Matrix(*([inner(P[i], X[j]) for j in range(3)] for i in range(3)))
    return (A, B, M, Vector(*taken[:3]), f), _flags_of(kind, D, *sizes)


def _driven(kind: Kind, x: Values) -> tuple[list[list[Scalar]], list[list[Scalar]], list[Scalar]]:
    """Inertia that the motors of a ball or a free joint feel, the rotors' part of it, and driving forces less bias.

    All are along the axes of the world, of which a ball has the three turns and a free joint the slides too.
    """
    R, rotor, tau = matrix(x["self.R"]), x["rotor"], x["tau"]
    A, B, M = symmetric(x["self.A"]), matrix(x["self.B"]), symmetric(x["self.M"])
    none: list[Scalar] = [0.0] * 3
    turning = _spread(R, rotor[:3])
    given: list[Scalar] = [*(R @ tau[:3] - x["self.n"])]
    if kind == "ball":
        P = [list(row) for row in turning]
        D = [[A[i][j] + P[i][j] for j in range(3)] for i in range(3)]
        return D, P, given
    P = [[*row, *none] for row in turning] + [[*none, *row] for row in _spread(R, rotor[3:])]
    whole = [[*A[i], *B[i]] for i in range(3)] + [[*column(B, i), *M[i]] for i in range(3)]
    given += R @ tau[3:] - x["self.f"]
    return [[whole[i][j] + P[i][j] for j in range(6)] for i in range(6)], P, given


def _flags_of(kind: Kind, D: list[list[Scalar]], size_A: Scalar, size_M: Scalar) -> Scalar:
    """Whether some turn, or some slide, of a ball or a free joint moves no mass."""
    if kind == "ball":
        return _flag(D, size_A)
    B, M = [Vector(*row[3:]) for row in D[:3]], [row[3:] for row in D[3:]]
    L, pivots = factors(M)
    # Turns with the slides left free: the inertia about the centre of mass.
    X = [substitute(L, pivots, row) for row in B]
    turns = [[D[i][j] - inner(B[i], X[j]) for j in range(3)] for i in range(3)]
    return _flag(turns, size_A) + _flag(M, size_M)


def _flag(S: Sequence[Scalars], size: Scalar) -> Scalar:
    """Whether the least eigenvalue of three, or the two least, are nothing beside the size of what S was made from.

    The pivots do not tell: one may be small only because the axes lie so, and then the next is far from exact. The
    determinant over the sum of the principal minors is between a third of the least eigenvalue and the eigenvalue.
    """
    minors = [S[i][i] * S[j][j] - S[i][j] * S[j][i] for i, j in ((0, 1), (0, 2), (1, 2))]
    total = minors[0] + minors[1] + minors[2]
    determinant = dot(S[0], cross(S[1], S[2]))
    return _vanishes(determinant, size * absolute(total)) + _vanishes(total, size * size)


def _vanishes(x: Scalar, size: Scalar) -> Scalar:
    """Whether a number is nothing beside a size. What is negative beyond rounding is no inertia at all: let it be."""
    return less_equal(absolute(x), SINGULAR * size)


def _spread(R: Matrix, diagonal: Scalars) -> Matrix:
    """R diag Rᵀ."""
    rows = [(row[0] * diagonal[0], row[1] * diagonal[1], row[2] * diagonal[2]) for row in R]
    return symmetric([dot(rows[i], R[j]) for i, j in PLACES])


def _shifted(body: _Body, cw: Scalars, ca: Scalars, r: Vector) -> Results:
    """The answer of a body to accelerations of its parent's origin: a = a_P − r × α, and the force gains the arm r.

    To those accelerations the joint adds cw and ca, which come from velocities alone.
    """
    A, B, M, n, f = body
    n_turning, n_moving = A @ cw, B @ ca
    n = n + n_turning + n_moving
    f_turning, f_moving = B.T @ cw, M @ ca
    f = f + f_turning + f_moving
    B_moved = Matrix(*(column(B, i) + cross(r, M[i]) for i in range(3))).T
    # A − B [r]× + [r]× B_movedᵀ; rows of the second and columns of the third are vector products with r.
    second, third = [cross(r, row) for row in B], [cross(r, row) for row in B_moved]
    A_moved = [A[i][j] + (second[i][j] + third[j][i]) for i, j in PLACES]
    return {"up+A": A_moved, "up+B": flat(B_moved), "up+M": six(M), "up+n": n + cross(r, f), "up+f": f}


def _accelerate(kind: Kind, x: Values) -> Results:
    """Accelerations from the ground outward."""
    before, r = Vector(*x["up.dw"]), Vector(*x["self.r"])
    dw = before + x["self.cw"]
    a, tangential, centripetal = Vector(*x["up.a"]), cross(before, r), x["self.ca"]
    a = a + tangential + centripetal
    if kind in ("turn", "slide"):
        U, (gain, given) = x["self.U"], x["self.gain"]
        rate = gain * (given - dot(U[:3], dw) - dot(U[3:], a))
        d = direction(kind, x)
        dw, a = (dw + rate * d, a) if kind == "turn" else (dw, a + rate * d)
        return {"out": [rate], "self.dw": dw, "self.a": a}
    if kind in ("ball", "free"):
        R, n = matrix(x["self.R"]), (3 if kind == "ball" else 6)
        A, B, M = symmetric(x["self.A"]), matrix(x["self.B"]), symmetric(x["self.M"])
        D, _, given_all = _driven(kind, x)
        met = [*(A @ dw + B @ a), *(B.T @ dw + M @ a)][:n]
        gains = substitute(*factors(D), [one - other for one, other in zip(given_all, met, strict=True)])
        rates: list[Scalar] = [*(R.T @ gains[:3])]
        dw = dw + gains[:3]
        if kind == "free":
            rates += R.T @ gains[3:]
            a = a + gains[3:]
        return {"out": rates, "self.dw": dw, "self.a": a}
    return {"self.dw": dw, "self.a": a}


def _carry(kind: Kind, x: Values) -> Results:
    """As `_accelerate`, and what each link alone needs for its motion."""
    results = _accelerate(kind, x)
    results.pop("out", None)
    dw, a = Vector(*results["self.dw"]), Vector(*results["self.a"])
    F, N = own_wrench(x, matrix(x["self.R"]), Vector(*x["self.w"]), dw, a)
    return results | {"self.F": F, "self.N": N}


def _carry_ground(kind: Kind, x: Values) -> Results:
    return _ground(kind, x) | {"self.F": ZERO, "self.N": ZERO}


def _gather(_: Kind, x: Values) -> Results:
    F = Vector(*x["self.F"])
    return {"up+F": F, "up+N": Vector(*x["self.N"]) + cross(x["self.r"], F)}


def _loads(_: Kind, x: Values) -> Results:
    return {"loads": [*x["self.N"], *x["self.F"]]}


# --- small linear algebra -----------------------------------------------------------------------------------------


def _trace(S: Matrix) -> Scalar:
    return S[0][0] + S[1][1] + S[2][2]


def _less(S: Matrix, a: Vector, b: Vector) -> Matrix:
    """S − a bᵀ."""
    return Matrix(*(row - factor * b for row, factor in zip(S, a, strict=True)))


def factors(S: Sequence[Scalars]) -> tuple[list[list[Scalar]], list[Scalar]]:
    """L and D of a symmetric positive definite L D Lᵀ; the diagonal of L, which is 1, is left out."""
    L: list[list[Scalar]] = []
    D: list[Scalar] = []
    for i, row in enumerate(S):
        # Entries of L D first, then those of L.
        products: list[Scalar] = []
        for j in range(i):
            entry = row[j]
            for k in range(j):
                entry = entry - products[k] * L[j][k]
            products.append(entry)
        L.append([entry * (1.0 / D[j]) for j, entry in enumerate(products)])
        pivot = row[i]
        for j in range(i):
            pivot = pivot - products[j] * L[i][j]
        D.append(pivot)
    return L, D


def substitute(L: Sequence[Scalars], D: Scalars, right: Scalars) -> list[Scalar]:
    """X of L D Lᵀ x = right."""
    x: list[Scalar] = []
    for i, entry in enumerate(right):
        for j in range(i):
            entry = entry - L[i][j] * x[j]
        x.append(entry)
    for i in range(len(x) - 1, -1, -1):
        x[i] = x[i] * (1.0 / D[i])
        for j in range(i + 1, len(x)):
            x[i] = x[i] - L[j][i] * x[j]
    return x


_PLACES = {"U": "A", "gain": "n", "dw": "cw", "a": "ca"}

_THERE_AND_BACK = (Sweep(step=_outward), Sweep(step=_inward, inward=True))

FORWARD_DYNAMICS = Recursion(
    inputs=("q", "v", "tau"),
    sweeps=(Sweep(step=_ground, order="ground"), *_THERE_AND_BACK, Sweep(step=_accelerate)),
    flagged=True,
    places=_PLACES,
)

REACTIONS = Recursion(
    inputs=("q", "v", "tau"),
    sweeps=(
        Sweep(step=_carry_ground, order="ground"),
        *_THERE_AND_BACK,
        Sweep(step=_carry),
        Sweep(step=_gather, inward=True),
        Sweep(step=_loads, order="bodies"),
    ),
    merge=False,
    flagged=True,
    places=_PLACES,
)
