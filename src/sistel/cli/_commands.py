"""The table of commands. To add one, add a row and a module with `USAGE` and `run`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.cli._arguments import Call, Usage
    from sistel.cli._console import Console


class Command(NamedTuple):
    """A row of the table."""

    name: str
    help: Text

    @property
    def code(self) -> CommandModule:
        """The module; imported when it is needed, because the list of commands must come at once."""
        return cast("CommandModule", import_module(f"sistel.cli.{self.name}"))


class CommandModule(Protocol):
    """What the module of a command holds."""

    USAGE: Usage

    @staticmethod
    def run(call: Call, console: Console) -> int:
        """Do it; the result is the exit status."""


COMMANDS: tuple[Command, ...] = (
    Command(
        "show",
        Text("what a system consists of, and how it can change", "из чего состоит система и как она может меняться"),
    ),
    Command(
        "check", Text("whether a description is right, and what was verified", "верно ли описание и что проверено")
    ),
    Command(
        "equations",
        Text("how many operations the equations of motion take", "сколько операций в уравнениях движения"),
    ),
    Command(
        "run",
        Text("the motion of a system, with its events", "движение системы, с его событиями"),
    ),
    Command(
        "ik",
        Text("coordinates that bring a frame to a pose", "координаты, при которых репер принимает позу"),
    ),
    Command("fk", Text("where the tool of an arm is", "где находится инструмент манипулятора")),
    Command(
        "trajectory",
        Text(
            "a motion of an arm: joints and tool over time", "движение манипулятора: сочленения и инструмент во времени"
        ),
    ),
    Command(
        "dynamics",
        Text("driving forces, powers and reactions of an arm", "движущие силы, мощности и реакции манипулятора"),
    ),
    Command(
        "workspace",
        Text("what an arm reaches, and how well it does there", "куда достаёт манипулятор и насколько хорошо"),
    ),
    Command(
        "linearize",
        Text(
            "a linear system for control: poles, controllability",
            "линейная система для управления: полюса, управляемость",
        ),
    ),
    Command(
        "solve",
        Text(
            "tasks in a file of their own: kinematics, statics, dynamics, control",
            "задачи в отдельном файле: кинематика, статика, динамика, управление",
        ),
    ),
    Command(
        "form",
        Text(
            "parameters and initial data as a form: a page that computes, XForms",
            "параметры и начальные данные формой: страница, которая считает, XForms",
        ),
    ),
    Command("draw", Text("the kinematic scheme of a system", "кинематическая схема системы")),
    Command(
        "scheme",
        Text(
            "functional schemes: a drawing, and what differs between two",
            "функциональные схемы: рисунок и чем отличаются две",
        ),
    ),
    Command(
        "cycle",
        Text("the limit cycle of a system, and whether it is stable", "предельный цикл системы и устойчив ли он"),
    ),
    Command(
        "map",
        Text("where runs from a grid of states lead to", "куда ведут запуски по сетке состояний"),
    ),
    Command(
        "cluster",
        Text("machines that do the runs of a map together", "машины, которые вместе выполняют запуски карты"),
    ),
    Command(
        "orient",
        Text(
            "axial orientations of a gripper: codes, words, turns, groups",
            "осевые ориентации схвата: коды, слова, повороты, группы",
        ),
    ),
    Command(
        "prototype",
        Text("X3D prototypes of the line, and a gripper to play with", "прототипы X3D и схват, с которым можно играть"),
    ),
    Command(
        "drive",
        Text(
            "programs for drives from a table of motion, and emulated drives",
            "программы для приводов по таблице движения и эмулируемые приводы",
        ),
    ),
    Command("cell", Text("what a robotic cell does, and when", "что и когда делает роботизированная ячейка")),
    Command("walk", Text("a stable gait of a walking machine", "устойчивая походка шагающей машины")),
    Command("demo", Text("examples to look at", "примеры, на которые стоит посмотреть")),
    Command(
        "bench",
        Text(
            "declared structures against checks after every step, by the clock",
            "объявленные структуры против проверок после каждого шага, по часам",
        ),
    ),
    Command(
        "convert",
        Text(
            "write a system in another format or in the words of the other language",
            "записать систему в другом формате или словами другого языка",
        ),
    ),
    Command(
        "studio",
        Text(
            "models of a folder written, seen and run in the browser",
            "модели папки пишут, видят и запускают в браузере",
        ),
    ),
    Command("new", Text("start a description from a template", "начать описание с образца")),
    Command("models", Text("the gallery of models that come along", "галерея моделей, которые входят в поставку")),
    Command(
        "gallery",
        Text("a site of models, with a page for each", "сайт с моделями, по странице на каждую"),
    ),
    Command("schema", Text("the language of the descriptions, for editors", "язык описаний, для редакторов")),
    Command("completion", Text("completion of commands for a shell", "дополнение команд для оболочки")),
)


def find(name: str) -> Command | None:
    """The command of a name."""
    return next((command for command in COMMANDS if command.name == name), None)
