"""Motion written into a picture: as SMIL, or as keyframes of CSS. Both move inside <img>, and need no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from sistel.records import mutable, record
from sistel.views.animation._clock import EXACT, Clock, number
from sistel.views.animation._keys import DECIMALS, Key

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


SVG = "http://www.w3.org/2000/svg"
Style = Literal["smil", "css"]
Property = Literal["rotate", "translate", "scale", "opacity", "visibility", "d", "stroke-dashoffset"]
Ease = tuple[float, float]
TRANSFORMS = {"rotate": "rotate({}deg)", "scale": "scale({})", "translate": "translate({}px,{}px)"}
_APART = 1e-8
"""Two keyframes of CSS cannot share a time: shares of the cycle between both sides of a jump."""


@record
class Track:
    """How one property of an element changes over the cycle."""

    kind: Property
    shares: tuple[str, ...]
    """Of the cycle, from 0 to 1."""
    values: tuple[str, ...]
    eases: tuple[Ease, ...] | Literal["linear", "discrete"]
    """Of every interval: heights of the inner control points, whose times are thirds."""


def element(tag: str, attributes: dict[str, str] | None = None, text: str = "") -> Element:
    """An element of SVG."""
    from lxml import etree

    made = etree.Element(f"{{{SVG}}}{tag}", attributes or {})
    made.text = text or None
    return made


def of_keys(keys: Sequence[Key], kind: Property, clock: Clock, decimals: int, vector: tuple[float, float]) -> Track:
    """The track of fitted keys.

    Args:
        keys: The keys.
        kind: "rotate", or "translate" along `vector`.
        clock: The cycle.
        decimals: Of values.
        vector: Unit vector of a translation.
    """
    shares = [number(key.share, EXACT if key.exact else clock.decimals) for key in keys]
    if kind == "translate":
        fine = decimals if 0.0 in vector else decimals + 1
        values = [f"{number(vector[0] * key.value, fine)},{number(vector[1] * key.value, fine)}" for key in keys]
    else:
        values = [number(key.value, decimals) for key in keys]
    eases = [key.ease or (0.5, 0.5) for key in keys]
    if shares[-1] != "1":
        shares.append("1")
        values.append(values[-1])
    return Track(kind=kind, shares=tuple(shares), values=tuple(values), eases=tuple(eases[: len(shares) - 1]))


@mutable
class Film:
    """Writes tracks into elements."""

    clock: Clock
    style: Style
    scope: str
    rules: list[str] = field(default_factory=list)
    """Of CSS."""
    made: int = 0

    def play(self, target: Element, *tracks: Track) -> None:
        """Let properties of an element change; several together have the same times."""
        if self.style == "smil":
            for track in reversed(tracks):
                target.insert(0, self._smil(track))
            return
        self.made += 1
        name = f"{self.scope}-{self.made}"
        self.rules.append(_keyframes(name, tracks))
        target.set("style", f"{target.get('style', '')}animation-name:{name}")
        target.set("class", f"{target.get('class', '')} moves".strip())

    def _smil(self, track: Track) -> Element:
        moved = track.kind in TRANSFORMS
        made = element("animateTransform" if moved else "animate")
        made.set("attributeName", "transform" if moved else track.kind)
        if moved:
            made.set("type", track.kind)
        made.set("dur", f"{number(self.clock.cycle, 6)}s")
        made.set("repeatCount", "indefinite")
        if track.eases == "discrete":
            made.set("calcMode", "discrete")
        elif not isinstance(track.eases, str):
            made.set("calcMode", "spline")
        shares, values = _discrete(track) if track.eases == "discrete" else (track.shares, track.values)
        made.set("keyTimes", ";".join(shares))
        made.set("values", ";".join(values))
        if not isinstance(track.eases, str):
            texts = (f".3333 {number(a, DECIMALS)} .6667 {number(b, DECIMALS)}" for a, b in track.eases)
            made.set("keySplines", ";".join(texts))
        return made

    def sheet(self) -> str:
        """Rules of CSS that the tracks need."""
        if self.style == "smil" or not self.rules:
            return ""
        common = (
            f".{self.scope} .moves{{animation-duration:{number(self.clock.cycle, 6)}s;"
            "animation-iteration-count:infinite;animation-timing-function:linear}\n"
        )
        return common + "".join(self.rules)


def _discrete(track: Track) -> tuple[Sequence[str], Sequence[str]]:
    """Values that jump: without the end of the cycle, which SMIL does not want there."""
    if track.shares[-1] == "1" and len(track.shares) > 1:
        return track.shares[:-1], track.values[:-1]
    return track.shares, track.values


def _keyframes(name: str, tracks: Sequence[Track]) -> str:
    parts = []
    first = tracks[0]
    last = -1.0
    for place, text in enumerate(first.shares):
        share = max(float(text), last + _APART) if place else 0.0
        last = share
        rule = ";".join(_declared(track.kind, track.values[place]) for track in tracks)
        if place + 1 < len(first.shares):
            if first.eases == "discrete":
                rule += ";animation-timing-function:step-end"
            elif not isinstance(first.eases, str):
                a, b = first.eases[place]
                bezier = f"cubic-bezier(.3333,{number(a, DECIMALS)},.6667,{number(b, DECIMALS)})"
                rule += f";animation-timing-function:{bezier}"
        parts.append(f"{number(100 * min(share, 1.0), EXACT - 2 + 1)}%{{{rule}}}")
    return f"@keyframes {name}{{{''.join(parts)}}}\n"


def _declared(kind: Property, value: str) -> str:
    if kind in TRANSFORMS:
        return f"transform:{TRANSFORMS[kind].format(*value.split(','))}"
    return f'd:path("{value}")' if kind == "d" else f"{kind}:{value}"
