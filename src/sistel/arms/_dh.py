"""Tables of Denavit and Hartenberg: an arm of hinges and slides, four numbers a joint, in two conventions.

- standard: from one frame to the next Rz(θ) Tz(d) Tx(a) Rx(α);
- modified (J. Craig): Rx(α) Tx(a) Rz(θ) Tz(d), where α and a belong to the link before.

A joint adds its coordinate to θ (hinge) or to d (slide). Tables are CSV: the first line names the columns, in either
language; lengths in millimetres, angles in degrees.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from sistel.arms._chains import axes_at_zero, chain_to
from sistel.errors import Diagnostics, SistelError, Source, Span, Text, one_of, word_hint
from sistel.pose import Vector3, roll_pitch_yaw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.model import Body, Model

    Array = NDArray[np.float64]

Convention = Literal["standard", "modified"]
NEAR = 1e-9
"""Lengths and sines that count as none [m or 1]."""
MOST = 200
"""Joints of a table."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "joint": ("joint", "type", "тип", "сочленение"),
    "theta": ("theta", "θ", "тета", "угол"),
    "d": ("d", "д"),
    "a": ("a", "а"),
    "alpha": ("alpha", "α", "альфа"),
    "min": ("min", "мин"),
    "max": ("max", "макс"),
    "name": ("name", "имя"),
    "mass": ("mass", "масса"),
    "cx": ("cx",),
    "cy": ("cy",),
    "cz": ("cz",),
    "ixx": ("ixx",),
    "iyy": ("iyy",),
    "izz": ("izz",),
}
KINDS = {"revolute": ("r", "revolute", "в", "вращение", "вкп"), "prismatic": ("p", "prismatic", "п", "ход", "пкп1")}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DHRow:
    """One joint and the link behind it."""

    kind: Literal["revolute", "prismatic"] = "revolute"
    theta: float = 0.0
    """Constant part [rad]."""
    d: float = 0.0
    """Constant part [m]."""
    a: float = 0.0
    """[m]"""
    alpha: float = 0.0
    """[rad]"""
    low: float = -math.inf
    """Limits of the coordinate [m or rad]."""
    high: float = math.inf
    name: str = ""
    mass: float | None = None
    """[kg]"""
    com: Vector3 = (0.0, 0.0, 0.0)
    """In the frame of the row [m]."""
    inertia: Vector3 = (0.0, 0.0, 0.0)
    """About the centre of mass, along the axes of the row's frame [kg·m²]."""

    def matrix(self, q: float, convention: Convention) -> Array:
        """From the frame before to that of the row, for a value of the coordinate, shape (4, 4)."""
        theta, d = (self.theta + q, self.d) if self.kind == "revolute" else (self.theta, self.d + q)
        turn, tilt = _turned(2, theta, (0.0, 0.0, d)), _turned(0, self.alpha, (self.a, 0.0, 0.0))
        return turn @ tilt if convention == "standard" else tilt @ turn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DHTable:
    """An arm by its table."""

    rows: tuple[DHRow, ...]
    convention: Convention = "standard"
    base: Array = field(default_factory=lambda: np.eye(4))
    """From the ground to the frame before the first row."""
    tool: Array = field(default_factory=lambda: np.eye(4))
    """From the frame of the last row to the tool."""

    def pose(self, q: Sequence[float]) -> Array:
        """The pose of the tool, by multiplying the matrices of the rows, shape (4, 4)."""
        X = self.base
        for row, value in zip(self.rows, q, strict=True):
            X = X @ row.matrix(float(value), self.convention)
        return np.asarray(X @ self.tool)


def _turned(axis: int, angle: float, move: Vector3) -> Array:
    """A turn about a coordinate axis after a move along it."""
    c, s = _cos_sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    X = np.eye(4)
    X[j, j] = X[k, k] = c
    X[j, k], X[k, j] = -s, s
    X[:3, 3] = move
    return X


