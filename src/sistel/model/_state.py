"""Initial state, postures and programmed motions."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Expression, Node
from sistel.model._assembly import MountedFile, only_one
from sistel.model._bodies import Draft
from sistel.model._elements import Body, Motion
from sistel.model._formulas import formulas
from sistel.model._model import Picture, Posture
from sistel.model._motion_files import MotionLoader, with_rows
from sistel.model._names import CoordinateRef, Names
from sistel.model.joints import CoordinateKind


def neutral(bodies: Sequence[Body]) -> tuple[list[float], list[float]]:
    """Zero coordinates (quaternions of no rotation) and zero velocities."""
    q: list[float] = []
    v: list[float] = []
    for body in bodies:
        kind = body.joint.type
        q += [1.0, 0.0, 0.0, 0.0, *[0.0] * (kind.nq - 4)] if kind.has_quaternion else [0.0] * kind.nq
        v += [0.0] * kind.nv
    return q, v


class _Filler:
    """Puts the values of one `<start>` or `<posture>` into q and v."""

    def __init__(self, bodies: Sequence[Body], names: Names, diagnostics: Diagnostics) -> None:
        self.q, self.v = neutral(bodies)
        self.names = names
        self.diagnostics = diagnostics
        self.given_q: dict[int, Span] = {}
        self.given_v: dict[int, Span] = {}

    def fill(self, node: Node, part: MountedFile) -> None:
        for item in node.open:
            target = self.names.coordinate(item.name, part.scope, item.name_span)
            if target is not None:
                self._values(target, item.values, item.rate, part, item.span)
        for child in node.of("coordinate"):
            given = child.names("of")
            target = self.names.coordinate(given[0], part.scope, child.at("of")) if given else None
            if target is not None:
                self._coordinate(child, part, target)

    def _coordinate(self, node: Node, part: MountedFile, target: CoordinateRef) -> None:
        for key, rate in (("value", False), ("rate", True)):
            value = node.get(key)
            if isinstance(value, tuple):
                items = [item for item in value if not isinstance(item, str)]
                self._values(target, items, rate, part, node.at(key))
        slot = target.slot
        if not slot.type.has_quaternion:
            for key in ("place", "turn", "quaternion", "velocity", "spin"):
                if key in node.attributes:
                    self._no_quaternion(node, key)
            return
        if {"turn", "quaternion"} & node.attributes.keys():
            span = node.at("turn" if "turn" in node.attributes else "quaternion")
            self._put(slot.first_q, part.values.quaternion(node), self.q, self.given_q, span)
        for key in ("place", "velocity"):
            if key in node.attributes and slot.type.nq != 7:
                self._no_place(node, key)
        if "place" in node.attributes and slot.type.nq == 7:
            self._put(slot.first_q + 4, part.values.place(node), self.q, self.given_q, node.at("place"))
        spin = part.values.numbers(node, "spin")
        if spin is not None:
            self._put(slot.first_v, spin, self.v, self.given_v, node.at("spin"))
        velocity = part.values.numbers(node, "velocity")
        if velocity is not None and slot.type.nv == 6:
            self._put(slot.first_v + 3, velocity, self.v, self.given_v, node.at("velocity"))

    def _no_place(self, node: Node, key: str) -> None:
        self.diagnostics.error(
            "wrong-coordinate",
            node.at(key),
            Text("a spherical joint only turns", "шаровая пара только поворачивается"),
            expected=Text("turn and spin", "поворот и вращение"),
        )

    def _no_quaternion(self, node: Node, key: str) -> None:
        self.diagnostics.error(
            "wrong-coordinate",
            node.at(key),
            Text(
                "only spatial free and spherical joints have this",
                "это есть только у пространственных свободных и шаровых пар",
            ),
            expected=Text("value and rate", "значение и скорость"),
        )

    def _values(
        self, target: CoordinateRef, items: Sequence[Expression], rate: bool, part: MountedFile, span: Span
    ) -> None:
        slot = target.slot
        if slot.type.has_quaternion and not rate and (target.index is None or target.index < 3):
            self.diagnostics.error(
                "wrong-coordinate",
                span,
                Text(
                    "the orientation of this joint is given by a coordinate element",
                    "ориентация этой пары задаётся элементом координата",
                ),
                expected=Text(
                    f'<coordinate of="{target.name}" place="…" turn="…"/>',
                    f'<координата чего="{target.name}" место="…" поворот="…"/>',
                ),
            )
            return
        if rate and target.place:
            self.diagnostics.error(
                "wrong-coordinate",
                span,
                Text(
                    "the velocity of this joint is along the axes of the body",
                    "скорость этой пары задаётся вдоль осей тела",
                ),
                expected=Text(
                    f"{slot.body}.vx.rate, {slot.body}.vy.rate or {slot.body}.vz.rate",
                    f"{slot.body}.vx.скорость, {slot.body}.vy.скорость или {slot.body}.vz.скорость",
                ),
            )
            return
        values = part.values.coordinates(items, "rate" if rate else "position", target.kinds, span)
        if values is None:
            return
        if rate:
            self._put(target.rates[0], values, self.v, self.given_v, span)
        else:
            extra = 1 if slot.type.has_quaternion else 0
            self._put(slot.first_q + extra + target.rates[0] - slot.first_v, values, self.q, self.given_q, span)

    def _put(self, first: int, values: Sequence[float], into: list[float], given: dict[int, Span], span: Span) -> None:
        for index, value in enumerate(values, first):
            if index in given and given[index].source is span.source:
                self.diagnostics.error(
                    "given-twice",
                    span,
                    Text("this coordinate is given twice", "эта координата задана дважды"),
                    related=[(given[index], Text("the first time is here", "первый раз здесь"))],
                )
                return
            given[index] = span
            into[index] = value

    def posture(self, name: str, span: Span | None) -> Posture:
        return Posture(
            name=name,
            q=tuple(self.q),
            v=tuple(self.v),
            given_q=frozenset(self.given_q),
            given_v=frozenset(self.given_v),
            span=span,
        )


def start(
    parts: list[MountedFile], bodies: Sequence[Body], names: Names, diagnostics: Diagnostics
) -> tuple[Posture, Node | None, MountedFile]:
    """The initial state, merged from all files, and the node of the main file's `<start>`."""
    filler = _Filler(bodies, names, diagnostics)
    main: Node | None = None
    # The main file comes last: what it says of a coordinate replaces what an included file says.
    for part in reversed(parts):
        for node in part.of("start"):
            if not part.included:
                if main is not None:
                    diagnostics.error(
                        "two-starts",
                        node.span,
                        Text("there are two initial states", "начальных состояний два"),
                        related=[(main.span, Text("the first is here", "первое здесь"))],
                    )
                    continue
                main = node
            filler.fill(node, part)
    return filler.posture("start", main.span if main is not None else None), main, parts[0]


