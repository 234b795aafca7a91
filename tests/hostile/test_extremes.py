"""Extreme numbers in every format: computed, or refused with a diagnostic; never a failure of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import main
from sistel.errors import SistelError
from sistel.simulation import Run

NINES = "9" * 5000
VALUES = (
    "0",
    "-0.0",
    "5e-324",
    "1e-320",
    "1e-200",
    "1e-100",
    "1e-30",
    "1e30",
    "1e200",
    "1.7e308",
    "1e400",
    "nan",
    "-inf",
    NINES,
)

INERTIAL = '<inertial><origin xyz="0 0 {com}"/><mass value="{mass}"/><inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>'
HOME = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def body(**given: str) -> str:
    usual = {"mass": "1", "com": "0,100", "inertia": "0.01", **given}
    listed = " ".join(f'{key}="{value}"' for key, value in usual.items())
    return f'<system><body name="b" joint="revolute" {listed}/></system>'


def urdf(v: str, *, com: str = "1", mass: str = "1", inertia: str = "1", axis: str = "1") -> str:
    inertial = INERTIAL.format(com=com, mass=mass, i=inertia)
    return (
        f'<robot name="r"><link name="base"/><link name="a">{inertial}</link><joint name="j" type="revolute">'
        f'<origin xyz="{v} 0 0"/><parent link="base"/><child link="a"/><axis xyz="0 {axis} 1"/>'
        f'<limit lower="-1" upper="{v}" effort="{v}" velocity="{v}"/><dynamics damping="{v}"/></joint></robot>'
    )


def texts(v: str) -> Iterator[tuple[str, str]]:
    """Descriptions with an extreme number somewhere."""
    for key in ("mass", "inertia", "damping", "stiffness", "friction"):
        yield key, body(**{key: v})
    yield "place", body(place=f"{v},0")
    yield "point mass", body(com=f"0,{v}", inertia="0")
    yield "expression", body(mass=f"{v}*{v}")
    yield (
        "chain",
        f'<system><body name="a" joint="revolute" mass="1" com="0,100"/><body name="b" base="a" place="0,{v}" joint="prismatic" mass="{v}" com="0,1"/></system>',
    )
    yield "free", f'<system space="spatial"><body name="a" joint="free" mass="{v}" com="0,1,0" inertia="{v}"/></system>'
    yield (
        "ball",
        f'<system space="spatial"><body name="a" joint="spherical" mass="1" com="0,{v},0" inertia="1,{v},1"/></system>',
    )
    yield (
        "parameter",
        f'<system><parameter name="L" value="{v}"/><body name="a" joint="revolute" mass="1" com="0,L*1000"/></system>',
    )
    yield "gravity", f'<system><gravity value="{v}"/><body name="a" joint="revolute" mass="1" com="0,100"/></system>'
    yield (
        "start",
        f'<system><body name="a" joint="revolute" mass="1" com="0,100"/><start a="{v}" a.rate="{v}"/></system>',
    )
    yield "URDF mass", urdf("0", com=v, mass=v)
    yield "URDF inertia", urdf(v, inertia=v, axis=v)
    yield (
        "MJCF",
        f'<mujoco><worldbody><body pos="{v} 0 0"><joint type="hinge" axis="0 1 {v}" damping="{v}" armature="{v}"/><geom type="capsule" size="{v} 1" mass="{v}"/></body></worldbody></mujoco>',
    )
    yield (
        "MJCF box",
        f'<mujoco><option gravity="0 0 {v}"/><worldbody><body><joint type="free"/><geom type="box" size="1 {v} 1" density="{v}"/></body></worldbody></mujoco>',
    )
    yield "table", f"joint,theta,d,a,alpha\nq1,q,{v},0,90\nq2,q,0,{v},0\n"
    yield (
        "screws",
        '{"home":' + json.dumps(HOME) + ',"frame":"tool","joints":[{"name":"a","screw":[0,0,1,' + v + ",0,0]}]}",
    )


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:12])
def test_extreme_numbers_are_computed_or_refused(value: str) -> None:
    """All warnings are errors here: whatever overflows without a word fails, too."""
    for name, text in texts(value):
        try:
            run: Run = sistel.parse(text, f"<{name}>").simulate(0.01)
        except SistelError as problem:
            assert all(each.message.en and each.message.ru for each in problem.diagnostics), name
            continue
        assert np.isfinite(run.q).all() and np.isfinite(run.v).all(), name


@pytest.mark.parametrize("inertia", ["1e-320", "0"])
@pytest.mark.parametrize("com", ["0,0", "0,1e-200"])
def test_what_is_too_small_is_taken_for_nothing_and_told(inertia: str, com: str) -> None:
    system = sistel.parse(body(com=com, inertia=inertia))
    told = [each for each in system.diagnostics if each.code == "too-small"]
    assert len(told) == ("e-" in inertia) + ("e-" in com) and all(each.span is not None for each in told)
    with pytest.raises(SistelError, match="point mass about itself"):
        system.simulate(0.01)
    with pytest.raises(SistelError, match="point mass about itself"):
        system.forward_dynamics([0.0], [0.0], [0.0])


@pytest.mark.parametrize(
    "joint, more",
    [
        ("spherical", 'com="0,100,0" inertia="1,0,1"'),
        ("free", 'com="0,100,0" inertia="1,0,1"'),
        ("revolute", 'axis="0,1,0" com="0,100,0" inertia="1,0,1"'),
        ("spherical", 'com="0,100,0" inertia="1,1e-30,1"'),
    ],
)
def test_a_rod_that_can_spin_about_itself_is_refused(joint: str, more: str) -> None:
    """A thin rod has no inertia about itself: there is no equation for that turn, as the mass matrix shows."""
    system = sistel.parse(f'<system space="spatial"><body name="rod" joint="{joint}" mass="1" {more}/></system>')
    (reason,) = system.structure().why_not
    assert '"rod"' in reason.en and "«rod»" in reason.ru
    q = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][: system.nq] if system.nq > 1 else [0.3]
    M = system.mass_matrix(q)
    assert np.linalg.eigvalsh(M)[0] <= 1e-12 * np.linalg.eigvalsh(M)[-1]
    with pytest.raises(SistelError, match="no inertia"):
        system.simulate(0.01)


def test_a_thin_rod_on_a_universal_joint_moves() -> None:
    rod = '<body name="rod" joint="universal" axis="1,0,0" axis2="0,0,1" mass="1" com="0,100,0" inertia="1,0,1"/>'
    system = sistel.parse(f'<system space="spatial">{rod}</system>')
    assert not system.structure().why_not
    system.simulate(0.01)


@pytest.mark.parametrize("value", ["nan", "inf", "1e400", "1e300"])
def test_joints_are_not_held_nowhere(value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(urdf("0"))
    assert main(["show", str(path), "--lock", f"j={value}", "--lang", "en"]) == 1
    assert "cannot be held" in capsys.readouterr().err
