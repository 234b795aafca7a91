"""Functions of arrays, under NumPy's names but for those that Python has itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from types import SimpleNamespace

from sistel.studio.browser.arrays import _array
from sistel.studio.browser.arrays._array import (
    KINDS,
    ORDER,
    Axis,
    Value,
    joined,
    ndarray,
    product_of,
    spread,
    spread_shape,
)

asarray, _nonzero = _array.array, _array.nonzero
__version__ = "0"
pi, inf, nan, newaxis = math.pi, math.inf, math.nan, None
float64, int64, intp, int32, bool_, uint8, uint64 = float, int, int, int, bool, int, int
KINDS |= {"uint8": "q", "int32": "q"}
generic = ()
integer, floating = int, float
asanyarray = ascontiguousarray = asarray


class dtype:
    """How NumPy keeps numbers; nothing here does."""

    def __init__(self, *how: object) -> None:
        self.how = how
        self.itemsize = 8


def finfo(kind: object = float) -> SimpleNamespace:
    """What doubles can hold."""
    return SimpleNamespace(eps=2.0**-52, tiny=2.0**-1022, max=1.7976931348623157e308)


@contextmanager
def errstate(**how: str) -> Iterator[None]:
    """What IEEE says of impossible operations is said without a warning anyway."""
    yield


# Made -----------------------------------------------------------------------------------------------------------------


def array(value: Value, dtype: object = None, copy: bool = True) -> ndarray:
    """Numbers, or lists of them, in an array of its own."""
    made = asarray(value, dtype)
    return made.copy() if made is value else made


def full(shape: Value, value: Value, dtype: object = None) -> ndarray:
    """All the same."""
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)
    one = asarray(value, dtype)
    return spread(one, wanted).copy()


def zeros(shape: Value, dtype: object = float) -> ndarray:
    """Nothing but zero."""
    return full(shape, 0, dtype)


def ones(shape: Value, dtype: object = float) -> ndarray:
    """Nothing but one."""
    return full(shape, 1, dtype)


empty = zeros


def full_like(like: Value, value: Value) -> ndarray:
    """All the same, in the shape of something else."""
    other = asarray(like)
    return full(other.shape, value, other.kind)


def zeros_like(like: Value, dtype: object = None) -> ndarray:
    """Zeros in the shape of something else."""
    other = asarray(like)
    return full(other.shape, 0, dtype or other.kind)


def ones_like(like: Value) -> ndarray:
    """Ones in the shape of something else."""
    return full_like(like, 1)


empty_like = zeros_like


def eye(n: int, m: int | None = None) -> ndarray:
    """The identity."""
    return asarray([[float(i == j) for j in range(n if m is None else m)] for i in range(n)], float)


identity = eye


def arange(*limits: Value) -> ndarray:
    """Numbers at even distances."""
    start, stop, step = limits if len(limits) == 3 else (*limits, 1) if len(limits) == 2 else (0, limits[0], 1)
    if all(isinstance(x, int) for x in (start, stop, step)):
        return asarray(list(range(start, stop, step)), int)
    return asarray([start + i * step for i in range(max(0, math.ceil((stop - start) / step)))], float)


def linspace(start: float, stop: float, num: int = 50) -> ndarray:
    """So many numbers from one to another, both included."""
    if num == 1:
        return asarray([float(start)], float)
    step = (stop - start) / (num - 1)
    return asarray([*(start + i * step for i in range(num - 1)), float(stop)][:num], float)


# Joined and turned ----------------------------------------------------------------------------------------------------


def concatenate(parts: Sequence[Value], axis: int = 0) -> ndarray:
    """One after the other, along an axis."""
    some = [asarray(part) for part in parts]
    kind = ORDER[max(ORDER.index(each.kind) for each in some)]
    place = axis % some[0].ndim
    rest = [n for a, n in enumerate(some[0].shape) if a != place]
    turned = [each.transpose(place, *(a for a in range(each.ndim) if a != place)) for each in some]
    if any(list(each.shape[1:]) != rest for each in turned):
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    numbers = [x for each in turned for x in each.numbers()]
    joined_ = ndarray(numbers, (sum(len(each) for each in turned), *rest), kind)
    order = list(range(1, joined_.ndim))
    order.insert(place, 0)
    return joined_.transpose(*order).copy()


def stack(parts: Sequence[Value], axis: int = 0) -> ndarray:
    """Side by side along a new axis."""
    some = [asarray(part) for part in parts]
    place = axis % (some[0].ndim + 1)
    return concatenate([expand_dims(each, place) for each in some], place)


def vstack(parts: Sequence[Value]) -> ndarray:
    """Rows over rows."""
    return concatenate([each[None, :] if each.ndim == 1 else each for each in map(asarray, parts)])


def hstack(parts: Sequence[Value]) -> ndarray:
    """Columns beside columns."""
    some = [asarray(part) for part in parts]
    return concatenate(some, 0 if some[0].ndim == 1 else 1)


def column_stack(parts: Sequence[Value]) -> ndarray:
    """Columns beside columns; rows become columns."""
    return concatenate([each[:, None] if each.ndim == 1 else each for each in map(asarray, parts)], 1)


def expand_dims(given: Value, axis: int) -> ndarray:
    """With a new axis."""
    some = asarray(given)
    place = axis % (some.ndim + 1)
    made: ndarray = some[(*[slice(None)] * place, None)]
    return made


def atleast_2d(given: Value) -> ndarray:
    """At least rows and columns."""
    some = asarray(given)
    return some.reshape(1, -1) if some.ndim < 2 else some


def atleast_1d(given: Value) -> ndarray:
    """At least a row."""
    some = asarray(given)
    return some.reshape(1) if not some.ndim else some


def tile(given: Value, times: Value) -> ndarray:
    """The same again and again."""
    some, counts = asarray(given), list(times) if isinstance(times, (tuple, list)) else [times]
    counts = [1] * (some.ndim - len(counts)) + counts
    some = some.reshape([1] * (len(counts) - some.ndim) + list(some.shape))
    for axis, count in enumerate(counts):
        if count != 1:
            some = concatenate([some] * count, axis) if count else some[(*[slice(None)] * axis, slice(0, 0))]
    return some.copy()


def repeat(given: Value, times: int, axis: int = 0) -> ndarray:
    """Each number several times."""
    some = asarray(given)
    made: ndarray = some[(*[slice(None)] * axis, [i for i in range(some.shape[axis]) for _ in range(times)])]
    return made


def moveaxis(given: Value, source: int, target: int) -> ndarray:
    """With an axis elsewhere."""
    some = asarray(given)
    order = [a for a in range(some.ndim) if a != source % some.ndim]
    order.insert(target % some.ndim, source % some.ndim)
    return some.transpose(*order)


def swapaxes(given: Value, first: int, second: int) -> ndarray:
    """With two axes in each other's place."""
    some = asarray(given)
    return some.swapaxes(first % some.ndim, second % some.ndim)


