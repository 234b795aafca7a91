"""The chart of a plan: a lane for every robot and station, a bar for everything that it does."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sistel.errors import Language, user_language
from sistel.look import COORDINATES, SANS, painted
from sistel.views._drawing import Drawing
from sistel.views.cells._words import DOINGS, doing_said
from sistel.views.charts.chart import axis, cut, sheet, text
from sistel.views.text._numbers import clean, short

if TYPE_CHECKING:
    from sistel.cells import Bar, Plan

WIDTH, LANE, BAR = 960.0, 40.0, 24.0
"""Of the picture, of a lane and of a bar [px]."""
LETTER = 6.7
"""Mean width of a letter of 12 px [px]."""
_ORDER = ("take", "put", "work", "paint", "assemble", "transport", "go", "wait")

_STYLE = (
    f".sistel-chart{{font-family:{SANS}}}"
    + """
.sistel-chart .paper{fill:var(--paper)}
.sistel-chart text{fill:var(--ink);font-size:12px}
.sistel-chart .name{font-size:19px;font-weight:600}
.sistel-chart .who{font-size:13px;font-weight:600;text-anchor:end}
.sistel-chart .dim,.sistel-chart .tick{fill:var(--dim);font-size:11.5px}
.sistel-chart .tick{text-anchor:middle;font-variant-numeric:tabular-nums}
.sistel-chart .inside{text-anchor:middle;pointer-events:none}
.sistel-chart .grid{fill:none;stroke:var(--line)}
.sistel-chart .lane{fill:var(--plate)}
.sistel-chart .idle{fill:none;stroke:var(--edge);stroke-dasharray:3 3}
.sistel-chart .clash{fill:none;stroke:var(--bad);stroke-width:2}
.sistel-chart .now{stroke:var(--ink);stroke-width:1.5}
"""
    + "".join(
        # Letters stand on the tint, which every one of them can be read on; the edge has the full colour.
        f".sistel-chart .d{i}{{fill:var(--{name});fill-opacity:.24;stroke:var(--{name});stroke-width:1.5}}\n"
        for i, name in enumerate(COORDINATES)
    )
)


def draw_chart(plan: Plan, lang: Language | None = None) -> Drawing:
    """The Gantt chart of a plan as an SVG picture.

    Args:
        plan: The plan.
        lang: Language of its words; the user's unless told otherwise.
    """
    lang = lang or user_language()
    cell = plan.cell
    lanes = [robot.name for robot in cell.robots]
    lanes += [station.name for station in cell.stations if any(bar.who == station.name for bar in plan.bars)]
    left = 24.0 + min(220.0, max((8.0 * len(_short(name)) for name in lanes), default=60.0))
    right, top = 24.0, 86.0
    high = top + LANE * len(lanes) + 78.0
    span = max(plan.end, 1e-9)

    def x(time: float) -> float:
        return left + (WIDTH - left - right) * time / span

    parts = [text("name", 24, 34, clean(cell.name)), text("dim", 24, 56, plan_facts(plan, lang))]
    bottom = top + LANE * len(lanes)
    found = axis(0.0, span, 10, widen=False)
    for tick, word in zip(found.ticks, found.words(), strict=True):
        parts.append(f'<path class="grid" d="M{x(tick):.2f},{top:g}V{bottom:g}"/>')
        parts.append(text("tick", x(tick), bottom + 18, word))
    unit = "время, с" if lang == "ru" else "time, s"
    parts.append(text("tick", (left + WIDTH - right) / 2, bottom + 36, unit))
    for lane, name in enumerate(lanes):
        y = top + LANE * lane
        if lane % 2 == 0:
            parts.append(
                f'<rect class="lane" x="{left:g}" y="{y:g}" width="{WIDTH - left - right:g}" height="{LANE:g}"/>'
            )
        parts.append(text("who", left - 10, y + LANE / 2 + 4, _short(name)))
        parts += [_bar(bar, x(bar.begin), x(bar.end), y, lang) for bar in plan.bars if bar.who == name]
    for clash in plan.clashes:
        y = top + LANE * next((i for i, name in enumerate(lanes) if name in (clash.row.robot, clash.busy)), 0)
        parts.append(
            f'<path class="clash" d="M{x(min(clash.asked, span)):.2f},{y + 4:g}V{y + LANE - 4:g}"><title>'
            f"{escape(clash_said(clash, lang))}</title></path>"
        )
    used = [doing for doing in _ORDER if any(bar.what == doing for bar in plan.bars)]
    place = left
    for doing in used:
        word = doing_said(doing, lang)
        parts.append(
            f'<rect class="d{_ORDER.index(doing)}" x="{place:.1f}" y="{bottom + 52:g}" width="12" height="12" rx="2"/>'
        )
        parts.append(text("dim", place + 18, bottom + 62, word))
        place += 40 + LETTER * len(word)
    style = painted(_STYLE)
    title = "циклограмма" if lang == "ru" else "chart"
    drawn = sheet(
        parts,
        kind="sistel-chart",
        width=WIDTH,
        height=high,
        name=f"{clean(cell.name)}: {title}",
        style=style,
        more=f' data-time="{left:g} {WIDTH - right:g} {span:.9g}" data-lanes="{top:g} {bottom:g}"',
    )
    return Drawing(f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}')


def clash_said(clash: object, lang: Language) -> str:
    """That a row begins later than it was to, in words."""
    from sistel.cells import Clash

    assert isinstance(clash, Clash)
    asked, begins, busy = short(clash.asked), short(clash.begins), clean(clash.busy)
    if lang == "ru":
        return f"строка {clash.row.number}: назначена на {asked} с, но «{busy}» занято до {begins} с"
    return f'row {clash.row.number}: was to begin at {asked} s, but "{busy}" is busy until {begins} s'


def plan_facts(plan: Plan, lang: Language) -> str:
    """Time of the cycle, finished parts, and how busy the robots are."""
    robots = [f"{clean(robot.name)} {100 * plan.busy(robot.name):.0f} %" for robot in plan.cell.robots]
    if lang == "ru":
        return f"цикл {short(plan.end, 4)} с · готовых деталей {plan.finished} · загрузка: {', '.join(robots)}"
    return f"cycle {short(plan.end, 4)} s · finished parts {plan.finished} · busy: {', '.join(robots)}"


def _bar(bar: Bar, left: float, right: float, y: float, lang: Language) -> str:
    what, part = bar.what, clean(bar.part)
    said = doing_said(what, lang)
    whole = f"{said}: {part}" if part else said
    second = "с" if lang == "ru" else "s"
    line = "строка" if lang == "ru" else "row"
    title = f"{whole} · {short(bar.begin, 4)} – {short(bar.end, 4)} {second} · {line} {bar.row}"
    top, wide = y + (LANE - BAR) / 2, max(right - left, 0.75)
    if what == "idle":
        middle = y + LANE / 2
        return f'<path class="idle" d="M{left:.2f},{middle:g}H{right:.2f}"><title>{escape(title)}</title></path>'
    made = (
        f'<rect class="d{_ORDER.index(what)}" x="{left:.2f}" y="{top:g}" width="{wide:.2f}" height="{BAR:g}" rx="3">'
        f"<title>{escape(title)}</title></rect>"
    )
    word = next((each for each in (whole, part, said) if LETTER * len(each) < wide - 8), "")
    if word:
        made += text("inside", (left + right) / 2, y + LANE / 2 + 4, word)
    return made


def _short(name: str) -> str:
    return cut(clean(name), 26)


assert set(_ORDER) | {"idle"} == set(DOINGS)
