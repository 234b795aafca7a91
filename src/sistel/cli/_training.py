"""`--train`: networks that learn the inverse kinematics or the inverse dynamics of an arm."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import options
from sistel.cli._postures import read_numbers
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.solve.anfis import DynamicsNets, Epoch, IkNets
    from sistel.system import System

TRAINING = options(
    """
    --train FILE | ФАЙЛ
        teach networks this arm, save them, and say how far they are off; Ctrl-C ends the learning early
        обучить сети этой руке, сохранить их и сказать, насколько они ошибаются; Ctrl-C прекращает обучение
    --samples N
        with --train: postures to learn from; 3000
        с --train: на скольких позах учить; 3000
    --low Q1,Q2,…
        with --train: least coordinates in m and rad, by default the limits of the joints
        с --train: наименьшие координаты в м и рад, по умолчанию пределы сочленений
    --high Q1,Q2,…
        with --train: greatest coordinates
        с --train: наибольшие координаты
    """
)


def only_training(call: Call) -> None:
    """Refuse options that mean nothing without --train."""
    for key in ("samples", "low", "high"):
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

    count = _samples(call)
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
            nets = teach(samples=count, low=read_numbers(call, "low"), high=read_numbers(call, "high"), progress=tell)
            bar.clear()
            anfis.save(nets, path)
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
        finally:
            bar.clear()
    if console.json:
        console.document({"name": system.name, "file": str(path), **said, **_data(nets, console)})
    else:
        console.write(
            nets.report.say(console.lang) + "\n" + Text(f"saved: {path}", f"сохранено: {path}").say(console.lang)
        )
        console.write("\n")
        console.flush()
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


def _samples(call: Call) -> int:
    word = call.value("samples")
    try:
        count = 3000 if word is None else int(word)
    except ValueError:
        count = 0
    if not 100 <= count <= 1_000_000:
        wrong_call(
            "bad-number",
            Text(f'--samples cannot be "{word}"', f"--samples не может быть «{word}»"),
            expected=Text("a whole number from 100 to 1000000", "целое число от 100 до 1000000"),
        )
    return count


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
        "samples": report.samples,
        "cut": report.cut,
        "verdict": [sentence.say(console.lang) for sentence in report.verdict()],
    }
