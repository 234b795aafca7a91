"""What is dragged with the pointer in the picture of a studio, with a server or without: the same hands, the same truths."""

from __future__ import annotations

import re
from typing import Any, Protocol

NAMED = """(before, name) => {
  const now = document.querySelector("h1").textContent;
  return now !== before && now.startsWith(name) && document.querySelector(".cm-content")?.getAttribute("aria-label") === now;
}"""
"""Whether another file is open, whose name begins so."""
REMARK = re.compile(r"<!--.*?-->", re.S)


class Shown(Protocol):
    """A window of a studio."""

    page: Any
    """Of playwright."""

    def wait(self, condition: str, seconds: float = 60.0) -> None:
        """Until a JavaScript expression is true."""

    def text(self) -> str:
        """What stands in the editor, in whole."""


def middle(window: Shown, handle: str) -> tuple[float, float]:
    """Where a handle is on the screen."""
    box = window.page.locator(f'[data-handle="{handle}"] .reach').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(window: Shown, handle: str, by: tuple[float, float]) -> None:
    """Take a handle and leave it elsewhere."""
    x, y = middle(window, handle)
    mouse = window.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + by[0], y + by[1], steps=5)
    mouse.up()


def way(window: Shown) -> str:
    """The curve that a point draws."""
    return str(window.page.locator("[data-part=way]").get_attribute("d"))


def changed(window: Shown, before: str) -> str:
    """The text, once it is another."""
    window.page.wait_for_timeout(30)
    for _ in range(600):
        now = window.text()
        if now != before:
            return now
        window.page.wait_for_timeout(30)
    raise AssertionError("the text stays as it was")


def open_model(window: Shown, name: str) -> str:
    """A copy of a file of the gallery, in the folder, opened."""
    page = window.page
    before = page.locator("h1").inner_text()
    page.locator("[data-act=new]").first.click()
    page.locator(f"[data-sample={name}]").click()
    # Where there is one already, it gets a number.
    window.wait(f"(({NAMED})({before!r}, {name!r}))")
    return window.text()


def drag_a_four_bar(window: Shown) -> None:
    """Its poles are dragged, its coupler curve goes along, the text changes in place; it is undone to the letter."""
    page = window.page
    text = open_model(window, "four_bar")
    page.locator("[data-view=scheme]").click()
    page.locator("[data-side=tree]").click()
    page.locator(".node", has_text="coupler").click()
    page.locator('[data-handle="com:2"]').wait_for()
    page.locator('[data-handle="com:2"]').focus()
    page.keyboard.press("Space")
    page.locator("[data-act=trace]").click()
    page.locator("[data-part=way]").wait_for()
    curve = way(window)

    x, y = middle(window, "pole:2")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 14, y - 18, steps=6)
    window.wait(f"document.querySelector('[data-part=way]')?.getAttribute('d') !== {curve!r}")  # while it is held
    assert window.text() == text
    page.mouse.up()
    after = changed(window, text)
    assert REMARK.findall(after) == REMARK.findall(text) and after.count("\n") == text.count("\n")
    lines = [(a, b) for a, b in zip(text.splitlines(), after.splitlines(), strict=True) if a != b]
    assert [re.sub(r"[\d.]+ (mm|deg)", "", a, count=1) for a, _ in lines] == [
        re.sub(r"[\d.]+ (mm|deg)", "", b, count=1) for _, b in lines
    ]
    assert len(lines) == 2 and 'name="a"' in lines[0][0] and "<start" in lines[1][0]

    drag(window, "closure:0:0", (12, 9))
    further = changed(window, after)
    assert 'name="b" value="450 mm"' not in further and 'name="c" value="350 mm"' not in further
    # Two drags are two steps, undone from the picture too.
    page.locator("[data-handle='pole:1']").focus()
    page.keyboard.press("Control+z")
    assert changed(window, further) == after
    page.keyboard.press("Control+z")
    assert changed(window, after) == text
    window.wait(f"document.querySelector('[data-part=way]')?.getAttribute('d') === {curve!r}")