def _cos_sin(angle: float) -> tuple[float, float]:
    """Exact at quarter turns, which tables are full of."""
    quarters = angle / (math.pi / 2)
    if abs(quarters) < 1e6 and abs(quarters - round(quarters)) < 1e-15:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarters) % 4]
    return math.cos(angle), math.sin(angle)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_dh(text: str, path: str = "<table>", convention: Convention = "standard") -> DHTable:
    """Read a table.

    Args:
        text: CSV, with commas or semicolons; lengths in mm, angles in degrees, masses in kg, inertias in kg·m².
        path: Stands for the file in messages.
        convention: Which of the two.

    Raises:
        SistelError: The table is wrong; all mistakes, with their lines.
    """
    source, diagnostics = Source(path, text), Diagnostics()
    lines = text.splitlines(keepends=True)
    delimiter = ";" if lines and ";" in lines[0] else ","
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    rows: list[DHRow] = []
    columns: list[str | None] = []
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for cells in reader:
            number = min(reader.line_num, len(lines))
            span = Span(source, starts[number - 1], starts[number - 1] + len(lines[number - 1].rstrip("\r\n")))
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = _columns(cells, span, diagnostics)
                continue
            values = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
            row = _row({key: value for key, value in values.items() if key and value}, span, diagnostics)
            if row is not None:
                rows.append(row)
    except csv.Error:
        diagnostics.error("no-table", None, Text("this is no table", "это не таблица"))
    if not rows and not diagnostics.failed:
        diagnostics.error("no-table", None, Text("the table has no rows", "в таблице нет строк"))
    if len(rows) > MOST:
        diagnostics.error("too-many-rows", None, Text(f"more than {MOST} joints", f"больше {MOST} сочленений"))
    diagnostics.raise_if_failed()
    return DHTable(rows=tuple(rows), convention=convention)


def _columns(cells: Sequence[str], span: Span, diagnostics: Diagnostics) -> list[str | None]:
    made: list[str | None] = []
    for cell in cells:
        word = cell.strip().casefold()
        key = next((key for key, words in COLUMNS.items() if word in words), None)
        if key is None and word:
            known = [words[0] for words in COLUMNS.values()]
            diagnostics.error(
                "unknown-column",
                span,
                Text(f'there is no column "{cell.strip()}"', f"нет столбца «{cell.strip()}»"),
                expected=one_of(known),
                hint=word_hint(word, known),
            )
        made.append(key)
    for key in ("theta", "d", "a", "alpha"):
        if key not in made:
            message = Text(f'the column "{key}" is missing', f"не хватает столбца «{COLUMNS[key][-1]}»")
            diagnostics.error("missing-column", span, message)
    return made


def _row(values: dict[str, str], span: Span, diagnostics: Diagnostics) -> DHRow | None:
    before = len(list(diagnostics))
    word = values.pop("joint", "r").casefold()
    kind: Any = next((kind for kind, words in KINDS.items() if word in words), None)
    if kind is None:
        diagnostics.error(
            "unknown-word",
            span,
            Text(f'"{word}" is no kind of joint', f"«{word}» — не вид сочленения"),
            expected=Text("R or P", "В или П"),
        )
        return None
    name = values.pop("name", "")
    numbers: dict[str, float] = {}
    for key, text in values.items():
        try:
            numbers[key] = float(text.replace("°", ""))
        except ValueError:
            numbers[key] = math.nan
        if not math.isfinite(numbers[key]):
            diagnostics.error("no-number", span, Text(f'{key}: "{text[:40]}"', f"{key}: «{text[:40]}» — не число"))
    if len(list(diagnostics)) > before:
        return None
    scale = math.pi / 180 if kind == "revolute" else 1e-3
    low, high = (
        numbers[key] * scale if key in numbers else end for key, end in (("min", -math.inf), ("max", math.inf))
    )
    if low > high:
        diagnostics.error("wrong-limits", span, Text("min is above max", "min больше max"))
        return None
    return DHRow(
        kind=kind,
        theta=math.radians(numbers.get("theta", 0.0)),
        d=1e-3 * numbers.get("d", 0.0),
        a=1e-3 * numbers.get("a", 0.0),
        alpha=math.radians(numbers.get("alpha", 0.0)),
        low=low,
        high=high,
        name=name,
        mass=numbers.get("mass"),
        com=(1e-3 * numbers.get("cx", 0.0), 1e-3 * numbers.get("cy", 0.0), 1e-3 * numbers.get("cz", 0.0)),
        inertia=(numbers.get("ixx", 0.0), numbers.get("iyy", 0.0), numbers.get("izz", 0.0)),
    )


