"""Prototypes and scenes as texts and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sistel.errors import Diagnostics, Language, SistelError, Text, one_of, user_language
from sistel.files import reason_of
from sistel.pose import Parameters
from sistel.views.prototypes._looks import AXES, body_code
from sistel.views.prototypes._names import PROTOTYPES, found
from sistel.views.prototypes._scenes import SCENES, draw_scene_of, scene_names, surroundings
from sistel.views.prototypes._write import Writer, x3d_file
from sistel.views.x3d._nodes import numbers


def prototype(
    name: str,
    *,
    parameters: Parameters | None = None,
    scripts: Mapping[str, str] | None = None,
    smooth: str = "cubic",
    looks: Mapping[str, Sequence[float]] | None = None,
) -> str:
    """The file of a prototype, as text; prototypes that it is made of lie in files of their names beside it.

    Args:
        name: In Russian or English, which is then the language of its fields: `проСхват`, `gripper`.
        parameters: Sets of parameters that codes may use; the standard ones unless told otherwise.
        scripts: JavaScript functions of sets of one's own, by name: from an array of numbers [m, rad] to w, x, y, z or
            to x, y, z [m], as `"(v) => [v[0], v[3], v[2], v[1]]"`.
        smooth: Polynomial of the ways: cubic (speeds 0 at the ends), quartic (no jerk at the start), quintic (none at
            all); or damper: dampers of X3D, which never overshoot and have 5e-4 of the way left at its time. Lists of
            operations have polynomials always.
        looks: Codes of other bodies, by name: `hand`, `finger`, `flange`.

    Raises:
        SistelError: There is no such prototype, or a set has no function.
    """
    key, lang = found(name)
    return Writer(lang, parameters=parameters, scripts=scripts, smooth=smooth, looks=looks).file(key)


def write_prototypes(
    folder: str | Path,
    lang: Language | None = None,
    *,
    parameters: Parameters | None = None,
    scripts: Mapping[str, str] | None = None,
    smooth: str = "cubic",
    looks: Mapping[str, Sequence[float]] | None = None,
) -> tuple[Path, ...]:
    """Write the files of all prototypes.

    Args:
        folder: Where they go; made where it is not there.
        lang: Of their names; the user's unless told otherwise.
        parameters: As for `prototype`.
        scripts: As for `prototype`.
        smooth: As for `prototype`.
        looks: As for `prototype`.

    Raises:
        SistelError: A set has no function, or nothing can be written there.
    """
    writer = Writer(lang or user_language(), parameters=parameters, scripts=scripts, smooth=smooth, looks=looks)
    return _write(folder, ((writer.file_name(key), writer.file(key)) for key in PROTOTYPES))


def draw_scene(name: str, lang: Language | None = None, *, beside: str | None = None) -> str:
    """One of the scenes that show what the prototypes do.

    Args:
        name: One of `scene_names`, in either language.
        lang: Of the prototypes; that of the name unless told otherwise.
        beside: The folder of the prototypes as the file sees it; without, they are in the scene itself.

    Raises:
        SistelError: There is no such scene.
    """
    for key, words in SCENES.items():
        if name in (words.ru, words.en):
            return draw_scene_of(key, Writer(lang or ("ru" if name == words.ru else "en")), beside=beside)
    diagnostics = Diagnostics()
    message = Text(f'there is no scene "{name}"', f"нет сцены «{name}»")
    diagnostics.error("no-scene", None, message, expected=one_of([*scene_names("ru"), *scene_names("en")]))
    raise SistelError(diagnostics.sorted())


def write_scenes(
    folder: str | Path, lang: Language | None = None, *, beside: str = "../prototypes"
) -> tuple[Path, ...]:
    """Write all scenes that show what the prototypes do.

    Args:
        folder: Where they go; made where it is not there.
        lang: Of their names; the user's unless told otherwise.
        beside: The folder of the prototypes as the files see it.

    Raises:
        SistelError: Nothing can be written there.
    """
    lang = lang or user_language()
    names = scene_names(lang)
    return _write(folder, ((f"{name}.x3d", draw_scene(name, beside=beside)) for name in names))


def gripper_scene(
    fields: Mapping[str, str] | None = None,
    lang: Language | None = None,
    *,
    name: str = "gripper",
    axes: bool = False,
    parameters: Parameters | None = None,
    scripts: Mapping[str, str] | None = None,
    smooth: str = "cubic",
    looks: Mapping[str, Sequence[float]] | None = None,
) -> str:
    """A scene with one gripper, the prototypes inside.

    Args:
        fields: Values of its fields as X3D writes them, by their names in English: place, orientation, position,
            spread, keys, move, turn, transitions.
        lang: Of the prototypes; the user's unless told otherwise.
        name: Of the node.
        axes: Whether arrows show the axes of the gripper.
        parameters: As for `prototype`.
        scripts: As for `prototype`.
        smooth: As for `prototype`.
        looks: As for `prototype`.

    Raises:
        SistelError: A set has no function.
    """
    writer = Writer(lang or user_language(), parameters=parameters, scripts=scripts, smooth=smooth, looks=looks)
    declared = [writer.declaration(key) for key in ("body", "gripper")]
    one = writer.instance("gripper", fields or {}, name=name)
    shown = [_axes(writer, name)] if axes else []
    parts = [*declared, surroundings(), one, *shown]
    return x3d_file(parts, title=writer.say("gripper"), components=writer.components)


def _axes(writer: Writer, name: str) -> str:
    """Arrows that go along with a gripper: its fields can be listened to."""
    arrows = writer.instance("body", {"code": numbers(body_code(AXES))})
    routes = "".join(
        f"\n<ROUTE fromNode='{name}' fromField='{writer.say(key)}' toNode='{name}_axes' toField='{field}'/>"
        for key, field in (("place", "translation"), ("orientation", "rotation"))
    )
    return f"<Transform DEF='{name}_axes'>{arrows}</Transform>{routes}"


def _write(folder: str | Path, texts: Iterable[tuple[str, str]]) -> tuple[Path, ...]:
    written = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in texts:
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8", newline="\n")
            written.append(path)
    except OSError as problem:
        diagnostics = Diagnostics()
        reason = reason_of(problem)
        message = Text(f"cannot write to {folder}: {reason.en}", f"не удаётся записать в {folder}: {reason.ru}")
        diagnostics.error("cannot-write", None, message)
        raise SistelError(diagnostics.sorted()) from None
    return tuple(written)
