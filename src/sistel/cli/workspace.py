"""`sistel workspace`: what an arm reaches, how well it moves there, how much it holds."""

from __future__ import annotations

import math
import sys
import time
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from sistel.cli._arguments import Call, CallError, Option, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._reading import BASE, FILE, LOCK, RENUMBER, SRDF, read_system
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.arms import SectionMap, SingularCurve, Workspace
    from sistel.errors import Language
    from sistel.system import System

FORMATS = (".svg", ".png", ".html", ".csv", ".npz")
OFTEN = 0.1
"""Time between two signs of progress [s]."""

USAGE = Usage(
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
    arguments=(FILE,),
    options=(
        Option(
            name="--frame",
            value=Text("NAME", "ИМЯ"),
            help=Text(
                'what moves: a body, frame or point; "hand" by default, or the last frame of the file',
                "что движется: тело, репер или точка; по умолчанию «hand» или последний репер файла",
            ),
        ),
        Option(
            name="--section",
            value=Text("PLANE", "ПЛОСКОСТЬ"),
            choices=("xz", "xy", "yz"),
            help=Text(
                "by which plane; by default one along the first axis",
                "какой плоскостью; по умолчанию вдоль первой оси",
            ),
        ),
        Option(
            name="--through",
            value=Text("X,Y,Z", "X,Y,Z"),
            help=Text("a point of the plane, in metres", "точка плоскости, в метрах"),
        ),
        Option(
            name="--normal",
            value=Text("X,Y,Z", "X,Y,Z"),
            help=Text(
                "a plane across any direction, with --through", "плоскость поперёк направления, вместе с --through"
            ),
        ),
        Option(
            name="--map",
            value=Text("WHAT", "ЧТО"),
            choices=("reach", "manipulability", "capacity"),
            help=Text(
                "what colours mean: nothing but reach (the default), manipulability, or capacity, the mass held",
                "что значат цвета: только досягаемость reach (по умолчанию), манипулятивность или capacity:"
                " удерживаемая масса",
            ),
        ),
        Option(
            name="--kind",
            value=Text("MEASURE", "МЕРА"),
            choices=("yoshikawa", "condition", "smallest"),
            help=Text(
                "of manipulability: the product of the singular values (the default), the inverse condition number, the"
                " smallest singular value",
                "манипулятивности: произведение сингулярных чисел (по умолчанию), обратное число обусловленности,"
                " наименьшее сингулярное число",
            ),
        ),
        Option(
            name="--force",
            value=Text("NAME=LIMIT", "ИМЯ=ПРЕДЕЛ"),
            many=True,
            help=Text(
                "for capacity: greatest force or moment of a coordinate in N or N·m, instead of its motor's",
                "для capacity: наибольшая сила или момент координаты в Н или Н·м вместо предела её привода",
            ),
        ),
        Option(
            name="--resolution",
            value=Text("NUMBER", "ЧИСЛО"),
            help=Text("points along the longer side; 160 by default", "точек вдоль большей стороны; по умолчанию 160"),
        ),
        Option(
            name="--at",
            value=Text("Q1,Q2,…", "Q1,Q2,…"),
            help=Text(
                "the posture in which the arm is drawn, in m and rad", "поза, в которой рисуется рука, в м и рад"
            ),
        ),
        Option(name="--no-volume", help=Text("do not find the volume", "не искать объём")),
        Option(name="--no-singular", help=Text("no curves of singularities", "без кривых особых положений")),
        Option(
            name="--theme",
            value=Text("THEME", "ТЕМА"),
            choices=("auto", "light", "dark"),
            help=Text("colours of pictures: auto follows the screen", "цвета рисунков: auto — как у экрана"),
        ),
        Option(
            name="--title",
            value=Text("TEXT", "ТЕКСТ"),
            help=Text("what to write over the picture", "заголовок рисунка"),
        ),
        Option(
            name="--output",
            short="-o",
            value=Text("FILE", "ФАЙЛ"),
            many=True,
            help=Text(
                "where to put it: .svg, .png or .html, the picture; .csv, a row for each point; .npz, all arrays; may"
                " be repeated",
                "куда записать: .svg, .png или .html — рисунок; .csv — строка на точку; .npz — все массивы; можно"
                " повторять",
            ),
        ),
        BASE,
        LOCK,
        SRDF,
        RENUMBER,
    ),
    examples=(
        ("sistel workspace puma560.xml -o puma.svg", Text("what it reaches", "чего он достигает")),
        (
            "sistel workspace puma560.xml --map manipulability -o puma.html",
            Text("how well it moves there", "насколько хорошо он там движется"),
        ),
        (
            "sistel workspace scara.xml --section xy --map capacity",
            Text("what it can hold, seen from above", "сколько он удержит, вид сверху"),
        ),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, find what is reached, draw it, and say it."""
    outputs = call.all("output")
    for output in outputs:
        if PurePath(output).suffix.casefold() not in FORMATS:
            wrong_call(
                "unknown-format",
                Text(f"{output}: there is no such format", f"{output}: нет такого формата"),
                expected=Text(".svg, .png, .html, .csv or .npz", ".svg, .png, .html, .csv или .npz"),
            )
    what = call.value("map") or "reach"
    through, normal, at = (_numbers(call, key) for key in ("through", "normal", "at"))
    if normal is not None and (through is None or call.given("section")):
        wrong_call(
            "bad-plane",
            Text("--normal goes with --through, without --section", "--normal нужен вместе с --through, без --section"),
        )
    forces = _forces(call)
    resolution = call.value("resolution") or "160"
    if not resolution.isdecimal():
        wrong_call(
            "bad-number",
            Text(f'--resolution cannot be "{resolution}"', f"--resolution не может быть «{resolution}»"),
            expected=Text("a whole number", "целое число"),
        )
    system = read_system(call)
    frame = call.value("frame") or _usual_frame(system)
    progress = _Progress(console)
    picture = any(PurePath(output).suffix.casefold() in (".svg", ".png", ".html") for output in outputs)
    try:
        if at is not None and len(at) != system.nq:
            wrong_call("bad-posture", Text(f"--at takes {system.nq} numbers", f"--at — это {system.nq} чисел"))
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
        progress.wipe()
    if console.json:
        data = {"name": system.name, "file": system.source.path, **_data(found, of, curves, console.lang)}
        data["output"] = list(outputs)
        data["diagnostics"] = [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics]
        data["losses"] = [loss.to_json(console.lang) for loss in system.losses]
        console.document(data)
    else:
        console.write(_text(system, found, of, curves, console.lang))
        console.flush()
        console.diagnostics(system.diagnostics)
        for output in outputs:
            console.message(Text(f"written: {output}", f"записано: {output}"))
    return 0


def _map(call: Call, found: Workspace, what: str, forces: dict[str, float], progress: Any) -> SectionMap | None:
    if what == "manipulability":
        kind = call.value("kind") or "yoshikawa"
        return found.manipulability(
            cast("Any", "inverse condition" if kind == "condition" else kind), progress=progress
        )
    if what == "capacity":
        return found.capacity(forces=forces or None, progress=progress)
    return None


def _usual_frame(system: System) -> str:
    names = [frame.name for frame in system.model.frames]
    if not names and all(body.name != "hand" for body in system.bodies):
        names = [body.name for body in system.bodies]
    return names[-1] if names and "hand" not in names else "hand"


def _numbers(call: Call, key: str) -> list[float] | None:
    """Numbers with commas between them."""
    word = call.value(key)
    if word is None:
        return None
    try:
        found = [float(part) for part in word.split(",")]
    except ValueError:
        found = []
    if not found or not all(math.isfinite(number) for number in found):
        wrong_call(
            "bad-number",
            Text(f'--{key} cannot be "{word}"', f"--{key} не может быть «{word}»"),
            expected=Text("numbers with commas between them", "числа через запятую"),
        )
    return found


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


def _data(found: Workspace, of: SectionMap | None, curves: tuple[SingularCurve, ...], lang: Language) -> dict[str, Any]:
    data: dict[str, Any] = {
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
    from sistel.views._numbers import clean, vector

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
        label = Text(f"{of.label.en}, at best", f"{of.label.ru}, лучшая")
        rows.append((label, f"{of.best:.6g} {word}".rstrip()))
    rows += [(Text("singular", "особое положение"), word) for word in _kinds(curves, lang)]
    width = max(len(label.say(lang)) for label, _ in rows)
    head = f"{clean(system.name)}: {clean(found.frame)}"
    return "\n".join([head, *(f"  {label.say(lang):<{width}}  {clean(value)}" for label, value in rows)]) + "\n"


class _Progress:
    """How much is done, on a terminal, now and then, in one line."""

    def __init__(self, console: Console) -> None:
        self.shown, self.next = False, time.monotonic() + 5.0 * OFTEN
        try:
            self.on = not console.json and sys.stderr is not None and sys.stderr.isatty()
        except ValueError:
            self.on = False

    def __call__(self, part: float) -> None:
        if self.on and time.monotonic() >= self.next:
            self.next, self.shown = time.monotonic() + OFTEN, True
            self._put(f"\r\x1b[K{100 * part:3.0f} %")

    def wipe(self) -> None:
        """Leave no trace."""
        if self.shown:
            self._put("\r\x1b[K")
            self.shown = False

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self.on = False