# --- to XsysTel ------------------------------------------------------------------------------------------------------


def dh_xml(table: DHTable, name: str = "arm", tool: str = "tool") -> str:
    """The arm of a table as a text in XsysTel, which `sistel.parse` reads.

    Args:
        table: The table.
        name: Of the system.
        tool: Name of the frame behind the last row.
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<system name="{escape(name)}" class="open chain" space="spatial">',
    ]
    before = table.base
    standard = table.convention == "standard"
    for number, row in enumerate(table.rows, start=1):
        tilt = _turned(0, row.alpha, (row.a, 0.0, 0.0))
        slide = np.eye(4)
        slide[2, 3] = row.d
        spin = _turned(2, row.theta, (0.0, 0.0, 0.0))
        # The joint turns or slides along z of its own frame; the constant part of the row stands before it.
        mount = before @ spin @ slide if standard else before @ tilt @ spin @ slide
        after = tilt if standard else np.eye(4)
        given = {"name": row.name or f"link {number}", "joint": row.kind, "axis": "z", **placed(mount)}
        scale = 180 / math.pi if row.kind == "revolute" else 1e3
        if math.isfinite(row.low):
            given["min"] = f"{row.low * scale:.12g}"
        if math.isfinite(row.high):
            given["max"] = f"{row.high * scale:.12g}"
        if row.mass is not None:
            given["mass"] = f"{row.mass:.15g}"
            X = np.eye(4)
            X[:3, 3] = row.com
            given["com"] = _row_text(1e3 * (after @ X)[:3, 3])
            R = after[:3, :3]
            tensor = R @ np.diag(row.inertia) @ R.T
            given["inertia"] = _row_text([tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
        said = " ".join(f'{key}="{escape(value)}"' for key, value in given.items())
        lines.append(f"{'  ' * number}<body {said}>")
        before = after
    count = len(table.rows)
    said = " ".join(f'{key}="{value}"' for key, value in placed(before @ table.tool).items())
    lines.append(f'{"  " * (count + 1)}<frame name="{escape(tool)}" {said}/>')
    lines += [f"{'  ' * number}</body>" for number in range(count, 0, -1)]
    lines.append("</system>")
    return "\n".join(lines) + "\n"


def placed(X: Array) -> dict[str, str]:
    """A pose as attributes of XsysTel."""
    R: Any = tuple(tuple(float(each) for each in row) for row in X[:3, :3])
    angles = [math.degrees(each) for each in roll_pitch_yaw(R)]
    return {"place": _row_text(1e3 * X[:3, 3]), "turn": _row_text(angles)}


def _row_text(numbers: Sequence[float] | Array) -> str:
    return ", ".join(f"{float(each) + 0.0:.15g}" for each in numbers)


# --- from a model ----------------------------------------------------------------------------------------------------


def dh_of(model: Model, frame: str, convention: Convention = "standard") -> DHTable:
    """The table of the chain of joints that carries a frame: any chain of hinges and slides has one.

    Raises:
        SistelError: There is no such frame, or its chain has other joints.
    """
    chosen, chain = chain_to(model, frame)
    if any(body.joint.type.key not in ("revolute", "prismatic", "fixed") for body in chain):
        _fail("no-chain", Text("a table has hinges and slides only", "в таблице только шарниры и ходы"))
    axes, hand = axes_at_zero(chosen, chain)
    frames = _frames(axes, hand)
    return _table(frames, axes, hand, convention)


def _frames(axes: Sequence[tuple[Array, Array, Body]], hand: Array) -> list[Array]:
    """Frames 0 … n − 1 with z along the joints and x along the common normal of each axis and the next."""
    made: list[Array] = []
    for i, (point, z, _) in enumerate(axes):
        if i + 1 < len(axes):
            origin, x = _normal(point, z, *axes[i + 1][:2], made[-1] if made else None)
        else:
            # The last one: x towards the tool, at the foot of its perpendicular.
            foot = point + z * float(z @ (hand[:3, 3] - point))
            across = hand[:3, 3] - foot
            origin, x = foot, across if np.linalg.norm(across) > NEAR else _any(z, made[-1] if made else None)
        x = x / np.linalg.norm(x)
        # A short normal is known to a few digits only; at a right angle to the axis it has to be all the same.
        x = x - z * float(z @ x)
        x = x / np.linalg.norm(x)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = np.column_stack([x, np.cross(z, x), z]), origin
        made.append(X)
    return made


def _normal(p: Array, z: Array, p2: Array, z2: Array, before: Array | None) -> tuple[Array, Array]:
    """Where the common normal of two lines leaves the first, and its direction."""
    n: Array = np.cross(z, z2)
    size = float(np.linalg.norm(n))
    if size > NEAR:
        # The point of the first line that is nearest to the second.
        along = float(np.cross(p2 - p, z2) @ n) / size**2
        origin = p + along * z
        towards = float((p2 - p) @ n)
        return origin, n if towards >= -NEAR else -n
    gap = (p2 - p) - z * float(z @ (p2 - p))
    origin = p if before is None else p + z * float(z @ (before[:3, 3] - p))
    return origin, gap if np.linalg.norm(gap) > NEAR else _any(z, before)


def _any(z: Array, before: Array | None) -> Array:
    """Some direction across z: x of the frame before, if it will do."""
    for candidate in ([] if before is None else [before[:3, 0]]) + [np.eye(3)[0], np.eye(3)[1]]:
        across = candidate - z * float(z @ candidate)
        if np.linalg.norm(across) > 0.1:
            return np.asarray(across)
    raise AssertionError("three directions cannot all be along z")


def _table(
    frames: Sequence[Array], axes: Sequence[tuple[Array, Array, Body]], hand: Array, convention: Convention
) -> DHTable:
    # Between two frames: along x of the first to the next axis, then along that axis: a, α, then θ, d.
    parts = [_between(first, second) for first, second in pairwise(frames)]
    nothing = (0.0, 0.0, 0.0, 0.0)
    before = [nothing, *parts]
    behind = [*parts, nothing] if convention == "standard" else before
    rows = [
        _found(body, own[0], own[1], link[2], link[3])
        for (_, _, body), own, link in zip(axes, before, behind, strict=True)
    ]
    tool = np.linalg.inv(frames[-1]) @ hand
    return DHTable(rows=tuple(rows), convention=convention, base=frames[0], tool=tool)


def _found(body: Body, theta: float, d: float, a: float, alpha: float) -> DHRow:
    kind: Any = body.joint.type.key
    return DHRow(
        kind=kind,
        theta=theta,
        d=d,
        a=a,
        alpha=alpha,
        low=body.joint.minimum[0],
        high=body.joint.maximum[0],
        name=body.name,
    )


def _between(A: Array, B: Array) -> tuple[float, float, float, float]:
    """θ, d, a, α from one frame to the next: x of the first is along the common normal."""
    X = np.linalg.inv(A) @ B
    a = float(X[0, 3])
    alpha = math.atan2(-float(X[1, 2]), float(X[2, 2]))
    # What turns x of the first to x of the second, about the second's z.
    tilt = _turned(0, alpha, (a, 0.0, 0.0))
    rest = np.linalg.inv(tilt) @ X
    theta, d = math.atan2(float(rest[1, 0]), float(rest[0, 0])), float(rest[2, 3])
    return theta, d, a, alpha


def _fail(code: str, message: Text) -> NoReturn:
    diagnostics = Diagnostics()
    diagnostics.error(code, None, message)
    raise SistelError(diagnostics.sorted())
