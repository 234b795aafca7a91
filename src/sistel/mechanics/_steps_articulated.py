"""Steps of articulated bodies: forward dynamics and, with one sweep more, the loads of all joints.

The formulas are those of `_articulated`, along the axes of the world: a link with all that hangs on it answers

    n = A α + B a + n₀,    f = Bᵀ α + M a + f₀.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sistel.expr import less_equal
from sistel.mechanics._steps import (
    SINGULAR,
    Kind,
    Recursion,
    Results,
    Sweep,
    Values,
    back,
    column,
    direction,
    flat,
    kept,
    matrix,
    place,
    six,
    symmetric,
    vector,
)
from sistel.mechanics._steps_forces import own_wrench
from sistel.mechanics._vectors import (
    IDENTITY,
    ZERO,
    Matrix,
    Scalar,
    Vector,
    add,
    apply,
    cross,
    dot,
    minus,
    plus,
    product,
    scale,
    subtract,
    times,
    transposed,
)

NOTHING: Matrix = (ZERO, ZERO, ZERO)
PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Of the six numbers of a symmetric matrix."""


def _ground(_: Kind, x: Values) -> Results:
    none: Results = {f"self.{name}": [0.0] * size for name, size in (("A", 6), ("B", 9), ("M", 6), ("sizes", 2))}
    rest: Results = {"self.w": ZERO, "self.dw": ZERO, "self.n": ZERO, "self.f": ZERO, "self.flag": [0.0]}
    return none | rest | {"self.R": flat(IDENTITY), "self.a": scale(-1.0, x["w.gravity"])}


def _outward(kind: Kind, x: Values) -> Results:
    """Velocities, the accelerations that come from them alone, and each link as a rigid body."""
    R, r, d = place(kind, x)
    before = w = vector(x["up.w"])
    cw, ca = ZERO, cross(before, cross(before, r))
    if kind == "turn":
        spin = scale(x["v"][0], d)
        w, cw = add(w, spin), cross(before, spin)
    elif kind == "slide":
        ca = add(ca, scale(2.0, cross(before, scale(x["v"][0], d))))
    elif kind in ("ball", "free"):
        spin = apply(R, x["v"][:3])
        w, cw = add(w, spin), cross(before, spin)
        if kind == "free":
            speed = apply(R, x["v"][3:6])
            ca = add(ca, scale(2.0, cross(before, speed)), cross(spin, speed))
    s = apply(R, x["c.s"])
    A = product(product(R, symmetric(x["c.A"])), transposed(R))
    m = x["c.m"][0]
    own: Results = {
        "self.A": six(A),
        "self.B": flat(_cross_matrix(s)),
        "self.M": [m, m, m, 0.0, 0.0, 0.0],
        "self.n": cross(w, apply(A, w)),
        "self.f": cross(w, cross(w, s)),
        "self.flag": [0.0],
        "self.sizes": [0.0, 0.0],
    }
    return kept(kind, R, r, d) | {"self.w": w, "self.cw": cw, "self.ca": ca} | own


