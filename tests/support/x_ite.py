"""X_ITE, the X3D browser, in Chromium: for tests that look whether scenes open there, and where things are in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from support.browser import Chromium, Tab

from sistel.views.viewer import view_scene

SIZE = (200, 150)
"""Of the window [px]: the processor draws every one of them."""
EMPTY = '<X3D profile="Immersive" version="4.0"><Scene/></X3D>'
OPEN = """async text => {
  const { browser } = sistelViewer;
  const scene = await browser.createX3DFromString(text);
  await browser.replaceWorld(scene);
  return scene.rootNodes.length;
}"""
AT = """async ([fraction, movers, fields]) => {
  const scene = sistelViewer.browser.currentScene, clock = scene.getNamedNode("Clock");
  const frames = async count => { while (count--) await new Promise(requestAnimationFrame); };
  clock.enabled = false;
  for (let i = 0; clock.isActive && i < 300; ++i) await frames(1);
  await frames(5);
  for (const mover of movers) scene.getNamedNode(mover).set_fraction = fraction;
  await frames(5);
  return fields.map(([node, field]) => {
    const value = scene.getNamedNode(node)[field];
    return value.angle === undefined ? [value.x, value.y, value.z] : [value.x, value.y, value.z, value.angle];
  });
}"""


class Viewer:
    """A page with X_ITE in it."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.movers: list[str | None] = []

    def open(self, text: str) -> int:
        """Show a scene; how many root nodes it has."""
        self.movers = [
            node.get("DEF") for node in ElementTree.fromstring(text).iter() if node.tag.endswith("Interpolator")
        ]
        return int(self.tab.run(OPEN, text))

    def at(self, fraction: float, fields: list[tuple[str, str]]) -> list[list[float]]:
        """Stop the clock at a fraction of the motion, and read fields of nodes."""
        return list(self.tab.run(AT, [fraction, self.movers, fields]))

    def complaints(self) -> list[str]:
        """What the console got that is no mere information, and what was asked for outside the page."""
        return [*self.tab.complaints, *self.tab.outside]

    def picture(self, path: Path | None = None) -> bytes:
        return self.tab.picture(path)


@contextmanager
def x_ite(chromium: Chromium) -> Iterator[Viewer]:
    """A page with X_ITE, closed in the end."""
    with chromium.tab(size=SIZE, webgl=True) as tab:
        tab.open(view_scene(EMPTY, lang="en"))
        tab.wait("window.sistelViewer")
        yield Viewer(tab)


def matrix(turn: list[float]) -> Any:
    """The rotation of an axis with an angle."""
    import numpy as np

    x, y, z, angle = turn
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)
