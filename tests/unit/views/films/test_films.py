"""Films: every picture shows the state of the run at its time, and files read back as what was written."""

from __future__ import annotations

import io
import math
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from support.smil import attribute_at, matrices

import sistel
from sistel.simulation import Run
from sistel.views.animation._clock import Clock
from sistel.views.animation._film import Film, Track, element
from sistel.views.films import _encode, film_times, usual_speed
from sistel.views.films._paint import font, painted
from sistel.views.films._shots import Shots, value_at

pytest.importorskip("resvg_py")
MODELS = Path(__file__).resolve().parents[4] / "models"
RATE = 20.0


@pytest.fixture(scope="module")
def ball() -> Run:
    return sistel.load(MODELS / "bouncing_ball.xml").simulate(0.75)


@pytest.fixture(scope="module")
def gyroscope() -> Run:
    return sistel.load(MODELS / "gyroscope.xml").simulate(0.4)


def shots(run: Run, width: int = 320, speed: float = 1.0, rate: float = RATE) -> Shots:
    times = film_times(run.begin, run.end, rate, speed)
    return Shots(run, times, width=width, speed=speed, theme="light", lang="en")


def decoded(path: Path, size: tuple[int, int]) -> np.ndarray:
    """All pictures of a film, shape (n, height, width, 3), by ffmpeg."""
    program = _encode.find_ffmpeg()
    assert program is not None
    command = [program, "-loglevel", "error", "-i", str(path), "-fps_mode", "passthrough"]
    found = subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    return np.frombuffer(found.stdout, np.uint8).reshape(-1, size[1], size[0], 3).astype(float)


def pixels(svg: str) -> np.ndarray:
    with Image.open(io.BytesIO(painted(svg))) as image:
        return np.asarray(image.convert("RGB"), float)


@pytest.mark.parametrize("name", ["double_pendulum", "biped_flight", "walker"])
def test_bodies_of_a_planar_picture_are_where_the_run_has_them(name: str) -> None:
    system = sistel.load(MODELS / f"{name}.xml")
    run = system.simulate(0.4)
    made = shots(run)
    for t, text in zip(made.times, made, strict=True):
        found = matrices(ElementTree.fromstring(text), 0.0)
        camera = np.array(found["камера"])
        for body in system.model.bodies:
            X = np.asarray(system.pose(run(t)[0], body.name))
            a, b, c, d, e, f = found[f"тело_{body.number}"]
            scale = math.hypot(camera[0], camera[1])
            x, y = camera[0] * X[0, 3] * 1e3 + camera[4], camera[3] * X[1, 3] * 1e3 + camera[5]
            assert (e, f) == pytest.approx((x, y), abs=2e-3)
            assert (a, b) == pytest.approx((scale * X[0, 0], scale * X[1, 0]), abs=1e-6)
            assert (c, d) == pytest.approx((-b, a), abs=1e-9)


def test_the_nearest_figures_of_a_spatial_picture_are_in_front(gyroscope: Run) -> None:
    made = shots(gyroscope)
    for place, text in enumerate(made):
        layer = next(g for g in ElementTree.fromstring(text).iter() if g.get("id") == "фигуры")
        shown = [child.get("id") for child in layer if child.get("id")]
        depths = {target.get("id"): made.stage.depths[n, place] for n, (_, target, _) in enumerate(made.stage.shown)}
        assert [depths[name] for name in shown] == sorted(depths.values())


def test_tracks_are_read_as_browsers_read_them() -> None:
    clock = Clock(0.0, 2.0, 1.0)
    film = Film(clock, "smil", "x")
    tracks = [
        Track(kind="opacity", shares=("0", ".25", "1"), values=("0", "1", ".5"), eases=((0.2, 0.9), (0.5, 0.5))),
        Track(kind="visibility", shares=("0", ".4", "1"), values=("visible", "hidden", "hidden"), eases="discrete"),
    ]
    for track in tracks:
        target = element("g")
        film.play(target, track)
        from lxml import etree

        read = ElementTree.fromstring(etree.tostring(target))
        for share in (0.0, 0.1, 0.25, 0.3999, 0.4, 0.77):
            known, found = attribute_at(read, track.kind, share * clock.cycle), value_at(track, share)
            if isinstance(known, str):
                assert found == known
            else:
                assert float(found) == pytest.approx(known[0], abs=2e-4)  # SMIL writes thirds as .3333


