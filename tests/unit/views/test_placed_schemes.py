"""Schemes that know where things are in them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sistel import load
from sistel.views.schemes import draw_scheme, place_scheme

MODELS = Path(__file__).resolve().parents[3] / "models"
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "llvmlite"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Nothing())
from sistel import load
from sistel.views.schemes import draw_scheme
sys.stdout.buffer.write(str(draw_scheme(load(sys.argv[1]).model)).encode())
"""


@pytest.mark.parametrize("name", ["four_bar", "walker", "slider_crank", "puma560"])
def test_a_placed_scheme_is_the_scheme_in_the_colours_of_its_page(name: str) -> None:
    model = load(MODELS / f"{name}.xml").model
    found, usual = place_scheme(model), str(draw_scheme(model, labels="names"))
    assert STYLE.sub("", found.svg) == STYLE.sub("", usual)
    assert "var(--ink,#" in found.svg and "prefers-color-scheme" not in found.svg


def test_poles_are_where_the_picture_has_them() -> None:
    model = load(MODELS / "walker.xml").model
    found = place_scheme(model, labels="none")
    drawn = re.findall(r'<g id="тело_(\d+)" transform="translate\(([-\d.]+),([-\d.]+)\)', found.svg)
    first = {int(number): (float(x), float(y)) for number, x, y in drawn}
    for body in model.bodies:
        if body.base == 0:
            assert found.places.point(body.number, (0.0, 0.0, 0.0)) == pytest.approx(first[body.number], abs=1e-3)
    left, top, width, height = found.window
    for body in model.bodies:
        x, y = found.places.point(body.number, (0.0, 0.0, 0.0))
        assert left < x < left + width and top < y < top + height


@pytest.mark.parametrize("name", ["pendulum", "puma560", "cart_pole"])
def test_an_open_chain_is_drawn_without_numpy_as_with_it(name: str) -> None:
    path = MODELS / f"{name}.xml"
    done = subprocess.run([sys.executable, "-c", WITHOUT, str(path)], capture_output=True, check=True, timeout=60)
    assert done.stdout.decode() == str(draw_scheme(load(path).model))
