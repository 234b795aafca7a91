"""Curved ground of the world as lines and nets of points, as far as the file lets it be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from sistel.mechanics import formula_value
from sistel.model import Model, Shape, height_of

if TYPE_CHECKING:
    from sistel.arrays import Array


def profile_points(model: Model, shape: Shape, count: int) -> Array:
    """Places of a profile [m]: a line, shape (count, 3), in the plane; a net in space, shape (count, count, 3)."""
    import numpy as np  # pictures without curved ground need none

    gap = shape.surface
    assert gap is not None
    height = height_of(gap.expression, model.planar)
    assert height is not None
    given = {parameter.name: float(parameter.value) for parameter in model.parameters}
    ends = [(float(low), float(high)) for low, high in zip(shape.shown[::2], shape.shown[1::2], strict=True)]
    net = np.stack(np.meshgrid(*(np.linspace(low, high, count) for low, high in ends), indexing="ij"), axis=-1)
    made = np.zeros((*net.shape[:-1], 3))
    made[..., list(height.beside)] = net
    for at in np.ndindex(*net.shape[:-1]):
        place = dict(zip("xyz", made[at].tolist(), strict=True))
        try:
            value = formula_value(gap, {**given, **place, "t": model.start_time}, _never)
            assert isinstance(value, float | int)
            made[at][height.axis] = -height.sign * value
        except (ArithmeticError, ValueError):
            made[at] = np.nan  # no ground is there
    return made


def profile_lines(model: Model, shape: Shape, count: int, across: int = 9) -> list[list[tuple[float, float, float]]]:
    """A profile as lines [m]: one in the plane, in space some along either coordinate."""
    import numpy as np

    points = profile_points(model, shape, count)
    lines = [points]
    if not model.planar:
        chosen = np.unique(np.linspace(0, count - 1, across).round().astype(int))
        lines = [*(points[i] for i in chosen), *(points[:, i] for i in chosen)]
    made = []
    for line in lines:
        kept = line[np.isfinite(line).all(axis=1)]
        if len(kept) > 1:
            made.append([(float(x), float(y), float(z)) for x, y, z in kept])
    return made


def _never(*_: object) -> NoReturn:
    raise ValueError("ground that follows the state")
