"""Networks of an arm as pictures: inputs, the Gaussians that they are told apart by, rules, and what these answer.

Every rule has one Gaussian of each input, so a network of n inputs and m rules has n panels with m curves: the curves
of a rule, its threads and its nodes have one colour, by where its answer at its own centre lies in the range of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text
from sistel.look import SANS, painted
from sistel.views._drawing import Drawing
from sistel.views.charts.palette import ramp

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.solve.anfis import Anfis, DynamicsNets, IkNets

WIDTH = 960
CARD = (170, 150, 64)
"""Left, width and height of the panel of an input."""
RULES, ANSWERS, SUMS, OUT = 520, 640, 770, 880
"""Where the layers stand."""
STEP = 15
"""Between two rules; and the least height of a panel is four of them."""
TOP, HEAD = 96, 58
SAMPLES = 48
"""Points of a curve."""
TURNS = {"roll": Text("roll", "крен"), "pitch": Text("pitch", "тангаж"), "yaw": Text("yaw", "рысканье")}

STYLE = (
    f".sistel-nets{{font-family:{SANS}}}"
    + """
.sistel-nets .paper{fill:var(--paper)}
.sistel-nets .card{fill:var(--plate);stroke:var(--line)}
.sistel-nets text{fill:var(--ink);font-size:12px}
.sistel-nets .name{font-size:19px;font-weight:600}
.sistel-nets .title{font-size:15px;font-weight:600}
.sistel-nets .dim{fill:var(--dim)}
.sistel-nets .small{font-size:10.5px;font-variant-numeric:tabular-nums}
.sistel-nets .middle{text-anchor:middle}
.sistel-nets .end{text-anchor:end}
.sistel-nets .thread{fill:none;stroke-width:.8;stroke-opacity:.42}
.sistel-nets .bell{fill:none;stroke-width:1.2;stroke-opacity:.85}
.sistel-nets .link{fill:none;stroke:var(--edge);stroke-opacity:.6}
.sistel-nets .node{stroke:var(--paper);stroke-width:1.2}
.sistel-nets .plain{fill:var(--paper);stroke:var(--edge);stroke-width:1.2}
"""
)


def draw_networks(nets: IkNets | DynamicsNets, lang: Language) -> Drawing:
    """All networks of an arm, one below the other."""
    inputs: Sequence[Sequence[str]] = (
        [nets.inputs] * len(nets.networks) if hasattr(nets, "frame") else list(nets.inputs)  # type: ignore[list-item]
    )
    parts, y = [], float(HEAD)
    for joint, network, names in zip(nets.joints, nets.networks, inputs, strict=True):
        drawn, height = _network(joint, network, names, y, lang)
        parts.append(drawn)
        y += height
    total = sum(nets.nodes)
    what = (
        Text("Inverse kinematics by networks", "Обратная задача кинематики сетями")
        if hasattr(nets, "frame")
        else Text("Inverse dynamics by networks", "Обратная задача динамики сетями")
    )
    told = Text(f"networks: {len(nets.networks)}, nodes: {total}", f"сетей: {len(nets.networks)}, узлов: {total}")
    head = (
        f'<text class="name" x="24" y="36">{what.say(lang)}</text>'
        f'<text class="dim end" x="{WIDTH - 24}" y="36">{told.say(lang)}</text>'
    )
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sistel-nets" viewBox="0 0 {WIDTH} {_n(y)}" width="{WIDTH}" '
        f'height="{_n(y)}" role="img" aria-label="{what.say(lang)}"><style>\n{painted(STYLE)}</style>'
        f'<rect class="paper" width="{WIDTH}" height="{_n(y)}"/>{head}{"".join(parts)}</svg>\n'
    )


def _network(joint: str, network: Anfis, names: Sequence[str], y: float, lang: Language) -> tuple[str, float]:
    """One network, and how high it is."""
    rules, inputs = network.rules, network.inputs
    body = max(rules * STEP, inputs * (CARD[2] + 12)) + 8.0
    order, colours = _by_answer(network)
    told = Text(
        f"inputs {inputs} · Gaussians {inputs} × {rules} · rules {rules} · nodes {network.nodes}",
        f"входов {inputs} · функций {inputs} × {rules} · правил {rules} · узлов {network.nodes}",
    )
    layers = (
        (24.0, "", Text("inputs", "входы")),
        (CARD[0] + CARD[1] / 2, " middle", Text("Gaussians", "функции")),
        (RULES, " middle", Text("rules: product", "правила: произведение")),
        (ANSWERS, " middle", Text("answers", "ответы")),
        (SUMS, " middle", Text("sums", "суммы")),
        (OUT, " middle", Text("output", "выход")),
    )
    made = [
        f'<g><text class="title" x="24" y="{_n(y + 26)}">{escape(joint)}</text>',
        f'<text class="dim end" x="{WIDTH - 24}" y="{_n(y + 26)}">{told.say(lang)}</text>',
    ]
    made += [f'<text class="dim{how}" x="{_n(x)}" y="{_n(y + 52)}">{word.say(lang)}</text>' for x, how, word in layers]
    top = y + TOP - 28.0
    at = {rule: top + body * (place + 0.5) / rules for place, rule in enumerate(order)}
    threads: list[str] = []
    cards: list[str] = []
    for i, name in enumerate(names):
        middle = top + body * (i + 0.5) / inputs
        cards.append(_card(network, i, name, middle, order, colours, lang))
        for k, rule in enumerate(order):
            way = _curve(CARD[0] + CARD[1], _port(middle, k, rules), RULES, at[rule])
            threads.append(f'<path class="thread" stroke="{colours[rule]}" d="{way}"/>')
    sums = (top + body * 0.36, top + body * 0.64)
    for rule in order:
        threads.append(f'<path class="thread" stroke="{colours[rule]}" d="M{RULES} {_n(at[rule])}H{ANSWERS}"/>')
        threads.append(
            f'<path class="thread" stroke="{colours[rule]}" d="{_curve(ANSWERS, at[rule], SUMS, sums[0])}"/>'
        )
        # The weights themselves are added up beside: a thread passes above its answer.
        threads.append(f'<path class="thread" stroke="{colours[rule]}" d="{_curve(RULES, at[rule], SUMS, sums[1])}"/>')
    links = [f'<path class="link" d="{_curve(SUMS, each, OUT, top + body / 2)}"/>' for each in sums]
    size = min(5.0, 0.42 * body / rules)
    nodes = [
        f'<circle class="node" cx="{x}" cy="{_n(at[rule])}" r="{_n(size)}" fill="{colours[rule]}"/>'
        for rule in order
        for x in (RULES, ANSWERS)
    ]
    ends = [
        _plain(SUMS, sums[0], "Σ w f"),
        _plain(SUMS, sums[1], "Σ w"),
        _plain(OUT, top + body / 2, "÷"),
    ]
    return "".join([*made, *threads, *links, *cards, *nodes, *ends, "</g>"]), TOP + body + 12.0


def _card(
    network: Anfis, place: int, name: str, middle: float, order: Sequence[int], colours: Sequence[str], lang: Language
) -> str:
    """The Gaussians of an input over the range of the data, with the ends of that range."""
    left, width, height = CARD
    top = middle - height / 2
    x = np.linspace(0.0, 1.0, SAMPLES)
    low, high = float(network.low[place]), float(network.low[place] + network.span[place])
    made = [
        f'<text x="24" y="{_n(middle + 4)}">{escape(_word(name, lang))}</text>',
        f'<path class="link" d="M{left - 34} {_n(middle)}H{left}"/>',
        f'<circle class="plain" cx="{left - 34}" cy="{_n(middle)}" r="5"/>',
        f'<rect class="card" x="{left}" y="{_n(top)}" width="{width}" height="{height}" rx="5"/>',
    ]
    for rule in order:
        bell = np.exp(-0.5 * ((x - network.centres[rule, place]) / network.widths[rule, place]) ** 2)
        points = " ".join(
            f"{_n(left + 4 + u * (width - 8))},{_n(top + height - 16 - w * (height - 22))}"
            for u, w in zip(x.tolist(), bell.tolist(), strict=True)
        )
        made.append(f'<polyline class="bell" stroke="{colours[rule]}" points="{points}"/>')
    made.append(f'<text class="small dim" x="{left + 5}" y="{_n(top + height - 4)}">{low:.3g}</text>')
    made.append(f'<text class="small dim end" x="{left + width - 5}" y="{_n(top + height - 4)}">{high:.3g}</text>')
    return "".join(made)


def _word(name: str, lang: Language) -> str:
    """What an input is called: an angle of the tool in the language of the picture."""
    return TURNS[name].say(lang) if name in TURNS else name


def _by_answer(network: Anfis) -> tuple[list[int], list[str]]:
    """Rules by what they answer at their own centres, and their colours."""
    answers: Array = (network.consequents[:, :-1] * network.centres).sum(axis=1) + network.consequents[:, -1]
    order = [int(rule) for rule in np.argsort(answers, kind="stable")]
    # Neither end of the colours is seen on both papers.
    whole = ramp(101)
    last = max(1, network.rules - 1)
    shades = [whole[round(24 + 62 * place / last)] for place in range(network.rules)]
    colours = [""] * network.rules
    for place, rule in enumerate(order):
        colours[rule] = "#{:02x}{:02x}{:02x}".format(*shades[place])
    return order, colours


def _port(middle: float, place: int, rules: int) -> float:
    return middle + (CARD[2] - 12) * ((place + 0.5) / rules - 0.5)


def _curve(x: float, y: float, to: float, at: float) -> str:
    half = _n((x + to) / 2)
    return f"M{_n(x)} {_n(y)}C{half} {_n(y)} {half} {_n(at)} {_n(to)} {_n(at)}"


def _plain(x: float, y: float, word: str) -> str:
    return (
        f'<circle class="plain" cx="{_n(x)}" cy="{_n(y)}" r="17"/>'
        f'<text class="middle small" x="{_n(x)}" y="{_n(y + 4)}">{word}</text>'
    )


def _n(value: float) -> str:
    return f"{value:.5g}" if abs(value) < 1e4 else f"{value:.1f}"
