"""Files of a call → systems: what all commands that read one have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from sistel.cli._arguments import Call, CallError, Option, Usage, wrong_call
from sistel.cli._described import arguments, options
from sistel.errors import Diagnostic, Diagnostics, SistelError, Text
from sistel.files import reason_of

if TYPE_CHECKING:
    from sistel.cli._console import Console
    from sistel.errors import Source
    from sistel.model import Model
    from sistel.system import System

STDIN = "<stdin>"

(FILE,) = arguments(
    """
    file: FILE | ФАЙЛ @file
        a system in XsysTel, URDF or MJCF, or the table of an arm; - reads standard input
        система в XsysTel, URDF или MJCF или таблица манипулятора; - читает стандартный ввод
    """
)
READING = options(
    """
    --base = free|fixed
        for URDF: whether the root is free or fixed to the ground (the default)
        для URDF: свободно ли корневое тело или закреплено на земле (по умолчанию)
    --lock JOINT[=NUMBER] | КП[=ЧИСЛО] *
        for URDF and MJCF: a joint that does not move, at 0 or at a value in m or rad; may be repeated
        для URDF и MJCF: сочленение, которое не движется, в 0 или в значении в м или рад; можно повторять
    --allow DIR | ПАПКА *
        a folder from which FILE may read, besides its own: meshes, inclusions; may be repeated
        папка, из которой файлу можно читать, кроме его собственной: сетки, включения; можно повторять
    --srdf FILE | ФАЙЛ
        for URDF: groups of bodies and named postures
        для URDF: группы тел и именованные позы
    --renumber
        number the bodies anew, depth first, whatever numbers the file gives
        пронумеровать тела заново, в глубину, какие бы номера ни дал файл
    """
)
"""What commands that read a system are told about it."""
BASE, LOCK, ALLOW, SRDF, RENUMBER = READING


def of_file(
    *,
    about: Text,
    options: tuple[Option, ...] = (),
    examples: tuple[tuple[str, Text], ...] = (),
    exclusive: tuple[tuple[str, ...], ...] = (),
    behind: tuple[Option, ...] = (),
) -> Usage:
    """How a command is called that reads a FILE; `behind` stands behind its own options."""
    return Usage(about=about, arguments=(FILE,), options=(*options, *behind), examples=examples, exclusive=exclusive)


of_system: Final = partial(of_file, behind=READING)
"""How a command is called that reads the system of a FILE, and is told how it is read."""


def allowed(call: Call) -> tuple[str, ...]:
    """The folders of the options `--allow`."""
    from sistel.markup import allowed_folders

    try:
        return allowed_folders(call.all("allow"))
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def read_text(call: Call, diagnostics: Diagnostics) -> Source | None:
    """The text of a call's FILE, or of standard input for ``-``."""
    from sistel.markup import read_source, with_roots

    path, allow = call.required("file"), allowed(call)
    if path != "-":
        return read_source(path, diagnostics, allow)
    from sistel.markup.xml import LIMITS, decode

    if sys.stdin is None:
        diagnostics.error("no-file", None, Text("standard input is closed", "стандартный ввод закрыт"))
        return None
    try:
        data = sys.stdin.buffer.read(LIMITS.size + 1)
    except OSError as problem:
        said = reason_of(problem)
        message = Text(f"standard input cannot be read: {said.en}", f"не удаётся прочитать стандартный ввод: {said.ru}")
        diagnostics.error("no-file", None, message)
        return None
    source = decode(data, STDIN, diagnostics)
    return None if source is None else with_roots(source, allow)


def read_system(call: Call) -> System:
    """The system of a call's FILE, with the options that concern reading."""
    diagnostics = Diagnostics()
    source = read_text(call, diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    return _parsed(call, source, diagnostics)


def read_other(call: Call, path: str) -> System:
    """The system of another file, with the same options."""
    from sistel.markup import open_source

    diagnostics = Diagnostics()
    return _parsed(call, open_source(path, diagnostics, allowed(call)), diagnostics)


def _parsed(call: Call, source: Source, diagnostics: Diagnostics) -> System:
    from sistel.system import system_of

    return system_of(
        source,
        diagnostics,
        base=base(call),
        lock=locks(call),
        srdf=call.value("srdf"),
        renumber=call.given("renumber"),
    )


def base(call: Call) -> Literal["fixed", "free"]:
    """What the option `--base` says."""
    return "free" if call.value("base") == "free" else "fixed"


def locks(call: Call) -> dict[str, float]:
    """What the options `--lock` say: joints and their coordinates [m or rad]."""
    found: dict[str, float] = {}
    for word in call.all("lock"):
        name, equals, value = word.rpartition("=")
        if not equals:
            found[value] = 0.0
            continue
        try:
            found[name] = float(value)
        except ValueError:
            wrong_call(
                "not-a-number",
                Text(f'"{value}" in --lock {word} is not a number', f"«{value}» в --lock {word} — не число"),
                expected=Text("a number in m or rad: --lock elbow=1.57", "число в м или рад: --lock локоть=1.57"),
            )
    return found


def tell_outside(target: str, source: str, console: Console) -> None:
    """Say what it takes to read a description that was written, when it includes a file that lies elsewhere."""
    folder = os.path.realpath(os.path.dirname(source) or ".")
    if not (folder + os.sep).startswith(os.path.realpath(os.path.dirname(target) or ".").rstrip(os.sep) + os.sep):
        console.message(
            Text(
                f"{target} includes a file of another folder; whoever reads it adds --allow {folder}",
                f"{target} включает файл из другой папки; при чтении нужно --allow {folder}",
            )
        )


def tell_picture(system: System, text: str, target: str, console: Console) -> int:
    """Say where a picture was put; where that is `-`, it goes to standard output."""
    if console.json:
        console.document(
            {
                "name": system.name,
                "output": target,
                "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
                "losses": [loss.to_json(console.lang) for loss in system.losses],
                **({"text": text} if target == "-" else {}),
            }
        )
        return 0
    if target == "-":
        console.write(text)
        console.flush()
    else:
        console.written(target)
    console.diagnostics(system.diagnostics)
    return 0


def mesh_problems(model: Model, outputs: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Warnings of meshes that pictures in space cannot show, where such pictures are asked for."""
    if not any(output.casefold().endswith((".x3d", ".html")) for output in outputs):
        return ()
    if not any(shape.kind == "mesh" for shape in model.shapes):
        return ()
    from sistel.views.x3d import examine_meshes

    diagnostics = Diagnostics()
    examine_meshes(model, diagnostics)
    return diagnostics.sorted()
