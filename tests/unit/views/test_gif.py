"""GIFs that pages make: another program reads the same pixels and times in them."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from support.javascript import module_text, run_node

Image = pytest.importorskip("PIL.Image")

FILM = """
const kit = gifKit();
let state = 7;
const next = () => (state = (1103515245 * state + 12345) % 2147483648) / 2147483648;
const [width, height] = [61, 47];
const colours = Array.from({ length: 180 }, () => [next(), next(), next()].map((x) => 8 * Math.floor(32 * x) + 4));
const pictures = [0, 1, 2, 3].map((k) => {
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) {
    const moving = k === 3 ? i >= 0 && false : i % width > 10 * k;
    const at = moving ? Math.floor(colours.length * next()) : i % colours.length;
    pixels.set(colours[at], 4 * i);
  }
  return pixels;
});
pictures.push(pictures[3]);
const film = kit.film(width, height, kit.palette(pictures));
pictures.forEach((pixels, k) => film.add(pixels, 5 + k));
const told = (bytes) => Buffer.from(bytes).toString("base64");
console.log(JSON.stringify({ file: told(film.bytes()), pictures: pictures.map(told), width, height }));
"""


def test_another_program_reads_the_same_pictures() -> None:
    """Noise of 180 colours, so that tables of codes fill up and begin anew; the last picture is the one before."""
    import json

    told = json.loads(run_node(module_text("page/gif.ts") + FILM))
    shape = told["height"], told["width"], 4
    with Image.open(io.BytesIO(base64.b64decode(told["file"]))) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (5, (shape[1], shape[0]), 0)
        for number, text in enumerate(told["pictures"]):
            film.seek(number)
            assert film.info["duration"] == 10 * (5 + number)
            exact = np.frombuffer(base64.b64decode(text), np.uint8).reshape(shape)
            assert (np.asarray(film.convert("RGB")) == exact[:, :, :3]).all()
