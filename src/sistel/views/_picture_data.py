"""What pages are told of their pictures and scenes, as types: see `_page_data`."""

from __future__ import annotations

from typing import Literal, TypedDict

from sistel.views._page_words import Words


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


class SchemePiece(TypedDict):
    """An attribute of an element that follows parameters: texts, and numbers between them [mm]."""

    id: str
    attribute: str
    parts: list[str | float]


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
    pieces: list[SchemePiece]


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


class SceneNode(TypedDict):
    """A Transform that follows parameters: its place [m], its turn as a matrix by rows, its scale.

    A link is stretched and turned instead: `was` is where its far end is in the figure, `now` where that has to be [m].
    """

    node: str
    at: list[float] | None
    axes: list[float] | None
    scale: list[float] | None
    was: list[float] | None
    now: list[float] | None


class SceneFollow(TypedDict):
    """The body that the camera goes along with, and how far that goes before it does."""

    body: int
    room: float


class SceneTable(TypedDict):
    """What moves a scene.

    `transforms` are the nodes of the bodies; `places` where their joints are in the frames of their bases, 3×4 by rows,
    None where the node never moves; `axes` those of X3D from those of the system, by rows; `floor` is how far the lines
    of the floor are apart, 0 without one [m]; `corners` enclose every body, the ground first, in its frame [m]; `rings`
    are materials that show coordinates by their number; `layers` the nodes that are switched, by key, and
    `paints` their materials by colours; `notes` say what is drawn otherwise than it is.
    """

    transforms: list[str]
    bases: list[int]
    places: list[list[float] | None]
    world: str
    camera: str
    axes: list[float]
    springs: list[SceneSpring]
    nodes: list[SceneNode]
    floor: float
    corners: list[list[list[float]]]
    rings: list[tuple[str, int]]
    layers: dict[str, list[str]]
    paints: dict[str, str]
    notes: list[Words]
    follow: SceneFollow
    views: list[Words]
