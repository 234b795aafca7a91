"""What lessons are told, as types: see `_page_data`."""

from __future__ import annotations

from typing import Literal, TypedDict

from sistel.views._page_data import CommonData, KernelBlocks


class LessonJoint(TypedDict):
    """A coordinate that moves the tool."""

    place: int
    low: float | None
    high: float | None
    name: str
    turns: bool


class LessonSearch(TypedDict):
    """Numbers of the searches of the library."""

    slow: int
    least: float
    most: float
    stall: float
    choice: int
    polish: int
    patience: int
    patient: float


class LessonDraw(TypedDict):
    """A generator of the places where attempts begin: its state, the ranges, how many."""

    state: str
    increment: str
    first: list[float]
    last: list[float]
    count: int
    start: list[float]


class LessonFrame(TypedDict):
    """The tool."""

    name: str
    body: int
    p: list[float]
    R: list[float]


class DhRow(TypedDict):
    """A row of the table of Denavit and Hartenberg."""

    name: str
    kind: str
    theta: float
    d: float
    a: float
    alpha: float


class DhTable(TypedDict):
    """The table, with the poses of its base and its tool."""

    rows: list[DhRow]
    base: list[list[float]]
    tool: list[list[float]]


class LessonLink(TypedDict):
    """The mass of a body, where its centre is, and moments of inertia about that: xx, yy, zz, xy, xz, yz."""

    mass: float
    com: list[float]
    inertia: list[float]


class Network(TypedDict):
    """The numbers of a neuro-fuzzy network."""

    low: list[float]
    span: list[float]
    centres: list[list[float]]
    widths: list[list[float]]
    consequents: list[list[float]]


class DynamicsNetworks(TypedDict):
    """Networks of forces; `uses` says which signals each reads."""

    networks: list[Network]
    nodes: list[int]
    uses: list[list[int]]


class IkNetworks(TypedDict):
    """Networks of inverse kinematics, and how targets are told to them."""

    networks: list[Network]
    nodes: list[int]
    orientation: str
    uses: list[int]
    middle: list[float]
    low: list[float]
    high: list[float]


class Networks(TypedDict):
    """Networks of an arm, None for those that are not given."""

    ik: IkNetworks | None
    dynamics: DynamicsNetworks | None


class Trajectory(TypedDict):
    """Polynomials between knots: coefficients by piece, power and coordinate; each counts from its origin."""

    knots: list[float]
    origins: list[list[float]]
    coefficients: list[list[list[float]]]


class LessonBegin(TypedDict):
    """What a lesson opens with."""

    mode: Literal["forward", "inverse", "trajectory"]
    q: list[float] | None
    target: list[float] | None
    task: Literal["pose", "position", "pointing"]
    method: Literal["lm", "ccd", "anfis"]
    to: list[float] | None
    kind: str
    duration: float | None
    trajectory: Trajectory | None
    payload: float


class LessonTable(TypedDict):
    """Numbers of the kernels of an arm by what they compute, and their arguments."""

    poses: int | None
    look: int | None
    steps: dict[str, int | None]
    forces: int | None
    load: int | None
    arguments: list[KernelBlocks]


class LessonPlan(TypedDict):
    """The coordinates that move the tool, and how they are searched for."""

    joints: list[LessonJoint]
    search: LessonSearch
    draw: LessonDraw


class Lesson(LessonTable, LessonPlan):
    """All of a lesson."""

    source: str
    nv: int
    frame: LessonFrame
    dh: DhTable | None
    links: list[LessonLink]
    rotors: list[float]
    gravity: list[float]
    networks: Networks
    begin: LessonBegin


class LessonData(CommonData):
    """The payload of a lesson."""

    lesson: Lesson
