"""Schemes of many blocks for drawings, and what a drawing must not do."""

from __future__ import annotations

from random import Random

from sistel.views.wiring import Layout

Line = tuple[tuple[float, float], tuple[float, float]]


def many_blocks(count: int, seed: int = 1) -> str:
    """A file with a scheme of so many blocks: chains, sums, branches, and loops through delays."""
    draw = Random(seed)
    rows = ['<input name="task" kind="slider" min="-1 rad" max="1 rad"/>']
    names = ["task"]
    delays = []
    for i in range(count - 1):
        recent = names[-8:]
        a, b = draw.choice(recent), draw.choice(names[-20:])
        kind = draw.choice(("sum", "lag", "gain", "saturation", "delay", "switch", "signal", "pd"))
        name = f"s{i}"
        rows.append(
            {
                "sum": f'<block name="{name}" kind="sum" in="{a}, {b}, angle(arm)"/>',
                "lag": f'<block name="{name}" kind="lag" in="{a}" time="0.1 s"/>',
                "gain": f'<block name="{name}" kind="gain" in="{a} - {b}" gain="2"/>',
                "saturation": f'<block name="{name}" kind="saturation" in="{a}" limit="1 rad"/>',
                "delay": f'<block name="{name}" kind="delay" in="LOOP{i}" start="0 rad"/>',
                "switch": f'<block name="{name}" kind="switch" in="{a}, {b}" when="t gt 1 s"/>',
                "signal": f'<signal name="{name}" value="{a} - 0.5*{b} + 0.1 s*rate(arm)"/>',
                "pd": f'<block name="{name}" kind="pd" in="{a} - angle(arm)" kp="1" kd="0.1 s"/>',
            }[kind]
        )
        if kind == "delay":
            delays.append(i)
        names.append(name)
    text = "\n".join(rows)
    for i in delays:
        text = text.replace(f'LOOP{i}"', f'{draw.choice(names[i : i + 9])}"')
    return (
        '<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>'
        f'<scheme name="drive" period="10 ms">{text}<output motor="arm" from="{names[-1]}*1 N*m/rad"/></scheme></system>'
    )


def faults(layout: Layout) -> list[str]:
    """What is wrong in a drawing: boxes upon each other, wires that are aslant, through boxes, or upon other wires."""
    found = []
    boxes = [(each.x, each.y, each.x + each.width, each.y + each.height) for each in layout.boxes]
    for i, (a, b, c, d) in enumerate(boxes):
        if min(a, b) < 0 or c > layout.width or d > layout.height:
            found.append(f"box {i} lies outside")
        for j, (e, f, g, h) in enumerate(boxes[:i]):
            if a < g and e < c and b < h and f < d:
                found.append(f"boxes {i} and {j} overlap")
    lines = [(number, line) for number, path in enumerate(layout.paths) for line in path.lines]
    for number, ((a, b), (c, d)) in lines:
        if a != c and b != d:
            found.append(f"a wire of net {number} is aslant")
        for i, (e, f, g, h) in enumerate(boxes):
            if max(a, c) > e + 0.5 and min(a, c) < g - 0.5 and max(b, d) > f + 0.5 and min(b, d) < h - 0.5:
                found.append(f"a wire of net {number} goes through box {i}")
    found += _upon_each_other(lines)
    return found


def _upon_each_other(lines: list[tuple[int, Line]]) -> list[str]:
    found = []
    for upright in (0, 1):
        own = [(n, line) for n, line in lines if line[0][upright] == line[1][upright]]
        for i, (n, (p, q)) in enumerate(own):
            for m, (r, s) in own[:i]:
                if n == m or abs(p[upright] - r[upright]) >= 2.0:
                    continue
                low, high = max(p[1 - upright], r[1 - upright]), min(q[1 - upright], s[1 - upright])
                if high - low > 0.5:
                    found.append(f"wires of nets {n} and {m} lie upon each other")
    return found


def unjoined(layout: Layout) -> list[str]:
    """Wires whose lines do not lead from their source to all their targets."""
    found = []
    for path in layout.paths:
        start = layout.boxes[path.source].outs[path.out]
        reached, waiting = set(), [start]
        while waiting:
            x, y = waiting.pop()
            for k, ((a, b), (c, d)) in enumerate(path.lines):
                if k in reached or not (a <= x <= c and b <= y <= d):
                    continue
                reached.add(k)
                for (e, f), (g, h) in path.lines:
                    low_x, high_x, low_y, high_y = max(a, e), min(c, g), max(b, f), min(d, h)
                    if low_x <= high_x and low_y <= high_y:
                        waiting.append((low_x, low_y))
        for wire in layout.net.wires:
            if (wire.source, wire.out) != (path.source, path.out):
                continue
            x, y = layout.boxes[wire.target].ports[wire.port]
            if not any(a <= x <= c and b <= y <= d for k, ((a, b), (c, d)) in enumerate(path.lines) if k in reached):
                found.append(f"net of box {path.source} does not reach box {wire.target}")
    return found
