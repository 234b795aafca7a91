"""Random numbers that are functions of a seed, a sensor and a tick: whatever was asked for before, they are the same.

Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): ten rounds of
products of 32 bits, from a counter of four words and a key of two to four words that look random. Normal numbers are
made by Box and Muller's transform of uniform ones of 52 bits. In the compiled subset of Python, with whole numbers
below 2⁵³: machine code, JavaScript and C have the same bits.
"""

from __future__ import annotations

import math
import zlib
from typing import Final

from sistel.arrays import Floats, shift
from sistel.expr import Routine

WORD: Final = 4294967296
HALF: Final = 65536
M0: Final = 0xD2511F53
M1: Final = 0xCD9E8D57
W0: Final = 0x9E3779B9
W1: Final = 0xBB67AE85
ROUNDS: Final = 10


def high(a: int, b: int) -> int:
    """The upper 32 bits of a product of 32 bits each, in steps below 2⁵³."""
    low = a * (b % HALF)
    return (a * (b // HALF) + low // HALF) // HALF


def lower(a: int, b: int) -> int:
    """The lower 32 bits of a product."""
    low = a * (b % HALF)
    return (a * (b // HALF) + low // HALF) % HALF * HALF + low % HALF


def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int, words: Floats) -> None:
    """Four words of 32 bits, as floats, from a counter of four and a key of two."""
    a = c0
    b = c1
    c = c2
    d = c3
    key = k0
    other = k1
    for _ in range(ROUNDS):
        first = high(M0, a)
        low = lower(M0, a)
        second = high(M1, c)
        last = lower(M1, c)
        a = second ^ b ^ key
        b = last
        c = first ^ d ^ other
        d = low
        key = (key + W0) % WORD
        other = (other + W1) % WORD
    words[0] = float(a)
    words[1] = float(b)
    words[2] = float(c)
    words[3] = float(d)


def uniform(upper: float, under: float) -> float:
    """A number of 52 bits and a half between 0 and 1, neither of them, from two words."""
    whole = int(upper) // 32 * 33554432 + int(under) // 128
    return (float(whole) + 0.5) / 4503599627370496.0


def standard(data: Floats, given: Floats, made: Floats) -> None:
    """Normal numbers of mean 0 and variance 1; four words of room follow them.

    Args:
        data: A number that belongs to the sensor, and how many numbers there are.
        given: The seed, and the tick.
        made: The numbers.
    """
    count = int(data[1])
    tick = int(given[1])
    words = shift(made, count)
    for pair in range((count + 1) // 2):
        philox(tick % WORD, tick // WORD, pair, 0, int(given[0]), int(data[0]), words)
        radius = math.sqrt(-2.0 * math.log(uniform(words[0], words[1])))
        angle = 6.283185307179586 * uniform(words[2], words[3])
        made[2 * pair] = radius * math.cos(angle)
        if 2 * pair + 1 < count:
            made[2 * pair + 1] = radius * math.sin(angle)


NORMALS: Final = (standard, uniform, philox, high, lower)


def noise(sensor: str, count: int) -> Routine:
    """A routine that makes so many normal numbers for a sensor from the seed and the tick."""
    return Routine("noise", NORMALS, 2, count + 4, [float(zlib.crc32(sensor.encode())), float(count)])
