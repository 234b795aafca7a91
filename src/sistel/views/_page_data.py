"""What pages are told, as types: the JSON between the Python that writes pages and the TypeScript that runs in them.

`tools/payload.py` writes web/src/payload.ts from this file; a test sees to it that both say the same. Lengths are in
metres, angles in radians, times in seconds, unless said otherwise.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from sistel.errors import Language


class Words(TypedDict):
    """A text in both languages."""

    en: str
    ru: str


Said = str | Words
"""A text that is the same in both languages, or one for each."""
Sort = Literal["angle", "length", "number"]
"""Of a coordinate: what it counts."""
Quantity = Literal["angle", "length", "number", "force", "moment", "energy", "power"]
"""Of a curve: what it counts."""

# --- live motion -----------------------------------------------------------------------------------------------------

Block = tuple[str, int]
"""Name and size of an argument of a kernel."""


class KernelBlocks(TypedDict):
    """Arguments of a kernel: what it reads, then what it writes."""

    inputs: list[Block]
    outputs: list[Block]


class LiveExit(TypedDict):
    """A transition out of a structure; `passage` is None where the page cannot compute it."""

    transition: str
    target: int
    word: list[int]
    first: int
    passage: int | None
    links: list[str]
    refused: Words | None
    tick: bool
    """Whether it is a tick of a clock, which is no event."""


class LiveMotion(TypedDict):
    """What moves a structure: numbers of kernels, and what is watched."""

    flow: int | None
    watch: int | None
    leaves: int
    kinds: list[int]
    exits: list[LiveExit]
    first: int
    modes: int
    switches: list[tuple[int, str]]
    choose: int | None
    corrects: bool
    correct: int | None


class LiveStructure(TypedDict):
    """A structure: what closes its loops, and what moves it, if something does."""

    name: str
    rows: int
    forced: list[int]
    constraints: int | None
    anchors: NotRequired[int]
    anchor: NotRequired[int | None]
    motion: LiveMotion | None
    signals: NotRequired[int | None]
    refused: NotRequired[Words]


class LiveStart(TypedDict):
    """The state of the file, and which of its numbers the file gives."""

    q: list[float]
    v: list[float]
    t: float
    structure: int
    givenQ: list[int]
    givenV: list[int]


class LiveParameter(TypedDict):
    """A parameter of the kernels; `place` is where a live one stands among the others."""

    name: str
    value: float
    unit: Words
    about: str
    live: bool
    place: int | None
    min: float
    max: float
    refused: Words | None


class LiveTable(TypedDict):
    """How to drive the kernels of a system."""

    nq: int
    nv: int
    bodies: int
    joints: list[tuple[int, int, int, int]]
    limits: list[tuple[float | None, float | None]]
    memory: list[tuple[str, str, float]]
    poses: int | None
    energies: int | None
    rays: NotRequired[int | None]
    """Both ends of all rays of sensors, from the coordinates [m]."""
    structures: list[LiveStructure]
    start: LiveStart
    refused: Words | None
    hoisted: NotRequired[int]
    line: NotRequired[int | None]
    sizes: NotRequired[int | None]
    begin: NotRequired[int | None]
    flowing: NotRequired[list[str]]
    parameters: list[LiveParameter]
    kernels: list[KernelBlocks]


class LiveData(TypedDict):
    """The live motion of a page: the block of its kernels, their table, and whether the panel is there."""

    id: str
    table: LiveTable
    on: bool


# --- the picture -----------------------------------------------------------------------------------------------------


class Follow(TypedDict):
    """The body that the camera goes along with, in which directions, and where it was [mm]."""

    body: int
    x: bool
    y: bool
    home: list[float] | None


class SchemeBody(TypedDict):
    """A body and its base, by number."""

    number: int
    base: int


class SchemeSpring(TypedDict):
    """A spring: its ends as a body with a point [mm], and how it is coiled."""

    id: str
    ends: list[list[float]]
    coils: int
    half: float
    straight: float


class SchemeLabel(TypedDict):
    """The number of a body: where it is in it, and how far it is moved on the paper [mm]."""

    id: str
    body: int
    at: list[float]
    shift: list[float]


class SchemeMark(TypedDict):
    """The symbol of a link, and the structures in which it holds."""

    id: str
    structures: list[str]


class SchemeFigure(TypedDict):
    """A figure of an isometric scheme: its points, each a body with a place in it [mm]."""

    id: str
    kind: str
    points: list[list[float]]
    radius: float
    half: float
    axis: list[float]
    bias: float


class PlanarScheme(TypedDict):
    """What moves the scheme of a planar system."""

    kind: Literal["planar"]
    prefix: str
    size: float
    window: list[float]
    follow: Follow | None
    bodies: list[SchemeBody]
    springs: list[SchemeSpring]
    labels: list[SchemeLabel]
    marks: list[SchemeMark]


class SpatialScheme(TypedDict):
    """What moves the scheme of a spatial system."""

    kind: Literal["spatial"]
    prefix: str
    size: float
    window: list[float]
    follow: Follow | None
    figures: list[SchemeFigure]
    labels: list[SchemeLabel]


Scheme = PlanarScheme | SpatialScheme


class SceneSpring(TypedDict):
    """A spring of a scene: its node, its ends as bodies with points, its radius."""

    node: str
    ends: list[tuple[int, list[float]]]
    radius: float


class SceneFollow(TypedDict):
    """The body that the camera goes along with, and how far that goes before it does."""

    body: int
    room: float


class SceneTable(TypedDict):
    """What moves a scene.

    `transforms` are the nodes of the bodies; `places` where their joints are in the frames of their bases, 3×4 by rows,
    None where the node never moves; `axes` those of X3D from those of the system, by rows.
    """

    transforms: list[str]
    bases: list[int]
    places: list[list[float] | None]
    world: str
    camera: str
    axes: list[float]
    springs: list[SceneSpring]
    follow: SceneFollow
    views: list[Words]


# --- the system ------------------------------------------------------------------------------------------------------


class Body(TypedDict):
    """A body, its number and that of its base."""

    number: int
    name: str
    base: int


class Coordinate(TypedDict):
    """A coordinate and its limits."""

    name: str
    kind: Sort
    body: int
    min: float | None
    max: float | None


class Rate(TypedDict):
    """A velocity."""

    name: str
    kind: Sort


class Spin(TypedDict):
    """A joint with a quaternion: where its coordinates and velocities begin, and whether it also moves freely."""

    q: int
    v: int
    free: bool


class Place(TypedDict):
    """A body, a point or a frame: where it is in its body, with axes by rows."""

    name: str
    kind: Literal["body", "point", "frame"]
    body: int
    p: list[float]
    R: NotRequired[list[float]]


class Point(TypedDict):
    """A point of a body."""

    body: int
    p: list[float]


StructureRow = TypedDict("StructureRow", {"name": str, "key": str, "said": Words, "class": str})


class State(TypedDict):
    """Coordinates, velocities, the time and the number of the structure."""

    q: list[float]
    v: list[float]
    t: float
    structure: int


class Stay(TypedDict):
    """How long a structure lasts."""

    structure: int
    begin: float
    end: float


class Impulse(TypedDict):
    """The strongest of an event [N·s]."""

    name: str
    size: float | None


class RunEvent(TypedDict):
    """Something that happened: the structures before and after it, the energy lost [J]."""

    time: float
    before: int
    after: int
    said: Said
    loss: float | None
    impulse: Impulse | None
    where: NotRequired[Point]


class Warned(TypedDict):
    """What a user must know of a run."""

    time: float
    said: Words
    hint: Words | None
    place: str
    count: int


class RunKeys(TypedDict):
    """The motion of a run: how to read its keys, and which structure holds when."""

    begin: float
    end: float
    whole: float
    id: str
    columns: list[list[float]]
    keys: int
    counts: list[int]
    stays: list[Stay]
    joined: int
    steps: int
    stopped: Words | None


class PushRow(TypedDict):
    """Forces of a contact: where it touches [m] and what it does there [N], three numbers for every time."""

    name: Said
    place: list[float]
    force: list[float]


class Pushes(TypedDict):
    """Forces of contacts along a run; `usual` is that of the longest arrow [N]."""

    times: list[float]
    rows: list[PushRow]
    usual: float


class EnteredState(TypedDict):
    """A state that a behaviour enters [s]."""

    time: float
    behaviour: str
    state: str


class Entered(TypedDict):
    """States that behaviours enter: the first of them, and how many there are in all."""

    all: int
    rows: list[EnteredState]


class RunData(RunKeys):
    """A run: its motion, and what happened in it."""

    eventsInAll: int
    events: list[RunEvent]
    warnings: list[Warned]
    pushes: Pushes | None
    entered: Entered | None


class Curve(TypedDict):
    """A curve of a run: its number in its group, its least and greatest value."""

    name: Said
    of: int
    low: float
    high: float


class Chart(TypedDict):
    """Curves of one axis; `per` is a power of seconds, `error` how far they are from the run, over their range."""

    group: str
    title: Said
    kind: Quantity
    per: int
    milli: bool
    curves: list[Curve]
    count: int
    error: float


class Curves(TypedDict):
    """The curves of a run, and how to read their block."""

    id: str
    begin: float
    end: float
    levels: int
    charts: list[Chart]


class Cost(TypedDict):
    """What one evaluation of a quantity takes."""

    name: Said
    sign: str
    count: Said


class EquationsData(TypedDict):
    """Equations: where they are not shown, `note` says how to get them."""

    id: str
    shown: bool
    counts: list[Cost]
    note: Said | None
    others: Said | None


class EquationSymbol(TypedDict):
    """A symbol: its formula by number, what it is."""

    sign: int
    about: Said
    value: str
    unit: Said


class EquationSection(TypedDict):
    """A part of the equations: formulas by number, with headings before some of them."""

    key: str
    title: Said
    about: Said
    heads: dict[str, Said]
    rows: list[int]


class EquationStructure(TypedDict):
    """The equations of a structure."""

    name: Said
    dof: int
    holds: list[str]
    heroes: list[int]
    notes: list[Said]
    symbols: list[EquationSymbol]
    sections: list[EquationSection]


class EquationsBlock(TypedDict):
    """The block of equations: every formula once, as MathML."""

    structures: list[EquationStructure]
    formulas: list[str]


class Fact(TypedDict):
    """A word and a value."""

    word: Said
    value: Said


class TreeBody(TypedDict):
    """A body in the tree, and what is known of it."""

    number: int
    name: str
    base: int
    joint: Said
    jointName: str
    mass: Said
    details: list[Fact]


TreeStructure = TypedDict(
    "TreeStructure",
    {
        "name": str,
        "initial": bool,
        "class": str,
        "dof": int,
        "holds": list[str],
        "changes": Said,
        "whyNot": Said,
    },
)


class TreeTransition(TypedDict):
    """A transition in words."""

    name: str
    sources: list[str]
    target: str
    condition: Said
    impact: Said
    resets: Said


class TableColumn(TypedDict):
    """A column of a table: aligned to the right, or kept in one line."""

    title: str
    right: bool
    keep: bool


class Table(TypedDict):
    """A table, of which the first rows are here."""

    title: str
    columns: list[TableColumn]
    rows: list[list[str]]
    total: int


TreeData = TypedDict(
    "TreeData",
    {
        "id": str,
        "about": str,
        "class": str,
        "classSaid": Said,
        "facts": list[Fact],
        "others": Said,
        "ground": Said,
        "bases": str,
        "bodies": list[TreeBody],
        "hidden": int,
        "declared": bool,
        "structures": list[TreeStructure],
        "transitions": list[TreeTransition],
        "tables": dict[Language, list[Table]],
        "graph": bool,
    },
)


class ParameterShown(TypedDict):
    """A parameter as people read it; `scale` makes what is shown of SI."""

    name: str
    value: float | None
    unit: Said
    shown: Said
    range: Said
    about: str
    min: float | None
    max: float | None
    scale: float
    shownUnit: Said


class ParameterRow(ParameterShown):
    """The same, with what the live motion knows of it: between which values a slider goes."""

    live: bool
    low: float | None
    high: float | None
    refused: Words | None


class Description(TypedDict):
    """What does not move: bodies, coordinates, places."""

    name: str
    summary: Words
    planar: bool
    size: float
    bodies: list[Body]
    coordinates: list[Coordinate]
    rates: list[Rate]
    spins: list[Spin]
    partners: list[int]
    loops: bool
    places: list[Place]
    trails: list[int]
    contacts: dict[str, Point]


class PlanarPicture(PlanarScheme):
    """The scheme of a planar system, in a block of the page."""

    id: str


class SpatialPicture(SpatialScheme):
    """The scheme of a spatial system, in a block of the page."""

    id: str


Picture = PlanarPicture | SpatialPicture


class PageSceneData(SceneTable):
    """The scene of a page, and the blocks that it is in; `trail` is the width of lines [px]."""

    id: str
    x_ite: str
    style: str
    trail: float


class CommonData(Description):
    """What pages and lessons are told alike."""

    lang: Language
    structures: list[StructureRow]
    start: State
    run: RunData | None
    scheme: Picture
    scene: PageSceneData | None
    chart: dict[Language, str] | None
    curves: Curves | None
    equations: EquationsData | None
    parameters: list[ParameterRow]


class ControlSignal(TypedDict):
    """A signal of a scheme: where it stands among what states remember, or among what flows; and how it is shown."""

    name: str
    unit: Words
    scale: float
    truth: bool
    memory: int | None
    flow: int | None
    kind: Literal["angle", "length", "number", "force", "moment"]
    title: Words


class ConsoleInput(TypedDict):
    """What an operator touches; `signals` are the numbers that it gives [SI]."""

    name: str
    face: str
    signals: list[int]
    start: float
    min: float | None
    max: float | None
    positions: list[float]


class ConsoleDisplay(TypedDict):
    """What an operator sees."""

    name: str
    kind: str
    signal: int
    min: float | None
    max: float | None
    colour: str | None
    digits: int | None


class ControlData(TypedDict):
    """Functional schemes: blocks of their drawings, what their wires carry, and the console.

    `given` and `record` are what inputs were in the run: values at its beginning, and (time, signal, value) of every
    change.
    """

    drawing: dict[Language, str]
    drawn: int
    signals: list[ControlSignal]
    plotted: int
    all: int
    inputs: list[ConsoleInput]
    displays: list[ConsoleDisplay]
    given: list[float]
    record: list[tuple[float, int, float]]


class PageData(CommonData):
    """The payload of the page of a system."""

    chart_of: Literal["chart", "drives"]
    live: LiveData
    control: ControlData | None
    tree: TreeData


# --- lessons ---------------------------------------------------------------------------------------------------------


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
    networks: Networks
    begin: LessonBegin


class LessonData(CommonData):
    """The payload of a lesson."""

    lesson: Lesson


# --- scenes of their own ---------------------------------------------------------------------------------------------


class ViewerData(TypedDict):
    """The page of one scene: its viewer, and what of it the page carries."""

    viewer: Literal["x_ite", "x3dom"]
    title: str
    lang: Language
    parts: list[str]
    fonts: list[str]
    blocks: list[str]


class GripperData(TypedDict):
    """The page of the gripper: components of the viewer, fields of the prototype by key, codes, and a tour."""

    lang: Language
    parts: list[str]
    fields: dict[str, str]
    octants: list[list[int]]
    euler: dict[str, list[float]]
    tour: list[float]


class SentItem(TypedDict):
    """Bytes for a drive: in hexadecimal digits, whether it answers, when they are sent [ms], and words for people."""

    data: str
    answer: bool
    time: int | None
    shown: str


class SentStage(TypedDict):
    """What one click sends."""

    title: Words
    items: list[SentItem]


class SenderData(TypedDict):
    """The page that sends a program to drives over a serial line."""

    lang: Language
    baud: int
    frame: Literal["line", "telegram", "packet"]
    good: str
    stages: list[SentStage]
    stop: list[SentItem]


PAYLOADS = (PageData, LessonData, ViewerData, GripperData, SenderData, EquationsBlock)
"""What pages read as JSON; everything else is a part of these."""
COMMON = (CommonData, PlanarScheme, SpatialScheme)
"""What several of them begin with."""
