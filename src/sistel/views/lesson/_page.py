"""The lesson of an arm: one file that opens anywhere, and computes everything that it shows by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sistel.engine import Engine
from sistel.errors import Language, SistelError, Text, refuse
from sistel.model import Model
from sistel.views._lesson_data import DhTable, Lesson, LessonData, LessonPlan, LessonSearch
from sistel.views.lesson._begin import Opening, begin_of
from sistel.views.lesson._kit import lesson_kit
from sistel.views.lesson._nets import nets_data
from sistel.views.page._files import view_text
from sistel.views.page._page import add_picture, still_picture, write_page
from sistel.views.page._payload import (
    Blocks,
    chosen_language,
    describe,
    finite,
    measures,
    named,
    places,
    start_of,
    structures_of,
)

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.pose import Rotation, Vector3
    from sistel.solve.anfis import DynamicsNets, IkNets

    Nets = IkNets | DynamicsNets
    Place = tuple[int, Vector3, Rotation]

PLAIN = Opening()
RESTARTS = 100
"""Attempts after the first, as `System.inverse_kinematics` makes them."""
PATH = 2.0
"""Width of the way of the tool [px]."""


def lesson_page(
    model: Model,
    frame: str | None = None,
    opening: Opening = PLAIN,
    *,
    networks: Nets | Sequence[Nets] = (),
    lang: Language | None = None,
    title: str | None = None,
) -> str:
    """A page in which an arm is moved, sent to poses and along trajectories: one text, which asks for nothing outside.

    Args:
        model: An open chain of turns and slides, or a tree of them.
        frame: Name of the body, frame or point that is the tool; that of the networks, or the last of the arm, unless
            told otherwise.
        opening: What the page opens with.
        networks: Trained ones of this arm: `IkNets`, `DynamicsNets`, or both.
        lang: Language in which the page opens; the user's unless told otherwise. The page has both.
        title: Of the window; the name of the system unless told otherwise.

    Raises:
        SistelError: The system is no such arm, has no such frame, networks are of another one, or values do not fit.
    """
    engine = Engine.of(model)
    _check_arm(engine)
    nets = [networks] if not isinstance(networks, Sequence) else list(networks)
    data_of_nets, told = nets_data(model, nets, frame)
    name = frame or told or _last_place(model)
    place = _place_of(model, name)
    begin = begin_of(model, opening)
    language = chosen_language(lang)
    page = Blocks()
    start = start_of(model, begin["q"])
    states = np.array([start["q"]], dtype=float)
    size, _ = measures(model, states)
    structures, _ = structures_of(model)
    about = describe(model, size)
    about["trails"] = [i for i, each in enumerate(places(model)) if each["name"] == named(name)][-1:]
    search, postures = _search(engine, place)
    # The picture has room for where the arm may go.
    seen = np.concatenate([states, postures])
    tools = np.asarray(engine.frame_call("pose", *place)(postures)).reshape(-1, 4, 4)[:, :3, 3]
    scheme, scene = add_picture(page, model, None, seen, language, tools.tolist())
    if scene is not None:
        scene["trail"] = PATH
    kit = lesson_kit(engine, place)
    page.scripts.append(kit.source)
    lesson: Lesson = {
        "source": page.pack("lesson", kit.source),
        **kit.table,
        **search,
        "nv": model.nv,
        "frame": {
            "name": named(name),
            "body": place[0],
            "p": list(place[1]),
            "R": [x for row in place[2] for x in row],
        },
        "dh": _dh(model, name),
        "links": [
            {"mass": float(body.mass), "com": list(body.p_BoBcm_B), "inertia": list(body.I_BBcm_B)}
            for body in model.bodies
        ],
        "rotors": [float(rotor) for rotor in engine.tree.rotors],
        "gravity": list(model.gravity),
        "networks": data_of_nets,
        "begin": begin,
    }
    data: LessonData = {
        "lang": language,
        **about,
        "structures": structures,
        "start": start,
        "run": None,
        "scheme": scheme,
        "scene": scene,
        "chart": None,
        "curves": None,
        "equations": None,
        "parameters": [],
        "lesson": lesson,
    }
    return write_page(
        page,
        data,
        title or named(model.name),
        still=still_picture(model, states[0]),
        app="lesson.js",
        style=view_text("lesson/app/lesson.css"),
        formulas=False,
    )


def _check_arm(engine: Engine) -> None:
    """Refuse what is no tree of turns and slides."""
    model = engine.model
    reasons: list[Text] = []
    if not model.nq:
        reasons.append(Text("nothing in it moves", "в ней ничего не движется"))
    if any(body.joint.type.has_quaternion for body in model.bodies):
        reasons.append(Text("it has free bodies or ball joints", "в ней есть свободные тела или шаровые пары"))
    elif model.nq and not engine.structure(model.structure(), False).is_tree:
        reasons.append(Text("it has links beside its joints", "в ней есть связи кроме сочленений"))
    if reasons:
        refuse(
            "no-arm",
            Text(
                f'"{named(model.name)}" is no arm: {reasons[0].en}', f"«{named(model.name)}» — не рука: {reasons[0].ru}"
            ),
        )


def _place_of(model: Model, name: str) -> Place:
    """Body, place and axes of the tool."""
    try:
        place = model.place_of(name)
    except KeyError:
        refuse("no-frame", Text(f'there is no frame "{name}"', f"нет репера «{name}»"))
    if not place[0]:
        refuse("no-frame", Text(f'"{name}" does not move', f"«{name}» неподвижен"))
    return place


def _last_place(model: Model) -> str:
    """The tool of an arm that nobody named: the last frame or point of its last body, or any, or that body."""
    body = model.bodies[-1]
    near = [point.name for point in model.points if point.body == body.number]
    near += [frame.name for frame in model.frames if frame.body == body.number]
    return (near or [frame.name for frame in model.frames if frame.body] or [body.name])[-1]


def _search(engine: Engine, place: Place) -> tuple[LessonPlan, Array]:
    """The coordinates that move the frame, how they are searched for; and where attempts begin, shape (count, nq)."""
    from sistel.solve import Options, Solver, moving_joints, read_task

    joints = moving_joints(engine.model, place[0])
    if not joints.places:
        refuse("no-frame", Text("nothing moves the tool", "инструмент ничто не движет"))
    options = Options(
        method="lm",
        limits=True,
        turn=1e-8,
        slide=1e-8,
        restarts=RESTARTS,
        iterations=40,
        damping=(0.1, 4.0, 0.7),
        seed=1,
        several=False,
    )
    solver = Solver(engine, place, joints, read_task("pose", "lm"), True)
    known: Any = np.random.default_rng(options.seed).bit_generator.state
    start = np.array(engine.model.start.q, dtype=float)
    first, last = solver.ranges()
    data: LessonPlan = {
        "joints": [
            {"place": at, "low": finite(low), "high": finite(high), "name": named(name), "turns": turns}
            for at, low, high, name, turns in zip(
                joints.places, joints.low, joints.high, joints.names, joints.turns, strict=True
            )
        ],
        "search": cast("LessonSearch", solver.search_rules(options)),
        # The page draws the same places: a generator is shorter than what it draws.
        "draw": {
            "state": str(known["state"]["state"]),
            "increment": str(known["state"]["inc"]),
            "first": first.tolist(),
            "last": last.tolist(),
            "count": RESTARTS,
            "start": start.tolist(),
        },
    }
    states = np.repeat(start[None], RESTARTS, axis=0)
    states[:, list(joints.places)] = solver.starts(options)
    return data, states


def _dh(model: Model, frame: str) -> DhTable | None:
    """The table of Denavit and Hartenberg, where the chain of the frame has one."""
    from sistel.arms import dh_of

    try:
        table = dh_of(model, frame)
    except SistelError:
        return None
    return {
        "rows": [
            {"name": named(row.name), "kind": row.kind, "theta": row.theta, "d": row.d, "a": row.a, "alpha": row.alpha}
            for row in table.rows
        ],
        "base": table.base.tolist(),
        "tool": table.tool.tolist(),
    }
