"""What an operator of a scheme touches and sees."""

from __future__ import annotations

from sistel.errors import Language
from sistel.studio.service._read import built
from sistel.units import si_symbol


def console(path: str, text: str, lang: Language) -> dict[str, object]:
    """The inputs and the displays of a model: `{inputs, displays}`; none of a text that makes no model."""
    model = built(path, text).model
    if model is None:
        return {"inputs": [], "displays": []}
    inputs = [
        {
            "name": each.name,
            "face": each.face or "number",
            "truth": each.truth,
            "start": each.start,
            "low": each.minimum,
            "high": each.maximum,
            "positions": list(each.positions),
            "unit": "" if each.truth or each.dimension.plain else si_symbol(each.dimension, lang).replace("*", "·"),
        }
        for scheme in model.schemes
        for each in scheme.inputs
    ]
    displays = [
        {
            "name": each.name,
            "kind": each.kind,
            "low": each.minimum,
            "high": each.maximum,
            "colour": each.colour,
            "digits": each.digits,
        }
        for scheme in model.schemes
        for each in scheme.displays
    ]
    return {"inputs": inputs, "displays": displays}
