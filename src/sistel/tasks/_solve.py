"""Solves a task, problem by problem."""

from __future__ import annotations

from sistel.errors import Diagnostics, SistelError, placed
from sistel.tasks._dynamics import run_of, solve_dynamics
from sistel.tasks._identification import solve_identification
from sistel.tasks._kinematics import solve_kinematics
from sistel.tasks._problems import Problem
from sistel.tasks._read import Task
from sistel.tasks._results import Result, Solved
from sistel.tasks._statics import solve_statics
from sistel.tasks._synthesis import solve_synthesis


def solve_task(task: Task) -> Result:
    """The answers of a task, each checked in a second way where there is one.

    Raises:
        SistelError: A problem cannot be solved as it is put; with all places of the file.
    """
    diagnostics = Diagnostics()
    solved = []
    for problem in task.problems:
        try:
            with placed(problem.span):
                solved.append(_solve(problem, task))
        except SistelError as error:
            for each in error.diagnostics:
                diagnostics.add(each)
    diagnostics.raise_if_failed()
    return Result(
        name=task.name,
        about=task.about,
        question=task.question,
        model=task.path,
        system=task.system.model.name,
        problems=tuple(solved),
    )


def _solve(problem: Problem, task: Task) -> Solved:
    match problem.kind:
        case "kinematics":
            return solve_kinematics(problem, task.system)
        case "statics":
            return solve_statics(problem, task.system)
        case "dynamics":
            motion = task.file(problem.node, "motion") if "motion" in problem.node.attributes else None
            return solve_dynamics(problem, task.system, motion)
        case "control":
            return run_of(problem, problem.system or task.system)
        case "identification":
            return solve_identification(problem, task.system, task.text(problem.node, "data"))
        case "synthesis":
            return solve_synthesis(problem, task.system, task.text(problem.node, "motors"))
    raise AssertionError(problem.kind)
