"""What a caller asks for → the work: names become axes, and everything that is wrong is said before the first run."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles._batch_loop import PRIME
from sistel.ensembles._work import Axis, Blueprint, Options, Work
from sistel.errors import SistelError, Text, did_you_mean, one_of, refuse, refuse_name
from sistel.kernels import as_reals
from sistel.model import Model

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


CHUNK = 4096
"""Runs of a chunk: some tenths of a second of work, some hundred kilobytes of results."""
DEVICE_CHUNK = 1 << 18
"""The same where a device does them: some for each of its threads."""
MOST_RUNS = 1_000_000_000
METHODS = ("auto", "taylor", "radau")


def chunk_of(device: str | None) -> int:
    """Runs of a chunk, where a caller does not say."""
    return CHUNK if device is None else DEVICE_CHUNK


def options_of(
    model: Model,
    *,
    until: float,
    events: int | None,
    stop: Collection[str] | str,
    structure: str | None,
    tolerance: float,
    method: str,
    longest: float,
    steps: int,
    kept: int,
) -> Options:
    """How every run is done.

    Raises:
        SistelError: With what is wrong.
    """
    names = [each.name for each in model.structures]
    ends = (stop,) if isinstance(stop, str) else tuple(stop)
    begin = model.start_structure if structure is None else structure
    for name in (begin, *ends):
        if name not in names:
            refuse_name(Text("structure", "структуры"), name, names)
    if not math.isfinite(until):
        refuse("bad-number", Text("until is a finite time", "until — конечное время"))
    if not 0.0 < tolerance < 1.0 or not longest > 0.0:
        refuse(
            "bad-number",
            Text("tolerance lies between 0 and 1, longest is positive", "tolerance — между 0 и 1, longest — больше 0"),
        )
    if method not in METHODS:
        refuse(
            "bad-method",
            Text(f"there is no method {method!r} here", f"здесь нет метода {method!r}"),
            expected=one_of(METHODS),
        )
    for word, number, least in (("events", events, 1), ("steps", steps, 1), ("kept", kept, 0)):
        if number is not None and (int(number) != number or not least <= number < PRIME):
            refuse(
                "bad-number",
                Text(f"{word} is a whole number from {least} on", f"{word} — целое число, не меньше {least}"),
            )
    return Options(
        until=float(until),
        structure=begin,
        tolerance=max(float(tolerance), 2.0**-52),
        method=method,
        longest=float(longest),
        most_events=PRIME if events is None else int(events),
        most_steps=int(steps),
        stop=tuple(dict.fromkeys(ends)),
        kept=int(kept),
    )


def work_of(
    blueprint: Blueprint,
    model: Model,
    options: Options,
    initial: Mapping[str, ArrayLike],
    parameters: Mapping[str, ArrayLike],
    grid: bool,
    chunk: int,
) -> Work:
    """The whole of an ensemble.

    Raises:
        SistelError: With what is wrong.
    """
    axes: list[Axis] = []
    for name, given in initial.items():
        axes += _initial(model, name, given)
    known = {parameter.name: parameter for parameter in model.parameters}
    for name, given in parameters.items():
        if name not in known:
            refuse(
                "unknown-name",
                Text(f'there is no parameter "{name}"', f"нет параметра «{name}»"),
                expected=one_of(list(known))
                if known
                else Text("the file declares no parameters", "в файле нет параметров"),
                hint=did_you_mean(name, known),
            )
        parameter, values = known[name], _numbers(name, given, 1)
        low = -math.inf if parameter.minimum is None else float(parameter.minimum)
        high = math.inf if parameter.maximum is None else float(parameter.maximum)
        if ((values < low) | (values > high)).any():
            refuse(
                "beyond-limits",
                Text(
                    f'values of "{name}" lie outside the limits of the file, {low:g} to {high:g}',
                    f"значения «{name}» вне пределов, которые даёт файл: от {low:g} до {high:g}",
                ),
            )
        axes.append(Axis("p", name, -1, values))
    twice = [axis.name for i, axis in enumerate(axes) if (axis.kind, axis.place, axis.name) in _keys(axes[:i])]
    if twice:
        refuse("twice", Text(f'"{twice[0]}" is given twice', f"«{twice[0]}» задано дважды"))
    shape, axes = _shaped(axes, grid)
    if not 1 <= int(chunk) < PRIME or math.prod(shape) > MOST_RUNS:
        refuse(
            "bad-number",
            Text(f"at most {MOST_RUNS:,} runs, in chunks of one or more", f"не больше {MOST_RUNS} запусков"),
        )
    return Work(blueprint, options, tuple(axes), shape, int(chunk))


def _keys(axes: list[Axis]) -> set[tuple[str, int, str]]:
    return {(axis.kind, axis.place, axis.name) for axis in axes}


def _shaped(axes: list[Axis], grid: bool) -> tuple[tuple[int, ...], list[Axis]]:
    if grid:
        single = [axis for axis in axes if len(axis.values) == 1]
        if len(axes) > 1 and single:
            axes = [*(axis for axis in axes if len(axis.values) != 1), *single]
        return tuple(len(axis.values) for axis in axes) or (1,), axes
    lengths = {len(axis.values) for axis in axes} - {1} or {1}
    if len(lengths) > 1:
        said = ", ".join(f"{axis.name}: {len(axis.values)}" for axis in axes)
        refuse(
            "bad-shape",
            Text(f"arrays of different lengths: {said}", f"массивы разной длины: {said}"),
            expected=Text("one value a run, or grid=True", "по значению на запуск или grid=True"),
        )
    count = lengths.pop()
    return (count,), [Axis(a.kind, a.name, a.place, np.broadcast_to(a.values, count)) for a in axes]


def _initial(model: Model, name: str, given: ArrayLike) -> list[Axis]:
    """The axes of a name: a coordinate, a velocity (name.rate), all of them ("q", "v"), or the time ("t")."""
    coordinates = {word: i for i, word in enumerate(model.coordinate_names)}
    rates = {f"{word}.rate": i for i, word in enumerate(model.rate_names)}
    if name in coordinates:
        return [Axis("q", name, coordinates[name], _numbers(name, given, 1))]
    if name in rates:
        return [Axis("v", name, rates[name], _numbers(name, given, 1))]
    if name == "t":
        return [Axis("t", name, -1, _numbers(name, given, 1))]
    if name in ("q", "v"):
        words = list(coordinates if name == "q" else rates)
        rows = _numbers(name, given, 2)
        if rows.shape[1] != len(words):
            refuse(
                "bad-shape",
                Text(f"{name} has the shape (runs, {len(words)})", f"{name} имеет форму (запуски, {len(words)})"),
            )
        return [Axis(name, word, i, np.ascontiguousarray(rows[:, i])) for i, word in enumerate(words)]
    known = [*coordinates, *rates, "t"]
    return refuse_name(Text("coordinate or velocity", "координаты или скорости"), name, known)


def _numbers(name: str, given: ArrayLike, axes: int) -> Array:
    try:
        values = np.array(as_reals(name, given))
    except SistelError as problem:
        en, ru = problem.diagnostics[0].message
        refuse("bad-array", Text(f"{name} is not an array of numbers; {en}", f"{name} — не массив чисел; {ru}"))
    if values.ndim < axes:
        values = values.reshape((1,) * (axes - values.ndim) + values.shape)
    if values.ndim != axes or not values.size:
        refuse(
            "bad-shape",
            Text(f"{name} has {values.ndim} axes instead of {axes}, or is empty", f"{name}: не та форма или пусто"),
        )
    values.setflags(write=False)
    return values
