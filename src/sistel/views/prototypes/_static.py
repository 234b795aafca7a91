"""Bodies by their codes without scripts: for viewers that run none, and for scenes with many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.pose import Parameters, read_body
from sistel.views.prototypes._write import torus
from sistel.views.x3d._nodes import numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def static_body(code: ArrayLike, parameters: Parameters | None = None) -> str:
    """The look of a body as plain X3D nodes, with the same nesting that the prototype makes.

    Args:
        code: Of the body, as `sistel.pose.read_body` reads it [m and deg].
        parameters: Known sets; the standard ones unless told otherwise.

    Raises:
        SistelError: A number is wrong: which one, and why.
    """
    shapes = {
        "box": "<Box size='1 1 1'/>",
        "cylinder": "<Cylinder radius='0.5' height='1'/>",
        "cone": "<Cone bottomRadius='0.5' height='1'/>",
        "sphere": "<Sphere radius='0.5'/>",
        "torus": torus(),
    }
    parts = []
    for each in read_body(code, parameters):
        paint = f"diffuseColor='{numbers(each.colour)}' transparency='{numbers([each.transparency])}'"
        shine = "specularColor='0.28 0.28 0.3' shininess='0.35' ambientIntensity='0.3'"
        place, turn = numbers(each.pose.place), numbers(each.pose.euler_parameters)
        parts.append(
            f"<Transform translation='{place}' rotation='{turn}'><Transform scale='{numbers(each.sizes)}'>"
            f"<Shape><Appearance><Material {paint} {shine}/></Appearance>{shapes[each.kind]}</Shape>"
            "</Transform></Transform>"
        )
    return "<Group>\n{}\n</Group>".format("\n".join(parts))
