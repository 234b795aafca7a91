"""`sistel draw`: the kinematic scheme of a system, its motion, and pages."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from sistel.cli._arguments import Call, CallError, Usage, refuse_missing, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._reading import FILE, READING, allowed, mesh_problems, read_system, read_text, tell_picture
from sistel.cli._values import PARAMETER, read_number, read_parameters
from sistel.errors import Diagnostic, Diagnostics, SistelError, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.model import Model
    from sistel.simulation import Run
    from sistel.system import System

FORMATS = (".svg", ".png", ".pdf", ".x3d", ".html")
MOVING = (".svg", ".x3d", ".html")
"""Formats that can show a motion."""
SHEETS = (".xsl", ".xslt")
"""What a stylesheet is written to."""
SCENES = (".x3d", ".html", ".htm", ".xhtml")
"""Files that are no systems, but scenes for a page."""

USAGE = Usage(
    about=Text(
        "Draws the kinematic scheme: planar systems as they are, spatial ones in axonometry. Bodies without shapes of "
        "their own are drawn as links between their joints.\n"
        "With --until the system is simulated first, and the picture moves. A page (.html) is one file for any "
        "browser, without a network: the moving picture, plots, equations, sliders, and the system itself, which can "
        "be started anew with other numbers. The page of a scene (sistel draw scene.x3d -o page.html) shows any.\n"
        "A planar scheme is what the stylesheet of the package (--stylesheet prints it) makes of "
        "`sistel convert FILE OUT --canonical`; any XSLT 1.0 processor makes the same. Files as people write them it "
        "draws at zero, where their places are numbers.",
        "Рисует кинематическую схему: плоские системы как есть, пространственные — в аксонометрии. Тела без своих форм "
        "рисуются звеньями между сочленениями.\n"
        "С ключом --until система сначала моделируется, и рисунок движется. Страница (.html) — один файл для любого "
        "браузера, сеть не нужна: подвижная картина, графики, уравнения, ползунки и сама система, которую можно "
        "запустить заново с другими числами. Страница сцены (sistel draw scene.x3d -o page.html) показывает любую.\n"
        "Плоская схема — это то, что таблица стилей поставки (её печатает --stylesheet) делает из "
        "`sistel convert ФАЙЛ В --canonical`; любой процессор XSLT 1.0 сделает то же. Файлы, как их пишут люди, она "
        "рисует в нуле, если места в них — числа.",
    ),
    arguments=(replace(FILE, required=False),),
    options=(
        *options(
            """
            --output -o PICTURE | РИСУНОК
                a file: .svg, .png, .pdf, .x3d, a scene, or .html, a page; - or nothing for standard output
                файл: .svg, .png, .pdf, .x3d — сцена, .html — страница; - или ничего — стандартный вывод
            --at STATE | СОСТОЯНИЕ
                a posture by name, start, zero, or coordinates: --at 'crank=60deg, rod=0.1' (SI without units)
                поза по имени, start, zero или координаты: --at 'кривошип=60град, шатун=0.1' (без единиц — СИ)
            --until TIME | ВРЕМЯ
                simulate until then, and draw the motion: .svg, .x3d, .html
                промоделировать до этого времени и нарисовать движение: .svg, .x3d, .html
            """
        ),
        PARAMETER,
        *options(
            """
            --trail NAME | ИМЯ *
                with --until, .svg: the trail of a point, a frame or a body; may be repeated
                с --until, .svg: след точки, системы координат или тела; можно повторять
            --css
                with --until, .svg: CSS animation instead of SMIL
                с --until, .svg: анимация CSS вместо SMIL
            --labels = numbers|names|none
                what the bodies bear: numbers unless told otherwise
                что написано у тел: номера, если не сказано иначе
            --arrows
                arrows where coordinates grow
                стрелки, куда растут координаты
            --centres
                centres of mass
                центры масс
            --dimensions
                dimension lines: lengths of links, distances of supports, radii, in mm
                размерные линии: длины звеньев, расстояния между опорами, радиусы, в мм
            --theme = auto|light|dark
                auto: as the reader's screen
                auto: как экран читателя
            --print
                for paper: sizes in millimetres
                для бумаги: размеры в миллиметрах
            --viewer = x_ite|x3dom
                what shows a scene (FILE.x3d) in its page; x_ite unless told otherwise
                чем страница показывает сцену (ФАЙЛ.x3d); по умолчанию x_ite
            --stylesheet
                print the stylesheet instead
                напечатать вместо этого таблицу стилей
            """
        ),
        *READING,
    ),
    examples=examples(
        """
        sistel draw walker.xml -o walker.svg
            the scheme at the start
            схема в начале
        sistel draw walker.xml -o walker.html
            a page to play with
            страница, с которой можно играть
        sistel draw walker.xml --until 5 -o walk.svg
            a picture that moves
            рисунок, который движется
        sistel draw four_bar.xml --at crank=90deg -o bar.png
            in another posture
            в другом положении
        sistel draw arm.xml --labels names --print -o arm.pdf
            for a report
            для отчёта
        sistel draw scene.x3d -o scene.html
            any X3D scene as a page
            любая сцена X3D страницей
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file and draw it."""
    target = call.value("output") or "-"
    suffix = ".svg" if target == "-" else PurePath(target).suffix.casefold()
    if suffix not in FORMATS and not (call.given("stylesheet") and suffix in SHEETS):
        wrong_call(
            "unknown-format",
            Text(f'no picture is written to "{target}"', f"в «{target}» рисунок не записать"),
            expected=Text(".svg, .png, .pdf, .x3d or .html", ".svg, .png, .pdf, .x3d или .html"),
        )
    if call.value("file") is None:
        if not call.given("stylesheet"):
            refuse_missing(FILE)
        return _sheet_alone(target, console)
    if call.required("file").casefold().endswith(SCENES):
        return _show_scene(call, target, suffix, console)
    until = _until(call, suffix)
    given = read_parameters(call)
    system = read_system(call)
    from sistel.views.schemes import coordinates_at, stylesheet

    at = call.value("at")
    try:
        if given:
            system = system.with_parameters(given)
        q = None if at is None else coordinates_at(system.model, _state(system.model, at))
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if call.given("stylesheet"):
        return _written(call, system, stylesheet(), target, suffix, console)
    console.diagnostics(mesh_problems(system.model, [target]))
    if until is None:
        return _written(call, system, _still(call, system, q, suffix, console), target, suffix, console)
    found, status, problems = _simulated(system, until, q, console)
    text = _moving(call, system, found, suffix, console)
    _written(call, system, text, target, suffix, console)
    console.diagnostics(problems)
    console.warnings(found.warnings)
    return status


def _until(call: Call, suffix: str) -> float | None:
    """What `--until` says [s], and whether the picture can show it."""
    from sistel.units import TIME

    text = call.value("until")
    for option in ("trail", "css"):
        if call.given(option) and (text is None or suffix != ".svg"):
            wrong_call(
                "bad-call",
                Text(f"--{option} goes with --until and a picture .svg", f"--{option} — для --until и рисунка .svg"),
            )
    if text is None:
        return None
    if suffix not in MOVING:
        wrong_call(
            "bad-call",
            Text(f"a picture {suffix} does not move", f"рисунок {suffix} не движется"),
            expected=Text(".svg, .x3d or .html with --until", ".svg, .x3d или .html с --until"),
        )
    return read_number("--until", text, TIME)


def _still(call: Call, system: System, q: tuple[float, ...] | None, suffix: str, console: Console) -> str:
    """The system as it stands."""
    if suffix == ".html":
        from sistel.views.page import draw_page

        return draw_page(system.model, at=q, lang=console.lang)
    if suffix == ".x3d":
        from sistel.views.x3d import draw_scene

        return draw_scene(system.model, q=q, lang=console.lang)
    return system.scheme(
        q,
        labels=_labels(call),
        arrows=call.given("arrows"),
        centres=call.given("centres"),
        dimensions=call.given("dimensions"),
        # Paper is white, and a picture of pixels does not know its reader's screen.
        theme=_theme(call, "auto" if suffix == ".svg" else "light"),
        medium="print" if call.given("print") else "screen",
    )


def _simulated(
    system: System, until: float, q: tuple[float, ...] | None, console: Console
) -> tuple[Run, int, Sequence[Diagnostic]]:
    """The motion; where it could not go on, what there is of it, and why."""
    from sistel.cli._main import DONE, INTERRUPTED, WRONG_MODEL
    from sistel.cli.run import progress_of
    from sistel.simulation import RunError

    try:
        with progress_of(system.model, until, console) as progress:
            found = system.simulate(until, q=q, progress=progress)
    except RunError as problem:
        if not problem.run.segments:
            raise
        return problem.run, WRONG_MODEL, problem.diagnostics
    return found, DONE if found.stopped is None else INTERRUPTED, ()


def _moving(call: Call, system: System, found: Run, suffix: str, console: Console) -> str:
    """The motion as a picture."""
    if suffix == ".html":
        from sistel.views.page import draw_page

        return draw_page(system.model, found, lang=console.lang)
    if suffix == ".x3d":
        from sistel.views.x3d import draw_scene

        return draw_scene(system.model, found, lang=console.lang)
    from sistel.views.animation import animate_run

    try:
        return animate_run(
            found,
            style="css" if call.given("css") else "smil",
            trails=call.all("trail"),
            labels=cast("Literal['numbers', 'names', 'none']", call.value("labels") or "none"),
            theme=_theme(call, "auto"),
            lang=console.lang,
        )
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def _written(call: Call, system: System, text: str, target: str, suffix: str, console: Console) -> int:
    from sistel.markup import write_text

    if suffix in (*MOVING, *SHEETS) and target != "-":
        write_text(target, text)
    elif target != "-":
        from sistel.views.schemes import save_picture

        save_picture(text, target)
    return tell_picture(system, str(text), target, console)


def _sheet_alone(target: str, console: Console) -> int:
    """The stylesheet, which is the same for every system."""
    from sistel.markup import write_text
    from sistel.views.schemes import stylesheet

    text = stylesheet()
    if target != "-":
        write_text(target, text)
    if console.json:
        console.document({"output": target, **({"text": text} if target == "-" else {})})
    elif target == "-":
        console.write(text)
        console.flush()
    else:
        console.written(target)
    return 0


def _show_scene(call: Call, target: str, suffix: str, console: Console) -> int:
    """A page that shows a scene of any origin."""
    if suffix != ".html":
        wrong_call(
            "unknown-format",
            Text("a scene is shown by a page", "сцену показывает страница"),
            expected=Text("-o page.html", "-o страница.html"),
        )
    from sistel.markup import Losses, write_text
    from sistel.views.viewer import view_scene

    viewer = cast("Literal['x_ite', 'x3dom']", call.value("viewer") or "x_ite")
    diagnostics = Diagnostics()
    source = read_text(call, diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    losses, told = Losses(), Diagnostics()
    folder = os.path.dirname(source.path) or "."
    page = view_scene(
        source, viewer=viewer, lang=console.lang, base=folder, losses=losses, allow=allowed(call), told=told
    )
    write_text(target, page)
    if console.json:
        lost = [loss.to_json(console.lang) for loss in losses.sorted()]
        wrong = [each.to_json(console.lang) for each in told.sorted()]
        console.document({"file": call.required("file"), "output": target, "diagnostics": wrong, "losses": lost})
    else:
        console.written(target)
        console.diagnostics(told.sorted())
        for loss in losses.sorted():
            console.message(Text(loss.render("en"), loss.render("ru")))
    return 0


def _labels(call: Call) -> Literal["numbers", "names", "none"]:
    return cast("Literal['numbers', 'names', 'none']", call.value("labels") or "numbers")


def _theme(call: Call, usual: Literal["auto", "light"]) -> Literal["auto", "light", "dark"]:
    return cast("Literal['auto', 'light', 'dark']", call.value("theme") or usual)


def _state(model: Model, text: str) -> str | dict[str, float]:
    """What `--at` says: a name, or coordinates by name."""
    if "=" not in text:
        return text.strip()
    from sistel.model import read_value
    from sistel.units import ANGLE, LENGTH, PLAIN

    all_kinds = [kind for body in model.bodies for _, kind in body.joint.type.coordinates]
    kinds: dict[str, str] = dict(zip(model.coordinate_names, all_kinds, strict=True))
    diagnostics = Diagnostics()
    found: dict[str, float] = {}
    for piece in text.split(","):
        name, _, value = piece.partition("=")
        dimension = {"turn": ANGLE, "slide": LENGTH}.get(kinds.get(name.strip(), ""), PLAIN)
        number = read_value("--at", value.strip(), dimension, {}, diagnostics) if name.strip() in kinds else 0.0
        found[name.strip()] = 0.0 if number is None else number
    if diagnostics.failed:
        raise CallError(diagnostics.sorted())
    return found
