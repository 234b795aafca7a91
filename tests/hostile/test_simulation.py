"""Simulations that cannot go on: when, in which structure and in which line of the file, and what was valid until then.

Nothing here may end with a traceback of Python, hang, or leave half a file.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import sistel_program

import sistel
from sistel.simulation import Run, RunError

MODELS = Path(__file__).resolve().parents[2] / "models"
SECONDS = 60
"""Far more than any of these takes on a slow machine."""


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """A hang is a failure."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


BODY = '<body name="a" joint="prismatic" axis="x" mass="1">{}</body>'
ROD = '<body name="{}" joint="revolute" place="{}, 0" mass="1" com="0, -100" inertia="1">{}</body>'
TWO = '<structure name="u"/><structure name="w"/>'


def file(inside: str, links: str = "", start: str = "") -> str:
    """Bodies in the second line, links in the third, the start in the fourth."""
    return f'<system name="s"><gravity value="0"/>\n{inside}\n<links>{links}</links>\n{start}</system>'


def passage(condition: str) -> str:
    return f'{TWO}<transition from="u" to="w" when="{condition}"/>'


def chain(*masses: str) -> str:
    """Rods of a metre that hang on each other."""
    text = ""
    for i, mass in reversed(list(enumerate(masses))):
        text = f'<body name="b{i}" joint="revolute" place="0, {i and 1000}" mass="{mass}" com="0, 1 m">{text}</body>'
    return f'<system name="chain">\n{text}\n<start b0="1 rad"/></system>'


