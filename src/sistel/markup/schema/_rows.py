"""Rows that several elements share, and the functions that make rows."""

from __future__ import annotations

from typing import Literal, get_args

from sistel.described import entries
from sistel.errors import Text
from sistel.markup.schema._kinds import AttributeSpec, ElementSpec
from sistel.markup.schema._kinds_table import KINDS


def rows(table: str) -> tuple[AttributeSpec, ...]:
    """Attributes, written as text: key and spellings, the kind of value, a mark where it is required; then what it means.

    ::

        min | min мин (position)
            Least values of the coordinates.
            Наименьшие значения координат.
            = none | нет

    English spellings stand behind the key where there are others than the key itself. After = stands what holds when the
    attribute is absent, once where both languages say it alike. Kinds are those of `KINDS`.
    """
    return tuple(_row(typed, texts) for typed, texts in entries(table))


def row(table: str) -> AttributeSpec:
    """One attribute, see `rows`."""
    (only,) = rows(table)
    return only


def _row(typed: str, texts: list[str]) -> AttributeSpec:
    words = typed.removesuffix(" !")
    spellings, _, kind = words.removesuffix(")").partition(" (")
    names, _, russian = spellings.partition(" | ")
    key, _, english = names.partition(": ")
    default = texts[2].removeprefix("= ").split(" | ") if len(texts) > 2 else None
    return AttributeSpec(
        key=key,
        en=tuple((english or key).split()),
        ru=tuple(russian.split()),
        kind=KINDS[kind],
        doc=Text(*texts[:2]),
        required=typed != words,
        default=Text(default[0], default[-1]) if default else None,
    )


def element(
    table: str,
    *,
    attributes: tuple[AttributeSpec, ...] = (),
    children: tuple[str, ...] = (),
    open: Literal["", "coordinates", "outputs", "ports"] = "",
) -> ElementSpec:
    """An element: key and spellings, then what it is and an example, both in both languages; see `rows`."""
    ((typed, texts),) = entries(table)
    names, _, russian = typed.partition(" | ")
    key, _, english = names.partition(": ")
    return ElementSpec(
        key=key,
        en=tuple((english or key).split()),
        ru=tuple(russian.split()),
        doc=Text(*texts[:2]),
        attributes=attributes,
        children=children,
        open=open,
        example=Text(*texts[2:]),
    )


def turn(key: str = "turn", ru: str = "поворот") -> AttributeSpec:
    """The orientation of axes, by angles, by an axis and an angle, or by a matrix."""
    return row(
        f"""
        {key} | {ru} (turn)
            Orientation of the axes. Planar: one angle, clockwise. Spatial: three angles about the fixed x, then y, then z
                (roll, pitch, yaw); or an axis of any length and an angle about it: x, y, z, angle; or the nine numbers of
                the matrix, row by row.
            Ориентация осей. На плоскости: один угол по часовой стрелке. В пространстве: три угла вокруг неподвижных осей
                x, затем y, затем z; или ось любой длины и угол поворота вокруг неё: x, y, z, угол; или девять чисел
                матрицы по строкам.
            = 0
        """
    )


def quaternion() -> AttributeSpec:
    """The orientation of axes by a quaternion."""
    return row(
        """
        quaternion | кватернион (quaternion)
            Orientation as w, x, y, z instead of `turn`; spatial systems only. It is normalised.
            Ориентация как w, x, y, z вместо `поворот`; только для пространственных систем. Нормируется.
        """
    )


ShapeKind = Literal[
    "shape",
    "box",
    "polygon",
    "polyline",
    "cylinder",
    "sphere",
    "circle",
    "wheel",
    "cone",
    "capsule",
    "mesh",
]
"""Elements that draw something of a body."""

PLACED: tuple[str, ...] = ("point", "frame", *get_args(ShapeKind))
"""Elements that have a place on a body, or on the ground."""

TIES = (
    "joint",
    "closure",
    "contact",
    "blade",
    "lock",
    "coupling",
    "gear",
    "clutch",
    "differential",
    "counter",
    "structure",
)
"""What stands in `links` before the transitions."""

COLOUR = row(
    """
    colour: colour color | цвет (colour)
        A CSS colour word or #rrggbb.
        Цвет: слово CSS или #rrggbb.
        = by the style of the picture | по стилю рисунка
    """
)

IMPACT = row(
    """
    impact | удар (impact)
        What happens to velocities when a link begins to hold.
        Что происходит со скоростями, когда связь начинает держать.
        = newton with restitution; else plastic where links are added, none where they are only released | ньютон, если
            задано восстановление; иначе пластический, если связи добавляются, нет, если только снимаются
    """
)

RESTITUTION = row(
    """
    restitution | восстановление (ratio)
        Coefficient of restitution, 0 to 1.
        Коэффициент восстановления, от 0 до 1.
        = 0
    """
)

SIDES = rows(
    """
    body | тело (body)
        First body.
        Первое тело.
    at | место (place)
        Place of the link in the first body's frame.
        Место связи в осях первого тела.
        = the origin | начало координат
    point | точка (point or frame)
        A named point or frame instead of `body` and `at`.
        Именованная точка или репер вместо `тело` и `место`.
    to | к (body)
        Second body; 0 is the ground.
        Второе тело; 0 — земля.
        = the ground | земля
    at-to | место-к (place)
        Place of the link in the second body's frame.
        Место связи в осях второго тела.
        = the origin | начало координат
    point-to | точка-к (point or frame)
        A named point or frame instead of `to` and `at-to`.
        Именованная точка или репер вместо `к` и `место-к`.
    """
)

SPATIAL_SIDES = (
    *rows(
        """
        axis | ось (axis)
            Axis of the joint in the first body's frame.
            Ось пары в осях первого тела.
            = z; x for slides | z; для скольжений x
        axis2 | ось2 (axis)
            Second axis of a universal joint, in the second body's frame; the angle that the two axes make when the
                frames of the ends coincide is kept.
            Вторая ось универсальной пары в осях второго тела; угол, который оси образуют при совпадении осей концов,
                сохраняется.
            = x
        """
    ),
    turn("turn", "поворот"),
    turn("turn-to", "поворот-к"),
)

HOLDS = row(
    """
    holds | держит (flag)
        Whether it holds in every structure; `no` means only in the structures that name it.
        Держит ли во всех структурах; `нет` — только в структурах, которые её называют.
    """
)

JOINT_FORCES = rows(
    """
    stiffness | жёсткость жесткость (joint stiffness)
        Spring at the joint.
        Пружина в сочленении.
        = 0
    rest | покой (position)
        Coordinate at which the spring at the joint is slack.
        Координата, при которой пружина в сочленении не напряжена.
        = 0
    damping | вязкость (joint damping)
        Viscous friction at the joint.
        Вязкое трение в сочленении.
        = 0
    friction | трение (driving force)
        Dry friction at the joint (force or moment while sliding). A value in units of damping counts as `damping`.
        Сухое трение в сочленении (сила или момент при скольжении). Значение в единицах вязкости считается вязкостью.
        = 0
    """
)
