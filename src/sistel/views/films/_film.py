"""A run as a film: frames of its moving scheme, one after another at an even rate."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text, refuse, user_language
from sistel.simulation import Run
from sistel.views._steps import check_steps
from sistel.views.films._encode import encode, require_encoder
from sistel.views.films._paint import painted, require_paint
from sistel.views.films._shots import Shots
from sistel.views.schemes._render import Theme

if TYPE_CHECKING:
    from sistel.arrays import Array

RATE = 25.0
"""Pictures of a second, unless told otherwise."""
RATES = (1.0, 60.0)
GIF_RATE = 50.0
"""Of a GIF: its pictures stand for whole hundredths of a second, and browsers slow down what stands for one."""
WIDTH = 800
"""Of pictures, unless told otherwise [px]."""
WIDTHS = (160, 3840)
MOST = 50_000
"""Pictures of a film."""
SHORT, LONG_ENOUGH = 1.0, 5.0
"""What is over sooner is slowed down, so that it lasts about so long [s]."""
STEPS = (1.0, 2.0, 5.0)
"""Leading digits of speeds that are chosen."""


def write_film(
    run: Run,
    place: Path,
    suffix: str,
    *,
    rate: float = RATE,
    speed: float | None = None,
    width: int = WIDTH,
    theme: Theme = "light",
    lang: Language | None = None,
) -> None:
    """Write a run as a film.

    Picture n shows the state of the run at its begin + n · speed / rate, the last one its end.

    Args:
        run: The run.
        place: Where it is written to.
        suffix: Its kind: .mp4, .webm or .gif.
        rate: Pictures of a second.
        speed: How much faster than the run it goes; as `usual_speed` unless told otherwise.
        width: Of the pictures [px], an even number.
        theme: Light or dark.
        lang: Language of the words; the user's unless told otherwise.

    Raises:
        SistelError: A number is not possible, or something that makes films is not installed.
        OSError: The file cannot be written.
    """
    require_film(suffix)
    speed = usual_speed(run.begin, run.end) if speed is None else speed
    check_look(suffix, rate=rate, speed=speed, width=width)
    _check_length(run, rate, speed)
    times = film_times(run.begin, run.end, rate, speed)
    shots = Shots(run, times, width=width, speed=speed, theme=theme, lang=lang or user_language())
    encode((painted(picture) for picture in shots), rate, place, suffix)


def require_film(suffix: str) -> None:
    """Say what is missing for a film, before anything is computed.

    Raises:
        SistelError: What paints or what encodes is not installed.
    """
    require_paint()
    require_encoder(suffix)


def film_times(begin: float, end: float, rate: float, speed: float) -> Array:
    """When the pictures are taken [s]: evenly, and the end too."""
    count = math.ceil((end - begin) * rate / speed - 1e-9)
    times: Array = np.minimum(begin + np.arange(count + 1) * (speed / rate), end)
    return times


def usual_speed(begin: float, end: float) -> float:
    """How fast a run is shown where nobody has said it: as it goes, and what is over within a second slower.

    Args:
        begin: Of the run [s].
        end: The same.
    """
    length = end - begin
    if not 0.0 < length < SHORT:
        return 1.0
    power = 10.0 ** math.floor(math.log10(length / LONG_ENOUGH))
    # The largest round number that is not above.
    return max(step * power for step in STEPS if step * power <= length / LONG_ENOUGH * (1 + 1e-9))


def check_look(suffix: str, *, rate: float = RATE, speed: float = 1.0, width: int = WIDTH) -> None:
    """Refuse numbers that no film can have.

    Raises:
        SistelError: One is not possible.
    """
    highest = GIF_RATE if suffix == ".gif" else RATES[1]
    if not RATES[0] <= rate <= highest:
        refuse(
            "bad-film",
            Text(f"{rate:g} pictures a second are not possible", f"{rate:g} кадров в секунду — так нельзя"),
            expected=Text(f"from {RATES[0]:g} to {highest:g}", f"от {RATES[0]:g} до {highest:g}"),
        )
    if not (math.isfinite(speed) and 1e-6 <= speed <= 1e6):
        refuse(
            "bad-speed",
            Text(f"speed = {speed:g} is not possible", f"скорость {speed:g} невозможна"),
            expected=Text("such as 1 or 0.1", "например 1 или 0.1"),
        )
    if not WIDTHS[0] <= width <= WIDTHS[1] or width % 2:
        refuse(
            "bad-film",
            Text(f"a film cannot be {width} pixels wide", f"фильм не бывает шириной {width} точек"),
            expected=Text(
                f"an even number from {WIDTHS[0]} to {WIDTHS[1]}", f"чётное число от {WIDTHS[0]} до {WIDTHS[1]}"
            ),
        )


def _check_length(run: Run, rate: float, speed: float) -> None:
    check_steps(run)
    count = (run.end - run.begin) * rate / speed
    if count > MOST:
        refuse(
            "too-long",
            Text(f"this film would have {count:.0f} pictures", f"в этом фильме было бы {count:.0f} кадров"),
            expected=Text(f"at most {MOST}", f"не больше {MOST}"),
            hint=Text("a greater speed, or a smaller rate", "больше скорость или меньше кадров в секунду"),
        )
