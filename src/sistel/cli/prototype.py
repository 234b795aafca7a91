"""`sistel prototype`: X3D prototypes of the line, their scenes, and the gripper to play with."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.errors import Text, one_of, word_hint

if TYPE_CHECKING:
    from sistel.errors import Language

USAGE = Usage(
    about=Text(
        "Writes prototypes for X3D scenes: bodies by a code of numbers, whose colour and size may go with time; the "
        "gripper with its eight fields, and lists of its operations; arms in Cartesian, cylindrical, spherical and "
        "angular coordinates, and walkers whose legs are such arms; with the scripts that interpret the codes; or one "
        "of the scenes that show them. Everything can be a page, too; in that of the gripper (-o gripper.html) a "
        "phrase, a code or a key turns it.",
        "Пишет прототипы для сцен X3D: тела по цифровому коду, цвет и размеры которых могут меняться со временем; "
        "схват с его восемью полями и списки его операций; руки в декартовых, цилиндрических, сферических и ангулярных "
        "координатах и шагающие машины, ноги которых — такие руки; со сценариями, которые толкуют коды; или одну из "
        "сцен, которые их показывают. Всё это может быть и страницей; на странице схвата (-o gripper.html) его "
        "поворачивают фраза, код или клавиша.",
    ),
    arguments=arguments(
        """
        name: [NAME | ИМЯ]
            a prototype or a scene; without, their names
            прототип или сцена; без имени — список
        """
    ),
    options=options(
        """
        --output -o FILE | ФАЙЛ
            .x3d, or .html for a page; - or nothing for standard output
            .x3d или .html — страница; - или ничего — стандартный вывод
        --all FOLDER | ПАПКА
            write all prototypes there
            записать туда все прототипы
        --smooth = cubic|quartic|quintic|damper
            how timed transitions begin and end: by a polynomial, or by dampers of X3D
            как начинаются и кончаются переходы: по полиному или узлами-демпферами X3D
        """
    ),
    examples=examples(
        """
        sistel prototype gripper -o gripper.html
            a gripper to play with
            схват, с которым можно играть
        sistel prototype arm -o arm.x3d
            an arm in four kinds of coordinates
            рука в четырёх видах координат
        sistel prototype walker -o walker.html
            a machine that walks on arms
            машина, которая шагает на руках
        sistel prototype проСхват -o проСхват.x3d
            one prototype
            один прототип
        sistel prototype --all prototypes
            all of them
            все сразу
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Write what is asked for, or say what there is."""
    from sistel.views.prototypes import prototype_names, scene_names, write_prototypes

    smooth = call.value("smooth") or "cubic"
    folder = call.value("all")
    if folder is not None:
        written = [str(path) for path in write_prototypes(folder, console.lang, smooth=smooth)]
        if console.json:
            console.document({"written": written})
        for path in written:
            console.written(path)
        return 0
    name = call.value("name")
    languages: tuple[Language, ...] = ("en", "ru")
    scenes = [each for lang in languages for each in scene_names(lang)]
    if name is None:
        found = {"prototypes": list(prototype_names()), "scenes": scenes}
        if console.json:
            console.document(found)
        else:
            console.write("\n".join((*found["prototypes"], "", *found["scenes"])) + "\n")
        return 0
    if name not in (*prototype_names(), *scenes):
        known = [*prototype_names(), *scenes]
        wrong_call(
            "no-prototype",
            Text(f'there is no prototype or scene "{name}"', f"нет прототипа или сцены «{name}»"),
            expected=one_of(known),
            hint=word_hint(name, known),
        )
    return _write(name, name in scenes, call.value("output") or "-", smooth, console)


def _write(name: str, scene: bool, target: str, smooth: str, console: Console) -> int:
    from sistel.markup import write_text
    from sistel.views.prototypes import draw_scene, gripper_page, prototype, prototype_names, scene_of

    suffix = ".x3d" if target == "-" else PurePath(target).suffix.casefold()
    if suffix not in (".x3d", ".html"):
        wrong_call(
            "unknown-format",
            Text(f'no scene is written to "{target}"', f"в «{target}» сцену не записать"),
            expected=Text(".x3d or .html", ".x3d или .html"),
        )
    if suffix == ".x3d":
        text = draw_scene(name) if scene else prototype(name, smooth=smooth)
    elif name in (prototype_names("en")[1], prototype_names("ru")[1]):
        text = gripper_page(console.lang)
    else:
        from sistel.views.viewer import view_scene

        text = view_scene(draw_scene(name if scene else scene_of(name)), lang=console.lang)
    if target == "-":
        console.write(text)
        return 0
    write_text(target, text)
    if console.json:
        console.document({"name": name, "output": target})
    else:
        console.written(target)
    return 0
