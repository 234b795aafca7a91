"""Linear blocks: transfer functions, state spaces, filters, estimators.

Their numbers are constants in SI: seconds to some power. With a clock the input is taken as held between ticks, and the
matrices are those of the exact solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from sistel.errors import Text
from sistel.model.blocks._law import Block, Given, Law, Memory, joined
from sistel.model.blocks._matrices import Rows, held, product, root, rows_of, solved, steady_covariance, transposed

Wrong = tuple[str, Text] | None


def combination(factors: Sequence[float], values: Sequence[str]) -> str:
    """Σ factor · value, without what is multiplied by 0; empty where nothing is left."""
    terms = []
    for factor, value in zip(factors, values, strict=True):
        if factor:
            terms.append(value if factor == 1.0 else f"({factor!r}) * {value}")
    return joined("+", terms) if terms else ""


# --- one input, one output -------------------------------------------------------------------------------------------


def _canonical(num: Sequence[float], den: Sequence[float]) -> tuple[Rows, list[float], float]:
    """Controllable canonical form: A, C and D; B is the last unit vector."""
    order = len(den) - 1
    padded = [0.0] * (len(den) - len(num)) + list(num)
    a, b = [each / den[0] for each in den], [each / den[0] for each in padded]
    rows = [[float(j == i + 1) for j in range(order)] for i in range(order - 1)]
    if order:
        rows.append([-each for each in reversed(a[1:])])
    output = [b[order - j] - a[order - j] * b[0] for j in range(order)]
    return rows, output, b[0]


def linear_law(given: Given, num: Sequence[float], den: Sequence[float]) -> Law:
    """The law of num / den, coefficients of falling powers of s; what it remembers has the dimension of its input."""
    a, c, d = _canonical(num, den)
    names = [f"s{i + 1}" for i in range(len(a))]
    out = combination([*c, d], [*names, "(in)"]) or "0 * (in)"
    if "gain" in given:
        out = f"gain * ({out})"
    b = [[float(i == len(a) - 1)] for i in range(len(a))]
    if given.clocked:
        a, b = held(a, b, given.period)
    made = {}
    for name, row, (own,) in zip(names, a, b, strict=True):
        following = combination([*row, own], [*names, "(in)"]) or "0 * (in)"
        made[name] = Memory(like="in", following=following if given.clocked else f"({following}) / 1 s")
    return Law(out, made)


def _transfer(given: Given) -> Law:
    return linear_law(given, given.numbers["num"], given.numbers["den"])


def _transfer_wrong(given: Given) -> Wrong:
    num, den = given.numbers["num"], given.numbers["den"]
    if not den[0]:
        return "den", Text("a first coefficient other than 0", "первый коэффициент не 0")
    if len(num) > len(den):
        return "num", Text(
            f"at most {len(den)} coefficients, as many as the denominator has",
            f"не больше {len(den)} коэффициентов, сколько в знаменателе",
        )
    return None


def _second_order(given: Given) -> Law:
    """Y'' + 2 · damping · w · y' + w² · y = w² · in, w = 1 / time."""
    if given.clocked:
        (time,), (damping,) = given.numbers["time"], given.numbers["damping"]
        law = linear_law(given, [1.0], [time * time, 2.0 * damping * time, 1.0])
        if "start" not in given:
            return law
        # At rest at `start`: the canonical form holds y · time² in its first number.
        first = law.stores["s1"]
        at = Memory(like=first.like, following=first.following, start=f"start * {time * time!r}")
        return Law(law.out, {**law.stores, "s1": at})
    rate = "(in - last - 2 * damping * time * speed) / (time * time)"
    return Law(
        "last",
        {
            "last": Memory(like="in", following="speed", start="start" if "start" in given else "0"),
            "speed": Memory(like="in / time", following=rate),
        },
    )