@pytest.fixture(scope="module")
def slow_ball(ball: Run) -> tuple[Shots, np.ndarray]:
    """The pictures of a film at 8 Hz, drawn and painted, shape (n, height, width, 3)."""
    made = shots(ball, speed=usual_speed(ball.begin, ball.end), rate=8.0)
    return made, np.array([pixels(text) for text in made])


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
def test_a_film_reads_back_as_its_pictures(
    ball: Run, slow_ball: tuple[Shots, np.ndarray], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"ball{suffix}"
    ball.film(path, rate=8.0, width=320, lang="en")
    made, drawn = slow_ball
    found = decoded(path, made.size)
    assert found.shape == drawn.shape
    assert len(found) == math.ceil((ball.end - ball.begin) * 8.0 / usual_speed(ball.begin, ball.end)) + 1
    # Codecs lose a little; thin coloured lines the most, for colours are told for four pixels at once.
    assert np.abs(found - drawn).mean() < 2.0
    # The ball falls: each picture is more like its own than like any other.
    for n in (0, len(found) // 2, len(found) - 1):
        assert int(np.argmin(np.abs(drawn - found[n]).mean(axis=(1, 2, 3)))) == n


def test_a_gif_without_ffmpeg(ball: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_encode, "find_ffmpeg", lambda: None)
    path = tmp_path / "ball.gif"
    ball.film(path, rate=RATE, speed=1.0, width=320, lang="en")
    made = shots(ball)
    with Image.open(path) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (len(made), made.size, 0)
        lengths = []
        for n, text in enumerate(made):
            film.seek(n)
            lengths.append(film.info["duration"])
            assert np.abs(np.asarray(film.convert("RGB"), float) - pixels(text)).mean() < 1.0
    assert lengths == [50] * (len(made) - 1) + [600]
    with pytest.raises(sistel.SistelError, match="ffmpeg"):
        ball.film(tmp_path / "ball.mp4")
    assert [each.name for each in tmp_path.iterdir()] == ["ball.gif"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rate": 0.5}, "pictures a second"),
        ({"rate": 61.0}, "from 1 to 60"),
        ({"speed": 0.0}, "speed = 0"),
        ({"speed": 1e-5}, "pictures"),
        ({"width": 321}, "even number"),
        ({"width": 10_000}, "pixels wide"),
    ],
)
def test_what_no_film_can_be_is_refused(ball: Run, tmp_path: Path, wrong: dict[str, float], said: str) -> None:
    with pytest.raises(sistel.SistelError) as problem:
        ball.film(tmp_path / "ball.mp4", **wrong)  # type: ignore[arg-type]
    (found,) = problem.value.diagnostics
    assert said in f"{found.message.en} {found.expected.en if found.expected else ''}"
    assert not list(tmp_path.iterdir())


def test_films_have_suffixes_of_their_own(ball: Run, tmp_path: Path) -> None:
    with pytest.raises(sistel.SistelError, match="no format of a film"):
        ball.film(tmp_path / "ball.avi")


@pytest.mark.parametrize(
    ("length", "speed"), [(5.0, 1.0), (1.0, 1.0), (0.9, 0.1), (0.05, 0.01), (0.03, 0.005), (0.0, 1.0), (0.99, 0.1)]
)
def test_what_is_over_soon_is_slowed_down(length: float, speed: float) -> None:
    assert usual_speed(1.0, 1.0 + length) == pytest.approx(speed)
    if 0.0 < length < 1.0:
        assert 5.0 <= length / speed < 12.5


def test_words_have_a_font() -> None:
    assert font() is not None
