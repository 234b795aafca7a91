"""The command cycle."""

from __future__ import annotations

from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
WHEEL = MODELS / "rimless_wheel.xml"
WALKER = MODELS / "compass_walker.xml"
LEGS = ("--mirror", "left_leg=right_leg")


def test_a_wheel(run):
    result = run("cycle", WHEEL)
    assert result.status == 0 and result.err == ""
    lines = result.out.splitlines()
    assert lines[0] == "rimless wheel: a stable cycle"
    # McGeer's wheel has closed forms: the period, and the square of what a strike leaves of the rate.
    (period,) = (float(line.split()[1]) for line in lines if line.split()[:1] == ["period"])
    # From the state found, the time to the next strike is right to the last bit; the state is where the rounding of
    # the map, about two units of the last place of the rate, is magnified by 1/(1 − 0.586), and by 1.1 and 3.2 in what
    # the rate and the angle make of the period.
    assert period == pytest.approx(0.8138721971472062830, rel=4e-15)
    assert any(line.split()[:3] == ["multiplier", "1", "0.58627417"] for line in lines)
    assert run("cycle", WHEEL, "--lang", "ru").out.startswith("rimless wheel: устойчивый цикл\n")


def test_a_step_as_data(run):
    data = run("cycle", WALKER, *LEGS, "--json").data
    assert data["success"] is True and data["stable"] is True and data["diagnostics"] == []
    assert data["period"] == pytest.approx(0.73446062133643889, rel=1e-13)
    assert data["q"]["left_leg"] == pytest.approx(0.27127461798032137, rel=1e-12)
    assert [abs(complex(*pair)) for pair in data["multipliers"]] == pytest.approx(
        [0.5798199567537208, 0.5798199567537208, 0.1313867071906404], abs=1e-10
    )
    assert [event["transition"] for event in data["events"]] == ["on the right → on the left"]
    assert list(data["shift"]) == ["hip.x"]


def test_a_section_and_a_parameter(run):
    words = ("cycle", WALKER, "--section", "on the right → on the left", "-p", "slope=0.05", "--json")
    data = run(*words).data
    assert data["success"] is True and data["structure"] == "on the left" and len(data["events"]) == 2
    assert 1.46 < data["period"] < 2 * 0.73446


def test_along_a_parameter(run):
    words = ("cycle", WALKER, *LEGS, "--along", "slope=0.05:0.0525:2")
    lines = run(*words).out.splitlines()
    assert len(lines) == 3 and lines[0].split() == ["slope", "period", "|λ|"]
    assert lines[2].split()[:2] == ["0.0525", "0.734460621336"]
    data = run(*words, "--json").data
    assert [row["value"] for row in data["cycles"]] == [0.05, 0.0525]
    assert data["parameter"] == "slope" and data["cycles"][0]["period"] < data["cycles"][1]["period"]


@pytest.mark.slow
def test_the_end_of_a_branch_keeps_what_was_found(run):
    words = ("cycle", WHEEL, "--along", "slope=0.08:0.05:4")
    result = run(*words)
    lines = result.out.splitlines()
    assert result.status == 1 and len(lines) == 5
    assert [line.split()[0] for line in lines[1:]] == ["0.08", "0.07", "0.06", "0.05"]
    assert lines[4].split()[1:3] == ["—", "—"] and "ends near slope = 0.05278" in lines[4]
    assert "кончается около slope = 0.05278" in run(*words, "--lang", "ru").out
    data = run(*words, "--json").data
    assert data["complete"] is False and [row["success"] for row in data["cycles"]] == [True, True, True, False]
    assert data["cycles"][-1]["reached"] == pytest.approx(0.0527809, abs=1e-6)


def test_an_interruption_keeps_what_was_found(run, monkeypatch):
    from sistel.simulation.cycle import _continuation as _follow

    reach, count = _follow.Branch.reach, []

    def interrupted(self, value):
        count.append(value)
        if len(count) == 2:
            raise KeyboardInterrupt
        return reach(self, value)

    monkeypatch.setattr(_follow.Branch, "reach", interrupted)
    result = run("cycle", WHEEL, "--along", "slope=0.08:0.06:3")
    assert result.status == 130 and len(result.out.splitlines()) == 3
    count.clear()
    result = run("cycle", WHEEL, "--along", "slope=0.08:0.06:3", "--json")
    assert result.status == 130 and result.data["complete"] is False and len(result.data["cycles"]) == 2


COUNTING = """
<system name="counting">
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1" damping="0.4 N*s/m"/>
  <links>
    <counter name="n"/>
    <structure name="runs"/>
    <transition name="kick" from="runs" to="runs" when="v(a) falls through 1 m/s{more}" counts="n">
      <set of="a" rate="2 m/s"/>
    </transition>
  </links>
  <start a="0 m" a.rate="2 m/s"/>
</system>"""


def test_counters(run, tmp_path: Path):
    path = tmp_path / "counting.xml"
    path.write_text(COUNTING.format(more=""))
    data = run("cycle", path, "--json").data
    assert data["success"] is True and data["shift"]["counter(n)"] == 1.0 and data["memory"] == {"counter(n)": 1.0}
    assert data["rounds"] == 1 and "counter(n) per period" in run("cycle", path).out
    path.write_text(COUNTING.format(more=" and counter(n) lt 100"))
    for lang, words in (("en", 'counter "n" is read and goes on'), ("ru", "счётчик «n» читается и растёт")):
        result = run("cycle", path, "--until", "5", "--lang", lang)
        assert result.status == 1 and words in result.err and "counting.xml:8:" in result.err
        assert "Traceback" not in result.err


def test_contacts_without_structures(run):
    path = MODELS / "woodpecker.xml"
    (line,) = [
        k for k, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if '<contact name="beak"' in text
    ]
    for lang, words in (("en", 'contact "beak"'), ("ru", "контакт «beak»")):
        result = run("cycle", path, "--lang", lang)
        assert result.status == 1 and words in result.err and f"woodpecker.xml:{line}:5:" in result.err


def test_nothing_found(run):
    result = run("cycle", MODELS / "geneva.xml", "--until", "500 ms")
    assert (result.status, result.out) == (1, "Geneva drive: no transition repeats within 0.5 s\n")
    data = run("cycle", MODELS / "geneva.xml", "--until", "0.5", "--json", "--lang", "ru").data
    assert data["success"] is False and data["period"] is None and "не повторяется" in data["reason"]


def test_a_system_without_transitions(run):
    result = run("cycle", MODELS / "pendulum.xml")
    assert result.status == 1 and "no transitions" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--section", "rolls"), "no transition"),
        (("--mirror", "wheel"), "no pair"),
        (("--mirror", "wheel=whel"), "wheel"),
        (("-p", "slop=1"), "slope"),
        (("-p", "slope=9 rad"), "slope"),
        (("--until", "0"), "--until"),
        (("--until", "soon"), "soon"),
        (("--tolerance", "-1"), "--tolerance"),
        (("--along", "slope"), "from:to:count"),
        (("--along", "slope=0:1:1"), "from:to:count"),
        (("--along", "slope=0:1:many"), "from:to:count"),
        (("--along", "tilt=0.05:0.08:3"), "slope"),
    ],
)
def test_wrong_calls(run, words, message: str):
    result = run("cycle", WHEEL, *words)
    assert result.status == 2
    assert message in result.err and "Traceback" not in result.err
    russian = run("cycle", WHEEL, *words, "--lang", "ru")
    assert russian.status == 2 and "ошибка: " in russian.err
