"""Works of the service, equations, tasks, papers and drives: what they give is what the library gives."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.editing import ask, refused

from sistel import load, parse
from sistel.drives import FAMILIES, parse_drives, plan_drives, read_drives, write_program
from sistel.motion.trajectories import load_table
from sistel.tasks import digits, in_unit, read_task, solve_task
from sistel.views.reports import model_report, report_bytes

MODELS = Path(__file__).resolve().parents[3] / "models"
ARM = """<system name="arm" >
  <parameter name="m" value="1 kg"/>
  <body name="upper" joint="revolute" mass="m" com="0, 250"/>
  <body name="lower" base="upper" joint="revolute" place="0, 500" mass="2" com="0, 100"/>
</system>
"""


@pytest.fixture
def at_models() -> Iterator[Path]:
    """In the folder of models, as the studio is in its own."""
    before = Path.cwd()
    os.chdir(MODELS)
    yield MODELS
    os.chdir(before)


@pytest.mark.parametrize("language", ["latex", "maxima", "python", "c", "mathml"])
def test_equations_are_written_as_the_library_writes_them(language: str) -> None:
    made = ask("equations.text", ARM, to=language)
    assert made["text"] == getattr(parse(ARM, "a.xml").equations(), f"to_{language}")()
    assert made["name"].startswith("a.")


def test_equations_are_shown_with_their_structure_and_their_costs() -> None:
    made = ask("equations.show", ARM)
    system = parse(ARM, "a.xml")
    assert (made["structure"], made["dof"]) == (system.model.structure().name, 2)
    (row,) = [each for each in made["costs"] if each["sign"] == "τ"]
    count = system.automaton.quantity("inverse_dynamics").count()
    assert (row["multiplications"], row["additions"], row["sincos"]) == (
        count.multiplications,
        count.additions,
        count.sincos,
    )
    assert all(each["formulas"] and "<math" in each["formulas"][0]["math"] for each in made["sections"])
    assert ask("equations.structures", ARM)[0]["name"] == made["structure"]


def test_a_task_is_solved_as_the_library_solves_it(at_models: Path) -> None:
    path = "tasks/reach.xml"
    text = Path(path).read_text(encoding="utf-8")
    made = ask("tasks.solve", text, path=path)
    result = solve_task(read_task(path, load))
    assert made["good"] and result.good
    told = [(each["wanted"]["en"], each["value"]) for problem in made["problems"] for each in problem["answers"]]
    assert told and told == [
        (each.label.en, digits(in_unit(each.value, each.dimension)))
        for problem in result.problems
        for each in problem.answers
    ]
    looked = ask("tasks.look", text, path=path)
    units = text.encode("utf-16-le")
    numbers = [each for problem in looked["problems"] for each in problem["numbers"]]
    assert numbers
    for each in numbers:
        assert " ".join(units[2 * each["from"] : 2 * each["to"]].decode("utf-16-le").split()) == each["value"]


def test_a_report_is_the_one_of_the_library() -> None:
    (made,) = ask("papers.report", ARM, format=".fo")["files"]
    assert made["text"].encode() == report_bytes(model_report(parse(ARM, "a.xml").model, "en"), ".fo")
    assert [each["suffix"] for each in ask("papers.formats", ARM)] == [".pdf", ".print.html", ".fo"]


def test_programs_of_drives_are_those_of_the_library(at_models: Path) -> None:
    text = Path("drives/arm.xml").read_text(encoding="utf-8")
    arm = load("drives/arm.xml")
    for family in ("faulhaber-v2", "grbl"):
        made = ask(
            "drives.make",
            text,
            path="drives/arm.xml",
            family=family,
            drives="drives/drives.xml",
            table="drives/move.html",
        )
        plan = plan_drives(
            load_table("drives/move.html"), read_drives("drives/drives.xml", arm.model), FAMILIES[family]
        )
        program = write_program(plan)
        wanted = {*program.files.values(), *(each for own in program.each.values() for each in own.values())}
        told = {
            each["text"].encode() if "text" in each else base64.b64decode(each["base64"]) for each in made["programs"]
        }
        assert wanted and {each.encode() if isinstance(each, str) else each for each in wanted} <= told
        assert not made["problems"]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_new_file_of_drives_can_be_read(lang: str) -> None:
    from sistel.errors import Source

    made = ask("drives.template", ARM, lang=lang)
    drives = parse_drives(Source(made["name"], made["text"]), parse(ARM).model)
    assert [each.joint for each in drives.drives] == ["upper", "lower"]


@pytest.mark.parametrize(
    ("method", "more", "code"),
    [
        ("equations.text", {"to": "fortran"}, "bad-parameter"),
        ("equations.show", {"structure": 7}, "bad-parameter"),
        ("equations.show", {"width": "wide"}, "bad-parameter"),
        ("tasks.solve", {}, "no-task"),
        ("papers.report", {"format": ".doc"}, "bad-parameter"),
        ("drives.make", {"family": "none"}, "bad-parameter"),
    ],
)
def test_wrong_parameters_are_refused(method: str, more: dict[str, object], code: str) -> None:
    assert refused(method, ARM, **more)["code"] == code


def test_what_is_wrong_in_a_text_is_refused_with_its_place() -> None:
    wrong = ARM.replace('com="0, 250"', 'com="0, x"')
    for method in ("equations.show", "papers.report", "drives.template"):
        (first, *_) = refused(method, wrong)["diagnostics"]
        assert wrong[first["from"] : first["to"]] in ("x", "0, x"), method
