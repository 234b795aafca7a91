"""`sistel linearize`: the linear system of a structure near a point, for control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sistel.cli._arguments import Call, CallError
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._postures import POSTURE_HELP, posture_of
from sistel.cli._reading import of_system, read_system
from sistel.cli._values import PARAMETER, read_number, read_parameters
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.linear import Linear
    from sistel.system import System

USAGE = of_system(
    about=Text(
        "Prints the linear system of a structure for small deviations from a point, from exact derivatives: the "
        "matrices A and B, poles with frequencies and damping, and whether the motors can move every mode. States are "
        "independent coordinates and velocities. Numbers are in SI.",
        "Печатает линейную систему структуры для малых отклонений от точки по точным производным: матрицы A и B, "
        "полюса с частотами и затуханием, и на все ли движения могут действовать приводы. Состояния — независимые "
        "координаты и скорости. Числа — в СИ.",
    ),
    options=(
        *options(
            f"""
            --structure NAME | ИМЯ
                the structure; by default the initial one
                структура; по умолчанию начальная
            --at POSTURE | ПОЗА
                the point, by default the start of the file: {POSTURE_HELP.en}
                точка, по умолчанию начало файла: {POSTURE_HELP.ru}
            --equilibrium
                the equilibrium that is found from there
                равновесие, которое находится из неё
            --time TIME | ВРЕМЯ
                the state of a run from the start of the file after this time, in the structure that it has come to
                состояние расчёта от начала файла спустя это время, в структуре, к которой он пришёл
            --hold
                motors hold the point at rest
                приводы удерживают точку в покое
            --voltage
                inputs are the voltages of electric motors
                входы — напряжения электродвигателей
            --input NAME | ИМЯ *
                an input: a motor or a coordinate; by default all motors; may be repeated
                вход: привод или координата; по умолчанию все приводы; можно повторять
            --show EXPRESSION | ВЫРАЖЕНИЕ *
                an output, such as "x(tip)"; may be repeated
                выход, например «x(tip)»; можно повторять
            --motions
                motions of the file drive the joints of the inputs, too, with the gains of its motors
                движения файла ведут и сочленения входов, с усилениями приводов
            """
        ),
        PARAMETER,
    ),
    examples=examples(
        """
        sistel linearize cart_pole.xml --at zero
            an inverted pendulum
            обращённый маятник
        sistel linearize bicycle.xml --parameter speed=5 --parameter push=0
            whether a bicycle rights itself
            выправляется ли велосипед
        sistel linearize four_bar.xml --equilibrium --json
            small oscillations of a mechanism, for programs
            малые колебания механизма, для программ
        """
    ),
    exclusive=(
        *(("--time", other) for other in ("--at", "--equilibrium", "--hold", "--structure")),
        ("--equilibrium", "--hold"),
        ("--voltage", "--input"),
        ("--voltage", "--motions"),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, find the point, and say what the linear system is."""
    from sistel.views.text import linear_data, linear_text

    given = read_parameters(call)
    system = read_system(call)
    try:
        if given:
            system = system.with_parameters(given)
        linear = _linear(call, system)
    except SistelError as problem:
        if isinstance(problem, CallError) or all(each.code == "unknown-name" for each in problem.diagnostics):
            raise CallError(problem.diagnostics) from None
        raise
    if console.json:
        console.document(
            {
                "name": system.name,
                **linear_data(linear, console.lang),
                "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
                "losses": [loss.to_json(console.lang) for loss in system.losses],
            }
        )
        return 0
    console.write(linear_text(linear, console.lang, width=console.width, colour=console.colour))
    console.flush()
    console.diagnostics(system.diagnostics)
    return 0


def _linear(call: Call, system: System) -> Linear:
    from sistel.units import TIME

    inputs = list(call.all("input")) or ("voltage" if call.given("voltage") else "force")
    outputs, motions = list(call.all("show")), call.given("motions")
    time = call.value("time")
    if time is not None:
        run = system.simulate(read_number("--time", time, TIME, system.model.parameters))
        return run.linearize(inputs=inputs, outputs=outputs, motions=motions)
    structure, text = call.value("structure"), call.value("at")
    named = text in ("start", "zero", *(posture.name for posture in system.model.postures))
    place = text if text is None or named else posture_of(call, "at", text, system)
    tau: Literal["hold"] | None = "hold" if call.given("hold") else None
    if call.given("equilibrium"):
        begin = None if text is None else posture_of(call, "at", text, system)
        return system.linearize(
            structure,
            system.equilibrium(begin, structure=structure),
            inputs=inputs,
            outputs=outputs,
            motions=motions,
        )
    return system.linearize(structure, place, tau=tau, inputs=inputs, outputs=outputs, motions=motions)
