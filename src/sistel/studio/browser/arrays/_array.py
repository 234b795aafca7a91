"""Arrays of numbers as NumPy has them, on lists: as much of them as pages of models need where NumPy is not there.

Names, shapes, views and the rules of broadcasting are NumPy's, which tests compare with; what is not here is refused by
its name. Thousands of numbers are fine, millions are not.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

Scalar = float | int | bool
Value: TypeAlias = Any
"""A number, an array, or lists of them: functions are called with each in turn, as in Python's own `math`."""
Shape = tuple[int, ...]
Axis: TypeAlias = int | tuple[int, ...] | None
"""Along which numbers are taken together; None for all."""
Kind = str
"""Of the numbers: "?", "q" or "d", as NumPy's letters have them, or "O" for anything."""

KINDS: dict[object, Kind] = {
    float: "d",
    int: "q",
    bool: "?",
    object: "O",
    None: "d",
    "float64": "d",
    "int64": "q",
    "bool": "?",
    "d": "d",
    "q": "q",
    "?": "?",
    "O": "O",
}
CASTS: dict[Kind, Callable[[Value], Value]] = {"d": float, "q": int, "?": bool, "O": lambda x: x}
ORDER = "?qdO"
Way = Callable[["ndarray", Value], Value]


def true_divide(a: Value, b: Value) -> Value:
    """A quotient; by zero as IEEE has it."""
    try:
        return a / b
    except ZeroDivisionError:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def power(a: Value, b: Value) -> Value:
    """A power; what is no real number is none."""
    try:
        made = a**b
    except (OverflowError, ZeroDivisionError):
        return math.inf
    return math.nan if isinstance(made, complex) else made


def floor_mod(a: Value, b: Value) -> Value:
    """What is left of a quotient."""
    return a % b if b else math.nan


def _ways(function: Callable[[Value, Value], Value], kind: Kind | None = None) -> tuple[Way, Way, Way]:
    """An operator with an array on its left, on its right, and into the array itself."""

    def here(self: ndarray, other: Value) -> Value:
        return joined(function, self, other, kind)

    def there(self: ndarray, other: Value) -> Value:
        return joined(function, other, self, kind)

    def inside(self: ndarray, other: Value) -> Value:
        self[...] = joined(function, self, other)
        return self

    return here, there, inside