def postures(
    parts: list[MountedFile], bodies: Sequence[Body], names: Names, diagnostics: Diagnostics
) -> tuple[Posture, ...]:
    """Named postures."""
    made = []
    seen: dict[str, Span] = {}
    for part in parts:
        for node in part.of("posture"):
            own = node.text("name")
            if own is None:
                continue
            name = part.scope.full(own)
            if name in seen:
                diagnostics.error(
                    "same-name",
                    node.at("name"),
                    Text(f'there are two postures "{name}"', f"две позы «{name}»"),
                    related=[(seen[name], Text("the first is here", "первая здесь"))],
                )
                continue
            seen[name] = node.at("name")
            filler = _Filler(bodies, names, diagnostics)
            filler.fill(node, part)
            made.append(filler.posture(name, node.span))
    return tuple(made)


def picture(parts: list[MountedFile], bodies: Sequence[Body], names: Names, diagnostics: Diagnostics) -> Picture | None:
    """What the main file says about its drawing."""
    twice = Text("the drawing is described twice", "рисунок описан дважды")
    node = only_one(parts[0].document.root, "drawing", "two-drawings", twice, diagnostics)
    if node is None:
        return None
    for place in node.of("place"):
        diagnostics.error(
            "misplaced",
            place.span,
            Text("places of blocks belong to a scheme", "места блоков относятся к схеме"),
            expected=Text(
                "<scheme …><drawing><place …/></drawing></scheme>", "<схема …><рисунок><место …/></рисунок></схема>"
            ),
        )
    values = parts[0].values
    filler = _Filler(bodies, names, diagnostics)
    filler.fill(node, parts[0])
    numbers = values.numbers(node, "frame")
    frame = None
    if numbers is not None and (len(numbers) != 4 or min(numbers[2:], default=0.0) <= 0.0):
        diagnostics.error(
            "bad-frame",
            node.at("frame"),
            Text("this is no window", "это не окно"),
            expected=Text("x, y, width, height; the last two more than 0", "x, y, ширина, высота; последние больше 0"),
        )
    elif numbers is not None:
        x, y, width, height = numbers
        frame = (x, y, width, height)
    size = values.optional(node, "size")
    if size is not None and size <= 0.0:
        values.negative(node, "size", size)
        size = None
    return Picture(frame=frame, size=size, posture=filler.posture("drawing", node.span), span=node.span)


