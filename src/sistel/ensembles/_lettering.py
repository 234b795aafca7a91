"""Letters as strokes, for pictures that no program of fonts takes part in.

A letter is a few polylines on a small grid, drawn with round ends. Each point is two characters: x from 0, and y in
hexadecimal with the base line at 2, small letters up to 7 and capitals up to 9.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array

_TABLE: Final = """
A 022942 1434|B 02093948473606 3645433202|C 4839190803123243|D 02092947442202|E 49090242 0636|F 490902 0636
G 48391908031232434626|H 0209 4942 0646|I 1939 2922 1232|J 4943321203|K 0209 4905 1642|L 090242|M 0209254942
N 02094249|O 120308193948433212|P 02093948463505|Q 120308193948433212 2442|R 02093948463505 2542
S 483919080716364543321203|T 0949 2922|U 090312324349|V 092249|W 0912263249|X 0249 0942|Y 092549 2522|Z 09490242
a 17374642 45150403123243|b 0902 0617374643321203|c 4637170603123243|d 4942 4637170603123243
e 05454637170603123243|f 39291812 0737|g 4741301001 4637170603123243|h 0902 0617374642|i 1712 1919|j 27211000 2929
k 0902 3704 1532|l 191322|m 0702 0617273632 3647576662|n 0702 0617374642|o 120306173746433212
p 0700 0617374643321203|q 4740 4637170603123243|r 0702 05162737|s 46371706153443321203|t 19132232 0737
u 0703123243 4742|v 072247|w 0722364267|x 0742 0247|y 0722 4710|z 07470242
0 120308193948433212|1 182922 1232|2 08193948460242|3 08193948473616 364543321203|4 390444 3932
5 490906364543321203|6 483919080312324345361605|7 094912|8 16070819394847361605031232434536
9 031232434839190806153546|. 1212|, 1201|: 1212 1616|; 1201 1616|- 0535|+ 0545 2327|= 0444 0646|/ 0239|( 29181322
) 09181302|[ 29191222|] 09191202|% 0249 0809191808 3233434232|< 470543|> 074503|' 1917|" 0907 2927|! 1914 1212
? 08193948462524 2222|_ 0141|° 1829382718|· 1515|→ 0555 475543|… 1212 3232 5252|— 0565|– 0545|− 0545|× 0347 0743
² 081929280626|³ 092918271606|≥ 084604 0343|≤ 480644 0343|« 270523 472543|» 072503 274523
Б 4909023243453606|Г 490902|Д 00025250 12294942|Ё 49090242 0636 1b1b 3b3b|Ж 093569 023562 3932
З 08193948473616 364543321203|И 09024942|Й 09024942 1b2a3b|Л 0212294942|П 02094942|У 0925 491202
Ф 2922 180706153546473818|Ц 09025250 4942|Ч 09061545 4942|Ш 09026269 3932|Щ 09027270 6962 3932
Ъ 0919123243453616|Ы 09022233352606 5952|Ь 09023243453606|Э 0819394843321203 2646|Ю 0902 0626 322328395968635232
Я 42491908061545 2502|б 4919070312324345361605|в 020737463505 3544433202|г 470702|д 00025250 12274742
ё 05454637170603123243 1919 3939|ж 073567 023562 3732|з 061737463515 354443321203|и 07024742|й 07024742 192839
к 0702 3704 1532|л 0212274742|м 0207244742|н 0702 4742 0545|п 02074742|т 0747 2722|ф 2920 170603123243463717
ц 07025250 4742|ч 07051444 4742|ш 07026267 3732|щ 07027270 6762 3732|ъ 0717123243443515|ы 07022233342505 5752
ь 07023243443505|э 0617374643321203 2545|ю 0702 0525 322326375766635232|я 42471706051444 2402
θ 120308193948433212 0545|φ 2920 170603123243463717|γ 072247 2220|α 474637170603123242
"""
_SAME: Final = dict(zip("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx", strict=True))
_BOX: Final = "0209494202"
"""For letters that are not known."""
SPACE: Final = 3.0
GAP: Final = 2.0
"""Between two letters [units of the grid]."""
CAPITAL: Final = 7.0
"""Height of capitals [units of the grid]."""
BELOW, ABOVE = 3, 11
"""Room under the base line and over it [units of the grid]."""


@lru_cache(maxsize=1)
def _letters() -> dict[str, str]:
    rows = (entry for line in _TABLE.strip().splitlines() for entry in line.split("|"))
    return {row[0]: row[2:] for row in rows}


def _strokes(letter: str) -> list[list[tuple[float, float]]]:
    """Polylines of a letter, y upward from the base line."""
    text = _letters().get(_SAME.get(letter, letter), _BOX)
    return [
        [(float(int(line[i], 16)), float(int(line[i + 1], 16)) - 2.0) for i in range(0, len(line), 2)]
        for line in text.split()
    ]


def known(text: str) -> bool:
    """Whether every letter of a text can be drawn."""
    return all(letter == " " or _SAME.get(letter, letter) in _letters() for letter in text)


def width(text: str, size: float) -> float:
    """How wide a text is, for capitals of a size [px]."""
    return sum(_advance(letter) for letter in text) * size / CAPITAL


def _advance(letter: str) -> float:
    if letter == " ":
        return SPACE + GAP
    return max(x for line in _strokes(letter) for x, _ in line) + GAP


def written(text: str, size: float) -> Array:
    """A text as how much ink covers every pixel, 0 to 1; the base line lies `BELOW` units over the bottom.

    Args:
        text: One line.
        size: Height of capitals [px].
    """
    unit = size / CAPITAL
    half = max(0.55, 0.075 * size)  # of the width of a stroke [px]
    high, wide = int((BELOW + ABOVE) * unit) + 2, int(width(text, size)) + 4
    ink = np.zeros((high, wide))
    ys, xs = np.mgrid[0:high, 0:wide] + 0.5
    left = 1.5
    for letter in text:
        if letter != " ":
            begin, end = max(0, int(left - 3)), min(wide, int(left + (_advance(letter)) * unit + 3))
            for line in _strokes(letter):
                points = [(left + x * unit, high - 1.5 - (y + BELOW) * unit) for x, y in line]
                for a, b in zip(points, points[1:] or points, strict=False):
                    far = _distance(xs[:, begin:end], ys[:, begin:end], a, b)
                    ink[:, begin:end] = np.maximum(ink[:, begin:end], np.clip(half + 0.5 - far, 0.0, 1.0))
        left += _advance(letter) * unit
    return ink


def _distance(xs: Array, ys: Array, a: tuple[float, float], b: tuple[float, float]) -> Array:
    """Of pixels from a segment [px]."""
    along, across = b[0] - a[0], b[1] - a[1]
    length = along * along + across * across
    at = np.clip(((xs - a[0]) * along + (ys - a[1]) * across) / length, 0.0, 1.0) if length else np.zeros_like(xs)
    return np.asarray(np.hypot(xs - a[0] - at * along, ys - a[1] - at * across))
