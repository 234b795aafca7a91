"""Running commands: in this process where that is enough, in one of their own where streams matter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sistel.cli import main

CHANGING = """\
<system name="wrench" about="An arm that catches a nut, turns it, and lets go">
  <parameter name="l" value="300 mm" min="100 mm" max="500 mm" about="length of the arm"/>
  <body name="arm" joint="revolute" joint-name="shoulder" min="-160" max="160" mass="2" com="l/2, 0" inertia="0.015">
    <motor name="M1" limit="20 N*m" speed="180" ratio="50" inertia="1e-5"/>
    <body name="forearm" joint="revolute" place="l, 0" max="120" mass="1" com="100, 0" inertia="0.004">
      <point name="jaw" place="200, 0"/>
      <body name="gear" joint="revolute" place="50, 0" mass="0.1" inertia="1e-4"/>
      <body name="slider" joint="prismatic" axis="x" place="20, 0" turn="30" min="0" max="30" mass="0.1"/>
    </body>
  </body>
  <links>
    <closure name="nut" joint="revolute" body="forearm" at="200, 0" to="0" at-to="300, -100" holds="no"/>
    <contact name="floor" point="jaw" surface="y = 0" friction="0.3" impact="newton" restitution="0.5"/>
    <coupling name="gearing" of="gear" to="forearm" ratio="-2" offset="30 deg"/>
    <lock name="brake" of="slider" holds="no"/>
    <structure name="approach" holds="brake"/>
    <structure name="tightening" holds="nut"/>
    <structure name="resting" holds="floor"/>
    <transition from="approach" to="tightening" when="distance(nut) &lt; 1 mm and speed(nut) &lt; 5 mm/s"/>
    <transition from="tightening" to="approach" when="moment(nut) &gt; 12 N*m"/>
    <transition to="resting" when="gap(floor) falls through 0" impact="newton" priority="2"/>
  </links>
  <start arm="30 deg" arm.rate="10 deg/s" forearm="-45"/>
</system>
"""

SPATIAL = """\
<системаТел имя="рука" вид="пространственная">
  <тело имя="колонна" КП="ВКП" min="-170" max="170" масса="3" ЦМ="0, 0, 100" инерция="0.02, 0.02, 0.01">
    <тело имя="плечо" КП="ВКП" место="0, 0, 200" поворот="90, 0, 0" масса="2" ЦМ="150, 0, 0" инерция="0.01, 0.03, 0.03, 0.001, 0, 0">
      <тело имя="кисть" КП="ШКП" место="300, 0, 0" масса="0.5" инерция="1e-3, 1e-3, 1e-3"/>
    </тело>
  </тело>
</системаТел>
"""

URDF = """\
<robot name="two">
  <link name="base"/>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/>
  </joint>
</robot>
"""

BROKEN = """\
<system name="broken">
  <body name="arm" joint="revolut" mass="-1"/>
</system>
"""


@dataclass(frozen=True, slots=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, object]:
        """The JSON document of the output."""
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document


# Unbuffered, a write that a broken pipe cuts short raises nothing.
DROPPED = ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "COLUMNS", "NO_COLOR", "PYTHONUNBUFFERED", "PYTHONUTF8")

Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, in English unless told otherwise, at 100 columns."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)

    def call(*words: str | Path, columns: int | None = None) -> Result:
        if columns is not None:
            monkeypatch.setenv("COLUMNS", str(columns))
        capsys.readouterr()
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return call


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few systems, which is also the current one."""
    for name, text in (
        ("changing.xml", CHANGING),
        ("spatial.xml", SPATIAL),
        ("two.urdf", URDF),
        ("broken.xml", BROKEN),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that has no language and no terminal."""
    kept = {key: value for key, value in os.environ.items() if key not in DROPPED}
    import sistel

    return kept | {"LANG": "C.UTF-8", "PYTHONPATH": str(Path(sistel.__file__).parent.parent)} | more


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs a command in a process of its own."""

    def call(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
        given: dict[str, object] = {"stdin": subprocess.DEVNULL, "env": environment(), "timeout": 60} | options
        if "stdout" not in given:
            given |= {"stdout": subprocess.PIPE}
        return subprocess.run([sys.executable, "-m", "sistel", *words], stderr=subprocess.PIPE, check=False, **given)  # type: ignore[call-overload,no-any-return]

    return call