def _inward(kind: Kind, x: Values) -> Results:
    """Take the freedom of the joint out of the body and add what is left to the parent."""
    A, B, M = symmetric(x["self.A"]), matrix(x["self.B"]), symmetric(x["self.M"])
    n, f, cw, ca = (vector(x[f"self.{name}"]) for name in ("n", "f", "cw", "ca"))
    size_A, size_M = plus(x["self.sizes"][0], _trace(A)), plus(x["self.sizes"][1], _trace(M))
    results: Results = {}
    if kind in ("turn", "slide"):
        d = direction(kind, x)
        Un, Uf = (apply(A, d), back(B, d)) if kind == "turn" else (apply(B, d), apply(M, d))
        D = dot(d, Un if kind == "turn" else Uf)
        flag: Scalar = less_equal(D, times(SINGULAR, size_A if kind == "turn" else size_M))
        gain = 1.0 / D
        given = minus(x["tau"][0], dot(d, n if kind == "turn" else f))
        kn, kf = scale(gain, Un), scale(gain, Uf)
        A, B, M = symmetric(six(_less(A, kn, Un))), _less(B, kn, Uf), symmetric(six(_less(M, kf, Uf)))
        n, f = add(n, scale(given, kn)), add(f, scale(given, kf))
        results |= {"self.U": [*Un, *Uf], "self.gain": [gain, given]}
    elif kind == "ball":
        # Its freedoms are all turns, whatever axes they are along: nothing but the part of M that they leave remains.
        L, pivots = factors(A)
        flag = _count(less_equal(pivot, times(SINGULAR, size_A)) for pivot in pivots)
        given_n = apply(matrix(x["self.R"]), x["tau"])
        X = [vector(substitute(L, pivots, column(B, i))) for i in range(3)]
        y = vector(substitute(L, pivots, subtract(given_n, n)))
        M = symmetric([minus(M[i][j], dot(column(B, i), X[j])) for i, j in PLACES])
        n, f = given_n, add(f, back(B, y))
        A, B = NOTHING, NOTHING
        # The way back needs A⁻¹ B and A⁻¹ of the moment; the body itself is of no more use.
        results |= {"self.B": flat(transposed((X[0], X[1], X[2]))), "self.n": y}
    elif kind == "free":
        # Whatever moves freely takes all its driving force from its parent, and no more.
        R = matrix(x["self.R"])
        _, pivots = factors(_whole(A, B, M))
        flag = _count(
            less_equal(pivot, times(SINGULAR, size_A if i < 3 else size_M)) for i, pivot in enumerate(pivots)
        )
        A, B, M, cw, ca = NOTHING, NOTHING, NOTHING, ZERO, ZERO
        n, f = apply(R, x["tau"][:3]), apply(R, x["tau"][3:6])
    else:
        flag = 0.0
    n = add(n, apply(A, cw), apply(B, ca))
    f = add(f, back(B, cw), apply(M, ca))
    r = vector(x["self.r"])
    total = plus(flag, x["self.flag"][0])
    results |= _shifted(A, B, M, n, f, r) | {"self.flag": [total], "up+flag": [total]}
    if kind != "free":
        results["up+sizes"] = [plus(size_A, times(dot(r, r), size_M)), size_M]
    return results


def _shifted(A: Matrix, B: Matrix, M: Matrix, n: Vector, f: Vector, r: Vector) -> Results:
    """The answer of a body to accelerations of its parent's origin: a = a_P − r × α, and the force gains the arm r."""
    columns = [add(column(B, i), cross(r, M[i])) for i in range(3)]
    B_moved = transposed((columns[0], columns[1], columns[2]))
    # A − B [r]× + [r]× B_movedᵀ; rows of the second and columns of the third are vector products with r.
    second, third = [cross(r, row) for row in B], [cross(r, row) for row in B_moved]
    A_moved = [plus(A[i][j], plus(second[i][j], third[j][i])) for i, j in PLACES]
    results: Results = {"up+A": A_moved, "up+B": flat(B_moved), "up+M": six(M)}
    parts = {name: part for name, part in results.items() if any(not _is_nothing(x) for x in part)}
    return parts | {"up+n": add(n, cross(r, f)), "up+f": f}


def _accelerate(kind: Kind, x: Values) -> Results:
    """Accelerations from the ground outward."""
    before, r = vector(x["up.dw"]), vector(x["self.r"])
    dw = add(before, x["self.cw"])
    a = add(x["up.a"], cross(before, r), x["self.ca"])
    if kind in ("turn", "slide"):
        U, (gain, given) = x["self.U"], x["self.gain"]
        rate = times(gain, minus(minus(given, dot(U[:3], dw)), dot(U[3:], a)))
        d = direction(kind, x)
        dw, a = (add(dw, scale(rate, d)), a) if kind == "turn" else (dw, add(a, scale(rate, d)))
        return {"out": [rate], "self.dw": dw, "self.a": a}
    if kind == "ball":
        reached = subtract(x["self.n"], apply(matrix(x["self.B"]), a))
        return {"out": back(matrix(x["self.R"]), subtract(reached, dw)), "self.dw": reached, "self.a": a}
    if kind == "free":
        R = matrix(x["self.R"])
        whole = _whole(symmetric(x["self.A"]), matrix(x["self.B"]), symmetric(x["self.M"]))
        right = [
            *subtract(apply(R, x["tau"][:3]), x["self.n"]),
            *subtract(apply(R, x["tau"][3:6]), x["self.f"]),
        ]
        found = substitute(*factors(whole), right)
        turned, moved = vector(found[:3]), vector(found[3:])
        rates = [*back(R, subtract(turned, dw)), *back(R, subtract(moved, a))]
        return {"out": rates, "self.dw": turned, "self.a": moved}
    return {"self.dw": dw, "self.a": a}


