"""What a person may fill in of a file: parameters, gravity and initial data, each with its place in the text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostics, Source, Span, Text, refuse
from sistel.markup import Attribute, Document, Expression, Node, read_from_tree, read_tree
from sistel.markup.schema import ELEMENT_BY_WORD
from sistel.markup.xml import Element
from sistel.model import checker_of
from sistel.model.joints import CoordinateKind
from sistel.records import entry, mutable, record
from sistel.units import PLAIN, Dimension, Unit, si_symbol, spell_unit, unit_of
from sistel.views.forms._slots import Slot, Slots, filled
from sistel.views.text._numbers import clean

if TYPE_CHECKING:
    from sistel.model import Checker, Model

Group = Literal["parameters", "gravity", "start"]
Of = Literal["parameter", "q", "v", ""]
"""What of the motion a field sets: a parameter, a coordinate, a velocity, or nothing that moves at once."""

MOST_BLANK = 60
"""Coordinates and velocities that the file leaves out and that still get a field each."""
_NUMBER = re.compile(r"([+\-−]?\s*(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?)\s*(.*)", re.DOTALL)
_NAME = re.compile(r"[^\W\d][\w.\-]*")
"""Names that can be names of attributes."""
_UNITS: dict[str, dict[str, str]] = {
    "q": {"turn": "deg", "slide": "mm"},
    "v": {"turn": "deg/s", "slide": "mm/s"},
}


@record
class Field:
    """One number of the file.

    Attributes:
        key: A name that no other field has, and that XML allows.
        name: What people call it.
        about: What it means.
        written: The number, or the formula, as the file has it; empty where the file leaves it out.
        unit: Of what is written and of what may be written, as the file spells it.
        measure: How the unit becomes SI.
        value: What it is in the model [SI].
        least: The least that is allowed [SI]; None where there is none.
        most: The greatest that is allowed [SI].
        formula: Whether it follows from parameters, and is only shown.
        required: Whether it may not be left empty.
        of: What of the motion it sets, with its name or index.
        span: Where it stands in the text, without its unit; None where the file leaves it out.
        slot: The piece of text that the file would gain, by its number; None where it is there.
    """

    key: str
    group: Group
    name: Text
    about: Text
    written: str
    unit: str
    measure: Unit
    value: float | None
    least: float | None = None
    most: float | None = None
    formula: bool = False
    required: bool = False
    of: Of = ""
    parameter: str = ""
    index: int = -1
    span: Span | None = None
    slot: int | None = None

    @property
    def range(self) -> tuple[float | None, float | None]:
        """Limits in the unit of the field."""
        low = None if self.least is None else tidy(self.measure.from_si(self.least))
        high = None if self.most is None else tidy(self.measure.from_si(self.most))
        return low, high

    @property
    def shown_unit(self) -> Text:
        """The unit in both languages."""
        printed = re.sub(r"\^([23])", lambda found: "²³"[int(found.group(1)) - 2], self.unit).replace("*", "·")
        return Text(spell_unit(printed, "en"), spell_unit(printed, "ru"))


@entry
class Form:
    """Everything that a form knows of a file.

    Attributes:
        document: What was read.
        fields: In the order of the file, those that it leaves out last.
        slots: Pieces of text that the file would gain.
        left: What has no field, and why.
    """

    document: Document
    fields: tuple[Field, ...]
    slots: tuple[Slot, ...]
    left: tuple[Text, ...]

    @property
    def file(self) -> str:
        """What the file is called where it is saved."""
        name = clean(PurePath(self.document.source.path).name)
        return "system.xml" if not name or name.startswith("<") else name

    def filled(self, values: Mapping[str, str], *, whole: bool = False) -> str:
        """The text of the file with other numbers, see `filled`."""
        return filled(self.document.source.text, self.fields, self.slots, values, whole=whole)


def tidy(number: float) -> float:
    """A number without the dust that units leave behind."""
    return float(f"{number:.12g}")


def read_form(model: Model, source: Source) -> Form:
    """The form of a file.

    Args:
        model: The system that it describes.
        source: Its text.

    Raises:
        SistelError: It is no XsysTel.
    """
    diagnostics = Diagnostics()
    tree = read_tree(source, diagnostics) if source.text.lstrip().startswith("<") else None
    spec = None if tree is None else ELEMENT_BY_WORD.get(tree.name.casefold())
    if tree is None or spec is None or spec.key != "system":
        refuse(
            "no-form",
            Text(
                f'"{source.path}" is no XsysTel: a form changes the numbers of such a file',
                f"«{source.path}» — не XsysTel: форма меняет числа такого файла",
            ),
            hint=Text(
                "convert it first: sistel convert FILE NEW.xml", "сначала преобразуйте: sistel convert ФАЙЛ НОВЫЙ.xml"
            ),
        )
    document, _ = read_from_tree(tree, source, diagnostics)
    diagnostics.raise_if_failed()
    assert document is not None
    form = _Reading(model, document, tree, checker_of(model, Diagnostics())).form()
    if not form.fields:
        refuse(
            "no-form",
            Text(
                f'"{source.path}" has nothing to fill in: neither parameters nor coordinates',
                f"в «{source.path}» нечего заполнять: нет ни параметров, ни координат",
            ),
        )
    return form


@mutable
class _Reading:
    """Goes through a document."""

    model: Model
    document: Document
    tree: Element
    checker: Checker
    fields: list[Field] = field(default_factory=list)
    left: list[Text] = field(default_factory=list)

    def form(self) -> Form:
        root = self.document.root
        self._parameters(root, "")
        for node in root.of("gravity"):
            self._attribute(node, "value", "gravity", Text("gravity", "тяжесть"), _nothing)
        for node in root.of("include"):
            self._parameters(node, node.text("prefix") or "")
        self._elsewhere()
        starts = list(root.of("start"))
        given = self._start(starts[0]) if starts else set()
        slots = self._blank(starts[0] if starts else None, given)
        return Form(self.document, tuple(self.fields), tuple(slots), tuple(self.left))

    # --- what is there

    def _parameters(self, parent: Node, prefix: str) -> None:
        known = {parameter.name: parameter for parameter in self.model.parameters}
        for node in parent.of("parameter"):
            name = prefix + (node.text("name") or "")
            parameter, value = known.get(name), node.attributes.get("value")
            if parameter is None or value is None or not isinstance(value.value, tuple) or len(value.value) != 1:
                continue
            unit = node.attributes.get("unit")
            about = node.text("about") or parameter.about
            self._add(
                value.value[0],  # type: ignore[arg-type]
                group="parameters",
                name=Text(name, name),
                about=Text(about, about),
                default=unit.span.text if unit is not None else "",
                dimension=parameter.dimension,
                value=float(parameter.value),
                least=parameter.minimum,
                most=parameter.maximum,
                of="parameter",
                parameter=name,
            )

    def _elsewhere(self) -> None:
        """Say which parameters stand in other files."""
        own = {each.parameter for each in self.fields}
        inside = [each.name for each in self.model.parameters if each.name not in own]
        if inside:
            names = ", ".join(inside[:5]) + ("…" if len(inside) > 5 else "")
            self.left.append(
                Text(
                    f"parameters of included files have no field ({names}): a parameter inside the include element "
                    "gives one",
                    f"у параметров включённых файлов полей нет ({names}): поле даст параметр внутри элемента включить",
                )
            )

    def _attribute(
        self, node: Node, key: str, group: Group, name: Text, of: Callable[[int], tuple[Of, int, float | None]]
    ) -> None:
        """The numbers of an attribute of the schema."""
        attribute = node.attributes.get(key)
        if attribute is None or not isinstance(attribute.value, tuple):
            return
        about = Text(*(said.rstrip(".") for said in attribute.spec.doc))
        self._values(attribute.value, attribute, group, name, about, of)  # type: ignore[arg-type]

    def _values(
        self,
        values: Sequence[Expression],
        attribute: Attribute,
        group: Group,
        name: Text,
        about: Text,
        of: Callable[[int], tuple[Of, int, float | None]],
    ) -> None:
        unit = getattr(attribute.spec.kind, "unit", "")
        for i, value in enumerate(values):
            what, index, number = of(i)
            numbered = name if len(values) == 1 else Text(f"{name.en} [{i + 1}]", f"{name.ru} [{i + 1}]")
            self._add(value, group=group, name=numbered, about=about, default=unit, value=number, of=what, index=index)

    def _start(self, node: Node) -> set[tuple[Of, int]]:
        """The initial state; returns the coordinates and velocities that it gives."""
        given: set[tuple[Of, int]] = set()
        for item in node.open:
            given |= self._coordinates(item.name, item.values, item.rate, item.name_span)
        for child in node.children:
            if child.key == "coordinate":
                given |= self._coordinate(child)
            else:
                self.left.append(
                    Text(
                        f"what is repeated in the initial state has no field ({child.span})",
                        f"у того, что повторяется в начальном состоянии, полей нет ({child.span})",
                    )
                )
                given |= {("q", i) for i in self.model.start.given_q} | {("v", i) for i in self.model.start.given_v}
        self._attribute(node, "time", "start", Text("time", "время"), lambda i: ("", -1, float(self.model.start_time)))
        return given

    def _coordinate(self, node: Node) -> set[tuple[Of, int]]:
        given: set[tuple[Of, int]] = set()
        name = ", ".join(node.names("of"))
        for key in ("value", "rate"):
            attribute = node.attributes.get(key)
            if attribute is not None and isinstance(attribute.value, tuple):
                values: tuple[Expression, ...] = attribute.value  # type: ignore[assignment]
                given |= self._coordinates(name, values, key == "rate", node.at("of"))
        body = next((each for each in self.model.bodies if name in (each.name, each.joint.name)), None)
        for key in ("place", "turn", "quaternion", "velocity", "spin"):
            said = node.attributes[key].spec if key in node.attributes else None
            if said is not None:
                title = Text(f"{name}: {said.en[0]}", f"{name}: {said.ru[0]}")
                self._attribute(node, key, "start", title, _nothing)
        if body is not None and body.joint.type.has_quaternion:
            given |= {("q", body.first_q + i) for i in range(body.joint.type.nq)}
            given |= {("v", body.first_v + i) for i in range(body.joint.type.nv)}
        return given

    def _coordinates(self, name: str, values: Sequence[Expression], rate: bool, span: Span) -> set[tuple[Of, int]]:
        """The numbers of a joint, or of one of its coordinates."""
        names = self.checker.names
        found = None if names is None else names.coordinate(name, self.checker.scope, span)
        if found is None:
            return set()
        slot, first = found.slot, found.rates[0]
        extra = 1 if slot.type.has_quaternion else 0
        index = first if rate else slot.first_q + extra + first - slot.first_v
        of: Of = "v" if rate else "q"
        own = self.model.rate_names if rate else self.model.coordinate_names
        for i, value in enumerate(values):
            self._add_coordinate(of, index + i, own[index + i], found.kinds[i], value=value)
        return {(of, index + i) for i in range(len(values))}

    # --- what is left out

    def _blank(self, node: Node | None, given: set[tuple[Of, int]]) -> list[Slot]:
        """Fields for coordinates and velocities that the file leaves out."""
        rows: list[tuple[Of, int, str, CoordinateKind]] = []
        for body in self.model.bodies:
            kind = body.joint.type
            for i, (part, sort) in enumerate(() if kind.has_quaternion else kind.rates):
                own = f"{body.name}.{part}" if part else body.name
                rows += [("q", body.first_q + i, own, sort), ("v", body.first_v + i, own, sort)]
        rows = [row for row in rows if (row[0], row[1]) not in given]
        if len(rows) > MOST_BLANK:
            more = len(rows) - MOST_BLANK
            self.left.append(
                Text(
                    f"{more} more coordinates and velocities that the file leaves out have no field",
                    f"ещё {more} координат и скоростей, которых нет в файле, остались без полей",
                )
            )
            rows = rows[:MOST_BLANK]
        slots = Slots(self.document.source.text, self.document.lang, [])
        if not rows:
            return slots.made
        start = None if node is None else next(each for each in self.tree.children if each.start == node.span.start)
        slots.begin(self.tree, start, all(_NAME.fullmatch(own) for _, _, own, _ in rows))
        elements: dict[str, int] = {}
        everywhere = start is None and not all(_NAME.fullmatch(own) for _, _, own, _ in rows)
        for of, index, own, sort in rows:
            if _NAME.fullmatch(own) and not everywhere:
                ending = "" if of == "q" else ".скорость" if self.document.lang == "ru" else ".rate"
                slot = slots.attribute(own + ending)
            else:
                if own not in elements:
                    elements[own] = slots.coordinate(own)
                slot = slots.part(elements[own], of == "v")
            self._add_coordinate(of, index, own, sort, slot=slot)
        return slots.made

    # --- one field

    def _add_coordinate(
        self,
        of: Of,
        index: int,
        name: str,
        sort: CoordinateKind,
        *,
        value: Expression | None = None,
        slot: int | None = None,
    ) -> None:
        numbers = self.model.start.q if of == "q" else self.model.start.v
        least, most = self._limits(index) if of == "q" else (None, None)
        self._add(
            value,
            group="start",
            name=Text(name, name) if of == "q" else Text(f"{name}, rate", f"{name}, скорость"),
            about=Text("coordinate at the start", "координата в начале")
            if of == "q"
            else Text("velocity at the start", "скорость в начале"),
            default=_UNITS[of].get(sort, ""),
            value=float(numbers[index]),
            least=least,
            most=most,
            of=of,
            index=index,
            slot=slot,
        )

    def _limits(self, index: int) -> tuple[float | None, float | None]:
        """Limits of a coordinate [SI]."""
        for body in self.model.bodies:
            i = index - body.first_q
            kind = body.joint.type
            if not 0 <= i < kind.nq or kind.has_quaternion or i >= len(body.joint.minimum):
                continue
            low, high = self.model.limits(body, i)
            return (low if math.isfinite(low) else None, high if math.isfinite(high) else None)
        return None, None

    def _add(
        self,
        expression: Expression | None,
        *,
        group: Group,
        name: Text,
        about: Text,
        default: str,
        value: float | None,
        dimension: Dimension = PLAIN,
        least: float | None = None,
        most: float | None = None,
        of: Of = "",
        parameter: str = "",
        index: int = -1,
        slot: int | None = None,
    ) -> None:
        span = None if expression is None else expression.span
        written, unit, formula = "", default, False
        if span is not None:
            found = _NUMBER.fullmatch(span.text)
            rest = "" if found is None else found.group(2).strip()
            if found is None or (rest and unit_of(rest) is None):
                # What follows from others is in the unit of SI.
                written, formula, unit = span.text, True, default or si_symbol(dimension, self.document.lang)
                unit = "" if dimension.plain and not default else unit
            else:
                written, unit = found.group(1), rest or default
                span = Span(span.source, span.start, span.start + len(found.group(1)))
        self.fields.append(
            Field(
                key=f"f{len(self.fields) + 1}",
                group=group,
                name=name,
                about=about,
                written=written,
                unit=spell_unit(unit, self.document.lang),
                measure=unit_of(unit) or _NO_UNIT,
                value=value,
                least=least,
                most=most,
                formula=formula,
                required=span is not None,
                of=of,
                parameter=parameter,
                index=index,
                span=span,
                slot=slot,
            )
        )


_NO_UNIT = Unit("", ("",), ("",), PLAIN)


def _nothing(i: int) -> tuple[Of, int, float | None]:
    """Numbers that no motion of a page sets by themselves."""
    return "", -1, None
