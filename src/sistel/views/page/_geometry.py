"""What of a page follows parameters: numbers of its payload, and a kernel that computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sistel.expr import Traced
from sistel.model import Model
from sistel.views._page_data import CommonData, GeometryData, LiveParameter
from sistel.views.live import Source

KEYS = ("places", "contacts", "scheme", "scene")
"""The parts of a payload that have such numbers."""
Place = tuple[str | int, ...]
"""Keys and indices that lead to a number."""


def traced_model(model: Model, parameters: Sequence[LiveParameter]) -> Model | None:
    """The model whose numbers know their formulas, of the parameters that a page can change; None without any."""
    lettered = model.lettered
    places = {row["place"]: row["name"] for row in parameters if row["live"] and row["place"] is not None}
    if lettered is None or not places:
        return None
    followed, _ = lettered.following([places[place] for place in sorted(places)])
    return followed


def geometry_of(data: CommonData, block: str) -> tuple[GeometryData, str] | None:
    """Where in a payload numbers follow parameters, and the script that computes them; None where none do.

    Args:
        data: The payload; its numbers know their formulas.
        block: What the script is called in the page.
    """
    found = [each for key in KEYS for each in _followed(data.get(key), (key,))]
    if not found:
        return None
    graph = found[0][1].node.graph
    source = Source()
    source.add(graph.program({"geometry": [number.node for _, number in found]}))
    (kernel,) = source.kernels
    return {"id": block, "kernel": kernel, "places": [list(place) for place, _ in found]}, source.text


def _followed(value: object, place: Place) -> Iterator[tuple[Place, Traced]]:
    """All numbers that know their formulas, and where they stand."""
    waiting: list[tuple[object, Place]] = [(value, place)]
    while waiting:
        each, where = waiting.pop()
        if isinstance(each, Traced):
            yield where, each
        elif isinstance(each, Mapping):
            waiting += [(inner, (*where, str(key))) for key, inner in each.items()]
        elif isinstance(each, (list, tuple)):
            waiting += [(inner, (*where, number)) for number, inner in enumerate(each)]
