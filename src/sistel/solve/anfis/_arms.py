"""What networks ask of a system, and what training for its joints has in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from sistel.errors import Text, refuse, refuse_name
from sistel.records import record
from sistel.solve.anfis._checks import as_count, as_numbers
from sistel.solve.anfis._learning import Epoch, Trained, train
from sistel.solve.anfis._structure import Clustering, build_network

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.solve.anfis._network import Anfis


Progress = Callable[[str, Epoch], bool | None]
"""Told the joint and its epoch; an answer of False ends all learning with the best networks so far."""
RADIUS = 0.8
"""Of subtractive clustering for arms: postures fill their box evenly, so rules overlap widely."""


class Arm(Protocol):
    """A system of bodies, as far as networks need one."""

    @property
    def model(self) -> Model:
        """The description."""

    def pose(self, q: ArrayLike, name: str) -> Any:
        """Poses of a frame, shape (..., 4, 4)."""

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Any:
        """Forces, shape (..., nv)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How networks are built and taught."""

    rules: int | Sequence[int]
    clustering: Clustering
    radius: float
    epochs: int
    step: float
    seed: int
    progress: Progress | None

    def per_joint(self, count: int) -> list[int]:
        """Rules of every network."""
        given = [self.rules] * count if isinstance(self.rules, int | np.integer) else list(self.rules)
        if len(given) != count:
            refuse(
                "bad-number",
                Text(
                    f"rules are given for {len(given)} networks of {count}",
                    f"правила даны {len(given)} сетям из {count}",
                ),
                expected=Text(f"one number, or {count}", f"одно число или {count}"),
            )
        return [as_count(each, "rules", most=10_000) for each in given]


Ends: TypeAlias = "ArrayLike | Mapping[str, float] | None"
"""Ends of ranges: of all coordinates, of those that are named, or of none; the others are the limits of the joints."""


def joint_ranges(model: Model, low: Ends, high: Ends) -> tuple[Array, Array]:
    """Ranges of all coordinates [m or rad]: those given, else of the joints; a turn without limits goes from -π to π.

    Raises:
        SistelError: The system is no open arm of turns and slides, or a slide has no limits.
    """
    kinds = [[kind for _, kind in body.joint.type.coordinates] for body in model.bodies]
    # Limits of slides in joints of several freedoms are those of a place, not of a coordinate.
    odd = any(len(each) > 1 and set(each) != {"turn"} for each in kinds)
    if odd or model.nq != model.nv or model.structure().holds or not model.nq:
        refuse(
            "no-arm",
            Text(
                f'"{model.name}" is no open chain of turns and slides',
                f"«{model.name}» — не открытая цепь из поворотов и сдвигов",
            ),
            hint=Text("networks learn arms without loops and ball joints", "сети учат руки без петель и шаровых пар"),
        )
    least, most = [], []
    for body in model.bodies:
        joint = body.joint
        for (_, kind), a, b in zip(joint.type.coordinates, joint.minimum, joint.maximum, strict=True):
            endless = math.pi if kind == "turn" else math.inf
            least.append(a if math.isfinite(a) else -endless)
            most.append(b if math.isfinite(b) else endless)
    begin, end = _ends(model, low, "low", least), _ends(model, high, "high", most)
    bad = [name for name, a, b in zip(model.coordinate_names, begin, end, strict=True) if not -np.inf < a < b < np.inf]
    if bad:
        names = ", ".join(bad[:8])
        refuse(
            "bad-range",
            Text(f"no range to learn for {names}", f"нет диапазона для обучения: {names}"),
            expected=Text("finite limits, the lower below the upper", "конечные пределы, нижний меньше верхнего"),
            hint=Text("give low and high", "задайте low и high"),
        )
    return begin, end


def _ends(model: Model, given: Ends, name: str, limits: list[float]) -> Array:
    if given is None:
        return np.array(limits)
    if not isinstance(given, Mapping):
        return _vector(given, name, model.nq)
    names = list(model.coordinate_names)
    found = np.array(limits)
    for each, value in given.items():
        if each not in names:
            refuse_name(Text("coordinate", "координаты"), str(each), names)
        found[names.index(each)] = _vector(value, name, 1)[0]
    return found


def _vector(values: ArrayLike, name: str, size: int) -> Array:
    numbers = as_numbers(values, name)
    if numbers.shape not in ((), (size,)):
        refuse(
            "bad-array",
            Text(f"{name} has the shape {numbers.shape}", f"{name} имеет форму {numbers.shape}"),
            expected=Text(f"{size} numbers", f"чисел: {size}"),
        )
    return np.broadcast_to(numbers, (size,)).copy()


def amplitudes(values: ArrayLike, name: str, size: int) -> Array:
    """Greatest sizes of rates or accelerations, all above 0."""
    found = _vector(values, name, size)
    if not (found > 0).all():
        refuse("bad-range", Text(f"{name} must be above 0", f"{name} должно быть больше 0"))
    return found


@record
class Lesson:
    """Data of one network."""

    name: str
    x: Array
    y: Array
    checks: tuple[Array, Array]


def teach(lessons: Sequence[Lesson], order: Order) -> tuple[tuple[Anfis, ...], bool]:
    """Networks of all joints, one after another, and whether learning was cut short."""
    found: list[Anfis] = []
    asked = False
    for lesson, rules in zip(lessons, order.per_joint(len(lessons)), strict=True):
        if asked:
            # Networks that nobody waits for still answer: least squares alone make them.
            found.append(_built(lesson, rules, order))
            continue
        trained = _taught(lesson, rules, order)
        asked = trained.end == "asked"
        found.append(trained.network)
    return tuple(found), asked


def _built(lesson: Lesson, rules: int, order: Order) -> Anfis:
    return build_network(
        lesson.x, lesson.y, rules=rules, clustering=order.clustering, radius=order.radius, seed=order.seed
    )


def _taught(lesson: Lesson, rules: int, order: Order) -> Trained:
    told = order.progress

    def tell(epoch: Epoch) -> bool | None:
        return None if told is None else told(lesson.name, epoch)

    network = _built(lesson, rules, order)
    return train(
        network, lesson.x, lesson.y, validation=lesson.checks, epochs=order.epochs, step=order.step, progress=tell
    )
