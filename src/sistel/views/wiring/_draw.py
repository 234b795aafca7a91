"""Functional schemes as SVG pictures, by day and by night."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from sistel.errors import Diagnostics, Language, Text, one_of, user_language, word_hint
from sistel.look import SANS, Theme, painted
from sistel.model import Model, Scheme
from sistel.records import entry
from sistel.views._drawing import Drawing
from sistel.views.charts._lettering import width_of
from sistel.views.text import clean, short
from sistel.views.wiring._layout import (
    LABEL,
    LINE,
    LINES,
    MARGIN,
    MARKED,
    SMALL,
    SYMBOL,
    TITLE,
    WIDEST,
    Layout,
    Path,
    Placed,
    lay_out,
)
from sistel.views.wiring._net import net_of
from sistel.views.wiring._symbols import HOLD, SAMPLE, SYMBOLS

HEADING = 34.0
"""Height of the title of a scheme [px]."""
ROOM = 14.0
"""Between a box and the place where a scheme is cut [px]."""
BESIDE = 84.0
"""Beside such a place, for names of what wires carry [px]."""

_STYLE = (
    f".sistel-wiring{{font-family:{SANS}}}"
    + """
.sistel-wiring .paper{fill:var(--paper)}
.sistel-wiring .box{fill:var(--plate);stroke:var(--dim);stroke-width:1.3}
.sistel-wiring .source .box,.sistel-wiring .constant .box{stroke:none}
.sistel-wiring .input .box,.sistel-wiring .display .box{stroke:var(--accent)}
.sistel-wiring .motor .box{stroke:var(--warn);stroke-width:1.8}
.sistel-wiring .wire{fill:none;stroke:var(--dim);stroke-width:1.4}
.sistel-wiring .tip,.sistel-wiring .dot{fill:var(--dim)}
.sistel-wiring .symbol,.sistel-wiring .mark{fill:none;stroke:var(--ink);stroke-width:1.3;stroke-linejoin:round}
.sistel-wiring .under{fill:var(--paper)}
.sistel-wiring text{fill:var(--ink)}
.sistel-wiring .name{font-size:13px;font-weight:600}
.sistel-wiring .small,.sistel-wiring .port,.sistel-wiring .unit{font-size:11px;fill:var(--dim)}
.sistel-wiring .unit{font-style:italic}
.sistel-wiring .value{font-size:11px;fill:var(--accent);font-variant-numeric:tabular-nums}
.sistel-wiring .heading{font-size:15px;font-weight:600}
"""
)


@entry
class DrawnScheme:
    """A picture of schemes, and what its wires carry."""

    svg: str
    signals: Sequence[str]
    """Names of the signals whose values are written on wires, in the order of the classes ``n0``, ``n1`` …"""
    width: float
    height: float


def draw_wiring(
    model: Model,
    scheme: str | None = None,
    *,
    lang: Language | None = None,
    theme: Theme = "auto",
) -> Drawing:
    """The functional schemes of a system as an SVG picture.

    Args:
        model: The system.
        scheme: The name of one; all, one below the other, unless told otherwise.
        lang: Language of the words; the user's unless told otherwise.
        theme: Colours; "auto" follows the reader's screen.

    Raises:
        SistelError: There is no scheme, or none of that name.
    """
    return Drawing(drawn_schemes(model, chosen(model, scheme), lang or user_language(), theme).svg)


def chosen(model: Model, name: str | None) -> Sequence[Scheme]:
    """The schemes of a file, or one of them.

    Raises:
        SistelError: There is none.
    """
    own = [scheme for scheme in model.schemes if not scheme.asks]
    found = own if name is None else [scheme for scheme in own if scheme.name == name]
    if found:
        return found
    diagnostics, known = Diagnostics(), [scheme.name for scheme in own]
    if not own:
        diagnostics.error(
            "no-scheme",
            model.span,
            Text("the file has no functional scheme", "в файле нет функциональной схемы"),
            expected=Text('<scheme name="…" period="10 ms">…</scheme>', '<схема имя="…" период="10 мс">…</схема>'),
        )
    else:
        missing = Text(f'there is no scheme "{name}"', f"нет схемы «{name}»")
        diagnostics.error("unknown-name", None, missing, expected=one_of(known), hint=word_hint(name or "", known))
    diagnostics.raise_if_failed()
    return ()


def drawn_schemes(
    model: Model, schemes: Sequence[Scheme], lang: Language, theme: Theme = "auto", *, inside: bool = False
) -> DrawnScheme:
    """Schemes, one below the other.

    Args:
        model: The system.
        schemes: Of it.
        lang: Language of the words.
        theme: Colours.
        inside: Whether it is a part of a page, which has the colours.
    """
    signals: dict[str, int] = {}
    parts, y, width = [], 0.0, 0.0
    for scheme in schemes:
        layout = lay_out(net_of(model, scheme, lang))
        heading = _heading(scheme, lang)
        parts.append(f'<text class="heading" x="{MARGIN:g}" y="{y + 24:g}">{escape(heading)}</text>')
        parts.append(f'<g transform="translate(0 {y + HEADING:g})">{"".join(_scheme(layout, signals))}</g>')
        width = max(width, layout.width, width_of(heading, 15.0, bold=True) + 2 * MARGIN)
        y += HEADING + layout.height
    style = "" if inside else f"<style>{painted(_STYLE, theme)}</style>"
    label = "Функциональная схема" if lang == "ru" else "Functional scheme"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sistel-wiring" role="img" lang="{lang}" '
        f'aria-label="{label}: {escape(clean(model.name))}" '
        f'width="{width:g}" height="{y:g}" viewBox="0 0 {width:g} {y:g}">{style}'
        f'<rect class="paper" x="0" y="0" width="{width:g}" height="{y:g}"/>{"".join(parts)}</svg>\n'
    )
    return DrawnScheme(svg, list(signals), width, y)


def scheme_strips(model: Model, scheme: Scheme, lang: Language, widest: float) -> list[str]:
    """A scheme that is too wide for paper, cut between its boxes into pictures to be set one below the other.

    A wire that goes on in the next picture stands there at the same height, and both ends say what it carries.

    Args:
        model: The system.
        scheme: Of it.
        lang: Language of the words.
        widest: Of a picture [px].
    """
    layout = lay_out(net_of(model, scheme, lang))
    heading = _heading(scheme, lang)
    ends = _cuts(layout, widest - 2 * BESIDE)
    # All pictures are as wide as the widest, so that their letters are of one size on paper.
    width = max(right - left for left, right in pairwise(ends)) + 2 * BESIDE
    height = HEADING + layout.height
    made = []
    for number, (left, right) in enumerate(pairwise(ends), 1):
        inside = "".join(_scheme(layout, {}, (left, right)))
        made.append(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sistel-wiring" role="img" lang="{lang}" '
            f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
            f"<style>{painted(_STYLE, 'light')}</style>"
            f'<rect class="paper" x="0" y="0" width="{width:g}" height="{height:g}"/>'
            f'<text class="heading" x="{MARGIN:g}" y="24">{escape(heading)} · {number}/{len(ends) - 1}</text>'
            f'<g transform="translate({BESIDE - left:g} {HEADING:g})">{inside}</g></svg>\n'
        )
    return made


def _cuts(layout: Layout, widest: float) -> list[float]:
    """Where a scheme is cut: between boxes, as far right as each picture allows; its ends stand first and last."""
    marked = {wire.target for wire in layout.net.wires if wire.mark}
    taken = sorted(
        (each.x - (MARKED if number in marked else ROOM), each.x + each.width + ROOM)
        for number, each in enumerate(layout.boxes)
    )
    made = [0.0]
    while layout.width - made[-1] > widest:
        last, at = made[-1] + widest, made[-1] + widest
        for begin, end in reversed(taken):
            # From right to left: a place in a box moves to its left side.
            if begin < at < end:
                at = begin
        made.append(at if at > made[-1] + 0.3 * widest else last)
    return [*made, layout.width]


def page_style() -> str:
    """The style of pictures that are parts of pages."""
    return _STYLE


def _heading(scheme: Scheme, lang: Language) -> str:
    clock = scheme.clock
    if clock is None:
        return f"{clean(scheme.name)} · {'непрерывна' if lang == 'ru' else 'continuous'}"
    period, unit = clock.period, "с" if lang == "ru" else "s"
    if period < 1.0:
        period, unit = 1e3 * period, "мс" if lang == "ru" else "ms"
    return f"{clean(scheme.name)} · {'такт' if lang == 'ru' else 'tick'} {short(period)} {unit}"


def _scheme(
    layout: Layout, signals: dict[str, int], window: tuple[float, float] = (-math.inf, math.inf)
) -> Iterator[str]:
    """Wires first, boxes upon them; of a window only what lies between its sides."""
    left, right = window
    for path in layout.paths:
        lines = [
            ((min(max(a, left), right), b), (min(max(c, left), right), e))
            for (a, b), (c, e) in path.lines
            if max(a, c) >= left and min(a, c) <= right
        ]
        d = "".join(f"M{a:g} {b:g}H{c:g}" if b == e else f"M{a:g} {b:g}V{e:g}" for (a, b), (c, e) in lines)
        if d:
            yield f'<path class="wire" d="{d}"/>'
        yield from (f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="3"/>' for x, y in path.dots if left <= x <= right)
        yield from _carried(layout, path, window)
    for wire in layout.net.wires:
        x, y = layout.boxes[wire.target].ports[wire.port]
        if not left <= x <= right:
            continue
        yield f'<path class="tip" d="M{x:g} {y:g}l-8 -3.5v7z"/>'
        if wire.mark:
            sign, what = (SAMPLE, "sample") if wire.mark == "sample" else (HOLD, "hold")
            yield (
                f'<g class="{what}" transform="translate({x - 25:g} {y:g})"><title>{what}</title>'
                f'<rect class="under" x="-12" y="-9" width="21" height="17" rx="3"/>'
                f'<path class="mark" d="{sign}"/></g>'
            )
    fed = {(wire.source, wire.out) for wire in layout.net.wires}
    for number, placed in enumerate(layout.boxes):
        if placed.x > right or placed.x + placed.width < left:
            continue
        yield from _box(placed)
        for out, ((x, y), name, unit) in enumerate(zip(placed.outs, placed.box.outs, placed.box.units, strict=True)):
            if unit:
                yield f'<text class="unit" x="{x + 6:g}" y="{y - 5:g}">{escape(unit)}</text>'
            if name:
                place = signals.setdefault(name, len(signals))
                yield f'<text class="value n{place}" x="{x + 6:g}" y="{y + 13:g}"></text>'
            if (number, out) not in fed and placed.box.sort != "display":
                yield f'<path class="wire" d="M{x:g} {y:g}h10"/>'


def _carried(layout: Layout, path: Path, window: tuple[float, float]) -> Iterator[str]:
    """What a wire carries, beside a side of the window that cuts it."""
    box = layout.boxes[path.source].box
    name = next((each for each in (*box.outs[path.out : path.out + 1], box.title) if each), "")
    for side, anchor in zip(window, ("end", "start"), strict=True):
        for (a, b), (c, _) in path.lines if name and math.isfinite(side) else ():
            if min(a, c) < side < max(a, c):
                x = side - 4.0 if anchor == "end" else side + 4.0
                said = escape(_cut(name, BESIDE - 8.0, LABEL, False))
                yield f'<text class="small" text-anchor="{anchor}" x="{x:g}" y="{b + 4:g}">{said}</text>'


def _box(placed: Placed) -> Iterator[str]:
    """A box with what is written in it."""
    box, x, y, width, height = placed.box, placed.x, placed.y, placed.width, placed.height
    told = "\n".join(text for text in (box.title, *box.lines) if text and (not box.told or text not in box.told))
    told = f"{told}\n{box.told}" if told and box.told else told or box.told
    yield f'<g class="{box.sort}"><title>{escape(told)}</title>'
    if box.sort == "sum":
        yield f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="14"/>'
        yield f'<path class="symbol" d="M{x + 10:g} {y + height / 2:g}h8m-4 -4v8"/>'
        for (a, b), sign in zip(placed.ports, box.signs, strict=True):
            if sign:
                yield f'<text class="port" x="{a - 12:g}" y="{b - 5:g}">{sign}</text>'
        if box.title:
            below = y + height + LINE - 2
            middle, said = x + width / 2, escape(box.title)
            yield f'<text class="name" text-anchor="middle" x="{middle:g}" y="{below:g}">{said}</text>'
        yield "</g>"
        return
    if box.sort == "gain":
        tip = f"M{x:g} {y:g}L{x + width:g} {y + height / 2:g}L{x:g} {y + height:g}z"
        yield f'<path class="box" d="{tip}"/>'
    else:
        rounding = height / 2 if box.sort in ("source", "constant") else 6
        yield f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rounding:g}"/>'
    yield from _letters(placed)
    yield "</g>"


def _letters(placed: Placed) -> Iterator[str]:
    """Name, small print, symbol and ports of a box."""
    box, x, y, width, height = placed.box, placed.x, placed.y, placed.width, placed.height
    labels = [width_of(label + sign, LABEL) for label, sign in zip(box.ports, box.signs, strict=True)]
    beside = min(70.0, max(labels, default=0.0))
    symbol = SYMBOLS.get("motor" if box.sort == "motor" else box.kind, "") if _has_symbol(box.sort) else ""
    inner = max((width_of(part, LABEL) for part in box.parts), default=0.0)
    from_, to = x + (beside + 14 if beside else 8), x + width - inner - 6
    lines = box.lines[:LINES]
    at = y + height / 2 - LINE * (len(lines)) / 2 + 4.5
    if symbol:
        yield f'<path class="symbol" transform="translate({from_ - 2:g} {y + height / 2 - 10:g})" d="{symbol}"/>'
    if _has_symbol(box.sort):
        from_ += SYMBOL - 2
    middle = (from_ + to) / 2 if box.sort != "gain" else x + width * 0.38
    room = min(WIDEST, to - from_ + 4) if box.sort != "gain" else width * 0.75
    rows = [("name" if box.sort not in ("constant", "source", "gain", "function") else "small", box.title, TITLE)]
    rows += [("small", line, SMALL) for line in lines]
    for style, text, size in rows:
        said = _cut(text, room, size, style == "name")
        yield f'<text class="{style}" text-anchor="middle" x="{middle:g}" y="{at:g}">{escape(said)}</text>'
        at += LINE
    for (a, b), label, sign in zip(placed.ports, box.ports, box.signs, strict=True):
        if label or sign:
            said = _cut(f"{sign}{label}", 70.0, LABEL, False)
            yield f'<text class="port" x="{a + 5:g}" y="{b + 4:g}">{escape(said)}</text>'
    for (a, b), part in zip(placed.outs, box.parts, strict=False):
        yield f'<text class="port" text-anchor="end" x="{a - 5:g}" y="{b + 4:g}">{escape(part)}</text>'


def _has_symbol(sort: str) -> bool:
    return sort in ("block", "input", "display", "motor")


def _cut(text: str, room: float, size: float, bold: bool) -> str:
    """A text that fits, with … where something is missing; the tooltip has it whole."""
    if width_of(text, size, bold) <= room:
        return text
    while text and width_of(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