def transpose(given: Value) -> ndarray:
    """With its axes in the other order."""
    return asarray(given).T


def reshape(given: Value, shape: Value) -> ndarray:
    """In another shape."""
    return asarray(given).reshape(shape)


def broadcast_to(given: Value, shape: Value) -> ndarray:
    """Seen in a larger shape."""
    return spread(asarray(given), tuple(shape))


broadcast_shapes = spread_shape


def ndindex(*shape: int) -> Iterator[tuple[int, ...]]:
    """The places of all numbers of a shape."""
    return product(*map(range, shape))


def meshgrid(*given: Value, indexing: str = "xy") -> list[ndarray]:
    """The coordinates of all nodes of a grid."""
    some = [asarray(each) for each in given]
    shape = tuple(len(each) for each in some)
    made = [
        spread(each.reshape([-1 if a == place else 1 for a in range(len(some))]), shape).copy()
        for place, each in enumerate(some)
    ]
    return [each.swapaxes(0, 1) for each in made] if indexing == "xy" and len(some) > 1 else made


def broadcast_arrays(*given: Value) -> list[ndarray]:
    """All seen in the shape that they spread to."""
    some = [asarray(each) for each in given]
    shape = spread_shape(*(each.shape for each in some))
    return [spread(each, shape) for each in some]


# Functions of numbers -------------------------------------------------------------------------------------------------


def _each(function: Callable[[Value], Value], kind: str | None = "d") -> Callable[[Value], Value]:
    def of(given: Value) -> Value:
        if isinstance(given, (ndarray, list, tuple)):
            some = asarray(given).each(function, kind)
            return some if some.shape else some.item()
        return function(given)

    return of


def _root(x: float) -> float:
    return math.sqrt(x) if x >= 0.0 else math.nan