MOVES = '<start a.rate="1 m/s"/>'
FAILURES: dict[str, tuple[str, str, int, float, str, str]] = {
    # what is wrong: file, code, line, how long the run is valid [s], English words, Russian words
    "a condition that divides by zero at once": (
        file(BODY.format(""), passage("x(a)/x(a) &gt; 2"), MOVES),
        *("lost", 3, 0.0, 'condition of transition "u → w" divides by zero', "делит на нуль"),
    ),
    "a condition with a root that ends": (
        file(BODY.format(""), passage("sqrt(1 - x(a)/(1 m)) &gt; 7"), MOVES),
        *("lost", 3, 1.0, "root of a negative number", "корень из отрицательного"),
    ),
    "a condition with a root of nothing real": (
        file(BODY.format(""), passage("sqrt(x(a)/(1 m) - 1) &gt; 7"), MOVES),
        *("lost", 3, 0.0, "root of a negative number", "корень из отрицательного"),
    ),
    "a force that divides by zero at once": (
        file(BODY.format('<force value="1 N*(1 m)/x(a), 0"/>'), "", MOVES),
        *("lost", 2, 0.0, 'force "a" divides by zero', "сила «a» делит на нуль"),
    ),
    "a force that divides by zero at a time": (
        file(BODY.format('<force value="1 N/(1 - t/(1 s)), 0"/>')),
        *("lost", 2, 1.0, 'force "a" divides by zero', "сила «a» делит на нуль"),
    ),
    "a force that divides by zero at a place": (
        file(BODY.format('<force value="1e-3 N*(1 m)/(1 m - x(a)), 0"/>'), "", '<start a.rate="10 m/s"/>'),
        *("lost", 2, 0.1, 'force "a" divides by zero', "сила «a» делит на нуль"),
    ),
    "a force with a root that ends": (
        file(BODY.format('<force value="1 N*sqrt(1 - t/(1 s)), 0"/>')),
        *("lost", 2, 1.0, "root of a negative number", "корень из отрицательного"),
    ),
    "a force with a logarithm that ends": (
        file(BODY.format('<force value="1 N*ln(1 - t/(1 s)), 0"/>')),
        *("lost", 2, 1.0, "logarithm", "логарифм"),
    ),
    # x'' = 2 x³ from x = x' = 1 is x = 1/(1 − t).
    "a motion without a future": (
        file(BODY.format('<force value="2 N*(x(a)/(1 m))^3, 0"/>'), "", '<start a="1 m" a.rate="1 m/s"/>'),
        *("lost", 1, 1.0, "grows beyond all bounds", "растёт без предела"),
    ),
    "transitions that chase each other": (
        file(
            BODY.format(""),
            f'{TWO}<transition from="u" to="w" when="x(a) &gt; 1 m"/><transition from="w" to="u" when="x(a) &gt; 1 m"/>',
            MOVES,
        ),
        *("chattering", 3, 1.0, "without end", "без конца"),
    ),
    "links that depend on each other": (
        file(
            ROD.format("l", 0, "") + ROD.format("r", 3000, ""),
            '<closure name="c" body="l" at="1500, 0" to="r" at-to="-1500, 0"/>',
            '<start l.rate="1 rad/s"/>',
        ),
        *("lost", 3, 0.0, 'link "c" depends on others', "связь «c»"),
    ),
    "a body without mass": (
        '<system name="s">\n<body name="a" joint="revolute" mass="0" com="0, 1 m"/></system>',
        *("no-dynamics", 2, 0.0, 'body "a" has no mass', "тело «a» не имеет массы"),
    ),
    "a point that turns about itself": (
        '<system name="s">\n<body name="a" joint="revolute" mass="1"/></system>',
        *("no-dynamics", 2, 0.0, "point mass", "точечную массу"),
    ),
    "a contact that begins inside": (
        '<system name="s"><body name="b" joint="prismatic2" mass="1"><point name="p"/></body>\n<links>\n'
        '<contact name="floor" point="p" surface="y = 0" friction="0.1"/></links><start b="0, 1 m"/></system>',
        *("inside", 3, 0.0, "1 m inside its surface", "внутри поверхности"),
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_the_run_says_when_where_and_why(name: str) -> None:
    text, code, line, valid, english, russian = FAILURES[name]
    system = sistel.parse(text, "wrong.xml")
    with pytest.raises(RunError) as caught:
        system.simulate(3.0)
    problem, run = caught.value.diagnostics[0], caught.value.run
    assert problem.code == code
    assert problem.span is not None and (problem.span.source.path, problem.span.line) == ("wrong.xml", line)
    assert english in problem.message.en and russian in problem.message.ru
    if code in ("lost", "chattering"):
        assert f"{run.end:.9g} s" in problem.message.en and f'structure "{run.final_structure}"' in problem.message.en
    # The part that is valid is whole: it can be asked anything, and ends where the motion does.
    assert run.end == pytest.approx(valid, abs=3e-3) and run.stopped is not None
    assert np.isfinite(run.q).all() and np.isfinite(run.v).all()
    assert np.isfinite(run(np.linspace(0.0, run.end, 7))[0]).all()


FAR = """<system name="s" space="spatial"><gravity value="9.81" along="0, 1, 0"/>
<body name="crank" joint="revolute" axis="z" mass="1.5" com="20, 0, 0" inertia="0.002, 0.002, 0.004">
<body name="rod" joint="revolute" place="100, 0, 0" axis="z" mass="0.6" com="2147483648120, 0, 0" inertia="0.003, 0.003, 0.006"/></body>
<body name="block" joint="prismatic" axis="x" mass="0.8" inertia="1e-12, 1e-12, 1e-12"/>
<links><closure name="pin" joint="spherical" body="rod" at="300, 0, 0" to="block"/></links></system>"""


@pytest.mark.parametrize("method", ["taylor", "radau"])
def test_a_last_step_without_a_way_back_to_the_constraints_is_no_step(method: str) -> None:
    """A centre of mass two million kilometres away: the step has numbers, the correction at its end has none."""
    with pytest.raises(RunError) as caught:
        sistel.parse(FAR, "far.xml").simulate(0.2, method=method)
    assert caught.value.diagnostics[0].code == "lost" and caught.value.diagnostics[0].span is not None
    run = caught.value.run
    assert np.isfinite(run.q).all() and np.isfinite(run.v).all() and run.end < 0.2


def test_what_is_valid_is_exact() -> None:
    text = FAILURES["a motion without a future"][0]
    with pytest.raises(RunError) as caught:
        sistel.parse(text).simulate(3.0)
    q, v = caught.value.run([0.5, 0.9])
    assert q[:, 0] == pytest.approx([2.0, 10.0], rel=1e-13)
    assert v[:, 0] == pytest.approx([4.0, 100.0], rel=1e-12)


REFUSED: dict[str, tuple[str, str, str]] = {
    "huge masses": (chain("1e30", "1e-3"), "not-finite", "too large"),
    "a motion against a lock": (
        file(BODY.format('<motion value="1 m*t/(1 s)"/>'), '<lock name="l" of="a"/>'),
        *("no-assembly", "contradict each other at 0 s"),
    ),
    "motions that pull a loop apart": (
        file(
            ROD.format("l", 0, '<motion value="90 deg*t/(1 s)"/>')
            + ROD.format("r", 3000, '<motion value="-30 deg*t/(1 s)"/>'),
            '<closure name="c" body="l" at="1500, 0" to="r" at-to="-1500, 0"/>',
        ),
        *("no-assembly", "contradict each other at 0 s"),
    ),
    "a loop that is too short": (
        file(
            ROD.format("l", 0, "") + ROD.format("r", 3000, ""),
            '<closure name="c" body="l" at="1000, 0" to="r" at-to="-1000, 0"/>',
        ),
        *("no-assembly", "remain 1 apart"),
    ),
    "motions that lead where a loop cannot": (
        file(
            ROD.format("l", 0, '<motion value="90 deg + 0*t*1 deg/s"/>') + ROD.format("r", 3000, ""),
            '<closure name="c" body="l" at="1500, 0" to="r" at-to="-1500, 0"/>',
        ),
        *("no-assembly", "cannot be assembled"),
    ),
    "a coordinate with two motions": (
        file(BODY.format('<motion value="1 m*t/(1 s)"/><motion value="2 m*t/(1 s)"/>')),
        *("moved-twice", "another motion"),
    ),
    "unknown names": (file(BODY.format(""), passage("x(nobody) &gt; 1 m")), "unknown-name", "nobody"),
    "unknown structures": (
        file(BODY.format(""), '<structure name="u"/><transition from="u" to="w" when="x(a) &gt; 1 m"/>'),
        *("unknown-name", '"w"'),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_motion_is_refused(name: str) -> None:
    text, code, words = REFUSED[name]
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text, "wrong.xml").simulate(2.0)
    problem = next(each for each in caught.value.diagnostics if each.code == code)
    assert problem.span is not None and words in problem.message.en
    assert problem.message.ru and problem.message.ru != problem.message.en


def test_ten_hinges_on_one_axis_have_no_motion() -> None:
    """Nobody can tell how they share a turn; the equations of articulated bodies divided by zero there."""
    hinges = '<joint type="hinge" axis="0 0 1"/>' * 10
    inertial = '<inertial pos="0 1 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/>'
    text = f'<mujoco><worldbody><body name="rod">{hinges}{inertial}</body></worldbody></mujoco>'
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text, "hinges.mjcf").simulate(0.2)
    assert all(item.span is not None for item in caught.value.diagnostics)


def test_tiny_masses_move_as_others_do() -> None:
    """The mass of a pendulum does not matter, nor that of all its parts together."""
    for light, usual in ((("1e-59",), ("1",)), (("1e-50", "2e-50"), ("1", "2"))):
        ends = [sistel.parse(chain(*masses)).simulate(2.0).q[-1] for masses in (light, usual)]
        assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_masses_whose_squares_are_no_numbers_are_taken_for_nothing_and_told() -> None:
    """Below 1e-60 a number is read as 0, with a word; a pendulum without a mass has no motion."""
    system = sistel.parse(chain("1e-300"))
    assert "too-small" in [each.code for each in system.diagnostics]
    with pytest.raises(sistel.SistelError, match="has no mass"):
        system.simulate(2.0)


def test_velocities_that_a_structure_forbids_are_projected() -> None:
    """Both bodies are coupled, so they get the same velocity, that which keeps what momentum they can have."""
    text = file(BODY.format("") + BODY.replace('"a"', '"b"').format(""), '<coupling name="c" of="b" to="a" ratio="1"/>')
    run = sistel.parse(text).simulate(1.0, v=[3.0, 1.0])
    assert run.v[0] == pytest.approx([2.0, 2.0], rel=1e-15)


def test_a_start_beyond_limits_is_told() -> None:
    text = '<system name="s">\n<body name="a" joint="revolute" mass="1" com="0, 1 m" max="10"/>\n<start a="90 deg"/></system>'
    (warning,) = sistel.parse(text, "wrong.xml").model.diagnostics
    assert (warning.code, warning.severity) == ("beyond-limits", "warning")
    assert warning.span is not None and warning.span.line == 3 and '"a"' in warning.message.en


CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "before the start": ({"until": -1.0}, "before the start"),
    "not a time": ({"until": math.nan}, "until"),
    "never": ({"until": math.inf}, "until"),
    "a word": ({"until": "soon"}, "until"),
    "nothing": ({"until": None}, "until"),
    "no tolerance": ({"tolerance": 0.0}, "tolerance"),
    "less than none": ({"tolerance": -1e-9}, "tolerance"),
    "unknown tolerance": ({"tolerance": math.nan}, "tolerance"),
    "any tolerance": ({"tolerance": 1.0}, "tolerance"),
    "beyond digits": ({"tolerance": 1e-300}, "tolerance"),
    "tolerance in words": ({"tolerance": "good"}, "tolerance"),
    "steps of nothing": ({"longest": 0.0}, "longest"),
    "steps back": ({"longest": -1.0}, "longest"),
    "unknown steps": ({"longest": math.nan}, "longest"),
    "steps without end": ({"longest": 1e-300}, "more than 1e+09"),
    "a method without step": ({"method": "gauss"}, "step"),
    "a method with a word": ({"method": "gauss", "step": "short"}, "step"),
    "a step of nothing": ({"method": "gauss", "step": 0.0}, "step"),
    "too small a step": ({"method": "gauss", "step": 1e-300}, "more than 1e+09"),
    "unknown method": ({"method": "euler"}, "method"),
    "unknown time": ({"t": math.nan}, "t is a finite time"),
    "too late": ({"t": 5.0}, "before the start at 5"),
    "unknown velocities": ({"v": [math.nan, 0.0]}, "v must be finite"),
    "endless velocities": ({"v": [math.inf, 0.0]}, "v must be finite"),
    "unknown places": ({"q": [math.nan, 0.0]}, "finite"),
    "too few places": ({"q": [0.0]}, "q"),
    "places in words": ({"q": "here"}, "q"),
    "unknown structure": ({"structure": "flight"}, "flight"),
    "no run": ({"resume": 3}, "resume"),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_make_no_sense(name: str) -> None:
    arguments, words = CALLS[name]
    system = sistel.load(MODELS / "cart_pole.xml")
    with pytest.raises(sistel.SistelError) as caught:
        system.simulate(**{"until": 1.0, **arguments})
    assert words in caught.value.render("en") and caught.value.render("ru") != caught.value.render("en")


def test_no_time_is_a_run() -> None:
    for name in ("cart_pole", "bouncing_ball", "compass_walker"):
        run = sistel.load(MODELS / f"{name}.xml").simulate(0.0)
        assert (run.end, run.steps, run.stopped) == (0.0, 0, None) and len(run.q) == 1


def test_a_step_longer_than_the_run() -> None:
    """Of methods that take what they are given: one step that is cut short, or an answer that it is too long."""
    system = sistel.load(MODELS / "cart_pole.xml")
    assert system.simulate(1e-3, longest=10.0).end == 1e-3
    run = system.simulate(1e-3, method="gauss", step=0.01)
    assert run.end == 1e-3 and run.q[-1] == pytest.approx(system.simulate(1e-3).q[-1], rel=1e-13)
    with pytest.raises(RunError, match="too long for this method"):
        system.simulate(20.0, method="gauss", step=10.0)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sistel_program(), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("value", ["slope=nan", "slope=1e400", "slop=0.05"])
def test_parameters_of_the_command(value: str) -> None:
    done = command("--lang", "en", "run", str(MODELS / "compass_walker.xml"), "--until", "1", "-p", value)
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr
    assert "error" in done.stderr


INTERRUPTED = """
import sistel, sys
system = sistel.load(sys.argv[1])
system.simulate(3.0)
print("ready", flush=True)
run = system.simulate(1e7)
print(run.stopped.en, "|", run.stopped.ru, "|", run.end, run.steps, run.t[-1] == run.end, flush=True)
run.save(sys.argv[2])
"""


@pytest.mark.parametrize("name", ["chain5", "compass_walker"])
def test_an_interrupt_stops_machine_code(name: str, tmp_path: Path) -> None:
    """Within a second, and what was computed is kept."""
    path = tmp_path / "part.csv"
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(MODELS / f"{name}.xml"), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline()
        passed = time.monotonic() - sent
        errors = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == 0, errors
    assert line.startswith("interrupted at ") and "прервано" in line and line.rstrip().endswith("True")
    assert passed < 5.0  # a second on a machine of one's own
    assert len(path.read_text(encoding="utf-8").splitlines()) > 100


KILLED = """
import os, signal, sys
import sistel
run = sistel.load(sys.argv[1]).simulate(30.0)
def dies(*_): os.kill(os.getpid(), signal.SIGKILL)
os.replace = dies
print("ready", flush=True)
run.save(sys.argv[2])
"""


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_a_kill_while_saving_leaves_the_old_file(suffix: str, tmp_path: Path) -> None:
    """Killed between the last byte and the change of names, when most could be lost."""
    path = tmp_path / f"run{suffix}"
    system = sistel.load(MODELS / "compass_walker.xml")
    system.simulate(1.0).save(path)
    before = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(MODELS / "compass_walker.xml"), str(path)],
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL and done.stdout == b"ready\n"
    assert path.read_bytes() == before
    if suffix == ".npz":
        assert Run.load(path).end == 1.0
    system.simulate(2.0).save(path)  # what the dead have left is not in the way
    assert path.read_bytes() != before
