"""Pictures as a film, by ffmpeg; GIF by Pillow where there is no ffmpeg."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

SUFFIXES: Final = (".mp4", ".webm", ".gif")
"""Of the files of films."""
HOLD = 0.6
"""How long the last picture of a GIF stands before everything begins anew [s]."""

_COLOURS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"),
    *("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"),
)
_CODECS: Final = {
    # What everybody plays; the index first, so that it begins before all of it is there.
    ".mp4": (*_COLOURS, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"),
    ".webm": (
        *(*_COLOURS, "-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4"),
        *("-row-mt", "1", "-f", "webm"),
    ),
}
_QUIET: Final = ("-hide_banner", "-loglevel", "error", "-nostdin", "-y")


def find_ffmpeg() -> str | None:
    """The path of ffmpeg: that of the system, or the one that the wheel imageio-ffmpeg carries."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


def require_encoder(suffix: str) -> None:
    """Say what is missing before anything is computed.

    Raises:
        SistelError: Nothing that is installed makes films of this kind.
    """
    if find_ffmpeg() is None and not (suffix == ".gif" and _has_pillow()):
        refuse(
            "no-film",
            Text(f"films {suffix} are made by ffmpeg, which is not found", f"фильмы {suffix} делает ffmpeg, а его нет"),
            hint=Text(
                "pip install sistel[video], which brings it, or install ffmpeg; GIF needs Pillow alone",
                "pip install sistel[video] — он там есть, или установите ffmpeg; для GIF хватит Pillow",
            ),
        )


def encode(pictures: Iterable[bytes], rate: float, target: Path, suffix: str) -> None:
    """Write a film.

    Args:
        pictures: PNG files of one size, in their order.
        rate: Pictures of a second.
        target: The file.
        suffix: Its kind: one of `SUFFIXES`.

    Raises:
        SistelError: ffmpeg has failed.
    """
    program = find_ffmpeg()
    if suffix != ".gif":
        assert program is not None
        _piped([program, *_QUIET, *_from_pipe(rate), *_CODECS[suffix], str(target)], pictures)
    elif program is not None:
        _gif(program, pictures, rate, target)
    else:
        _gif_by_pillow(pictures, rate, target)


def _from_pipe(rate: float) -> Sequence[str]:
    return ("-f", "image2pipe", "-framerate", f"{rate:.9g}", "-c:v", "png", "-i", "-")


def _piped(command: Sequence[str], pictures: Iterable[bytes]) -> None:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
        assert process.stdin is not None
        try:
            with process.stdin:
                for picture in pictures:
                    process.stdin.write(picture)
        except BrokenPipeError:
            pass  # it has given up, and has said why
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.wait() != 0:
            said.seek(0)
            words = said.read().decode(errors="replace").strip().splitlines()
            reason = words[-1] if words else f"exit {process.returncode}"
            refuse("no-film", Text(f"ffmpeg made no film: {reason}", f"ffmpeg не сделал фильма: {reason}"))


def _gif(program: str, pictures: Iterable[bytes], rate: float, target: Path) -> None:
    """With the 256 colours that suit all pictures best: they are looked at twice, on disk."""
    with tempfile.TemporaryDirectory(prefix="sistel-") as folder:
        kept, colours = str(Path(folder, "kept.mkv")), str(Path(folder, "colours.png"))
        _piped([program, *_QUIET, *_from_pipe(rate), "-c", "copy", kept], pictures)
        _piped([program, *_QUIET, "-i", kept, "-vf", "palettegen=stats_mode=full:reserve_transparent=0", colours], ())
        _piped(
            [
                *(program, *_QUIET, "-i", kept, "-i", colours),
                *("-lavfi", "paletteuse=dither=none:diff_mode=rectangle", "-fps_mode", "passthrough"),
                *("-final_delay", str(round(100 * HOLD)), "-f", "gif", str(target)),
            ],
            (),
        )


def _has_pillow() -> bool:
    from importlib.util import find_spec

    return find_spec("PIL") is not None


def _gif_by_pillow(pictures: Iterable[bytes], rate: float, target: Path) -> None:
    import numpy as np
    from PIL import Image

    frames = [_colours(Image.open(io.BytesIO(picture))) for picture in pictures]
    counts = np.zeros(1 << 24, dtype=np.int64)
    for frame in frames[:: max(1, len(frames) // 8)]:
        counts += np.bincount(frame.ravel(), minlength=1 << 24)
    # The most frequent ones as they are: paper stays white, and what is between ink and paper is many and rare.
    palette = np.argsort(-counts, kind="stable")[:256]
    parts = np.stack([palette >> 16, palette >> 8 & 255, palette & 255], axis=1)
    made = []
    for frame in frames:
        known, places = np.unique(frame, return_inverse=True)
        own = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
        nearest = np.array([np.argmin(((parts - colour) ** 2).sum(axis=1)) for colour in own], dtype=np.uint8)
        picture = Image.fromarray(nearest[places.reshape(frame.shape)], mode="P")
        picture.putpalette(parts.astype(np.uint8).tobytes())
        made.append(picture)
    # Times are told in hundredths: each picture begins at the one that is nearest to its own.
    times = [round(100 * n / rate) for n in range(len(made) + 1)]
    lengths = [10 * (b - a) for a, b in pairwise(times)]
    lengths[-1] = round(1000 * HOLD)
    made[0].save(target, format="GIF", save_all=True, append_images=made[1:], duration=lengths, loop=0, optimize=False)


def _colours(picture: Image.Image) -> NDArray[np.int64]:
    """One number a pixel, shape (height, width)."""
    import numpy as np

    red, green, blue = (np.asarray(part, dtype=np.int64) for part in picture.convert("RGB").split())
    return red << 16 | green << 8 | blue