def _grown(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _finite_or(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: function(x) if math.isfinite(x) else math.nan


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf if x == 0.0 else math.nan


def _sign(x: float) -> float:
    return x if x != x else float((x > 0) - (x < 0))


def _rounded(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: float(function(x)) if math.isfinite(x) else x


sqrt, exp, log = _each(_root), _each(_grown), _each(_logarithm)
cos, sin, tan = _each(_finite_or(math.cos)), _each(_finite_or(math.sin)), _each(_finite_or(math.tan))
arctan, tanh = _each(math.atan), _each(math.tanh)
arccos = _each(lambda x: math.acos(x) if -1.0 <= x <= 1.0 else math.nan)
arcsin = _each(lambda x: math.asin(x) if -1.0 <= x <= 1.0 else math.nan)
degrees = rad2deg = _each(math.degrees)
radians = deg2rad = _each(math.radians)
isfinite, isnan, isinf = _each(math.isfinite, "?"), _each(math.isnan, "?"), _each(math.isinf, "?")
size_of = absolute = fabs = _each(lambda x: -x if x < 0 else x + 0, None)
floor, ceil = _each(_rounded(math.floor)), _each(_rounded(math.ceil))
rint = _each(_rounded(round))
sign = _each(_sign)
square = _each(lambda x: x * x, None)
logical_not = _each(lambda x: not x, "?")


def rounded(given: Value, decimals: int = 0) -> Value:
    """With so many digits after the point."""
    return _each(lambda x: round(x, decimals) if math.isfinite(x) else x)(given)


around = rounded


def _both(function: Callable[[Value, Value], Value], kind: str | None = None) -> Callable[[Value, Value], Value]:
    return lambda a, b: joined(function, a, b, kind)


def _least(a: Value, b: Value) -> Value:
    return a if a != a or a < b else b


def _most(a: Value, b: Value) -> Value:
    return a if a != a or a > b else b


minimum, maximum = _both(_least), _both(_most)
arctan2, hypot = _both(math.atan2, "d"), _both(math.hypot, "d")
remainder = mod = _both(_array.floor_mod)
power = _both(_array.power)
copysign = _both(math.copysign, "d")
logical_and = _both(lambda a, b: bool(a and b), "?")
logical_or = _both(lambda a, b: bool(a or b), "?")
add, subtract = _both(lambda a, b: a + b), _both(lambda a, b: a - b)
multiply = _both(lambda a, b: a * b)


def where(choice: Value, a: Value = None, b: Value = None) -> Value:
    """One or the other, by a condition; the places where it holds without others."""
    if a is None:
        return tuple(_nonzero(asarray(choice)))
    which, p, q = broadcast_arrays(choice, a, b)
    kind = ORDER[max(ORDER.index(p.kind), ORDER.index(q.kind))]
    made = [x if c else y for c, x, y in zip(which.numbers(), p.numbers(), q.numbers(), strict=True)]
    return ndarray(made, which.shape, kind)


def clip(given: Value, low: Value, high: Value) -> Value:
    """No less and no more than limits."""
    return minimum(maximum(given, low), high)


def nan_to_num(given: Value, nan: float = 0.0) -> Value:
    """Numbers in the place of what is none."""
    return _each(lambda x: nan if x != x else x)(given)


# Over all or along an axis --------------------------------------------------------------------------------------------


def sum_of(given: Value, axis: Axis = None, keepdims: bool = False) -> Value:
    """Sums."""
    return asarray(given).sum(axis, keepdims)


def mean(given: Value, axis: Axis = None) -> Value:
    """Means."""
    return asarray(given).mean(axis)


def least_of(given: Value, axis: Axis = None, initial: Value = None) -> Value:
    """The smallest numbers."""
    return asarray(given).min(axis, initial)


def most_of(given: Value, axis: Axis = None, initial: Value = None) -> Value:
    """The largest numbers."""
    return asarray(given).max(axis, initial)


amin, amax = least_of, most_of


def ptp(given: Value, axis: Axis = None) -> Value:
    """From the smallest to the largest."""
    return asarray(given).max(axis) - asarray(given).min(axis)


def all_of(given: Value, axis: Axis = None) -> Value:
    """Whether all are true."""
    return asarray(given).all(axis)


def any_of(given: Value, axis: Axis = None) -> Value:
    """Whether one is true."""
    return asarray(given).any(axis)


def argmin(given: Value, axis: Axis = None) -> Value:
    """Where the smallest is."""
    return asarray(given).argmin(axis)


def argmax(given: Value, axis: Axis = None) -> Value:
    """Where the largest is."""
    return asarray(given).argmax(axis)


def prod(given: Value, axis: Axis = None) -> Value:
    """Products."""
    return asarray(given).prod(axis)


def cumsum(given: Value) -> ndarray:
    """Sums of all up to each."""
    return asarray(given).cumsum()


def diff(given: Value, axis: int = -1) -> ndarray:
    """From each to the next."""
    some = asarray(given)
    last = moveaxis(some, axis, 0)
    return moveaxis(last[1:] - last[:-1], 0, axis)


def flatnonzero(given: Value) -> ndarray:
    """Where numbers are not zero, counted through."""
    return _nonzero(asarray(given).ravel())[0]


def nonzero(given: Value) -> tuple[ndarray, ...]:
    """Where numbers are not zero."""
    return tuple(_nonzero(asarray(given)))


def argsort(given: Value, kind: str | None = None) -> ndarray:
    """The places in the order of the numbers."""
    numbers = asarray(given).numbers()
    return asarray(sorted(range(len(numbers)), key=numbers.__getitem__), int)


def sort(given: Value) -> ndarray:
    """In order."""
    return asarray(sorted(asarray(given).numbers()))


def unique(given: Value) -> ndarray:
    """In order, each once."""
    return asarray(sorted(set(asarray(given).numbers())))


def isclose(a: Value, b: Value, rtol: float = 1e-5, atol: float = 1e-8) -> Value:
    """Whether numbers are near each other."""
    return joined(lambda x, y: x == y or math.fabs(x - y) <= atol + rtol * math.fabs(y), a, b, "?")


def allclose(a: Value, b: Value, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    """Whether all are near each other."""
    return bool(asarray(isclose(a, b, rtol, atol)).all())


def array_equal(a: Value, b: Value) -> bool:
    """Whether shapes and numbers are the same."""
    p, q = asarray(a), asarray(b)
    return p.shape == q.shape and p.numbers() == q.numbers()


# Vectors and matrices -------------------------------------------------------------------------------------------------


def matmul(a: Value, b: Value) -> Value:
    """The product of matrices."""
    return product_of(asarray(a), asarray(b))


dot = matmul


def vdot(a: Value, b: Value) -> Value:
    """The product of all numbers of one with those of the other."""
    return asarray(a).ravel() @ asarray(b).ravel()


def outer(a: Value, b: Value) -> ndarray:
    """Every number of one by every number of the other."""
    made: ndarray = asarray(a).ravel()[:, None] * asarray(b).ravel()[None, :]
    return made


def cross(a: Value, b: Value) -> ndarray:
    """The vector product."""
    p, q = asarray(a), asarray(b)
    x, y, z = (p[..., i] for i in range(3))
    u, v, w = (q[..., i] for i in range(3))
    return stack([y * w - z * v, z * u - x * w, x * v - y * u], -1)


def diag(given: Value) -> ndarray:
    """The diagonal of a matrix, or a matrix with a diagonal."""
    some = asarray(given)
    if some.ndim == 2:
        return asarray([some[i, i] for i in range(len(some) if len(some) < some.shape[1] else some.shape[1])])
    return asarray([[x if i == j else 0.0 for j in range(len(some))] for i, x in enumerate(some.tolist())])


def trace(given: Value) -> Value:
    """The sum of the diagonal."""
    return diag(given).sum()


def tril(given: Value, k: int = 0) -> ndarray:
    """What is below the diagonal, and on it."""
    return asarray(
        [[x if j <= i + k else 0.0 for j, x in enumerate(row)] for i, row in enumerate(asarray(given).tolist())]
    )


def triu(given: Value, k: int = 0) -> ndarray:
    """What is above the diagonal, and on it."""
    return asarray(
        [[x if j >= i + k else 0.0 for j, x in enumerate(row)] for i, row in enumerate(asarray(given).tolist())]
    )


def einsum(how: str, *given: Value) -> Value:
    """Sums of products by the letters of axes."""
    inputs, _, output = how.replace(" ", "").partition("->")
    letters = inputs.split(",")
    known: dict[str, int] = {}
    some = [asarray(each) for each in given]
    for each, names in zip(some, letters, strict=True):
        if len(names) != each.ndim:
            raise NotImplementedError(f"einsum {how}")
        known |= dict(zip(names, each.shape, strict=True))
    order = [*output, *(name for name in known if name not in output)]
    shape = tuple(known[name] for name in order)
    made: Value = 1.0
    for each, names in zip(some, letters, strict=True):
        turned = each.transpose(*(names.index(name) for name in order if name in names))
        made = made * turned[tuple(slice(None) if name in names else None for name in order)]
    rest = tuple(range(len(output), len(order)))
    whole = spread(asarray(made), shape)
    return whole.sum(axis=rest) if rest else whole.copy()


divide = true_divide = _both(_array.true_divide, "d")
negative = _each(lambda x: -x, None)
less, greater = _both(lambda a, b: a < b, "?"), _both(lambda a, b: a > b, "?")
less_equal, greater_equal = _both(lambda a, b: a <= b, "?"), _both(lambda a, b: a >= b, "?")
equal, not_equal = _both(lambda a, b: a == b, "?"), _both(lambda a, b: a != b, "?")
