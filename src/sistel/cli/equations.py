"""`sistel equations`: the equations of motion as text, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console
from sistel.cli._counts import print_counts
from sistel.cli._described import examples, options
from sistel.cli._reading import of_system, read_system
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.system import System

USAGE = of_system(
    about=Text(
        "Derives the equations of the tree of bodies and of every structure, and counts the operations that one "
        "evaluation takes. Each quantity is derived in several ways, and the cheapest is kept. With --to, writes the "
        "equations of one structure: mass matrix, forces, energies, constraints with their multipliers, and loads of "
        "the joints, symbolic in the parameters.",
        "Выводит уравнения дерева тел и каждой структуры и считает операции одного вычисления. Каждая величина "
        "выводится несколькими способами, остаётся самый дешёвый. С ключом --to пишет уравнения одной структуры: "
        "матрицу масс, силы, энергии, связи с их множителями и реакции сочленений, с параметрами в буквах.",
    ),
    options=options(
        """
        --count
            how many operations there are (the default)
            сколько в них операций (по умолчанию)
        --to LANGUAGE | ЯЗЫК = mathml|latex|maxima|python|c|html
            write the equations in: mathml, latex, maxima, python, c, or a page in html
            записать уравнения на языке: mathml, latex, maxima, python, c или страницей html
        --symbols
            with --to: letters also for masses, lengths and inertias that are plain numbers in the file
            вместе с --to: буквы и для масс, длин и моментов инерции, заданных в файле числами
        --structure NAME | ИМЯ
            with --to: the structure, by default the initial one
            вместе с --to: структура, по умолчанию начальная
        --all
            also the ways that were not kept
            также способы, которые не остались
        """
    ),
    examples=examples(
        """
        sistel equations arm.xml --count
            what an evaluation costs
            сколько стоит вычисление
        sistel equations arm.xml --count --all
            what else was tried
            что ещё пробовали
        sistel equations arm.xml --to html > arm.html
            formulas to read
            формулы для чтения
        sistel equations walker.xml --to latex --structure "на левой"
            with the constraints of a structure
            со связями структуры
        """
    ),
    exclusive=(("--count", "--to"), ("--all", "--to"), ("--count", "--structure"), ("--all", "--structure")),
)


def run(call: Call, console: Console) -> int:
    """Read the file, derive its equations, and count or write them."""
    system = read_system(call)
    wanted = call.value("to")
    if wanted is None:
        if call.value("structure") is not None:
            wrong_call(
                "missing-option",
                Text("--structure needs --to: counts are of all structures", "--structure нужен --to: счёт — по всем"),
                expected=Text("--to latex --structure NAME", "--to latex --structure ИМЯ"),
            )
        return print_counts(system, call, console)
    return _write(system, wanted, call.value("structure"), call.given("symbols"), console)


def _write(system: System, wanted: str, structure: str | None, symbols: bool, console: Console) -> int:
    equations = system.equations(structure, symbols=symbols)
    texts: dict[str, Callable[[], str]] = {
        "mathml": lambda: equations.to_mathml(lang=console.lang),
        "latex": lambda: equations.to_latex(lang=console.lang),
        "maxima": lambda: equations.to_maxima(lang=console.lang),
        "python": lambda: equations.to_python(lang=console.lang),
        "c": equations.to_c,
        "html": lambda: equations.to_html(lang=console.lang),
    }
    text = texts[wanted]()
    if console.json:
        console.document(
            {
                "name": system.name,
                "structure": equations.structure.name,
                "language": wanted,
                "text": text,
                "notes": [note.say(console.lang) for note in equations.notes],
                "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
                "losses": [loss.to_json(console.lang) for loss in system.losses],
            }
        )
        return 0
    console.write(text if text.endswith("\n") else text + "\n")
    console.flush()
    for note in equations.notes:
        console.message(note)
    console.diagnostics(system.diagnostics)
    return 0
