"""`sistel fk`: where the tool of an arm is, how it moves with the joints."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from sistel.cli._arguments import Call, CallError
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._motion_tables import check_outputs, common_data, say_tables, table, units_of
from sistel.cli._postures import DEGREES, FRAME, POSTURE_HELP, posture_of, read_posture, usual_frame
from sistel.cli._reading import of_system, read_system
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.errors import Language
    from sistel.plain import JsonObject
    from sistel.pose import Rotation
    from sistel.system import System
    from sistel.views.text import Table


FORMATS = (".html", ".svg")
AXIAL = 1e-9
"""How far axes may be from those of the world to have a code."""
CLOSED = 1e-6
"""How far links may be from being met to be closed [m or rad]."""

USAGE = of_system(
    about=Text(
        "Computes the pose of a body, frame or point for given coordinates: its matrix, place, angles, quaternion and, "
        "where its axes lie along those of the world, its axial code; and the Jacobian with its singular values.",
        "Вычисляет позу тела, репера или точки при заданных координатах: матрицу, место, углы, кватернион и, если оси "
        "идут вдоль осей мира, осевой код; и матрицу Якоби с её сингулярными числами.",
    ),
    options=(
        *options(
            f"""
            --q POSTURE | ПОЗА
                {POSTURE_HELP.en}; by default the start of the file
                {POSTURE_HELP.ru}; по умолчанию начальное положение из файла
            """
        ),
        FRAME,
        DEGREES,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                a file: .html (a page with the arm in this posture), .svg (its scheme). May be repeated
                файл: .html (страница с рукой в этой позе), .svg (её схема). Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel fk puma560.xml --q 10°,40°,-90°,0,30°,0
            a posture
            поза
        sistel fk puma560.xml --q ready --frame tool
            a posture of the file
            поза из файла
        sistel fk arm5.xml --q 0,90,0,90,0 --degrees -o arm.html
            a page
            страница
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, compute the pose, and say it."""
    outputs = check_outputs(call, FORMATS)
    system = read_system(call)
    q = read_posture(call, "q", system) or posture_of(call, "q", "start", system)  # which closes loops
    frame = usual_frame(call, system)
    try:
        X, J = system.pose(q, frame), system.jacobian(q, frame)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    found = {**_found(X, J), "manipulability": _measures(system, q, frame)}
    gap = _gap(system, q)
    for target in outputs:
        _write(system, q, frame, target, console)
    if console.json:
        names = system.model.coordinate_names
        console.document(
            {
                "name": system.name,
                "frame": frame,
                "q": dict(zip(names, q, strict=True)),
                "pose": X.tolist(),
                "jacobian": J.tolist(),
                **found,
                "open": gap,
                "outputs": outputs,
                **common_data(system, console),
            }
        )
        return 0
    heading = Text(f'where "{frame}" is', f"где «{frame}»").say(console.lang)
    say_tables(system, heading, _tables(system, q, X, J, found, console.lang), console)
    if gap > CLOSED:
        console.message(
            Text(
                f"these coordinates do not close the loops: {gap:.3g} m or rad remain",
                f"при этих координатах контуры не замкнуты: не хватает {gap:.3g} м или рад",
            )
        )
    for target in outputs:
        console.written(target)
    console.diagnostics(system.diagnostics)
    return 0


def _gap(system: System, q: list[float]) -> float:
    """How far the links beside the joints are from being met [m or rad]; 0 where there are none."""
    import numpy as np

    return float(np.abs(system.constraint_errors(q)).max(initial=0.0))


