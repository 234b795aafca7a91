"""Maps: their colours say what the runs did, and their files are what such files should be."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import sistel
from sistel.ensembles import Ensemble
from sistel.ensembles._draw import ticks
from sistel.ensembles._lettering import known, width, written
from sistel.views.charts.png import png

MODELS = Path(__file__).resolve().parents[3] / "models"
FALLS = ("fell forward", "fell backward")


@pytest.fixture(scope="module")
def basin() -> Ensemble:
    system = sistel.load(MODELS / "simplest_walker_basin.xml")
    grid = {"excess": np.linspace(-0.01, 0.03, 15), "theta": np.linspace(0.05, 0.3, 20)}
    return system.ensemble(100.0, parameters=grid, grid=True, events=4, stop=FALLS)


def decoded(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Pixels and colours of a PNG file, read here from its definition; all sums of its pieces are checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    pieces: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        pieces[kind] = pieces.get(kind, b"") + body
        at += 12 + length
    wide, high, depth, colour, *rest = struct.unpack(">IIBBBBB", pieces[b"IHDR"])
    assert (depth, colour, rest) == (8, 3, [0, 0, 0]) and b"IEND" in pieces
    rows = np.frombuffer(zlib.decompress(pieces[b"IDAT"]), dtype=np.uint8).reshape(high, wide + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:], np.frombuffer(pieces[b"PLTE"], dtype=np.uint8).reshape(-1, 3)


def test_a_picture_reads_back() -> None:
    random = np.random.default_rng(1)
    pixels = random.integers(0, 7, (13, 29)).astype(np.uint8)
    colours = random.integers(0, 256, (7, 3)).astype(np.uint8)
    found, table = decoded(png(pixels, colours))
    np.testing.assert_array_equal(found, pixels)
    np.testing.assert_array_equal(table, colours)


def test_colours_say_what_runs_did(basin: Ensemble) -> None:
    drawn = basin.map("ends", lang="en")
    assert (drawn.x.label, drawn.y.label) == ("theta, rad", "excess, rad/s")
    assert drawn.cells.shape == basin.shape == (15, 20)
    labels = {number: key.label for key in drawn.keys for number in key.colours}
    names = np.vectorize(labels.get)(drawn.cells)
    expected = np.where(basin.outcome == 2, "4 events", basin.final_structure)
    np.testing.assert_array_equal(names, basin.grid(expected))
    for key in drawn.keys:
        assert key.share == pytest.approx((expected == key.label).mean(), rel=1e-15)
        for number, mark in zip(key.colours, key.marks, strict=False):
            low = int(mark.split("–")[0].rstrip("+"))
            assert (basin.grid(basin.events)[drawn.cells == number] >= low).all()
    assert len({tuple(colour) for colour in drawn.colours}) == len(drawn.colours)
    turned = basin.map("ends", x="excess", y="theta")
    np.testing.assert_array_equal(turned.cells, drawn.cells.T)


def test_other_ways(basin: Ensemble) -> None:
    events = basin.map("events", lang="en")
    value = {number: int(key.label.split()[-1]) for key in events.keys for number in key.colours}
    np.testing.assert_array_equal(np.vectorize(value.get)(events.cells), basin.grid(basin.events))
    sequences = basin.map("sequence", lang="en")
    label = {number: key.label for key in sequences.keys for number in key.colours}
    named = np.vectorize(label.get)(sequences.cells).ravel()
    for i in range(len(basin)):
        words = named[i].replace(" ×1", "")
        if "(" not in words and "…" not in words and "other" not in words:
            assert words == " → ".join(["on the left", *(p.after for p in basin.sequence_of(i))])
    time = basin.map("time", lang="ru")
    assert time.scale is not None and time.scale.label == "конец запуска, с"
    assert (time.scale.low, time.scale.high) == (basin.t.min(), basin.t.max())
    flat = basin.grid(basin.t)
    order = np.argsort(flat.ravel())
    assert (np.diff(time.cells.ravel()[order].astype(int)) >= 0).all()  # more time, a lighter colour
    assert {key.label for key in basin.map("structure", lang="en").keys} >= set(FALLS)
    assert next(key.label for key in basin.map("outcome", lang="ru").keys) == "прошёл все события"
    own = basin.map(np.where(basin.t > 5.0, np.nan, basin.t), label="t", lang="en")
    assert own.keys[0].label == "no value"


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_files(basin: Ensemble, tmp_path: Path, lang: str) -> None:
    drawn = basin.map(lang=lang, title="<Basin & more>")  # type: ignore[arg-type]
    drawn.save(tmp_path / "map.svg")
    root = ElementTree.fromstring((tmp_path / "map.svg").read_text(encoding="utf-8"))
    texts = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<Basin & more>" in texts and ("theta, rad" if lang == "en" else "theta, рад") in texts
    assert any(("4 events" if lang == "en" else "событий: 4") in text for text in texts)
    drawn.save(tmp_path / "map.png")
    pixels, colours = decoded((tmp_path / "map.png").read_bytes())
    # Every run is a block of its colour: 32 pixels wide here, 43 high.
    block = next(
        (y, x)
        for y in range(pixels.shape[0] - 645 + 1)
        for x in range(pixels.shape[1] - 640 + 1)
        if (pixels[y : y + 645 : 43, x : x + 640 : 32] == np.flipud(drawn.cells)).all()
    )
    inside = pixels[block[0] : block[0] + 645, block[1] : block[1] + 640]
    np.testing.assert_array_equal(inside, np.kron(np.flipud(drawn.cells), np.ones((43, 32), dtype=np.uint8)))
    assert tuple(colours[pixels[0, 0]]) == (255, 255, 255)
    drawn.save(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz") as archive:
        np.testing.assert_array_equal(archive["cells"], drawn.cells)
    with pytest.raises(sistel.SistelError, match="no format of maps"):
        drawn.save(tmp_path / "map.gif")
    with pytest.raises(sistel.SistelError):
        drawn.save(tmp_path / "nowhere" / "map.png")


def test_wrong_maps(basin: Ensemble) -> None:
    with pytest.raises(sistel.SistelError, match="no map of"):
        basin.map("colour")
    with pytest.raises(sistel.SistelError, match="axes of the grid"):
        basin.map(x="slope")
    with pytest.raises(sistel.SistelError, match="one number a run"):
        basin.map(np.zeros(3))
    line = sistel.load(MODELS / "pendulum.xml").ensemble(0.1)
    with pytest.raises(sistel.SistelError, match="grid of two axes"):
        line.map()


def test_all_letters_can_be_written() -> None:
    english = "abcdefghijklmnopqrstuvwxyz"
    russian = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
    assert known(english + english.upper() + russian + russian.upper() + "0123456789.,:;-+=/()%→…×·°²³«»—– ")
    assert not known("漢")
    shapes = {letter: written(letter, 28.0).tobytes() for letter in english + english.upper() + "0123456789"}
    alike = {"0", "O"}  # the only two that share a shape
    assert len(set(shapes.values())) == len(shapes) - (len(alike) - 1)
    ink = written("Ж", 14.0)
    assert ink.min() >= 0.0 and ink.max() == 1.0 and ink.shape[1] >= width("Ж", 14.0)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.5), (-0.02, 0.05), (1e-9, 3e-9), (-1e6, 2.5e6), (3.0, 3.0)])
def test_round_numbers(low: float, high: float) -> None:
    found = [value for value, _ in ticks(low, high)]
    span = high - low
    assert 1 <= len(found) <= 8 and all(low - 1e-9 * span <= value <= high + 1e-9 * span for value in found)
    if span:
        assert len(found) >= 3
        step = found[1] - found[0]
        assert round(step / 10.0 ** np.floor(np.log10(step) + 1e-9), 6) in (1.0, 2.0, 5.0)
