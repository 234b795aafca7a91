"""Which closed form the inverse kinematics of an arm has, by the axes of its joints alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms._chains import axes_at_zero
from sistel.arms.closed_forms._forms import Joint, Parallel, Wrist, numbers_of, put
from sistel.arms.closed_forms._layout import BACKWARDS, CHAIN, FREE, HOME
from sistel.arms.closed_forms._positions import NEAR
from sistel.errors import Text
from sistel.model import Frame
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.model import Body, Model
    from sistel.pose import Rotation, Vector3


@record
class ClosedForm:
    """The inverse kinematics of a frame, all branches, as machine code goes by it: see `_layout`."""

    name: Text
    """What arm it is."""
    plan: Whole
    numbers: Array
    branches: int
    """How many there are at most."""


def closed_form(
    model: Model, place: tuple[int, Vector3, Rotation], weights: Sequence[float], count: int
) -> ClosedForm | Text:
    """The closed form for a frame and a task; or why there is none.

    Args:
        model: The description.
        place: Body, place in it [m] and axes of the frame.
        weights: Of the task, six.
        count: How many coordinates move the frame.
    """
    number, p, R = place
    chain: list[Body] = []
    while number:
        chain.insert(0, model.bodies[number - 1])
        number = chain[0].base
    odd = [body for body in chain if body.joint.type.key not in ("revolute", "prismatic", "fixed")]
    if odd:
        return Text(
            f'the joint of "{odd[0].name}" is neither a hinge nor a slide',
            f"сочленение «{odd[0].name}» — не шарнир и не ход",
        )
    if not 3 <= count <= 6:
        return Text(
            f"closed forms are known for arms of 3 to 6 joints, and here {count} move the frame",
            f"замкнутые решения известны для рук с 3–6 сочленениями, а здесь репер двигают {count}",
        )
    axes, home = axes_at_zero(Frame(name="", body=place[0], p_BF=p, R_BF=R, span=chain[-1].span), chain)
    joints = tuple(
        Joint(hinge=body.joint.type.key == "revolute", point=point, axis=axis / np.linalg.norm(axis))
        for point, axis, body in axes
    )
    size = _size(joints, home)
    if _rank(joints, size) < len(joints):
        return Text(
            "its joints do not move it in as many ways as there are joints",
            "сочленений больше, чем движений, которые они дают реперу",
        )
    free = _free(joints, home, tuple(bool(weight) for weight in weights), size)
    if isinstance(free, Text):
        return free
    found = _form(joints, home[:3, 3], not any(weights[:3]), size)
    if found is None:
        return Text(
            "no closed form is known for it: neither do the axes behind (or before) three joints meet in a point, nor"
            " are the second to fourth axes (or those from the tool) parallel",
            "замкнутого решения для неё нет: ни оси за тремя сочленениями (или перед ними) не сходятся в точке, ни"
            " вторая, третья и четвёртая оси (или такие же от инструмента) не параллельны",
        )
    name, form, backwards = found
    plan, numbers = form.packed(len(joints))
    plan[[BACKWARDS, FREE]] = backwards, free
    put(numbers, HOME, home[:3, :3].T, -home[:3, :3].T @ home[:3, 3])
    put(numbers, CHAIN, *map(numbers_of, joints))
    return ClosedForm(name=name, plan=plan, numbers=numbers, branches=form.branches)


def _form(joints: tuple[Joint, ...], p: Array, place: bool, size: float) -> tuple[Text, Wrist | Parallel, bool] | None:
    """What arm it is, its form, and whether that is seen from the tool; `place` for the place of the frame alone."""
    if place or len(joints) == 3:
        three = Wrist(joints=joints[:3], centre=p, size=size)
        name = Text("three joints", "три сочленения")
        return (name, three, False) if _places(joints[:3], p, size) else None
    back = tuple(joint.backwards() for joint in reversed(joints))
    makers: tuple[Callable[[tuple[Joint, ...], float], Wrist | Parallel | None], ...]
    # Of five joints the parallel ones first: they know what to do above the first axis.
    makers = (_parallel, _wrist) if len(joints) == 5 else (_wrist, _parallel)
    for make in makers:
        for backwards in (False, True):
            form = make(back if backwards else joints, size)
            if form is not None:
                name = {
                    Wrist: Text("three joints and axes that meet", "три сочленения и сходящиеся оси"),
                    Parallel: Text("three parallel axes", "три параллельные оси"),
                }[type(form)]
                return name, form, backwards
    return None


def _wrist(joints: tuple[Joint, ...], size: float) -> Wrist | None:
    """The first three place a point, the others turn about it."""
    ends = joints[3:]
    if not all(joint.hinge for joint in ends):
        return None
    centre = ends[0].point if len(ends) == 1 else _meeting(ends[0], ends[1], size)
    if centre is None or any(_off(joint, centre) > NEAR * size for joint in ends):
        return None
    if len(ends) == 3 and np.linalg.norm(np.cross(ends[1].axis, ends[2].axis)) <= NEAR:
        return None
    return Wrist(joints=joints, centre=centre, size=size) if _places(joints[:3], centre, size) else None


def _parallel(joints: tuple[Joint, ...], size: float) -> Parallel | None:
    """The second to fourth axes are parallel, and those behind them are not."""
    if len(joints) not in (5, 6) or not all(joint.hinge for joint in joints):
        return None
    n = joints[1].axis
    if any(np.linalg.norm(np.cross(n, joint.axis)) > NEAR for joint in joints[2:4]):
        return None
    if any(np.linalg.norm(np.cross(n, joint.axis)) <= NEAR for joint in (joints[0], joints[4])):
        return None
    if len(joints) == 6 and np.linalg.norm(np.cross(joints[4].axis, joints[5].axis)) <= NEAR:
        return None
    centre = joints[4].point if len(joints) == 5 else _meeting(joints[4], joints[5], size)
    return Parallel(joints=joints, centre=centre, size=size)


def _free(joints: tuple[Joint, ...], home: Array, asked: tuple[bool, ...], size: float) -> int | Text:
    """How many of the last joints a task does not ask for; or why it cannot be solved so."""
    if all(asked):
        return 0
    last, p = joints[-1], home[:3, 3]
    if asked == (True, True, False, True, True, True):
        along = np.linalg.norm(np.cross(last.axis, home[:3, 2])) <= NEAR and _off(last, p) <= NEAR * size
        if last.hinge and along:
            return 1
        return Text(
            "pointing in closed form needs a last hinge whose axis is z of the frame",
            "в замкнутом виде направить можно, когда последний шарнир вращает вокруг z репера",
        )
    if asked == (False, False, False, True, True, True) and len(joints) > 3:
        ends = joints[3:]
        if all(joint.hinge and _off(joint, p) <= NEAR * size for joint in ends):
            return len(ends)
        return Text(
            "there are more joints than the place alone needs: there are endlessly many solutions",
            "сочленений больше, чем нужно для одного места: решений бесконечно много",
        )
    if asked == (False, False, False, True, True, True):
        return 0
    return Text(
        'in closed form there are the tasks "pose", "pointing" and "position"',
        "в замкнутом виде решаются задачи «pose», «pointing» и «position»",
    )


def _size(joints: Sequence[Joint], home: Array) -> float:
    """Of the arm [m]: from joint to joint to the tool, at zero."""
    points = [joint.point for joint in joints] + [home[:3, 3]]
    return max(sum(float(np.linalg.norm(b - a)) for a, b in pairwise(points)), 1e-6)


def _off(joint: Joint, p: Array) -> float:
    """How far a point is from an axis [m]."""
    return float(np.linalg.norm(np.cross(joint.axis, p - joint.point)))


def _meeting(a: Joint, b: Joint, size: float) -> Array | None:
    """Where two axes meet: the middle of what is between them."""
    normal: Array = np.cross(a.axis, b.axis)
    square = float(normal @ normal)
    if square <= NEAR**2:
        return None
    gap = b.point - a.point
    one = a.point + a.axis * float(np.cross(gap, b.axis) @ normal) / square
    two = b.point + b.axis * float(np.cross(gap, a.axis) @ normal) / square
    return 0.5 * (one + two) if np.linalg.norm(one - two) <= NEAR * size else None


def _screws(joints: Sequence[Joint], q: Array, size: float) -> Array:
    """Screws of the joints at some posture, lengths by the size of the arm, columns."""
    columns, X = [], np.eye(4)
    for joint, value in zip(joints, q.tolist(), strict=True):
        axis, point = X[:3, :3] @ joint.axis, X[:3, :3] @ joint.point + X[:3, 3]
        hinge = joint.hinge
        columns.append(np.concatenate([axis, np.cross(point, axis) / size] if hinge else [0.0 * axis, axis]))
        E = np.eye(4)
        E[:3, :3], E[:3, 3] = joint.turn(value), joint.moved(value if hinge else value * size, np.zeros(3))
        X = X @ E
    return np.column_stack(columns)


def _postures() -> Array:
    """Where an arm is looked at, to see in how many ways it moves: anywhere will do."""
    return np.random.default_rng(0).uniform(-2.0, 2.0, (4, 6))


def _rank(joints: Sequence[Joint], size: float) -> int:
    """In how many ways the joints move a body, in general."""
    found = (np.linalg.svd(_screws(joints, q[: len(joints)], size), compute_uv=False) for q in _postures())
    return max(int((values > NEAR).sum()) for values in found)


def _places(joints: Sequence[Joint], centre: Array, size: float) -> bool:
    """Whether three joints bring a point anywhere, in general."""
    best = 0.0
    for q in _postures():
        S = _screws(joints, q[:3], size)
        p = centre
        for joint, value in reversed(list(zip(joints, q[:3].tolist(), strict=True))):
            p = joint.moved(value if joint.hinge else value * size, p)
        J = S[3:] + np.cross(S[:3].T, p / size).T
        best = max(best, abs(float(np.linalg.det(J))))
    return best > NEAR