def _found(X: Array, J: Array) -> JsonObject:
    """What follows from a pose and a Jacobian [SI]."""
    import numpy as np

    from sistel.pose import axial_code, quaternion, roll_pitch_yaw

    R = cast("Rotation", tuple(tuple(float(x) for x in row) for row in X[:3, :3]))
    near = np.round(X[:3, :3])
    code = None
    if np.abs(X[:3, :3] - near).max() < AXIAL:
        exact = cast("Rotation", tuple(tuple(float(x) for x in row) for row in near))
        code = axial_code(exact)
    values = np.linalg.svd(J, compute_uv=False)
    return {
        "position": X[:3, 3].tolist(),
        "roll_pitch_yaw": list(roll_pitch_yaw(R)),
        "quaternion": list(quaternion(R)),
        "axial_code": code,
        "singular_values": values.tolist(),
    }


def _measures(system: System, q: list[float], frame: str) -> dict[str, float] | None:
    """Yoshikawa's measures of the place and of the pose; none where nothing but hinges and slides would have them."""
    try:
        return {
            "position": float(system.manipulability(q, frame)),
            "pose": float(system.manipulability(q, frame, task="pose")),
        }
    except SistelError:
        return None


def _tables(system: System, q: list[float], X: Array, J: Array, found: JsonObject, lang: Language) -> list[Table]:
    ru = lang == "ru"
    factors, words = units_of(system, lang)
    names = system.model.coordinate_names
    simple = len(names) == len(words)
    rows = [
        [name, _short(value * (factors[i] if simple else 1.0)), words[i] if simple else ""]
        for i, (name, value) in enumerate(zip(names, q, strict=True))
    ]
    angles = [math.degrees(x) for x in found["roll_pitch_yaw"]]
    pose = [
        ["место, мм" if ru else "place, mm", *(_short(1e3 * x) for x in found["position"])],
        ["крен, тангаж, рыскание, °" if ru else "roll, pitch, yaw, °", *map(_short, angles)],
        ["кватернион" if ru else "quaternion", *(_short(x, 9) for x in found["quaternion"])],
    ]
    if found["axial_code"] is not None:
        pose.append(["осевой код" if ru else "axial code", str(found["axial_code"])])
    pose = [[*row, *[""] * (5 - len(row))] for row in pose]
    matrix = [[_short(x, 9) for x in row] for row in X.tolist()]
    parts = ("ωx", "ωy", "ωz", "vx", "vy", "vz")
    # A row for every joint that carries the frame: six columns fit any page.
    jacobian = [
        [name, *map(_short, column)]
        for name, column in zip(system.model.rate_names, J.T.tolist(), strict=True)
        if any(column)
    ]
    values = ", ".join(f"{x:.6g}" for x in found["singular_values"])
    title = (
        f"Матрица Якоби, по строке на сочленение (рад и м на единицу скорости); σ: {values}"
        if ru
        else f"Jacobian, a row for a joint (rad and m per unit of speed); σ: {values}"
    )
    measures = found["manipulability"]
    if measures is not None:
        place, whole = (f"{measures[key]:.6g}" for key in ("position", "pose"))
        title += f"; манипулятивность: места {place}, позы {whole}" if ru else ""
        title += "" if ru else f"; manipulability: of the place {place}, of the pose {whole}"
    return [
        table("Координаты" if ru else "Coordinates", ("Имя" if ru else "Name", "q", ""), rows, left=1),
        table("Поза" if ru else "Pose", ("Запись" if ru else "As", *("",) * 4), pose, left=1),
        table("Матрица, м" if ru else "Matrix, m", ("x", "y", "z", "p"), matrix),
        table(title, ("", *parts), jacobian, left=1),
    ]


def _short(value: float, digits: int = 6) -> str:
    """A number without the sign of nothing."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _write(system: System, q: list[float], frame: str, target: str, console: Console) -> None:
    from sistel.markup import write_text

    if PurePath(target).suffix.casefold() == ".svg":
        write_text(target, str(system.scheme(q)))
        return
    try:
        page = system.lesson(None, frame, mode="forward", q=q, lang=console.lang)
    except SistelError:
        # What is no arm has a pose as well.
        from sistel.views.page import draw_page

        page = draw_page(system.model, at=q, lang=console.lang)
    write_text(target, page)
