"""Runs as figures of matplotlib: the curves are those of the run, with the panels, bands and words of the picture."""

from __future__ import annotations

import io
import math
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.look import colour
from sistel.simulation import Run

MODELS = Path(__file__).resolve().parents[3] / "models"


@cache
def run_of(name: str, until: float) -> Run:
    return sistel.load(MODELS / f"{name}.xml").simulate(until)


def figure(run: Run, *more: Any, **options: Any) -> Any:
    return run.plot(*more, backend="matplotlib", **options)


def panels(made: Any) -> dict[str, Any]:
    """The panels by their titles."""
    return {axes.get_title(loc="left"): axes for axes in made.axes if axes.get_title(loc="left")}


def curves(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def test_the_curves_are_those_of_the_run() -> None:
    run = run_of("double_pendulum", 2.0)
    made = figure(run, lang="en")
    names = run.model.coordinate_names
    found = panels(made)
    assert {"Coordinates, °", "Velocities, °/s"} <= {title.split("\n")[0] for title in found}
    for i, name in enumerate(names):
        (line,) = (
            curves(axes)[name] for title, axes in found.items() if title.startswith("Coord") and name in curves(axes)
        )
        t, y = line.get_data()
        assert len(t) > 50 and t[0] == run.begin and t[-1] == run.end
        # At the times of the points themselves the run says the same.
        assert np.radians(y) == pytest.approx(run(np.clip(t, 0.0, run.end))[0][:, i], abs=1e-9)
    (energy,) = (axes for title, axes in found.items() if title.startswith("Energy"))
    assert list(curves(energy)) == ["kinetic", "potential", "total"]
    total = curves(energy)["total"].get_ydata()
    assert np.ptp(total) < 1e-9 * max(total)  # nothing is lost
    assert energy.get_xlabel() == "time, s"


def test_quantities_have_panels_of_their_own() -> None:
    run = run_of("double_pendulum", 2.0)
    made = figure(run, ["energy()"], "ru")
    axes = panels(made)["energy()"]
    t, y = axes.lines[0].get_data()
    assert y == pytest.approx(run.quantity("energy()", np.clip(t, 0.0, run.end)), abs=1e-9)
    assert made.axes[-1].get_xlabel() == "время, с"
    assert any(title.startswith("Координаты, °") for title in panels(made))
    assert list(curves(made.axes[-1])) == ["кинетическая", "потенциальная", "полная"]


def test_structures_are_bands_and_events_marks() -> None:
    run = run_of("bouncing_ball", 1.2)
    assert len(run.events) >= 2
    made = figure(run, lang="en")
    lane = made.axes[0]
    edges = sorted(
        {round(float(x), 6) for band in lane.patches for x in (band.get_x(), band.get_x() + band.get_width())}
    )
    times = [run.begin, *(event.time for event in run.events), run.end]
    # Bands are laid out on the grid of the picture: to a hundredth of a pixel.
    for edge in edges:
        assert min(abs(edge - time) for time in times) < 1e-6 * run.end
    marks = [float(line.get_xdata()[0]) for line in lane.lines]
    assert marks == pytest.approx([event.time for event in run.events], abs=1e-9)
    assert {line.get_markerfacecolor() for line in lane.lines} == {colour("bad")}  # all of them strike
    for axes in panels(made).values():
        dashed = [line for line in axes.lines if line.get_label().startswith("_child") and len(line.get_xdata()) == 2]
        assert len(dashed) == len(run.events)
    legend = [text.get_text() for text in lane.get_legend().get_texts()]
    assert legend


def test_it_is_drawn_without_complaints_whatever_the_names_are() -> None:
    run = run_of("double_pendulum", 2.0)
    named = tuple(
        replace(body, name=name) for body, name in zip(run.model.bodies, ("_a$\\frac{", "<b>" * 40), strict=True)
    )
    odd = Run(replace(run.model, name="$x^{ \\", bodies=named), run.segments, run.events, run.last, None)
    for each in (odd, run_of("woodpecker", 0.3), run_of("spinning_top", 0.1)):
        made = figure(each)
        out = io.BytesIO()
        made.savefig(out, format="svg")
        assert len(out.getvalue()) > 10_000
        sizes = [axes.get_window_extent().width for axes in made.axes]
        assert max(sizes) == pytest.approx(min(sizes))
    assert math.isfinite(figure(odd).get_size_inches()[1])


def test_the_figure_belongs_to_nobody() -> None:
    """No window, and nothing that matplotlib keeps."""
    figure(run_of("double_pendulum", 2.0))
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_without_matplotlib_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    run = run_of("double_pendulum", 2.0)
    with pytest.raises(sistel.SistelError, match=r"sistel\[plots\]") as caught:
        run.plot(backend="matplotlib")
    assert "matplotlib" in caught.value.diagnostics[0].message.ru
    # The picture needs none of it.
    assert run.plot().startswith("<svg")
    assert run.plot(backend="svg", lang="en") == run.plot(lang="en")


def test_other_backends_are_refused() -> None:
    with pytest.raises(sistel.SistelError, match="matplotlib"):
        run_of("double_pendulum", 2.0).plot(backend="gnuplot")  # type: ignore[call-overload]


def test_a_run_without_steps_is_refused() -> None:
    run = sistel.load(MODELS / "bouncing_ball.xml").simulate(1.2, keep="events")
    with pytest.raises(sistel.SistelError, match="kept no steps"):
        run.plot(backend="matplotlib")
