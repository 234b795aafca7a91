"""Code that CasADi prints of Pinocchio's algorithms, as an engine of the races."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from _coordinates import Coordinates, pinocchio_coordinates
from _engine import Engine
from _robots import Pair, States, dump

COMPILERS = ("clang", "gcc")


def _ways(*names: str) -> list[str]:
    return [f"{compiler}: {name}{cse}" for compiler in COMPILERS for name in names for cse in ("", "_cse")]


class CasADi(Engine):
    """One robot in the loops of peers/casadi_race.c, as several compilers built them.

    Args:
        pair: The robot.
        libraries: By the compiler that built them.
    """

    tasks: ClassVar = {
        "RNEA": [_ways("rnea")],
        "CRBA": [_ways("crba_local", "crba_world")],
        "FD": [_ways("aba_local", "aba_world", "cholesky_local", "cholesky_world")],
    }
    solving = frozenset(tasks["FD"][0])
    tolerance = 1e-13

    def __init__(self, pair: Pair, libraries: Mapping[str, Any]) -> None:
        self.libraries = libraries
        self.tasks = {
            quantity: [[task for task in group if task.split(":")[0] in libraries] for group in groups]
            for quantity, groups in CasADi.tasks.items()
        }
        super().__init__(pair, next(iter(libraries.values())), dump(pair))

    def convert(self, states: States) -> Coordinates:
        return pinocchio_coordinates(self.pair, states)

    def _task(self, name: str) -> tuple[Any, int]:
        compiler, task = name.split(": ")
        number = self.libraries[compiler].race_task(task.encode())
        assert number >= 0, name
        return self.libraries[compiler], int(number)
