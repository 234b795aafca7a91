"""Tables of Denavit and Hartenberg: an arm of hinges and slides, four numbers a joint, in two conventions.

- standard: from one frame to the next Rz(θ) Tz(d) Tx(a) Rx(α);
- modified (J. Craig): Rx(α) Tx(a) Rz(θ) Tz(d), where α and a belong to the link before.

A joint adds its coordinate to θ (hinge) or to d (slide). As texts tables are CSV, see `sistel.markup.chains`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from sistel import shown
from sistel.errors import Diagnostics, Source
from sistel.markup import write_document
from sistel.markup.chains import Convention, Placed, Row, Table, columns_shown, table_document, table_of, write_table
from sistel.pose import Rotation, Vector3, roll_pitch_yaw
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
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
    products: Vector3 = (0.0, 0.0, 0.0)
    """Beside the diagonal of the inertia tensor: xy, xz, yz [kg·m²]."""

    def matrix(self, q: float, convention: Convention) -> Array:
        """From the frame before to that of the row, for a value of the coordinate, shape (4, 4)."""
        theta, d = (self.theta + q, self.d) if self.kind == "revolute" else (self.theta, self.d + q)
        turn, tilt = turned(2, theta, (0.0, 0.0, d)), turned(0, self.alpha, (self.a, 0.0, 0.0))
        return turn @ tilt if convention == "standard" else tilt @ turn


@record
class DHTable:
    """An arm by its table."""

    rows: tuple[DHRow, ...]
    convention: Convention = "standard"
    base: Array = field(default_factory=lambda: np.eye(4))
    """From the ground to the frame before the first row."""
    tool: Array = field(default_factory=lambda: np.eye(4))
    """From the frame of the last row to the tool."""
    frame: str = "tool"
    """Name of the frame at the tool."""
    name: str = ""
    """Of the arm."""

    def pose(self, q: Sequence[float]) -> Array:
        """The pose of the tool, by multiplying the matrices of the rows, shape (4, 4)."""
        X = self.base
        for row, value in zip(self.rows, q, strict=True):
            X = X @ row.matrix(float(value), self.convention)
        return np.asarray(X @ self.tool)

    def columns(self) -> tuple[Sequence[str], list[list[str]]]:
        """Names of the columns that are used, and the texts of the rows [mm, deg, kg, kg·m²]."""
        return columns_shown(_plain(self))

    def __str__(self) -> str:
        """The table in columns, in millimetres and degrees."""
        heads, rows = self.columns()
        lines = [heads, *rows]
        width = [max(len(line[k]) for line in lines) for k in range(len(heads))]
        left = [head in ("name", "joint") for head in heads]
        return "\n".join(
            "  ".join(
                cell.ljust(w) if to_left else cell.rjust(w) for cell, w, to_left in zip(line, width, left, strict=True)
            )
            for line in lines
        )

    def _repr_html_(self) -> str:
        return shown.html(self)


def turned(axis: int, angle: float, move: Vector3) -> Array:
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


# --- texts -----------------------------------------------------------------------------------------------------------


def read_dh(text: str, path: str = "<table>", convention: Convention | None = None) -> DHTable:
    """Read a table.

    Args:
        text: CSV, with commas, semicolons or tabs; lengths in mm, angles in degrees, masses in kg, inertias in kg·m².
        path: Stands for the file in messages.
        convention: Which of the two; without it, what the text says, or the standard one.

    Raises:
        SistelError: The table is wrong; all mistakes, with their places.
    """
    diagnostics = Diagnostics()
    table = table_of(Source(path, text), diagnostics, convention)
    diagnostics.raise_if_failed()
    assert table is not None
    rows = tuple(DHRow(**_shared(row), inertia=row.inertia[:3], products=row.inertia[3:]) for row in table.rows)
    return DHTable(
        rows=rows,
        convention=table.convention,
        base=_matrix(table.base),
        tool=_matrix(table.tool),
        frame=table.frame,
        name=table.name,
    )


def write_dh(table: DHTable) -> str:
    """A table as CSV, which `read_dh` and `sistel.load` read: the digits of every number give it back."""
    return write_table(_plain(table))


def dh_xml(table: DHTable, name: str | None = None, tool: str | None = None) -> str:
    """The arm of a table as a text in XsysTel, which `sistel.parse` reads.

    Args:
        table: The table.
        name: Of the system; that of the table unless told otherwise.
        tool: Name of the frame behind the last row; as the table has it unless told otherwise.

    Raises:
        SistelError: A number is not finite.
    """
    plain = _plain(table, name or table.name or "arm", tool or table.frame)
    document, _ = table_document(plain, Source("<table>", ""), Diagnostics())
    return write_document(document.root)


def _plain(table: DHTable, name: str | None = None, frame: str | None = None) -> Table:
    """The same without arrays."""
    rows = tuple(Row(**_shared(row), inertia=(*row.inertia, *row.products)) for row in table.rows)
    return Table(
        rows=rows,
        convention=table.convention,
        base=_placed(table.base),
        tool=_placed(table.tool),
        frame=frame or table.frame,
        name=table.name if name is None else name,
    )


def _shared(row: DHRow | Row) -> dict[str, Any]:
    """What rows with and without arrays call the same."""
    names = ("kind", "theta", "d", "a", "alpha", "low", "high", "name", "mass", "com")
    return {name: getattr(row, name) for name in names}


def _placed(X: Array) -> Placed:
    R = cast("Rotation", tuple(tuple(float(each) for each in row) for row in X[:3, :3]))
    return (float(X[0, 3]), float(X[1, 3]), float(X[2, 3])), R


def _matrix(placed: Placed) -> Array:
    X = np.eye(4)
    X[:3, 3], X[:3, :3] = placed
    return X


def placed(X: Array) -> dict[str, str]:
    """A pose as attributes of XsysTel."""
    angles = [math.degrees(each) for each in roll_pitch_yaw(_placed(X)[1])]
    return {"place": _row_text(1e3 * X[:3, 3]), "turn": _row_text(angles)}


def _row_text(numbers: Sequence[float] | Array) -> str:
    return ", ".join(f"{float(each) + 0.0:.15g}" for each in numbers)