def motions(
    parts: list[MountedFile],
    drafts: Sequence[Draft],
    names: Names,
    diagnostics: Diagnostics,
    loader: MotionLoader,
    moves: Sequence[Node],
    begin: float,
) -> tuple[Motion, ...]:
    """Programmed motions, of the system and of single bodies.

    A motion of an included file gives way where the files that include it move all its coordinates themselves, and
    those of all files to `moves`. Rows of tables before `begin`, which no run comes to, are told.
    """
    drafts_of = {id(draft.node): draft.name for draft in drafts}
    made: list[Motion] = []
    moved: list[tuple[tuple[str, ...], set[int]]] = []
    for node in moves:
        motion = _motion(node, None, parts[0], names, diagnostics, len(made) + 1)
        if motion is not None:
            _tell_passed(node, motion, begin, diagnostics)
            made.append(motion)
            moved.append(((), {*motion.rates}))
    for part in parts:  # those that include others come before them
        taken = {rate for path, rates in moved if path == part.path[: len(path)] != part.path for rate in rates}
        over = {rate for path, rates in moved if not path for rate in rates}
        stack: list[tuple[Node, str | None]] = [(part.document.root, None)]
        while stack:
            node, owner = stack.pop()
            for child in node.children:
                if child.key == "motion":
                    body = None if owner is None else node.text("name") or owner
                    whole = with_rows(child, body, loader, diagnostics)
                    motion = None if whole is None else _motion(whole, owner, part, names, diagnostics, len(made) + 1)
                    if whole is not None and motion is not None and not taken.issuperset(motion.rates):
                        _tell_passed(whole, motion, begin, diagnostics)
                        made.append(motion)
                        moved.append((part.path, {*motion.rates}))
                    elif motion is not None and over.issuperset(motion.rates):
                        said = Text("this motion gives way to the table", "это движение уступает таблице")
                        diagnostics.note("gives-way", child.span, said)
            stack.extend((child, drafts_of[id(child)]) for child in reversed(node.children) if child.key == "body")
    _refuse_two_masters(made, diagnostics)
    return tuple(made)


def _refuse_two_masters(made: Sequence[Motion], diagnostics: Diagnostics) -> None:
    """Report coordinates that two motions force in the same structure."""
    forced: dict[tuple[int, str], Motion] = {}
    for motion in made:
        for rate in motion.rates if motion.kp is None else ():
            for structure in motion.structures or ("",):
                other = forced.setdefault((rate, structure), motion)
                other = forced.get((rate, ""), other)
                if other is not motion:
                    diagnostics.error(
                        "moved-twice",
                        motion.span,
                        Text(
                            "this motion forces a coordinate that another motion forces too",
                            "это движение задаёт координату, которую уже задаёт другое движение",
                        ),
                        related=[(other.span, Text("the other is here", "другое здесь"))],
                    )
                    return


