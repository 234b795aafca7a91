"""Damaged files by the thousand: bytes and words of real ones exchanged, doubled, dropped."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

WORDS: tuple[bytes, ...] = (
    *(b"\x00", b"\xff", b"\xd0"),
    *(
        word.encode()
        for word in (
            *(
                "<",
                ">",
                '"',
                "'",
                "&",
                "&lt;",
                "/>",
                "</",
                "<!--",
                "-->",
                "<![CDATA[",
                "]]>",
                "<?",
                "?>",
                "=",
                ",",
                "(",
                ")",
            ),
            *(
                "<!DOCTYPE a [",
                "1e999",
                "-1",
                "nan",
                "^",
                " mm",
                "0",
                "/0",
                "*",
                ".",
                "\u201d",
                "тело",
                "body",
                "t",
                "pi",
                "и",
            ),
            *(
                'base="1"',
                'joint="free"',
                'joint="spherical"',
                'space="spatial"',
                'name="a"',
                'number="1"',
                'turn="1,2,3"',
            ),
            *(
                'axis="0,0"',
                'value="t"',
                'holds="x"',
                'inertia="1,2,9"',
                'of="a.x"',
                "reaction(a).n",
                "gap(L)",
                "y = 0",
                '<repeat count="3">',
                "</repeat>",
                "{i}",
                'nested="yes"',
            ),
        )
    ),
)
VALUE = re.compile(rb'="[^"]*"')
LARGEST = 9_000
"""Larger files are left out: they only make the same damage slower [bytes]."""


def originals(folder: Path) -> list[bytes]:
    """Files worth damaging."""
    texts = (path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".xml", ".urdf", ".mjcf"))
    return [text for text in texts if len(text) <= LARGEST]


def mutants(files: Sequence[bytes], seed: int, count: int) -> Iterator[bytes]:
    """Damaged copies, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        data = bytearray(rng.choice(files))
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
            _damage(data, files, rng)
        yield bytes(data)


def _damage(data: bytearray, files: Sequence[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(7)
    values = list(VALUE.finditer(data)) if kind >= 5 else []
    if kind == 0 and at < len(data):
        data[at] = rng.randrange(256)
    elif kind == 1:
        data[at:at] = rng.choice(WORDS)
    elif kind == 2:
        del data[at : at + rng.randrange(1, 30)]
    elif kind == 3:
        data[at:at] = data[at : at + rng.randrange(1, 200)]
    elif kind == 4:
        other = rng.choice(files)
        start = rng.randrange(len(other))
        data[at:at] = other[start : start + rng.randrange(1, 120)]
    elif kind == 5 and values:
        value = rng.choice(values)
        data[value.start() + 2 : value.end() - 1] = rng.choice(WORDS)
    elif kind == 6 and values:
        value, other_value = rng.choice(values), rng.choice(values).group()
        data[value.start() : value.end()] = other_value
