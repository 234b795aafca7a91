"""`sistel equations`: what the equations of motion cost."""

from __future__ import annotations

from sistel.cli._arguments import Call, Option, Usage
from sistel.cli._console import Console
from sistel.cli._counts import print_counts
from sistel.cli._reading import BASE, FILE, LOCK, RENUMBER, SRDF, read_system
from sistel.errors import Text

USAGE = Usage(
    about=Text(
        "Derives the equations of the tree of bodies and of every structure, and counts the operations that one "
        "evaluation takes. Each quantity is derived in several ways, and the cheapest is kept.",
        "Выводит уравнения дерева тел и каждой структуры и считает операции одного вычисления. Каждая величина "
        "выводится несколькими способами, остаётся самый дешёвый.",
    ),
    arguments=(FILE,),
    options=(
        Option(
            name="--count",
            help=Text("how many operations there are (the default)", "сколько в них операций (по умолчанию)"),
        ),
        Option(name="--all", help=Text("also the ways that were not kept", "также способы, которые не остались")),
        BASE,
        LOCK,
        SRDF,
        RENUMBER,
    ),
    examples=(
        ("sistel equations arm.xml --count", Text("what an evaluation costs", "сколько стоит вычисление")),
        ("sistel equations arm.xml --count --all", Text("what else was tried", "что ещё пробовали")),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, derive its equations and count."""
    return print_counts(read_system(call), call, console)
