"""What pages are told, as types: the JSON between the Python that writes pages and the TypeScript that runs in them.

The modules beside this one have pictures, equations and tables, lessons, and pages of their own; `_payloads` lists what
pages begin with. `tools/payload.py` writes web/src/payload.ts from them; a test sees to it that both say the same.
Lengths are in metres, angles in radians, times in seconds, unless said otherwise.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from sistel.errors import Language
from sistel.views._form_data import FormData
from sistel.views._model_data import EquationsData, ParameterRow, TreeData
from sistel.views._page_words import Quantity, Said, Sort, Words
from sistel.views._picture_data import PlanarScheme, SceneTable, SpatialScheme

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
    quiet: bool
    """Whether it is not listed among events."""


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
    data: NotRequired[int | None]
    """Where contacts, stops and dry friction make structures of their own: what their problems are made of."""
    find: NotRequired[int | None]
    found: NotRequired[int]
    """What finds the places that they hold, and how many numbers these are."""
    held: NotRequired[int | None]
    """Where `flow` gives the rows of all that may hold, and the page solves for what does: how far off that is."""


class LiveElement(TypedDict):
    """A contact, a stop or dry friction: its rows, its laws, places of its numbers, what it is called by status."""

    label: str
    kind: Literal["contact", "stop", "grip"]
    normal: int
    tangent: int
    friction: float | None
    back: float
    grasp: tuple[float, float]
    newton: float
    poisson: float
    bound: float
    tight: int
    pull: int
    partners: list[tuple[int, int]]
    said: list[Words]


class LiveLeaf(TypedDict):
    """A watched function of an element, and what happens where it ends: the one or the other, by its status."""

    element: int
    which: int
    place: int
    names: list[str]
    said: list[Words]


class LiveElements(TypedDict):
    """All that decide by themselves what they do.

    `sides` is how many tangents a row of numbers has room for, `reads` whether conditions or ticks read what contacts
    carry, in each of its rows.
    """

    elements: list[LiveElement]
    leaves: list[LiveLeaf]
    rows: int
    size: int
    share: int
    groups: list[list[int]]
    sides: int
    reads: bool


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
    loads: NotRequired[int | None]
    """What joints and links carry, as `carriers` names them; None where that is not in the page."""
    carriers: NotRequired[list[str]]
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


class LivePush(TypedDict):
    """What a hand needs to push: how every velocity moves what hangs on it, bases of the bodies, the mass [kg]."""

    twists: int | None
    bases: list[int]
    mass: float
    acts: bool
    """Whether the equations take its forces."""


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
    push: NotRequired[LivePush]
    structures: list[LiveStructure]
    start: LiveStart
    refused: Words | None
    hoisted: NotRequired[int]
    line: NotRequired[int | None]
    sizes: NotRequired[int | None]
    begin: NotRequired[int | None]
    flowing: NotRequired[list[str]]
    elements: NotRequired[LiveElements]
    parameters: list[LiveParameter]
    kernels: list[KernelBlocks]


class LiveData(TypedDict):
    """The live motion of a page: the block of its kernels, their table, and whether the panel is there."""

    id: str
    table: LiveTable
    on: bool


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
    """A curve of a run: its number in its group, its least and greatest value.

    Of places, the number is three times that of the place in the page, and the axis; energies count from `zero` [J].
    """

    name: Said
    of: int
    low: float
    high: float
    zero: NotRequired[float]


class Chart(TypedDict):
    """Curves of one axis; `per` is a power of seconds, `error` how far they are from the run, over their range.

    Curves without times are those that the page reads off the states of its motion.
    """

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


class ComparedRun(TypedDict):
    """Another run, over the one of the page: its motion and its curves, and how its states are laid out."""

    name: str
    run: RunKeys
    curves: Curves
    structures: list[StructureRow]
    events: int
    coordinates: list[Coordinate]
    rates: list[Rate]
    spins: list[Spin]
    partners: list[int]
    values: dict[str, float] | None
    """Live parameters that differ [SI], where all else of the system is the same: then its bodies can be shown. None
    where it is another system, and only curves of the same names are compared."""


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


class GeometryData(TypedDict):
    """What follows parameters: a script with one kernel, from them to numbers, and where those stand in the payload."""

    id: str
    kernel: KernelBlocks
    places: list[list[str | int]]


class SourceData(TypedDict):
    """The file of the model: the block of its text, its parameters there and those of the page [SI], by name."""

    id: str
    own: dict[str, float]
    wanted: dict[str, float]


class PageData(CommonData):
    """The payload of the page of a system."""

    source: SourceData | None
    chart_of: Literal["chart", "drives"]
    live: LiveData
    form: FormData | None
    control: ControlData | None
    tree: TreeData
    geometry: GeometryData | None
    called: str
    """What the run is called among those that it is compared with."""
    compared: list[ComparedRun]