def _motion(
    node: Node, owner: str | None, part: MountedFile, names: Names, diagnostics: Diagnostics, count: int
) -> Motion | None:
    targets = _targets(node, owner, part, names, diagnostics)
    if targets is None:
        return None
    rates = tuple(rate for target in targets for rate in target.rates)
    kinds: tuple[CoordinateKind, ...] = tuple(kind for target in targets for kind in target.kinds)
    if any(target.slot.type.has_quaternion for target in targets) and "value" not in node.attributes:
        diagnostics.error(
            "wrong-coordinate",
            node.span,
            Text(
                "a table cannot move a spherical or spatial free joint",
                "таблица не может двигать шаровую или пространственную свободную пару",
            ),
        )
        return None
    rows = list(node.of("row"))
    if bool(rows) == ("value" in node.attributes):
        diagnostics.error(
            "bad-motion",
            node.span,
            Text("a motion is either a formula or a table of rows", "движение — либо формула, либо таблица строк"),
            expected=Text(
                'value="…" or <row time="…" values="…"/>', 'значение="…" или <строка время="…" значения="…"/>'
            ),
        )
        return None
    made = formulas(node, "value", part, names, diagnostics, len(rates), kinds)
    table = _table(rows, kinds, part, diagnostics)
    if (made is None and not rows) or table is None:
        return None
    structures = []
    for index, name in enumerate(node.names("structure")):
        attribute = node.attributes["structure"]
        found = names.refer(
            ("structure",), name, part.scope, attribute.parts[index] if attribute.parts else attribute.span
        )
        structures += [found[1]] if found is not None else []
    gains = {}
    for key in ("kp", "kd"):
        gains[key] = part.values.per_coordinate(node, key, kinds, 0.0) if key in node.attributes else None
        if gains[key] is not None and min(gains[key] or (0.0,)) < 0:
            part.values.negative(node, key, min(gains[key] or (0.0,)))
    follows = gains["kp"] is not None or gains["kd"] is not None
    own = node.text("name")
    return Motion(
        name=part.scope.full(own) if own is not None else f"motion {count}",
        rates=rates,
        formulas=made or (),
        times=tuple(time for time, _ in table),
        rows=tuple(values for _, values in table),
        interpolation=node.text("interpolation") or "cubic",
        repeat=node.get("repeat") is True,
        kp=(gains["kp"] or (0.0,) * len(rates)) if follows else None,
        kd=(gains["kd"] or (0.0,) * len(rates)) if follows else None,
        structures=tuple(structures),
        since_entry=node.text("since") == "entry",
        span=node.span,
    )


def _targets(
    node: Node, owner: str | None, part: MountedFile, names: Names, diagnostics: Diagnostics
) -> list[CoordinateRef] | None:
    given = node.names("of")
    if not given and owner is None:
        said = Text("the motion does not say what moves", "движение не говорит, что движется")
        expected = Text("of", "чего")
        diagnostics.error("missing-attribute", node.span, said, expected=expected)
        return None
    if not given:
        assert owner is not None
        return [CoordinateRef(owner, names.slots[owner], None)]
    targets = []
    for index, name in enumerate(given):
        attribute = node.attributes["of"]
        found = names.coordinate(name, part.scope, attribute.parts[index] if attribute.parts else attribute.span)
        if found is None:
            return None
        targets.append(found)
    return targets


def _table(
    rows: list[Node], kinds: tuple[CoordinateKind, ...], part: MountedFile, diagnostics: Diagnostics
) -> list[tuple[float, tuple[float, ...]]] | None:
    table: list[tuple[float, tuple[float, ...]]] = []
    for row in rows:
        time, values = part.values.optional(row, "time"), row.get("values")
        if time is None or not isinstance(values, tuple):
            return None
        items = [item for item in values if not isinstance(item, str)]
        numbers = part.values.coordinates(items, "position", kinds, row.at("values"))
        if numbers is None:
            return None
        if table and time <= table[-1][0]:
            diagnostics.error(
                "rows-out-of-order",
                row.at("time"),
                Text("the times of the rows must grow", "время в строках должно расти"),
                expected=Text(f"more than {table[-1][0]:g} s", f"больше {table[-1][0]:g} с"),
            )
            return None
        table.append((time, numbers))
    if len(table) == 1:
        diagnostics.error(
            "bad-motion",
            rows[0].span,
            Text("a table needs at least two rows", "в таблице нужны хотя бы две строки"),
        )
        return None
    return table


def _tell_passed(node: Node, motion: Motion, begin: float, diagnostics: Diagnostics) -> None:
    """Warn of rows before the time at which all runs begin, or before the entry into a structure."""
    begin = 0.0 if motion.since_entry else min(0.0, begin)
    whole, count = len(motion.times), sum(time < begin for time in motion.times)
    if not count or motion.repeat:
        return
    if count == whole:
        then = Text("the joint stands as the last row says", "сочленение стоит, как велит последняя строка")
    elif motion.times[count] > begin:
        then = Text("the motion begins between two rows", "движение начинается между двумя строками")
    else:
        then = Text(f"the motion begins with the row of {begin:g} s", f"движение начинается со строки {begin:g} с")
    diagnostics.warning(
        "rows-before-start",
        next(iter(node.of("row"))).at("time"),
        Text(
            f"time begins at {begin:g} s: rows before it are passed over ({count} of {whole}), {then.en}",
            f"время начинается с {begin:g} с: строки до него пропущены ({count} из {whole}), {then.ru}",
        ),
        hint=Text(f"move the times so that the first is {begin:g}", f"сдвиньте времена, чтобы первое было {begin:g}"),
    )