def _notch(given: Given) -> Law:
    (time,), (damping,) = given.numbers["time"], given.numbers["damping"]
    return linear_law(given, [time * time, 0.0, 1.0], [time * time, 2.0 * damping * time, 1.0])


def _complementary(given: Given) -> Law:
    """The integral of a rate, drawn to a measured angle, the shorter way round."""
    if not given.clocked:
        start = "start" if "start" in given else "0 rad"
        apart = "atan2(sin(in - angle), cos(in - angle))"
        return Law("angle", {"angle": Memory(like="in", following=f"rate + {apart} / time", start=start)})
    start = "start" if "start" in given else "in"
    inner = {
        "ahead": f"select(ticks > 0.5, last + (rate) * period, {start})",
        "apart": "atan2(sin(in - ahead), cos(in - ahead))",
    }
    now = "ahead + apart * period / (time + period)"
    return Law(now, {"last": Memory(like="in", following=now, start="0 rad")}, inner=inner)


# --- several ---------------------------------------------------------------------------------------------------------


def _order(given: Given) -> int:
    return isqrt(given.counts.get("A", 0))


def _outputs(given: Given) -> int:
    return given.counts.get("C", 0) // max(_order(given), 1)


def _space_parts(given: Given) -> tuple[str, ...]:
    count = _outputs(given)
    return () if count == 1 and "parts" not in given.shapes else given.shape(count)


def _space(given: Given) -> Law:
    order, inputs = _order(given), given.counts["in"]
    a, b = (rows_of(given.numbers[key], width) for key, width in (("A", order), ("B", inputs)))
    c = rows_of(given.numbers["C"], order)
    d = rows_of(given.numbers["D"], inputs) if "D" in given else [[0.0] * inputs for _ in c]
    if given.clocked:
        a, b = held(a, b, given.period)
    values = [*(f"s{i + 1}" for i in range(order)), *(f"si(in_{i})" for i in range(inputs))]
    stores = {}
    for i in range(order):
        following = combination([*a[i], *b[i]], values) or "0"
        start = f"si(start_{i})" if "start" in given else "0"
        stores[f"s{i + 1}"] = Memory(
            like="", following=following if given.clocked else f"({following}) / 1 s", start=start
        )
    gain = "gain * " if "gain" in given else ""
    outs = [f"{gain}({combination([*c[i], *d[i]], values) or '0'})" for i in range(len(c))]
    names = _space_parts(given)
    return Law("", stores, dict(zip(names, outs, strict=True))) if names else Law(outs[0], stores)


def _sized(given: Given, sizes: dict[str, tuple[int, int]]) -> Wrong:
    for key, (height, width) in sizes.items():
        if key in given and given.counts[key] != height * width:
            return key, Text(
                f"{height} rows of {width} numbers: {height * width}", f"{height} × {width}: {height * width} чисел"
            )
    return None


def _space_wrong(given: Given) -> Wrong:
    order, inputs = _order(given), given.counts["in"]
    if not order or order * order != given.counts["A"]:
        return "A", Text("as many rows as columns", "столько строк, сколько столбцов")
    if given.counts["C"] % order:
        return "C", Text(f"rows of {order} numbers", f"строки по {order} чисел")
    rows = _outputs(given)
    wrong = _sized(given, {"B": (order, inputs), "D": (rows, inputs), "start": (order, 1)})
    names = given.shapes.get("parts", ())
    if wrong is None and names and len(names) != rows:
        return "parts", Text(f"{rows} names", f"имён: {rows}")
    return wrong


# --- Kalman's filter -------------------------------------------------------------------------------------------------