class ndarray:
    """Numbers in a list, seen with a shape."""

    __slots__ = ("_strides", "base", "data_", "kind", "offset", "shape")
    __array_priority__ = 100.0

    def __init__(
        self, data: list[Value], shape: Shape, kind: Kind, offset: int = 0, strides: Shape | None = None
    ) -> None:
        """Of the list of all numbers, which views share."""
        self.data_ = data
        self.shape = shape
        self.kind = kind
        self.offset = offset
        self._strides = strides if strides is not None else steps_of(shape)

    # --- what it is

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> Kind:
        """Of the numbers."""
        return self.kind

    @property
    def T(self) -> ndarray:
        """The same with its axes in the other order."""
        return ndarray(self.data_, self.shape[::-1], self.kind, self.offset, self._strides[::-1])

    @property
    def flat(self) -> list[Value]:
        """All numbers in order."""
        return self.numbers()

    @property
    def nbytes(self) -> int:
        """What they would take in NumPy."""
        return 8 * self.size

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Value]:
        return (self[i] for i in range(len(self)))

    def places(self) -> Iterable[int]:
        """Where its numbers are in the list, in order."""
        if self._strides == steps_of(self.shape):
            return range(self.offset, self.offset + self.size)
        made = [self.offset]
        for length, step in zip(self.shape, self._strides, strict=True):
            made = [place + i * step for place in made for i in range(length)]
        return made

    def numbers(self) -> list[Value]:
        """All numbers in order, as a list of their own."""
        data = self.data_
        if self._strides == steps_of(self.shape):
            return data[self.offset : self.offset + self.size]
        return [data[place] for place in self.places()]

    def tolist(self) -> Value:
        """Lists in lists."""
        numbers = self.numbers()
        if not self.shape:
            return numbers[0]
        for length in self.shape[:0:-1]:
            numbers = (
                [numbers[i : i + length] for i in range(0, len(numbers), length)]
                if length
                else [[] for _ in range(math.prod(self.shape[:-1]))]
            )
        return numbers

    def item(self) -> Value:
        """The only number."""
        (number,) = self.numbers()
        return number

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        return operator.index(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    # --- parts

    def __getitem__(self, key: Value) -> Value:
        picked = self._fancy(key)
        if picked is not None:
            places, shape = picked
            return ndarray([self.data_[place] for place in places], shape, self.kind)
        offset, shape, strides = self._part(key)
        if not shape and not (isinstance(key, tuple) and Ellipsis in [each for each in key if each is Ellipsis]):
            return self.data_[offset]
        return ndarray(self.data_, shape, self.kind, offset, strides)

    def __setitem__(self, key: Value, value: Value) -> None:
        cast = CASTS[self.kind]
        picked = self._fancy(key)
        if picked is None:
            offset, shape, strides = self._part(key)
            if not shape and not isinstance(value, (ndarray, list, tuple)):
                self.data_[offset] = cast(value)
                return
            places: Sequence[int] = list(ndarray(self.data_, shape, self.kind, offset, strides).places())
        else:
            places, shape = picked
        given = spread(array(value), shape).numbers()
        for place, number in zip(places, given, strict=True):
            self.data_[place] = cast(number)

    def _part(self, key: Value) -> tuple[int, Shape, Shape]:
        """Offset, shape and steps of a part that is given by places and slices."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if not any(each is Ellipsis for each in keys):
            keys.append(Ellipsis)
        taken = sum(each is not None and each is not Ellipsis for each in keys)
        at = next(i for i, each in enumerate(keys) if each is Ellipsis)
        if taken > len(self.shape):
            raise IndexError("too many indices for array")
        keys[at : at + 1] = [slice(None)] * (len(self.shape) - taken)
        offset, axis = self.offset, 0
        shape: list[int] = []
        strides: list[int] = []
        for each in keys:
            if each is None:
                shape.append(1)
                strides.append(0)
                continue
            length, step = self.shape[axis], self._strides[axis]
            if isinstance(each, slice):
                chosen = range(length)[each]
                offset += step * chosen.start if len(chosen) else 0
                shape.append(len(chosen))
                strides.append(step * chosen.step)
            else:
                place = operator.index(each)
                if not -length <= place < length:
                    raise IndexError(f"index {place} is out of bounds for axis {axis} with size {length}")
                offset += step * (place % length)
            axis += 1
        return offset, tuple(shape), tuple(strides)

    def _fancy(self, key: Value) -> tuple[list[int], Shape] | None:
        """Places and shape of a part that lists or arrays choose; None where none does."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if not any(isinstance(each, (ndarray, list)) for each in keys):
            return None
        found: list[Value] = []
        for each in keys:
            chosen = array(each) if isinstance(each, list) else each
            if isinstance(chosen, ndarray) and chosen.kind == "?":
                found += nonzero(chosen)
            else:
                found.append(chosen)
        if any(each is None for each in found):
            raise NotImplementedError("new axes beside chosen places")
        if any(each is Ellipsis for each in found):
            at = next(i for i, each in enumerate(found) if each is Ellipsis)
            found[at : at + 1] = [slice(None)] * (len(self.shape) - len(found) + 1)
        found += [slice(None)] * (len(self.shape) - len(found))
        lists = [each for each in found if not isinstance(each, slice)]
        shape = spread_shape(*(each.shape for each in lists if isinstance(each, ndarray)))
        spots = [i for i, each in enumerate(found) if not isinstance(each, slice)]
        if spots != list(range(spots[0], spots[0] + len(spots))):
            raise NotImplementedError("chosen places on axes apart")
        columns = [
            [operator.index(n) for n in (spread(each, shape).numbers() if isinstance(each, ndarray) else [each])]
            for each in lists
        ]
        count = math.prod(shape)
        columns = [column if len(column) == count else column * count for column in columns]
        axes: list[list[int]] = []
        whole: list[int] = []
        for axis, each in enumerate(found):
            length, step = self.shape[axis], self._strides[axis]
            if isinstance(each, slice):
                chosen_places = range(length)[each]
                axes.append([step * i for i in chosen_places])
                whole.append(len(chosen_places))
            elif axis == spots[0]:
                sums = [0] * count
                for spot, column in zip(spots, columns, strict=True):
                    length, step = self.shape[spot], self._strides[spot]
                    for i, place in enumerate(column):
                        if not -length <= place < length:
                            raise IndexError(f"index {place} is out of bounds for axis {spot} with size {length}")
                        sums[i] += step * (place % length)
                axes.append(sums)
                whole += shape
        return [self.offset + sum(each) for each in product(*axes)], tuple(whole)

    # --- the same numbers otherwise

    def copy(self) -> ndarray:
        """The same numbers in a list of their own."""
        return ndarray(self.numbers(), self.shape, self.kind)

    def astype(self, kind: object, copy: bool = True) -> ndarray:
        """The same numbers as another kind."""
        letter = KINDS[kind]
        return ndarray(list(map(CASTS[letter], self.numbers())), self.shape, letter)

    def reshape(self, *shape: Value) -> ndarray:
        """The same numbers in another shape."""
        wanted = list(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        if -1 in wanted:
            known = -math.prod(wanted)
            wanted[wanted.index(-1)] = self.size // known if known else 0
        if math.prod(wanted) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(wanted)}")
        if self._strides == steps_of(self.shape):
            return ndarray(self.data_, tuple(wanted), self.kind, self.offset)
        return ndarray(self.numbers(), tuple(wanted), self.kind)

    def ravel(self) -> ndarray:
        """In one row."""
        return self.reshape(-1)

    flatten = ravel

    def transpose(self, *axes: int) -> ndarray:
        """With its axes in another order."""
        order = axes or tuple(range(self.ndim))[::-1]
        return ndarray(
            self.data_,
            tuple(self.shape[a] for a in order),
            self.kind,
            self.offset,
            tuple(self._strides[a] for a in order),
        )

    def swapaxes(self, first: int, second: int) -> ndarray:
        """With two axes in each other's place."""
        order = list(range(self.ndim))
        order[first], order[second] = order[second], order[first]
        return self.transpose(*order)

    def fill(self, value: Scalar) -> None:
        """Make all numbers the same."""
        self[...] = value

    def setflags(self, *, write: bool) -> None:
        """Promises of NumPy's that nothing is written; nothing here writes into what others keep."""

    # --- over an axis

    def over(self, step: Callable[[list[Value]], Value], axis: Axis, keepdims: bool, kind: Kind | None = None) -> Value:
        """What a function of lists makes of all numbers, or of those along axes."""
        letter = kind or self.kind
        if axis is None:
            made = step(self.numbers())
            return ndarray([made], (1,) * self.ndim, letter) if keepdims else made
        along = {a % self.ndim for a in (axis if isinstance(axis, tuple) else (axis,))}
        rest = [a for a in range(self.ndim) if a not in along]
        turned = self.transpose(*rest, *sorted(along))
        numbers, count = turned.numbers(), math.prod(self.shape[a] for a in along)
        shape = tuple(self.shape[a] for a in rest)
        found = [step(numbers[i * count : (i + 1) * count]) for i in range(math.prod(shape))]
        if keepdims:
            shape = tuple(1 if a in along else n for a, n in enumerate(self.shape))
        return ndarray(found, shape, letter) if shape else found[0]

    def sum(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Sums."""
        return self.over(sum, axis, keepdims, "q" if self.kind == "?" else self.kind)

    def prod(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Products."""
        return self.over(math.prod, axis, keepdims)

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Means."""
        return self.over(lambda row: sum(row) / len(row), axis, keepdims, "d")

    def min(self, axis: Axis = None, initial: Value = None, keepdims: bool = False) -> Value:
        """The smallest numbers."""
        return self.over(_extreme(min, initial), axis, keepdims)

    def max(self, axis: Axis = None, initial: Value = None, keepdims: bool = False) -> Value:
        """The largest numbers."""
        return self.over(_extreme(max, initial), axis, keepdims)

    def argmin(self, axis: Axis = None) -> Value:
        """Where the smallest numbers are."""
        return self.over(lambda row: min(range(len(row)), key=row.__getitem__), axis, False, "q")

    def argmax(self, axis: Axis = None) -> Value:
        """Where the largest numbers are."""
        return self.over(lambda row: max(range(len(row)), key=row.__getitem__), axis, False, "q")

    def all(self, axis: Axis = None) -> Value:
        """Whether all are true."""
        return self.over(all, axis, False, "?")

    def any(self, axis: Axis = None) -> Value:
        """Whether one is true."""
        return self.over(any, axis, False, "?")

    def cumsum(self) -> ndarray:
        """Sums of all numbers up to each."""
        from itertools import accumulate

        return ndarray(list(accumulate(self.numbers())), (self.size,), self.kind)

    def dot(self, other: Value) -> Value:
        """The product of vectors or matrices."""
        return self @ other

    # --- arithmetic

    def __neg__(self) -> ndarray:
        return self.each(operator.neg)

    def __pos__(self) -> ndarray:
        return self.copy()

    def __abs__(self) -> ndarray:
        return self.each(abs)

    def __invert__(self) -> ndarray:
        return self.each(operator.not_ if self.kind == "?" else operator.invert)

    def each(self, function: Callable[[Value], Value], kind: Kind | None = None) -> ndarray:
        """A function of every number."""
        return ndarray(list(map(function, self.numbers())), self.shape, kind or self.kind)

    def __matmul__(self, other: Value) -> Value:
        return product_of(self, array(other))

    def __rmatmul__(self, other: Value) -> Value:
        return product_of(array(other), self)

    __add__, __radd__, __iadd__ = _ways(operator.add)
    __sub__, __rsub__, __isub__ = _ways(operator.sub)
    __mul__, __rmul__, __imul__ = _ways(operator.mul)
    __truediv__, __rtruediv__, __itruediv__ = _ways(true_divide, "d")
    __pow__, __rpow__, __ipow__ = _ways(power)
    __mod__, __rmod__, __imod__ = _ways(floor_mod)
    __floordiv__, __rfloordiv__, __ifloordiv__ = _ways(operator.floordiv)
    __and__, __rand__, __iand__ = _ways(operator.and_)
    __or__, __ror__, __ior__ = _ways(operator.or_)
    __xor__, __rxor__, __ixor__ = _ways(operator.xor)
    __lt__, __gt__ = _ways(operator.lt, "?")[0], _ways(operator.gt, "?")[0]
    __le__, __ge__ = _ways(operator.le, "?")[0], _ways(operator.ge, "?")[0]
    __eq__, __ne__ = _ways(operator.eq, "?")[0], _ways(operator.ne, "?")[0]
    __hash__ = None  # type: ignore[assignment]


def _extreme(choose: Callable[[Iterable[Value]], Value], initial: Value) -> Callable[[list[Value]], Value]:
    def found(row: list[Value]) -> Value:
        some = row if initial is None else [initial, *row]
        if not some:
            raise ValueError("zero-size array to reduction operation which has no identity")
        if any(x != x for x in some):
            return math.nan
        return choose(some)

    return found


def joined(function: Callable[[Value, Value], Value], a: Value, b: Value, kind: Kind | None = None) -> Value:
    """A function of the numbers of two arrays, of the shape that both spread to."""
    if not isinstance(a, (ndarray, list, tuple)) and not isinstance(b, (ndarray, list, tuple)):
        return function(a, b)
    p, q = array(a), array(b)
    letter = kind or ORDER[max(ORDER.index(p.kind), ORDER.index(q.kind))]
    if p.shape == q.shape:
        made = list(map(function, p.numbers(), q.numbers()))
        return ndarray(made, p.shape, letter) if p.shape else made[0]
    if not q.shape:
        number = q.numbers()[0]
        return ndarray([function(x, number) for x in p.numbers()], p.shape, letter)
    if not p.shape:
        number = p.numbers()[0]
        return ndarray([function(number, x) for x in q.numbers()], q.shape, letter)
    shape = spread_shape(p.shape, q.shape)
    return ndarray(list(map(function, spread(p, shape).numbers(), spread(q, shape).numbers())), shape, letter)


# Shapes ---------------------------------------------------------------------------------------------------------------


def steps_of(shape: Shape) -> Shape:
    """How far the neighbours along each axis are apart, where all lie side by side."""
    made, step = [], 1
    for length in reversed(shape):
        made.append(step)
        step *= length
    return tuple(reversed(made))


def spread_shape(*shapes: Shape) -> Shape:
    """The shape that all of some spread to."""
    made: list[int] = []
    for place in range(1, max((len(each) for each in shapes), default=0) + 1):
        lengths = {each[-place] for each in shapes if len(each) >= place} - {1}
        if len(lengths) > 1:
            raise ValueError("operands could not be broadcast together with shapes " + " ".join(map(str, shapes)))
        made.append(lengths.pop() if lengths else 1)
    return tuple(reversed(made))


def spread(given: ndarray, shape: Shape) -> ndarray:
    """An array seen in a larger shape; numbers along new axes are the same ones."""
    if given.shape == shape:
        return given
    if spread_shape(given.shape, shape) != shape:
        raise ValueError(f"could not broadcast input array from shape {given.shape} into shape {shape}")
    extra = len(shape) - given.ndim
    strides = (
        *([0] * extra),
        *(
            0 if length == 1 and wanted != 1 else step
            for length, step, wanted in zip(given.shape, given._strides, shape[extra:], strict=True)
        ),
    )
    return ndarray(given.data_, shape, given.kind, given.offset, strides)


def array(value: Value, dtype: object = None) -> ndarray:
    """Numbers, or lists of them, as an array; what is one already is not copied."""
    if isinstance(value, ndarray):
        return value if dtype is None or KINDS[dtype] == value.kind else value.astype(dtype)
    numbers, shape = _flattened(value)
    if dtype is not None:
        kind = KINDS[dtype]
    elif any(isinstance(x, float) for x in numbers) or not numbers:
        kind = "d"
    elif all(isinstance(x, bool) for x in numbers):
        kind = "?"
    else:
        kind = "q" if all(isinstance(x, int) for x in numbers) else "O"
    cast = CASTS[kind]
    return ndarray([cast(x) for x in numbers], shape, kind)


def _flattened(value: Value) -> tuple[list[Value], Shape]:
    if isinstance(value, ndarray):
        return value.numbers(), value.shape
    if not isinstance(value, (list, tuple, range)) and not hasattr(value, "__len__"):
        return [value], ()
    if isinstance(value, str):
        return [value], ()
    numbers: list[Value] = []
    inner: Shape | None = None
    for each in value:
        some, shape = _flattened(each)
        if inner is not None and shape != inner:
            raise ValueError("setting an array element with a sequence: the shape is not even")
        inner = shape
        numbers += some
    return numbers, (len(value), *(inner or ()))


def nonzero(given: ndarray) -> list[ndarray]:
    """Where numbers are not zero, an array an axis."""
    places = [i for i, number in enumerate(given.numbers()) if number]
    return [
        ndarray([place // step % length for place in places], (len(places),), "q")
        for length, step in zip(given.shape, steps_of(given.shape), strict=True)
    ]


def product_of(a: ndarray, b: ndarray) -> Value:
    """The product of vectors and matrices, stacks of them too."""
    p = a[None, :] if a.ndim == 1 else a
    q = b[:, None] if b.ndim == 1 else b
    if p.shape[-1] != q.shape[-2]:
        raise ValueError(f"matmul: shapes {a.shape} and {b.shape} do not fit")
    stack = spread_shape(p.shape[:-2], q.shape[:-2])
    rows, inner, columns = p.shape[-2], p.shape[-1], q.shape[-1]
    left = spread(p, (*stack, rows, inner)).numbers()
    right = spread(q.swapaxes(q.ndim - 1, q.ndim - 2), (*stack, columns, inner)).numbers()
    made: list[float] = []
    for n in range(math.prod(stack)):
        first = [left[(n * rows + i) * inner : (n * rows + i + 1) * inner] for i in range(rows)]
        second = [right[(n * columns + j) * inner : (n * columns + j + 1) * inner] for j in range(columns)]
        made += [sum(map(operator.mul, row, column)) for row in first for column in second]
    shape = [*stack, *([rows] if a.ndim > 1 else []), *([columns] if b.ndim > 1 else [])]
    return ndarray(made, tuple(shape), "d") if shape else made[0]
