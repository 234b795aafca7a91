"""`sistel workspace`: what an arm reaches, how well it moves there, how much it holds."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._motion_tables import check_outputs, common_data
from sistel.cli._postures import DEGREES, FRAME, POSTURE_HELP, read_numbers, read_posture, usual_frame
from sistel.cli._progress import ProgressLine
from sistel.cli._reading import of_system, read_system
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sistel.arms import SectionMap, SingularCurve, Workspace
    from sistel.errors import Language
    from sistel.system import System

FORMATS = (".svg", ".png", ".html", ".csv", ".npz")
WAIT = 0.5
"""What takes less than this needs no progress [s]."""

USAGE = of_system(
    about=Text(
        "Finds the places that a body, frame or point of an arm reaches within the limits of its joints: a section with"
        " its outline, the reach, the box and the volume. A map shows, at each point, the best manipulability or the"
        " largest mass that can be held, over all postures that reach it. Curves show where a direction of motion is"
        " lost.",
        "Находит места, которых тело, репер или точка манипулятора достигает в пределах сочленений: сечение с его"
        " контуром, досягаемость, габариты и объём. Карта показывает в каждой точке лучшую манипулятивность или"
        " наибольшую массу, которую можно удержать, по всем позам, которые её достигают. Кривые показывают, где"
        " теряется направление движения.",
    ),
    options=(
        FRAME,
        *options(
            f"""
            --section PLANE | ПЛОСКОСТЬ = xz|xy|yz
                by which plane; by default one along the first axis
                какой плоскостью; по умолчанию вдоль первой оси
            --through X,Y,Z
                a point of the plane, in metres
                точка плоскости, в метрах
            --normal X,Y,Z
                a plane across any direction, with --through
                плоскость поперёк направления, вместе с --through
            --map WHAT | ЧТО = reach|manipulability|capacity
                what colours mean: nothing but reach (the default), manipulability, or capacity, the mass held
                что значат цвета: reach — только досягаемость (по умолчанию), manipulability — манипулятивность,
                    capacity — удерживаемая масса
            --kind MEASURE | МЕРА = yoshikawa|condition|smallest
                of manipulability: yoshikawa, the product of the singular values (the default); condition, the inverse
                    condition number; smallest, the smallest singular value
                манипулятивности: yoshikawa — произведение сингулярных чисел (по умолчанию), condition — обратное число
                    обусловленности, smallest — наименьшее сингулярное число
            --force NAME=LIMIT | ИМЯ=ПРЕДЕЛ *
                for capacity: greatest force or moment of a coordinate in N or N·m, instead of its motor's
                для capacity: наибольшая сила или момент координаты в Н или Н·м вместо предела её привода
            --resolution NUMBER | ЧИСЛО
                points along the longer side; 160 by default
                точек вдоль большей стороны; по умолчанию 160
            --at POSTURE | ПОЗА
                the posture in which the arm is drawn: {POSTURE_HELP.en}
                поза, в которой рисуется рука: {POSTURE_HELP.ru}
            """
        ),
        DEGREES,
        *options(
            """
            --no-volume
                do not find the volume
                не искать объём
            --no-singular
                no curves of singularities
                без кривых особых положений
            --theme THEME | ТЕМА = auto|light|dark
                colours of pictures: auto follows the screen
                цвета рисунков: auto — как у экрана
            --title TEXT | ТЕКСТ
                what to write over the picture
                заголовок рисунка
            --output -o FILE | ФАЙЛ *
                where to put it: .svg, .png or .html, the picture; .csv, a row for each point; .npz, all arrays; may be
                    repeated
                куда записать: .svg, .png или .html — рисунок; .csv — строка на точку; .npz — все массивы; можно
                    повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel workspace puma560.xml -o puma.svg
            what it reaches
            чего он достигает
        sistel workspace puma560.xml --map manipulability -o puma.html
            how well it moves there
            насколько хорошо он там движется
        sistel workspace scara.xml --section xy --map capacity
            what it can hold, seen from above
            сколько он удержит, вид сверху
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, find what is reached, draw it, and say it."""
    outputs = check_outputs(call, FORMATS)
    what = call.value("map") or "reach"
    through, normal = (read_numbers(call, key, (3,)) for key in ("through", "normal"))
    if normal is not None and (through is None or call.given("section")):
        wrong_call(
            "bad-plane",
            Text("--normal goes with --through, without --section", "--normal нужен вместе с --through, без --section"),
        )
    for key, needs in (("force", "capacity"), ("kind", "manipulability")):
        if call.given(key) and what != needs:
            wrong_call("bad-call", Text(f"--{key} goes with --map {needs}", f"--{key} бывает с --map {needs}"))
    forces = _forces(call)
    resolution = call.value("resolution") or "160"
    if not resolution.isdecimal():
        wrong_call(
            "bad-number",
            Text(f'--resolution cannot be "{resolution}"', f"--resolution не может быть «{resolution}»"),
            expected=Text("a whole number", "целое число"),
        )
    system = read_system(call)
    frame, at = usual_frame(call, system), read_posture(call, "at", system)
    line = ProgressLine(console, WAIT)

    def progress(part: float) -> None:
        if line.due:
            line.show(f"{100 * part:3.0f} %")

    picture = any(PurePath(output).suffix.casefold() in (".svg", ".png", ".html") for output in outputs)
    try:
        plane: Any = (through, normal) if normal is not None else call.value("section")
        share = 1.0 if what == "reach" else 0.5
        found = system.workspace(
            frame,
            plane=plane,
            through=None if normal is not None else through,
            resolution=int(resolution),
            volume=not call.given("no-volume"),
            progress=lambda part: progress(share * part),
        )
        of = _map(call, found, what, forces, lambda part: progress(share + (1.0 - share) * part))
        curves = () if call.given("no-singular") else found.singularities()
        options = {"at": at, "singular": curves, "lang": console.lang, "title": call.value("title")}
        options["theme"] = call.value("theme") or "auto"
        if not picture:
            options = {}
        for output in outputs:
            found.save(output, of, **options)
    except SistelError as problem:
        # Names, numbers and files all come from the command line.
        raise CallError(problem.diagnostics) from None
    finally:
        line.wipe()
    if console.json:
        data = {"name": system.name, "file": system.source.path, **_data(found, of, curves, console.lang)}
        console.document({**data, "outputs": outputs, **common_data(system, console)})
    else:
        console.write(_text(system, found, of, curves, console.lang))
        console.flush()
        console.diagnostics(system.diagnostics)
        for output in outputs:
            console.written(output)
    return 0


def _map(
    call: Call, found: Workspace, what: str, forces: dict[str, float], progress: Callable[[float], None]
) -> SectionMap | None:
    if what == "manipulability":
        kind = call.value("kind") or "yoshikawa"
        return found.manipulability(
            cast("Any", "inverse condition" if kind == "condition" else kind), progress=progress
        )
    if what == "capacity":
        return found.capacity(forces=forces or None, progress=progress)
    return None


def _forces(call: Call) -> dict[str, float]:
    made = {}
    for word in call.all("force"):
        name, _, value = word.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name or not number > 0.0:
            wrong_call(
                "bad-number",
                Text(f'--force cannot be "{word}"', f"--force не может быть «{word}»"),
                expected=Text("name=limit, such as elbow=40", "имя=предел, например локоть=40"),
            )
        made[name] = number
    return made


def _kinds(curves: tuple[SingularCurve, ...], lang: Language) -> list[str]:
    return list(dict.fromkeys(curve.words.say(lang) for curve in curves))


def _data(
    found: Workspace, of: SectionMap | None, curves: tuple[SingularCurve, ...], lang: Language
) -> dict[str, object]:
    data: dict[str, object] = {
        "frame": found.frame,
        "plane": {
            "point": found.plane.point.tolist(),
            "right": found.plane.right.tolist(),
            "up": found.plane.up.tolist(),
        },
        "area": found.area,
        "area_error": found.area_error,
        "tolerance": found.tolerance,
        "reach": [found.near, found.reach],
        "centre": found.centre.tolist(),
        "box": [found.low.tolist(), found.high.tolist()],
        "volume": found.volume,
        "volume_error": found.volume_error,
        "boundary": [line.tolist() for line in found.boundary],
        "singular": [
            {"words": curve.words.say(lang), "fixed": curve.fixed, "points": curve.points.tolist()} for curve in curves
        ],
    }
    if of is not None:
        import numpy as np

        low = float(np.nanmin(of.values)) if np.isfinite(of.values).any() else math.nan
        data["map"] = {
            "what": of.what,
            "unit": of.unit,
            "least": low if math.isfinite(low) else None,
            "best": of.best if math.isfinite(of.best) else None,
        }
    return data


def _text(
    system: System, found: Workspace, of: SectionMap | None, curves: tuple[SingularCurve, ...], lang: Language
) -> str:
    from sistel.views.text import clean, vector

    mm = Text("mm", "мм").say(lang)
    rows = [
        (
            Text("reach from the shoulder", "досягаемость от плеча"),
            f"{1e3 * found.near:.6g} … {1e3 * found.reach:.6g} {mm}",
        ),
        (Text("box from", "габариты от"), f"{vector(found.low)} {mm}"),
        (Text("box to", "габариты до"), f"{vector(found.high)} {mm}"),
        (
            Text(f"section {'-'.join(found.plane.labels)}", f"сечение {'-'.join(found.plane.labels)}"),
            Text(
                f"{found.area:.6g} ± {found.area_error:.1g} m², outline to {1e3 * found.tolerance:.1g} mm",
                f"{found.area:.6g} ± {found.area_error:.1g} м², контур до {1e3 * found.tolerance:.1g} мм",
            ).say(lang),
        ),
    ]
    if found.volume is not None:
        said = Text(
            f"{found.volume:.6g} ± {found.volume_error:.1g} m³", f"{found.volume:.6g} ± {found.volume_error:.1g} м³"
        )
        rows.append((Text("volume", "объём"), said.say(lang)))
    if of is not None:
        unit = {"kg": Text("kg", "кг"), "m": Text("m", "м"), "m²": Text("m²", "м²"), "m³": Text("m³", "м³")}
        word = unit[of.unit].say(lang) if of.unit in unit else ""
        label = Text(f"{of.label.en}, at best", f"{of.label.ru}: лучшее значение")
        rows.append((label, f"{of.best:.6g} {word}".rstrip()))
    rows += [(Text("singular", "особое положение"), word) for word in _kinds(curves, lang)]
    width = max(len(label.say(lang)) for label, _ in rows)
    head = f"{clean(system.name)}: {clean(found.frame)}"
    return "\n".join([head, *(f"  {label.say(lang):<{width}}  {clean(value)}" for label, value in rows)]) + "\n"
