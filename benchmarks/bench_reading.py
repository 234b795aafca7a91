"""Reading and building against size: chains of 10 to 10,000 bodies, per body, beside lxml's parsing of the same text.

The promise: linear in size, at most 1 ms a body. lxml only parses XML, so the ratio says what everything else costs:
places of every word, words checked, expressions, units, the tree, classes.
"""

from __future__ import annotations

from _bench import measure, options, report
from lxml import etree

import sistel

SIZES = (10, 100, 1_000, 10_000)


def chain(bodies: int) -> str:
    """A chain of hinges, flat: each body names its base."""
    rows = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else "0"}" joint="revolute" place="{100 if i else 0}, 0" '
        'min="-90" max="90" mass="1" com="50, 0" inertia="0.001"/>\n'
        for i in range(bodies)
    )
    return f'<system name="chain">\n{rows}</system>\n'


def main() -> None:
    arguments = options(__doc__, rounds=7)
    texts = {size: chain(size) for size in SIZES}
    for size, text in texts.items():
        system = sistel.parse(text)
        assert system.bases == tuple(range(size)) and system.structure_class == "ПСТОВ"
    cases = {}
    for size, text in texts.items():
        cases[f"lxml, {size} bodies"] = lambda text=text: etree.fromstring(text)
        cases[f"sistel, {size} bodies"] = lambda text=text: sistel.parse(text)
    timings = measure(cases, rounds=arguments.rounds)
    report("reading", timings, arguments.json)
    print()
    for size in SIZES:
        found = next(timing for timing in timings if timing.name == f"sistel, {size} bodies")
        print(f"{size:6} bodies: {found.minimum / size * 1e3:.3f} ms a body")


if __name__ == "__main__":
    main()
