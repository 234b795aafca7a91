"""`sistel draw`: the kinematic scheme of a system."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from sistel.cli._arguments import Call, CallError, Option, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._reading import BASE, FILE, LOCK, RENUMBER, SRDF, read_system, tell_picture
from sistel.errors import Diagnostics, SistelError, Text

if TYPE_CHECKING:
    from sistel.model import Model

FORMATS = (".svg", ".png", ".pdf")

USAGE = Usage(
    about=Text(
        "Draws the kinematic scheme: planar systems as they are, spatial ones in axonometry. Bodies without shapes of "
        "their own are drawn as links between their joints.\n"
        "A planar scheme is what the stylesheet of the package (--stylesheet prints it) makes of "
        "`sistel convert FILE OUT --canonical`; any XSLT 1.0 processor makes the same.",
        "Рисует кинематическую схему: плоские системы как есть, пространственные — в аксонометрии. Тела без своих форм "
        "рисуются звеньями между сочленениями.\n"
        "Плоская схема — это то, что таблица стилей поставки (её печатает --stylesheet) делает из "
        "`sistel convert ФАЙЛ В --canonical`; любой процессор XSLT 1.0 сделает то же.",
    ),
    arguments=(FILE,),
    options=(
        Option(
            name="--output",
            short="-o",
            value=Text("PICTURE", "РИСУНОК"),
            help=Text(
                "a file .svg, .png or .pdf; - or nothing for standard output",
                "файл .svg, .png или .pdf; - или ничего — стандартный вывод",
            ),
        ),
        Option(
            name="--at",
            value=Text("STATE", "СОСТОЯНИЕ"),
            help=Text(
                "a posture by name, start, zero, or coordinates: --at 'crank=60deg, rod=0.1' (SI without units)",
                "поза по имени, start, zero или координаты: --at 'кривошип=60град, шатун=0.1' (без единиц — СИ)",
            ),
        ),
        Option(
            name="--labels",
            value=Text("numbers|names|none", "numbers|names|none"),
            choices=("numbers", "names", "none"),
            help=Text(
                "what the bodies bear: numbers unless told otherwise",
                "что написано у тел: номера, если не сказано иначе",
            ),
        ),
        Option(name="--arrows", help=Text("arrows where coordinates grow", "стрелки, куда растут координаты")),
        Option(name="--centres", help=Text("centres of mass", "центры масс")),
        Option(
            name="--theme",
            value=Text("auto|light|dark", "auto|light|dark"),
            choices=("auto", "light", "dark"),
            help=Text("auto: as the reader's screen", "auto: как экран читателя"),
        ),
        Option(name="--print", help=Text("for paper: sizes in millimetres", "для бумаги: размеры в миллиметрах")),
        Option(
            name="--stylesheet", help=Text("print the stylesheet instead", "напечатать вместо этого таблицу стилей")
        ),
        BASE,
        LOCK,
        SRDF,
        RENUMBER,
    ),
    examples=(
        ("sistel draw walker.xml -o walker.svg", Text("the scheme at the start", "схема в начале")),
        ("sistel draw four_bar.xml --at crank=90deg -o bar.png", Text("in another posture", "в другом положении")),
        ("sistel draw arm.xml --labels names --print -o arm.pdf", Text("for a report", "для отчёта")),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file and draw it."""
    target = call.value("output") or "-"
    suffix = ".svg" if target == "-" else PurePath(target).suffix.casefold()
    if suffix not in FORMATS:
        wrong_call(
            "unknown-format",
            Text(f'no picture is written to "{target}"', f"в «{target}» рисунок не записать"),
            expected=Text(".svg, .png or .pdf", ".svg, .png или .pdf"),
        )
    from sistel.markup import write_text
    from sistel.views.schemes import coordinates_at, save_picture, stylesheet

    system = read_system(call)
    at = call.value("at")
    try:
        q = None if at is None else coordinates_at(system.model, _state(system.model, at))
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if call.given("stylesheet"):
        text = stylesheet()
    else:
        text = system.scheme(
            q,
            labels=cast("Literal['numbers', 'names', 'none']", call.value("labels") or "numbers"),
            arrows=call.given("arrows"),
            centres=call.given("centres"),
            # Paper is white, and a picture of pixels does not know its reader's screen.
            theme=cast(
                "Literal['auto', 'light', 'dark']", call.value("theme") or ("auto" if suffix == ".svg" else "light")
            ),
            medium="print" if call.given("print") else "screen",
        )
    if suffix == ".svg" and target != "-":
        write_text(target, text)
    elif target != "-":
        save_picture(text, target)
    return tell_picture(system, str(text), target, console)


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