def _kalman_wrong(given: Given) -> Wrong:
    order, measured = _order(given), given.counts["measured"]
    if not order or order * order != given.counts["A"]:
        return "A", Text("as many rows as columns", "столько строк, сколько столбцов")
    if ("B" in given) != ("in" in given):
        return "in" if "in" in given else "B", Text("in= and B= together", "вход= и B= вместе")
    sizes = {"C": (measured, order), "Q": (order, order), "R": (measured, measured)}
    sizes |= {"B": (order, given.counts.get("in", 0)), "start": (order, 1), "covariance": (order, order)}
    wrong = _sized(given, sizes)
    if wrong is not None:
        return wrong
    a, c, q, r = _kalman_matrices(given)
    if root(r) is None or r != transposed(r):
        return "R", Text("a symmetric positive matrix", "симметричная положительная матрица")
    if q != transposed(q):
        return "Q", Text("a symmetric matrix", "симметричная матрица")
    if "covariance" not in given and steady_covariance(a, c, q, r) is None:
        return "A", Text(
            "numbers for which the covariance settles; covariance= gives one to start from",
            "числа, при которых ковариация устанавливается; ковариация= задаёт начальную",
        )
    names = given.shapes.get("parts", ())
    return ("parts", Text(f"{order} names", f"имён: {order}")) if names and len(names) != order else None


def _kalman_matrices(given: Given) -> tuple[Rows, Rows, Rows, Rows]:
    order, measured = _order(given), given.counts["measured"]
    widths = (("A", order), ("C", order), ("Q", order), ("R", measured))
    a, c, q, r = (rows_of(given.numbers[key], width) for key, width in widths)
    return a, c, q, r


def _kalman(given: Given) -> Law:
    """The estimate at a tick, from what was foreseen and what is measured; what comes next is foreseen with A and B.

    Without `covariance` the gain is that of the settled filter. With it the covariance is remembered, from that one on.
    """
    order = _order(given)
    a = _kalman_matrices(given)[0]
    inner, state = (_settled if "covariance" not in given else _settling)(given)
    following: dict[str, str] = {}
    b = rows_of(given.numbers["B"], given.counts["in"]) if "B" in given else [[] for _ in a]
    inputs = [f"si(in_{i})" for i in range(given.counts.get("in", 0))]
    for i in range(order):
        following[f"x{i + 1}"] = combination([*a[i], *b[i]], [*state, *inputs]) or "0"
    stores = {
        name: Memory(like="", following=text, start=f"si(start_{i})" if "start" in given else "0")
        for i, (name, text) in enumerate(following.items())
    }
    if "covariance" in given:
        inner_next, more = _foreseen(given)
        inner |= inner_next
        stores |= more
    return Law("", stores, dict(zip(given.shape(order), state, strict=True)), inner=inner)


def _settled(given: Given) -> tuple[dict[str, str], list[str]]:
    """Estimates with the gain P Cᵀ (C P Cᵀ + R)⁻¹ of the settled filter."""
    a, c, q, r = _kalman_matrices(given)
    p = steady_covariance(a, c, q, r)
    assert p is not None, "checked before"
    carried = product(c, p)
    spread = product(carried, transposed(c))
    spread = [[x + y for x, y in zip(one, other, strict=True)] for one, other in zip(spread, r, strict=True)]
    gain = solved(spread, carried)
    assert gain is not None, "R is positive"
    order = len(a)
    own = [f"x{i + 1}" for i in range(order)]
    inner = {f"e{k + 1}": f"si(measured_{k}) - ({combination(row, own) or '0'})" for k, row in enumerate(c)}
    errors = list(inner)
    for i in range(order):
        inner[f"y{i + 1}"] = f"x{i + 1} + ({combination([row[i] for row in gain], errors) or '0'})"
    return inner, [f"y{i + 1}" for i in range(order)]


def _pair(i: int, j: int) -> str:
    """The name of a number of a symmetric matrix."""
    return f"{min(i, j) + 1}_{max(i, j) + 1}"


