"""Blocks of chains: which joints lead from a base to a frame, as numbers for routines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from sistel.errors import Diagnostics, Text
from sistel.expr import Routine, decide
from sistel.markup import Expression, Node
from sistel.markup import expressions as nodes
from sistel.model._check import constant
from sistel.model._elements import Body, Motor
from sistel.model._names import Names
from sistel.model._scope import Scope
from sistel.model.blocks import IDENTITY_POSE, REACH, Law, joined_poses, room_of
from sistel.pose import Rotation, Vector3
from sistel.records import entry
from sistel.units import ANGLE, FORCE, LENGTH, MOMENT, PLAIN

FAR = 1e300
"""For limits that do not exist: routines know no infinities in every language."""
USUAL = {"ccd": 200, "lm": 50}
"""Iterations at most."""


@entry
class Places:
    """Bodies, and places on them, by names."""

    bodies: Sequence[Body]
    spots: Mapping[str, tuple[int, Vector3, Rotation]]
    planar: bool
    motors: Sequence[Motor] = ()


class ReachReader:
    """Reads a block of inverse kinematics."""

    def __init__(
        self, node: Node, name: str, scope: Scope, names: Names, places: Places, diagnostics: Diagnostics
    ) -> None:
        """Of a block with its full name."""
        self.node, self.name, self.scope, self.names, self.places = node, name, scope, names, places
        self.diagnostics = diagnostics

    def read(self, values: Mapping[str, Sequence[Expression]]) -> tuple[Law, dict[str, Sequence[Expression]]] | None:
        """The law, and the expressions that it names; None after errors."""
        chain = self._chain()
        if chain is None:
            return None
        joints, tool = chain
        count, planar = len(values["in"]), self.places.planar
        if count not in ((2, 3) if planar else (3, 7)):
            self._error(
                "wrong-count",
                "in",
                Text("the block takes another number of values here", "здесь у блока другое число значений"),
                Text("x, y, or x, y, angle", "x, y или x, y, угол")
                if planar
                else Text("x, y, z, or x, y, z, w, x, y, z", "x, y, z или x, y, z, w, x, y, z"),
            )
            return None
        method = self.node.text("method") or "ccd"
        numbers = self._numbers(values, float(USUAL[method]))
        if numbers is None:
            return None
        turned = count > (2 if planar else 3)
        reach = sum(sum(each * each for each in joint[1:4]) ** 0.5 for joint, _ in joints)
        reach = max(reach + sum(each * each for each in tool[:3]) ** 0.5, 1e-9)
        head = [float(len(joints)), float(turned), float(method == "lm"), *numbers["iterations"], *numbers["within"]]
        data = [*head, 1.0 / reach, *tool, *(number for joint, _ in joints for number in joint)]
        routine = Routine("reach", REACH, len(joints) + (7 if turned else 3), room_of(len(joints)), data)
        return self._law(routine, [body for _, body in joints], count, turned)

    def _law(
        self, routine: Routine, joints: Sequence[Body], count: int, turned: bool
    ) -> tuple[Law, dict[str, Sequence[Expression]]]:
        span = self.node.span
        inner = {f"i{k}": f"si(in_{k})" for k in range(count)}
        aim = [f"i{k}" for k in range(count)]
        if self.places.planar:
            inner["flat"] = "0"
            aim = ["i0", "i1", "flat"]
            if turned:
                inner |= {"w": "cos(i2 / 2)", "s": "sin(i2 / 2)"}
                aim += ["w", "flat", "flat", "s"]
        given: list[Expression] = [
            nodes.Call("q", (nodes.Name(body.name.removeprefix(self.scope.prefix), span),), span, span)
            for body in joints
        ]
        given += [nodes.Name(f"{self.name}.{own}", span) for own in aim]
        made: dict[str, Sequence[Expression]] = {}
        parts = {}
        for k, body in enumerate(joints):
            dimension = ANGLE if body.joint.type.rates[0][1] == "turn" else LENGTH
            made[f"made_{k}"] = [nodes.Computed(routine, k, tuple(given), dimension, span)]
            parts[body.name.removeprefix(self.scope.prefix)] = f"made_{k}"
        for place, (own, dimension) in enumerate((("miss", LENGTH), ("askew", PLAIN), ("iterations", PLAIN))):
            made[own] = [nodes.Computed(routine, len(joints) + place, tuple(given), dimension, span)]
            parts[own] = own
        return Law("", parts=parts, inner=inner), made

    def _numbers(self, values: Mapping[str, Sequence[Expression]], most: float) -> dict[str, tuple[float, ...]] | None:
        """The tolerances, and how many iterations there are at most."""
        made: dict[str, tuple[float, ...]] = {"within": (1e-6, 1e-6), "iterations": (most,)}
        for key in ("within", "iterations"):
            if key not in values:
                continue
            found = [constant(value, self.scope, self.diagnostics) for value in values[key]]
            if any(each is None for each in found):
                return None
            numbers = tuple(float(decide(each[0])) for each in found if each is not None)
            fine = all(number > 0 and isfinite(number) for number in numbers)
            if len(numbers) != (2 if key == "within" else 1) or not fine:
                self._error(
                    "wrong-count",
                    key,
                    Text("these are no such numbers", "это не такие числа"),
                    Text('a distance and an angle: "1 mm, 0.01"', "расстояние и угол: «1 мм, 0.01»")
                    if key == "within"
                    else Text("a positive whole number", "положительное целое число"),
                )
                return None
            made[key] = numbers if key == "within" else (float(int(numbers[0])),)
        return made

    def _chain(self) -> tuple[list[tuple[list[float], Body]], list[float]] | None:
        """The joints from the base to the frame, and the frame on the last body."""
        wanted = chain_of(self.node, self.scope, self.names, self.places, self.diagnostics)
        if wanted is None:
            return None
        bodies, spot = wanted
        joints: list[tuple[list[float], Body]] = []
        fixed: tuple[float, ...] = IDENTITY_POSE
        for body in bodies:
            fixed = joined_poses(fixed, pose_of(body.p_PB, body.R_PB))
            if not body.joint.type.nq:
                continue
            slides = float(body.joint.type.rates[0][1] == "slide")
            low, high = (
                min(max(float(decide(each[0])), -FAR), FAR) for each in (body.joint.minimum, body.joint.maximum)
            )
            axis = [float(decide(each)) for each in body.joint.axis]
            joints.append(([slides, *fixed, *axis, low, high], body))
            fixed = IDENTITY_POSE
        return joints, list(joined_poses(fixed, spot))

    def _error(self, code: str, key: str, message: Text, expected: Text) -> None:
        self.diagnostics.error(code, self.node.at(key), message, expected=expected)


def chain_of(
    node: Node, scope: Scope, names: Names, places: Places, diagnostics: Diagnostics
) -> tuple[list[Body], tuple[float, ...]] | None:
    """The bodies from the base, without it, to that of a frame; and the frame on the last. None after an error."""
    span = node.at("of")
    found = names.refer(("frame", "point", "body"), node.text("of") or "", scope, span)
    if found is None:
        return None
    number, p, R = places.spots[found[1]]
    base = 0
    if "base" in node.attributes:
        carrier = names.refer(("body",), node.text("base") or "", scope, node.at("base"))
        if carrier is None:
            return None
        base = places.spots[carrier[1]][0]
    bodies: list[Body] = []
    while number not in (0, base):
        bodies.insert(0, places.bodies[number - 1])
        number = bodies[0].base
    wrong = next((body for body in bodies if body.joint.type.nq > 1), None)
    if number != base or wrong is not None or not any(body.joint.type.nq for body in bodies):
        diagnostics.error(
            "no-chain",
            span,
            Text(
                "no chain of hinges and slides leads to this",
                "к этому не ведёт цепь из шарниров и ползунов",
            ),
            expected=Text(
                "joints with one coordinate each, from the base on",
                "сочленения с одной координатой, начиная от основания",
            ),
            hint=None
            if wrong is None
            else Text(
                f'begin after body "{wrong.name}": base="{wrong.name}"',
                f'начните после тела «{wrong.name}»: основание="{wrong.name}"',
            ),
        )
        return None
    return bodies, pose_of(p, R)


def pose_of(p: Vector3, R: Rotation) -> tuple[float, ...]:
    """A place, then axes by rows."""
    return (*(float(decide(each)) for each in p), *(float(decide(each)) for row in R for each in row))


def joint_names(node: Node, scope: Scope, names: Names, places: Places) -> tuple[str, ...]:
    """The outputs of a block of inverse kinematics: its joints, then what is left."""
    found = chain_of(node, scope, names, places, Diagnostics())
    if found is None:
        return ()
    own = [body.name.removeprefix(scope.prefix) for body in found[0] if body.joint.type.nq]
    return (*own, "miss", "askew", "iterations")


EFFORTS = ("computed-torque", "gravity")
"""Kinds of blocks that tell what motors have to do."""


def motor_names(node: Node) -> tuple[str, ...]:
    """The motors of a block, as the file names them."""
    return tuple(" ".join(word.split()) for word in (node.text("motors") or "").split(","))


def read_efforts(
    node: Node, name: str, scope: Scope, names: Names, places: Places, count: int, diagnostics: Diagnostics
) -> tuple[Law, dict[str, Sequence[Expression]]] | None:
    """The law of a block that tells what motors have to do for accelerations, or at rest; None after errors.

    Args:
        node: The block.
        name: In full.
        scope: Of its file.
        names: Of the system.
        places: Bodies and motors.
        count: How many accelerations it is given.
        diagnostics: For errors.
    """
    wanted, known = motor_names(node), {motor.name: motor for motor in places.motors}
    found = [names.refer(("motor",), each, scope, node.at("motors")) for each in wanted]
    if any(each is None for each in found):
        return None
    still = node.text("kind") == "gravity"
    if count != (0 if still else len(wanted)) or len(set(wanted)) != len(wanted):
        diagnostics.error(
            "wrong-count",
            node.at("motors" if still else "in"),
            Text(f"{count} accelerations for {len(wanted)} motors", f"ускорений {count}, а приводов {len(wanted)}"),
            expected=Text("one for every motor", "по одному на привод"),
        )
        return None
    motors = [known[each[1]] for each in found if each is not None]
    rates = [places.bodies[motor.body - 1].first_v + motor.coordinate for motor in motors]
    turns = [names.motor_kinds.get(motor.name) == "turn" for motor in motors]
    # What is added is 0, and lets the dimension be checked.
    units = ["1 rad/s^2" if turn else "1 m/s^2" for turn in turns]
    inner = {f"a{i}": f"si((in_{i}) + ({unit} - {unit}))" for i, unit in enumerate(units) if not still}
    given = tuple(nodes.Name(f"{name}.{own}", node.span) for own in inner)
    values: dict[str, Sequence[Expression]] = {}
    for i, (rate, turn) in enumerate(zip(rates, turns, strict=True)):
        dimension = MOMENT if turn else FORCE
        told = () if still else tuple(rates)
        values[f"made_{i}"] = [nodes.Effort(rate, given, dimension, still, told, node.span)]
    parts = {own: f"made_{i}" for i, own in enumerate(wanted)}
    return Law("", parts=parts, inner=inner), values
