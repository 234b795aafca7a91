"""The words that attributes choose from: joint types, impact rules and the like, in both languages."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._kinds import Choice, Keyword

JOINTS = Keyword(
    choices=(
        Choice(
            key="prismatic",
            en=("prismatic", "slide", "slider"),
            ru=("ПКП1", "ПКП", "поступательная"),
            both=("0",),
            doc=Text("one slide along the axis (1 coordinate)", "одно скольжение вдоль оси (1 координата)"),
        ),
        Choice(
            key="revolute",
            en=("revolute", "hinge"),
            ru=("ВКП", "вращательная", "шарнир"),
            both=("1",),
            doc=Text("one turn about the axis (1 coordinate)", "один поворот вокруг оси (1 координата)"),
        ),
        Choice(
            key="prismatic2",
            en=("prismatic2", "slide2"),
            ru=("ПКП2",),
            both=("2",),
            doc=Text(
                "planar systems: slides along x and y without turning (2 coordinates)",
                "плоские системы: скольжения вдоль x и y без поворота (2 координаты)",
            ),
        ),
        Choice(
            key="free",
            en=("free",),
            ru=("СКП", "свободная"),
            both=("3",),
            doc=Text(
                "no mechanical contact: x, y, angle in the plane (3 coordinates); a quaternion and x, y, z in space "
                "(7 coordinates, 6 velocities)",
                "без механического контакта: x, y, угол на плоскости (3 координаты); кватернион и x, y, z в "
                "пространстве (7 координат, 6 скоростей)",
            ),
        ),
        Choice(
            key="fixed",
            en=("fixed", "weld"),
            ru=("ЖКП", "жёсткая", "жесткая"),
            doc=Text("no relative motion (0 coordinates)", "нет относительного движения (0 координат)"),
        ),
        Choice(
            key="cylindrical",
            en=("cylindrical",),
            ru=("ЦКП", "цилиндрическая"),
            doc=Text(
                "spatial systems: a turn about and a slide along one axis (2 coordinates: angle, slide)",
                "пространственные системы: поворот вокруг оси и скольжение вдоль неё (2 координаты: угол, ход)",
            ),
        ),
        Choice(
            key="universal",
            en=("universal", "cardan"),
            ru=("УКП", "универсальная", "карданная"),
            doc=Text(
                "spatial systems: a turn about `axis`, then a turn about the moved `axis2` (2 coordinates)",
                "пространственные системы: поворот вокруг `ось`, затем вокруг повёрнутой `ось2` (2 координаты)",
            ),
        ),
        Choice(
            key="spherical",
            en=("spherical", "ball"),
            ru=("ШКП", "сферическая", "шаровая"),
            doc=Text(
                "spatial systems: any rotation about a point (4 coordinates, a quaternion; 3 velocities)",
                "пространственные системы: любой поворот вокруг точки (4 координаты, кватернион; 3 скорости)",
            ),
        ),
        Choice(
            key="planar",
            en=("planar",),
            ru=("ПлКП", "плоскостная"),
            doc=Text(
                "spatial systems: two slides in the plane normal to the axis and a turn about it (3 coordinates). "
                "The first slide is along the body's x projected on that plane (its y where x is the axis), the second "
                "at a right angle to it",
                "пространственные системы: два скольжения в плоскости, нормальной к оси, и поворот вокруг неё "
                "(3 координаты). Первое скольжение — вдоль проекции оси x тела на эту плоскость (оси y, если ось — x), "
                "второе под прямым углом к нему",
            ),
        ),
    )
)

SPACES = Keyword(
    choices=(
        Choice(
            key="planar",
            en=("planar", "2D"),
            ru=("плоская", "2Д"),
            doc=Text("bodies move in parallel planes", "тела движутся в параллельных плоскостях"),
        ),
        Choice(
            key="spatial",
            en=("spatial", "3D"),
            ru=("пространственная", "3Д"),
            doc=Text("bodies move in space", "тела движутся в пространстве"),
        ),
    )
)

CLASSES = Keyword(
    choices=(
        *(
            Choice(key=planar + key, en=(word + en,), ru=(planar + key,), doc=Text(word + en, слово + ru))
            for planar, word, слово in (("", "", ""), ("П", "planar ", "плоская "))
            for key, en, ru in (
                ("СТОВ", "open chain", "система тел с одной открытой ветвью"),
                ("СТВ", "closed chain", "система тел с одной замкнутой ветвью"),
                ("ДСТОВ", "open tree", "древовидная система тел с открытыми ветвями"),
                ("ДСТВ", "closed tree", "древовидная система тел с замкнутыми ветвями"),
                ("ДСТ", "changing tree", "система тел с изменяющейся структурой"),
            )
        ),
    )
)

IMPACTS = Keyword(
    choices=(
        Choice(
            key="plastic",
            en=("plastic",),
            ru=("пластический", "неупругий"),
            doc=Text("the velocities that the new links forbid vanish", "скорости, запрещённые новыми связями, гаснут"),
        ),
        Choice(
            key="newton",
            en=("newton", "elastic"),
            ru=("ньютон", "упругий"),
            doc=Text(
                "normal velocity is reversed times `restitution`; friction acts within its cone",
                "нормальная скорость меняет знак и умножается на `восстановление`; трение действует в пределах конуса",
            ),
        ),
        Choice(
            key="poisson",
            en=("poisson",),
            ru=("пуассон",),
            doc=Text(
                "normal impulse of compression is returned times `restitution`; friction acts within its cone",
                "нормальный импульс сжатия возвращается, умноженный на `восстановление`; трение действует в пределах конуса",
            ),
        ),
        Choice(
            key="coulomb",
            en=("coulomb", "frictional"),
            ru=("кулон", "фрикционный"),
            doc=Text(
                "as newton, for contacts with a coefficient: the impulse stays inside the friction cone, and the point sticks or slides",
                "как ньютон, для контактов с коэффициентом: импульс не выходит из конуса трения, точка сцепляется или скользит",
            ),
        ),
        Choice(
            key="none",
            en=("none", "smooth"),
            ru=("нет", "плавный"),
            doc=Text("velocities do not jump", "скорости не меняются скачком"),
        ),
    )
)

FRICTIONS = Keyword(
    choices=(
        Choice(
            key="stick",
            en=("stick",),
            ru=("сцепление", "залипание"),
            doc=Text("the point does not slide while the contact holds", "точка не скользит, пока контакт держит"),
        ),
        Choice(
            key="none",
            en=("none", "smooth"),
            ru=("нет", "гладко"),
            doc=Text("no friction: the point slides freely", "трения нет: точка скользит свободно"),
        ),
    )
)

STOP_SIDES = Keyword(
    choices=(
        Choice(key="min", en=("min",), ru=("мин",), doc=Text("at the lower limit", "у нижнего предела")),
        Choice(key="max", en=("max",), ru=("макс",), doc=Text("at the upper limit", "у верхнего предела")),
        Choice(key="both", en=("both",), ru=("оба",), doc=Text("at both limits", "у обоих пределов")),
    )
)

FORCE_FRAMES = Keyword(
    choices=(
        Choice(key="world", en=("world",), ru=("земля", "мир"), doc=Text("axes of the ground", "оси земли")),
        Choice(key="body", en=("body",), ru=("тело",), doc=Text("axes of the body", "оси тела")),
    )
)

INTERPOLATIONS = Keyword(
    choices=(
        Choice(
            key="cubic",
            en=("cubic",),
            ru=("кубическая",),
            doc=Text(
                "cubic pieces with zero speed at every row", "кубические куски с нулевой скоростью в каждой строке"
            ),
        ),
        Choice(
            key="quintic",
            en=("quintic",),
            ru=("пятой степени",),
            doc=Text("zero speed and acceleration at every row", "нулевые скорость и ускорение в каждой строке"),
        ),
        Choice(key="linear", en=("linear",), ru=("линейная",), doc=Text("straight pieces", "отрезки прямых")),
        Choice(
            key="spline",
            en=("spline",),
            ru=("сплайн",),
            doc=Text(
                "a cubic spline through the rows, at rest at both ends",
                "кубический сплайн через строки, покой на концах",
            ),
        ),
    )
)

ENGAGEMENTS = Keyword(
    choices=(
        Choice(
            key="closed",
            en=("closed",),
            ru=("сомкнутыми",),
            doc=Text("links must meet when they begin to hold", "связи должны сойтись, когда начинают держать"),
        ),
        Choice(
            key="found",
            en=("as it is", "as found"),
            ru=("как есть",),
            doc=Text(
                "a coupling keeps the offset at which it begins to hold, as a clutch does",
                "передача сохраняет сдвиг, при котором начинает держать, как муфта",
            ),
        ),
    )
)

CLOCKS = Keyword(
    choices=(
        Choice(key="zero", en=("zero",), ru=("ноль",), doc=Text("the time itself", "само время")),
        Choice(
            key="entry",
            en=("entry",),
            ru=("вход",),
            doc=Text("since the structure was entered", "с входа в структуру"),
        ),
    )
)


def _words(*rows: tuple[str, str, str, str]) -> Keyword:
    return Keyword(choices=tuple(Choice(key=en, en=(en,), ru=(ru,), doc=Text(a, b)) for en, ru, a, b in rows))


DRAWN_LINES = _words(
    ("link", "звено", "a bar", "стержень"),
    ("plate", "пластина", "a link with three or more hinges", "звено с тремя и более шарнирами"),
    ("rail", "рельс", "what a carriage runs on", "то, по чему ходит каретка"),
    ("ground", "земля", "the ground, hatched on its right-hand side", "земля, заштрихована справа по ходу"),
    ("hatch", "штриховка", "hatching of a ground that the file draws", "штриховка земли, нарисованной в файле"),
    ("spring", "пружина", "a spring between two bodies", "пружина между двумя телами"),
)

DRAWN_MARKS = _words(
    ("hinge", "шарнир", "a hinge", "шарнир"),
    ("support", "стойка", "a hinge on the ground", "шарнир на земле"),
    ("earth", "земля", "a tie to the ground", "связь с землёй"),
    ("carriage", "каретка", "a carriage on a rail", "каретка на рельсе"),
    ("guide", "направляющая", "a sleeve on a bar", "втулка на стержне"),
    ("gripper", "схват", "a gripper", "схват"),
    ("weld", "жёстко", "a rigid tie", "жёсткая связь"),
    ("motor", "привод", "a motor at the joint", "привод в сочленении"),
    ("coil", "пружина", "a spring at the joint", "пружина в сочленении"),
    ("contact", "контакт", "a point that may touch", "точка, которая может коснуться"),
)

LABEL_SIDES = _words(
    ("start", "начало", "its beginning", "началом"),
    ("middle", "середина", "its middle", "серединой"),
    ("end", "конец", "its end", "концом"),
)

DIMENSION_KINDS = _words(
    ("length", "длина", "a distance of two points", "расстояние между двумя точками"),
    ("radius", "радиус", "a radius of a circle", "радиус окружности"),
)

LABEL_KINDS = _words(
    ("numbers", "номера", "numbers of bodies", "номера тел"),
    ("names", "имена", "names of bodies", "имена тел"),
)

ALL = (
    JOINTS, SPACES, CLASSES, IMPACTS, FRICTIONS, STOP_SIDES, FORCE_FRAMES, INTERPOLATIONS, ENGAGEMENTS, CLOCKS,
    DRAWN_LINES, DRAWN_MARKS, LABEL_SIDES, DIMENSION_KINDS, LABEL_KINDS,
)  # fmt: skip
