"""Rows that several elements share, and the functions that make rows."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import IMPACTS
from sistel.markup.schema._kinds import (
    AttributeSpec,
    Axis,
    Colour,
    CoordinateNumbers,
    Flag,
    Kind,
    NewName,
    Numbers,
    Reference,
)
from sistel.units import ANGLE, LENGTH, PLAIN


def attribute(
    key: str,
    ru: str,
    kind: Kind,
    doc_en: str,
    doc_ru: str,
    *,
    en: str = "",
    required: bool = False,
    default: tuple[str, str] | None = None,
) -> AttributeSpec:
    """A row of the table; spellings are separated by blanks, the first is the one that is written."""
    return AttributeSpec(
        key=key,
        en=tuple((en or key).split()),
        ru=tuple(ru.split()),
        kind=kind,
        doc=Text(doc_en, doc_ru),
        required=required,
        default=Text(*default) if default else None,
    )


LENGTHS = Numbers(dimension=LENGTH, unit="mm", size="place")

ONE_LENGTH = Numbers(dimension=LENGTH, unit="mm")

RATIO = Numbers(dimension=PLAIN, unit="")

ZERO = ("0", "0")

ORIGIN = ("the origin", "начало координат")


def place(key: str, ru: str, doc_en: str, doc_ru: str, en: str = "") -> AttributeSpec:
    return attribute(key, ru, LENGTHS, doc_en, doc_ru, en=en, default=ORIGIN)


def turn(key: str = "turn", ru: str = "поворот") -> AttributeSpec:
    return attribute(
        key,
        ru,
        Numbers(dimension=ANGLE, unit="deg", size="turn"),
        "Orientation of the axes. Planar: one angle, clockwise. Spatial: three angles about the fixed x, then y, then z "
        "(roll, pitch, yaw); or an axis of any length and an angle about it: x, y, z, angle; or the nine numbers of the matrix, row by row.",
        "Ориентация осей. На плоскости: один угол по часовой стрелке. В пространстве: три угла вокруг неподвижных "
        "осей x, затем y, затем z; или ось любой длины и угол поворота вокруг неё: x, y, z, угол; или девять чисел матрицы по строкам.",
        default=ZERO,
    )


def quaternion() -> AttributeSpec:
    return attribute(
        "quaternion",
        "кватернион",
        Numbers(dimension=PLAIN, unit="", size="quaternion"),
        "Orientation as w, x, y, z instead of `turn`; spatial systems only. It is normalised.",
        "Ориентация как w, x, y, z вместо `поворот`; только для пространственных систем. Нормируется.",
    )


def name(required: bool, what_en: str, what_ru: str) -> AttributeSpec:
    return attribute("name", "имя", NewName(), f"Name of the {what_en}.", f"Имя {what_ru}.", required=required)


COLOUR = attribute(
    "colour",
    "цвет",
    Colour(),
    "A CSS colour word or #rrggbb.",
    "Цвет: слово CSS или #rrggbb.",
    en="colour color",
    default=("by the style of the picture", "по стилю рисунка"),
)

IMPACT = attribute(
    "impact",
    "удар",
    IMPACTS,
    "What happens to velocities when a link begins to hold.",
    "Что происходит со скоростями, когда связь начинает держать.",
    default=(
        "newton with restitution; else plastic where links are added, none where they are only released",
        "ньютон, если задано восстановление; иначе пластический, если связи добавляются, нет, если только снимаются",
    ),
)

RESTITUTION = attribute(
    "restitution",
    "восстановление",
    RATIO,
    "Coefficient of restitution, 0 to 1.",
    "Коэффициент восстановления, от 0 до 1.",
    default=ZERO,
)

SIDES = (
    attribute("body", "тело", Reference(to=("body",)), "First body.", "Первое тело."),
    place("at", "место", "Place of the link in the first body's frame.", "Место связи в осях первого тела."),
    attribute(
        "point",
        "точка",
        Reference(to=("point", "frame")),
        "A named point or frame instead of `body` and `at`.",
        "Именованная точка или репер вместо `тело` и `место`.",
    ),
    attribute(
        "to",
        "к",
        Reference(to=("body",)),
        "Second body; 0 is the ground.",
        "Второе тело; 0 — земля.",
        default=("the ground", "земля"),
    ),
    place("at-to", "место-к", "Place of the link in the second body's frame.", "Место связи в осях второго тела."),
    attribute(
        "point-to",
        "точка-к",
        Reference(to=("point", "frame")),
        "A named point or frame instead of `to` and `at-to`.",
        "Именованная точка или репер вместо `к` и `место-к`.",
    ),
)

SPATIAL_SIDES = (
    attribute(
        "axis",
        "ось",
        Axis(),
        "Axis of the joint in the first body's frame.",
        "Ось пары в осях первого тела.",
        default=("z; x for slides", "z; для скольжений x"),
    ),
    attribute(
        "axis2",
        "ось2",
        Axis(),
        "Second axis of a universal joint, in the second body's frame; the angle that the two axes make when the frames of the ends coincide is kept.",
        "Вторая ось универсальной пары в осях второго тела; угол, который оси образуют при совпадении осей концов, сохраняется.",
        default=("x", "x"),
    ),
    turn("turn", "поворот"),
    turn("turn-to", "поворот-к"),
)

HOLDS = attribute(
    "holds",
    "держит",
    Flag(),
    "Whether it holds in every structure; `no` means only in the structures that name it.",
    "Держит ли во всех структурах; `нет` — только в структурах, которые её называют.",
)

JOINT_FORCES = (
    attribute(
        "stiffness",
        "жёсткость жесткость",
        CoordinateNumbers(measure="stiffness"),
        "Spring at the joint.",
        "Пружина в сочленении.",
        default=ZERO,
    ),
    attribute(
        "rest",
        "покой",
        CoordinateNumbers(measure="position"),
        "Coordinate at which the spring at the joint is slack.",
        "Координата, при которой пружина в сочленении не напряжена.",
        default=ZERO,
    ),
    attribute(
        "damping",
        "вязкость",
        CoordinateNumbers(measure="damping"),
        "Viscous friction at the joint.",
        "Вязкое трение в сочленении.",
        default=ZERO,
    ),
    attribute(
        "friction",
        "трение",
        CoordinateNumbers(measure="force"),
        "Dry friction at the joint (force or moment while sliding). A value in units of damping counts as `damping`.",
        "Сухое трение в сочленении (сила или момент при скольжении). Значение в единицах вязкости считается вязкостью.",
        default=ZERO,
    ),
)
