"""How soon a window of the studio answers: what is wrong after a key, pictures of drags and sliders, the first look.

Through a real server and its socket, as a browser asks. Of each file a key is typed and a handle is dragged again and
again, every time to another place, so that nothing is remembered; the cases take turns.
"""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
import time
from pathlib import Path

from _bench import ROOT, Case, measure, options, report

sys.path.insert(0, str(ROOT / "tests"))

from support.studio import Window, studio

DRAGGED = {"four_bar": ("pole:2", "turn:1", "closure:0:0"), "walker": ("turn:2", "pole:3")}
SLID = {"four_bar": "a", "walker": "l"}
"""Lengths of bodies, so that every picture is another one."""

CHAINS = (10, 20, 40)
"""How many bodies; the exponent is the logarithm to the base of two of how much longer the next takes."""


def keystroke(window: Window, name: str, text: str) -> Case:
    """A check of a text with one more letter."""
    count = itertools.count()
    at = text.index("-->")

    def run() -> None:
        done = window.call("text.check", path=f"{name}.xml", text=f"{text[:at]}{next(count)}{text[at:]}")
        assert not [each for each in done["diagnostics"] if each["severity"] == "error"]

    return run


def drag(window: Window, name: str, text: str, handle: str) -> Case:
    """A handle goes on by a pixel: the text after it, and its picture."""
    count = itertools.count(1)
    first = window.call("picture.scheme", path=f"{name}.xml", text=text)
    x, y = next(each["at"] for each in first["handles"] if each["id"] == handle)
    grain = max(first["window"][2:]) / 800.0

    def run() -> None:
        by = grain * (next(count) % 40)
        done = window.call(
            "picture.move", path=f"{name}.xml", text=text, handle=handle, to=[x + by, y - by / 3.0], grain=grain
        )
        assert done["svg"] and done["handles"]

    return run


def slide(window: Window, name: str, text: str) -> Case:
    """The slider of a parameter goes on: the picture with another value."""
    count = itertools.count(1)
    listed = window.call("parameters.list", path=f"{name}.xml", text=text)
    first = next(each for each in listed if each["name"] == SLID[name])
    last = ""

    def run() -> None:
        nonlocal last
        value = first["value"] * (1.0 + 1e-3 * (next(count) % 40))
        done = window.call("picture.scheme", path=f"{name}.xml", text=text, parameters={first["name"]: value})
        assert done["svg"] and done["svg"] != last
        last = done["svg"]

    return run


def chain(count: int) -> str:
    """Bars one on the other, as long as a parameter says."""
    bars = [f'<body name="b{i}" joint="revolute" place="a, 0" mass="1" com="a/2, 0">' for i in range(count)]
    inside = "".join(bars) + "</body>" * count
    return f'<system name="chain"><!-- --><parameter name="a" value="100 mm"/>{inside}</system>'


def first_view(folder: Path) -> float:
    """From the address of a server to the answer to `hello` [s]."""
    with studio(folder) as server:
        begin = time.perf_counter()
        with server.window() as window:
            window.call("hello")
            return time.perf_counter() - begin


def main() -> None:
    arguments = options(__doc__, rounds=20)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        print(f"first view of an empty folder: {first_view(folder):.3f} s")
        for name in DRAGGED:
            shutil.copy(ROOT / "models" / f"{name}.xml", folder)
        with studio(folder) as server, server.window() as window:
            cases: dict[str, Case] = {"a call that does nothing": lambda: window.call("runs.list")}
            for name, handles in DRAGGED.items():
                text = (folder / f"{name}.xml").read_text(encoding="utf-8")
                cases[f"{name}: key to diagnostics"] = keystroke(window, name, text)
                cases[f"{name}: slider to picture"] = slide(window, name, text)
                for handle in handles:
                    cases[f"{name}: drag of {handle}"] = drag(window, name, text, handle)
            for count in CHAINS:
                text = chain(count)
                cases[f"chain of {count}: key to diagnostics"] = keystroke(window, f"chain{count}", text)
                cases[f"chain of {count}: drag of a pole"] = drag(window, f"chain{count}", text, "pole:2")
            for case in cases.values():
                case()
            report("editing", measure(cases, rounds=arguments.rounds, calls=1), arguments.json)


if __name__ == "__main__":
    main()