def _carry(kind: Kind, x: Values) -> Results:
    """As `_accelerate`, and what each link alone needs for its motion."""
    results = _accelerate(kind, x)
    results.pop("out", None)
    dw, a = vector(results["self.dw"]), vector(results["self.a"])
    F, N = own_wrench(x, matrix(x["self.R"]), vector(x["self.w"]), dw, a)
    return results | {"self.F": F, "self.N": N}


def _carry_ground(kind: Kind, x: Values) -> Results:
    return _ground(kind, x) | {"self.F": ZERO, "self.N": ZERO}


def _gather(_: Kind, x: Values) -> Results:
    F = vector(x["self.F"])
    return {"up+F": F, "up+N": add(x["self.N"], cross(x["self.r"], F))}


def _loads(_: Kind, x: Values) -> Results:
    return {"loads": [*x["self.N"], *x["self.F"]]}


# --- small linear algebra -----------------------------------------------------------------------------------------


def _is_nothing(x: Scalar) -> bool:
    return isinstance(x, float) and x == 0


def _trace(S: Matrix) -> Scalar:
    return plus(plus(S[0][0], S[1][1]), S[2][2])


def _cross_matrix(s: Vector) -> Matrix:
    x, y, z = s
    return ((0.0, minus(0.0, z), y), (z, 0.0, minus(0.0, x)), (minus(0.0, y), x, 0.0))


def _less(S: Matrix, a: Vector, b: Vector) -> Matrix:
    """S − a bᵀ."""
    return (
        subtract(S[0], scale(a[0], b)),
        subtract(S[1], scale(a[1], b)),
        subtract(S[2], scale(a[2], b)),
    )


def _count(truths: Iterable[Scalar]) -> Scalar:
    """How many of the truths hold."""
    total: Scalar = 0.0
    for truth in truths:
        total = plus(total, truth)
    return total


def factors(S: Sequence[Sequence[Scalar]]) -> tuple[list[list[Scalar]], list[Scalar]]:
    """L and D of a symmetric positive definite L D Lᵀ; the diagonal of L, which is 1, is left out."""
    L: list[list[Scalar]] = []
    D: list[Scalar] = []
    for i, row in enumerate(S):
        # Entries of L D first, then those of L.
        products: list[Scalar] = []
        for j in range(i):
            entry = row[j]
            for k in range(j):
                entry = minus(entry, times(products[k], L[j][k]))
            products.append(entry)
        L.append([times(entry, 1.0 / D[j]) for j, entry in enumerate(products)])
        pivot = row[i]
        for j in range(i):
            pivot = minus(pivot, times(products[j], L[i][j]))
        D.append(pivot)
    return L, D


def substitute(L: Sequence[Sequence[Scalar]], D: Sequence[Scalar], right: Sequence[Scalar]) -> list[Scalar]:
    """X of L D Lᵀ x = right."""
    x: list[Scalar] = []
    for i, entry in enumerate(right):
        for j in range(i):
            entry = minus(entry, times(L[i][j], x[j]))
        x.append(entry)
    for i in range(len(x) - 1, -1, -1):
        x[i] = times(x[i], 1.0 / D[i])
        for j in range(i + 1, len(x)):
            x[i] = minus(x[i], times(L[j][i], x[j]))
    return x


def _whole(A: Matrix, B: Matrix, M: Matrix) -> list[list[Scalar]]:
    upper = [[*A[i], *B[i]] for i in range(3)]
    return upper + [[*column(B, i), *M[i]] for i in range(3)]


FORWARD_DYNAMICS = Recursion(
    inputs=("q", "v", "tau"),
    sweeps=(
        Sweep(step=_ground, order="ground"),
        Sweep(step=_outward),
        Sweep(step=_inward, inward=True),
        Sweep(step=_accelerate),
    ),
    flagged=True,
)

REACTIONS = Recursion(
    inputs=("q", "v", "tau"),
    sweeps=(
        Sweep(step=_carry_ground, order="ground"),
        Sweep(step=_outward),
        Sweep(step=_inward, inward=True),
        Sweep(step=_carry),
        Sweep(step=_gather, inward=True),
        Sweep(step=_loads, order="bodies"),
    ),
    merge=False,
    flagged=True,
)
