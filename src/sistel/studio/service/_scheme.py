"""Functional schemes: what may be put into them, what they are, and changes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sistel.studio.service import _params
from sistel.studio.service._calls import Method, failure
from sistel.studio.service._read import built, given


def palette(params: Mapping[str, object]) -> object:
    """What may be put into a scheme, of a text with its sub-schemes: `{items}`."""
    from sistel.studio.service._scheme_palette import palette as things

    path, text = _params.text(params, "path", "<text>"), _params.text(params, "text", "")
    return {"items": things(path, text or None)}


def read(params: Mapping[str, object]) -> object:
    """A scheme as a graph: `{schemes, id, nodes, wires, prefix}`."""
    from sistel.studio.service._scheme_graph import graph

    path, text = given(params)
    sound = _params.text(params, "sound", "") or None
    return graph(path, text, _optional(params, "scheme"), _optional(params, "use"), sound, _params.language(params))


def edit(params: Mapping[str, object]) -> object:
    """What a change of a scheme comes to: `{edits, select}`."""
    from sistel.studio.service._scheme_edits import changed

    path, text = given(params)
    return changed(path, text, _optional(params, "scheme"), _params.table(params, "change"))


def thing(params: Mapping[str, object]) -> object:
    """The attributes of a thing, or of the scheme itself: `{id, title, about, attributes}`."""
    from sistel.studio.service._scheme_panel import panel

    path, text = given(params)
    return panel(
        path, text, _optional(params, "scheme"), _params.text(params, "id", "", most=400), _params.language(params)
    )


def chart(params: Mapping[str, object]) -> object:
    """The states of a behaviour and the passages between them: `{name, states, passages}`."""
    from sistel.studio.service._scheme_states import states

    path, text = given(params)
    return states(path, text, _optional(params, "scheme"), _params.text(params, "behaviour", most=400))


def console(params: Mapping[str, object]) -> object:
    """What an operator of the model touches and sees: `{inputs, displays}`."""
    from sistel.studio.service._scheme_console import console as things

    path, text = given(params)
    return things(path, text, _params.language(params))


def inputs(params: Mapping[str, object]) -> object:
    """What is wrong with what the inputs of a run are given: `{wrong: {name: failure}}`."""
    from sistel.studio.service._courses import wrong

    path, text = given(params)
    lines = _params.table(params, "inputs")
    asked = {name: _params.text(lines, name, most=100_000) for name in lines}
    model = built(path, text).model
    return {"wrong": {} if model is None else {name: failure(each) for name, each in wrong(model, asked).items()}}


def _optional(params: Mapping[str, object], name: str) -> str | None:
    return None if params.get(name) is None else _params.text(params, name, most=1000)


METHODS: Final[Mapping[str, Method]] = {
    "scheme.palette": palette,
    "scheme.read": read,
    "scheme.edit": edit,
    "scheme.thing": thing,
    "scheme.chart": chart,
    "scheme.console": console,
    "scheme.inputs": inputs,
}
