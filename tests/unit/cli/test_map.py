"""`sistel map`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
WALKER = MODELS / "simplest_walker_basin.xml"
GRID = ("--x", "theta=0.05:0.3:6", "--y", "excess=-0.01:0.03:5", "--events", "4")
ENDS = ("--stop", "fell forward", "--stop", "fell backward")


def test_a_map(run, files: Path) -> None:
    data = run("map", WALKER, *GRID, *ENDS, "--json", "-o", "a.png", "-o", "a.svg", "-o", "a.npz").data
    assert (data["runs"], data["of"], data["failed"], data["stopped"]) == (30, 30, 0, None)
    assert sum(data["outcomes"].values()) == sum(data["structures"].values()) == 30
    assert sum(row["share"] for row in data["map"]) == pytest.approx(1.0)
    assert (files / "a.png").read_bytes()[:4] == b"\x89PNG" and (files / "a.svg").read_text().startswith("<svg")
    with np.load(files / "a.npz") as archive:
        assert archive["events"].shape == (30,)


def test_the_same_folder_goes_on(run, files: Path) -> None:
    words = ("map", WALKER, *GRID, *ENDS, "--keep", "work", "-o")
    assert run(*words, "a.npz").status == 0
    (part,) = (files / "work").glob("part-*.npz")
    stamp = part.stat().st_mtime_ns
    result = run(*words, "b.npz", "--lang", "ru")
    assert result.status == 0 and "запусков: 30" in result.out and "записано: b.npz" in result.err
    assert part.stat().st_mtime_ns == stamp and (files / "a.npz").read_bytes() == (files / "b.npz").read_bytes()
    other = run("map", WALKER, *GRID, "--keep", "work")
    assert other.status == 2 and "another ensemble; what differs: stop" in other.err


def test_coordinates_with_units(run, files: Path) -> None:
    words = ("--x", "ball=200mm:1.2 m:3", "--y", "ball.rate=0:-1 m/s:2", "--until", "100 ms")
    assert run("map", MODELS / "bouncing_ball.xml", *words, "-o", "a.npz").status == 0
    with np.load(files / "a.npz") as archive:
        np.testing.assert_allclose(archive["given_0"], [0.2, 0.7, 1.2], rtol=1e-15)
        # Free fall for a tenth of a second, from the second height with the second velocity.
        assert archive["state"][3, 0] == pytest.approx(0.7 - 0.1 - 9.81 * 0.005, rel=1e-14)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--x", "theta=0:0.5:4"), "--y is missing"),
        (("--x", "theta=0:0.5", "--y", "excess=0:1:2"), '--x cannot be "theta=0:0.5"'),
        (("--x", "theta=0:0.5:1", "--y", "excess=0:1:2"), "--x cannot be"),
        (("--x", "theta=0:0.5:2", "--y", "theta=0:1:2"), "the same"),
        (("--x", "thetta=0:0.5:2", "--y", "excess=0:1:2"), 'did you mean "theta'),
        (("--x", "theta=0:5 kg:2", "--y", "excess=0:1:2"), "kg"),
        (("--x", "theta=0:5:2", "--y", "excess=0:1:2"), "limits"),
        ((*GRID[:4], "--events", "0"), "--events cannot be"),
        ((*GRID, "-o", "a.gif"), "format of maps"),
        ((*GRID, "--stop", "fallen"), 'no structure "fallen"'),
        ((*GRID, "--of", "colour"), "--of cannot be"),
    ],
)
def test_wrong_calls(run, words: tuple[str, ...], said: str) -> None:
    result = run("map", WALKER, *words)
    assert result.status == 2 and result.out == "" and said in result.err
    russian = run("map", WALKER, *words, "--lang", "ru")
    assert russian.status == 2 and any("а" <= letter <= "я" for letter in russian.err)
