"""Tasks to begin with, made for the model that is open: each asks something that this model can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from sistel.errors import Diagnostics, Language, Source, Text, did_you_mean, refuse
from sistel.studio.service._numbers import plain
from sistel.studio.service._parameters import Written, written
from sistel.studio.service._read import model_of

if TYPE_CHECKING:
    from sistel.model import Model


def task_text(path: str, text: str, kind: str, lang: Language) -> dict[str, str]:
    """Name and text of a task.

    Raises:
        SistelError: There is no such template, or the model cannot answer it.
    """
    write = TEMPLATES.get(kind)
    if write is None:
        refuse(
            "unknown-template",
            Text(f'there is no template "{kind[:60]}"', f"нет образца «{kind[:60]}»"),
            hint=did_you_mean(kind, TEMPLATES),
        )
    from sistel.markup import translate

    model = model_of(path, text)
    inside = write(model, written(path, text), lang)
    name = NAMES[kind].say(lang)
    file = PurePath(path).name
    made = f"<task name={quoteattr(f'{model.name}: {name}')} model={quoteattr(file)}{inside}</task>\n"
    diagnostics = Diagnostics()
    if lang == "ru":
        made = translate(Source(file, made), "ru", diagnostics)
        diagnostics.raise_if_failed()
    return {"name": f"{PurePath(path).name.partition('.')[0]}_{FILES[kind].say(lang)}.xml", "text": made}


def _place(model: Model) -> str:
    """Something that moves and can be asked for: a point of the last body that has one, or that body."""
    for body in reversed(model.bodies):
        named = [point.name for point in model.points if point.body == body.number]
        if named:
            return named[0]
    return model.bodies[-1].name


def _posture(model: Model) -> str:
    """The coordinates at the start, as a task lists them."""
    values = []
    for body in model.bodies:
        kind = body.joint.type
        if kind.has_quaternion:
            refuse(
                "no-template",
                Text(
                    f'"{body.name}" turns in all directions: write its posture by hand',
                    f"«{body.name}» поворачивается во все стороны: положение напишите сами",
                ),
            )
        for place, (_, sort) in enumerate(kind.rates):
            factor = 180.0 / 3.141592653589793 if sort == "turn" else 1000.0
            values.append(plain(float(f"{factor * float(model.start.q[body.first_q + place]):.6g}")))
    return ", ".join(values)


def _wanted(model: Model, extra: tuple[str, ...] = ()) -> str:
    place = _place(model)
    axes = "xy" if model.planar else "xyz"
    return ", ".join((*(f"{axis}({place})" for axis in axes), *extra))


def _kinematics(model: Model, known: Mapping[str, Written], lang: Language) -> str:
    place = _place(model)
    joints = _posture(model)
    return (
        f'>\n  <kinematics name="direct" frame={quoteattr(place)} joints={quoteattr(joints)}\n'
        f"              report={quoteattr(_wanted(model))}/>\n"
    )


def _statics(model: Model, known: Mapping[str, Written], lang: Language) -> str:
    if 0 < len(model.motors) < model.nv:  # its motors may not hold a posture: it is looked for where all balances
        return f'>\n  <statics name="at rest" find="equilibrium" joints={quoteattr(_posture(model))}/>\n'
    load = f'load="1 kg" at={quoteattr(_place(model))}'
    return f'>\n  <statics name="holding" joints={quoteattr(_posture(model))} {load}/>\n'


def _dynamics(model: Model, known: Mapping[str, Written], lang: Language) -> str:
    wanted = _wanted(model, (f"highest(speed({_place(model)}))",))
    return f'>\n  <dynamics name="motion" until="1 s" report={quoteattr(wanted)}/>\n'


def _variants(model: Model, known: Mapping[str, Written], lang: Language) -> str:
    free = [each for each in known.values() if each.literal is not None and each.literal.value != 0.0]
    if not free:
        refuse(
            "no-template",
            Text("a sheet varies parameters, and this model has none", "лист варьирует параметры, а у модели их нет"),
            hint=Text('add <parameter name="…" value="…"/>', "добавьте <параметр имя=«…» значение=«…»/>"),
        )
    rows, words = [], []
    for each in free[:3]:
        low, high, step = _range(each)
        name, unit = each.parameter.name, f" {each.unit}" if each.unit else ""
        rows.append(
            f'  <vary parameter={quoteattr(name)} from="{plain(low)}{unit}" to="{plain(high)}{unit}" '
            f'step="{plain(step)}{unit}"/>\n'
        )
        words.append(f"{name} = {{{name}}}")
    given, place = ", ".join(words), _place(model)
    question = f"Дано: {given}. Где находится «{place}»?" if lang == "ru" else f'Given {given}. Where is "{place}"?'
    return (
        f"\n      question={quoteattr(question)}>\n{''.join(rows)}"
        f"  <kinematics joints={quoteattr(_posture(model))} report={quoteattr(_wanted(model))}/>\n"
    )


def _range(each: Written) -> tuple[float, float, float]:
    """Ten steps about the value, within its limits, in the author's unit."""
    assert each.literal is not None
    value = each.literal.value
    step = float(f"{abs(value) / 10.0:.1g}")
    low, high = value - 5.0 * step, value + 5.0 * step
    least, most = each.parameter.minimum, each.parameter.maximum
    if least is not None:
        low += step * max(0.0, -((low - each.of_si(float(least))) // step))
    if most is not None:
        high -= step * max(0.0, -((each.of_si(float(most)) - high) // step))
    return float(f"{low:.9g}"), float(f"{high:.9g}"), step


TEMPLATES: Final[Mapping[str, Callable[[Model, Mapping[str, Written], Language], str]]] = {
    "kinematics": _kinematics,
    "statics": _statics,
    "dynamics": _dynamics,
    "sheet": _variants,
}
NAMES: Final = {
    "kinematics": Text("where it is", "где оно находится"),
    "statics": Text("what holds it", "что её держит"),
    "dynamics": Text("how it moves", "как она движется"),
    "sheet": Text("task sheet", "лист задач"),
}
FILES: Final = {
    "kinematics": Text("kinematics", "кинематика"),
    "statics": Text("statics", "статика"),
    "dynamics": Text("dynamics", "динамика"),
    "sheet": Text("sheet", "лист"),
}
