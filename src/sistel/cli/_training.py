"""`--train`: networks that learn the inverse kinematics or the inverse dynamics of an arm."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import options
from sistel.cli._postures import read_ends
from sistel.cli._values import read_whole, whole_number
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.solve.anfis import DynamicsNets, Epoch, IkNets
    from sistel.system import System

MOST_FUNCTIONS = 10_000

TRAINING = options(
    """
    --train FILE | ФАЙЛ
        teach networks this arm, save them, and say how far they are off; Ctrl-C ends the learning early
        обучить сети этой руке, сохранить их и сказать, насколько они ошибаются; Ctrl-C прекращает обучение
    --samples N
        with --train: postures to learn from; 3000
        с --train: на скольких позах учить; 3000
    --low Q1,Q2,…
        with --train: least coordinates (rad and m, or with units), or name=value,…; by default the limits of the joints
        с --train: наименьшие координаты (рад и м или с единицами) или имя=значение,…; без них пределы сочленений
    --high Q1,Q2,…
        with --train: greatest coordinates
        с --train: наибольшие координаты
    --functions N[,N2,…]
        with --train: functions of every input, which are the rules of a network too; one number, or one for each joint
        с --train: функций у каждого входа, столько же у сети правил; одно число или по числу на сочленение
    --inputs N
        with --train: of kinematics 3, the place; 6, with three angles; 9, with two axes; of dynamics, so many of the
            coordinates, velocities and accelerations: those that matter most
        с --train: у кинематики 3 — место, 6 — ещё три угла, 9 — ещё две оси; у динамики — столько из координат,
            скоростей и ускорений: те, что важнее
    --epochs N
        with --train: most epochs of learning; 30
        с --train: не больше эпох обучения; 30
    """
)


def only_training(call: Call) -> None:
    """Refuse options that mean nothing without --train."""
    for key in ("samples", "low", "high", "functions", "inputs", "epochs"):
        if call.given(key):
            wrong_call("no-training", Text(f"--{key} goes with --train", f"--{key} нужен только вместе с --train"))


def train(call: Call, console: Console, system: System, teach: Callable[..., Any], said: JsonObject) -> int:
    """Teach, save and report.

    Args:
        call: The call.
        console: Where to say it.
        system: The arm.
        teach: Makes networks; told the number of samples, the ranges and whom to tell of the progress.
        said: What the document says beside.
    """
    from sistel.cli.check import Progress
    from sistel.solve import anfis

    count = read_whole(call, "samples", 100, 1_000_000) or 3000
    more = _shape(call, system)
    drawings = _drawings(call)
    names = list(system.model.coordinate_names)
    bar = Progress(console)
    path = Path(str(call.value("train")))
    if not path.parent.is_dir():  # better said now than after the learning
        wrong_call("no-file", Text(f"there is no folder {path.parent}", f"нет папки {path.parent}"))
    with _interrupts() as asked:

        def tell(name: str, epoch: Epoch) -> bool:
            done = names.index(name) * epoch.of + epoch.number
            bar(done, len(names) * epoch.of, Text(f"{name}: {epoch.rmse:.3g}", f"{name}: {epoch.rmse:.3g}"))
            return not asked

        try:
            low, high = read_ends(call, "low", system), read_ends(call, "high", system)
            nets = teach(samples=count, low=low, high=high, progress=tell, **more)
            bar.clear()
            anfis.save(nets, path)
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
        finally:
            bar.clear()
    draw_nets(nets, drawings, console)
    if console.json:
        console.document({"name": system.name, "file": str(path), **said, **_data(nets, console)})
    else:
        shape = ", ".join(f"{name} {nodes}" for name, nodes in zip(nets.joints, nets.nodes, strict=True))
        said_nodes = Text(f"nodes: {shape}", f"узлов: {shape}").say(console.lang)
        saved = Text(f"saved: {path}", f"сохранено: {path}").say(console.lang)
        console.write("\n".join([nets.report.say(console.lang), said_nodes, saved, ""]))
        console.flush()
        for each in drawings:
            console.written(each)
    return 0


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """The first Ctrl-C is noted, so that what was learnt can be kept; the second one is as usual."""
    asked: list[int] = []

    def note(number: int, _frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread: there are no signals here
        yield asked
        return
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _shape(call: Call, system: System) -> dict[str, object]:
    """How many functions and epochs are asked for."""
    made: dict[str, object] = {}
    text = call.value("functions")
    if text is not None:
        parts, names = text.split(","), system.model.coordinate_names
        if len(parts) not in (1, len(names)):
            wrong_call(
                "bad-number",
                Text(
                    f"--functions has {len(parts)} numbers, and the arm {len(names)} coordinates",
                    f"в --functions чисел {len(parts)}, а координат {len(names)}",
                ),
                expected=Text(", ".join(names), ", ".join(names)),
            )
        numbers = [whole_number("functions", part, 1, MOST_FUNCTIONS) for part in parts]
        made["rules"] = numbers[0] if len(numbers) == 1 else numbers
    epochs = read_whole(call, "epochs", 1, 10_000)
    return made if epochs is None else {**made, "epochs": epochs}


def _drawings(call: Call) -> list[str]:
    """The pictures of the networks that are asked for."""
    found = list(call.all("output"))
    for each in found:
        if not each.casefold().endswith(".svg"):
            wrong_call(
                "unknown-format",
                Text(f'networks are not drawn to "{each}"', f"сети не рисуются в «{each}»"),
                expected=Text(".svg", ".svg"),
            )
    return found


def draw_nets(nets: IkNets | DynamicsNets, outputs: Sequence[str], console: Console) -> None:
    """Draw networks to files."""
    if not outputs:
        return
    from sistel.markup import write_text
    from sistel.views.networks import draw_networks

    drawn = draw_networks(nets, console.lang)
    for each in outputs:
        write_text(each, drawn)


def _data(nets: IkNets | DynamicsNets, console: Console) -> JsonObject:
    from sistel.solve.anfis import IkReport

    report = nets.report
    errors: JsonObject = {}
    if isinstance(report, IkReport):
        errors = {"tool": report.place, "turn": report.turn, "solver": report.solver}
    return {
        "joints": {name: each.rmse for name, each in zip(report.joints, report.errors, strict=True)},
        **{
            key: None if each is None else {"mean": each.mean, "p95": each.p95, "worst": each.worst}
            for key, each in errors.items()
        },
        "inputs": nets.inputs,
        "functions": [network.rules for network in nets.networks],
        "nodes": nets.nodes,
        "samples": report.samples,
        "cut": report.cut,
        "verdict": [sentence.say(console.lang) for sentence in report.verdict()],
    }
