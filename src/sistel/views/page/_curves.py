"""Curves of a run for the plots of a page: a chart has few common times, a curve two bytes for each.

The values in the page are in SI. Between the times that are kept a curve is a cubic (see `between`); it differs from
the run by less than twice `NEAR` of its range, unless the run has more events and swings than there is room for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal

from sistel.errors import Text
from sistel.records import entry
from sistel.units import Dimension
from sistel.views._page_data import Chart, Curves
from sistel.views._page_data import Curve as CurveData
from sistel.views._page_words import Said
from sistel.views.page._said import said, tidy
from sistel.views.page._signals import plotted_signals, signal_kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray, Array
    from sistel.model import Model
    from sistel.simulation import Run
    from sistel.views.page._curve_loads import Loads
    from sistel.views.page._curve_points import Points


Kind = Literal["angle", "length", "number", "force", "moment", "energy", "power"]

BLOCK: Final = "curves"
"""Id of the block in the page."""
NEAR: Final = 1.5e-3
"""How far from a curve what is drawn may be, over its range."""
MOST_VALUES: Final = 25_000
"""Numbers of all curves of a planar system together, which make about 35 kB of a page; beside a scene in space there is
room for twice as many."""
MOST: Final = 1200
"""Times of one chart."""
LEVELS: Final = 4095
"""Steps between the least and the greatest value of a curve."""
GAP: Final = 65_535
"""Stands where a curve has no value."""
TOGETHER: Final = 6
"""Curves of one chart: of more nobody finds one."""
UNLIKE: Final = 7.0
"""How many times wider than a curve alone a chart may become by curves that it joins."""
DUST: Final = 1e-9
"""What varies by less than this part of its size does not vary."""
SHARES: Final = {"torques": 1.3, "accelerations": 0.8, "normals": 0.8, "reactions": 0.8, "moments": 0.8}
"""How many points curves of these groups get, over those of the others, where there is no room for all."""
MANY: Final = 48
"""Curves beside which those of powers have no room."""
STATES: Final = frozenset({"coordinates", "velocities"})
"""Groups that states tell by themselves."""
TOLD: Final = STATES | {"energy", "places"}
"""Groups that states tell to a page that knows the system."""
MOST_PLACES: Final = 12
"""Frames and points whose places are drawn."""


@entry
class _Curve:
    name: Said
    kind: Kind
    per: int
    """Power of seconds that it is divided by."""
    values: Array
    of: int | None = None
    """What it is called by in the page, instead of its number in the group."""
    zero: float | None = None
    """From where it counts [SI]."""


@entry
class _Group:
    key: str
    title: Text
    curves: list[_Curve]
    apart: bool = True
    """Whether curves that would flatten others get charts of their own."""


def curves_of(
    run: Run, *, quantities: Sequence[str] = (), most: int | None = None, told: frozenset[str] = frozenset()
) -> tuple[Curves, bytes]:
    """The curves of a run: coordinates, velocities, accelerations, driving forces, loads, energies, places.

    Args:
        run: A run that kept its steps.
        quantities: Expressions of the language, which get charts of their own before all others.
        most: Times of a chart that may be kept; without, as many as fit the size of a page.
        told: Groups whose curves the page reads off the states of the motion: they get no times.

    Returns:
        What the payload says of them, and the bytes of the block "curves": for chart after chart the times, then every
        curve. Times are whole parts of 2³² of the run, values of 4095 parts of their range; both are stored as
        differences from the one before: the lowest bytes of all of them, then the next. `error` of a chart is the
        largest distance of a curve from the run, over its range, at the times that were looked at.

    Raises:
        SistelError: An expression is wrong.
    """
    import numpy as np

    from sistel.views.page._curve_points import farthest, look, scaled_curves

    points = look(run)
    groups = [group for group in (*_asked(run, points, quantities), *_groups(run, points)) if group.curves]
    if sum(len(group.curves) for group in groups) > MANY:
        # What is a product of two others comes last.
        groups = [group for group in groups if group.key != "powers"]
    y = np.stack([curve.values for group in groups for curve in group.curves], axis=1)
    low, high = _ranges(run.model, groups, y)
    every = _charts(groups, low, high)
    charts = [(own, chart) for own, chart in every if chart["group"] not in told]
    curves = []
    for own, _ in charts:
        spans = high[own] - low[own]
        # What is flat beside its neighbours needs no more times than they do.
        floor = 1e-3 * float(high[own].max() - low[own].min())
        curves.append(scaled_curves(y[:, own], np.where(spans > 0.0, np.maximum(spans, floor), 0.0)))
    chosen = _chosen(points.t, charts, curves, most, MOST_VALUES if run.model.planar else 2 * MOST_VALUES)
    times, values = [], []
    for (own, chart), scaled, kept in zip(charts, curves, chosen, strict=True):
        chart["count"] = len(kept)
        chart["error"] = float(f"{farthest(points.t, scaled, kept):.2g}")
        times.append(_times(points.t[kept], run.begin, run.end))
        values.append(_codes(y[kept][:, own], low[own], high[own] - low[own]))
    shown = [chart for _, chart in every]
    data: Curves = {"id": BLOCK, "begin": run.begin, "end": run.end, "levels": LEVELS, "charts": shown}
    if not charts:
        return data, b""
    return data, _planes(np.concatenate(times)) + _planes(np.concatenate(values))


def _chosen(
    t: Array, charts: list[tuple[list[int], Chart]], curves: list[Array], most: int | None, room: int
) -> list[NDArray[np.intp]]:
    """The points of every chart that are kept: near enough all of them, or as near as there is room for."""
    from sistel.views.page._curve_points import choose

    chosen = [choose(t, scaled, NEAR, most or MOST) for scaled in curves]
    if most is not None:
        return chosen
    rows = [
        (len(kept), 2 + len(own), SHARES.get(chart["group"], 1.0))
        for (own, chart), kept in zip(charts, chosen, strict=True)
    ]
    if sum(count * cost for count, cost, _ in rows) <= room:
        return chosen
    # Charts that need few points keep them; of the others each gets as many as fit.
    low, high = 0.0, float(2 * MOST)
    while high - low > 0.5:
        middle = 0.5 * (low + high)
        fits = sum(min(count, middle * part) * cost for count, cost, part in rows) <= room
        low, high = (middle, high) if fits else (low, middle)
    limits = [max(2, int(low * part)) for _, _, part in rows]
    return [
        kept if len(kept) <= limit else choose(t, scaled, NEAR, limit)
        for kept, scaled, limit in zip(chosen, curves, limits, strict=True)
    ]


def _times(t: Array, begin: float, end: float) -> NDArray[np.uint32]:
    import numpy as np

    parts = (t - begin) / (end - begin) if end > begin else np.zeros(len(t))
    return np.diff(np.rint(parts * (2.0**32 - 1)).astype(np.int64), prepend=0).astype("<u4")


def _codes(y: Array, low: Array, spans: Array) -> NDArray[np.uint16]:
    import numpy as np

    known = np.isfinite(y)
    levels = np.where(known & (spans > 0.0), y - low, 0.0) / np.where(spans > 0.0, spans, 1.0) * LEVELS
    codes = np.where(known, np.rint(levels), GAP).astype(np.int64).T
    return (np.diff(codes, prepend=0, axis=1) & 0xFFFF).astype("<u2").ravel()


def _planes(numbers: AnyArray) -> bytes:
    """The lowest bytes of all numbers, then the next: alike bytes beside each other take less room."""
    import numpy as np

    return np.ascontiguousarray(numbers.view(np.uint8).reshape(len(numbers), -1).T).tobytes()


def _ranges(model: Model, groups: list[_Group], y: Array) -> tuple[Array, Array]:
    """Least and greatest values; the same where the difference is dust beside the curve or others of its kind."""
    import numpy as np

    low = np.array([np.nanmin(column) if np.isfinite(column).any() else 0.0 for column in y.T])
    high = np.array([np.nanmax(column) if np.isfinite(column).any() else 0.0 for column in y.T])
    sizes = np.maximum(np.abs(low), np.abs(high))
    least = np.zeros(len(sizes))
    first = 0
    for group in groups:
        kinds = np.array([curve.kind for curve in group.curves])
        for kind in dict.fromkeys(kinds.tolist()):
            own = first + np.flatnonzero(kinds == kind)
            least[own] = max(DUST * float(sizes[own].max()), _dust(model, kind))
        first += len(group.curves)
    flat = high - low <= least
    return np.where(flat & (sizes <= least), 0.0, low), np.where(flat, np.where(sizes <= least, 0.0, low), high)


def _dust(model: Model, kind: str) -> float:
    """What is nothing for a system of such a weight [SI]."""
    if kind in ("force", "moment", "energy", "power"):
        gravity = math.hypot(*model.gravity)
        return DUST * sum(body.mass for body in model.bodies) * max(gravity, 1.0)
    return 1e-12


# --- what is drawn ---------------------------------------------------------------------------------------------------


def _asked(run: Run, points: Points, quantities: Sequence[str]) -> list[_Group]:
    """Expressions: each a chart, for they may be of anything."""
    from sistel.views.charts._curves import Sampler

    if not quantities:
        return []
    sampler = Sampler(run, quantities)
    values = sampler.at(points.states, points.places, points.gains)[:, run.model.nq + run.model.nv + 2 :]
    return [
        _Group("quantities", Text(tidy(text), tidy(text)), [_Curve(tidy(text), "number", 0, values[:, i])])
        for i, text in enumerate(quantities)
    ]


def _groups(run: Run, points: Points) -> list[_Group]:
    """All curves, by what they are of."""
    from sistel.views.page._curve_loads import loads_of

    model = run.model
    nq, nv = model.nq, model.nv
    names, rates = _names(model)
    kinds = [_kind(kind) for body in model.bodies for _, kind in body.joint.type.coordinates]
    rate_kinds = [_kind(kind) for kind in model.rate_kinds]
    loads = loads_of(run, points.states, points.names, points.gains)
    q, v = points.states[:, :nq], points.states[:, nq : nq + nv]

    def along(values: Array, per: int, chosen: Sequence[tuple[Said, Kind]]) -> list[_Curve]:
        return [_Curve(name, kind, per, values[:, i]) for i, (name, kind) in enumerate(chosen)]

    return [
        _Group("coordinates", Text("Coordinates", "Координаты"), along(q, 0, list(zip(names, kinds, strict=True)))),
        _Group("velocities", Text("Velocities", "Скорости"), along(v, 1, list(zip(rates, rate_kinds, strict=True)))),
        _Group(
            "accelerations",
            Text("Accelerations", "Ускорения"),
            along(points.gains, 2, list(zip(rates, rate_kinds, strict=True))),
        ),
        *_driving(run, loads.drives, v, rates),
        *_signals(run, points),
        *_energies(run, q, v),
        *_places(run, points),
        *_loads(model, loads),
    ]


def _names(model: Model) -> tuple[list[Said], list[Said]]:
    """Names of coordinates and of velocities, as people of either language call them."""
    from sistel.views.text._summary import coordinate_word

    def name(body: str, part: str) -> Said:
        if not part:
            return tidy(body)
        return said(Text(*(tidy(f"{body}.{coordinate_word(part, lang)}") for lang in ("en", "ru"))))

    return (
        [name(body.name, part) for body in model.bodies for part, _ in body.joint.type.coordinates],
        [name(body.name, part) for body in model.bodies for part, _ in body.joint.type.rates],
    )


def _kind(kind: str) -> Kind:
    return "angle" if kind == "turn" else "length" if kind == "slide" else "number"


def _driving(run: Run, drives: Array, v: Array, rates: list[Said]) -> list[_Group]:
    """Driving forces of the motors and of everything that is made to move, and their powers."""
    import numpy as np

    model = run.model
    motors = {model.bodies[motor.body - 1].first_v + motor.coordinate: motor.name for motor in model.motors}
    told = {rate for motion in model.motions for rate in motion.rates}
    driven = sorted({*motors, *told}) if run.forces is None else range(model.nv)
    if not np.isfinite(drives).any():
        return []
    forces, powers = [], []
    for rate in driven:
        name = tidy(motors[rate]) if motors.get(rate, model.rate_names[rate]) != model.rate_names[rate] else rates[rate]
        kind: Kind = "moment" if model.rate_kinds[rate] == "turn" else "force"
        forces.append(_Curve(name, kind, 0, drives[:, rate]))
        power = drives[:, rate] * v[:, rate]
        if np.nanmax(np.abs(power), initial=0.0) > 0.0:
            powers.append(_Curve(name, "power", 0, power))
    return [
        _Group("torques", Text("Driving forces", "Движущие силы"), forces),
        _Group("powers", Text("Powers", "Мощности"), powers),
    ]


def _signals(run: Run, points: Points) -> list[_Group]:
    """The signals of schemes, those of one unit in one chart."""
    from sistel.markup import Name, print_expression
    from sistel.views.charts._curves import Sampler

    signals = plotted_signals(run.model)
    if not signals:
        return []
    texts = [print_expression(Name(signal.name, run.model.span)) for signal in signals]
    values = Sampler(run, texts).at(points.states, points.places, points.gains)[:, run.model.nq + run.model.nv + 2 :]
    made: dict[Dimension, _Group] = {}
    for i, signal in enumerate(signals):
        kind, title = signal_kind(signal.dimension)
        group = made.setdefault(signal.dimension, _Group("signals", title, []))
        group.curves.append(_Curve(tidy(signal.name), kind, 0, values[:, i]))
    return list(made.values())


def _energies(run: Run, q: Array, v: Array) -> list[_Group]:
    """The potential counts from its lowest value: its zero means nothing, and would flatten the others."""
    kinetic, potential = _energy_kernel(run)(q, v)
    lowest = float(potential.min())
    potential = potential - lowest
    title = Text("Energy", "Энергия")
    kinds = (
        (Text("kinetic", "кинетическая"), kinetic, 0.0),
        (Text("potential", "потенциальная"), potential, lowest),
        (Text("total", "полная"), kinetic + potential, lowest),
    )
    curves = [_Curve(said(name), "energy", 0, values, zero=zero) for name, values, zero in kinds]
    return [_Group("energy", title, curves, apart=False)] if any(body.mass for body in run.model.bodies) else []


def _energy_kernel(run: Run) -> Callable[[Array, Array], tuple[Array, Array]]:
    """What computes kinetic and potential energy; compiling it would take longer than the few states here."""
    import numpy as np

    from sistel.views.page._computed import computed

    engine = run.engine
    if engine.large:
        return engine.energies
    known = engine.recalled("both energies") or engine.keep((engine.automaton.energies(), ()), "both energies")
    energies = computed(known[0], "energies")

    def both(q: Array, v: Array) -> tuple[Array, Array]:
        found = np.reshape(energies(q, v), (len(q), -1))
        return found[:, 0], found[:, 1]

    return both


def _places(run: Run, points: Points) -> list[_Group]:
    """Places of the frames and points that have names, in the axes of the ground; of a body where there are none."""
    import numpy as np

    from sistel.views.page._computed import computed

    model = run.model
    points_of = [point for point in model.points if point.body]
    first = len(model.bodies)  # the places of a page: poles of bodies, points, frames
    named = [
        (frame.name, frame.body, frame.p_BF, first + len(points_of) + i)
        for i, frame in enumerate(frame for frame in model.frames if frame.body)
    ]
    named += [(point.name, point.body, point.p_BP, first + i) for i, point in enumerate(points_of)]
    named = named[:MOST_PLACES]
    if not named:
        named = [(body.name, body.number, (0.0, 0.0, 0.0), body.number - 1) for body in model.bodies[-1:]]
    if not named:
        return []
    axes = "xy" if model.planar else "xyz"
    line = run.engine.automaton.places([(body, p) for _, body, p, _ in named], axes)
    found = np.reshape(computed(line, "places")(points.states[:, : model.nq]), (len(points.t), len(named) * len(axes)))
    curves = [
        _Curve(f"{tidy(name)} {axis}", "length", 0, found[:, len(axes) * i + k], of=3 * place + k)
        for i, (name, _, _, place) in enumerate(named)
        for k, axis in enumerate(axes)
    ]
    if len(named) > 2:
        # Of many points those that share an axis are compared.
        groups = [curves[k :: len(axes)] for k in range(len(axes))]
    else:
        groups = [curves[i : i + len(axes)] for i in range(0, len(curves), len(axes))]
    title = Text("Places", "Положения")
    return [_Group("places", title, group, apart=len(named) > 2) for group in groups]


def _loads(model: Model, loads: Loads) -> list[_Group]:
    """Sizes of what joints and links carry, without those that carry nothing or what their drives are shown with."""
    import numpy as np

    forces, moments, presses = [], [], []
    sizes = [np.nanmax(np.abs(load), initial=0.0) for load in loads.joints.values()]
    least = max(DUST * max(sizes, default=0.0), _dust(model, "force"))
    drives = {body.joint.name: loads.drives[:, body.first_v] for body in model.bodies if body.joint.type.nv == 1}
    for name, load in loads.joints.items():
        force = np.linalg.norm(load[:, 3:], axis=1)
        moment = load[:, 2] if model.planar else np.linalg.norm(load[:, :3], axis=1)
        if np.nanmax(force, initial=0.0) > least:
            forces.append(_Curve(tidy(name), "force", 0, force))
        size = np.nanmax(np.abs(moment), initial=0.0)
        told = name in drives and np.nanmax(np.abs(moment - drives[name]), initial=0.0) <= 1e-6 * size
        if size > least and not told:
            moments.append(_Curve(tidy(name), "moment", 0, moment))
    for name, press in loads.normals.items():
        if np.nanmax(np.abs(press), initial=0.0) > least:
            presses.append(_Curve(tidy(name), "force", 0, press))
    return [
        _Group("normals", Text("Normal forces", "Нормальные силы"), presses),
        _Group("reactions", Text("Reactions", "Реакции"), forces),
        _Group("moments", Text("Reaction moments", "Моменты реакций"), moments),
    ]


# --- charts ----------------------------------------------------------------------------------------------------------


def _charts(groups: list[_Group], low: Array, high: Array) -> list[tuple[list[int], Chart]]:
    """Charts of curves that share an axis, each with the numbers of its curves; points are chosen later."""
    charts: list[tuple[list[int], Chart]] = []
    first = 0
    for group in groups:
        for kind in dict.fromkeys(curve.kind for curve in group.curves):
            columns = [first + i for i, curve in enumerate(group.curves) if curve.kind == kind]
            for chosen in _together(columns, low, high) if group.apart else [columns]:
                size = max(max(abs(float(low[i])), abs(float(high[i]))) for i in chosen)
                chart: Chart = {
                    "group": group.key,
                    "title": said(group.title),
                    "kind": kind,
                    "per": group.curves[chosen[0] - first].per,
                    "milli": kind == "length" and size < 1.0,
                    "curves": [
                        _described(group.curves[i - first], i - first, float(low[i]), float(high[i])) for i in chosen
                    ],
                    "count": 0,
                    "error": 0.0,
                }
                charts.append((chosen, chart))
        first += len(group.curves)
    return charts


def _described(curve: _Curve, number: int, low: float, high: float) -> CurveData:
    made: CurveData = {"name": curve.name, "of": number if curve.of is None else curve.of, "low": low, "high": high}
    if curve.zero is not None:
        made["zero"] = curve.zero
    return made


def _together(columns: list[int], low: Array, high: Array) -> list[list[int]]:
    """Which curves share a chart: not too many, and none that would be flattened by others."""
    charts: list[list[int]] = []
    for i in columns:
        for chart in charts:
            joined = [*chart, i]
            wide = max(high[j] for j in joined) - min(low[j] for j in joined)
            narrow = min((high[j] - low[j] for j in joined if high[j] - low[j] > DUST * wide), default=wide)
            if len(chart) < TOGETHER and wide <= UNLIKE * narrow:
                chart.append(i)
                break
        else:
            charts.append([i])
    return charts