def _settling(given: Given) -> tuple[dict[str, str], list[str]]:
    """Estimates by one measured number after the other: those of L⁻¹ y, R = L Lᵀ, have errors of size 1 each."""
    _, c, _, r = _kalman_matrices(given)
    lower = root(r)
    assert lower is not None, "checked before"
    white = solved(lower, c)
    mixing = solved(lower, [[float(i == j) for j in range(len(r))] for i in range(len(r))])
    assert white is not None and mixing is not None
    order = len(c[0])
    measured = [f"si(measured_{k})" for k in range(len(c))]
    state, spread = (
        [f"x{i + 1}" for i in range(order)],
        {(i, j): f"p{_pair(i, j)}" for i in range(order) for j in range(order)},
    )
    inner: dict[str, str] = {}
    for k, row in enumerate(white):
        at = f"m{k + 1}"
        for i in range(order):
            inner[f"{at}_g{i + 1}"] = combination(row, [spread[i, j] for j in range(order)]) or "0"
        inner[f"{at}_s"] = f"1 + ({combination(row, [f'{at}_g{i + 1}' for i in range(order)]) or '0'})"
        inner[f"{at}_e"] = f"({combination(mixing[k], measured) or '0'}) - ({combination(row, state) or '0'})"
        for i in range(order):
            inner[f"{at}_x{i + 1}"] = f"{state[i]} + {at}_g{i + 1} * {at}_e / {at}_s"
            for j in range(i, order):
                inner[f"{at}_p{_pair(i, j)}"] = f"{spread[i, j]} - {at}_g{i + 1} * {at}_g{j + 1} / {at}_s"
        state = [f"{at}_x{i + 1}" for i in range(order)]
        spread = {(i, j): f"{at}_p{_pair(i, j)}" for i in range(order) for j in range(order)}
    return inner, state


def _foreseen(given: Given) -> tuple[dict[str, str], dict[str, Memory]]:
    """The covariance after the tick: A P Aᵀ + Q."""
    a, c, q, _ = _kalman_matrices(given)
    order, last = len(a), len(c)
    start = rows_of(given.numbers["covariance"], order)
    inner, stores = {}, {}
    for i in range(order):
        for j in range(order):
            inner[f"f{i + 1}_{j + 1}"] = combination(a[i], [f"m{last}_p{_pair(k, j)}" for k in range(order)]) or "0"
    for i in range(order):
        for j in range(i, order):
            carried = combination(a[j], [f"f{i + 1}_{k + 1}" for k in range(order)]) or "0"
            stores[f"p{_pair(i, j)}"] = Memory(
                like="", following=f"({carried}) + ({q[i][j]!r})", start=repr(start[i][j])
            )
    return inner, stores


BLOCKS = (
    Block(
        key="transfer-function",
        needs=("in", "num", "den"),
        takes=("gain",),
        law=_transfer,
        lists=("num", "den"),
        constants=("num", "den"),
        wrong=_transfer_wrong,
    ),
    Block(
        key="second-order",
        needs=("in", "time", "damping"),
        takes=("start",),
        law=_second_order,
        sampled=("time", "damping"),
    ),
    Block(key="notch", needs=("in", "time", "damping"), takes=("gain",), law=_notch, constants=("time", "damping")),
    Block(key="complementary", needs=("in", "rate", "time"), takes=("start",), law=_complementary),
    Block(
        key="state-space",
        needs=("in", "A", "B", "C"),
        takes=("D", "gain", "start", "parts"),
        law=_space,
        parts=_space_parts,
        lists=("A", "B", "C", "D", "start"),
        constants=("A", "B", "C", "D"),
        wrong=_space_wrong,
    ),
    Block(
        key="kalman",
        needs=("measured", "A", "C", "Q", "R"),
        takes=("in", "B", "start", "covariance", "parts"),
        law=_kalman,
        parts=lambda given: given.shape(_order(given)),
        lists=("measured", "A", "B", "C", "Q", "R", "start", "covariance"),
        constants=("A", "B", "C", "Q", "R", "covariance"),
        wrong=_kalman_wrong,
        clocked=True,
    ),
)
