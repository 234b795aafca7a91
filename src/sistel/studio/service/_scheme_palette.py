"""What may be put into a scheme: blocks, sensors, inputs, outputs, displays, behaviours and uses of sub-schemes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sistel.errors import Text
from sistel.markup.schema import ELEMENT_BY_KEY, Choice, ElementSpec, Keyword
from sistel.studio.service._read import Reading, reading
from sistel.studio.service._scheme_graph import included
from sistel.studio.service._scheme_read import ports_of, scheme_ids, schemes_of
from sistel.studio.service._told import both

GROUPS: Final[tuple[tuple[Text, tuple[str, ...]], ...]] = (
    (Text("Regulators", "Регуляторы"), ("p", "pd", "pi", "pid")),
    (
        Text("Arithmetic", "Арифметика"),
        ("signal", "sum", "product", "gain", "min", "max", "hypot", "saturation", "dead-zone", "table"),
    ),
    (
        Text("Dynamics", "Динамика"),
        ("integrator", "derivative", "lag", "delay", "rate-limiter", "mean", "second-order", "notch"),
    ),
    (
        Text("Logic", "Логика"),
        ("and", "or", "not", "xor", "switch", "hysteresis", "relay", "trigger", "sample", "edge", "counter", "timer"),
    ),
    (Text("Vectors", "Векторы"), ("vector", "dot", "cross", "unit", "matrix", "rotate", "index")),
    (
        Text("Systems and estimators", "Системы и оценки"),
        ("transfer-function", "state-space", "kalman", "complementary"),
    ),
    (Text("Rules and states", "Правила и состояния"), ("behaviour", "sugeno", "mamdani")),
    (Text("Arms and drives", "Манипуляторы и приводы"), ("ik", "waypoints", "computed-torque", "gravity", "drive")),
)
"""Blocks and elements, as people look for them."""
FACES: Final = (
    (Text("Sensors", "Датчики"), "sensor"),
    (Text("Inputs", "Вводы"), "input"),
)
DISPLAYED: Final = (
    (Text("Outputs", "Выводы"), ("output",)),
    (Text("Displays", "Приборы"), ("lamp", "dial", "indicator")),
)
USES: Final = Text("Sub-schemes", "Подсхемы")


def palette(path: str, text: str | None) -> list[dict[str, object]]:
    """Everything that may be put into a scheme: `[{id, kind, sort, label, about, group}]`, those used most first."""
    items: list[dict[str, object]] = []
    blocks = _choices("block")
    for group, keys in GROUPS[:1]:
        items += [_block(blocks[key], group) for key in keys]
    for group, key in FACES:
        items += [_item(f"{key}:{each.key}", key, each.key, each, group) for each in _choices(key).values()]
    for group, keys in DISPLAYED:
        items += [_element(key, group) for key in keys]
    for group, keys in GROUPS[1:]:
        items += [_block(blocks[key], group) if key in blocks else _element(key, group) for key in keys]
    if text is not None:
        items += _uses(reading(path, text))
    return items


def _choices(key: str) -> dict[str, Choice]:
    kind = ELEMENT_BY_KEY[key].by_key["kind"].kind
    assert isinstance(kind, Keyword)
    return {each.key: each for each in kind.choices}


def _block(choice: Choice, group: Text) -> dict[str, object]:
    return _item(f"block:{choice.key}", "block", choice.key, choice, group)


def _item(called: str, kind: str, sort: str | None, word: Choice | ElementSpec, group: Text) -> dict[str, object]:
    return {
        "id": called,
        "kind": kind,
        "sort": sort,
        "label": {"en": word.written("en"), "ru": word.written("ru")},
        "about": both(word.doc),
        "group": both(group),
    }


def _element(key: str, group: Text) -> dict[str, object]:
    return _item(key, key, None, ELEMENT_BY_KEY[key], group)


def _uses(read: Reading) -> Iterator[dict[str, object]]:
    """Sub-schemes of the file and of those that it includes."""
    sources = [("", read)]
    sources += [(file, reading(file, text)) for file, text in included(read)]
    seen: set[str] = set()
    for file, each in sources:
        schemes = schemes_of(each.tree)
        for scheme, name in zip(schemes, scheme_ids(schemes), strict=True):
            ports = ports_of(scheme)
            if not ports or name in seen:
                continue
            seen.add(name)
            told = ", ".join(ports)
            where = f" ({file})" if file else ""
            yield {
                "id": f"use:{name}",
                "kind": "use",
                "sort": name,
                "label": {"en": name, "ru": name},
                "about": {"en": f"ports: {told}{where}", "ru": f"порты: {told}{where}"},
                "group": both(USES),
            }
