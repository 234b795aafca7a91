"""Files of networks: back to the last bit, and nothing else gets in."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.solve import anfis


@cache
def arm() -> sistel.System:
    return sistel.parse(
        '<system><body name="плечо" joint="revolute" min="-90" max="90" mass="2" com="200, 0" inertia="0.03">'
        '<body name="локоть" joint="revolute" place="400, 0" min="20" max="150" mass="1" com="150, 0" inertia="0.01">'
        '<point name="tip" place="300, 0"/></body></body></system>'
    )


@cache
def ik() -> anfis.IkNets:
    return anfis.train_ik(arm(), "tip", 60, rules=[3, 4], epochs=2)


@cache
def dynamics() -> anfis.DynamicsNets:
    return anfis.train_dynamics(arm(), 60, inputs=5, rules=3, epochs=2)


def written(nets: Any, folder: Path) -> dict[str, Any]:
    anfis.save(nets, folder / "nets.json")
    return dict(json.loads((folder / "nets.json").read_text(encoding="utf-8")))


def test_round_trip_of_a_network(tmp_path: Path) -> None:
    net = ik().networks[0]
    anfis.save(net, tmp_path / "net.json")
    again = anfis.load(tmp_path / "net.json")
    assert isinstance(again, anfis.Anfis)
    for name in ("low", "span", "centres", "widths", "consequents"):
        assert np.array_equal(getattr(again, name), getattr(net, name))
    assert [path.name for path in tmp_path.iterdir()] == ["net.json"]


def test_round_trip_of_kinematics(tmp_path: Path) -> None:
    anfis.save(ik(), tmp_path / "ik.json")
    again = anfis.load(tmp_path / "ik.json")
    assert isinstance(again, anfis.IkNets)
    poses = arm().pose(np.random.default_rng(1).uniform(0.4, 1.5, (30, 2)), "tip")
    assert np.array_equal(again.predict(poses), ik().predict(poses))
    assert np.array_equal(anfis.as_seed(again, poses), anfis.as_seed(ik(), poses))
    assert again.report == ik().report
    assert again.report.say("ru") == ik().report.say("ru")
    assert (again.joints, again.frame, again.fingerprint) == (("плечо", "локоть"), "tip", arm().fingerprint)


def test_round_trip_of_dynamics(tmp_path: Path) -> None:
    anfis.save(dynamics(), tmp_path / "dynamics.json")
    again = anfis.load(tmp_path / "dynamics.json")
    assert isinstance(again, anfis.DynamicsNets)
    q, v, a = np.random.default_rng(1).uniform(0.4, 1.0, (3, 30, 2))
    assert np.array_equal(again.predict(q, v, a), dynamics().predict(q, v, a))
    assert (again.inputs, again.report) == (dynamics().inputs, dynamics().report)


def refused(path: Path) -> str:
    with pytest.raises(sistel.SistelError) as caught:
        anfis.load(path)
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00garbage",
        b"null",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": "sistel anfis"}',
        b'{"format": "sistel anfis", "version": 1}',
        b'{"format": "sistel anfis", "version": 1, "kind": "network"}',
        b'{"format": "sistel anfis", "version": "1", "kind": "network"}',
        b'{"format": "sistel anfis", "version": 1, "kind": []}',
        b'{"format": "sistel anfis", "version": 1, "kind": "pickle"}',
        b'{"format": "sistel anfis", "version": 1, "kind": "network", "low": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_file_of_networks_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    assert refused(tmp_path / "bad.json") == "no-file"


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing.json") == "no-file"
    assert refused(tmp_path) == "no-file"
    for nets, path in ((ik(), tmp_path / "no" / "folder.json"), ({"a": 1}, tmp_path / "dict.json")):
        with pytest.raises(sistel.SistelError):
            anfis.save(nets, path)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_newer_files_say_so(tmp_path: Path) -> None:
    data = written(ik(), tmp_path) | {"version": 2}
    (tmp_path / "new.json").write_text(json.dumps(data), encoding="utf-8")
    assert refused(tmp_path / "new.json") == "newer-file"


def test_cut_files_are_refused(tmp_path: Path) -> None:
    anfis.save(ik(), tmp_path / "ik.json")
    content = (tmp_path / "ik.json").read_bytes().rstrip()
    for end in range(0, len(content), 197):
        (tmp_path / "cut.json").write_bytes(content[:end])
        assert refused(tmp_path / "cut.json") == "no-file"


KINEMATICS: list[tuple[tuple[str | int, ...], Any]] = [
    (("networks", 0, "widths", 0, 0), 0.0),
    (("networks", 0, "widths", 0, 0), "0.5"),
    (("networks", 0, "centres", 0, 0), True),
    (("networks", 0, "centres", 0, 0), None),
    (("networks", 0, "centres", 0), [1.0]),
    (("networks", 0, "centres", 0, 0), 10**400),
    (("networks", 0, "low"), []),
    (("networks",), []),
    (("networks",), {}),
    (("joints",), ["one"]),
    (("joints",), [1, 2]),
    (("joints",), "ab"),
    (("frame",), 5),
    (("orientation",), "axes"),
    (("orientation",), "words"),
    (("orientation",), []),
    (("uses",), [0, 1, 9]),
    (("uses",), [-1, 0, 1]),
    (("uses",), [0, 0, 1]),
    (("uses",), [0, 1]),
    (("uses",), [True, 2, 3]),
    (("middle",), [0.0, 1.0]),
    (("low",), [9.0, 9.0]),
    (("low",), [[0.0, 0.0]]),
    (("high",), [1.0]),
    (("fingerprint",), None),
    (("report",), None),
    (("report", "errors"), []),
    (("report", "errors", 0, "rmse"), "x"),
    (("report", "place", "count"), []),
    (("report", "place", "count"), "5"),
    (("report", "samples"), None),
    (("report", "spreads"), "ab"),
    (("report", "seeding"), {"success": 1.0}),
]


@pytest.mark.parametrize(("path", "value"), KINEMATICS, ids=lambda each: json.dumps(each)[:40])
def test_changed_files_are_refused(tmp_path: Path, path: tuple[str | int, ...], value: Any) -> None:
    data: Any = written(ik(), tmp_path)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    (tmp_path / "bad.json").write_text(json.dumps(data), encoding="utf-8")
    # "axes" has more inputs, of which the used ones are a part: the same number, other meanings.
    if value == "axes":
        assert isinstance(anfis.load(tmp_path / "bad.json"), anfis.IkNets)
    else:
        assert refused(tmp_path / "bad.json") == "no-file"


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_are_refused(tmp_path: Path, word: str) -> None:
    text = json.dumps(written(ik(), tmp_path) | {"middle": [0.0, 0.0, "HERE"]}).replace('"HERE"', word)
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    assert refused(tmp_path / "bad.json") == "no-file"


def test_changed_dynamics_are_refused(tmp_path: Path) -> None:
    for change in ({"uses": [[0, 1]] * 2}, {"uses": [[0, 1, 2, 3, 6]] * 2}, {"uses": []}, {"networks": []}):
        (tmp_path / "bad.json").write_text(json.dumps(written(dynamics(), tmp_path) | change), encoding="utf-8")
        assert refused(tmp_path / "bad.json") == "no-file"


@pytest.mark.parametrize(
    ("name", "value"), [("consequents", 1e308), ("centres", -1e200), ("span", 1e-300), ("widths", 5e-324)]
)
def test_networks_that_give_no_answers_are_refused(name: str, value: float, tmp_path: Path) -> None:
    """Each number is one; what the network answers would be none."""
    data = written(ik().networks[0], tmp_path)
    first = data[name][0]
    data[name][0] = value if not isinstance(first, list) else [value, *first[1:]]
    (tmp_path / "nets.json").write_text(json.dumps(data), encoding="utf-8")
    assert refused(tmp_path / "nets.json") == "no-file"
